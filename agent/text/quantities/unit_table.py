"""The one table of units, ``units.txt``: what they are called, by whom a spelling is read, and how much they are.

Factors are exact by definition: the international foot and pound, the US gallon, the thermochemical calorie. A line's
columns are named in the first line of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("units.txt")


@dataclass(frozen=True, slots=True)
class UnitRow:
    """``factor`` (perhaps a quotient) and ``offset`` lead to the base unit of ``kind``; "" where only pint knows them.

    ``names`` are the plural, the singular and the Japanese name of an answer, none for a unit that no answer has.
    ``spellings`` are read everywhere, the other three in checked figures, in questions and by the ``convert`` tool.
    """

    kind: str
    factor: str
    offset: Fraction
    figure_name: str
    pint_name: str
    names: tuple[str, ...]
    spellings: tuple[str, ...]
    in_figures: tuple[str, ...]
    in_questions: tuple[str, ...]
    to_convert: tuple[str, ...]


def ratio(factor: str) -> Fraction:
    """``1000 / 3600`` as a number."""
    above, _, below = factor.partition("/")
    return Fraction(above.strip()) / Fraction(below.strip() or 1)


@cache
def unit_rows() -> tuple[UnitRow, ...]:
    return tuple(_row(line) for line in _FILE.read_text(encoding="utf-8").splitlines()[1:])


def _row(line: str) -> UnitRow:
    cells = [cell.strip() for cell in line.split("|")]
    kind, factor, offset, figure_name, pint_name, *lists = (*cells, *[""] * (10 - len(cells)))
    words = [tuple(cell.split(", ")) if cell else () for cell in lists]
    return UnitRow(kind, factor, Fraction(offset or 0), figure_name, pint_name, *words)
