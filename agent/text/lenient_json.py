"""Reads JSON as models write it: single quotes, True and None, trailing commas, missing brackets, a last remark."""

from __future__ import annotations

import math
import re
from itertools import chain
from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import from_json, to_json

from agent.text.regex import regex

_MOST_DEPTH = 64
_MOST_LENIENT = 200_000  # characters; beyond that only JSON as it should be is read
# Possessive throughout, and the first quote that is not closed ends the reading: linear in any input.
_TOKEN = regex(
    r'\s*+(?:(?P<string>[rRuU]?(?:"""(?:[^"\\]|\\.|"(?!""))*+"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*+'''"
    r'|"(?:[^"\\]++|\\.)*+"'
    r"|'(?:[^'\\]++|\\.)*+'"
    r"|“[^”]*+”))"
    r"|(?P<word>(?:true|false|null|True|False|None|undefined)\b)|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<comma>,)"
    r"|(?P<other>[:.+-]++|[0-9][0-9eE]*+\b)|(?P<wrong>.)|\Z)",
    re.DOTALL,
)
# The same within brackets, with all in one token that is right but for its quotes: no comma is before a closing one.
_BLANKS = r"[ \t\n\r]*+"
_RIGHT = (
    r"(?:\"[^\"'\\\x00-\x1f]*+\"(?!\")|'[^\"'\\\x00-\x1f]*+'(?!')|:|,(?!\s*+(?:[\]})]|\Z))"
    rf"|-?(?:0|[1-9][0-9]*+)(?={_BLANKS}[,\]}}])){_BLANKS}"
)
_ALL_RIGHT = rf"(?P<right>(?:{_RIGHT}|\[{_BLANKS}(?:{_RIGHT})*+\]{_BLANKS}|\{{{_BLANKS}(?:{_RIGHT})*+\}}{_BLANKS})++)|"
_TOKEN_WITHIN = regex(_TOKEN.pattern.replace("(?:", "(?:" + _ALL_RIGHT, 1), re.DOTALL)
_NO_OBJECT = regex(r"\s*+\{\s*+[^\s\"'“},rRuU]")  # behind the bracket stands neither a key nor its end
_FIRST_BRACKET = regex(r"\s*+([\[{])")
# Of JSON as it should be: up to the next bracket, past what is in no bracket or only in two pairs; up to an open quote.
_BETWEEN = r'[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+"'
_PAIR = rf"(?:{_BETWEEN}|\{{(?:{_BETWEEN})*+\}}|\[(?:{_BETWEEN})*+\])*+"
_NESTING = regex(rf"(?:{_BETWEEN}|\{{{_PAIR}\}}|\[{_PAIR}\])*+([\[\]{{}}])", re.DOTALL)
_OPEN_QUOTE = regex(rf'(?:{_BETWEEN})*+"', re.DOTALL)
_HALF = regex("[\ud800-\udfff]")
_OTHER_QUOTES = ("'", "“", '"""')
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_SINGLE = frozenset({str, int, bool, type(None)})  # types of values that hold no others
_BRACKETS = {"{": "}", "[": "]", "(": ")"}
_ESCAPE = regex(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "\n": ""}


class Read(NamedTuple):
    """A value read from the first ``end`` characters of a text.

    ``strict``: it was JSON as it should be. ``rest``: what stood after it, without white space around it.
    """

    value: JsonValue
    end: int
    strict: bool = True
    rest: str = ""


def read(text: str) -> Read | None:
    """The JSON value at the head of ``text``; ``None`` where there is none, or one too deep or too large to handle."""
    try:
        found = Read(from_json(text, allow_inf_nan=False), len(text))
    except TypeError:  # half a character, which pydantic takes for no text
        return read(_HALF.sub("\ufffd", text))
    except ValueError:
        found = _lenient(text) if len(text) <= _MOST_LENIENT else None
    return found if found and _is_plain(found.value) else None


def is_object(text: str) -> bool:
    """Whether a text is an object in JSON as it should be, and nothing else."""
    try:
        value: JsonValue = from_json(text, allow_inf_nan=False)
    except TypeError:  # as in ``read``
        return is_object(_HALF.sub("\ufffd", text))
    except ValueError:
        return False
    return isinstance(value, dict) and _is_plain(value)


