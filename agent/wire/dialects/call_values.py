"""What a call is read as, and whether its tool is declared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from agent.toolkit.arguments.signature import Schema, properties

Declared: TypeAlias = Mapping[str, Schema]  # the parameters of each tool that may be called


class Call(NamedTuple):
    """A call of a declared tool. ``arguments`` is the JSON text of an object, or what the model wrote in its place."""

    name: str
    arguments: str


class Form(NamedTuple):
    """Calls that were read up to ``end``; ``whole`` says that nothing was missing at their end.

    ``given`` are the arguments of a single call that was read from tags.
    """

    calls: tuple[Call, ...]
    end: int
    whole: bool
    given: Mapping[str, JsonValue] | None = None


NAMESPACES = ("functions.", "default_api.", "tools.")
MOST_NAME = 100  # characters
# One for all, as models call by the thousand; what was read from a text is in no circle.
as_json = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


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


def written(value: JsonValue) -> str:
    """Arguments as text: those that are a text already stay as they are, as ``{}`` where there are none."""
    if isinstance(value, str) and value.strip():
        return value
    return as_json(value or {})


def fits(arguments: Mapping[str, JsonValue], parameters: Schema) -> bool:
    """Whether arguments are parameters of a tool, with all that it requires."""
    needed = parameters.get("required")
    for name in needed if isinstance(needed, list) else ():
        if name not in arguments and isinstance(name, str):
            return False
    return arguments.keys() <= properties(parameters).keys()
