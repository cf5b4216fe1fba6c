"""Regular expressions of strangers, by RE2: its time is linear in the text."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from agent.errors import BadRequest
from agent.interface_text import Text

_MOST_SEARCHED = 200_000  # characters


def matches(pattern: str, text: str) -> bool:
    """Whether a part of the text matches. Raises ``BadRequest`` for what is no pattern."""
    arrow: Any = import_module("pyarrow")  # takes a moment, which only who matches waits for
    compute: Any = import_module("pyarrow.compute")
    try:
        found = compute.match_substring_regex(arrow.array([text[:_MOST_SEARCHED]]), pattern)
    except arrow.ArrowInvalid:
        raise BadRequest(Text("The pattern cannot be read.")) from None
    return bool(found[0].as_py())
