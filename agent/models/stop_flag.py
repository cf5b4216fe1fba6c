"""A flag that ends reads when it is set: one that waits for a silent server notices nothing else."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Event, Lock


class StopFlag(Event):
    """Set, it ends the connections that are read for whoever is to stop."""

    def __init__(self) -> None:
        super().__init__()
        self._read = set[socket.socket]()
        self._lock = Lock()

    def set(self) -> None:
        super().set()
        with self._lock:
            for connection in self._read:
                shut_down(connection)

    @contextmanager
    def ending(self, connection: socket.socket) -> Generator[None]:
        """In the block, what reads from the connection fails as soon as the flag is set."""
        with self._lock:
            self._read.add(connection)
            if self.is_set():
                shut_down(connection)
        try:
            yield
        finally:
            with self._lock:
                self._read.discard(connection)


def shut_down(connection: socket.socket) -> None:
    """End a connection from outside of the thread that reads from it."""
    # The plain socket's method: the one of a TLS socket takes away what the blocked read is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
