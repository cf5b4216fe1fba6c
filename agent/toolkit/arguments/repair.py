"""What a model wrote as a tool's input becomes keyword arguments, each guess told in a sentence.

Two stages: ``read_arguments`` finds the fields in the text, before validation; ``mend`` changes values that did not
pass it. Both know a tool only by its ``parameters``, a JSON Schema object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import get_close_matches

from pydantic import JsonValue
from pydantic_core import ErrorDetails

from agent.interface_text import Text
from agent.text.lenient_json import Read, read
from agent.text.regex import regex
from agent.toolkit.arguments.signature import (
    Schema,
    is_text,
    properties,
    required,
    sole_field,
    takes_object,
    takes_plain_text,
)

Arguments = dict[str, JsonValue]

_FENCE = regex(r"(```|~~~)[`~]*[ \t]*[\w+-]*")
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
        inner, _, rest = text[fence.end() :].partition(fence[1])
        if not rest.strip(f"{fence[1]}\n ") or not takes_plain_text(parameters):
            text = inner.strip()
            notes.append(Text("Took the input out of its code fence."))
    if not text:
        return {}, notes
    values, more = _fields_of(text, parameters, layer)
    return values, notes + more


def _fields_of(text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    verbatim = takes_plain_text(parameters)
    if verbatim and text[0] not in "{[\"'":
        return _pairs(text, parameters) or _bare(text, parameters)
    found = read(text)
    members = _members(found.value) if found else None
    if found and members:
        values, notes = _named(members, parameters, layer)
        if values is not None:
            return values, _layout_notes(found) + notes
    paired = _pairs(text, parameters)
    if paired:
        return paired
    if found is None or found.rest:
        return _bare(text, parameters) if verbatim else _inside(text, parameters, layer)
    return _unnamed(found.value, text, parameters, layer)


def _members(value: JsonValue) -> Arguments | None:
    """An object, or the only object of a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) else None


def _layout_notes(found: Read) -> list[str]:
    notes: list[str] = [Text("Took the one item of the list.")] if isinstance(found.value, list) else []
    if found.rest:
        return [*notes, Text("Left out what stood after the input: {given}.", given=shortened(found.rest))]
    return notes if found.strict else [*notes, Text("Read the input as JSON although it was not quite.")]


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
        return values, [Text("Took the arguments out of what they were wrapped in."), *notes]
    if takes_object(parameters) and not given.keys() & fields.keys():
        return None, []
    values, unknown, notes = _renamed(given, fields)
    spare = [name for name in required(parameters) if name not in values]
    if len(spare) == len(unknown) == 1:
        key, value = next(iter(unknown.items()))
        if not (takes_plain_text(parameters) and isinstance(value, dict | list)):
            return {**values, spare[0]: value}, [
                *notes,
                Text("Read the field {given} as ‘{spare}’.", given=shortened(key), spare=spare[0]),
            ]
    if not values and takes_plain_text(parameters):
        return None, []
    if unknown:
        notes.append(Text("Left out what the tool has no field for: {given}.", given=shortened(", ".join(unknown))))
    return values, notes


def _unwrapped(given: Arguments, fields: Schema) -> JsonValue:
    """What stands under the one key that means "the arguments", if nothing beside it does."""
    keys = {key: folded(key) for key in given} if len(given) < 6 else {}
    wrappers = [key for key, name in keys.items() if name in _WRAPPERS and key not in fields]
    rest = [key for key, name in keys.items() if name in _BESIDE_WRAPPERS and key not in fields]
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
            notes.append(Text("Read the field {given} as ‘{near}’.", given=shortened(key), near=near))
        else:
            unknown[key] = value
    return values, unknown, notes


def nearest(name: str, known: Sequence[str]) -> str:
    """The one of ``known`` that ``name`` is a respelling, a part or a misspelling of; "" for none."""
    alike = {folded(one): one for one in known}
    wanted = folded(name[:60])
    if wanted in alike or not wanted:
        return alike.get(wanted, "")
    parts = [one for one in alike if one.startswith(wanted) or _holds(one, wanted) or _holds(wanted, one)]
    close = parts if len(parts) == 1 else get_close_matches(wanted, list(alike), 1, 0.75)
    return alike[close[0]] if close else ""


def _holds(name: str, part: str) -> bool:
    return len(part) > 1 and part in name


def folded(name: str) -> str:
    """A name without what may differ in it: case, quotes, underscores."""
    return "".join(filter(str.isalnum, name.casefold()))


