"""The dialects in which models write calls as text: the strings of ``dialects.json``, and the same with other calls.

Each dialect has ``one`` call, ``f(city="Paris")``, and most have ``two``, with ``g(n=3)`` behind it. One that has no
mark of its own is a ``whole_message``: it is a call only where nothing else is said. One with ``attributes`` has the
arguments there.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from agent.events import ToolSchema

Rows = dict[str, dict[str, Any]]

DIALECTS: Rows = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
TOOLS = (
    ToolSchema("f", "", {"type": "object", "properties": {"city": {"type": "string"}}}),
    ToolSchema("g", "", {"type": "object", "properties": {"n": {"type": "integer"}}}),
)
ONE = [("f", {"city": "Paris"})]
TWO = [*ONE, ("g", {"n": 3})]
MARKED = [name for name, row in DIALECTS.items() if "whole_message" not in row]
_VALUE = re.compile(
    r'"city": "Paris"|city=(["\'])Paris\1|city:<\|"\|>Paris<\|"\|>|city:<escape>Paris<escape>|\bcity\b|\bParis\b'
)


def spelled(dialect: str, tool: str, field: str, value: object) -> str:
    """The dialect's one call, of another tool and with another argument."""
    text = re.sub(r"(?<![\w%])f\b(?!\w)", lambda _: tool, DIALECTS[dialect]["one"])
    if DIALECTS[dialect].get("attributes"):
        return text.replace(
            'city="Paris"', f"{field}={quoteattr(value if isinstance(value, str) else json.dumps(value))}"
        )
    return _VALUE.sub(lambda found: _argument(found[0], field, value), text)


def _argument(written: str, field: str, value: object) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    if written == "city":
        return field
    if written == "Paris":
        return value if isinstance(value, str) else plain
    if written.startswith('"city"'):
        return f'"{field}": {plain}'
    if written.startswith("city="):
        return f"{field}={value!r}"
    return field + ":" + _braced(value, "<escape>" if "escape" in written else '<|"|>')


def _braced(value: object, quote: str) -> str:
    """A value as Gemma writes it: bare keys, texts between tokens."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_braced(inner, quote)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_braced(inner, quote) for inner in value) + "]"
    return f"{quote}{value}{quote}" if isinstance(value, str) else json.dumps(value)
