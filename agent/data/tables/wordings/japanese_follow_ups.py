"""Japanese follow-ups to what was told of a table: other rows, another figure of them, more of the one told."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.japanese_readings import in_english
from agent.data.tables.questions.sentence import narrowed, readings
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.wordings.japanese_asking import read_whole
from agent.data.tables.wordings.japanese_meaning import asked_of
from agent.data.tables.wordings.japanese_pieces import WORDS
from agent.data.tables.wordings.japanese_rows import naming
from agent.text.regex import regex


def japanese_followed(text: str, table: Table, today: date | None) -> Asked | None:
    """``text`` is how the question before was read, a semicolon, and the follow-up."""
    told, _, added = text.rpartition("; ")
    found = readings(told, [table], today) if told and in_english(told, table) else []
    added = _THAT.sub("", added)
    if found and _ASKS_WHO.fullmatch(added) and (of_row := _who(found[0].asked, table)):
        return of_row
    if found and _ASKS_WHICH.fullmatch(added) and found[0].asked.filters and not found[0].asked.groups:
        return Asked(table, "rows", filters=found[0].asked.filters, shown=(naming(table),))
    read = read_whole(added, table, today) if found else None
    if read is None:
        return None
    before, (reading, pieces) = found[0].asked, read
    own = tuple(reading.filters)
    reading.filters = narrowed([*before.filters, *(replace(one, turn=1) for one in own)])
    asks = bool(reading.measure or reading.most or reading.group)
    when = any(piece.meaning == "when" for piece in pieces)
    if own and not (asks or when or reading.columns):
        return replace(before, filters=tuple(reading.filters))
    if reading.measure and reading.measure != "count" and not reading.columns and before.column:
        reading.columns.append(before.column)  # 「平均だと？」
    if asks or own:
        return asked_of(reading, pieces)
    days = table.of_kind("date")
    columns = [*reading.columns, *(days if when and len(days) == 1 else ())]
    if not columns or before.groups or not (before.filters or before.column):
        return None
    rows = before if before.measure == "rows" else Asked(table, "rows", filters=before.filters)
    by = [before.column] if before.measure == "rows" and before.column else []
    return replace(rows, shown=tuple(dict.fromkeys([naming(table), *columns, *by])))


_THAT = regex(r"^(?:それ(?:ら|ぞれ)?|その[一-龯]{1,3}|これ(?:ら)?)(?:は|って|、)?(?=誰|だれ|どなた|どこ|どれ|何)")
_ASKS_WHICH = regex(r"(?:どれ|何|なに|どこ|どの[一-龯ァ-ヶー]{1,4})(?:です|でしょう)?か?[?？。]*")
_ASKS_WHO = regex(
    r"[^、。?？一-龯]{0,2}[一-龯]{0,3}[^、。?？一-龯]{0,6}?は?(?:誰|だれ|どなた)(?:の[一-龯]{1,4})?(?:です|でした)?か?[?？。]*"
)


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
