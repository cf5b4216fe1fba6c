"""The words of the interface: English as the code has it, or another language by the table beside this file.

A table's key is the English text, with ``{}`` for each part that is filled in. In its translation ``{}`` puts the parts
in as they are, in their order, and ``{say}`` puts one in translated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from pages.ui import state

LANGUAGES = {"en": "English", "ja": "日本語"}
_SYMBOL = re.compile(r"(:material/\w+:\s*)(.+)", re.S)
_PART = re.compile(r"\{(?:say)?\}")


def say(text: str) -> str:
    """``text`` in the language of the person; as it is where the table does not have it."""
    return translated(text, state.widget("interface") or "en")


def saying(name: Callable[[str], str | None]) -> Callable[[str], str]:
    """For the choices of a widget: what each is called, in the language of the person."""
    return lambda value: say(name(value) or value)


def language(chosen: str, locale: str | None) -> str:
    """That of the interface: the ``chosen`` one, or where it is ``auto`` that of the browser's ``locale``."""
    wanted = (locale or "").partition("-")[0].lower() if chosen == "auto" else chosen
    return wanted if wanted in LANGUAGES else "en"


@lru_cache(maxsize=8192)
def translated(text: str, language: str) -> str:
    """``text`` in that language, whole or by the pattern that fits it."""
    if language == "en" or not text:
        return text
    known = table(language).get(text)
    if known is not None:
        return known
    if symbol := _SYMBOL.fullmatch(text):
        return symbol[1] + translated(symbol[2], language)
    for pattern, wanted in _patterns(language):
        if found := pattern.fullmatch(text):
            return _filled(wanted, iter(found.groups()), language)
    return text


def _filled(wanted: str, parts: Iterator[str], language: str) -> str:
    """A translation with its parts put in."""
    return _PART.sub(lambda place: translated(next(parts), language) if place[0] == "{say}" else next(parts), wanted)


@cache
def table(language: str) -> Mapping[str, str]:
    """English to that language; empty for English."""
    path = Path(__file__).with_name(f"{language}.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Those with parts; first what begins with words of its own, and of these what says most."""
    with_parts = (key for key in table(language) if "{}" in key)
    longest = sorted(with_parts, key=lambda key: (key.startswith("{}"), -len(key.replace("{}", ""))))
    return tuple((re.compile(re.escape(key).replace(r"\{\}", "(.*?)"), re.S), table(language)[key]) for key in longest)
