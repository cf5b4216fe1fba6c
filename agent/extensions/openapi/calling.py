"""One request of an operation: put together from arguments, sent to the one address, answered as text for a model."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from ssl import SSLContext
from time import monotonic
from typing import Any
from urllib.parse import quote

from pydantic import JsonValue

from agent.errors import BadRequest, ToolFailed
from agent.extensions.mcp.mcp_results import visible
from agent.extensions.openapi.operations import KeyPlace, Operation
from agent.interface_text import Text
from agent.settings import Secret
from agent.toolkit.base import ToolResult, artifact
from agent.web.endpoint import pinned

MOST_BYTES = 3_000_000
_LONGEST_TEXT = 1_000  # characters, of a value in JSON
_MOST_ITEMS = 60  # of a list in JSON
_MOST_DEPTH = 30
_KINDS = {401: "key", 403: "key", 404: "nothing", 429: "quota", 400: "input", 405: "refused", 422: "input"}
_SAID = {
    "key": "does not take the key, or asks for one",
    "nothing": "has nothing there",
    "quota": "takes no more requests for now",
    "input": "does not take these arguments",
    "elsewhere": "leads to another address, which is not followed: neither the arguments nor the key go there",
}


@dataclass(frozen=True, slots=True)
class Service:
    """Where requests go. ``private_allowed`` says whether that may be an address that is not public."""

    name: str
    base: str
    key: Secret
    key_place: KeyPlace
    private_allowed: bool
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    kind: str
    content: bytes


def call(service: Service, operation: Operation, arguments: Mapping[str, JsonValue]) -> ToolResult:
    """Raises ``ToolFailed``."""
    url, query, headers, body = request(service, operation, arguments)
    answer = fetch(operation.method, url, query, headers, body, service.private_allowed, service.seconds)
    return _read(service, replace(answer, content=service.key.hidden_in(answer.content)))


def request(
    service: Service, operation: Operation, arguments: Mapping[str, JsonValue]
) -> tuple[str, list[tuple[str, str]], dict[str, str], JsonValue]:
    """Address, query, headers and body. Nothing in an argument can lead to another path or host."""
    path = operation.path
    query: list[tuple[str, str]] = []
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    body: JsonValue = None
    for argument, value in arguments.items():
        field = operation.fields[argument]
        if field.place == "body":
            body = value
        elif field.place == "query":
            query += [(field.name, _written(one)) for one in (value if isinstance(value, list) else [value])]
        elif field.place == "path":
            path = path.replace(f"{{{field.name}}}", _segment(_joined(value)))
        else:
            headers[field.name] = "".join(one for one in _joined(value) if one.isascii() and one.isprintable())
    if "{" in path:
        raise ToolFailed("A part of the address is not described in the document. It cannot be called.", "refused")
    if service.key:
        place, key = service.key_place, service.key.reveal()
        if place.before == "Basic " and ":" in key:
            key = base64.b64encode(key.encode()).decode()
        if place.place == "query":
            query = [pair for pair in query if pair[0] != place.name] + [(place.name, key)]
        else:
            headers = {name: value for name, value in headers.items() if name.lower() != place.name.lower()}
            headers[place.name] = place.before + key
    return service.base + path, query, headers, body


def _segment(text: str) -> str:
    if text in ("", ".", ".."):
        raise ToolFailed("A part of the address is missing, or leads elsewhere. Give its value.", "input")
    return quote(text, safe="")


def _joined(value: JsonValue) -> str:
    return ",".join(map(_written, value)) if isinstance(value, list) else _written(value)


def _written(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def fetch(
    method: str,
    url: str,
    query: list[tuple[str, str]],
    headers: Mapping[str, str],
    body: JsonValue,
    private_allowed: bool,
    seconds: float,
) -> Answer:
    """Ask the one server, follow nothing, read within bounds. Raises ``ToolFailed``; no sentence holds the address."""
    import httpx2

    ends = monotonic() + seconds
    try:
        address = pinned(url, private_allowed)
    except BadRequest as error:
        raise ToolFailed(str(error), "refused") from None
    more: dict[str, Any] = {} if body is None else {"json": body}
    if query:
        more["params"] = query
    content = bytearray()
    try:
        with httpx2.Client(verify=_certificates(), timeout=httpx2.Timeout(seconds), trust_env=False) as client:
            asked = client.build_request(method, url, headers=dict(headers), **more)
            if address:
                asked.extensions = {**asked.extensions, "sni_hostname": asked.url.host}
                asked.url = asked.url.copy_with(host=address)
            response = client.send(asked, stream=True, follow_redirects=False)
            try:
                for chunk in response.iter_raw():
                    content += chunk
                    if len(content) > MOST_BYTES:
                        raise ToolFailed("The service sent too much. Ask for less.", "refused")
                    if monotonic() > ends:
                        raise ToolFailed("The service did not answer in time. Ask for less, or try later.", "timeout")
            finally:
                response.close()
    except httpx2.TimeoutException:
        raise ToolFailed("The service did not answer in time. Ask for less, or try later.", "timeout") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError):
        raise ToolFailed("The service cannot be reached, or broke off. Go on without it.", "network") from None
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Answer(response.status_code, kind, bytes(content))


@cache
def _certificates() -> SSLContext:
    """Whose certificates are trusted, read once in a process: 30 ms of work."""
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


def _read(service: Service, answer: Answer) -> ToolResult:
    try:
        value: JsonValue = json.loads(answer.content)
        text = json.dumps(compact(value), ensure_ascii=False, separators=(",", ":"))
        whole = (artifact("json", Text("Whole answer"), json.dumps(value).encode()),)
    except (ValueError, RecursionError):
        value, whole = None, ()
        readable = answer.kind.startswith("text/") or not answer.kind
        text = answer.content.decode("utf-8", "replace").strip() if readable else ""
    if answer.status >= 300:
        kind = _KINDS.get(answer.status, "network" if answer.status >= 500 else "refused")
        what = _SAID.get("elsewhere" if answer.status < 400 else kind, "could not do it")
        said = visible(text)[:500]
        raise ToolFailed(f"{service.name} {what} (HTTP {answer.status}).{f' {said}' if said else ''}", kind)
    if not text and answer.content:
        return ToolResult(f"({len(answer.content):,} bytes of the type {answer.kind}, which cannot be shown here.)")
    return ToolResult(visible(text) or "Done; nothing was given back.", whole)


def compact(value: JsonValue, depth: int = 0) -> JsonValue:
    """JSON with what says nothing left out, long texts cut and long lists counted."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]}… ({len(value):,} characters)"
    if depth == _MOST_DEPTH and isinstance(value, dict | list):
        return "…"
    if isinstance(value, dict):
        return {key[:100]: compact(one, depth + 1) for key, one in value.items() if one not in (None, "", [], {})}
    if isinstance(value, list):
        rest = [f"… {len(value) - _MOST_ITEMS:,} more"] if len(value) > _MOST_ITEMS else []
        return [*(compact(one, depth + 1) for one in value[:_MOST_ITEMS]), *rest]
    return value
