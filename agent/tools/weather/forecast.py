"""Reading Open-Meteo's answers: places by their names, and their weather; what is not there or no number is left out.

https://open-meteo.com/en/docs/geocoding-api and https://open-meteo.com/en/docs
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Any

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.text.plain import Fields, fields, first, japanese, objects, plain
from agent.text.regex import regex
from agent.text.word_tables import word_table
from agent.web.services.api_call import Reply, Service, instead

_MOST_NAMESAKES = 4
_COORDINATES = regex(r"\s*([+-]?\d{1,2}(?:\.\d+)?)\s*°?\s*[, ]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*")


@dataclass(frozen=True, slots=True)
class Place:
    """``names`` from the place itself to its country; ``people`` live there, 0 where it is not known."""

    names: tuple[str, ...]
    latitude: float
    longitude: float
    country_code: str = ""
    people: int = 0

    @property
    def full(self) -> str:
        return ", ".join(self.names)


def find_place(service: Service, url: str, words: str) -> tuple[Place, list[Place]]:
    """The place that is meant, and others of the same name; raises ``ToolFailed``: nothing, or as ``Service`` does.

    Words after a comma (a state, a country) narrow the search; ``48.85, 2.35`` is a place, too.
    """
    if (given := _COORDINATES.fullmatch(words)) and abs(float(given[1])) <= 90 and abs(float(given[2])) <= 180:
        return Place((f"{given[1]}, {given[2]}",), float(given[1]), float(given[2])), []
    name, *further = (part.strip() for part in re.split("[,、，]", words))
    found = [place for place in _asked(service, url, name) if _fits(place, further)]
    if not found:
        message = f"No place called ‘{plain(words, 80)}’ was found. Write its name in English or in its own language"
        raise ToolFailed(f"{message}, for example Paris, or with a state or country: Paris, Texas.", "nothing")
    best = found[0]
    same = [place for place in found[1:] if place.names[0].casefold() == best.names[0].casefold()]
    different = {place.full: place for place in same if place.full != best.full}
    return best, list(different.values())[:_MOST_NAMESAKES]


def _asked(service: Service, url: str, name: str) -> Iterator[Place]:
    language = "ja" if japanese(name) else "en"
    reply = service.get(url, {"name": name, "count": 20, "language": language, "format": "json"})
    for found in objects(answered(service, reply).get("results")):
        latitude, longitude = number(found.get("latitude")), number(found.get("longitude"))
        names = dict.fromkeys(first(found, part, most=80) for part in ("name", "admin1", "country"))
        if latitude is not None and longitude is not None and first(found, "name"):
            people = number(found.get("population"))
            code = first(found, "country_code", most=2).upper()
            yield Place(tuple(filter(None, names)), latitude, longitude, code, int(people or 0))


def _fits(place: Place, further: list[str]) -> bool:
    """Whether each of the words stands in the name of its state or country, or is the code of one."""
    wider = [name.casefold() for name in place.names[1:]]
    code = place.country_code.casefold()
    for word in filter(None, (word.casefold() for word in further)):
        state = WORDS["states"].get(word, "").casefold() if code == "us" else ""
        if (
            code not in (word, WORDS["countries"].get(word))
            and state not in wider
            and not any(word in name for name in wider)
        ):
            return False
    return True


def answered(service: Service, reply: Reply) -> Fields:
    """The object of a reply; raises ``ToolFailed`` for ``{"error": true, "reason": …}`` and for no answer."""
    reason = first(fields(reply.content), "reason", most=200).rstrip(".")
    if reply.status == 429:
        raise service.used_up(reason)
    if reply.status == 400 and reason:
        raise ToolFailed(f"{service.name} cannot do that: {reason}. {instead(service.what)}", "input")
    return service.content(reply)


def number(value: object) -> float | None:
    """A number as it is; ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) and abs(value) < 1e9 else None


CURRENT = (
    "temperature_2m", "apparent_temperature", "relative_humidity_2m", "precipitation", "weather_code", "wind_speed_10m",
    "wind_direction_10m",
)  # fmt: skip
PAST = ("weather_code", "temperature_2m_max", "temperature_2m_min", "precipitation_sum", "wind_speed_10m_max")
DAILY = (*PAST, "precipitation_probability_max")
_UNITS = {"mp/h": "mph", "inch": "in"}
# By language; the skies by their code, states of the USA and countries by other names.
WORDS: dict[str, dict[str, Any]] = word_table(__file__, "weather_words.toml")


def _sky(code: float | None, language: str) -> str:
    """``light rain``; "" for a code that is none."""
    words = WORDS["sky"].get(str(int(code))) if code is not None else None
    return words[language == "ja"] if words else ""


def _unit(units: Fields, name: str) -> str:
    """The unit of a figure, as it is written after it."""
    given = first(units, name, most=10)
    return _UNITS.get(given, given)


