"""Rows of a table by whether something was done, said in a verb: 「まだ納めていない」 of a column 納入済 or 納入日."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.wordings.japanese_pieces import WORDS, okurigana, verb_starts
from agent.text.regex import regex

_END_OF_HEAD = regex(r"(?:の?有無|状況|状態|済み?|年月日|日時?|完了|確認)$")
_IN_BRACKETS = regex(r"[(（].*[)）]$")
# Verbs of one meaning, by their first characters, for heads of the same one: 払った of 納入済.
_ALIKE = ("納払振精", "打接", "送荷", "返戻")
_PAID = regex(r"納|払|振|入金|精算|会費|集金")
_NEUTRAL = "日年月会金費入出品"  # in so many heads that they say nothing of one
_OBJECT = r"(?:(?<![一-龯ァ-ヶー])[一-龯ァ-ヶー]{1,6}(?:を|が|は))?"
_NOT_YET = r"(?:て|で)?(?:い)?(?:ない|ません|なかった)"
_ROWS = r"(?=人|方(?!法)|世帯|家|お?宅|もの|の(?:は|が)?(?:誰|だれ|何|ど)|申請|注文|件|犬|猫|子|会員|行)"
_OKURIGANA = "わっいんめきりけえさせれしみちびげ"
_ASKING = regex(r"誰|だれ|どなた|何|いつ|どの|どれ|どこ|いくら|いくつ")
_DONE_ASKED = r"(?:まし)?(?:[ただ]|て(?:い)?(?:る|ます))(?:の)?(?:か|かな|っけ)?[?？。]*$"
_WHETHER = r"(?:(?:済|す)んで|終わって|完了して|できて|されて|して)(?:い)?(?:ます|る|ました)(?:の)?か?[?？。]*$"
_ASKS_DAY = regex(r"いつ|何日|何月|何曜")


@dataclass(frozen=True, slots=True)
class _State:
    """What a column says of each row: the words for it, and its characters that verbs begin with."""

    column: Column
    stem: str
    kanji: str
    yes: str
    no: str


def yes_no(column: Column, wanted: bool) -> Filter | None:
    """「サウナあり」, where the column says yes and no."""
    if column.kind == "boolean":
        return Filter(column, "true", ("true" if wanted else "false",))
    for yes, no in WORDS["yes_no"]["pairs"]:
        if {text.lower() for text in column.examples} & {yes, no} and column.distinct == len((yes, no)):
            said = yes if wanted else no
            return Filter(column, "=", (next((one for one in column.examples if one.lower() == said), said),))
    none = [one for one in column.known if one in WORDS["yes_no"]["none"]]
    if column.kind == "text" and len(none) == 1 and len(column.known) > 1:
        return Filter(column, "<>" if wanted else "=", (none[0],))  # なし among 週1日 and 週3日
    return None


def states_of(kanji: str, table: Table) -> bool:
    """Whether a column says of each row whether that was done, by the first character of the verb."""
    return any(kanji in one.kanji + _alike(one) for one in _states(table))


def with_states(text: str, table: Table) -> str:
    """``text`` with such a verb as its column and what that says: 「納入済がいいえの」, 「支払日が空欄の」."""
    states = _states(table)
    asks_day = _ASKS_DAY.search(text)
    for state in states:
        name = re.escape(state.column.called)
        text = re.sub(rf"({name})(?:は|が)(?:もう|すでに)?{_WHETHER}", r"\1は?", text)
        if not _ASKING.search(text):
            text = re.sub(
                rf"(?<=[^\d])(?:は|って|が)、?(?:もう|ちゃんと)?{_OBJECT}{_done(state, states)}{_DONE_ASKED}",
                f"の{name}は?",
                text,
            )
        for pattern, said in _forms(state, states):
            if said and not (asks_day and said == state.yes):
                text = pattern.sub(f"{state.column.called}が{said}の", text)
    return re.sub(r"の(?:の|分の|分(?=[はをがで]))", "の", text) if states else text


@lru_cache(maxsize=32)
def _states(table: Table) -> tuple[_State, ...]:
    """Those that say yes and no first."""
    found: list[_State] = []
    for column in table.columns:
        stem = _END_OF_HEAD.sub("", _IN_BRACKETS.sub("", column.called)) or column.called
        kanji = "".join(one for one in verb_starts(stem) if one not in _NEUTRAL)
        if column.kind == "boolean":
            found.append(_State(column, stem, kanji, "はい", "いいえ"))
        elif column.kind == "text" and (no := yes_no(column, False)) and (yes := yes_no(column, True)):
            found.append(_State(column, stem, kanji, yes.values[0] if yes.operator == "=" else "", no.values[0]))
        elif column.kind == "date" and column.nulls:
            found.append(_State(column, stem, kanji, "", "空欄"))
    return tuple(sorted(found, key=lambda one: one.column.kind == "date"))


def _kanji(state: _State, states: Sequence[_State]) -> str:
    """What its verbs begin with: not what those of another column do that says yes and no, or that has days as it."""
    rank = state.column.kind == "date"
    others = "".join(one.kanji for one in states if one is not state and (one.column.kind == "date") <= rank)
    return "".join(one for one in state.kanji + _alike(state) if one not in others) or "〇"


def _done(state: _State, states: Sequence[_State]) -> str:
    """What was done, as a pattern without the end of its verb."""
    kanji = _kanji(state, states)
    stem = okurigana(state.stem)
    over = r"(?:し|され|を?済ませ|[がは]?(?:済|す)ん|[がは]?終わっ|[がは]?でき)"
    return rf"(?:{stem}{over}|(?:{stem}|[{kanji}])[{_OKURIGANA}]{{0,4}}(?:て(?:き|来))?)"


def _forms(state: _State, states: Sequence[_State]) -> Iterator[tuple[re.Pattern[str], str]]:
    """The patterns of its verbs, and what the column says of them."""
    kanji = _kanji(state, states)
    stem, done = re.escape(state.stem), _done(state, states)
    for cut in range(2, len(state.stem) - 1):  # ワクチン未接種
        yield regex(rf"(?:まだ)?{re.escape(state.stem[:cut])}(?:を|が|の)?未{re.escape(state.stem[cut:])}の?"), state.no
    yield regex(rf"(?:まだ)?{_OBJECT}(?:まだ)?未(?:{stem}(?!済)|[{kanji}]{{1,2}}い?)(?:者|分)?の?"), state.no
    yield regex(rf"{_OBJECT}(?:まだ)?{done}{_NOT_YET}"), state.no
    yield (
        regex(rf"(?:{stem}[がはも]?まだ|まだ{stem}|{stem}待ち)(?:の|な(?=の)|です|である)?(?![一-龯]{{2}}{_NOT_YET})"),
        state.no,
    )
    yield regex(rf"{stem}(?:が|は)?済み?(?:の(?=[^は?？])|(?=[がは](?:何|誰|いく)))"), state.yes
    yield regex(rf"{_OBJECT}(?:もう|すでに|既に|ちゃんと)?{done}(?:た|だ|てい?る|でい?る){_ROWS}"), state.yes


def _alike(state: _State) -> str:
    several = [group for group in _ALIKE if any(one in state.stem for one in group)]
    return "".join(several) + ("納払" if _PAID.search(state.stem) and not several else "")
