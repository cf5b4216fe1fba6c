"""Units of measure: what people call them, and how much they are."""

from __future__ import annotations

from agent.interface_text import Text
from agent.toolkit.base import Tool
from agent.tools.spec import Parts, ToolSpec


def _made(parts: Parts) -> Tool:
    from agent.tools.convert.convert_tool import convert

    return convert


SPEC = ToolSpec(
    "convert",
    Text("Converts units of measure."),
    _made,
    title=Text("Units"),
    icon="swap_horiz",
    verbs=(Text("Converting"), Text("Converted")),
    told="result",
    public=True,
    repeats=True,
)
