"""Where in a table the words of a question stand, asked by SQL; and the rows that have them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.mentioned.mentioned_words import Mention
from agent.data.tables.questions.observed import seen
from agent.data.tables.questions.table_schema import Column, Table

_MOST_COLUMNS = 30
_MOST_CELLS = 300_000
_MOST_PLACES = 100


@dataclass(frozen=True, slots=True)
class Place:
    """``column`` has the mention in so many ``rows``, in ``whole`` of them as all that stands in the cell."""

    mention: Mention
    column: Column
    rows: int
    whole: int


def searched(table: Table) -> tuple[Column, ...]:
    """The columns that are looked through; none of too large a table."""
    columns = tuple(column for column in table.columns if column.kind != "other")[:_MOST_COLUMNS]
    return columns if table.rows * len(columns) <= _MOST_CELLS else ()


def places_asked(table: Table, several: Sequence[Mention]) -> str:
    """SQL that says how often each mention stands in each column, as words of a cell and as all of it."""
    named = list(dict.fromkeys((one.plain, "part" if one.named else "whole") for one in several))
    said = ", ".join(f"({literal(plain)}, {literal(kind)})" for plain, kind in named)
    cells = " UNION ALL ".join(
        f"SELECT {place} AS place, {_plain(column)} AS cell, count(*) AS row_count "
        f"FROM {table.rows_sql} WHERE {quoted(column.name)} IS NOT NULL GROUP BY ALL"
        for place, column in enumerate(searched(table))
    )
    return (
        f"SELECT place, sum(row_count) AS row_count, sum(CASE WHEN cell = said THEN row_count ELSE 0 END) AS whole, "
        f"said FROM ({cells}) AS cells JOIN (VALUES {said}) AS words(said, kind) "
        f"ON cell = said OR (kind = 'part' AND contains(' ' || cell || ' ', ' ' || said || ' ')) "
        f"GROUP BY ALL ORDER BY length(said) DESC, whole DESC, place LIMIT {_MOST_PLACES}"
    )


def _plain(column: Column) -> str:
    """The words of a cell as ``plainly`` has those of a question."""
    text = f"lower(strip_accents(CAST({quoted(column.name)} AS VARCHAR)))"
    words = f"' ' || trim(regexp_replace({text}, '[^\\p{{L}}\\p{{N}}]+', ' ', 'g')) || ' '"
    return f"trim(replace(replace({words}, 's ', ' '), '  ', ' '))"


def places(observation: str, table: Table, several: Sequence[Mention]) -> list[Place]:
    """What ``places_asked`` found."""
    result = seen(observation, 4)
    columns = searched(table)
    found: list[Place] = []
    for row in result.rows if result else ():
        if not all(cell.isdigit() for cell in row[:3]) or int(row[0]) >= len(columns):
            continue
        column = columns[int(row[0])]
        found += [
            Place(one, column, int(row[1]), int(row[2]))
            for one in several
            if one.plain == row[3] and _fits(one, column)
        ]
    return found


def _fits(mention: Mention, column: Column) -> bool:
    """Whether it can be meant there: the 12 of a date is no 12 of anything else."""
    return column.kind != "date" or not mention.plain.isdigit() or len(mention.plain) == 4