def told_day(day: date, language: str) -> str:
    """The day of the week."""
    return WORDS[language]["days"][day.weekday()]


@dataclass(frozen=True, slots=True)
class Now:
    """The weather of this hour; each field is text with its unit, "" where it is not known."""

    time: str
    temperature: str
    feels: str
    humidity: str
    rain: str
    sky: str
    wind: str

    def facts(self, language: str) -> tuple[tuple[str, str], ...]:
        """What is known beside the temperature and the sky, each with its name."""
        known = (("feels", self.feels), ("humidity", self.humidity), ("wind", self.wind), ("rain", self.rain))
        return tuple((WORDS[language][name], value) for name, value in known if value)

    def line(self, language: str) -> str:
        words = WORDS[language]
        told = [self.temperature, self.sky, *(f"{_lower(name)} {value}" for name, value in self.facts(language))]
        return f"{words['now']} ({self.time}): {words['join'].join(filter(None, told))}"


@dataclass(frozen=True, slots=True)
class Day:
    """A day; ``None`` for a figure that is not known. ``chance`` is in percent."""

    day: date
    low: float | None
    high: float | None
    rain: float | None
    chance: float | None
    wind: float | None
    sky: str

    def figures(self, units: Mapping[str, str], language: str) -> list[tuple[str, float | None, str]]:
        """Each figure with its name and its unit: low, high, precipitation, its chance, wind."""
        words = WORDS[language]
        return [
            (words["low"], self.low, units["temperature"]),
            (words["high"], self.high, units["temperature"]),
            (words["rain"], self.rain, units["rain"]),
            (words["chance"], self.chance, "%"),
            (words["gusts"], self.wind, units["wind"]),
        ]

    def line(self, units: Mapping[str, str], language: str) -> str:
        """``2026-11-22 (Sunday): low 4.2 °C, high 11 °C, light rain, precipitation 3.1 mm, …``"""
        figures = self.figures(units, language)
        told = [f"{_lower(name)} {amount(value, what)}" for name, value, what in figures if value is not None]
        told.insert(2 if self.low is not None and self.high is not None else 0, self.sky)
        head = f"{self.day.isoformat()} ({told_day(self.day, language)})"
        return f"{head}: {WORDS[language]['join'].join(filter(None, told))}"


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def amount(value: float, what: str) -> str:
    """``4.2 °C``, ``81 %``."""
    return f"{value:.10g} {what}".strip()


def read_now(content: Fields, language: str) -> Now | None:
    """The ``current`` part; ``None`` where it has no temperature."""
    current, units = fields(content.get("current")), fields(content.get("current_units"))

    def measured(name: str) -> str:
        value = number(current.get(name))
        return "" if value is None else amount(value, _unit(units, name))

    if not measured("temperature_2m"):
        return None
    wind, degrees = measured("wind_speed_10m"), number(current.get("wind_direction_10m"))
    if wind and degrees is not None:
        wind = WORDS[language]["from"].format(wind, WORDS[language]["winds"][round(degrees / 45) % 8])
    return Now(
        time=first(current, "time", most=20).replace("T", " "),
        temperature=measured("temperature_2m"),
        feels=measured("apparent_temperature"),
        humidity=measured("relative_humidity_2m"),
        rain=measured("precipitation"),
        sky=_sky(number(current.get("weather_code")), language),
        wind=wind,
    )


def read_days(content: Fields, language: str) -> list[Day]:
    """The ``daily`` part: lists side by side, of which any may be shorter or not there."""
    daily = fields(content.get("daily"))
    times = daily.get("time")
    days: list[Day] = []
    for index, text in enumerate(times[:400] if isinstance(times, list) else []):
        day = _date(text)
        if day is None:
            continue
        low, high, rain, chance, wind, code = (
            _at(daily.get(name), index)
            for name in (
                "temperature_2m_min",
                "temperature_2m_max",
                "precipitation_sum",
                "precipitation_probability_max",
                "wind_speed_10m_max",
                "weather_code",
            )
        )
        known = Day(day, low, high, rain, chance, wind, _sky(code, language))
        if any(value is not None for value in (low, high, rain, wind)):
            days.append(known)
    return days


def read_units(content: Fields) -> dict[str, str]:
    """The units of the days, as they are written after a figure."""
    units = fields(content.get("daily_units"))
    names = {"temperature": "temperature_2m_max", "rain": "precipitation_sum", "wind": "wind_speed_10m_max"}
    return {name: _unit(units, field) for name, field in names.items()}


def _at(values: JsonValue, index: int) -> float | None:
    listed: Sequence[JsonValue] = values if isinstance(values, list) else []
    return number(listed[index]) if index < len(listed) else None


def _date(text: JsonValue) -> date | None:
    try:
        return date.fromisoformat(plain(text, 10))
    except ValueError:
        return None
