"""Repairs of a statement that the engine refused: each changes the one place that it complained of, and says so.

Nothing here looks at a statement that runs. Where a place could mean two things, there is no repair: the sentence of
the refusal is better than rows that nobody asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import duckdb

from agent.data.tables.asking.complaints import ONLY_VALUE, SEVERAL, Complaint
from agent.data.tables.asking.engine import fetch_one
from agent.data.tables.asking.statement_tree import Part, parts_of, tables_of
from agent.data.tables.columns import kind_of
from agent.data.tables.identifiers import column_names, literal, quoted, table_name
from agent.interface_text import Text
from agent.text.regex import regex

_ONLY_VALUE = regex(rf"\b{ONLY_VALUE}\(")
_COMPARED = ("left", "right", "lower", "upper")
_LIKE = ("~~", "!~~", "~~*", "!~~*", "like_escape", "ilike_escape", "regexp_matches", "regexp_full_match")
_DAY = regex(r"'\d{4}(-\d{2}(-\d{2}.*)?)?'")
_NUMERIC = ("DOUBLE", "BIGINT", "INTEGER", "DECIMAL")
_ALIKE = 0.8  # from there on a name that is no column is a misspelt one, not a text
_MOST_LOST = 0.1  # of the values of a column that is read as numbers

Types = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Repair:
    sql: str
    note: Text


@dataclass(frozen=True)
class Refusal:
    """A statement, and what the engine says of it. ``types`` are those of the columns of each table."""

    connection: duckdb.DuckDBPyConnection
    types: Types
    sql: str
    complaint: Complaint

    @cached_property
    def parts(self) -> list[Part]:
        return parts_of(self.connection, self.sql)

    def text(self, start: int, end: int) -> str:
        return self.sql.encode()[start:end].decode("utf-8", "replace")

    def with_text(self, start: int, end: int, text: str) -> str:
        whole = self.sql.encode()
        return (whole[:start] + text.encode() + whole[end:]).decode("utf-8", "replace")

    def used(self, parts: Iterable[Part]) -> Types:
        """The columns of the tables that the statement names; of all, where it names none that is known."""
        named = set(tables_of([*parts]).values())
        return {name: columns for name, columns in self.types.items() if name.lower() in named} or self.types


def repaired(refusal: Refusal) -> Repair | None:
    """The statement with the place of the complaint repaired; ``None`` where no repair is sure enough."""
    said = refusal.complaint
    if SEVERAL in said.message:
        return _of_the_same_row(refusal)
    match said.kind, said.cause:
        case "Parser", _:
            return _reserved(refusal)
        case "Binder", "COLUMN_NOT_FOUND":
            return _renamed(refusal) or _text(refusal)
        case "Catalog", "MISSING_ENTRY":
            return _other_table(refusal)
        case "Binder", "NO_MATCHING_FUNCTION":
            return _argument_cast(refusal)
        case "Binder", _ if "must appear in the GROUP BY clause" in said.message:
            return _grouped(refusal)
        case "Binder", _ if said.message.startswith(("Cannot compare values", "Cannot mix values")):
            return _compared_cast(refusal)
        case "Conversion", _:
            return _converted(refusal)
        case _:
            return None


def _reserved(refusal: Refusal) -> Repair | None:
    """A word of SQL where the name of a table or column is meant: the loader's name for it, or the word in quotes."""
    said = refusal.complaint
    words = [(word.start(), word.end()) for word in re.finditer(rb"[A-Za-z_]\w*", refusal.sql.encode())]
    near = [place for place in words if place[0] <= said.start < place[1]]
    near += [place for place in words if place[1] <= said.start][-1:]
    names = [*refusal.types, *(column for columns in refusal.types.values() for column in columns)]
    for start, end in near:
        if meant := _loaded_as(refusal.text(start, end), names):
            given = refusal.text(start, end)
            note = Text("Read ‘{given}’, a word of SQL, as the name ‘{meant}’.", given=given, meant=meant)
            return Repair(refusal.with_text(start, end, quoted(meant)), note)
    return None


def _loaded_as(given: str, names: Iterable[str]) -> str:
    """Which of ``names`` a header or a table has that was called ``given`` in its file; "" for none."""
    by_case = {name.lower(): name for name in names}
    wanted = (given.lower(), column_names([given])[0].lower(), table_name(given).lower())
    return next((by_case[name] for name in wanted if name in by_case), "")


def _renamed(refusal: Refusal) -> Repair | None:
    """A column by the header that it had in its file: ``"Net Worth"`` for ``net_worth``."""
    part = _reference(refusal)
    if part is None:
        return None
    columns = [column for columns in refusal.used(refusal.parts).values() for column in columns]
    meant = _loaded_as(part.names[-1], columns)
    if not meant or meant.lower() == part.names[-1].lower():
        return None
    table = f"{quoted(part.names[-2])}." if len(part.names) > 1 else ""
    note = Text("Read the column ‘{given}’ as ‘{meant}’.", given=part.names[-1], meant=meant)
    return Repair(refusal.with_text(part.start, part.end, table + quoted(meant)), note)


