"""From a typed function to what a tool needs of it: its description, its JSON schema, and a model that validates."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, create_model
from pydantic.errors import PydanticUserError

from agent.text.regex import regex

Schema = Mapping[str, JsonValue]

_SECTION = regex(r"^(Args|Arguments|Parameters|Returns|Yields|Raises|Examples?|Notes?):\s*$", re.MULTILINE)
_ARGUMENT = regex(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False, coerce_numbers_to_str=True, validate_default=True)


@dataclass(frozen=True, slots=True)
class Signature:
    """``parameters`` is a JSON Schema object; ``model`` validates keyword arguments under the parameters' names."""

    description: str
    parameters: Schema
    model: type[BaseModel]


@dataclass(frozen=True, slots=True)
class _Field:
    """What a model is told of a parameter: all that schema and validation depend on, and nothing of a call.

    ``written`` tells apart what is equal to Python but not to a model: 1 and True, ``int | str`` and ``str | int``.
    """

    name: str
    annotation: Any
    default: Any
    description: str
    written: str


def signature(function: Callable[..., object], description: str = "") -> Signature:
    """Read a function's signature and docstring; a ``description`` goes before the docstring's own.

    Raises ``TypeError`` for what a model could not be told.
    """
    name = getattr(function, "__name__", repr(function))
    paragraph, described = _docstring(inspect.getdoc(function) or "")
    description = description or paragraph
    if not description:
        raise TypeError(f"The tool {name} needs a docstring: its first paragraph tells the model what the tool does.")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"The tool {name} is an async function: a tool is called in a thread, so make it a plain one.")
    fields = tuple(_field(parameter, described.pop(parameter.name, "")) for parameter in _parameters(name, function))
    if described:
        raise TypeError(f"The docstring of the tool {name} describes unknown parameters: {', '.join(described)}.")
    try:
        hash(fields)
    except TypeError:
        model, schema = _made(name, fields)
    else:
        model, schema = _made_once(name, fields)
    # A schema of its own for each: what is kept is never handed out to be changed.
    return Signature(description, json.loads(schema), model)


def _parameters(name: str, function: Callable[..., object]) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except NameError as error:
        raise TypeError(f"The tool {name} has an annotation that cannot be resolved in its module: {error}") from None
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"The tool {name} has {parameter}: every parameter must have a name of its own.")
        if parameter.annotation is parameter.empty:
            raise TypeError(f"The tool {name} has the parameter {parameter.name} without a type.")
    return list(parameters)


def _field(parameter: inspect.Parameter, description: str) -> _Field:
    default = ... if parameter.default is parameter.empty else parameter.default
    written = f"{parameter.annotation!r} {default!r}"
    return _Field(parameter.name, parameter.annotation, default, description, written)


def _made(name: str, fields: tuple[_Field, ...]) -> tuple[type[BaseModel], str]:
    """The model and its schema as JSON.

    Fields are numbered and named by alias, so that a parameter may be called ``schema`` or ``copy``.
    """
    told: dict[str, Any] = {}
    for index, field in enumerate(fields):
        described = Annotated[field.annotation, Field(description=field.description)]
        kind = described if field.description else field.annotation
        told[f"field_{index}"] = kind, Field(field.default, alias=field.name)
    try:
        model = create_model(name, __config__=_CONFIG, **told)
        raw = cast("dict[str, JsonValue]", model.model_json_schema())
    except PydanticUserError as error:
        raise TypeError(f"The tool {name} has a parameter of a type that no model can fill in: {error}") from None
    _check_defaults(name, model)
    return model, json.dumps(_schema(name, raw))


# A tool that is made for each run, around what the run brings, has one and the same signature: pydantic takes about a
# millisecond for it. Only types, names and docstrings of the program are kept here, nothing that a run brought.
_made_once = lru_cache(maxsize=128)(_made)


def _check_defaults(name: str, model: type[BaseModel]) -> None:
    try:
        model.model_validate({})
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            if problem["type"] != "missing":
                field = model.model_fields[str(problem["loc"][0])].alias
                raise TypeError(f"The tool {name} has a default that is not of its type: {field}.") from None


