"""Days, weeks, months, years and ages between dates that were seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date

from agent.evidence.findings import Finding
from agent.interface_text import Text, keyed
from agent.text.quantities.figures import Figure

MOST_DATES = 12

_AGE = re.compile(r"\b(?:aged?|age of|turned|turns|older by|at|was|is)[ ]$|享年$")


@dataclass(frozen=True, slots=True)
class Moment:
    """A whole date and where it stands; ``(source, 0, 0)`` is the day of asking."""

    day: Date
    spot: tuple[int, int, int]


_NOTES = {
    "days": keyed("{first} to {last} = {count} days"),
    "weeks": keyed("{first} to {last} = {count} weeks"),
    "months": keyed("{first} to {last} = {count} months"),
    "years": keyed("{first} to {last} = {count} years"),
}


def between_dates(figure: Figure, moments: Sequence[Moment], before: str) -> Finding | None:
    """``worked_out`` where two of the dates (the first ``MOST_DATES``) lie that far apart.

    ``before`` is what stands before the figure: "aged" makes it one of years.
    """
    unit = figure.unit.name if figure.unit is not None else "years" if _AGE.search(before) else ""
    if unit not in _NOTES:
        return None
    low, high = figure.bounds
    known = list(dict.fromkeys(moments))[:MOST_DATES]
    for index, one in enumerate(known):
        for other in known[index + 1 :]:
            for count in _apart(min(one.day, other.day), max(one.day, other.day), unit):
                if low <= count <= high and count:
                    first, last = sorted((str(one.day), str(other.day)))
                    note = Text(*_NOTES[unit], first=first, last=last, count=f"{round(count, 2):g}")
                    return Finding("worked_out", (one.spot, other.spot), note)
    return None


def _apart(first: Date, last: Date, unit: str) -> tuple[float, ...]:
    """Days with and without the first one; whole weeks; full months and years."""
    days = (last - first).days
    if unit == "days":
        return (days, days + 1)
    if unit == "weeks":
        return (days / 7, days // 7)
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    return (months,) if unit == "months" else (months // 12, months / 12)