def _other_table(refusal: Refusal) -> Repair | None:
    said = refusal.complaint
    meant = _loaded_as(said.name, refusal.types) if said.end and refusal.text(said.start, said.end) else ""
    part = next((part for part in refusal.parts if part.kind == "BASE_TABLE" and part.start == said.start), None)
    if part is None or not meant or meant.lower() == said.name.lower():
        return None
    written = refusal.text(said.start, said.end)
    alias = "" if part.node.get("alias") else f" AS {quoted(said.name)}"
    if said.name.lower() not in written.lower():
        return None
    note = Text("Read the table ‘{given}’ as ‘{meant}’.", given=said.name, meant=meant)
    start = said.start + written.lower().index(said.name.lower()) - written.startswith('"')
    end = start + len(said.name.encode()) + 2 * written.startswith('"')
    return Repair(refusal.with_text(start, end, quoted(meant) + alias), note)


def _reference(refusal: Refusal) -> Part | None:
    """The column that the complaint is about."""
    start = refusal.complaint.start
    found = (part for part in refusal.parts if part.kind == "COLUMN_REF" and part.start == start and part.end > start)
    return next(found, None)


def _text(refusal: Refusal) -> Repair | None:
    """A text in double quotes where a value belongs and no table has such a column."""
    part = _reference(refusal)
    if part is None or len(part.names) != 1 or not refusal.text(part.start, part.end).startswith('"'):
        return None
    name = part.names[0]
    there = {column.lower() for columns in refusal.types.values() for column in columns}
    there |= {str(other.node.get("alias", "")).lower() for other in refusal.parts} - {""}
    if name.lower() in there or not _is_value(part, name):
        return None
    if get_close_matches(name.lower()[:80], there, 1, _ALIKE):
        return None
    note = Text("Read “{name}” in double quotes as a text: there is no such column.", name=name)
    return Repair(refusal.with_text(part.start, part.end, literal(name)), note)


def _is_value(part: Part, name: str) -> bool:
    """Whether it stands where a value does, beside something that is none; a text without a word is always one."""
    if not re.search(r"\w", name) or "%" in name:
        return True
    above = part.parent
    if above is None:
        return False
    if above.function in _LIKE or above.kind in ("COMPARE_IN", "COMPARE_NOT_IN", "OPERATOR_COALESCE"):
        return part.index > 0
    if above.kind == "CASE_EXPR":
        return part.role in ("case_checks", "else_expr")
    if above.kind.startswith("COMPARE_") and part.role in _COMPARED:
        others = (above.node.get(role) for role in (*_COMPARED, "input") if role != part.role)
        return any(other and other.get("class") != "CONSTANT" for other in others)
    if above.function == "||":
        return True
    return above.kind == "FUNCTION" and not above.aggregates and part.index > 0


def _grouped(refusal: Refusal) -> Repair | None:
    """A column beside aggregates: its value, where it has only one in each group."""
    part = _reference(refusal)
    if part is None:
        return None
    note = Text("Took the one value of ‘{column}’ in each group.", column=part.names[-1])
    return _around(refusal, part, f"{ONLY_VALUE}(", ")", note)


def _around(refusal: Refusal, part: Part, before: str, behind: str, note: Text) -> Repair:
    """The column between these two; what is selected keeps its name."""
    alias = f" AS {quoted(part.names[-1])}" if part.role == "select_list" and not part.node.get("alias") else ""
    written = refusal.text(part.start, part.end)
    return Repair(refusal.with_text(part.start, part.end, f"{before}{written}{behind}{alias}"), note)


def _of_the_same_row(refusal: Refusal) -> Repair | None:
    """Beside a single ``max`` or ``min``, the value that the column has in the row where that was found."""
    parts = refusal.parts
    several = [part for part in parts if part.function == ONLY_VALUE]
    for part in several:
        others = [
            other
            for other in parts
            if other.aggregates and other.select is part.select and other.function != ONLY_VALUE
        ]
        extreme = {refusal.text(other.start, other.end).lower(): other for other in others}
        only = next(iter(extreme.values())) if len(extreme) == 1 else None
        if only is None or only.function not in ("max", "min"):
            continue
        column = next(below for below in parts if below.parent is part and below.kind == "COLUMN_REF")
        value = next((below for below in parts if below.parent is only and below.role == "arguments"), None)
        if value is None or value.end <= value.start:
            continue
        given = refusal.text(column.start, column.end)
        made = f"arg_{only.function}({given}, {refusal.text(value.start, value.end)})"
        note = Text(
            "Took ‘{column}’ from the row with the {function} of each group.", column=given, function=only.function
        )
        return Repair(refusal.with_text(part.start, part.end, made), note)
    return None


def shown(sql: str) -> str:
    """A repaired statement as anybody's DuckDB runs it."""
    return _ONLY_VALUE.sub("any_value(", sql)


