"""The services of the settings: their documents read once, their operations as tools."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue

from agent.errors import BadRequest, ToolFailed
from agent.mcp_client.described import Described
from agent.mcp_client.servers import Server, ServerState, server_keys
from agent.models.endpoint import check_address
from agent.openapi.calling import Service, call, fetch
from agent.openapi.operations import Operation, base_url, key_place, operations
from agent.settings import Secret, Settings
from agent.tools.arguments.foreign import given, validator
from agent.tools.base import Tool, ToolResult

_AGAIN_SECONDS = 60.0
_READ_SECONDS = 10.0
_MOST_BYTES = 5_000_000


class Services:
    """Safe between threads. A document that cannot be read is tried again, not sooner than after a minute."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._keys = server_keys(settings) if settings.openapi else {}
        self._known: dict[str, tuple[ServerState, tuple[Tool, ...], float]] = {}

    def states(self) -> tuple[ServerState, ...]:
        return tuple(self._of(name, where)[0] for name, where in self._settings.openapi)

    def tools(self) -> tuple[Tool, ...]:
        return tuple(tool for name, where in self._settings.openapi for tool in self._of(name, where)[1])

    def _of(self, name: str, where: str) -> tuple[ServerState, tuple[Tool, ...], float]:
        with self._lock:
            known = self._known.get(name)
            if known is None or (known[0].kind == "failed" and monotonic() - known[2] > _AGAIN_SECONDS):
                known = (*self._read(name, where), monotonic())
                self._known[name] = known
            return known

    def _read(self, name: str, where: str) -> tuple[ServerState, tuple[Tool, ...]]:
        server = Server(name, url=where, owners=True)
        try:
            document = _document(where)
            base = base_url(document, where)
            # The owner vouches for where the document is; what it names elsewhere is held to the visitors' rule.
            same = urlsplit(base).hostname == urlsplit(where).hostname
            private_allowed = self._settings.private_addresses or same
            check_address(base, private_allowed)
        except (BadRequest, ToolFailed) as error:
            return ServerState(server, "failed", str(error)), ()
        found, told = operations(name, document, self._settings.openapi_methods)
        key = self._keys.get(name, Secret())
        service = Service(name, base, key, key_place(document), private_allowed)
        shown = tuple(Described(one.name, one.name, one.description, one.parameters, one.hints, "") for one in found)
        return ServerState(server, "ready", tools=shown, told=told), tuple(_tool(service, one) for one in found)


def _tool(service: Service, operation: Operation) -> Tool:
    def ask(**arguments: Any) -> ToolResult:
        return call(service, operation, given(arguments))

    return Tool(
        operation.name,
        operation.description,
        operation.parameters,
        service.seconds + 10,
        "api",
        ask,
        validator(operation.parameters),
        operation.hints,
    )


def _document(where: str) -> dict[str, JsonValue]:
    if where.startswith(("http://", "https://")):
        answer = fetch("GET", where, [], {"Accept": "application/json"}, None, True, _READ_SECONDS)
        if answer.status != 200:
            raise BadRequest(f"Its document cannot be read (HTTP {answer.status}).")
        content = answer.content
    else:
        try:
            content = Path(where).read_bytes()
        except OSError:
            raise BadRequest("The file of its document cannot be read.") from None
    try:
        document: object = json.loads(content[:_MOST_BYTES])
    except (ValueError, RecursionError):
        raise BadRequest("Its document is not JSON.") from None
    if not isinstance(document, dict):
        raise BadRequest("It is no OpenAPI 3 document.")
    return document  # pyright: ignore[reportUnknownVariableType]
