"""What a Japanese question may name of the cells of a table, and whether it asks for more than their rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from agent.data.tables.mentioned.mention_search import Place
from agent.data.tables.mentioned.mentioned_words import WORDS as MENTIONED
from agent.data.tables.mentioned.mentioned_words import Mention, plainly
from agent.data.tables.questions.table_schema import Column, Filter, Table, is_money
from agent.data.tables.selected.selection import Condition, Selection, Worded
from agent.data.tables.wordings.japanese_pieces import WORDS
from agent.data.tables.wordings.japanese_rows import naming
from agent.text.regex import regex

_WORDS = MENTIONED["japanese"]
PEOPLE = WORDS["people"]
_LONGEST_TEXT = 100  # characters
_LONGEST, _SHORTEST = 16, 2
_MOST = 150
_TURNED = regex("|".join(_WORDS["turned"]))
_RUN = regex(r"[一-龯々〆]+|[ァ-ヶー]+|[A-Za-z]+|\d+(?:\.\d+)?|[ぁ-ん]+|.")
_NOUN = regex(r"(?:[一-龯々〆ァ-ヶー]|[A-Za-z])(?:[一-龯々〆ァ-ヶー・]|[A-Za-z0-9])*")
_SUFFIX = regex(rf"(?:{'|'.join(_WORDS['suffixes'])})(?![一-龯])")
_ASKS = (
    r"(?:誰|だれ|どなた|いつ|どこ|いくら|何|なに|なん|どう|どの|どれ|どんな|教え|おしえ|知り"
    r"|わかり|分かり|わかる|ある|あり|[?？。]|$)"
)
_HEAD = regex(
    rf"(?P<noun>(?:[一-龯][べりみきいけせげちえ](?=[一-龯]))?(?!誰|何)[一-龯々〆ァ-ヶーA-Za-z]+)(?:(?:って|は|を|が)(?:、)?{_ASKS}|(?=なんて|何て|教え|おしえ|[?？。]|$))"
)
_TITLE = regex(r"さん|様|氏|くん|君|ちゃん|先生")
_WHICH = regex(r"(?:どの(?!くらい|ぐらい)|どんな|何)(?P<noun>[一-龯々〆ァ-ヶー]+)")
_WHETHER = regex(r"(?:です|ます|でした|ました|ません)か[?？。]*$|(?:かな|よね|のか)[?？。]*$")
_ASKING = regex(r"誰|だれ|どなた|いつ|どこ|何|なに|なん|いくら|どう|どの|どれ|どんな|教え|おしえ")
_WHO = regex(r"誰|だれ|どなた")
_DOES = regex(r"[一-龯]{2,}(?=し[たてま]|す|さ[れせ])")
_WHEN = regex(r"いつ(?:、|に|から)?(?P<verb>[一-龯])")
_NUMBER = regex(r"\d+(?:\.\d+)?")
_OF_TIME = regex(r"年|月|日|時|シーズン|date|year|time", 0)


def japanese_wants_more(text: str) -> bool:
    """Whether no row alone gives what is asked: sums, comparisons, what is most, what is not."""
    whether = _WHETHER.search(text) and not _ASKING.search(text)
    return len(text) > _LONGEST_TEXT or ";" in text or bool(whether or _TURNED.search(text))


def japanese_mentions(text: str) -> list[Mention]:
    """The parts of ``text`` that a cell may be, the longest first; places are characters."""
    bounds = [found.start() for found in _RUN.finditer(text)]
    found: dict[tuple[int, int], Mention] = {}
    for first in bounds:
        for end in _ends(text, first, bounds):
            said = text[first:end]
            if _may_be_cell(said):
                found[first, end] = Mention(said, plainly(said), first, end, True)
    several = sorted(found.values(), key=lambda one: (one.first - one.end, one.first))
    return list(islice((one for one in several if one.plain), _MOST))


def _ends(text: str, first: int, bounds: Sequence[int]) -> Iterator[int]:
    for end in (*bounds, len(text)):
        if first < end <= first + _LONGEST:
            yield end
    for suffix in _SUFFIX.finditer(text, first + 1, first + _LONGEST):
        yield suffix.start()  # 桜台 of 桜台駅


def _may_be_cell(said: str) -> bool:
    if said.isdigit():
        return len(said) > 1
    names = _NOUN.search(said) is not None or len(said) > _SHORTEST
    return len(said) >= _SHORTEST and names and said not in _WORDS["idle"] and not _WORDS_MARKS.search(said)


_WORDS_MARKS = regex(r"[、。？?！!「」『』\s]")


def japanese_lacks(text: str, table: Table, places: Sequence[Place]) -> bool:
    """Whether a figure or a noun of the question is of nothing that the table has: 「白鳥崎灯台の電話番号は？」."""
    spans = [(one.mention.first, one.mention.end) for one in places]
    for number in _NUMBER.finditer(text):
        if not any(first <= number.start() and number.end() <= end for first, end in spans):
            return True
    for one in places:
        of_people = re.search(PEOPLE["called"], one.column.called, re.I) or (
            one.column is naming(table) and re.search(PEOPLE["names"], one.column.called, re.I)
        )
        if _TITLE.match(text, one.mention.end) and not of_people:
            return True  # 「大阪さん」 is nobody from there
    heads = [text_of for column in table.columns for text_of in (column.called, column.name)]
    known = [*heads, table.name, table.caption]
    for asked in (*_HEAD.finditer(text), *_WHICH.finditer(text)):
        noun = asked["noun"]
        met = any(first < asked.end("noun") and asked.start("noun") < end for first, end in spans)
        if not (met or _is_known(noun, known, table) or _is_known(re.sub("[ぁ-ん]", "", noun), known, table)):
            return True  # 「好きな食べ物は？」
    for noun in _NOUN.finditer(text):
        behind = text[noun.end() : noun.end() + 1]
        met = any(first < noun.end() and noun.start() < end for first, end in spans)
        if (
            len(noun[0]) >= _SHORTEST
            and behind
            and behind in "のでがと"
            and not met
            and not _is_known(noun[0], known, table)
        ):
            return True
    return _asks_in_vain(text, table)


def _is_known(noun: str, known: Sequence[str], table: Table) -> bool:
    """Whether it is a part of what a column or the table is called, or another name of it."""
    bare = noun.removesuffix("名")
    others = [word for several in _WORDS["alike"] if noun in several for word in several]
    if noun in _WORDS["of_any_row"]:
        return True
    named = any(one and (bare in one or (len(one) >= _SHORTEST and one in bare)) for one in known)
    cells = any(bare in value for column in table.columns for value in column.known)
    return named or cells or any(word in one for word in others for one in known)


def _asks_in_vain(text: str, table: Table) -> bool:
    """Whether a price or a day is asked for, and no column has any."""
    if "いくら" in text and not any(is_money(one) or "円" in one.called for one in table.columns):
        return True
    days = [one.called for one in table.columns if one.kind == "date" or _OF_TIME.search(one.called)]
    done, does = _WHEN.search(text), _DOES.search(text) if _WHO.search(text) else None
    if does and not _is_known(does[0], [text_of for one in table.columns for text_of in (one.called, one.name)], table):
        return True  # 「函館で伴奏したのは誰？」
    return ("いつ" in text and not days) or bool(done and not any(done["verb"] in called for called in days))


def conditions_in_japanese(made: Selection) -> str:
    """「作品」が「灰の皿」、「年」が2016."""
    return "、".join(filter(None, map(_condition, made.conditions)))


def _condition(one: Condition) -> str:
    match one:
        case Filter(column=Column()):
            text = one.column and one.column.kind == "text"
            told = "か".join(
                f"「{value}」" if text else f"{value}年" if one.operator == "year" else value for value in one.values
            )
            return f"「{one.column.called if one.column else ''}」が{told}"
        case Worded():
            return f"「{one.column.called}」に{'か'.join(f'「{text}」' for text in one.texts)}"
        case _:
            return ""