def _lenient(text: str) -> Read | None:
    if _NO_OBJECT.match(text):
        return None
    end, closing = _nesting(text)
    if end and (found := _framed(text, end, closing)):
        return found
    if closing and _OPEN_QUOTE.match(text, end) and not any(quote in text for quote in _OTHER_QUOTES):
        return None
    tokens = _tokens(text)
    if tokens is None:
        return None
    written, end = tokens
    try:
        return Read(from_json(written, allow_inf_nan=False), end, False, text[end:].strip())
    except ValueError:
        return None


def _nesting(text: str) -> tuple[int, str]:
    """Where the first object or list of JSON as it should be ends, or what would close it behind the last bracket.

    The place is 0 where there is none, or where it is nested too deep.
    """
    first = _FIRST_BRACKET.match(text)
    closing = [_BRACKETS[first[1]]] if first else []
    end = first.end() if first else 0
    while closing and len(closing) <= _MOST_DEPTH and (found := _NESTING.match(text, end)):
        end = found.end()
        if bracket := _BRACKETS.get(found[1]):
            closing.append(bracket)
        elif closing.pop() != found[1]:
            return 0, ""
    return (end, "".join(reversed(closing))) if len(closing) <= _MOST_DEPTH else (0, "")


def _framed(text: str, end: int, closing: str) -> Read | None:
    """JSON as it should be that was broken off between two values, or that something follows: as by ``_tokens``."""
    if "\\b" in text or "\\f" in text:  # which are read as LaTeX
        return None
    whole = text.rstrip().removesuffix(",") + closing if closing else text[:end]
    try:
        value = from_json(whole, allow_inf_nan=False)
    except ValueError:
        return None
    end = len(text) if closing else end
    return Read(value, end, False, text[end:].strip())


def _tokens(text: str) -> tuple[str, int] | None:
    """The first value as JSON, and where it ends; ``None`` for what no value has, and for too many brackets."""
    written: list[str] = []
    closing: list[str] = []
    end = len(text)
    before: str | None = ""  # the kind of the last token
    first = _TOKEN.match(text)
    within = _TOKEN_WITHIN.finditer(text, first.end()) if first and first.lastgroup == "open" else ()
    for token in chain(filter(None, [first]), within):
        kind = token.lastgroup
        if kind == "wrong" or len(closing) > _MOST_DEPTH or (kind == before == "string"):
            return None
        before = kind
        if not kind:  # the end
            break
        value = token[kind]
        if kind == "right":
            written.append(value.replace("'", '"'))
        elif kind == "open":
            closing.append(_BRACKETS[value])
            written.append("{" if value == "{" else "[")
        elif kind == "close":
            if not closing or closing.pop() != value:
                return None
            _drop_comma(written)
            written.append("}" if value == "}" else "]")
        else:
            written.append(_plain(kind, value))
        if not closing and written:
            end = token.end()
            break
    _drop_comma(written)
    # Only brackets are added at the end of a text that was broken off: a value is never completed.
    written.extend("}" if bracket == "}" else "]" for bracket in reversed(closing))
    return "".join(written), end


def _drop_comma(written: list[str]) -> None:
    if written and written[-1] == ",":
        written.pop()


def _plain(kind: str | None, value: str) -> str:
    if kind == "string":
        inner = value[1:-1]
        plain = value[0] in "\"'" and inner.isprintable() and not any(mark in inner for mark in "\"'\\")
        return f'"{inner}"' if plain else to_json(_unquoted(value)).decode()
    return _WORDS.get(value, value) if kind == "word" else value


def _unquoted(text: str) -> str:
    raw = text[0] in "rR"
    text = text.lstrip("rRuU")
    width = 3 if text[:3] in ('"""', "'''") else 1
    inner = text[width:-width]
    if raw or "\\" not in inner:
        return inner
    # Two escapes of half a character each are one; a half alone is none.
    return _ESCAPE.sub(_unescaped, inner).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(escape: re.Match[str]) -> str:
    """An escape that JSON does not know keeps its backslash: it is LaTeX, a pattern, or Markdown."""
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _ESCAPES.get(name, escape[0])


def _is_plain(value: JsonValue) -> bool:
    """Bounded in depth, and no number that JSON cannot hold."""
    if isinstance(value, dict) and _SINGLE.issuperset(map(type, value.values())):  # as most arguments
        return True
    level: list[JsonValue] = [value]
    for _ in range(_MOST_DEPTH):
        below: list[JsonValue] = []
        for one in level:
            if isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list):
                below += one
            elif isinstance(one, float) and not math.isfinite(one):
                return False
        if not below:
            return True
        level = below
    return False
