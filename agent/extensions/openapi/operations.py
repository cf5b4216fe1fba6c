"""From an OpenAPI 3 document, which may hold anything, to operations that can be called. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast
from urllib.parse import urljoin, urlsplit

from pydantic import JsonValue

from agent.errors import BadRequest
from agent.extensions.mcp.described import legal_name, one_line
from agent.interface_text import Text
from agent.text.plain import plain
from agent.toolkit.arguments.foreign import BadSchema, resolved, simplified
from agent.toolkit.arguments.signature import Schema
from agent.toolkit.base import Hints

MOST_OPERATIONS = 60
_MOST_DESCRIPTION = 600
_PLACES = ("path", "query", "header")
# What would change the request itself, or pass for the key.
_NOT_FROM_A_MODEL = {"host", "content-length", "transfer-encoding", "connection", "authorization", "cookie", "accept"}
Place = Literal["path", "query", "header", "body"]


@dataclass(frozen=True, slots=True)
class Field:
    """Where an argument goes in a request, and what it is called there."""

    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """``path`` has ``{names}`` in it, of the fields of the place ``path``; ``fields`` are by argument."""

    name: str
    method: str
    path: str
    description: str
    parameters: Schema
    fields: Mapping[str, Field]
    hints: Hints


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the key goes: a header or a field of the query, after ``before``."""

    place: Literal["header", "query"]
    name: str
    before: str = ""


def base_url(document: Mapping[str, JsonValue], where: str) -> str:
    """The address under which the paths are: fixed here, once. Raises ``BadRequest`` where there is none."""
    if not str(document.get("openapi", "")).startswith("3."):
        raise BadRequest.because("It is no OpenAPI 3 document.")
    servers = document.get("servers")
    first = servers[0] if isinstance(servers, list) and servers else None
    written = first.get("url", "/") if isinstance(first, dict) else "/"
    url = urljoin(where, str(written)) if where.startswith(("http://", "https://")) else str(written)
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc and "{" not in url
        valid = valid and url.isprintable() and " " not in url and not parts.query and not parts.fragment
    except ValueError:
        valid = False
    if not valid:
        raise BadRequest.because("The document names no address of its server that can be used.")
    return url.rstrip("/")


def key_place(document: Mapping[str, JsonValue]) -> KeyPlace:
    """Where the document wants the key; as a bearer token where it does not say."""
    components = document.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    for scheme in schemes.values() if isinstance(schemes, dict) else ():
        if not isinstance(scheme, dict):
            continue
        name = str(scheme.get("name", ""))
        if scheme.get("type") == "apiKey" and scheme.get("in") in ("header", "query") and _is_token(name):
            return KeyPlace("query" if scheme["in"] == "query" else "header", name)
        if scheme.get("type") == "http" and scheme.get("scheme") == "basic":
            return KeyPlace("header", "Authorization", "Basic ")
    return KeyPlace("header", "Authorization", "Bearer ")


def operations(
    service: str, document: Mapping[str, JsonValue], methods: Sequence[str]
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations of the allowed methods, and a sentence for each that cannot be used."""
    made: dict[str, Operation] = {}
    told: list[str] = []
    for method, path, shared, operation in _listed(document, methods):
        if len(made) == MOST_OPERATIONS:
            told.append(Text("Only the first {most} operations are used.", most=MOST_OPERATIONS))
            break
        called = plain(operation.get("operationId") or f"{method} {path}", 100)
        try:
            name = legal_name(service, called if "operationId" in operation else called.lower(), made)
            made[name] = _operation(service, name, method, path, shared, operation, document)
        except BadSchema as problem:
            told.append(Text("‘{called}’ is left out: it {problem}.", called=called, problem=problem.args[0]))
    return tuple(made.values()), tuple(told)


Listed = tuple[str, str, list[JsonValue], dict[str, JsonValue]]


def _listed(document: Mapping[str, JsonValue], methods: Sequence[str]) -> Iterator[Listed]:
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        if not isinstance(item, dict) or not path.startswith("/") or not path.isprintable() or " " in path:
            continue
        shared = item.get("parameters")
        for method in methods:
            operation = item.get(method.lower())
            if isinstance(operation, dict):
                yield method, path, shared if isinstance(shared, list) else [], operation


def _operation(
    service: str,
    name: str,
    method: str,
    path: str,
    shared: list[JsonValue],
    operation: dict[str, JsonValue],
    document: Mapping[str, JsonValue],
) -> Operation:
    whole = cast("JsonValue", document)
    own = operation.get("parameters")
    parameters: dict[tuple[str, str], dict[str, JsonValue]] = {}
    for each in [*shared, *(own if isinstance(own, list) else [])]:
        parameter = _followed(each, whole)
        parameters[str(parameter.get("in")), str(parameter.get("name"))] = parameter
    properties: dict[str, JsonValue] = {}
    needed: list[JsonValue] = []
    fields: dict[str, Field] = {}
    for (place, called), parameter in parameters.items():
        if place not in _PLACES or (place == "header" and not _may_be_header(called)):
            if parameter.get("required") is True:
                raise BadSchema(Text("needs a {field} field, which is not sent", field=plain(place, 20)))
            continue
        argument = called if called not in fields else f"{place}_{called}"
        fields[argument] = Field(cast("Place", place), called)
        properties[argument] = _described(parameter, whole)
        if parameter.get("required") is True or place == "path":
            needed.append(argument)
    if method not in ("GET", "DELETE"):
        _add_body(operation, whole, properties, needed, fields)
    schema: JsonValue = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    said = one_line(operation.get("description") or operation.get("summary") or "", _MOST_DESCRIPTION)
    description = f"{method} {plain(path, 100)} of the service “{service}”" + (f": {said}" if said else ".")
    hints = Hints(service, read_only=method == "GET", destructive=method == "DELETE", open_world=True)
    return Operation(name, method, path, description, simplified(schema, whole), fields, hints)


def _add_body(
    operation: dict[str, JsonValue],
    document: JsonValue,
    properties: dict[str, JsonValue],
    needed: list[JsonValue],
    fields: dict[str, Field],
) -> None:
    body = _followed(operation.get("requestBody"), document)
    contents = body.get("content")
    content = contents.get("application/json") if isinstance(contents, dict) else None
    if not isinstance(content, dict):
        if body.get("required") is True:
            raise BadSchema(Text("wants something other than JSON"))
        return
    argument = "body" if "body" not in fields else "request_body"
    fields[argument] = Field("body", "")
    properties[argument] = content.get("schema", {})
    if body.get("required") is True:
        needed.append(argument)


def _described(parameter: dict[str, JsonValue], document: JsonValue) -> JsonValue:
    schema = _followed(parameter.get("schema"), document)
    said = {key: parameter[key] for key in ("description", "example") if key in parameter}
    return {**schema, **said}


def _followed(value: JsonValue, document: JsonValue) -> dict[str, JsonValue]:
    """An object, or the one that it refers to."""
    for _ in range(5):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            break
        value = resolved(str(value["$ref"]), document)
    return value if isinstance(value, dict) else {}


def _may_be_header(name: str) -> bool:
    folded = name.lower()
    return (
        _is_token(name) and folded not in _NOT_FROM_A_MODEL and not folded.startswith(("proxy-", "sec-", "x-forwarded"))
    )


def _is_token(name: str) -> bool:
    return name.isascii() and 0 < len(name) <= 64 and all(one.isalnum() or one in "-_.[]" for one in name)
