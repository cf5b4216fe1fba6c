"""From somebody else's JSON Schema to what a tool needs: the schema in our few words, and a model that validates.

Schemas come from tool servers and OpenAPI documents and are hostile until shown otherwise: what is too large, goes
round in circles or cannot be told in one line is cut or left out, so that the checks here are never stricter than the
schema, and what is left out is for the server to check.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Any, Literal, Union, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model
from pydantic_core import to_jsonable_python

from agent.text.plain import plain
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties, required

MOST_NODES = 400
_MOST_DEPTH = 8
_MOST_CHOICES = 100
_MOST_DESCRIPTION = 300  # characters, of a field
_MOST_VALUE = 100  # characters of JSON, of a choice, a default or an example
_NAME = regex(r"[\w$@][\w.$@:/-]{0,63}")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LENGTHS = ("minLength", "maxLength", "minItems", "maxItems")
_LARGEST = 2**53  # of a bound
_NUMBERS = ("integer", "number")
_CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False, coerce_numbers_to_str=True)
_OPEN = ConfigDict(extra="allow", allow_inf_nan=False, coerce_numbers_to_str=True)


class BadSchema(ValueError):
    """Nothing can be called with it; ``str`` is why, to be read after the tool's name."""


@dataclass(slots=True)
class _Reading:
    """One schema being read: where references lead, and how much was read so far."""

    document: JsonValue
    nodes: int = 0
    inside: list[str] = field(default_factory=list[str])


def simplified(schema: JsonValue, document: JsonValue = None) -> Schema:
    """An object's schema in the words that a model is told and that repair knows; references are put in place.

    ``$ref`` leads into ``document``, or into ``schema`` itself. Raises ``BadSchema``.
    """
    reading = _Reading(schema if document is None else document)
    read = _read(schema, reading)
    if read.get("type", "object") != "object":
        raise BadSchema("takes something other than named fields")
    return {"type": "object", "properties": {}, **read}


def _read(node: JsonValue, reading: _Reading) -> dict[str, JsonValue]:
    """``node`` simplified; ``{}``, which anything fits, for what is not understood."""
    reading.nodes += 1
    if reading.nodes > MOST_NODES:
        raise BadSchema("has too many fields")
    if not isinstance(node, dict) or len(reading.inside) > _MOST_DEPTH:
        return {}
    reference = node.get("$ref")
    if isinstance(reference, str):
        if reference in reading.inside:
            return {}
        rest = {key: value for key, value in node.items() if key != "$ref"}
        target = resolved(reference, reading.document)
        node = {**target, **rest} if isinstance(target, dict) else rest
    reading.inside.append(reference if isinstance(reference, str) else "")
    try:
        return _union(node, reading) or _one(_with_all(node, reading), reading)
    finally:
        reading.inside.pop()


def resolved(reference: str, document: JsonValue) -> JsonValue:
    """What a reference within the document points to (RFC 6901), ``None`` where that is nothing or elsewhere."""
    if not reference.startswith("#"):
        return None
    here = document
    for part in filter(None, reference[1:].split("/")[:20]):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict):
            here = here.get(key)
        elif isinstance(here, list) and key.isdecimal() and int(key[:6]) < len(here):
            here = here[int(key[:6])]
        else:
            return None
    return here


def _with_all(node: dict[str, JsonValue], reading: _Reading) -> dict[str, JsonValue]:
    """``allOf`` as one schema: fields of all of them, else what the first one says."""
    parts = node.get("allOf")
    if not isinstance(parts, list):
        return node
    whole = {key: value for key, value in node.items() if key != "allOf"}
    for part in parts[:_MOST_CHOICES]:
        target = resolved(str(part["$ref"]), reading.document) if isinstance(part, dict) and "$ref" in part else part
        if not isinstance(target, dict):
            continue
        fields = {**_mapping(whole.get("properties")), **_mapping(target.get("properties"))}
        needed = [*_names(whole.get("required")), *_names(target.get("required"))]
        whole = {**target, **whole}
        if fields:
            whole |= {"type": "object", "properties": fields, "required": cast("JsonValue", needed)}
    return whole


def _union(node: dict[str, JsonValue], reading: _Reading) -> dict[str, JsonValue]:
    """``anyOf``, ``oneOf``, several types and OpenAPI's ``nullable`` as ``anyOf``; ``{}`` for no union."""
    listed = node.get("anyOf", node.get("oneOf"))
    kinds = node.get("type")
    if isinstance(listed, list) and listed:
        options = [_read(one, reading) for one in listed[:_MOST_CHOICES]]
    elif isinstance(kinds, list):
        options = [_one({**node, "type": kind}, reading) for kind in kinds[:10]]
    elif node.get("nullable") is True and "type" in node:
        options = [_one(node, reading), {"type": "null"}]
    else:
        return {}
    if not options or not all(options):
        return _told(node)
    flat = [inner for option in options for inner in cast("list[JsonValue]", option.get("anyOf", [option]))]
    bare = [{key: value for key, value in one.items() if key != "description"} for one in flat if isinstance(one, dict)]
    return {**_told(node), **(cast("Any", bare[0]) if len(bare) == 1 else {"anyOf": cast("JsonValue", bare)})}


