"""What a call is read as, and whether its tool is declared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from agent.toolkit.arguments.signature import Schema, properties

Declared: TypeAlias = Mapping[str, Schema]  # the parameters of each tool that may be called


class Call(NamedTuple):
    """A call of a declared tool with the arguments ``given``: an object, or what the model wrote in its place."""

    name: str
    given: JsonValue

    @property
    def arguments(self) -> str:
        """As text: those that are a text already stay as they are, as ``{}`` where there are none."""
        if isinstance(self.given, str) and self.given.strip():
            return self.given
        return _as_json(self.given or {})


class Form(NamedTuple):
    """Calls that were read up to ``end``; ``whole`` says that nothing was missing at their end."""

    calls: tuple[Call, ...]
    end: int
    whole: bool


NAMESPACES = ("functions.", "default_api.", "tools.")
MOST_NAME = 100  # characters
# One for all, as models call by the thousand; what was read from a text is in no circle.
_as_json = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def declared(written: str, tools: Declared) -> str:
    """The declared tool of a name, which may have a namespace before it, or ``.call`` behind it; empty for none."""
    if written in tools:  # as most
        return written
    name = written.strip()
    if name in tools:
        return name
    space = next((space for space in NAMESPACES if name.startswith(space)), "")
    last = name.removeprefix(space).removesuffix(".call")
    return last if last in tools else ""


def fits(arguments: JsonValue, parameters: Schema) -> bool:
    """Whether arguments are parameters of a tool, with all that it requires."""
    if not isinstance(arguments, dict):
        return False
    needed = parameters.get("required")
    for name in needed if isinstance(needed, list) else ():
        if name not in arguments and isinstance(name, str):
            return False
    return arguments.keys() <= properties(parameters).keys()
