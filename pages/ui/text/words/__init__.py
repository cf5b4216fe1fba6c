"""The words of the interface: English as the code has it, or another language by the table beside this file.

A table's key is the English text, with ``{}`` for each part that is filled in. In its translation ``{}`` puts the parts
in as they are, in their order, and ``{say}`` puts one in translated; ``{2}`` and ``{say 2}`` are the second one. What
stands between two `` · `` is a text of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.session import state

LANGUAGES = {"en": "English", "ja": "日本語"}
_KEY = "interface"
_SYMBOL = re.compile(r"(:material/\w+:\s*)(.+)", re.S)
_PART = re.compile(r"\{(say)? ?(\d?)\}")
_BETWEEN = " · "
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


def say(text: str) -> str:
    """``text`` in the language of the person; as it is where the table does not have it."""
    language = spoken()
    return text if language == "en" else translated(text, language)


def saying(name: Callable[[Any], str | None]) -> Callable[[Any], str]:
    """For the choices of a widget: what each is called, in the language of the person."""
    return lambda value: say(name(value) or str(value))


def titled_dialog(title: str, **how: Any) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """As ``st.dialog``, with its title in the language of the person who opens it."""

    def made(draw: Callable[[], None]) -> Callable[[], None]:
        @wraps(draw)
        def opened() -> None:
            st.dialog(say(title), **how)(draw)()

        return opened

    return made


def moment(when: datetime, seconds: bool = False) -> str:
    """Day and time, as short as they can be told."""
    day = f"{when.month}月{when.day}日" if spoken() == "ja" else f"{when:%d %b}"
    return f"{day} {when:%H:%M:%S}" if seconds else f"{day} {when:%H:%M}"


def spoken() -> str:
    """The language of the interface."""
    return state.widget(_KEY) or "en"


def speak(chosen: str) -> None:
    """The interface is drawn in the ``chosen`` language from here on, ``auto`` being that of the browser."""
    state.put(_KEY, language(chosen, st.context.locale))


def language(chosen: str, locale: str | None) -> str:
    """That of the interface: the ``chosen`` one, or where it is ``auto`` that of the browser's ``locale``."""
    wanted = (locale or "").partition("-")[0].lower() if chosen == "auto" else chosen
    return wanted if wanted in LANGUAGES else "en"


@lru_cache(maxsize=8192)
def translated(text: str, language: str) -> str:
    """``text`` in that language: whole, by the pattern that fits it, or piece by piece."""
    known = table(language).get(text)
    if known is not None:
        return known
    if symbol := _SYMBOL.fullmatch(text):
        return symbol[1] + translated(symbol[2], language)
    if _BETWEEN in text:
        return _BETWEEN.join(translated(part, language) for part in text.split(_BETWEEN))
    if (core := text.strip()) != text:
        return text.replace(core, translated(core, language)) if core else text
    for longest, pattern, wanted in _patterns(language):
        if longest in text and (found := pattern.fullmatch(text)):
            return _filled(wanted, found.groups(), language)
    return (
        _pieced(text, _SENTENCE.split(text), "", language)
        or _pieced(text, text[:-1].split("; "), "、", language)
        or text
    )


def _pieced(text: str, pieces: list[str], joint: str, language: str) -> str:
    """Piece by piece, where one of them is known; else ""."""
    if len(pieces) < 2 and not (joint and text.endswith(".")):
        return ""
    said = [translated(piece, language) for piece in pieces]
    return "" if said == pieces else joint.join(said) + ("。" if joint else "")


def _filled(wanted: str, parts: tuple[str, ...], language: str) -> str:
    """A translation with its parts put in."""
    place = iter(range(len(parts)))

    def put_in(found: re.Match[str]) -> str:
        part = parts[int(found[2]) - 1 if found[2] else next(place)]
        return translated(part, language) if found[1] else part

    return _PART.sub(put_in, wanted)


@cache
def table(language: str) -> Mapping[str, str]:
    """English to that language; empty for English."""
    path = Path(__file__).with_name(f"{language}.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Those with parts, each after its longest words; first what begins with words of its own, then what says most."""
    with_parts = (key for key in table(language) if "{}" in key)
    keys = sorted(with_parts, key=lambda key: (key.startswith("{}"), -len(key.replace("{}", ""))))
    return tuple(
        (
            max(key.split("{}"), key=len),
            re.compile(re.escape(key).replace(r"\{\}", "(.*?)"), re.S),
            table(language)[key],
        )
        for key in keys
    )
