"""Reads values of a service's JSON as short plain text. Nothing here raises, whatever the service sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from unicodedata import category
from urllib.parse import urlsplit

from pydantic import JsonValue

from agent.text.regex import regex

Fields = Mapping[str, JsonValue]

MOST_URL_CHARACTERS = 2_000
_MOST_ITEMS = 200  # of any list; real ones have up to 100
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
_JAPANESE = regex("[\u3040-\u30ff\u3400-\u9fff]")
# Variation selectors 17 to 256 show nothing where a font lacks the variant and can carry hidden bytes.
_SELECTORS = regex("[\U000e0100-\U000e01ef]")


def plain(value: object, most: int = 300) -> str:
    """A string or a number as one line of at most ``most`` characters; anything else is ``""``.

    White space is collapsed; control, bidirectional and zero-width characters are taken out.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float):
        return f"{value:.12g}" if isfinite(value) else ""
    text = value if isinstance(value, str) else str(value)
    words = _SELECTORS.sub("", text[: most * 4]).split()
    line = " ".join(filter(None, ("".join(filter(_visible, word)) for word in words)))
    if len(line) <= most:
        return line
    return line[: most - 1].rstrip() + "…"


def _visible(character: str) -> bool:
    return character.isprintable() or category(character) not in _INVISIBLE


def fields(value: JsonValue) -> Fields:
    """An object as it is, the first object of a list, or an empty one."""
    if isinstance(value, dict):
        return value
    return next(iter(objects(value)), dict[str, JsonValue]())


def objects(value: JsonValue) -> list[Fields]:
    """The objects among the first items of a list."""
    return [item for item in value[:_MOST_ITEMS] if isinstance(item, dict)] if isinstance(value, list) else []


def texts(value: JsonValue, most: int = 300) -> list[str]:
    """The strings and numbers among the first items of a list (or the one given), as plain text, without empty ones."""
    items = value[:_MOST_ITEMS] if isinstance(value, list) else [value]
    return [text for item in items if (text := plain(item, most))]


def first(source: Fields, *names: str, most: int = 300) -> str:
    """The first of the named fields that has text; of a list its first text counts."""
    for name in names:
        for text in texts(source.get(name), most)[:1]:
            return text
    return ""


def rows(value: JsonValue) -> str:
    """A table, a list of lists of texts, as ``a | b; c | d``: at most eight rows of five."""
    listed = [item for item in value[:_MOST_ITEMS] if isinstance(item, list)] if isinstance(value, list) else []
    told = (" | ".join(texts(row, 60)[:5]) for row in listed[:8])
    return "; ".join(filter(None, told))


def link(value: JsonValue) -> str:
    """An address that may be shown as a link: http or https, with a host, without a user name; else ``""``."""
    if not isinstance(value, str) or len(value) > MOST_URL_CHARACTERS or not value.isprintable() or " " in value:
        return ""
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        return ""
    return value if parts.scheme in {"http", "https"} and host and "@" not in parts.netloc else ""


def japanese(text: str) -> bool:
    """Whether it has kana or Han characters: between Japanese and English, those are Japanese."""
    return _JAPANESE.search(text) is not None


def site(url: str) -> str:
    """The host of an address that ``link`` let through, without ``www.``."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def packed(content: JsonValue) -> bytes:
    """JSON as bytes; half characters, which UTF-8 cannot write, stay escaped."""
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")
