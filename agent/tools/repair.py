"""What a model wrote as a tool's input becomes keyword arguments, each guess told in a sentence.

Two stages: ``read_arguments`` finds the fields in the text, before validation; ``mend`` changes values that did not
pass it. Both know a tool only by its ``parameters``, a JSON Schema object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from pydantic import JsonValue

from agent.tools.lenient import read
from agent.tools.signature import Schema

Arguments = dict[str, JsonValue]

_FENCE = re.compile(r"(```|~~~)[`~]*[ \t]*[\w+-]*")
_WRAPPERS = {"arguments", "args", "kwargs", "input", "toolinput", "actioninput", "parameters", "params", "properties"}
_BESIDE_WRAPPERS = {"tool", "toolname", "name", "action", "function", "type", "id", "thought"}
_MOST_LAYERS = 3
_MOST_SHOWN = 60  # characters of the model's text in a note or an error
_MOST_KEYS = 40  # unknown keys that are compared with the fields; a model has a handful


def read_arguments(text: str, parameters: Schema, layer: int = 0) -> tuple[Arguments | None, list[str]]:
    """The fields in ``text`` with what had to be guessed, or ``None`` where it cannot be told what is meant."""
    text = text.strip()
    notes: list[str] = []
    fence = _FENCE.match(text)
    if fence:
        text = text[fence.end() :].rstrip(fence[1]).strip()
        notes.append("Took the input out of its code fence.")
    if not text:
        return {}, notes
    values, more = _fields_of(text, parameters, layer)
    return values, notes + more


def _fields_of(text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    verbatim = takes_plain_text(parameters)
    if verbatim and text[0] not in "{[\"'":
        return _pairs(text, parameters) or _bare(text, parameters)
    found = read(text)
    if found and isinstance(found.value, dict) and found.value:
        values, notes = _named(found.value, parameters, layer)
        if values is not None:
            return values, _layout_notes(found.strict, found.rest) + notes
    paired = _pairs(text, parameters)
    if paired:
        return paired
    if found is None or found.rest:
        return _bare(text, parameters) if verbatim else _inside(text, parameters, layer)
    return _unnamed(found.value, text, parameters, layer)


def _layout_notes(strict: bool, rest: str) -> list[str]:
    if rest:
        return [f"Left out what stood after the input: {shortened(rest)}."]
    return [] if strict else ["Read the input as JSON although it was not quite."]


def _named(given: Arguments, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    """An object's members by field; ``None`` where none of them has anything to do with the fields."""
    fields = properties(parameters)
    if "thought" in given and "thought" not in fields:
        given = {key: value for key, value in given.items() if key != "thought"}
        if not given:
            return {}, []
    wrapped = _unwrapped(given, fields)
    if wrapped is not None and layer < _MOST_LAYERS:
        text = wrapped if isinstance(wrapped, str) else json.dumps(wrapped)
        values, notes = read_arguments(text, parameters, layer + 1)
        return values, ["Took the arguments out of what they were wrapped in.", *notes]
    if takes_object(parameters) and not given.keys() & fields.keys():
        return None, []
    values, unknown, notes = _renamed(given, fields)
    spare = [name for name in required(parameters) if name not in values]
    if len(spare) == len(unknown) == 1:
        key, value = next(iter(unknown.items()))
        if not (takes_plain_text(parameters) and isinstance(value, dict | list)):
            return {**values, spare[0]: value}, [*notes, f"Read the field {shortened(key)} as ‘{spare[0]}’."]
    if not values and takes_plain_text(parameters):
        return None, []
    if unknown:
        notes.append(f"Left out what the tool has no field for: {shortened(', '.join(unknown))}.")
    return values, notes


def _unwrapped(given: Arguments, fields: Schema) -> JsonValue:
    """What stands under the one key that means "the arguments", if nothing beside it does."""
    keys = {key: _folded(key) for key in given} if len(given) < 6 else {}
    wrappers = [key for key, folded in keys.items() if folded in _WRAPPERS and key not in fields]
    rest = [key for key, folded in keys.items() if folded in _BESIDE_WRAPPERS and key not in fields]
    return given[wrappers[0]] if len(wrappers) == 1 and len(rest) + 1 == len(given) else None


def _renamed(given: Arguments, fields: Schema) -> tuple[Arguments, Arguments, list[str]]:
    """The values of fields, those of unknown keys, and a note for each key read as another."""
    values = {key: value for key, value in given.items() if key in fields}
    unknown: Arguments = {}
    notes: list[str] = []
    for key, value in given.items():
        if key in fields:
            continue
        near = nearest(key, [name for name in fields if name not in values]) if len(unknown) < _MOST_KEYS else ""
        if near:
            values[near] = value
            notes.append(f"Read the field {shortened(key)} as ‘{near}’.")
        else:
            unknown[key] = value
    return values, unknown, notes


