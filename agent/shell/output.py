"""What a command prints: both ends of it are kept, as plain text."""

from __future__ import annotations

import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Output:
    """The first ``head`` and the last ``tail`` bytes of what is added; ``total`` says how many there were."""

    def __init__(self, head: int, tail: int) -> None:
        self.total = 0
        self._head, self._tail = head, tail
        self._first, self._last = bytearray(), bytearray()

    def add(self, block: bytes) -> None:
        self.total += len(block)
        room = self._head - len(self._first)
        self._first += block[:room] if room > 0 else b""
        self._last += block[max(room, 0) :]
        if len(self._last) > self._tail * 2:
            del self._last[: -self._tail]

    def text(self) -> str:
        last = bytes(self._last[-self._tail :])
        left_out = self.total - len(self._first) - len(last)
        if left_out <= 0:
            return plain(bytes(self._first) + last)
        return f"{plain(bytes(self._first))}\n… {left_out:,} bytes left out …\n{plain(last)}"


def plain(output: bytes) -> str:
    """As text without colours and control characters; a line that was written over is each of its states."""
    text = output.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text)).rstrip()
