"""From a tool's JSON Schema to a form, and from what was filled in to the text of a call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias, cast

from pydantic import JsonValue

from agent.toolkit.arguments.schema_text import expected
from agent.toolkit.arguments.signature import Schema, properties, required, without_null

FieldKind: TypeAlias = Literal["text", "long", "integer", "number", "boolean", "choice", "date", "list", "json"]
_LONG = {"sql", "code", "program", "script", "text", "body", "content", "document", "question", "command"}
_LONG_FROM = 300  # characters that are allowed
_LARGEST = 2**53 - 1  # what a browser can count to


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form. ``expected`` says in words what it takes; ``low`` and ``high`` are its bounds.

    The ``default`` of a field that may be left out is what the tool takes then.
    """

    name: str
    kind: FieldKind
    expected: str
    required: bool = True
    default: JsonValue = None
    meaning: str = ""
    choices: tuple[JsonValue, ...] = ()
    low: float | None = None
    high: float | None = None


def fields(parameters: Schema, language: str = "en") -> tuple[Field, ...]:
    """The fields of a call, in the order of the signature; what each takes is told in that ``language``."""
    needed = required(parameters)
    return tuple(
        _field(name, cast("Schema", schema), name in needed, language)
        for name, schema in properties(parameters).items()
    )


def _field(name: str, schema: Schema, needed: bool, language: str) -> Field:
    inner = without_null(schema)
    choices = inner.get("enum", [inner["const"]] if "const" in inner else [])
    return Field(
        name,
        _kind(name, inner),
        expected(schema, language),
        needed,
        schema.get("default"),
        str(schema.get("description", inner.get("description", ""))),
        tuple(cast("list[JsonValue]", choices)),
        _bound(inner, "minimum"),
        _bound(inner, "maximum"),
    )


def _kind(name: str, schema: Schema) -> FieldKind:
    kind, items, longest = schema.get("type"), schema.get("items"), schema.get("maxLength")
    match kind:
        case _ if "enum" in schema or "const" in schema:
            return "choice"
        case "string" if schema.get("format") == "date":
            return "date"
        case "string":
            return "long" if name in _LONG or (isinstance(longest, int) and longest > _LONG_FROM) else "text"
        case "integer" | "number" | "boolean":
            return kind
        case "array" if isinstance(items, dict) and items.get("type") in ("string", "integer", "number"):
            return "list"  # each item fits a line
        case _:
            return "json"


def _bound(schema: Schema, name: str) -> float | None:
    value = schema.get(name)
    return value if isinstance(value, (int, float)) and abs(value) <= _LARGEST else None


def text_of(form: Sequence[Field], values: Mapping[str, object]) -> str:
    """The input of a call as JSON; what was left empty is left out. The tool itself says what does not fit."""
    given = {field.name: _given(field, values.get(field.name)) for field in form}
    return json.dumps({name: value for name, value in given.items() if value is not None}, ensure_ascii=False)


def _given(field: Field, value: object) -> JsonValue:
    match value:
        case None:
            return None
        case datetime() | date():
            return value.isoformat()
        case str() if field.kind == "list":
            return [_read(line.strip()) for line in value.splitlines() if line.strip()] or None
        case str() if field.kind == "json":
            return _read(value) if value.strip() else None
        case str():
            return value if value or (field.required and field.kind in ("text", "long")) else None
        case _:
            return cast("JsonValue", value)


def _read(text: str) -> JsonValue:
    """As JSON where it is some, else as it is."""
    try:
        return cast("JsonValue", json.loads(text))
    except ValueError:
        return text
