"""The demo's own sentences: ``sentences.toml`` has each in English and in Japanese."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from agent.text.sums.value_words import Language, sentence

_FILE = Path(__file__).with_name("sentences.toml")


@cache
def _sentences() -> dict[str, dict[Language, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def say(language: Language, name: str, /, **values: str | int) -> str:
    """The sentence of that name, filled with ``values``; ``{Word}`` is the value of ``word`` with a capital letter."""
    begun = {key.capitalize(): sentence(str(value)) for key, value in values.items()}
    return _sentences()[name][language].format(**begun, **values)
