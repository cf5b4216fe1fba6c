"""The lists of an answer as tables: each item is a row, its name and then its figures in their order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from agent.evidence.drafts import Draft
from agent.evidence.lookup.context import ITEM
from agent.evidence.tables.table_model import Cell, Table
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_NAME = regex(r"[*_`“\"]*((?:[0-9]{1,4}-?(?=[^\W\d_]))?(?:[^\W\d_]|[ '’&./-]|(?<=[^\W\d_])[0-9]+)+)")
_FEWEST, _MOST = 3, 30  # items
_MOST_FIGURES = 4  # of an item


def own_lists(text: str, drafts: Sequence[Draft]) -> Iterator[Table]:
    """Those of three and more items that begin with a name and have figures behind it."""
    figures = {draft.start: draft.figure for draft in drafts}
    starts = [draft.start for draft in drafts]
    rows: list[tuple[Cell, ...]] = []
    for line in [*re.finditer(r"[^\n]+", text), None]:
        row = None if line is None else _row(line, len(rows), drafts, starts)
        if row is not None:
            rows.append(row)
        elif rows:
            if _FEWEST <= len(rows) <= _MOST:
                yield Table(tuple(_in_one_unit(rows, figures)), 0)
                yield from _by_unit(rows, figures)
            rows = []


def _by_unit(rows: Sequence[tuple[Cell, ...]], figures: Mapping[int, Figure | None]) -> Iterator[Table]:
    """The figures of a unit that each row has once, but not all in one place: "415 pieces, 3.5 weeks", "7.5 weeks"."""
    units = [{_unit(figures, row, place): place for place in range(len(row) - 1, 0, -1)} for row in rows]
    for unit in dict.fromkeys(unit for one in units for unit in one if unit not in ("", "–")):
        places = [one.get(unit) for one in units]
        found = [(row[0], row[place]) for row, place in zip(rows, places, strict=True) if place is not None]
        if len(found) >= _FEWEST and len({*places} - {None}) > 1:
            yield Table(tuple((name, cell._replace(column=1)) for name, cell in found), 0)


def _in_one_unit(rows: Sequence[tuple[Cell, ...]], figures: Mapping[int, Figure | None]) -> Iterator[tuple[Cell, ...]]:
    """The rows without the figures that are of another unit than most of their place."""
    units = [[_unit(figures, row, place) for row in rows] for place in range(max(map(len, rows)))]
    most = [Counter(filter(None, one)).most_common(1) for one in units]
    for number, row in enumerate(rows):
        yield tuple(
            cell
            if not cell.column or units[cell.column][number] == most[cell.column][0][0]
            else cell._replace(end=cell.start)
            for cell in row
        )


def _unit(figures: Mapping[int, Figure | None], row: Sequence[Cell], place: int) -> str:
    """The name of the unit of a figure, a dash for none; nothing where there is no figure."""
    figure = figures.get(row[place].start) if 0 < place < len(row) else None
    return "" if figure is None else figure.unit.name if figure.unit is not None else "–"


def _row(line: re.Match[str], number: int, drafts: Sequence[Draft], starts: Sequence[int]) -> tuple[Cell, ...] | None:
    """The name and the first figures of a line that is an item of a list."""
    item = ITEM.match(line[0])
    name = _NAME.match(line[0], item.end()) if item is not None else None
    if name is None or not name[1].strip():
        return None
    first, last = bisect_left(starts, line.start() + name.end()), bisect_left(starts, line.end())
    figures = [one for one in drafts[first:last] if one.kind == "number" and one.figure is not None][:_MOST_FIGURES]
    if not figures:
        return None
    cells = [(line.start() + name.start(1), line.start() + name.end(1), name[1].strip(" -"))]
    cells += [(one.start, one.end, "") for one in figures]
    return tuple(Cell(*cell, number, column) for column, cell in enumerate(cells))
