"""All ways in which a figure that stands nowhere may have been worked out, the surest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from agent.evidence.derivation.possible.amounts_at_rates import AskedAmounts
from agent.evidence.derivation.possible.amounts_each import AmountsEach
from agent.evidence.derivation.possible.asked_bounds import AskedBounds
from agent.evidence.derivation.possible.column_formulas import ColumnFormulas
from agent.evidence.derivation.possible.multiples import Multiples
from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.possible.own_rates import OwnRates
from agent.evidence.derivation.possible.paired_figures import PairedFigures
from agent.evidence.derivation.possible.possible_steps import PossibleSteps
from agent.evidence.derivation.possible.row_counts import RowCounts
from agent.evidence.derivation.possible.row_runs import RowRuns
from agent.evidence.derivation.possible.span_gaps import SpanGaps
from agent.evidence.derivation.possible.told_formulas import ToldFormulas
from agent.evidence.derivation.possible.told_fractions import ToldFractions
from agent.evidence.derivation.possible.year_bounds import YearBounds
from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding
from agent.text.quantities.figures import Figure


class _Way(Protocol):
    def finding(self, figure: Figure) -> Finding | None: ...


@dataclass(frozen=True)
class PossibleWays:
    """Of one answer with its ``figures`` and ``drafts``, from the values that are ``near`` one of them."""

    near: NearValues
    figures: Sequence[Figure]
    drafts: Sequence[Draft]

    @cached_property
    def _ways(self) -> Sequence[_Way]:
        return (
            SpanGaps(self.near, self.drafts),
            OwnRates(self.near),
            AskedAmounts(self.near),
            RowCounts(self.near),
            YearBounds(self.near),
            AskedBounds(self.near),
            PossibleSteps(self.near),
            PairedFigures(self.near, self.figures),
            ToldFractions(self.near),
            Multiples(self.near),
            ToldFormulas(self.near),
            ColumnFormulas(self.near),
            RowRuns(self.near),
            AmountsEach(self.near),
        )

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the step that leads to a reading of the figure; ``None`` where none does."""
        for reading in figure.readings:
            if (found := next(filter(None, (way.finding(reading) for way in self._ways)), None)) is not None:
                return found
        return None
