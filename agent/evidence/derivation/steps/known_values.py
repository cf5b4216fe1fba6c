"""Values to work with: the figures of an answer that were found, and the cells of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import Operand, Result
from agent.evidence.lookup.agreement import units_named
from agent.evidence.sources import Source, Sources, Spot, Spotted
from agent.evidence.tables.alike_columns import time_of
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.evidence.tables.year_columns import year_of_head
from agent.text.quantities.figures import SIGN, Figure
from agent.text.quantities.number_words import LONGEST, PIECE, as_float, exact
from agent.text.quantities.units import PERCENT, alike
from agent.text.regex import regex

_LIKE = 20  # times as large, and values are not added up by chance
_FROM = regex(r"\b(?:from|von|del?|desde|da|do)\b[^.;0-9]{0,10}$")
_YEAR = regex(r"(?:1[5-9]|2[01])[0-9]{2}(?:[-–/]|$)")
_SIGNED = regex(r"[$€£¥ ]*(?:[-–−▲△]|\()[$€£¥ ]*")  # what stands in a cell before a negative number
_TO = regex(r"\b(?:to|auf|zu|à|al?|para)\b[^.;0-9]{0,6}$|から[^。0-9]{0,3}$")


@dataclass(frozen=True)
class Known:
    """A value to work with. ``place``: 0 behind "from", 1 behind "to"; ``power``: the scale that its table says.

    ``time``: 0 of a column that another one follows, 1 of that one: "previous close" and "close";
    ``unsigned``: it is below nought, and the answer tells its size.
    """

    operand: Operand
    year: float | None = None
    place: float | None = None
    power: int = 0
    unsigned: bool = False
    time: float | None = None

    @cached_property
    def size(self) -> float:
        """How large it is, without sign."""
        return abs(as_float(self.operand.value))

    @cached_property
    def rough(self) -> Operand:
        """The operand as a float, for what hardly matters."""
        return replace(self.operand, value=as_float(self.operand.value))

    @cached_property
    def share(self) -> Literal["", "percent", "other"]:
        """Whether it is a share of something: in per cent, or of ten or a thousand."""
        unit = self.operand.unit
        if unit is None or unit.dimension != "share":
            return ""
        return "percent" if unit is PERCENT else "other"


class Traced(NamedTuple):
    """A figure of the answer that was found, with its place; ``year``: it is one."""

    start: int
    end: int
    figure: Figure
    spot: Spotted
    year: bool


def place_of(lower: str, start: int) -> float | None:
    """0 for a figure behind "from", 1 for one behind "to": where a change starts and ends."""
    before = lower[max(0, start - 16) : start]
    if _TO.search(before):
        return 1.0
    return 0.0 if _FROM.search(before) else None


def operand_in(source: Source, number: int, cell: Cell) -> Operand:
    """The quantity of a cell: negative in brackets, and no year where its column has others: 1204 beside 48210."""
    if (span := source.page.spans.get(cell.start)) is not None and span.end == cell.end:
        return Operand(span.value, span.unit, (number, cell.start, cell.end))
    digits = PIECE.search(source.text, cell.start, cell.end)
    if digits is None:
        return Operand(Fraction(0), None, (number, cell.start, cell.end))
    operand = operand_at(source, number, *digits.span())
    before = source.text[cell.start : digits.start()]
    negative = "(" in before or "−" in before or SIGN.search(before.strip("$€£¥ ")) is not None
    if not negative and not (operand.year and cell.numeric):  # most
        return operand
    value = -operand.value if negative else operand.value
    return replace(operand, value=value, year=operand.year and not cell.numeric)


def value_of(source: Source, number: int, subjects: Subjects, cell: Cell) -> Known:
    """A cell of the text of that number, with the year of its head and the scale that its table says."""
    return _in_table(source, subjects, cell, operand_in(source, number, cell))


def _in_table(source: Source, subjects: Subjects, cell: Cell, operand: Operand) -> Known:
    powers, year = source.powers_at(cell.start), year_of_head(subjects, cell.column)
    time = time_of(subjects.table, cell.column)
    return Known(operand, float(year) if year is not None else None, power=powers[0] if powers else 0, time=time)


def operand_at(source: Source, number: int, start: int, end: int) -> Operand:
    raw = source.text[start : min(end, start + LONGEST)]
    value = exact(raw, source.scan.continental)[0]
    unit, _, _ = source.page.unit_at(start, end)
    year = raw.isdigit() and len(raw) == 4 and 1000 <= value <= 2100 and unit is None
    return Operand(value, unit, (number, start, end), year)


def known_at(source: Source, number: int, start: int, end: int) -> Known:
    """The number at a place of the text of that number; what its table says of it holds as well."""
    operand, at = operand_at(source, number, start, end), source.page.cell_at(start)
    return _in_table(source, *at, operand) if at is not None else Known(operand)


def as_said(one: Traced, lower: str, sources: Sources) -> Known:
    """A traced figure as a value that the answer states; ``lower`` is the answer in lower case."""
    return replace(as_known(one.figure, one.spot, one.year, sources), place=place_of(lower, one.start))


def as_known(figure: Figure, spot: Spotted, year: bool, sources: Sources) -> Known:
    """A traced figure of the answer with the digits, the sign, the unit, the scale and the year of its source."""
    number, start, end = spot
    source = sources.texts[number]
    own = Known(Operand(-figure.value if figure.negative else figure.value, figure.unit, spot, year, True))
    at = source.page.cell_at(start)
    if at is None or end <= start:
        return own
    begin = at[1].start if _SIGNED.fullmatch(source.text, at[1].start, start) else start
    seen = operand_in(source, number, at[1]._replace(start=begin, end=max(end, at[1].end)))
    low, high = figure.bounds
    seen = replace(seen, unit=seen.unit or figure.unit, year=year and not at[1].numeric, stated=True, spot=spot)
    known = _in_table(source, *at, seen)
    fits = any(low <= abs(Fraction(seen.value)) * 10**power <= high for power in (0, known.power))
    unsigned = fits and seen.value < 0 and not figure.negative
    return replace(known, unsigned=unsigned) if unsigned else known if fits else own


def is_in_unit(sources: Sources, figure: Figure, result: Result) -> bool:
    """Whether values without unit are not of another unit than the figure's by their row or head."""
    if figure.unit is None or result.unit is not None:
        return True
    for number, start, end in result.spots:
        named = units_named(sources.texts[number], Spot(0.0, number, start, end), figure.unit)
        if named and not any(alike(unit, figure.unit) for unit in named):
            return False
    return True


