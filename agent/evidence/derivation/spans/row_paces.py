"""What a way takes for each kilometre or mile, "4:54 per km" of 8.4 km in 41:10, and times of a column added up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.drafts import Draft
from agent.evidence.lookup.days import PACE
from agent.evidence.lookup.standing import Standings
from agent.evidence.pages import Page
from agent.evidence.sources import Finding, Spotted
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.interface_text import Text
from agent.text.quantities.compounds import length_of
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.units import SPELLINGS, Unit

_KM, _MILE = SPELLINGS["km"], SPELLINGS["miles"]
_FEWEST = 2  # times that are added up
_MOST_TOLD = 4  # of them
_HALF = 0.5  # seconds


class _Step(NamedTuple):
    seconds: float
    steps: str
    spots: tuple[Spotted, ...]


def paces(drafts: Sequence[Draft], numbers: Sequence[int], standings: Standings) -> Iterator[tuple[int, Finding]]:
    """``worked_out`` for those of some times of an answer (``numbers``: their places in ``drafts``)."""
    sums = cache(lambda: tuple(_sums(standings)))
    for number in numbers:
        day = drafts[number].thing
        if not isinstance(day, Day) or day.length is None:
            continue
        said = PACE.match(standings.answer.lower, day.end)
        steps = sums() if said is None else _rates(day, _MILE if said[1][:2] == "mi" else _KM, standings)
        found = next((one for one in steps if abs(one.seconds - day.length) <= _HALF), None)
        if found is not None:
            note = Text("{steps} = {outcome}", steps=found.steps, outcome=standings.answer.text[day.start : day.end])
            yield number, Finding("worked_out", found.spots, note)


def _rates(day: Day, unit: Unit, standings: Standings) -> Iterator[_Step]:
    """What each time of the rows that the sentence names is for each unit of a way in the same row."""
    words = standings.words(day.start, day.end)
    named = (one for said in (words.near, words.around) for one in tables_named(standings.sources, said))
    for number, subjects, rows in named:
        page = standings.sources.texts[number].page
        for row in (subjects.table.rows[index] for index in rows):
            times = [(cell, length) for cell in row if (length := _length(page, subjects, cell)) is not None]
            for way, size in _ways(page, subjects, row, unit) if times else ():
                for cell, length in times:
                    steps = f"{cell.text} ÷ {written(Fraction(size).limit_denominator(1000), unit)}"
                    spots = ((number, cell.start, cell.end), (number, way.start, way.end))
                    yield _Step(length / size, steps, spots)


def _ways(page: Page, subjects: Subjects, row: Sequence[Cell], unit: Unit) -> Iterator[tuple[Cell, float]]:
    """The lengths of a row, in a unit."""
    for cell in row:
        size = _number(page, cell)
        if size:
            units = (page.unit_at(cell.start, cell.end)[0], *subjects.head_units[cell.column])
            own = next((one for one in units if one is not None and one.dimension == unit.dimension), None)
            if own is not None:
                yield cell, size * own.rate / unit.rate


def _sums(standings: Standings) -> Iterator[_Step]:
    """What the times of each column of the sources come to together."""
    for number, source in enumerate(standings.sources.texts):
        for subjects in source.tables if source.origin == "seen" else ():
            table = subjects.table
            for column in range(table.width):
                cells = [cell for cell in table.column(column) if cell.text and cell.row in table.parts]
                lengths = [_length(source.page, subjects, cell) for cell in cells]
                known = [one for one in lengths if one is not None]
                if len(known) == len(lengths) >= _FEWEST:
                    spots = ((number, cells[0].start, cells[0].end), (number, cells[-1].start, cells[-1].end))
                    steps = " + ".join(cell.text for cell in cells[:_MOST_TOLD])
                    yield _Step(sum(known), f"{steps} + …" if len(cells) > _MOST_TOLD else steps, spots)


def _length(page: Page, subjects: Subjects, cell: Cell) -> float | None:
    """How long a cell tells, in seconds: "41:10", "0:41:10", 2470 below "time_s"."""
    if (length := length_of(page.text[cell.start : cell.end])) is not None:
        return length
    unit = next((one for one in subjects.head_units[cell.column] if one.dimension == "time"), None)
    size = _number(page, cell) if unit is not None else None
    return size * unit.rate if unit is not None and size is not None else None


def _number(page: Page, cell: Cell) -> float | None:
    token = next(iter(page.numbers_between(cell.start, cell.end)), None) if cell.numeric else None
    return token.value if token is not None else None
