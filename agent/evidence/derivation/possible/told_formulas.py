"""What a value would come to at a rate that is said, and formulas of three values of a row that a line names.

"If prices rise by 5%, 84 becomes 88.20" has its rate in the sentence or in the question, "24.5 trips per tonne without
those that were lost" three columns in its words. All that is tried is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations
from typing import NamedTuple

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.chance import Chance
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.kept import kept
from agent.evidence.sources import Finding, Spotted
from agent.evidence.tables.cell_words import tokens
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import OF_CENTS, PERCENT, SPELLINGS, alike
from agent.text.regex import regex

_CENTS = SPELLINGS["ct"]
_MOST_ROWS, _MOST_CELLS, _MOST_NAMED, _MOST_RATES = 2, 12, 5, 4
_FEWEST_DIGITS = 3
_MOST, _FEW = 0.03, 3  # of all figures that are as exact, and figures: what the formulas tried may meet
_RATE = regex(r"(?<![0-9.,])([0-9]{1,3}(?:[.,][0-9]{1,2})?)[ \u00a0]?%")
_SUPPOSED = regex(
    r"\b(?:if|would|could|were to|assum\w+|suppos\w+|projected|wenn|falls|würden?|wäre\w*|bei|si|serait|coûterait|"
    r"rapporterait|sería|habría|costaría|se|seria|custaria)\b|もし|仮に|[なた]ら[、ば]|れば|場合"
)
_FORMULAS: tuple[tuple[str, Callable[[float, float, float], float]], ...] = (
    ("({a} + {b}) ÷ {c}", lambda a, b, c: (a + b) / c),
    ("({a} − {b}) ÷ {c}", lambda a, b, c: (a - b) / c),
    ("{a} × {b} − {c}", lambda a, b, c: a * b - c),
    ("{a} × {b} + {c}", lambda a, b, c: a * b + c),
    ("{a} ÷ ({b} × {c})", lambda a, b, c: a / (b * c)),
    ("{a} × {b} × {c}", lambda a, b, c: a * b * c),
)


class _Step(NamedTuple):
    size: float
    formula: str
    spots: tuple[Spotted, ...]


@dataclass(frozen=True)
class ToldFormulas:
    """Of one answer; ``near`` are the values beside its figures."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the formula that leads to the figure; ``None`` where none does, or one may by chance."""
        if figure.ordinal or figure.spelled or not figure.value or figure.digits < _FEWEST_DIGITS:
            return None
        for ways in (self._at_rates, self._at_prices, self._of_three):
            steps = [*ways(figure)]
            tried = [(one.spots[0], one.size) for one in steps]
            step = next((one for one in steps if figure.holds(one.size)), None)
            if step is not None and not self._by_chance(figure, step, tried):
                note = Text("{steps} = {outcome}", steps=step.formula, outcome=written(figure.value, figure.unit))
                return Finding("possible", step.spots, note)
        return None

    def _by_chance(self, figure: Figure, step: _Step, tried: Sequence[tuple[Spotted, float]]) -> bool:
        """Whether so many formulas would meet such a figure anyway: less is enough than of steps between two values."""
        met = {round(size / float(figure.step)) for size in figure.beside(size for _, size in tried)}
        return len(met) > max(_FEW, _MOST * figure.telling) or self._chance.explains_one(figure, step.spots[0], tried)

    @cached_property
    def _chance(self) -> Chance:
        return Chance(self.near.standings, self.near.traced)

    def _at_rates(self, figure: Figure) -> Iterator[_Step]:
        """The values of the line, of its rows or of the columns that it names, at a rate that is said."""
        if figure.unit is PERCENT or not (rates := self._rates(figure.start)):
            return
        for value in self._values(figure):
            for rate in rates if not value.share else ():
                for sign, factor in (("+", 1 + rate / 100), ("−", 1 - rate / 100)):
                    formula = f"{_said(value)} {sign} {rate:g}%"
                    yield from (_Step(size * factor, formula, (value.operand.spot,)) for size in _sizes(value))

    def _rates(self, start: int) -> list[float]:
        """The shares of the sentence and of the question, where something is supposed."""
        answer = self.near.standings.answer
        left, right = answer.sentence(start)
        asked = [one.size for one in self.near.asked if one.share == "percent"]
        if not asked and _SUPPOSED.search(answer.lower, left, right) is None:
            return []
        said = (float(match[1].replace(",", ".")) for match in _RATE.finditer(answer.text, left, right))
        return [*dict.fromkeys((*said, *asked))][:_MOST_RATES]

    def _values(self, figure: Figure) -> Sequence[Known]:
        left, right = self.near.line(figure.start)
        stated = self.near.stated(left, right, figure.start)
        rows = self.near.rows(left, right, figure.start, ())[:_MOST_ROWS]
        in_rows = chain.from_iterable(self.near.values(row).values() for row in rows)
        found = [*stated, *in_rows, *self._of_columns(left, right)]
        return [one for one in found if _may_be(figure, one)]

    def _of_columns(self, left: int, right: int) -> Iterator[Known]:
        """The cells of the columns of short tables that a line names."""
        words = self._words(left, right)
        for number, subjects in self.near.tables:
            table = subjects.table
            for column in table.numeric_columns if len(table.body) <= _MOST_CELLS else ():
                if _is_named(table.column_heads[column], words):
                    cells = (self.near.value_at(number, subjects, row[0].row, column) for row in table.body)
                    yield from (one for one in cells if one is not None)

    @kept
    def _words(self, left: int, right: int) -> frozenset[str]:
        return tokens(self.near.standings.answer.lower[left:right])

    def _at_prices(self, figure: Figure) -> Iterator[_Step]:
        """The values of the rows of a line at a price that the question or the line gives, in cents, too."""
        if figure.unit is None or not self.near.tables:
            return
        left, right = self.near.line(figure.start)
        said = (*self.near.asked, *self.near.stated(left, right, figure.start))
        priced = ((one, _in_coins(one, figure)) for one in said if one.operand.unit is not None)
        if not (prices := [(one, size) for one, size in priced if size]):
            return
        rows = self.near.rows(left, right, figure.start, ())[:_MOST_ROWS]
        values = [one for row in rows for one in self.near.values(row).values()] + [
            one for number, subjects in self.near.tables[:1] for one in self.near.totals(number, subjects)
        ]
        for price, size in prices:
            for value in values:
                formula = f"{_said(value)} × {_said(price)}"
                yield _Step(value.size * size, formula, (value.operand.spot, price.operand.spot))

    def _of_three(self, figure: Figure) -> Iterator[_Step]:
        """Three cells of a row below heads that its line names."""
        if not self.near.tables:
            return
        left, right = self.near.line(figure.start)
        words = self._words(left, right)
        for row in self.near.rows(left, right, figure.start, ())[:_MOST_ROWS]:
            heads = row[1].table.column_heads
            cells = self.near.values(row).items()
            named = [
                one for column, one in cells if column < len(heads) and one.size and _is_named(heads[column], words)
            ][:_MOST_NAMED]
            for three in permutations(named, 3):
                a, b, c = (one.size for one in three)
                spots = tuple(one.operand.spot for one in three)
                said = dict(zip("abc", map(_said, three), strict=True))
                yield from (_Step(abs(made(a, b, c)), formula.format(**said), spots) for formula, made in _FORMULAS)


def _is_named(head: str, words: frozenset[str]) -> bool:
    """Whether words say one of a head."""
    return not words.isdisjoint(tokens(head.replace("_", " ")))


def _said(one: Known) -> str:
    return written(one.operand.value, one.operand.unit)


def _sizes(one: Known) -> Iterator[float]:
    """A value as it is and in the scale of its table."""
    yield one.size
    if one.power:
        yield one.size * 10.0**one.power


def _may_be(figure: Figure, one: Known) -> bool:
    unit = one.operand.unit
    return unit is None or figure.unit is None or alike(unit, figure.unit)


def _in_coins(price: Known, figure: Figure) -> float:
    """A price in the unit of a figure; 0 where it is of another one."""
    if price.operand.unit is _CENTS and figure.unit in OF_CENTS:
        return price.size / 100
    return price.size if _may_be(figure, price) else 0.0
