"""A call that a model wrote as JSON, found in the text around it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.text.regex import regex

# Each branch starts with a letter of its own, so that what lies between is passed quickly.
# Between backslashes a string is passed in one go.
_STRING = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|'[^'\\]*+(?:\\.[^'\\]*+)*+'"
_KEYWORD = regex(rf"{_STRING}|\\.|[A-Za-z_](?<!\w\w)\w*+\s*+=(?!=)", re.DOTALL)
_OBJECT = regex(r"\{\s*+[\"'](?:\w|[ -])++[\"']\s*+:")
_MOST_KEYWORDS = 50
_MOST_OBJECTS = 3
_NEXT = regex(r"[\s;,]*+(?=\{)")
_MOST_FOLLOWING = 8

_NAMES = ("action", "tool", "tool_name", "name", "function", "function_name")
_INPUTS = ("action_input", "tool_input", "input", "arguments", "parameters", "args", "tool_args", "function_args")
_ANSWERS = ("final_answer", "Final Answer")


class Blob(NamedTuple):
    """A call written as an object. ``input`` is ``None`` where the object has none; the text it stood at.

    ``others`` counts the calls that follow it, in a list or one behind the other.
    """

    name: str
    input: str | None
    thought: str
    start: int
    end: int
    others: int = 0


def write_json(value: JsonValue) -> str:
    """JSON in the letters of the text, on one line."""
    return json.dumps(value, ensure_ascii=False)


def read_keywords(text: str) -> dict[str, JsonValue] | None:
    """The arguments of ``name="value", other=2``, or ``None`` where they are not all plain values."""
    if not 1 <= text.count("=") <= _MOST_KEYWORDS:
        return None
    found = read("{" + _KEYWORD.sub(_key, text) + "}")
    return found.value if found and not found.rest and isinstance(found.value, dict) and found.value else None


def find_blob(text: str) -> Blob | None:
    """The first object in a text that names a tool to call, or holds the final answer under ``Final Answer``."""
    for number, match in enumerate(_OBJECT.finditer(text)):
        if number == _MOST_OBJECTS:
            break
        found = read(text[match.start() :])
        call = _call(found.value) if found else None
        if found and call:
            return _placed(text, call, match.start(), match.start() + found.end)
    return None


def _placed(text: str, call: tuple[str, str | None, str], start: int, end: int) -> Blob:
    """With the brackets of a list around it, and the calls that follow it."""
    before = text[:start].rstrip()
    if not before.endswith("["):
        return Blob(*call, start, end, _following(text, end))
    items = read(text[len(before) - 1 :])
    others = len(items.value) - 1 if items and isinstance(items.value, list) else 0
    return Blob(*call, len(before) - 1, max(end, text.rfind("]") + 1), others)


def _following(text: str, at: int) -> int:
    """How many calls stand behind an offset, with nothing but blanks, commas or semicolons between them."""
    number = 0
    while number < _MOST_FOLLOWING and (between := _NEXT.match(text, at)):
        found = read(text[between.end() :])
        if not found or not _call(found.value):
            break
        at = between.end() + found.end
        number += 1
    return number


def _call(value: JsonValue) -> tuple[str, str | None, str] | None:
    """Tool, input and thought of an object."""
    if not isinstance(value, dict):
        return None
    thought = value.get("thought")
    said = thought if isinstance(thought, str) else ""
    given = next((value[key] for key in _INPUTS if key in value), None)
    for key in _NAMES:
        name = value.get(key)
        inner = _call(name)
        if inner:
            return inner[0], inner[1], inner[2] or said
        if isinstance(name, str) and name.strip() and (key == "action" or _has_input(value)):
            return name, _text(given) if _has_input(value) else None, said
    answer = next((value[key] for key in _ANSWERS if key in value), None)
    return ("Final Answer", _text(answer), said) if answer is not None else None


def _has_input(value: Mapping[str, JsonValue]) -> bool:
    return any(key in value for key in _INPUTS)


def _text(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else write_json(value)


def _key(match: re.Match[str]) -> str:
    token = match[0]
    return token if token[0] in "\"'\\" else f'"{token[:-1].rstrip()}":'
