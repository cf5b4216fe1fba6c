"""The app's end of a worker's channel: what comes from there may be anything."""

from __future__ import annotations

import select
import socket
from contextlib import suppress

from agent.sandbox import frames
from agent.sandbox.launcher import Process
from agent.sandbox.sandbox_errors import WorkerKilled

READ_BYTES = 1 << 20


def readable(process: Process) -> bool:
    """Whether the worker said something unasked, or has ended."""
    waiting = select.poll()
    waiting.register(process.channel, select.POLLIN)
    waiting.register(process.end, select.POLLIN)
    return bool(waiting.poll(0))


class Talk:
    """One message to a worker, and its reply, bit by bit; ``reply`` is ``None`` until it is whole."""

    def __init__(self, channel: socket.socket, message: bytes) -> None:
        self.reply: bytes | None = None
        self._channel = channel
        self._rest = memoryview(message)
        self._said = bytearray()

    def go_on(self, seconds: float) -> None:
        """Wait for at most that long. Raises ``OSError`` at the end, and ``WorkerKilled`` for more than it may say."""
        waiting = select.poll()
        waiting.register(self._channel, select.POLLOUT if self._rest else select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return
        with suppress(BlockingIOError):
            if self._rest:
                self._rest = self._rest[self._channel.send(self._rest) :]
            elif part := self._channel.recv(READ_BYTES):
                self._hear(part)
            else:
                raise BrokenPipeError

    def _hear(self, part: bytes) -> None:
        self._said += part
        if len(self._said) < frames.HEAD.size:
            return
        size = frames.HEAD.unpack_from(self._said)[0]
        body = len(self._said) - frames.HEAD.size
        if size > frames.MOST_BYTES or body > size:
            raise WorkerKilled("died", "It answered more than it may.")
        if body == size:
            self.reply = bytes(self._said[frames.HEAD.size :])
