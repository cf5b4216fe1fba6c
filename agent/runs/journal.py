"""A run's events on their way into the store: what it does not take now waits in memory, and is tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic

from agent.errors import StoreFailed, StoreRefused
from agent.events import Answered, Event, Failed, dump
from agent.store.runs import RunEnded, Store
from agent.store.schema import ANYBODY

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds between two tries; each is twice the one before


class Journal:
    """The journal of one run. All methods may be called from any thread; events are stored in the order of ``keep``."""

    def __init__(
        self, store: Store, run: str, patience: float, clock: Callable[[], float] = monotonic, taken: int = ANYBODY
    ) -> None:
        """``patience`` is for how many seconds a run goes on that is not stored; ``clock`` is monotonic, in seconds.

        ``taken`` is as in ``Store.append``.
        """
        self._store = store
        self._run = run
        self._patience = patience
        self._clock = clock
        self._taken = taken
        self._lock = Lock()
        self._waiting: list[Event] = []
        # How many of the first that wait each failed try was to store: one of them may have come through unheard.
        self._tried: list[int] = []
        self._since: float | None = None
        self._pause = 0.0
        self._next = float("-inf")

    @property
    def late(self) -> bool:
        """Whether events wait that the store did not take."""
        return self._since is not None

    @property
    def due(self) -> float:
        """When ``retry`` tries again."""
        return self._next

    def keep(self, events: Sequence[Event]) -> None:
        """Store events, after those that wait; where the store fails, they wait, too.

        Raises ``RunEnded`` where somebody else has ended the run or taken it up, ``StoreRefused`` where the events can
        never be stored: they do not wait then. Raises ``StoreFailed`` where the store has failed for longer than the
        journal's patience: they wait nevertheless. The end of a run waits for as long as it takes.
        """
        with self._lock:
            self._waiting.extend(events)
            if self._clock() >= self._next:
                self._store_waiting()
            ends = any(isinstance(event, Answered | Failed) for event in events)
            if self._since is not None and not ends and self._clock() - self._since > self._patience:
                seconds = round(self._patience)
                raise StoreFailed.because(
                    "This could not be kept for {n:,} second, so it was ended. Ask again in a while.",
                    "This could not be kept for {n:,} seconds, so it was ended. Ask again in a while.",
                    n=seconds,
                )

    def retry(self, at_once: bool = False) -> bool | None:
        """Try again to store what waits, where it is time or ``at_once``: whether nothing waits any more.

        ``None`` where nothing was tried.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            if not self.late or (self._clock() < self._next and not at_once):
                return None
            try:
                self._store_waiting()
            except (RunEnded, StoreRefused):
                log.exception("run %s: what waited for the store is not taken any more", self._run)
            return not self.late
        finally:
            self._lock.release()

    def _store_waiting(self) -> None:
        try:
            self._skip_stored()
            if self._waiting:
                self._tried.append(len(self._waiting))
                self._store.append(self._run, list(self._waiting), self._taken)
        except (RunEnded, StoreRefused):
            self._clear()
            raise
        except StoreFailed:
            if self._since is None:
                log.exception("run %s could not be stored; it is tried again", self._run)
                self._since = self._clock()
            self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
            self._next = self._clock() + self._pause
        else:
            self._clear()

    def _skip_stored(self) -> None:
        """Let go of what a try has stored whose answer was lost with the connection."""
        if not self._tried:
            return
        kept = [dump(event) for event in self._store.readable(self._run)]
        for count in reversed(self._tried):
            if kept[-count:] == [dump(event) for event in self._waiting[:count]]:
                del self._waiting[:count]
                return

    def _clear(self) -> None:
        self._waiting.clear()
        self._tried.clear()
        self._since, self._pause, self._next = None, 0.0, float("-inf")
