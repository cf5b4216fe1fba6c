"""Whether two answers state the same value: figures and days by what they mean, not by how they are written."""

from __future__ import annotations

from math import inf

from agent.evidence.assertions import Statement
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import as_float
from agent.text.quantities.units import alike, comparable, convert
from agent.text.regex import regex

_SAME = 1e-9
_KANA = regex(r"[\u3040-\u309f].*")


def kin(one: Statement, other: Statement, strictly: bool = True) -> bool:
    """Whether two values could be of the same thing: days of one shape, figures of one unit and noun."""
    first, second = one.thing, other.thing
    if isinstance(first, Day) or isinstance(second, Day):
        return isinstance(first, Day) and isinstance(second, Day) and _shape(first) == _shape(second)
    if not strictly and (first.unit is None) != (second.unit is None):
        return not (_noun(first) or _noun(second))  # "12" for "12 euros"
    if first.unit is None or second.unit is None:
        nouns = _noun(first), _noun(second)
        same = nouns[0] == nouns[1] or not all(nouns) or not strictly
        return first.unit is second.unit and first.ordinal == second.ordinal and same
    return alike(first.unit, second.unit) or (comparable(first.unit, second.unit) and _converts(first, second))


def is_time_of_day(statement: Statement) -> bool:
    """Whether a statement is of a time, which is another one each time that it is asked for."""
    return isinstance(statement.thing, Day) and statement.thing.minute is not None


def _converts(one: Figure, other: Figure) -> bool:
    return one.unit is not None and other.unit is not None and one.unit.dimension == other.unit.dimension


def counted(statement: Statement) -> str:
    """What a figure counts, as a stem: "peopl" of "8 people"; "" where it has a unit or none is said."""
    return _noun(statement.thing) if isinstance(statement.thing, Figure) else ""


def _noun(figure: Figure) -> str:
    return figure.noun if figure.noun.isascii() else _KANA.sub("", figure.noun)


def _shape(day: Day) -> tuple[bool, ...]:
    return (
        day.minute is not None,
        day.year is not None,
        day.month is not None,
        day.day is not None,
        day.quarter is not None,
    )


def agree(one: Statement, other: Statement) -> bool:
    """Whether some reading of one value fits some reading of the other, both as exactly as they are stated."""
    first, second = one.thing, other.thing
    if isinstance(first, Day) and isinstance(second, Day):
        return _days(first) & _days(second) != set()
    if isinstance(first, Day) or isinstance(second, Day):
        return False
    return any([_fit(here, there) for here in first.readings for there in second.readings])


def _days(day: Day) -> set[tuple[int | None, ...]]:
    other = {(day.year, *day.other)} if day.other else set[tuple[int | None, ...]]()
    shape = (day.year, day.month, day.day, day.quarter, day.minute)
    return {shape[:3] if shape[3:] == (None, None) else shape, *other}


def _fit(one: Figure, other: Figure) -> bool:
    if one.unit is other.unit and not (one.loose or other.loose) and _are_apart(one.edges, other.edges):
        return False  # most
    if one.step == other.step and one.unit is other.unit and not (one.loose or other.loose):
        return one.value == other.value and one.negative == other.negative
    low, high = _range(one, other)
    least, most = _range(other, other)
    slack = _SAME * max(abs(high), abs(most), 1.0) if inf not in (high, most) else 0.0
    return low <= most + slack and least <= high + slack


def _are_apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two spans are apart by more than rounding."""
    return one[1] + 4 * _SAME < other[0] or other[1] + 4 * _SAME < one[0]


def _range(figure: Figure, like: Figure) -> tuple[float, float]:
    """The values that a figure allows, in the unit of ``like``: "more than 3" all that are larger."""
    low, high = figure.bounds
    if figure.unit is not None and like.unit is not None and figure.unit is not like.unit and _converts(figure, like):
        low, high = (convert(edge, figure.unit, like.unit) for edge in (low, high))
    ends = (-inf if figure.loose == "under" else as_float(low)), (inf if figure.loose == "over" else as_float(high))
    return (-ends[1], -ends[0]) if figure.negative else ends
