"""Rates in the answer's own tables, whose head says of what: "Issues per 1k stars", "Waste per 100 sold"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.item_numbers import own_tables
from agent.evidence.sources import Finding
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.table_model import Cell, Table
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_PER = regex(
    r"(?:\b(?:per|pro|je|par|por|cada|every)\b|(?<=[a-z%€$£]) ?/ ?)(?: ?([0-9][0-9.,]*) ?(k|m|mio|million)?\b)?|"
    r"([0-9][0-9.,]*)(千|万)?(?:件|人|回|台)?(?:当たり|あたり)"
)
_POWERS = {"k": 3, "千": 3, "万": 4, "m": 6, "mio": 6, "million": 6}
_MOST_VALUES = 4  # of a row


@dataclass(frozen=True)
class OwnRates:
    """Of one answer; ``near`` gives those of its figures that were found."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` where two values of its row lead to the figure as the head of its column says."""
        if figure.spelled or figure.digits < 2 or (at := self._cell(figure.start)) is None:
            return None
        table, cell = at
        head = table.column_heads[cell.column] if cell.column < len(table.column_heads) else ""
        per = _PER.search(head)
        if per is None:
            return None
        of = 10.0 ** _power(per)
        for one, other in self._pairs(table, cell, figure, head[: per.start()], head[per.end() :]):
            if other.size and figure.holds(one.size / other.size * of):
                return _found(figure, one, other, of)
        return None

    def _cell(self, position: int) -> tuple[Table, Cell] | None:
        for table in own_tables(self.near.standings.whole):
            if table.heads and table.start <= position < table.end and (cell := table.cell_at(position)) is not None:
                return (table, cell) if cell.row >= table.heads else None
        return None

    def _pairs(self, table: Table, cell: Cell, figure: Figure, above: str, below: str) -> Iterator[tuple[Known, Known]]:
        """The values of a row that may be divided: those whose heads the rate names; of two values, either way."""
        values: list[tuple[frozenset[str], Known]] = []
        for beside in table.rows[cell.row]:
            if beside.column in (0, cell.column) or beside.column >= len(table.column_heads):
                continue
            stated = self.near.stated(beside.start, max(beside.end, beside.start + 1), figure.start)
            values += [(tokens(table.column_heads[beside.column]), one) for one in stated if not one.share][:1]
        values = values[:_MOST_VALUES]
        for (head, one), (under, other) in permutations(values, 2):
            named = not head.isdisjoint(tokens(above)), not under.isdisjoint(tokens(below))
            if all(named) or (any(named) and len(values) < _MOST_VALUES) or len(values) == 2:
                yield one, other


def _power(per: re.Match[str]) -> int:
    """The power of ten of how many a rate is of: 3 of "per 1k" and "per 1,000"."""
    digits = re.sub(r"[.,]", "", per[1] or per[3] or "1")
    return len(digits) - 1 + _POWERS.get(per[2] or per[4] or "", 0) if digits.strip("0") == "1" else 0


def _found(figure: Figure, one: Known, other: Known, of: float) -> Finding:
    steps = f"{written(one.operand.value, one.operand.unit)} ÷ {written(other.operand.value, other.operand.unit)}"
    steps += f" × {of:,.0f}" if of > 1 else ""
    note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, figure.unit))
    return Finding("possible", (one.operand.spot, other.operand.spot), note)