def _pairs(text: str, parameters: Schema) -> tuple[Arguments, list[str]] | None:
    """``city="Paris", days=3`` and ``{city: Paris}``: known names at the head of each part, and nothing before them."""
    if ":" not in text and "=" not in text:
        return None
    inner = text[1:].removesuffix("}").strip() if text.startswith("{") else text
    names = "|".join(re.escape(name) for name in properties(parameters))
    head_of = re.compile(rf"(?:\A|[,;\n])[ \t]*[\"'`]?({names})[\"'`]?[ \t]*([:=])(?!=)")
    if not names or not head_of.match(inner):
        return None
    heads = list(head_of.finditer(inner))
    ends = [head.start() for head in heads[1:]] + [len(inner)]
    values: Arguments = {}
    for head, end in zip(heads, ends, strict=True):
        part = inner[head.end() : end].strip().removesuffix(",")
        found = read(part) if part[:1] in {"{", "[", '"', "'"} else None
        if not found and (part[:1] in {'"', "'"} or (head[2] == "=" and takes_plain_text(parameters))):
            return None  # an assignment in code, an equation, a value that was broken off
        if found and found.rest and part[0] == part[-1]:
            part = part[1:-1]  # quotes inside quotes
        values[head[1]] = found.value if found and not found.rest else part
    return values, [Text("Read the input as named fields although it was not JSON.")]


def _inside(text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    """An object that stands after other words."""
    start = text.find("{", 1)
    found = read(text[start:]) if start > 0 else None
    if found and isinstance(found.value, dict) and found.value:
        values, notes = _named(found.value, parameters, layer)
        if values:
            return values, [
                Text("Left out what stood before the input: {given}.", given=shortened(text[:start])),
                *notes,
            ]
    return _bare(text, parameters)


def _unnamed(value: JsonValue, text: str, parameters: Schema, layer: int) -> tuple[Arguments | None, list[str]]:
    """A whole text that is JSON but names no field of the tool."""
    sole = sole_field(parameters)
    if isinstance(value, str):
        if layer < _MOST_LAYERS and value.strip()[:1] in {"{", '"'}:
            values, notes = read_arguments(value, parameters, layer + 1)
            return values, [Text("Read the input, which was JSON inside a string."), *notes]
        return ({sole: value}, [Text("Took the quotes off the input.")]) if sole else _bare(value, parameters)
    if value is None or value == {}:
        return {}, []
    if sole and not is_text(parameters, sole):
        return {sole: value}, [Text("Read the input as ‘{sole}’.", sole=sole)]
    if sole and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return {sole: value[0]}, [Text("Took the one item of the list as ‘{sole}’.", sole=sole)]
    names = list(properties(parameters))
    if sole and not (isinstance(value, list) and 1 < len(value) <= len(names)):
        return {sole: text}, []
    if isinstance(value, list) and len(required(parameters)) <= len(value) <= len(names):
        return dict(zip(names, value, strict=False)), [Text("Read the list as the fields in their order.")]
    return _bare(text, parameters)


def _bare(text: str, parameters: Schema) -> tuple[Arguments | None, list[str]]:
    """Text that is no JSON: the sole field's value, or nothing where nothing can be given."""
    sole = sole_field(parameters)
    if sole:
        return {sole: text}, [] if is_text(parameters, sole) else [Text("Read the input as ‘{sole}’.", sole=sole)]
    if not properties(parameters) or (not required(parameters) and folded(text) in {"none", "na", "null", ""}):
        return {}, [Text("Left out the input, since none is needed: {given}.", given=shortened(text))]
    return None, []


def shortened(text: str) -> str:
    """Text as a person may be shown it: in quotes, on one line, cut."""
    return f"‘{_line(text)}’"


def written(value: object) -> str:
    """A value as JSON, on one line, cut."""
    return _line(json.dumps(value, ensure_ascii=False, default=str))


def _line(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_SHOWN].split())
    return line if len(line) <= _MOST_SHOWN and len(text) <= 4 * _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"


def tells_more(problem: ErrorDetails) -> bool:
    """Whether pydantic's sentence says what the field's type and bounds do not."""
    return len(problem["loc"]) > 1 or problem["type"].startswith(
        ("value_error", "string_", "too_", "date_", "datetime_")
    )


def changes(given: Arguments, validated: Arguments) -> list[str]:
    """A note for each value that is not what was written."""
    changed = [name for name in given if name in validated and not _is_same(given[name], validated[name])]
    return [f"Read {written(given[name])} as {written(validated[name])} for ‘{name}’." for name in changed]


def _is_same(given: JsonValue, validated: JsonValue) -> bool:
    """Equal as JSON (3 and 3.0 are, 1 and true are not), but for defaults that were filled in."""
    if isinstance(given, dict) and isinstance(validated, dict):
        return all(key in validated and _is_same(value, validated[key]) for key, value in given.items())
    if isinstance(given, list) and isinstance(validated, list):
        return len(given) == len(validated) and all(map(_is_same, given, validated))
    return isinstance(given, bool) == isinstance(validated, bool) and given == validated
