"""The words of the interface: English as the code has it, or another language by the catalogue beside this file.

A catalogue is a gettext PO file. Its ids are the English templates that stand in the code, as the first argument of
``say``, ``Text``, ``keyed`` and ``titled_dialog``; a template is translated first and filled then. Only these are
looked up: what came from a person, a model, a tool or a file is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from functools import cache, wraps
from gettext import c2py
from pathlib import Path
from typing import Any, LiteralString

import streamlit as st

from agent.interface_text import Filling, Text, filled
from pages.ui.session import state

# Of each language but English: its catalogue, and a style sheet for what no code can change.
FOLDER = Path(__file__).parent
LANGUAGES = {"en": "English", "ja": "日本語"}
_KEY = "interface"


def say(key: LiteralString, plural: LiteralString = "", /, **values: Filling) -> str:
    """A template of ours in the language of the person, filled with ``values``; arguments as those of ``Text``."""
    return told(Text(key, plural, **values))


def told(text: str) -> str:
    """A ``Text`` in the language of the person; any other text as it is."""
    return in_language(text, spoken()) if isinstance(text, Text) else text


def saying(name: Callable[[Any], str | None]) -> Callable[[Any], str]:
    """For the choices of a widget: what each is called, in the language of the person."""
    return lambda value: told(name(value) or str(value))


def titled_dialog(title: LiteralString, **how: Any) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """As ``st.dialog``, with its title in the language of the person who opens it."""

    def made(draw: Callable[[], None]) -> Callable[[], None]:
        @wraps(draw)
        def opened() -> None:
            st.dialog(say(title), **how)(draw)()

        return opened

    return made


def zone() -> tzinfo:
    """The time zone of the reader's own clock."""
    return timezone(-timedelta(minutes=st.context.timezone_offset or 0))


def moment(since: float, seconds: bool = False) -> str:
    """Day and time of a moment, in seconds of Unix, by the reader's clock; as short as they can be told."""
    when = datetime.fromtimestamp(since, zone())
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


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The translations into one language: the forms of each template, and which of them a count takes."""

    forms: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]

    def template(self, text: Text) -> str:
        """The translated template of ``text``; the English one where there is none."""
        forms = self.forms.get(text.key, ())
        count = text.values.get("n", 1)
        form = self.form_of(int(count)) if len(forms) > 1 and not isinstance(count, str) else 0
        return forms[form] if form < len(forms) else text.template


def in_language(text: Text, language: str) -> str:
    """The translated template, filled with the values; texts among them are translated, too."""
    if language == "en":
        return str(text)
    values = {
        name: in_language(value, language) if isinstance(value, Text) else value for name, value in text.values.items()
    }
    template = catalogue(language).template(text)
    for name, value in values.items():
        if str(value).endswith("。"):  # which has its own room behind it
            template = template.replace(f"{{{name}}} ", f"{{{name}}}")
    return filled(template, values)


@cache
def catalogue(language: str) -> Catalogue:
    """That of the PO file of the language, and what it calls other languages (see ``language_name``)."""
    from babel import Locale
    from babel.messages.pofile import read_po

    with (FOLDER / f"{language}.po").open("rb") as file:
        read = read_po(file, locale=language)
    names: Mapping[str, str] = Locale(language).languages
    forms: dict[str, tuple[str, ...]] = {}
    forms |= {name: (names[code],) for code, name in Locale("en").languages.items() if code in names}
    for message in read:
        if message.id and message.string and not message.fuzzy:
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            strings = (message.string,) if isinstance(message.string, str) else tuple(message.string)
            forms[ids[0]] = strings
    return Catalogue(forms, c2py(read.plural_expr))
