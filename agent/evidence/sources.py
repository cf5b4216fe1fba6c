"""The texts that a claim can stand in, and indexes over them that are made when they are first asked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from datetime import date as Date
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from agent.events import Answered, Asked, Decided, Event, Failed, Observed, Replied, ToolCalled
from agent.evidence.verdicts import EARLIER, QUESTION, Claim, Earlier, Place
from agent.text.quantities.claim_words import FAILURE
from agent.text.quantities.dates import Day, dates_in
from agent.text.quantities.number_words import kanji_numbers, spelled_numbers
from agent.text.quantities.scanning import Scan, plain, scan

Origin: TypeAlias = Literal["seen", "given", "earlier"]


class Spot(NamedTuple):
    """A number without its sign, in text ``source``; sorted by value."""

    value: float
    source: int
    start: int
    end: int


class Dated(NamedTuple):
    source: int
    day: Day


@dataclass(frozen=True)
class Source:
    """``text`` is plain (see ``scanning``), ``lower`` is as long as it. ``claims`` are those of an earlier answer."""

    call_id: str
    step: int
    text: str
    lower: str
    origin: Origin
    urls: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    @cached_property
    def scan(self) -> Scan:
        return scan(self.text)

    @cached_property
    def days(self) -> list[Day]:
        return dates_in(self.text, self.lower, self.scan)

    @cached_property
    def day_starts(self) -> list[int]:
        return [day.start for day in self.days]

    def trusted(self, start: int, end: int) -> bool:
        """Whether values at a place may be worked with: in an earlier answer, only those that were traced."""
        if self.origin != "earlier":
            return True
        return any(claim.traced and claim.start < end and start < claim.end for claim in self.claims)

    def place(self, start: int, end: int) -> Place:
        return Place(self.call_id, self.step, start, end)


@dataclass(frozen=True)
class Sources:
    """All texts: observations, the question, earlier turns, in this order."""

    texts: tuple[Source, ...]
    today: Date | None = None

    @cached_property
    def numbers(self) -> list[Spot]:
        spots = [
            Spot(token.value, index, token.start, token.end)
            for index, source in enumerate(self.texts)
            for token in source.scan.numbers
        ]
        spots.sort()
        return spots

    @cached_property
    def spelled(self) -> list[Spot]:
        """Numbers in words, English and Chinese characters."""
        return sorted(
            Spot(float(value), index, start, end)
            for index, source in enumerate(self.texts)
            for value, start, end, _ in (*spelled_numbers(source.lower), *kanji_numbers(source.text))
        )

    @cached_property
    def days(self) -> dict[tuple[int | None, ...], list[Dated]]:
        """Dates under (year, month, day), (None, month, day), (year, month) and, for times, (minute,)."""
        found: dict[tuple[int | None, ...], list[Dated]] = {}
        for index, source in enumerate(self.texts):
            for day in source.days:
                for key in _keys(day):
                    found.setdefault(key, []).append(Dated(index, day))
        return found

    @cached_property
    def whole_days(self) -> list[tuple[Date, Dated]]:
        """Dates with year, month and day, sorted."""
        found = [
            (day.whole, Dated(index, day))
            for index, source in enumerate(self.texts)
            for day in source.days
            if day.whole is not None
        ]
        return sorted(found, key=lambda pair: pair[0])

    def between(self, low: float, high: float, most: int) -> list[Spot]:
        """Up to ``most`` numbers from ``low`` to ``high``, without sign."""
        return _between(self.numbers, low, high, most)

    def spelled_between(self, low: float, high: float, most: int) -> list[Spot]:
        return _between(self.spelled, low, high, most)


def _between(spots: list[Spot], low: float, high: float, most: int) -> list[Spot]:
    first = bisect_left(spots, (low,))
    return spots[first : min(first + most, bisect_right(spots, (high, 1 << 60), first))]


def _keys(day: Day) -> Iterable[tuple[int | None, ...]]:
    if day.minute is not None:
        yield (day.minute,)
        return
    readings = [(day.month, day.day)] + ([day.other] if day.other else [])
    for month, number in readings:
        if number is not None:
            yield (day.year, month, number)
            if day.year is not None:
                yield (None, month, number)
    if day.year is not None and day.month is not None:
        yield (day.year, day.month)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a run gives to the check. ``failed_texts`` are what failed tools said."""

    answer: str = ""
    question: str = ""
    sources: Sources = field(default_factory=lambda: Sources(()))
    looked_up: bool = False
    failed: tuple[str, ...] = ()
    failed_texts: tuple[Source, ...] = ()

    @property
    def tried(self) -> bool:
        return self.looked_up or bool(self.failed_texts)


def gather(events: Sequence[Event], earlier: Sequence[Earlier]) -> Gathered:
    """Read a run once: its answer, its question, and all texts that a claim may rest on."""
    seen: list[Source] = []
    failed: list[Source] = []
    tools: dict[str, str] = {}
    outcome: dict[str, bool] = {}
    said: list[Source] = []
    decisions: dict[str, str] = {}
    answer, question, today, step = "", "", None, 0
    for event in events:
        match event:
            case Asked():
                question, today = "\n".join((event.question, *event.attachments)), _date(event.time)
            case Replied():
                step += 1
            case ToolCalled():
                tools[event.call_id] = event.tool
                decisions.pop(event.call_id, None)
            case Decided():
                decisions[event.call_id] = event.decision
            case Observed() if decisions.get(event.call_id) in ("answered", "skipped", "denied"):
                # The person's words, or ours: nothing was looked up.
                said.append(made(event.call_id, max(step, 1), event.text, "given"))
            case Observed() if event.call_id:
                tool = tools.get(event.call_id, "")
                outcome[tool] = outcome.get(tool, False) or not event.error
                (failed if event.error else seen).append(_observation(event, max(step, 1)))
            case Answered():
                answer = event.text
            case Failed():
                answer = event.partial
            case _:
                pass
    looked_up = bool(seen)
    glossed = () if admits(answer) else tuple(tool for tool, worked in outcome.items() if tool and not worked)
    texts = (*seen, made(QUESTION, 0, question, "given"), *said, *_earlier(earlier))
    return Gathered(answer, question, Sources(texts, today), looked_up, glossed, tuple(failed))


def _observation(event: Observed, step: int) -> Source:
    urls = tuple(source.url for source in event.sources if source.url)
    return made(event.call_id, step, event.text, "seen", urls)


def made(call_id: str, step: int, text: str, origin: Origin, urls: tuple[str, ...] = ()) -> Source:
    straight = plain(text)
    return Source(call_id, step, straight, lowered(straight), origin, urls)


def _earlier(turns: Sequence[Earlier]) -> Iterable[Source]:
    for number, turn in enumerate(turns, 1):
        yield made(QUESTION, number, turn.question, "given")
        text = plain(turn.answer)
        yield Source(EARLIER, number, text, lowered(text), "earlier", claims=turn.claims)


def _date(time: float) -> Date | None:
    try:
        return datetime.fromtimestamp(time, UTC).date()
    except (OverflowError, OSError, ValueError):
        return None


def admits(answer: str) -> bool:
    """Whether an answer says that something went wrong."""
    lower = answer.lower()
    return any(word in lower for word in FAILURE)


def lowered(text: str) -> str:
    """Lower case, character for character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)
