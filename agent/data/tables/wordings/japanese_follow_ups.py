"""Japanese follow-ups to what was told of a table: other rows, another figure of them, more of the one told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.japanese_readings import in_english
from agent.data.tables.questions.sentence import narrowed, readings
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.wordings.japanese_asking import read_whole
from agent.data.tables.wordings.japanese_meaning import MEASURES, Reading, asked_of
from agent.data.tables.wordings.japanese_pieces import WORDS, Piece
from agent.data.tables.wordings.japanese_rows import naming
from agent.text.regex import regex


def japanese_followed(text: str, table: Table, today: date | None) -> Asked | None:
    """``text`` is how the question before was read, a semicolon, and the follow-up."""
    told, _, added = text.rpartition("; ")
    found = readings(told, [table], today) if told and in_english(told, table) else []
    if not found:
        return None
    before, added = found[0].asked, _THAT.sub("", _LEAD.sub("", added))
    if simple := _simply(added, before, table):
        return simple
    read = read_whole(added, table, today)
    return _of_both(before, *read, table) if read else None


def _simply(added: str, before: Asked, table: Table) -> Asked | None:
    """「誰？」, 「どれ？」 or 「5は？」 alone."""
    if _ASKS_WHO.fullmatch(added) and (of_row := _who(before, table)):
        return of_row
    if _ASKS_WHICH.fullmatch(added) and before.filters and not before.groups:
        return Asked(table, "rows", filters=before.filters, shown=(naming(table),))
    return _other_figure(added, before)


def _of_both(before: Asked, reading: Reading, pieces: Sequence[Piece], table: Table) -> Asked | None:
    """What the parts of a follow-up make of the question before."""
    own = tuple(reading.filters)
    reading.filters = narrowed([*before.filters, *(replace(one, turn=1) for one in own)])
    asks = bool(reading.measure or reading.most or reading.group)
    when = any(piece.meaning == "when" for piece in pieces)
    if own and not (asks or when or reading.columns):
        return replace(before, filters=tuple(reading.filters))
    if reading.most and before.groups and not (own or reading.columns):
        return _group_of_most(before, reading.most)
    _lean_on_figure(reading, before)
    if asks or own:
        return asked_of(reading, pieces)
    days = table.of_kind("date")
    columns = [*reading.columns, *(days if when and len(days) == 1 else ())]
    if not columns or before.groups or not (before.filters or before.column):
        return None
    if before.measure in MEASURES and [one.kind for one in columns] == ["number"]:
        return replace(before, column=columns[0])  # 「宿泊費は？」 after the sum of 交通費
    rows = before if before.measure == "rows" else Asked(table, "rows", filters=before.filters)
    by = [before.column] if before.measure == "rows" and before.column else []
    return replace(rows, shown=tuple(dict.fromkeys([naming(table), *columns, *by])))


_LEAD = regex(
    r"^(?:(?:じゃあ?|では|それでは|それじゃあ?|なら|逆に|反対に|ちなみに|あと|ついでに|(?:その|この)(?:中|うち|なか)(?:で|から)?|そのうち)"
    r"(?:は)?[、 ]*)+(?=.)"
)
_FIGURE = regex(r"(?P<n>\d+(?:\.\d+)?)(?:[一-龯]{1,2}|つ)?(?:は|なら|だと|だったら|の場合は?)[?？。]*")
_THAT = regex(r"^(?:それ(?:ら|ぞれ)?|その[一-龯]{1,3}|これ(?:ら)?)(?:は|って|、)?(?=誰|だれ|どなた|どこ|どれ|何)")
_ASKS_WHICH = regex(r"(?:どれ|何|なに|どこ|どの[一-龯ァ-ヶー]{1,4})(?:です|でしょう)?か?[?？。]*")
_ASKS_WHO = regex(
    r"[^、。?？一-龯]{0,2}[一-龯]{0,3}[^、。?？一-龯]{0,6}?は?(?:誰|だれ|どなた)(?:の[一-龯]{1,4})?(?:です|でした)?か?[?？。]*"
)


def _lean_on_figure(reading: Reading, before: Asked) -> None:
    """「平均だと？」, 「逆に一番高いのは？」: of the figure that was asked for before."""
    of_figure = before.column is not None and before.column.kind == "number"
    wants = reading.measure not in (None, "count") or (bool(reading.most) and of_figure)
    if wants and not reading.columns and before.column:
        reading.columns.append(before.column)


def _other_figure(added: str, before: Asked) -> Asked | None:
    """「5は？」 after 「評価が4の本はどれ？」: the one figure that rows were picked by."""
    said = _FIGURE.fullmatch(added)
    figures = [one for one in before.filters if one.column and one.column.kind == "number"]
    if said is None or len(figures) != 1 or len(figures[0].values) != 1:
        return None
    other = replace(figures[0], values=(said["n"],))
    return replace(before, filters=tuple(other if one is figures[0] else one for one in before.filters))


def _group_of_most(before: Asked, most: str) -> Asked | None:
    way = WORDS["most"][most][0]
    return replace(before, order=way, limit=1) if way else None


def _who(before: Asked, table: Table) -> Asked | None:
    """「借りているのは誰？」 of the one row that was told, where one column names people."""
    people = [one for one in table.of_kind("text") if re.search(WORDS["people"]["counted"], one.called)]
    single = before.measure == "rows" and not before.groups and (before.limit == 1 or len(before.filters) == 1)
    others = [one for one in people if one is not naming(table)]
    if before.measure == "count" and before.filters and not before.groups and len(others) <= 1:
        return Asked(table, "rows", filters=before.filters, shown=tuple(dict.fromkeys([naming(table), *others])))
    if not single or len(others) != 1:
        return None
    by = [before.column] if before.column else []
    return replace(before, shown=tuple(dict.fromkeys([naming(table), others[0], *by])))
