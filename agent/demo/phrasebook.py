"""The demo's own sentences (``sentences.toml``) and how people ask it things (``questions.toml``), by language."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from agent.text.regex import regex
from agent.text.sums.phrases import Language, sentence
from agent.text.word_tables import word_table

_PART = regex(r"\{([A-Z_]+)\}")


@cache
def _read(name: str) -> dict[str, Any]:
    return word_table(__file__, name)


def tell(language: Language, name: str, /, **values: str | int) -> str:
    """The sentence of that name, filled with ``values``, a ``tool`` by its title; ``{Word}`` begins with a capital."""
    if title := _read("sentences.toml")["titles"].get(values.get("tool")):
        values["tool"] = title[language]
    begun = {key.capitalize(): sentence(str(value)) for key, value in values.items()}
    return _read("sentences.toml")[name][language].format(**begun, **values)


def reasons(tool: str) -> list[dict[Language, str]]:
    """Why ``tool`` can fail: words of its own message in English, and what to say in Japanese."""
    return _read("sentences.toml")["reasons"][tool]


def phrase(name: str) -> re.Pattern[str]:
    """The pattern of that name, which takes any case."""
    return regex(_with_parts(_read("questions.toml")["patterns"][name]), re.I)


def forms(name: str) -> tuple[str, ...]:
    """The forms of a question, for ``agent.text.sums.phrases.matches``."""
    return tuple(map(_with_parts, _read("questions.toml")["forms"][name]))


@cache
def replacements(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Pairs of a pattern, which takes any case, and what is to stand in its place."""
    return tuple((regex(pattern, re.I), form) for pattern, form in _read("questions.toml")["replacements"][name])


@cache
def words(name: str) -> frozenset[str]:
    """The words of that list."""
    return frozenset(_read("questions.toml")["words"][name])


def listed(name: str) -> dict[str, list[str]]:
    """What goes with each word of that list."""
    return _read("questions.toml")["lists"][name]


def tried(language: Language, text: str) -> tuple[str, ...]:
    """What can be asked of the kind that ``text`` seems to be of."""
    kinds = (one for one in _read("questions.toml")["tries"] if re.search(one["of"], text, re.I))
    return tuple(next(kinds)[language])


def _with_parts(text: str) -> str:
    parts: dict[str, str] = _read("questions.toml")["parts"]
    return _PART.sub(lambda found: _with_parts(parts[found[1]]), text)
