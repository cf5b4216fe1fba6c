"""Prompt templates as files, one folder a language; variables are written ``${name}``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from agent.errors import BadPrompt
from agent.text.regex import regex

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(folder.name for folder in FOLDER.iterdir() if (folder / "react.txt").is_file()))
NOTHING_OWN: Mapping[str, str] = MappingProxyType({})
# Variables that an own template may do without.
OPTIONAL = frozenset({"names", "example"})
_VARIABLE = regex(r"\$\{(\w+)\}")


def render(language: str, name: str, own: Mapping[str, str] = NOTHING_OWN, /, **variables: str) -> str:
    """The template ``name`` in ``language``, or the person's ``own`` one of that name, with every variable filled in.

    Raises ``BadPrompt`` for an unknown template and for a variable that is missing or not used, which ``OPTIONAL`` ones
    need not be: a prompt that is not quite what its author meant is never sent.
    """
    template = own.get(name) or source(language, name)
    wanted = variables_of(template)
    lacking, idle = wanted - set(variables), set(variables) - wanted - OPTIONAL
    if lacking or idle:
        missing = ", ".join(sorted(lacking)) or "nothing"
        unused = ", ".join(sorted(idle)) or "nothing"
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
