"""A look-up of the weather: the place, its days, and how they are told and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from agent.data.tables.charts.vega import Axis, Chart, spec_of
from agent.errors import ToolFailed
from agent.events import Artifact, Source
from agent.settings import ServiceAddresses
from agent.text.plain import Fields, japanese, packed
from agent.toolkit.base import ToolResult, artifact
from agent.tools.weather.forecast import (
    CURRENT,
    DAILY,
    PAST,
    WORDS,
    Day,
    Now,
    Place,
    amount,
    answered,
    find_place,
    read_days,
    read_now,
    read_units,
    told_day,
)
from agent.web.services.api_call import Service
from agent.web.services.result_cards import Card, card_artifact, table_artifact

_CHART_FROM = 3  # days; fewer are read faster than drawn
# Where people say degrees Fahrenheit, by ISO 3166.
_FAHRENHEIT = {"US", "PR", "VI", "GU", "AS", "MP", "UM", "BS", "BZ", "KY", "PW", "FM", "MH", "LR"}
# Where wind is told in metres per second, and where in miles per hour beside degrees Celsius.
_METRES = {"JP", "KR", "CN", "TW", "RU", "SE", "NO", "FI", "DK", "IS", "EE", "LV", "LT", "UA", "KZ", "MN"}
_MILES = {"GB", "IM", "JE", "GG"}
_IMPERIAL = {"temperature_unit": "fahrenheit", "wind_speed_unit": "mph", "precipitation_unit": "inch"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for. ``days`` are the first and the last, ``None`` for now and the next seven.

    ``now``: this hour, too. ``archived``: they begin before what the forecast has. ``units``: ``auto``, ``metric`` or
    ``imperial``.
    """

    place: str
    days: tuple[date, date] | None
    now: bool
    archived: bool
    units: str


def look_up(addresses: ServiceAddresses, timeout: float, wanted: Wanted) -> ToolResult:
    """Ask twice, for the place and for its weather. Raises ``ToolFailed``: nothing, quota, network, timeout, …"""
    service = Service("Open-Meteo", timeout, what="weather look-up")
    place, namesakes = find_place(service, addresses.geocoding, wanted.place)
    language = "ja" if japanese(wanted.place) else "en"
    url = addresses.archive if wanted.archived else addresses.forecast
    content = answered(service, service.get(url, _parameters(place, wanted)))
    now = read_now(content, language) if wanted.now else None
    days = read_days(content, language)
    if not days and now is None:
        raise ToolFailed(f"{service.name} has no weather of those days there. Ask for other days.", "nothing")
    source = Source(
        1,
        f"{service.name}: {place.full}",
        f"https://open-meteo.com/en/docs?latitude={place.latitude:g}&longitude={place.longitude:g}&timezone=auto",
    )
    text = _text(place, namesakes, now, days, content, language)
    return ToolResult(text, _artifacts(place, now, days, content, language), (source,))


def _parameters(place: Place, wanted: Wanted) -> dict[str, str | int]:
    asked: dict[str, str | int] = {
        "latitude": f"{place.latitude:g}",
        "longitude": f"{place.longitude:g}",
        "timezone": "auto",
        "daily": ",".join(PAST if wanted.archived else DAILY),
    }
    if wanted.days:
        asked |= {"start_date": wanted.days[0].isoformat(), "end_date": wanted.days[1].isoformat()}
    else:
        asked["forecast_days"] = 7
    if wanted.now:
        asked["current"] = ",".join(CURRENT)
    imperial = wanted.units == "imperial" or (wanted.units == "auto" and place.country_code in _FAHRENHEIT)
    if imperial:
        return asked | _IMPERIAL
    if wanted.units == "auto" and place.country_code in _METRES | _MILES:
        asked["wind_speed_unit"] = "ms" if place.country_code in _METRES else "mph"
    return asked


def _text(
    place: Place, namesakes: Sequence[Place], now: Now | None, days: Sequence[Day], content: Fields, language: str
) -> str:
    units = read_units(content)
    lines = [f"{WORDS[language]['forecast'].format(place.full)} [1]"]
    if now:
        lines.append(now.line(language))
    lines += [day.line(units, language) for day in days]
    if namesakes:
        told = "; ".join(f"{one.full} ({one.people:,})" if one.people else one.full for one in namesakes)
        lines.append(WORDS[language]["others"].format(told))
    return "\n".join(lines)


def _artifacts(
    place: Place, now: Now | None, days: Sequence[Day], content: Fields, language: str
) -> tuple[Artifact, ...]:
    words, units = WORDS[language], read_units(content)
    title = words["forecast"].format(place.full)
    made: list[Artifact] = []
    if now:
        about = " · ".join(filter(None, (f"{now.sky[:1].upper()}{now.sky[1:]}", words["local"].format(now.time))))
        card = Card(place.full, about, now.temperature, "", now.facts(language))
        made.append(card_artifact(title, [card]))
    elif len(days) == 1:
        made.append(card_artifact(title, [_card(place, days[0], units, language)]))
    if len(days) >= _CHART_FROM:
        made.append(artifact("chart", title, packed(_chart(place.full, days, units["temperature"], language))))
    if len(days) > 1:
        made.append(_table(title, days, units, language))
    return (*made, artifact("json", "answer of Open-Meteo", packed(dict(content))))


def _card(place: Place, day: Day, units: dict[str, str], language: str) -> Card:
    both = [f"{value:.10g}" for value in (day.low, day.high) if value is not None]
    rest = day.figures(units, language)[2:]
    facts = tuple((name, amount(value, unit)) for name, value, unit in rest if value is not None)
    about = " · ".join(filter(None, (f"{day.day.isoformat()}, {told_day(day.day, language)}", day.sky)))
    return Card(place.full, about, f"{WORDS[language]['to'].join(both)} {units['temperature']}".strip(), "", facts)


def _chart(title: str, days: Sequence[Day], degrees: str, language: str) -> JsonValue:
    words = WORDS[language]
    values = [
        {"x": f"{day.day.isoformat()}T00:00:00", "y": value, "colour": words[name]}
        for day in days
        for name, value in (("high", day.high), ("low", day.low))
        if value is not None
    ]
    axes = {
        "x": Axis(words["day"], "date", {"axis": {"format": _tick(len(days), language), "tickCount": "day"}}),
        "y": Axis(f"{words['temperature']} ({degrees})", "number", {"scale": {"zero": False}}),
        # Above the lines: beside them it takes a third of a phone's width.
        "colour": Axis(words["temperature"], "text", {"legend": {"orient": "top", "title": None}}),
    }
    return spec_of(Chart("line", words["day"], words["temperature"], "colour", title=title), axes, values)


def _tick(days: int, language: str) -> str:
    """How a day stands under the chart: by its weekday where there are few."""
    if language == "ja":
        return "%-m/%-d"
    return "%a %-d" if days <= 10 else "%-d %b"


def _table(title: str, days: Sequence[Day], units: dict[str, str], language: str) -> Artifact:
    """A row for each day, without the columns of which nothing is known."""
    figures = [day.figures(units, language) for day in days]
    columns = [WORDS[language]["day"], WORDS[language]["sky"], *(f"{name} ({unit})" for name, _, unit in figures[0])]
    rows = [
        (day.day.isoformat(), day.sky, *(value for _, value, _ in known))
        for day, known in zip(days, figures, strict=True)
    ]
    kept = [index for index in range(len(columns)) if any(row[index] not in (None, "") for row in rows)]
    return table_artifact(title, [columns[at] for at in kept], [[row[at] for at in kept] for row in rows])