def _argument_cast(refusal: Refusal) -> Repair | None:
    """Arguments of a function as what it takes: texts as numbers or dates, anything as text."""
    said = refusal.complaint
    found = [part for part in refusal.parts if part.function and part.start <= said.start and part.end >= said.end > 0]
    call = found[-1] if found else None
    if call is None:
        return None
    arguments = [part for part in refusal.parts if part.parent is call and part.role == "arguments"]
    if any(f" {kind}" in said.candidates for kind in _NUMERIC) and "string VARCHAR" not in said.candidates:
        return _as_numbers(refusal, arguments)
    if "DATE" in said.candidates or "TIMESTAMP" in said.candidates:
        return None
    for part in arguments:
        if part.kind == "COLUMN_REF" and (kind := _type(refusal, part)) and kind_of(kind) not in ("text", "other"):
            return _as_text(refusal, part)
    return None


def _type(refusal: Refusal, part: Part) -> str:
    """The type of a column of a loaded table; "" where it is another's, or tables differ in it."""
    named = tables_of(refusal.parts)
    tables = {named.get(part.names[-2].lower(), "")} if len(part.names) > 1 else set(named.values())
    kinds = {
        kind
        for table, columns in refusal.types.items()
        if table.lower() in tables
        for column, kind in columns.items()
        if column.lower() == part.names[-1].lower()
    }
    return kinds.pop() if len(kinds) == 1 else ""


def _as_text(refusal: Refusal, part: Part) -> Repair:
    note = Text("Read ‘{column}’ as text here.", column=part.names[-1])
    return _around(refusal, part, "CAST(", " AS VARCHAR)", note)


def _as_numbers(refusal: Refusal, parts: Iterable[Part], equal: bool = False) -> Repair | None:
    """The first of ``parts`` that is a column of texts, as numbers, where nearly all its values are some.

    For ``equal`` values that are none do no harm: they equal no number.
    """
    for part in parts:
        if part.kind != "COLUMN_REF" or kind_of(_type(refusal, part) or "VARCHAR") != "text":
            continue
        filled, lost = _lost(refusal, part)
        if lost > _MOST_LOST * filled and not (equal and lost < filled):
            continue
        note = Text("Read the texts of ‘{column}’ as numbers.", column=part.names[-1])
        if lost:
            note = Text(
                "Read the texts of ‘{column}’ as numbers; {lost:,} of {filled:,} are none and were left out.",
                column=part.names[-1],
                lost=lost,
                filled=filled,
            )
        return _around(refusal, part, "TRY_CAST(", " AS DOUBLE)", note)
    return None


def _lost(refusal: Refusal, part: Part) -> tuple[int, int]:
    """How many values the column has, and how many of them are no numbers, in the tables that may be meant."""
    column = part.names[-1]
    filled = lost = 0
    for table, columns in refusal.used(refusal.parts).items():
        name = next((name for name in columns if name.lower() == column.lower()), "")
        if name and kind_of(columns[name]) == "text":
            row = fetch_one(
                refusal.connection,
                f"SELECT count({quoted(name)}), count({quoted(name)}) - count(TRY_CAST({quoted(name)} AS DOUBLE)) "
                f"FROM {quoted(table)}",
            )
            filled, lost = filled + int(row[0]), lost + int(row[1])
    return (filled, lost) if filled else (1, 1)


def _compared_cast(refusal: Refusal) -> Repair | None:
    """Texts that are compared with numbers, as numbers."""
    said = refusal.complaint
    if "VARCHAR" not in said.message:
        return None
    parts = refusal.parts
    inside = [part for part in parts if said.start <= part.start and part.end <= said.end and part.kind == "COLUMN_REF"]
    plain = [part for part in inside if all(above.aggregates for above in part.above() if _within(above, said))]
    equal = any(
        part.kind in ("COMPARE_EQUAL", "COMPARE_IN", "COMPARE_NOTEQUAL") for part in parts if _about(part, said)
    )
    return _as_numbers(refusal, plain, equal)


def _within(part: Part, said: Complaint) -> bool:
    return part.kind == "FUNCTION" and said.start <= part.start and part.end <= said.end


def _about(part: Part, said: Complaint) -> bool:
    return part.start == said.start and part.end == said.end


def _converted(refusal: Refusal) -> Repair | None:
    """A value that is not of the type it is compared as: the texts of a column, or a written day against dates."""
    said = refusal.complaint
    parts = refusal.parts
    part = next((part for part in parts if part.start == said.start and part.end == said.end > 0), None)
    if part is None or part.parent is None:
        return None
    above = part.parent
    if part.kind == "COLUMN_REF":
        return _as_numbers(refusal, [part], above.kind in ("COMPARE_EQUAL", "COMPARE_IN", "COMPARE_NOTEQUAL"))
    beside = [
        other
        for other in parts
        if other.parent is above and other.kind == "COLUMN_REF" and "CAST" not in refusal.text(other.start, other.end)
    ]
    dated = [other for other in beside if kind_of(_type(refusal, other)) in ("date", "timestamp")]
    if part.kind == "VALUE_CONSTANT" and dated and _DAY.fullmatch(refusal.text(part.start, part.end)):
        return _as_text(refusal, dated[0])
    return None
