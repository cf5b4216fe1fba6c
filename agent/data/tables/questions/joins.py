"""Two tables as one, by a column that both have: each row of one table with its row of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from agent.data.tables.questions.sql import quoted
from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import NAMING, Asked, Column, Table, id_like
from agent.text.regex import regex

_MOST_TABLES = 12
_USING = regex(
    r",?\s+(?:(?:joined|matched|linked) (?:by|on)|using) [“\"]?([\w ]{1,60}?)[”\"]?\s*([?.!]*)$"
    r"|[、,]\s*[「“\"]?([^「」“”\"、,]{1,60}?)[」”\"]?で結合([？。?.]*)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Joined:
    """``table`` has each row of ``many`` with the row of ``one`` that has the same ``key``, whose rows have one each.

    ``sure``: the columns of the key are named after what they number, and not just "id".
    """

    table: Table
    many: Table
    one: Table
    key: str
    sure: bool

    def uses_both(self, asked: Asked, says_many: bool = False) -> bool:
        """Whether a question needs both tables; ``says_many``: it names the one whose rows may be counted."""
        columns = {asked.column, *asked.shown, *(group.column for group in asked.groups)}
        used = {column.name for column in (*columns, *(one.column for one in asked.filters)) if column}
        own = [{column.name for column in table.columns} - {self.key} for table in (self.many, self.one)]
        counted = says_many and asked.column is None and asked.measure == "count"
        return (counted or bool(used & own[0] - own[1])) and bool(used & own[1] - own[0])

    def measures_many(self, asked: Asked) -> bool:
        """Whether what is measured is counted once for each of its rows."""
        return asked.column is None or asked.column in self.many.columns


def without_key(text: str) -> tuple[str, str]:
    """A question without "using customer_id" at its end, and the column named so, or ""."""
    found = _USING.search(text)
    if found is None:
        return text, ""
    return text[: found.start()] + (found[2] or found[4] or ""), (found[1] or found[3]).strip()


def joins(tables: Sequence[Table]) -> list[Joined]:
    """All ways to put two of the tables together."""
    found: list[Joined] = []
    pairs = {(many.name, one.name): list(_keys(many, one)) for many, one in permutations(tables[:_MOST_TABLES], 2)}
    for many, one in permutations(tables[:_MOST_TABLES], 2):
        keys = pairs[many.name, one.name]
        # Where one of the two leads to the other, as customer_id does, the "id" of each numbers its own rows.
        leads = any(sure for way in ((many.name, one.name), (one.name, many.name)) for *_, sure in pairs[way])
        keys = [key for key in keys if key[2] or not leads]
        several = len({key.name for key, _, _ in keys}) > 1 or not all(sure for _, _, sure in keys)
        found += [_joined(many, one, *key, named=several) for key in keys]
    return found


def _keys(many: Table, one: Table) -> Iterator[tuple[Column, Column, bool]]:
    """The columns that each row of ``many`` may find its one row of ``one`` by, and whether they are sure."""
    if declared := [*declared_keys(many, one)]:
        yield from ((column, other, True) for column, other in declared)
        return
    for column in many.columns:
        for other in one.columns:
            unique = one.rows > 0 and other.distinct == one.rows and not other.nulls
            if not unique or column.kind != other.kind or column.kind not in ("text", "number"):
                continue
            said, names = _names(column), _names(other)
            bare = all(set(each) <= NAMING for each in names)
            if said & names and (column.kind == "text" or id_like(column)):
                yield column, other, not bare
            elif bare and said & {(*words(one.name), *each) for each in names}:
                yield column, other, True


def declared_keys(many: Table, one: Table) -> Iterator[tuple[Column, Column]]:
    """Columns of ``many`` with those of ``one`` that the file says they lead to."""
    for column in many.columns:
        for other in one.columns:
            if column.leads_to == f"{one.name}.{other.name}":
                yield column, other


def _names(column: Column) -> set[tuple[str, ...]]:
    return {found for name in (column.name, column.label) if (found := words(name))}


def _joined(many: Table, one: Table, key: Column, other: Column, sure: bool, named: bool) -> Joined:
    left, right = quoted(many.name), quoted(one.name)
    source = f"{left} LEFT JOIN {right} ON {left}.{quoted(key.name)} = {right}.{quoted(other.name)}"
    names = [column.name.lower() for column in (*many.columns, *one.columns)]
    columns = [column for column in (*many.columns, *one.columns) if names.count(column.name.lower()) == 1]
    name = f"{many.name} + {one.name}" + (f" using {key.name}" if named else "")
    return Joined(Table(name, many.source, many.rows, tuple(columns), source), many, one, key.name, sure)
