"""Messages between the app and a worker: four bytes of length, most significant first, and JSON."""

from __future__ import annotations

import json
import os
import struct
from typing import Any, cast

HEAD = struct.Struct(">I")
# Of a message either way.
MOST_BYTES = 16 << 20
MOST_DEPTH = 100
# Of values: an empty list is three bytes of JSON and fifty-six of memory.
MOST_PARTS = 2_000_000


def packed(value: object) -> bytes:
    """Raises ``ValueError`` where it is no JSON or too long."""
    body = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    check_size(body)
    return HEAD.pack(len(body)) + body


def read_exactly(channel: int, size: int) -> bytes:
    """Raises ``EOFError`` at the end."""
    parts: list[bytes] = []
    while size:
        part = os.read(channel, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def receive(channel: int) -> Any:
    """The next message from the app; for the worker, which trusts it."""
    return json.loads(read_exactly(channel, HEAD.unpack(read_exactly(channel, HEAD.size))[0]))


def send(channel: int, value: object) -> None:
    rest = memoryview(packed(value))
    while rest:
        rest = rest[os.write(channel, rest) :]


def unpacked(body: bytes) -> dict[str, Any]:
    """What a worker said, which may be anything: an object of plain JSON, not nested without end, all text valid.

    Raises ``ValueError``. Infinities and "not a number" become ``None``.
    """
    check_size(body)
    try:
        value: Any = json.loads(body, parse_constant=lambda _: None)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(value, dict):
        raise ValueError("not an object")
    whole = cast(dict[str, Any], value)
    check_depth(whole)
    if b"\\ud" in body.lower():
        whole = json.loads(json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace"))
    return whole


def check_size(body: bytes) -> None:
    """Raises ``ValueError``. Commas and brackets in texts count, too."""
    if len(body) > MOST_BYTES or sum(map(body.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise ValueError("the message is too long")


def check_depth(value: Any) -> None:
    """Raises ``ValueError``."""
    level: list[Any] = [value]
    for _ in range(MOST_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += cast(dict[str, Any], item).values()
            elif isinstance(item, list):
                inner += cast(list[Any], item)
        if not inner:
            return
        level = inner
    raise ValueError("nested too deep")
