"""Percentages of Japanese stories: by how many percent something changed, or what share of all it is."""

from __future__ import annotations

import re
from typing import Literal

from agent.text.in_japanese.japanese_parts import PATTERNS, plainer
from agent.text.in_japanese.japanese_story import Told, is_told, told
from agent.text.problems.story_parts import PERCENT
from agent.text.problems.story_totals import StorySum, figure_of

_CUES = PATTERNS["percent"]
_BEHIND = re.compile(r"(?P<told>[^\d、。!！]*)[、。!！](?P<asked>[^\d]+)$")
_OPPOSITES = tuple(PATTERNS["opposites"].values())
_NEGATED = re.compile(r"(?P<stem>[一-龯ァ-ヶー]+|[ぁ-ん]{2})[ぁ-ん]{0,5}?(?:ない|なかっ|ません)")


def part_asked(text: str) -> Literal["told", "rest", ""]:
    """Whether the share that is asked for is that of what was told, or of the rest; "" where it may be of neither."""
    behind = _BEHIND.search(text)
    asked = behind["asked"] if behind else ""
    if behind is None or not _CUES["asked"].search(asked):
        return "told"
    negated = _NEGATED.search(asked), _NEGATED.search(behind["told"])
    if negated[0] and not negated[1]:
        return "rest" if negated[0]["stem"] in behind["told"] else ""
    if negated[1] and not negated[0] and negated[1]["stem"] in asked:
        return "rest"
    for one, other in zip(_OPPOSITES[::2], _OPPOSITES[1::2], strict=True):
        said = [(bool(way.search(behind["told"])), bool(way.search(asked))) for way in (one, other)]
        if said in ([(True, False), (False, True)], [(False, True), (True, False)]):
            return "rest"
    return "told" if is_told(asked.replace("率", ""), text[: behind.start("asked")]) else ""


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


def _later_first(cut: Told) -> bool:
    """Whether the later figure is told before the earlier one."""
    first, second = (mention.before for mention in cut.found)
    return bool(_CUES["later"].search(first) or _CUES["earlier"].search(second))


def _compared(cut: Told) -> bool:
    """Whether both figures stand beside one another, none in the other: 去年は100人、今年は80人."""
    return any(_CUES[when].search(mention.before) for when in ("later", "earlier") for mention in cut.found)
