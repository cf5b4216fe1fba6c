"""Percentages of Japanese stories: by how many percent something changed, or what share of all it is."""

from __future__ import annotations

import re
from typing import Literal

from agent.text.in_japanese.japanese_parts import PATTERNS, plainer
from agent.text.in_japanese.japanese_story import Told, is_told, told
from agent.text.problems.story_parts import PERCENT
from agent.text.problems.story_totals import StorySum, figure_of
from agent.text.regex import regex

_CUES = PATTERNS["percent"]
_BEHIND = regex(r"(?P<told>[^\d、。!！]*)[、。!！](?P<asked>[^\d]+)$")
_LONGEST = 120  # characters
_OPPOSITES = tuple(PATTERNS["opposites"].values())
_NEGATED = regex(r"(?P<stem>[一-龯ァ-ヶー]+|[ぁ-ん]{2})[ぁ-ん]{0,5}?(?:ない|なかっ|ません)")


def part_asked(text: str) -> Literal["told", "rest", ""]:
    """Whether the share that is asked for is that of what was told, or of the rest; "" where it may be of neither."""
    behind = _BEHIND.search(text)
    asked = behind["asked"] if behind else ""
    if behind is None or not _CUES["asked"].search(asked):
        return "told"
    if _is_turned(behind["told"], asked):
        return "rest"
    if _NEGATED.search(asked) and not _NEGATED.search(behind["told"]):
        return ""
    return "told" if is_told(asked.replace("率", ""), text[: behind.start("asked")]) else ""


def _is_turned(told: str, asked: str) -> bool:
    """Whether one of the two denies the other, or says its opposite: 男子 and 女子, 来た and 来なかった."""
    for one, other in ((asked, told), (told, asked)):
        if (negated := _NEGATED.search(one)) and not _NEGATED.search(other) and negated["stem"] in other:
            return True
    pairs = zip(_OPPOSITES[::2], _OPPOSITES[1::2], strict=True)
    said = ([(bool(way.search(told)), bool(way.search(asked))) for way in pair] for pair in pairs)
    return any(one in ([(True, False), (False, True)], [(False, True), (True, False)]) for one in said)


# One thing alone is told of the part: not 「12人の男の子が眼鏡」, nor 「眼鏡の男の子は12人」.
_ONE_SORT = regex(
    r"(?:の[^、。の\d]{1,8}(?:で|に|のうち)|中|の中で|のうち)、?(?:[^の、。\d]{1,8}[がは])?"
    r"\d+[^\d\sの、。]{1,12}[、。 ]*"
)


def japanese_rest(text: str) -> StorySum | None:
    """「40人のクラスで男子が18人。女子は何人？」: all without those that were told."""
    cut = told(text, named=False)
    if cut is None or len(cut.found) != 2 or cut.each or not re.search(r"何人|何[個本枚冊台匹問件]|いくつ", cut.asked):
        return None
    whole, part = (mention.part for mention in cut.found)
    counted = whole.names == part.names and not (whole.measure or whole.unit) and whole.amount >= part.amount
    of_all = _CUES["of"].search(cut.tails[0]) and not _compared(cut)
    behind = cut.text[cut.found[0].end : len(cut.text) - len(cut.asked)]
    if not counted or not of_all or not _ONE_SORT.fullmatch(behind) or not _is_turned(behind, cut.asked):
        return None
    return StorySum(f"{figure_of(whole.amount)} - {figure_of(part.amount)}", next(iter(whole.names)))


def japanese_percent_sum(text: str) -> StorySum | None:
    """「去年は1250人、今年は1100人。何%減った？」, 「定員150人のうち114人が申し込みました。何%？」."""
    cut = told(text) if _CUES["asked"].search(plainer(text)) else None
    if cut is None or len(cut.found) != 2 or cut.each or not _CUES["asked"].search(cut.asked):
        return None
    first, second = (mention.part for mention in cut.found)
    if first.names != second.names or first.unit != second.unit or first.names == PERCENT or not first.amount:
        return None
    one, other = figure_of(first.amount), figure_of(second.amount)
    asked, tenths = cut.asked, "何割" in cut.asked
    times, unit = ("10", "割") if tenths else ("100", "%")
    way = next((way for way in ("rise", "fall") if _CUES[way].search(asked)), "")
    if way:
        fell = second.amount < first.amount
        both = _CUES["rise"].search(asked) and _CUES["fall"].search(asked)
        if both or _later_first(cut) or fell != (way == "fall"):
            return None
        return StorySum(
            f"({one} - {other}) / {one} * {times}" if fell else f"({other} - {one}) / {one} * {times}", unit
        )
    if second.amount > first.amount or not _CUES["of"].search(cut.tails[0]) or _compared(cut):
        return None
    if part_asked(cut.text) == "rest":
        return StorySum(f"({one} - {other}) / {one} * {times}", unit)
    other_part = _CUES["not_of"].search(asked)
    if not part_asked(cut.text) or (other_part and other_part[0] not in cut.tails[1]):
        return None
    return StorySum(f"{other} / {one} * {times}", unit)


_SORT = r"(?P<{0}>[一-龯々ァ-ヶーぁ-ん]{{1,8}}?)(?:が|は)?(?P<{0}_n>\d{{1,9}})(?P<{0}_in>人|個|本|匹|枚|冊|台|頭|羽)"
_SORTS = regex(
    rf"{_SORT.format('a')}[と、,]{_SORT.format('b')}(?:が|で|です|いて|います|いる|あって|あります|ある)*[、。 ]+"
    r"(?:(?P<asked>[^\d、。]{1,8}?)は(?:全体の|全部の)?何(?P<parts>[%割])"
    r"|(?P<each>[^\d、。]{1,8}?)(?:1|一)[人個本匹枚冊台頭羽](?:あたり|当たり|につき|に対して)、?(?P<of>[^\d、。]{1,8}?)は何(?P<unit>.))"
    r"(?:です|になります|になる|います|いる)?か?[?。 ]*"
)


def japanese_sorts(text: str) -> StorySum | None:
    """「男子18人、女子22人です。女子は何%？」, 「患者50人、看護師10人。看護師1人あたり患者は何人？」."""
    found = _SORTS.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or found["a"] == found["b"] or found["a_in"] != found["b_in"]:
        return None
    figures = {found["a"]: found["a_n"], found["b"]: found["b_n"]}
    if found["each"]:
        known = {found["each"], found["of"]} == set(figures) and found["unit"] == found["a_in"]
        return StorySum(f"{figures[found['of']]} / {figures[found['each']]}", found["unit"]) if known else None
    people = found["a_in"] == "人"
    apart = any(all(map(kind.fullmatch, figures)) for kind in PATTERNS["apart"].values())
    if found["asked"] not in figures or not (apart if people else not any(map(_CUES["kind"].search, figures))):
        return None  # 女子 are some of the 生徒, りんご of the 果物
    times, unit = ("10", "割") if found["parts"] == "割" else ("100", "%")
    return StorySum(f"{figures[found['asked']]} / ({found['a_n']} + {found['b_n']}) * {times}", unit)


def _later_first(cut: Told) -> bool:
    """Whether the later figure is told before the earlier one."""
    first, second = (mention.before for mention in cut.found)
    return bool(_CUES["later"].search(first) or _CUES["earlier"].search(second))


def _compared(cut: Told) -> bool:
    """Whether both figures stand beside one another, none in the other: 去年は100人、今年は80人."""
    return any(_CUES[when].search(mention.before) for when in ("later", "earlier") for mention in cut.found)
