"""The body of an answer: unpacked and bounded while it arrives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol
from zlib import MAX_WBITS, decompressobj
from zlib import error as BadCompression

import httpcore2

from agent.errors import ToolFailed

ENCODINGS = "gzip, deflate"


class _Unpacking(Protocol):
    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes: ...


def read_body(chunks: Iterator[bytes], encoding: str, most: int) -> tuple[bytes, str]:
    """The unpacked body up to ``most`` bytes, and why it ends early: ``large``, ``broken`` or "".

    Raises ``ToolFailed`` for a packing that was not asked for, and lets ``httpcore2.TimeoutException`` pass.
    """
    body = bytearray()
    unpack = _unpacking(encoding)
    try:
        for chunk in chunks:
            body += unpack.decompress(chunk, most + 1 - len(body)) if unpack else chunk
            if len(body) > most:
                return bytes(body[:most]), "large"
    except (httpcore2.NetworkError, httpcore2.ProtocolError, BadCompression):
        return bytes(body), "broken"
    return bytes(body), ""


def _unpacking(encoding: str) -> _Unpacking | None:
    match encoding.strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return decompressobj(MAX_WBITS | 16)
        case "deflate":
            return _Deflate()
        case _:
            raise ToolFailed("The page came packed in a way that cannot be read. Use another source.", "refused")


class _Deflate:
    """What servers mean by deflate: with a zlib head, as it is specified, or without."""

    def __init__(self) -> None:
        self._unpack: _Unpacking | None = None

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes:
        if self._unpack is None:
            try:
                first = decompressobj()
                unpacked = first.decompress(data, max_length)
            except BadCompression:
                first = decompressobj(-MAX_WBITS)
                unpacked = first.decompress(data, max_length)
            self._unpack = first
            return unpacked
        return self._unpack.decompress(data, max_length)
