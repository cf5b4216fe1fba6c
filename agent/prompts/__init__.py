"""Prompt templates as files, one folder a language; variables are written ``${name}``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from agent.errors import BadPrompt

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(folder.name for folder in FOLDER.iterdir() if (folder / "react.txt").is_file()))
_VARIABLE = re.compile(r"\$\{(\w+)\}")


def render(language: str, name: str, /, **variables: str) -> str:
    """The template ``name`` in ``language`` with every variable filled in.

    Raises ``BadPrompt`` for an unknown template and for a variable that is missing or not used: a prompt that is not
    quite what its author meant is never sent.
    """
    template = source(language, name)
    wanted = variables_of(template)
    if wanted != set(variables):
        missing = ", ".join(sorted(wanted - set(variables))) or "nothing"
        unused = ", ".join(sorted(set(variables) - wanted)) or "nothing"
        raise BadPrompt(f"prompt {language}/{name}: missing {missing}; not used {unused}")
    return _VARIABLE.sub(lambda match: variables[match[1]], template)


def variables_of(template: str) -> set[str]:
    return set(_VARIABLE.findall(template))


@cache
def source(language: str, name: str) -> str:
    """The template's text as it stands in its file, without the last line break."""
    if language not in LANGUAGES or not name.isidentifier():
        raise BadPrompt(f"no prompt {language}/{name}")
    try:
        return (FOLDER / language / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")
    except FileNotFoundError:
        raise BadPrompt(f"no prompt {language}/{name}") from None
