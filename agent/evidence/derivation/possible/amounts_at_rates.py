"""An amount that the question gives at an observed rate: "$2,770" of 2,500 euros at 1.1080; and a rate turned round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.kept import kept
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import Unit, alike, comparable, spelled
from agent.text.regex import regex

_FEWEST_DIGITS = 3  # of a product; of a rate turned round, one less
_MOST_RATES = 24
_MOST_ROWS = 12  # of a table in which each column has the rates of something else
_WORD = regex(r"[^\W\d_]+|[$€£¥]")
_OF_ONE = regex(r"(?:\b(?:one|1|a|ein|eine|einen|un|une|uno|una|je|per|pro|par|por)|[1一]) ?$")
_CUT = regex(r"[,;、。]|\.(?=\s)| (?:and|und|et|y) ")


@dataclass(frozen=True)
class AskedAmounts:
    """Of one answer; ``near`` are the values beside its figures and the numbers of the question."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the step for such an amount, or for what one of something costs; else ``None``."""
        if figure.ordinal or figure.spelled or not figure.value or figure.digits < _FEWEST_DIGITS - 1:
            return None
        turned = self._turned(figure)
        if turned is not None or figure.digits < _FEWEST_DIGITS:
            return turned
        left, right = self.near.line(figure.start)
        rates = self._stated_or_named(left, right, figure.start) if self._amounts else ()
        for amount in self._amounts:
            for rate in rates:
                if rate.share or not rate.size or not _is_into(figure, rate):
                    continue
                for sign, size in (("×", amount.size * rate.size), ("÷", amount.size / rate.size)):
                    if figure.holds(size):
                        return _found(figure, amount, sign, rate)
        return None

    @cached_property
    def _amounts(self) -> list[Known]:
        """The amounts of the question: what it gives with a unit, or as a larger number."""
        return [one for one in self.near.asked if not one.share and (one.operand.unit is not None or one.size >= 100)]

    def _stated_or_named(self, left: int, right: int, start: int) -> Sequence[Known]:
        """The values of the line, and those of the rows that it names; where it names none, of the columns."""
        stated = self.near.stated(left, right, start)
        rows = self.near.rows(left, right, start, ())
        if rows:
            beside = chain.from_iterable(self.near.values(row).values() for row in rows)
            return [*stated, *beside][:_MOST_RATES]
        words = frozenset(_WORD.findall(self.near.standings.answer.lower, left, right))
        return [*stated, *self._of_columns(words)][:_MOST_RATES]

    def _turned(self, figure: Figure) -> Finding | None:
        """What one of the thing before a figure costs, where the column named by it has how many go into one."""
        if figure.unit is None:
            return None
        lower, start = self.near.standings.answer.lower, figure.start
        cuts = [match.end() for match in _CUT.finditer(lower, max(0, start - 80), start)]
        left = max([*cuts, lower.rfind("\n", 0, start) + 1, start - 80])
        words = [match for match in _WORD.finditer(lower, left, start) if _OF_ONE.search(lower, left, match.start())]
        for word in words:
            for rate in self._of_columns(frozenset((word[0],))):
                if rate.size and not rate.share and figure.holds(1 / rate.size):
                    steps, outcome = f"1 ÷ {written(rate.operand.value)}", written(figure.value, figure.unit)
                    note = Text("{steps} = {outcome}", steps=steps, outcome=outcome)
                    return Finding("possible", (rate.operand.spot,), note)
        return None

    @kept
    def _of_columns(self, words: frozenset[str]) -> list[Known]:
        """The cells of the columns whose head has a word of some that no other head has, or is of such a unit."""
        units = [unit for unit in map(spelled, words) if unit is not None]
        found: list[Known] = []
        for number, subjects in self.near.tables:
            table = subjects.table
            if len(table.body) > _MOST_ROWS:
                continue
            heads = {one: {*_WORD.findall(table.column_heads[one])} for one in table.numeric_columns if table.heads}
            counts = Counter(word for head in heads.values() for word in head)
            for column, head in heads.items():
                own = {word for word in head if counts[word] == 1}
                if not own.isdisjoint(words) or any(_is_unit(word, units) for word in own):
                    values = (self.near.value_at(number, subjects, cells[0].row, column) for cells in table.body)
                    found += [one for one in values if one is not None]
        return found


def _is_unit(word: str, units: Sequence[Unit]) -> bool:
    unit = spelled(word)
    return unit is not None and any(alike(unit, one) for one in units)


def _is_into(figure: Figure, rate: Known) -> bool:
    """Whether a rate can lead to a figure of its unit: it has none, or it is of the same kind."""
    unit = rate.operand.unit
    return unit is None or figure.unit is None or comparable(unit, figure.unit)


def _found(figure: Figure, amount: Known, sign: str, rate: Known) -> Finding:
    steps = f"{written(amount.operand.value, amount.operand.unit)} {sign} {written(rate.operand.value)}"
    note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, figure.unit))
    return Finding("possible", (rate.operand.spot, amount.operand.spot), note)
