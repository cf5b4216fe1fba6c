"""The services of the settings: their documents read once, their operations as tools."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue

from agent.errors import BadRequest, ToolFailed
from agent.extensions.mcp.described import Described, Server, ServerState, server_keys
from agent.extensions.openapi.calling import Service, call, fetch
from agent.extensions.openapi.operations import Operation, base_url, key_place, operations
from agent.interface_text import Text
from agent.settings import Secret, Settings
from agent.toolkit.arguments.foreign import given, validator
from agent.toolkit.base import Effect, Tool, ToolResult
from agent.web.endpoint import check_address

_AGAIN_SECONDS = 60.0
_READ_SECONDS = 10.0
_MOST_BYTES = 5_000_000
_log = logging.getLogger(__name__)
_NOT_ITS_HOST = Text(
    "Its document names another server than the one it comes from, and the key is not sent there. Where that server is "
    "right, the owner names it in GLASSBOX_OPENAPI_HOSTS."
)


@dataclass(frozen=True, slots=True)
class _Known:
    state: ServerState
    tools: tuple[Tool, ...] = ()
    at: float = 0.0


class Services:
    """Safe between threads. A document that cannot be read is tried again, not sooner than after a minute."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._changed = Condition()
        self._keys = server_keys(settings) if settings.openapi else {}
        self._known: dict[str, _Known] = {}

    def states(self, wait: float = 0.0) -> tuple[ServerState, ...]:
        """Begins to read what was not read yet, and waits for it so many seconds."""
        ends = monotonic() + wait
        for name, where in self._settings.openapi:
            self._begin(name, where)
        with self._changed:
            while any(known.state.kind == "connecting" for known in self._known.values()) and monotonic() < ends:
                self._changed.wait(ends - monotonic())
            return tuple(self._known[name].state for name, _ in self._settings.openapi)

    def tools(self) -> tuple[Tool, ...]:
        """Those of the documents that were read."""
        with self._changed:
            return tuple(tool for known in self._known.values() for tool in known.tools)

    def _begin(self, name: str, where: str) -> None:
        with self._changed:
            known = self._known.get(name)
            if known and (known.state.kind != "failed" or monotonic() - known.at < _AGAIN_SECONDS):
                return
            self._known[name] = _Known(ServerState(Server(name, url=where, owners=True)))
        Thread(target=self._finish, args=(name, where), name="services: read", daemon=True).start()

    def _finish(self, name: str, where: str) -> None:
        state, tools = self._read(name, where)
        with self._changed:
            self._known[name] = _Known(state, tools, monotonic())
            self._changed.notify_all()

    def _read(self, name: str, where: str) -> tuple[ServerState, tuple[Tool, ...]]:
        server = Server(name, url=where, owners=True)
        try:
            document = _document(where)
            base = base_url(document, where)
            # The owner vouches for where the document is; what it names elsewhere is held to the visitors' rule.
            vouched = self._vouched(name, where, base)
            private_allowed = self._settings.private_addresses or vouched
            check_address(base, private_allowed)
            key = self._keys.get(name, Secret())
            if key and not vouched:
                _log.warning("the key of the service %s is kept back: its document names %s", name, base)
                raise BadRequest(_NOT_ITS_HOST)
        except (BadRequest, ToolFailed) as error:
            return ServerState(server, "failed", error.text), ()
        found, told = operations(name, document, self._settings.openapi_methods)
        service = Service(name, base, key, key_place(document), private_allowed)
        trusted = self._settings.trusted
        tools = tuple(_tool(service, one, name in trusted or one.name in trusted) for one in found)
        shown = tuple(
            Described(one.name, one.name, one.description, one.parameters, one.hints, "", one.model) for one in tools
        )
        return ServerState(server, "ready", tools=shown, told=told), tools

    def _vouched(self, name: str, where: str, base: str) -> bool:
        """Whether ``base`` is at the document's own place, or at the one that the owner names for the service."""
        owners = dict(self._settings.openapi_hosts).get(name, "")
        named = owners if not owners or "://" in owners else f"https://{owners}"
        return _place(base) in [_place(address) for address in (where, named) if address.startswith("http")]


def _place(address: str) -> tuple[str, str, int]:
    """Scheme, host and port."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)


def _tool(service: Service, operation: Operation, trusted: bool) -> Tool:
    def ask(**arguments: Any) -> ToolResult:
        return call(service, operation, given(arguments))

    # By the method of HTTP that is sent, which is no hint: the owner chose the service and its methods.
    effect: Effect = "reaches" if trusted or operation.method == "GET" else "acts"
    told = operation.name, operation.description, operation.parameters
    model, hints = validator(operation.parameters), operation.hints
    return Tool(*told, service.seconds + 10, "api", ask, model, hints=hints, effect=effect)


def _document(where: str) -> dict[str, JsonValue]:
    if where.startswith(("http://", "https://")):
        answer = fetch("GET", where, [], {"Accept": "application/json"}, None, True, _READ_SECONDS)
        if answer.status != 200:
            raise BadRequest.because("Its document cannot be read (HTTP {status}).", status=answer.status)
        content = answer.content
    else:
        try:
            content = Path(where).read_bytes()
        except OSError:
            raise BadRequest.because("The file of its document cannot be read.") from None
    try:
        document: object = json.loads(content[:_MOST_BYTES])
    except (ValueError, RecursionError):
        raise BadRequest.because("Its document is not JSON.") from None
    if not isinstance(document, dict):
        raise BadRequest.because("It is no OpenAPI 3 document.")
    return document  # pyright: ignore[reportUnknownVariableType]
