"""Connections that go to a checked address and nowhere else, and end at a time that is set before they begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ssl import SSLContext
from time import monotonic
from typing import Any, Protocol

import httpcore2

from agent.errors import ToolFailed
from agent.web.fetching.address_guard import Address, is_metadata, is_public, look_up, read_address
from agent.web.fetching.urls import Target, not_public

_MOST_TRIES = 3  # of a name's addresses
_CONNECT_SECONDS = 5.0


class Network(Protocol):
    """What is outside: names and connections. Tests bring their own, the checks between the two stay."""

    def look_up(self, host: str, seconds: float) -> Sequence[Address]:
        """All addresses of a name, or none."""
        ...

    def connect(self, address: Address, port: int, seconds: float) -> httpcore2.NetworkStream:
        """A connection to this address; raises ``httpcore2.ConnectError`` or ``ConnectTimeout``."""
        ...


class Internet:
    def look_up(self, host: str, seconds: float) -> Sequence[Address]:
        return look_up(host, seconds)

    def connect(self, address: Address, port: int, seconds: float) -> httpcore2.NetworkStream:
        return httpcore2.SyncBackend().connect_tcp(str(address), port, timeout=seconds)


def checked_addresses(target: Target, network: Network, seconds: float) -> Sequence[Address]:
    """Where the target's host is now. Raises ``ToolFailed`` where *any* of its addresses is not public."""
    written = read_address(target.host)
    addresses = [written] if written is not None else network.look_up(target.host, seconds)
    if not addresses:
        message = f"There is no server named {target.host}. Check the address, or search for the page."
        raise ToolFailed(message, "network")
    if any(is_metadata(address) or not (target.private or is_public(address)) for address in addresses):
        raise not_public()
    return sorted(addresses, key=lambda address: address.version)


class Pinned(httpcore2.NetworkBackend):
    """Connects to one target, at addresses that are looked up and checked right then.

    The name stays the one in ``Host`` and in TLS. After ``ends`` (of ``time.monotonic``) nothing is read or written.
    """

    def __init__(self, target: Target, network: Network, ends: float) -> None:
        self._target = target
        self._network = network
        self._ends = ends

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        if (host, port) != (self._target.host, self._target.port):
            raise not_public()
        addresses = checked_addresses(self._target, self._network, left(self._ends, _CONNECT_SECONDS))[:_MOST_TRIES]
        for address in addresses[:-1]:
            try:
                return self._connect(address)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return self._connect(addresses[-1])

    def _connect(self, address: Address) -> httpcore2.NetworkStream:
        stream = self._network.connect(address, self._target.port, left(self._ends, _CONNECT_SECONDS))
        return _Ending(stream, self._ends)


class _Ending(httpcore2.NetworkStream):
    """A stream whose every wait ends at ``ends``, however the server spreads its bytes."""

    def __init__(self, stream: httpcore2.NetworkStream, ends: float) -> None:
        self._stream = stream
        self._ends = ends

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, left(self._ends))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, left(self._ends))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Ending(self._stream.start_tls(ssl_context, server_hostname, left(self._ends)), self._ends)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def left(ends: float, most: float = float("inf")) -> float:
    """Seconds until ``ends``, at most ``most``; raises ``httpcore2.ReadTimeout`` when there are none."""
    seconds = min(ends - monotonic(), most)
    if seconds <= 0:
        raise httpcore2.ReadTimeout("the time for this page is over")
    return seconds
