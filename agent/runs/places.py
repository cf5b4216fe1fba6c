"""The places in which runs work: so many for all, a share of them for one visitor, given in the order of asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from threading import Condition
from typing import Generic, TypeVar

from agent.sandbox.client import SHARE

R = TypeVar("R")


class Places(Generic[R]):
    """``most`` places for runs. Each takes its turn; who may begin overtakes who may not yet."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._each = max(1, most // SHARE)
        self._working: dict[R, str] = {}
        self._waiting: dict[R, str] = {}
        self._changed = Condition()

    def ask(self, run: R, visitor: str = "") -> None:
        """Put a run at the end of the queue. Where no visitor is named there is no share to keep to."""
        with self._changed:
            self._waiting[run] = visitor

    @contextmanager
    def taken(self, run: R) -> Generator[None]:
        """The run's place, once it is its turn; given back when the block ends."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._working) < self._most and self._order()[:1] == [run])
            self._working[run] = self._waiting.pop(run)
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                del self._working[run]
                self._changed.notify_all()

    def before(self, run: R) -> list[R]:
        """The runs that begin before this one, by what is known now."""
        with self._changed:
            order = self._order()
            if run in order:
                return order[: order.index(run)]
            visitor = self._waiting.get(run)
            own = [other for other, whose in self._waiting.items() if whose == visitor]
            return own[: own.index(run)] if run in own else []

    def _order(self) -> list[R]:
        """The waiting runs that their visitors' shares have room for."""
        used = Counter(self._working.values())
        order: list[R] = []
        for run, visitor in self._waiting.items():
            if not visitor or used[visitor] < self._each:
                used[visitor] += 1
                order.append(run)
        return order