def _docstring(text: str) -> tuple[str, dict[str, str]]:
    """The first paragraph as one line, and the ``Args:`` section (Google style) by parameter."""
    paragraph = text.split("\n\n", 1)[0]
    description = "" if _SECTION.match(paragraph) else " ".join(paragraph.split())
    sections = _SECTION.split(text)
    for title, body in zip(sections[1::2], sections[2::2], strict=True):
        if title in ("Args", "Arguments", "Parameters"):
            return description, _arguments(body)
    return description, {}


def _arguments(body: str) -> dict[str, str]:
    lines = [line for line in body.splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    found: dict[str, list[str]] = {}
    last: list[str] = []
    for line in lines:
        argument = _ARGUMENT.match(line[margin:])
        if argument:
            last = found.setdefault(argument[1], [])
        last.append(argument[2] if argument else line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in found.items()}


def _schema(name: str, raw: dict[str, JsonValue]) -> dict[str, JsonValue]:
    definitions = cast("dict[str, JsonValue]", raw.pop("$defs", {}))
    plain = cast("dict[str, JsonValue]", _inlined(name, raw, definitions, ()))
    plain.pop("description", None)
    return {"type": "object", "properties": plain.get("properties", {}), **plain}


def _inlined(
    name: str, node: JsonValue, definitions: dict[str, JsonValue], inside: tuple[str, ...], names: bool = False
) -> JsonValue:
    """Without pydantic's titles, and with what ``$ref`` points to in its place: some servers cannot follow one.

    ``names``: the keys of ``node`` are names of fields, not words of JSON Schema.
    """
    if isinstance(node, list):
        return [_inlined(name, item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and not names:
        if reference in inside:
            raise TypeError(f"The tool {name} has a parameter whose type contains itself.")
        target = cast("dict[str, JsonValue]", definitions[reference.rsplit("/", 1)[-1]])
        merged: dict[str, JsonValue] = {**target, **{key: node[key] for key in node if key != "$ref"}}
        return _inlined(name, merged, definitions, (*inside, reference))
    return {
        key: value
        if key in ("default", "const", "enum", "examples") and not names
        else _inlined(name, value, definitions, inside, key == "properties" and not names)
        for key, value in node.items()
        if names or key != "title"
    }


def properties(parameters: Schema) -> Mapping[str, JsonValue]:
    found = parameters.get("properties")
    return found if isinstance(found, dict) else {}


def required(parameters: Schema) -> list[str]:
    return cast("list[str]", parameters.get("required", []))


def sole_field(parameters: Schema) -> str | None:
    """The field that a bare value must mean: the only one, or the only one that is required."""
    names = list(properties(parameters))
    needed = required(parameters)
    return names[0] if len(names) == 1 else needed[0] if len(needed) == 1 else None


def is_text(parameters: Schema, name: str) -> bool:
    """Whether any text will do for the field."""
    schema = without_null(cast("Schema", properties(parameters)[name]))
    return schema.get("type") == "string" and not schema.keys() & {"enum", "const", "format"}


def takes_plain_text(parameters: Schema) -> bool:
    """Whether the input on the text wire is the text itself: one required text and no other field."""
    names = required(parameters)
    return len(names) == len(properties(parameters)) == 1 and is_text(parameters, names[0])


def takes_object(parameters: Schema) -> bool:
    """Whether the sole field is itself an object with keys of any name."""
    sole = sole_field(parameters)
    if sole is None:
        return False
    schema = without_null(cast("Schema", properties(parameters)[sole]))
    return schema.get("type") == "object" and "properties" not in schema


def without_null(schema: Schema) -> Schema:
    """What a value must be when there is one; a union of several types stays as it is."""
    options = [one for one in cast("list[Schema]", schema.get("anyOf", [])) if one.get("type") != "null"]
    return options[0] if len(options) == 1 else schema
