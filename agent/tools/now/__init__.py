"""Dates, times, zones and durations as people write them."""

from __future__ import annotations

from agent.interface_text import Text
from agent.toolkit.base import Tool
from agent.tools.now.result_line import result_line
from agent.tools.spec import Parts, ToolSpec


def _made(parts: Parts) -> Tool:
    from agent.tools.now.now_tool import now_tool

    return now_tool()


SPEC = ToolSpec(
    "now",
    Text("Tells the time anywhere, and works with dates."),
    _made,
    title=Text("Date and time"),
    icon="schedule",
    verbs=(Text("Looking at the calendar:"), Text("Date and time:")),
    told="result",
    public=True,
    repeats=True,
    line=result_line,
)
