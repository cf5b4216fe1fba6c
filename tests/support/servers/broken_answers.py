"""Answers that no proper server gives, for the loopback servers that let a function write an answer."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any, Protocol


class Handler(Protocol):
    """A ``BaseHTTPRequestHandler``; its ``owner`` knows when it closes."""

    close_connection: bool
    wfile: Any

    @property
    def owner(self) -> Any: ...
    def send_response(self, code: int, message: str | None = None) -> None: ...
    def send_header(self, keyword: str, value: str) -> None: ...
    def end_headers(self) -> None: ...


def hang(handler: Handler) -> None:
    """Accepts the request and says nothing until the server closes."""
    _closing(handler).wait(60)
    handler.close_connection = True


def drip(handler: Handler) -> None:
    """A proper head, then a space every 20 ms without end."""
    _head(handler, 1_000_000)
    for _ in _ticks(handler):
        handler.wfile.write(b" ")


def drip_head(handler: Handler) -> None:
    """A head that never ends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in _ticks(handler):
        handler.wfile.write(b"a")


def break_off(handler: Handler) -> None:
    """Promises more than it sends."""
    _head(handler, 1_000)
    handler.wfile.write(b"The beginning of a story")
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """Closes the connection without a word."""
    handler.close_connection = True


def _head(handler: Handler, length: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.send_header("Content-Length", str(length))
    handler.end_headers()


def _ticks(handler: Handler) -> Iterator[None]:
    while not _closing(handler).wait(0.02):
        yield
    handler.close_connection = True


def _closing(handler: Handler) -> Event:
    closing: Event = handler.owner.closing
    return closing
