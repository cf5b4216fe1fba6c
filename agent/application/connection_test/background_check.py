"""A test of a connection at work in a thread, so that whoever waits for it can tell so, and give it up."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread

from agent.application.connection_test.diagnosis import Finding


class LiveCheck:
    """The ``findings`` of ``agent.application.connection_test.checks.check``, as they come."""

    def __init__(self, findings: Iterator[Finding]) -> None:
        self.done = False
        self._findings = findings
        self._given_up = Flag()
        self._found: SimpleQueue[Finding | None] = SimpleQueue()
        Thread(target=self._work, name="test of a connection", daemon=True).start()

    def next(self, wait: float) -> Finding | None:
        """The next finding; ``None`` where there is none within ``wait`` seconds, or where all are told: ``done``."""
        try:
            found = self._found.get(timeout=wait)
        except Empty:
            return None
        self.done = found is None
        return found

    def give_up(self) -> None:
        """Begin nothing more; a request on its way ends by its own deadline."""
        self._given_up.set()

    def _work(self) -> None:
        try:
            for finding in self._findings:
                self._found.put(finding)
                if self._given_up.is_set():
                    break
        finally:
            self._found.put(None)
