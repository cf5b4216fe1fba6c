"""A line to a server on loopback that can be cut and mended, and made to swallow answers."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType


class CutLine:
    """``with CutLine(port) as line``: what connects to ``line.port`` is connected to the server at ``port``."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._whole = True
        # A connection breaks after the server has been told this, before its answer arrives.
        self.swallows = b""

    def cut(self) -> None:
        """Break all connections; new ones are closed at once, until ``mend``."""
        self._whole = False
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self) -> None:
        self._whole, self.swallows = True, b""

    def __enter__(self) -> CutLine:
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.cut()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._server))
                self._open += near, far
                broken = Event()
                Thread(target=self._ask, args=(near, far, broken), daemon=True).start()
                Thread(target=self._answer, args=(far, near, broken), daemon=True).start()

    def _ask(self, near: socket.socket, far: socket.socket, broken: Event) -> None:
        with suppress(OSError), near, far:
            while data := near.recv(65_536):
                if self.swallows and self.swallows in data:
                    broken.set()
                far.sendall(data)
            far.shutdown(socket.SHUT_RDWR)

    def _answer(self, far: socket.socket, near: socket.socket, broken: Event) -> None:
        with suppress(OSError), near, far:
            while (data := far.recv(65_536)) and not broken.is_set():
                near.sendall(data)
            near.shutdown(socket.SHUT_RDWR)
