"""A flag that ends reads when it is set: one that waits for a silent server notices nothing else."""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Event, Lock


class StopFlag(Event):
    """Set, it ends the connections that are read for whoever is to stop."""

    def __init__(self) -> None:
        super().__init__()
        self._ended = set[Callable[[], None]]()
        self._lock = Lock()

    def set(self) -> None:
        super().set()
        with self._lock:
            for end in self._ended:
                end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Generator[None]:
        """In the block, ``end`` is called as soon as the flag is set: it has a connection fail that is read there."""
        with self._lock:
            self._ended.add(end)
            if self.is_set():
                end()
        try:
            yield
        finally:
            with self._lock:
                self._ended.discard(end)


def shut_down(connection: socket.socket) -> None:
    """End a connection from outside of the thread that reads from it."""
    # The plain socket's method: the one of a TLS socket takes away what the blocked read is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
