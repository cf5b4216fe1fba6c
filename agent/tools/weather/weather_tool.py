"""The ``weather`` tool: now, days to come and days gone by, from Open-Meteo (https://open-meteo.com), with no key."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.settings import ServiceAddresses
from agent.toolkit.arguments.repair import shortened
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import ToolSpec

SPEC = ToolSpec(
    "weather",
    Text("Tells the weather of a place, today and on any day."),
    lambda parts: weather_tool(parts.settings.services),
    title=Text("Weather"),
    icon="partly_cloudy_day",
    verbs=(Text("Looking at the weather:"), Text("Weather:")),
    subject="place",
    effect="reaches",
    public=True,
)

Date = date
Units = Literal["auto", "metric", "imperial"]
_AHEAD = 15  # days after today that there is a forecast of
_BACK = 90  # days before today that the forecast's own service still has
_MOST_DAYS = 31
_MOST_PLACE = 150  # characters
_FIRST = date(1940, 1, 1)


def weather_tool(addresses: ServiceAddresses | None = None, *, timeout: float = 8.0) -> Tool:
    """The tool. ``timeout``: seconds to connect, to the first byte, and for the rest, each, of two requests."""
    at = addresses or ServiceAddresses()

    @tool(timeout=6 * timeout)
    def weather(place: str, date: Date | None = None, until: Date | None = None, units: Units = "auto") -> ToolResult:
        """Gives the weather of a place: now and the next seven days, or the days asked for, from 1940 to 15 days ahead.

        Args:
            place: a city or place, with its country if need be, or a whole question; for example Paris, France
            date: the day, or the first of several
            until: the last day, at most 31 days in all
        """
        if not place.strip():
            raise ToolFailed("The place is missing. Give the name of a city.", "input")
        if len(place) > _MOST_PLACE:
            raise ToolFailed(f"The place is too long. Use at most {_MOST_PLACE} characters.", "input")
        # The libraries behind it are loaded with the first look-up, not with the program.
        from agent.tools.weather.looking import Wanted, look_up
        from agent.tools.weather.place_question import understood

        today = datetime.now(UTC).date()
        asked = understood(place, today)
        if asked and date is None and until is None:
            date, until = asked.first, asked.last
        days = _days(date, until, today)
        now = days is None or days[0] <= today <= days[1]
        archived = days is not None and days[0] < today - timedelta(days=_BACK)
        found = look_up(
            at, timeout, Wanted(asked.place if asked else place, days, now and not archived, archived, units)
        )
        return replace(found, repairs=(*found.repairs, _understood(place, asked.place, days))) if asked else found

    return weather


def _understood(question: str, place: str, days: tuple[date, date] | None) -> str:
    """The note that says how a question was read."""
    if days is None:
        return Text("Read {question} as the place {place}.", question=shortened(question), place=shortened(place))
    when = " – ".join(dict.fromkeys(day.isoformat() for day in days))
    return Text(
        "Read {question} as the place {place}, {when}.", question=shortened(question), place=shortened(place), when=when
    )


def _days(first: date | None, last: date | None, today: date) -> tuple[date, date] | None:
    """The first and the last day; ``None`` for now and the next seven days. Raises ``ToolFailed`` (input)."""
    if first is None and last is None:
        return None
    start = first or min(today, last or today)
    end = last or start
    if end < start:
        raise ToolFailed(f"until ({end}) lies before date ({start}). Give them the other way round.", "input")
    if (end - start).days >= _MOST_DAYS:
        raise ToolFailed(f"That is more than {_MOST_DAYS} days. Ask for fewer at a time.", "input")
    if start < _FIRST:
        raise ToolFailed(f"There is no weather from before {_FIRST.isoformat()}. Ask for a later day.", "nothing")
    if end > today + timedelta(days=_AHEAD):
        ahead = (today + timedelta(days=_AHEAD)).isoformat()
        raise ToolFailed(f"There is no forecast for days after {ahead}. Ask for a day until then.", "nothing")
    return start, end
