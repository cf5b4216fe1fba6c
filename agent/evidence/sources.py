"""The texts that a claim can stand in, with indexes over them made when first asked for, and what was found there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Date
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from agent.evidence.kept import kept
from agent.evidence.pages import Page
from agent.evidence.tables.digits import YEARS
from agent.evidence.tables.subjects import Subjects
from agent.evidence.verdicts import Claim, Place, Verdict
from agent.interface_text import Text
from agent.text.characters import folded
from agent.text.quantities.compounds import Token
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.scanning import Scan

Origin: TypeAlias = Literal["seen", "given", "earlier"]
Spotted: TypeAlias = tuple[int, int, int]  # number of the source, start, end
_ORIGINS: tuple[Origin, ...] = ("seen", "given", "earlier")
_MOST_NAMES = 8  # places of one name
_MOST_YEARS = 8  # days that are asked for theirs
_MOST_SORTED = 2_000  # places of one value


class Spot(NamedTuple):
    """A number without its sign, in text ``source``; sorted by value."""

    value: float
    source: int
    start: int
    end: int


_Spot: TypeAlias = tuple[float, int, int, int]  # a ``Spot`` that nobody has asked for yet


class Dated(NamedTuple):
    source: int
    day: Day


@dataclass(frozen=True)
class Source:
    """A ``page`` where it was met: the same text in two steps, or in two turns, is one page.

    ``claims`` are those of an earlier answer, ``asked`` is what its tool was asked for, in lower case. ``powers_asked``
    are the powers of ten that the question says of figures ("sales are in $ millions").
    """

    call_id: str
    step: int
    page: Page
    origin: Origin
    urls: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    asked: str = ""
    powers_asked: tuple[int, ...] = ()

    @cached_property
    def text(self) -> str:
        return self.page.text

    @cached_property
    def lower(self) -> str:
        return self.page.lower

    @cached_property
    def scan(self) -> Scan:
        return self.page.scan

    @cached_property
    def tables(self) -> tuple[Subjects, ...]:
        return self.page.tables

    @cached_property
    def is_one_row(self) -> bool:
        """Whether all of the text, but for a line above it, is a table of one row: all that was asked for.

        A year in its heads has to be said, too.
        """
        table = self.tables[0].table if len(self.tables) == 1 else None
        if table is None or len(table.body) != 1 or self.text[table.end :].strip(" |\n"):
            return False
        if any(map(YEARS.search, table.column_heads)):
            return False
        return self.text.count("\n", 0, table.start) <= 1

    def trusted(self, start: int, end: int) -> bool:
        """Whether values at a place may be worked with: in an earlier answer, only those that were traced."""
        if self.origin != "earlier":
            return True
        return any(claim.traced and claim.start < end and start < claim.end for claim in self.claims)

    def powers_at(self, position: int) -> tuple[int, ...]:
        """The powers of ten of a table cell; those of the question for columns with fractions, else for all."""
        if (found := self.page.powers_at(position)) or not self.powers_asked:
            return found
        at = self.page.cell_at(position)
        if at is None or (at[0].table.fraction_columns and at[1].column not in at[0].table.fraction_columns):
            return ()
        return self.powers_asked

    def place(self, start: int, end: int) -> Place:
        return Place(self.call_id, self.step, start, end)


@dataclass(frozen=True, eq=False)
class Sources:
    """All texts: observations, the question, earlier turns, in this order."""

    texts: tuple[Source, ...]
    today: Date | None = None

    @cached_property
    def numbers(self) -> list[_Spot]:
        """Numbers in figures, also those that are written in several parts."""
        return _placed([source.page.sizes for source in self.texts])

    @cached_property
    def spelled(self) -> list[_Spot]:
        """Numbers in words and in Chinese characters."""
        return _placed([source.page.spelled for source in self.texts])

    @cached_property
    def amounts(self) -> list[_Spot]:
        """Fractions and amounts in words ("half", "a dozen"); a part of a whole in percent, too."""
        return _placed([source.page.amounts for source in self.texts])

    def dated(self, *key: int | None, most: int = 1) -> list[Dated]:
        """The first dates under (year, month, day), (None, month, day), (year, month) and, for times, (minute,)."""
        found: list[Dated] = []
        for index, source in enumerate(self.texts):
            if days := source.page.dated.get(key):
                found += [Dated(index, day) for day in days[: most - len(found)]]
        return found

    def first_numbers(self, most: int) -> list[tuple[int, Source, Sequence[Token]]]:
        """The texts that were observed, each with its number and its first numbers."""
        seen = [(number, source) for number, source in enumerate(self.texts) if source.origin == "seen"]
        return [(number, one, one.page.numbers_between(0, len(one.text))[:most]) for number, one in seen]

    def year_of(self, day: Day) -> int | None:
        """The year in which a day without one is told; ``None`` where it is told in none or in several."""
        years = {dated.day.year for dated in self.dated(None, day.month, day.day, most=_MOST_YEARS)} - {None}
        return years.pop() if len(years) == 1 else None

    @cached_property
    def whole_days(self) -> list[tuple[Date, Dated]]:
        """Dates with year, month and day, sorted."""
        found = [
            (day.whole, Dated(index, day))
            for index, source in enumerate(self.texts)
            for day in source.page.days
            if day.whole is not None
        ]
        return sorted(found, key=lambda pair: pair[0])

    @kept
    def that_say(self, word: str) -> tuple[bool, ...]:
        """For each text whether a word in lower case stands in it."""
        return tuple([word in source.lower for source in self.texts])

    @kept
    def has_name(self, name: str) -> bool:
        """Whether a text has a name, not as the beginning of a longer word."""
        return any([_has_name(source.text, name) for source in self.texts])

    @kept
    def spells(self, name: str) -> bool | None:
        """Whether the first text that has a name in any case has it as it stands; ``None`` where none has it."""
        for source, has in zip(self.texts, self.that_say(name.lower()), strict=True):
            if has or _has_name(source.text, name):
                return _has_name(source.text, name)
        return None

    def picked_by(self, said: str) -> Finding | None:
        """``seen`` for a text in lower case by which a query picked rows: "where destination = 'Moon landing'"."""
        for index, source in enumerate(self.texts):
            if source.asked and f"'{said}'" in folded(source.asked):
                return Finding("seen", ((index, 0, len(source.text)),), Text("The rows were picked by it."))
        return None

    def between(
        self, low: float, high: float, most: int, spelled: bool = False, first: Container[int] = ()
    ) -> list[Spot]:
        """Up to ``most`` numbers from ``low`` to ``high``, without sign; ``spelled``: those in words.

        Those of the texts whose numbers are in ``first`` come before all others.
        """
        return _between(self.spelled if spelled else self.numbers, low, high, most, first)

    def amounts_between(self, low: float, high: float, most: int) -> list[Spot]:
        """The same of ``amounts``."""
        return _between(self.amounts, low, high, most)

    def found(self, spots: Iterable[Spotted]) -> Finding:
        """``given`` where only the person says so, else ``seen``; observations first, else in the order given."""
        ordered = list(spots)
        if len(ordered) > 1:
            ordered.sort(key=lambda spot: _ORIGINS.index(self.texts[spot[0]].origin))
        return Finding("given" if self.texts[ordered[0][0]].origin == "given" else "seen", tuple(ordered))

    def differs(self, spot: Spotted, widen: bool = False) -> Finding:
        """``differs``, with what stands at the place; ``widen`` takes in the unit and sign of a number."""
        index, start, end = spot
        source = self.texts[index]
        left, right = source.page.widened(start, end) if widen else (start, end)
        return Finding("differs", (spot,), Text("Seen: {text}", text=source.text[left:right].strip()))


def _between(spots: list[_Spot], low: float, high: float, most: int, first: Container[int] = ()) -> list[Spot]:
    start = bisect_left(spots, (low,)) if spots else 0
    if start == len(spots) or spots[start][0] > high:
        return []
    stop = bisect_right(spots, (high, 1 << 60), start)
    if not first or stop - start <= most:
        return [*map(Spot._make, spots[start : min(start + most, stop)])]
    found = sorted(spots[start : min(start + _MOST_SORTED, stop)], key=lambda spot: spot[1] not in first)
    return [*map(Spot._make, found[:most])]


def _placed(sizes: Sequence[Sequence[tuple[float, int, int]]]) -> list[_Spot]:
    return sorted([(value, index, start, end) for index, each in enumerate(sizes) for value, start, end in each])


def places(text: str, word: str, most: int) -> Iterator[int]:
    """Where ``word`` stands in ``text``, the first ``most`` times."""
    position = text.find(word)
    while position >= 0 and most:
        yield position
        position, most = text.find(word, position + len(word)), most - 1


def _has_name(text: str, name: str) -> bool:
    ends = (position + len(name) for position in places(text, name, _MOST_NAMES))
    return any(not text[end : end + 1].isalpha() for end in ends)


_MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking a claim up. ``spots`` are the places as (source, start, end), the best first."""

    verdict: Verdict
    spots: tuple[Spotted, ...] = ()
    note: str = ""

    def places(self, sources: Sources, widen: bool = False) -> tuple[Place, ...]:
        """The first few places; ``widen`` takes in the unit and sign of a number."""
        found: list[Place] = []
        for index, start, end in self.spots[:_MOST_PLACES]:
            source = sources.texts[index]
            found.append(
                source.place(*(source.page.widened(start, end) if widen and 0 < end - start < 40 else (start, end)))
            )
        return tuple(found)
