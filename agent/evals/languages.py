"""The language of a text, by py3langid, where the text is long enough to say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from agent.interface_text import Text
from agent.text.regex import regex

_LETTERS = regex(r"[^\W\d_]")
_CODE = regex(r"```.*?```|`[^`\n]*`|https?://\S+", re.S)
_FEWEST = 20  # letters
_FEWEST_OF_THEIR_OWN = 4  # of a script that few languages share
_SURE = 3.0  # how much likelier, as a natural logarithm, another language must be
_MOST = 4_000


def language_of(text: str) -> str:
    """The likeliest language as ISO 639-1, or "" for a text that is too short."""
    ranked = _ranked(text)
    return ranked[0][0] if ranked else ""


def language_name(code: str) -> str:
    """What the language of an ISO 639-1 code is called, for people; an unknown code as it is."""
    from babel import Locale

    name = cast("Mapping[str, str]", Locale("en").languages).get(code)
    return Text.of(name, "", {}) if name else code


def is_in(text: str, language: str) -> bool:
    """Whether the text may be in that language; a text that is too short is in any."""
    ranked = _ranked(text)
    if not ranked:
        return True
    likelihood = dict(ranked).get(language)
    return likelihood is not None and likelihood > ranked[0][1] - _SURE


def _ranked(text: str) -> list[tuple[str, float]]:
    said = _CODE.sub(" ", text)[:_MOST]
    letters = _LETTERS.findall(said)
    fewest = _FEWEST if "".join(letters).isascii() else _FEWEST_OF_THEIR_OWN
    if len(letters) < fewest:
        return []
    identifier: Any = import_module("py3langid")  # takes a moment, which only who compares languages waits for
    return cast("list[tuple[str, float]]", identifier.rank(said))
