"""The card of a model: of each ability, how many questions it answers right on each wire, and what that took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.evals.formats.result_lines import Row
from agent.evals.model_card.card_questions import ABILITIES, ability_of, card_questions
from agent.evals.statistics.intervals import Passes, Share, wilson
from agent.interface_text import Text

WIRE_NAMES: Mapping[str, str] = {"react": Text("In text"), "native": Text("Native calls")}


@dataclass(frozen=True, slots=True)
class CardColumn:
    """What came of a ``wire``: the counts of each ability, by its name in ``ABILITIES``; ``money`` in US dollars.

    ``money`` is ``None`` where no price is known.
    """

    wire: str
    abilities: Mapping[str, Passes]
    tokens: int = 0
    money: float | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> int:
        return sum(each.passed for each in self.abilities.values())

    @property
    def runs(self) -> int:
        return sum(each.runs for each in self.abilities.values())

    @property
    def share(self) -> Share:
        """Of all questions, with Wilson's interval."""
        return wilson(self.passed / self.runs, self.runs) if self.runs else wilson(0.0, 0)


@dataclass(frozen=True, slots=True)
class CardMiss:
    """A question that was not answered right: ``run`` is its run in the store, or ""."""

    question: str
    wire: str
    why: tuple[Text, ...]
    run: str = ""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """``measured`` in seconds since the epoch; ``of`` is how many answers a whole card has."""

    model: str
    columns: tuple[CardColumn, ...]
    misses: tuple[CardMiss, ...]
    measured: float
    of: int

    @property
    def done(self) -> int:
        return sum(each.runs for each in self.columns)

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.columns)

    @property
    def seconds(self) -> float:
        """What the answers took one after the other."""
        return sum(each.seconds for each in self.columns)

    @property
    def money(self) -> float | None:
        known = [each.money for each in self.columns if each.money is not None]
        return sum(known) if known else None

    @property
    def few(self) -> Text:
        """That these are few questions, for people."""
        most = max((each.runs for column in self.columns for each in column.abilities.values()), default=0)
        low = f"{wilson(1.0, most).low:.0%}"
        return Text(
            "These are few questions: even {n} of {n} right may come of a model that is right in {low} of cases.",
            n=most,
            low=low,
        )


def card_of(model: str, by_wire: Mapping[str, Sequence[Row]], measured: float) -> ModelCard:
    """The card of the rows of each wire. The name of a row is the id of its question."""
    columns = tuple(_column(wire, rows) for wire, rows in by_wire.items())
    misses = tuple(
        CardMiss(row.name, wire, tuple(each.why or each.said for each in row.result.failed), row.run)
        for wire, rows in by_wire.items()
        for row in rows
        if not row.passed
    )
    return ModelCard(model, columns, misses, measured, len(card_questions()) * len(by_wire))


def _column(wire: str, rows: Sequence[Row]) -> CardColumn:
    counts: dict[str, Passes] = {}
    for row in rows:
        ability = ability_of(row.name)
        before = counts.get(ability, Passes(0, 0))
        counts[ability] = Passes(before.passed + row.passed, before.runs + 1)
    prices = [row.result.money for row in rows if row.result.money is not None]
    return CardColumn(
        wire,
        {name: counts[name] for name in ABILITIES if name in counts},
        sum(row.result.tokens for row in rows),
        sum(prices) if prices else None,
        sum(row.result.seconds for row in rows),
    )
