"""The money of one evaluation, set aside before each reply and booked after it: so it costs no more than was said."""

from __future__ import annotations

from threading import Condition

from agent.application.spending.budget import MICROS, micros
from agent.errors import BudgetReached
from agent.messages import Money, Usage
from agent.models.prices import Prices

_PATIENCE_SECONDS = 120.0  # for replies that hold more than they will cost


class Purse:
    """``most`` US dollars for all the runs of an evaluation, of which some are ``spent``. For any thread."""

    def __init__(self, prices: Prices, most: float, spent: float = 0.0) -> None:
        self.prices = prices
        self._most = round(most * MICROS)
        self._spent = round(spent * MICROS)
        self._held: dict[str, int] = {}
        self._freed = Condition()

    @property
    def spent(self) -> float:
        """US dollars that replies have cost."""
        return self._spent / MICROS

    def hold(self, run: str, visitor: str, least: int, most: int) -> float:
        """Set up to ``most`` micro-dollars aside for the next reply of a run, in place of what it held.

        How many are left for it. Waits where only replies of other runs, which may cost less, hold too much for it to
        begin. Raises ``BudgetReached`` where fewer than ``least`` are left.
        """
        with self._freed:
            while True:
                others = sum(held for name, held in self._held.items() if name != run)
                left = self._most - self._spent - others
                if left >= least and left > 0:
                    self._held[run] = int(min(left, most))
                    return left
                begins = run not in self._held
                if not (others and begins and self._freed.wait(_PATIENCE_SECONDS)):
                    raise BudgetReached.because(
                        "What is left of the {dollars} US dollars for these tests does not pay for another reply.",
                        dollars=f"{self._most / MICROS:g}",
                    )

    def charge(self, visitor: str, usage: Usage, money: Money | None, run: str = "", still: int = 0) -> None:
        """Book what a reply has cost, in place of what its run held; ``still`` is as in ``Budget.charge``."""
        with self._freed:
            self._held.pop(run, None)
            if still:
                self._held[run] = still
            self._spent += micros(money.amount) if money else 0
            self._freed.notify_all()
