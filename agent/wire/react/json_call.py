"""JSON as models write it: read leniently, and a call found in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple, cast

from pydantic import JsonValue

# Each branch starts with a letter of its own, so that what lies between is passed quickly.
# Between backslashes a string is passed in one go.
_STRING = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|'[^'\\]*+(?:\\.[^'\\]*+)*+'"
_TOKEN = re.compile(rf"{_STRING}|T(?<!\wT)rue\b|F(?<!\wF)alse\b|N(?<!\wN)one\b|,(?=\s*+[}}\]])", re.DOTALL)
_KEYWORD = re.compile(rf"{_STRING}|[A-Za-z_](?<!\w\w)\w*+\s*+=(?!=)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_OBJECT = re.compile(r"\{\s*+[\"'](?:\w|[ -])++[\"']\s*+:")
_WORDS = {"True": "true", "False": "false", "None": "null", ",": ""}
_MOST_QUOTES = 400  # a text with more is read as strict JSON or not at all
_MOST_KEYWORDS = 50
_MOST_OBJECTS = 3

_NAMES = ("action", "tool", "tool_name", "name", "function")
_INPUTS = ("action_input", "tool_input", "input", "arguments", "parameters", "args")
_ANSWERS = ("final_answer", "Final Answer")


class Blob(NamedTuple):
    """A call written as an object. ``input`` is ``None`` where the object has none; the text it stood at."""

    name: str
    input: str | None
    thought: str
    start: int
    end: int
    others: int = 0


def read_json(text: str) -> JsonValue:
    """The value of JSON or of a Python literal that looks like it; ``None`` where it is neither.

    Line breaks inside strings, single quotes, ``True``, trailing commas and stray backslashes are forgiven.
    """
    for candidate in (text, _repaired(text)):
        try:
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def write_json(value: JsonValue) -> str:
    """JSON in the letters of the text, on one line."""
    return json.dumps(value, ensure_ascii=False)


def read_keywords(text: str) -> dict[str, JsonValue] | None:
    """The arguments of ``name="value", other=2``, or ``None`` where they are not all plain values."""
    if _quotes(text) > _MOST_QUOTES or not 1 <= text.count("=") <= _MOST_KEYWORDS:
        return None
    value = read_json("{" + _KEYWORD.sub(_key, text) + "}")
    return value if isinstance(value, dict) and value else None


def find_blob(text: str) -> Blob | None:
    """The first object in a text that names a tool to call, or holds the final answer under ``Final Answer``."""
    for number, match in enumerate(_OBJECT.finditer(text)):
        if number == _MOST_OBJECTS:
            break
        value, end = _object_at(text, match.start())
        call = _call(value)
        if call:
            return _placed(text, call, match.start(), end)
    return None


def _placed(text: str, call: tuple[str, str | None, str], start: int, end: int) -> Blob:
    """With the brackets of a list around it, and how many more objects that list has."""
    before = text[:start].rstrip()
    if not before.endswith("["):
        return Blob(*call, start, end)
    items = read_json(text[len(before) - 1 : text.rfind("]") + 1])
    others = len(items) - 1 if isinstance(items, list) else 0
    return Blob(*call, len(before) - 1, max(end, text.rfind("]") + 1), others)


def _object_at(text: str, start: int) -> tuple[JsonValue, int]:
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        end = text.rfind("}") + 1
        value = read_json(text[start:end]) or read_json(text[start:].rstrip("` \n") + "}")
        end = end or len(text)
    return cast(JsonValue, value), end


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


def _repaired(text: str) -> str:
    return _TOKEN.sub(_token, text) if _quotes(text) <= _MOST_QUOTES else ""


def _quotes(text: str) -> int:
    return text.count('"') + text.count("'")


def _token(match: re.Match[str]) -> str:
    token = match[0]
    return _string(token) if token[0] in "\"'" else _WORDS[token]


def _key(match: re.Match[str]) -> str:
    token = match[0]
    return token if token[0] in "\"'" else f'"{token[:-1].rstrip()}":'


def _string(text: str) -> str:
    """A quoted string of any language as one of JSON."""
    inner = _ESCAPE.sub(_escape, text[1:-1])
    return f'"{inner}"' if text[0] == '"' else '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'


def _escape(match: re.Match[str]) -> str:
    letter = match[1]
    if letter == "'":
        return "'"
    return match[0] if letter[0] in '"\\/bfnrtu' else "\\" + match[0]
