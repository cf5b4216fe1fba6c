"""Values as dialects write them, and their types by a tool's JSON schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties, without_null

_MOST_DEPTH = 64
_MOST_ARGUMENTS = 64
_STRING = r"\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+'"
# Up to the next bracket or quote that is not closed, past what is in no bracket or only in two pairs.
_BETWEEN = rf"[^\"'\[\]{{}}()]++|{_STRING}"
_PAIR = rf"(?:{_BETWEEN}|\{{(?:{_BETWEEN})*+\}}|\[(?:{_BETWEEN})*+\]|\((?:{_BETWEEN})*+\))*+"
_BRACKETS = regex(rf"(?:{_BETWEEN}|\{{{_PAIR}\}}|\[{_PAIR}\]|\({_PAIR}\))*+(?:([\[{{(])|([\]}})])|[\"'])", re.DOTALL)
_IN_QUOTES = regex(_STRING, re.DOTALL)
_PAIRS = {"{": "}", "[": "]", "(": ")"}
_BLANKS = regex(r"\s*+")
_JSON_STARTS = frozenset('{["-0123456789tfn')
_NONE = frozenset({"null", "None"})

_TEXT = rf"(?:\"\"\".*?\"\"\"|'''.*?'''|{_STRING})(?=\s*+[,)])"
_KEYWORD = regex(rf"\s*+(?:([A-Za-z_]\w{{0,99}}+)\s*+=(?!=)\s*+)?+({_TEXT})?", re.DOTALL)
_TEXT_END = {quote: regex(rf"{quote}(?=\s*+(?:\)|,\s*+[A-Za-z_]\w{{0,99}}+\s*+=))") for quote in "\"'"}
_PLAIN = regex(r"[^,()\[\]{}\"'\n]{0,999}+")

_KEY = regex(r"\s*+[\"']?([\w.-]{1,100}+)[\"']?\s*+[:=]\s*+")
_QUOTED = regex(r"(<\|\"\|>|<escape>)(.*?)\1", re.DOTALL)
_BARE = regex(r"[^,{}\[\]]*+(?:,(?!\s*+[\w.-]{1,100}+\s*+[:=])[^,{}\[\]]*+)*+")
_ITEM = regex(r"[^,{}\[\]]*+")


def typed(text: str, field: str, parameters: Schema) -> JsonValue:
    """A value that was written without quotes, as the schema of its field has it; as text where it fits none."""
    schema = properties(parameters).get(field)
    if isinstance(schema, dict) and schema.get("type") == "string" and "anyOf" not in schema:  # as most
        return text
    if not isinstance(schema, Mapping):
        found = read(text) if text.lstrip()[:1] in _JSON_STARTS else None
        return found.value if found and found.strict else text
    if text.strip() in _NONE and _takes_none(schema):
        return None
    kind = without_null(schema)
    found = read(text) if kind.get("type") != "string" else None
    if found is None or found.rest:
        return text
    options = [kind, *cast("list[Schema]", kind.get("anyOf", []))]
    if any(one.get("type") == "string" for one in options) and not isinstance(found.value, dict | list):
        return text
    return found.value


def _takes_none(schema: Schema) -> bool:
    return any(one.get("type") == "null" for one in cast("list[Schema]", schema.get("anyOf", [])))


def past_blanks(text: str, at: int) -> int:
    if not text[at : at + 1].isspace():  # a glance before the look
        return at
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def balanced(text: str, at: int) -> int:
    """Where the bracket at ``at`` is closed, behind it; 0 where none is, or it is nested too deep."""
    opening = _PAIRS.get(text[at : at + 1])
    closing = [opening] if opening else []
    at += 1
    while 0 < len(closing) <= _MOST_DEPTH and (token := _BRACKETS.match(text, at)):
        at = token.end()
        if token.lastindex == 1:
            closing.append(_PAIRS[token[1]])
        elif token.lastindex != 2 or closing.pop() != token[2]:  # a quote that is not closed, or a wrong bracket
            return 0
        elif not closing:
            return at
    return 0


def keywords(text: str, at: int, parameters: Schema) -> tuple[dict[str, JsonValue], int, bool] | None:
    """The arguments of a call in Python from behind its bracket, where they end, and whether they were closed.

    One without a name is the field in its place.
    """
    values: dict[str, JsonValue] = {}
    names = [*properties(parameters)]
    for place in range(_MOST_ARGUMENTS):
        keyword = _KEYWORD.match(text, at)
        at, quoted = (keyword.end(), keyword[2]) if keyword else (at, None)
        if not quoted and (at >= len(text) or text[at] == ")"):
            return _spread(values, names), min(at + 1, len(text)), at < len(text)
        name = (keyword and keyword[1]) or (names[place] if place < len(names) else "")
        read_value = (_quoted(quoted), at) if quoted else _python(text, at, name, parameters)
        if not name or read_value is None:
            return None
        values[name], at = read_value
        at = past_blanks(text, at)
        if text.startswith(")", at):
            return _spread(values, names), at + 1, True
        if text.startswith(",", at):
            at += 1
    return None


def _spread(values: dict[str, JsonValue], names: Sequence[str]) -> dict[str, JsonValue]:
    """``f({"city": "Paris"})``: an object of the parameters in place of the first of them is all arguments."""
    whole = values.get(names[0]) if len(values) == 1 and names else None
    return whole if isinstance(whole, dict) and whole and whole.keys() <= set(names) else values


def _quoted(text: str) -> JsonValue:
    inner = text[1:-1]
    if "\\" in inner or text[0] in inner or not inner.isprintable():
        value = read(text)
        return value.value if value else inner
    return inner


def _python(text: str, at: int, field: str, parameters: Schema) -> tuple[JsonValue, int] | None:
    """A value in Python's spelling that is no whole text: its quotes need not be escaped inside it."""
    if text[at] in "\"'":
        end = _TEXT_END[text[at]].search(text, at + 1)
        return (text[at + 1 : end.start()], end.end()) if end else None
    if text[at] in "[{(":
        end = balanced(text, at)
        value = read(text[at:end]) if end else None
        return (value.value, end) if value else None
    plain = _PLAIN.match(text, at)
    if not plain or not plain[0].strip():
        return None
    return typed(plain[0].strip(), field, parameters), plain.end()


