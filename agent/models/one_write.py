"""Sends the head and the body of a request in one write: one packet, and one wake-up of the server, less."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpcore2


class OneWrite(httpcore2.SyncBackend):
    """Connects as ``httpcore2`` does, which writes a head and each piece of a body by itself."""

    def connect_tcp(self, *place: Any, **options: Any) -> httpcore2.NetworkStream:
        return OneWriteStream(super().connect_tcp(*place, **options))


class OneWriteStream(httpcore2.NetworkStream):
    """Holds back what is written until the answer is read."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream
        self._held: list[bytes] = []
        self.close = stream.close
        self.get_extra_info = stream.get_extra_info

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Takes the next piece of a request. ``timeout`` is that of ``read``: both are a server's silence."""
        self._held.append(buffer)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Raises as the stream does, but where it cannot write: what the server said before it closed is read then."""
        if self._held:
            held = b"".join(self._held)
            self._held.clear()
            with suppress(httpcore2.WriteError):
                self._stream.write(held, timeout)
        return self._stream.read(max_bytes, timeout)

    def start_tls(self, *about: Any, **options: Any) -> httpcore2.NetworkStream:
        return OneWriteStream(self._stream.start_tls(*about, **options))