def of_one_kind(sources: Sources, result: Result, known: Sequence[Known], stands: bool) -> bool:
    """Whether the two values of a step can be of one kind: a rank of 2 and 208 goals are not.

    Those of a ratio share a row or a column, unless the answer says them. Of a sum, a difference or a mean, cells of
    one column, or of columns that are called alike, can be; others where they are of like size, unless the result
    ``stands`` in the table itself, or its row is named before: then even a share is of no other cells.
    """
    stated = all(one.operand.stated for one in known)
    if len(known) == 2 and result.kind in ("percent", "ratio") and not stated and _cross(sources, result.spots):
        return False
    linear = result.kind in ("sum", "difference", "mean")
    if len(known) != 2 or not (linear or (stands and not stated and result.kind == "percent")):
        return True
    small, large = sorted(one.size for one in known)
    like = linear and (small * _LIKE >= large or stated)
    return (like and (not stands or result.kind == "sum")) or _comparable(sources, result.spots)


def _of_one_table(sources: Sources, spots: Sequence[Spotted]) -> tuple[Subjects, Cell, Cell] | None:
    """The two cells that values stand in, with their table; ``None`` for more or fewer, and of different tables."""
    found = [sources.texts[number].page.cell_at(start) for number, start, _ in spots]
    if len(found) != 2 or found[0] is None or found[1] is None or found[0][0] is not found[1][0]:
        return None
    return *found[0], found[1][1]


def _cross(sources: Sources, spots: Sequence[Spotted]) -> bool:
    """Whether two cells of a table share neither row nor column."""
    found = _of_one_table(sources, spots)
    return found is not None and found[1].row != found[2].row and found[1].column != found[2].column


def _comparable(sources: Sources, spots: Sequence[Spotted]) -> bool:
    """Whether two cells are of one column, or of one row below heads that share a word or are of years.

    The goals of a player less the assists come to many a figure that is said of something else.
    """
    found = _of_one_table(sources, spots)
    if found is None or spots[0][0] != spots[1][0]:
        return True
    subjects, one, other = found
    if one.column == other.column or one.row != other.row:
        return one.column == other.column
    paths = subjects.table.head_paths
    heads = [tokens(paths[cell.column][-1]) for cell in (one, other) if cell.column < len(paths) and paths[cell.column]]
    return len(heads) < 2 or not heads[0].isdisjoint(heads[1]) or all(map(_has_year, heads))


def _has_year(words: frozenset[str]) -> bool:
    return any(_YEAR.match(word) for word in words)