def nearest(name: str, known: Sequence[str]) -> str:
    """The one of ``known`` that ``name`` is a respelling, a part or a misspelling of; "" for none."""
    folded = {_folded(one): one for one in known}
    wanted = _folded(name[:60])
    if wanted in folded or not wanted:
        return folded.get(wanted, "")
    parts = [one for one in folded if one.startswith(wanted) or _holds(one, wanted) or _holds(wanted, one)]
    close = parts if len(parts) == 1 else get_close_matches(wanted, list(folded), 1, 0.75)
    return folded[close[0]] if close else ""


def _holds(name: str, part: str) -> bool:
    return len(part) > 1 and part in name


def _folded(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _pairs(text: str, parameters: Schema) -> tuple[Arguments, list[str]] | None:
    """``city="Paris", days=3`` and ``{city: Paris}``: known names at the head of each part, and nothing before them."""
    inner = text[1:].removesuffix("}").strip() if text.startswith("{") else text
    names = "|".join(re.escape(name) for name in properties(parameters))
    heads = list(re.finditer(rf"(?:\A|[,;\n])[ \t]*[\"'`]?({names})[\"'`]?[ \t]*([:=])(?!=)", inner)) if names else []
    if not heads or heads[0].start():
        return None
    ends = [head.start() for head in heads[1:]] + [len(inner)]
    values: Arguments = {}
    for head, end in zip(heads, ends, strict=True):
        part = inner[head.end() : end].strip().removesuffix(",")
        found = read(part) if part[:1] in {"{", "[", '"', "'"} else None
        if not found and (part[:1] in {'"', "'"} or (head[2] == "=" and takes_plain_text(parameters))):
            return None  # an assignment in code, an equation, a value that was broken off
        values[head[1]] = found.value if found and not found.rest else part
    return values, ["Read the input as named fields although it was not JSON."]


def _inside(text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    """An object that stands after other words."""
    start = text.find("{", 1)
    found = read(text[start:]) if start > 0 else None
    if found and isinstance(found.value, dict) and found.value:
        values, notes = _named(found.value, parameters, layer)
        if values:
            return values, [f"Left out what stood before the input: {shortened(text[:start])}.", *notes]
    return _bare(text, parameters)


def _unnamed(value: JsonValue, text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    """A whole text that is JSON but names no field of the tool."""
    sole = sole_field(parameters)
    if isinstance(value, str):
        if layer < _MOST_LAYERS and value.strip()[:1] in {"{", '"'}:
            values, notes = read_arguments(value, parameters, layer + 1)
            return values, ["Read the input, which was JSON inside a string.", *notes]
        return ({sole: value}, ["Took the quotes off the input."]) if sole else _bare(value, parameters)
    if value is None or value == {}:
        return {}, []
    if sole and not is_text(parameters, sole):
        return {sole: value}, [f"Read the input as ‘{sole}’."]
    if sole and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return {sole: value[0]}, [f"Took the one item of the list as ‘{sole}’."]
    if sole:
        return {sole: text}, []
    names = list(properties(parameters))
    if isinstance(value, list) and len(required(parameters)) <= len(value) <= len(names):
        return dict(zip(names, value, strict=False)), ["Read the list as the fields in their order."]
    return _bare(text, parameters)


def _bare(text: str, parameters: Schema) -> tuple[Arguments | None, list[str]]:
    """Text that is no JSON: the sole field's value, or nothing where nothing can be given."""
    sole = sole_field(parameters)
    if sole:
        return {sole: text}, [] if is_text(parameters, sole) else [f"Read the input as ‘{sole}’."]
    if not properties(parameters) or (not required(parameters) and _folded(text) in {"none", "na", "null", ""}):
        return {}, [f"Left out the input, since none is needed: {shortened(text)}."]
    return None, []


def properties(parameters: Schema) -> Mapping[str, JsonValue]:
    return cast("Mapping[str, JsonValue]", parameters.get("properties", {}))


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


def shortened(text: str) -> str:
    """Text as a person may be shown it: in quotes, on one line, cut."""
    return f"‘{_line(text)}’"


def written(value: object) -> str:
    """A value as JSON, on one line, cut."""
    return _line(json.dumps(value, ensure_ascii=False, default=str))


def _line(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_SHOWN].split())
    return line if len(line) <= _MOST_SHOWN and len(text) <= 4 * _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