def braces(text: str, at: int, parameters: Schema) -> tuple[dict[str, JsonValue], int, bool] | None:
    """The arguments of Gemma's ``{key:value}`` from its bracket on, where they end, and whether they were closed."""
    found = _braced(text, at, parameters, 0)
    if found is None or not isinstance(found[0], dict):
        return None
    closed = found[1] <= len(text)
    return found[0], min(found[1], len(text)), closed


def _braced(text: str, at: int, parameters: Schema | None, depth: int) -> tuple[JsonValue, int] | None:
    """An object or a list from its bracket on. One that is not closed ends one behind the end of the text."""
    if depth > _MOST_DEPTH:
        return None
    values: dict[str, JsonValue] = {}
    items: list[JsonValue] = []
    closer = _PAIRS[text[at]]
    pairs = 0
    at += 1
    while (at := past_blanks(text, at)) < len(text) and text[at] != closer:
        if text[at] == ",":
            at += 1
            continue
        key = _KEY.match(text, at) if closer == "}" else None
        if closer == "}" and not key:
            return None
        found = _brace_value(text, key.end() if key else at, key[1] if key else "", parameters, depth)
        if found is None or found[1] <= at:
            return None
        at = found[1]
        if key:
            values[key[1]] = found[0]
            pairs += 1
            if parameters is not None and pairs > _MOST_ARGUMENTS:
                return None
        else:
            items.append(found[0])
    return (values if closer == "}" else items), at + 1


def _brace_value(text: str, at: int, key: str, parameters: Schema | None, depth: int) -> tuple[JsonValue, int] | None:
    if quoted := _QUOTED.match(text, at):
        return quoted[2], quoted.end()
    if text[at : at + 1] in ("{", "["):
        return _braced(text, at, None, depth + 1)
    if text[at : at + 1] in ('"', "'"):
        found = _IN_QUOTES.match(text, at)
        value = read(found[0]) if found else None
        return (value.value, found.end()) if found and value else None
    bare = (_BARE if key and parameters is not None else _ITEM).match(text, at)
    if not bare:
        return None
    written = bare[0].strip()
    if key and parameters is not None:
        return typed(written, key, parameters), bare.end()
    found_value = read(written)
    return (found_value.value if found_value and not found_value.rest else written), bare.end()
