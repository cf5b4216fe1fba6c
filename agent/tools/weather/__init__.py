"""Open-Meteo behind the weather tool: places by name, days and the hour, in words and figures."""

from __future__ import annotations

from agent.toolkit.base import Tool
from agent.tools.spec import Parts, ToolSpec


def _made(parts: Parts) -> Tool:
    from agent.tools.weather.weather_tool import weather_tool

    return weather_tool(parts.settings.services)


SPEC = ToolSpec(
    "weather",
    "Tells the weather of a place, today and on any day.",
    _made,
    icon="partly_cloudy_day",
    verbs=("Looking at the weather:", "Weather:"),
    subject="place",
    effect="reaches",
    public=True,
)