def _one(node: dict[str, JsonValue], reading: _Reading) -> dict[str, JsonValue]:
    told = _told(node)
    if "const" in node and _fits(node["const"]):
        return {**told, "const": node["const"]}
    choices = node.get("enum")
    if isinstance(choices, list) and 0 < len(choices) <= _MOST_CHOICES and all(map(_fits, choices)):
        kind = {"type": node["type"]} if isinstance(node.get("type"), str) else {}
        return {**told, **kind, "enum": choices}
    kind = node.get("type", "object" if "properties" in node else "array" if "items" in node else None)
    if kind == "object":
        return {**told, "type": "object", **_object(node, reading)}
    if kind == "array":
        items = _read(node["items"], reading) if isinstance(node.get("items"), dict) else {}
        return {**told, "type": "array", **({"items": items} if items else {}), **_lengths(node, _LENGTHS[2:])}
    if kind in _NUMBERS:
        return {**told, "type": kind, **_bounds(node, whole=kind == "integer")}
    if kind == "string":
        form = {"format": node["format"]} if node.get("format") in ("date", "date-time") else {}
        return {**told, "type": "string", **form, **({} if form else _lengths(node, _LENGTHS[:2]))}
    return {**told, "type": kind} if kind in ("boolean", "null") else told


def _told(node: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Description, default and one example, each in one line or not at all."""
    said: dict[str, JsonValue] = {}
    if description := plain(node.get("description"), _MOST_DESCRIPTION):
        said["description"] = description
    if node.get("default") is not None and _fits(node["default"]):
        said["default"] = node["default"]
    examples = node.get("examples", [node["example"]] if "example" in node else [])
    if isinstance(examples, list) and examples and _fits(examples[0]):
        said["examples"] = examples[:1]
    return said


def _object(node: dict[str, JsonValue], reading: _Reading) -> dict[str, JsonValue]:
    fields = _mapping(node.get("properties"))
    needed = [name for name in _names(node.get("required")) if name in fields]
    if any(not _NAME.fullmatch(name) for name in needed):
        raise BadSchema("needs a field whose name cannot be used")
    read = {name: _read(inner, reading) for name, inner in fields.items() if _NAME.fullmatch(name)}
    told: dict[str, JsonValue] = {"properties": cast("JsonValue", read)} if read else {}
    if needed:
        told["required"] = cast("JsonValue", needed)
    others = node.get("additionalProperties")
    if others is False:
        told["additionalProperties"] = False
    elif isinstance(others, dict) and not read:
        told["additionalProperties"] = _read(others, reading)
    return told


def _bounds(node: Mapping[str, JsonValue], whole: bool) -> dict[str, JsonValue]:
    """Not OpenAPI 3.0's ``exclusiveMinimum: true``, which is none; of a whole number, not ``1.5`` either."""
    kinds = (int,) if whole else (int, float)
    return {
        name: node[name]
        for name in _BOUNDS
        if isinstance(value := node.get(name), kinds) and not isinstance(value, bool) and abs(value) < _LARGEST
    }


def _lengths(node: Mapping[str, JsonValue], names: Sequence[str]) -> dict[str, JsonValue]:
    return {
        name: node[name]
        for name in names
        if isinstance(value := node.get(name), int) and not isinstance(value, bool) and 0 <= value < _LARGEST
    }


def _fits(value: JsonValue) -> bool:
    """Whether a value can stand in a prompt as it is: short, and with nothing in it that does not show."""
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return False
    return len(written) <= _MOST_VALUE and plain(written, _MOST_VALUE) == " ".join(written.split()) == written


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _names(value: JsonValue) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


class _Unset:
    """In place of an argument that was not given; the server has its own default."""

    def __repr__(self) -> str:
        return "not given"


_UNSET: Any = _Unset()


def _is_unset(value: object) -> bool:
    return isinstance(value, _Unset)


def given(arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
    """What ``Tool.call`` hands to the function of a tool made with ``validator``, as JSON: what was given, no more."""
    return {name: to_jsonable_python(value, by_alias=True) for name, value in arguments.items() if not _is_unset(value)}


def validator(parameters: Schema, closed: bool = True) -> type[BaseModel]:
    """A model for a ``simplified`` schema; arguments that were not given stay out. ``closed`` refuses other fields."""
    needed = required(parameters)
    fields: dict[str, Any] = {}
    for index, (name, schema) in enumerate(properties(parameters).items()):
        kind = _kind(cast("Schema", schema))
        if name in needed:
            fields[f"field_{index}"] = (kind, Field(alias=name))
        else:
            fields[f"field_{index}"] = (kind, Field(default=_UNSET, alias=name, exclude_if=_is_unset))
    return create_model("Arguments", __config__=_CONFIG if closed else _OPEN, **fields)


def _kind(schema: Schema) -> Any:
    if "const" in schema or "enum" in schema:
        choices = cast("list[Any]", schema.get("enum", [schema.get("const")]))
        return Literal[tuple(choices)] if all(not isinstance(one, dict | list) for one in choices) else Any
    if "anyOf" in schema:
        return Union[tuple(_kind(one) for one in cast("list[Schema]", schema["anyOf"]))]  # noqa: UP007 - from a list
    bounds: dict[str, Any] = {
        ours: schema[theirs]
        for theirs, ours in zip(
            (*_BOUNDS, *_LENGTHS),
            ("ge", "le", "gt", "lt", "min_length", "max_length", "min_length", "max_length"),
            strict=True,
        )
        if theirs in schema
    }
    kind = _plain_kind(schema)
    return Annotated[kind, Field(**bounds)] if bounds else kind


def _plain_kind(schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "string":
        return {"date": date, "date-time": datetime}.get(str(schema.get("format")), str)
    if kind == "array":
        item = _kind(cast("Schema", schema.get("items", {})))
        return list[item]
    if kind == "object":
        if "properties" in schema:
            return validator(schema, closed=schema.get("additionalProperties") is False)
        others = schema.get("additionalProperties")
        return dict[str, _kind(others) if isinstance(others, dict) and others else Any]
    return {"integer": int, "number": float, "boolean": bool, "null": None}.get(str(kind), Any)
