"""Reading Open-Meteo's answers (https://open-meteo.com/en/docs): what is not there or not a number is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from agent.text.plain import Fields, fields, first, plain
from agent.tools.weather.conditions import WORDS, sky, unit, weekday, wind_from
from agent.tools.weather.places import number

CURRENT = (
    "temperature_2m",
    "apparent_temperature",
    "relative_humidity_2m",
    "precipitation",
    "weather_code",
    "wind_speed_10m",
    "wind_direction_10m",
)
PAST = ("weather_code", "temperature_2m_max", "temperature_2m_min", "precipitation_sum", "wind_speed_10m_max")
DAILY = (*PAST, "precipitation_probability_max")


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

    def line(self, language: str) -> str:
        words = WORDS[language]
        rest = [(words["feels"], self.feels), (words["humidity"], self.humidity)]
        rest += [(words["wind"], self.wind), (words["rain"], self.rain)]
        told = [self.temperature, self.sky, *(f"{_lower(name)} {value}" for name, value in rest if value)]
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

    def line(self, units: Mapping[str, str], language: str) -> str:
        """``2026-11-22 (Sunday): low 4.2 °C, high 11 °C, light rain, precipitation 3.1 mm, …``"""
        words = WORDS[language]
        measured = [
            (words["low"], self.low, units["temperature"]),
            (words["high"], self.high, units["temperature"]),
            (words["rain"], self.rain, units["rain"]),
            (words["chance"], self.chance, "%"),
            (words["gusts"], self.wind, units["wind"]),
        ]
        told = [f"{_lower(name)} {amount(value, what)}" for name, value, what in measured if value is not None]
        told.insert(2 if self.low is not None and self.high is not None else 0, self.sky)
        head = f"{self.day.isoformat()} ({weekday(self.day.weekday(), language)})"
        return f"{head}: {words['join'].join(filter(None, told))}"


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
        return "" if value is None else amount(value, unit(first(units, name, most=10)))

    if not measured("temperature_2m"):
        return None
    wind, degrees = measured("wind_speed_10m"), number(current.get("wind_direction_10m"))
    if wind and degrees is not None:
        wind = WORDS[language]["from"].format(wind, wind_from(degrees, language))
    return Now(
        time=first(current, "time", most=20).replace("T", " "),
        temperature=measured("temperature_2m"),
        feels=measured("apparent_temperature"),
        humidity=measured("relative_humidity_2m"),
        rain=measured("precipitation"),
        sky=sky(number(current.get("weather_code")), language),
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
        known = Day(day, low, high, rain, chance, wind, sky(code, language))
        if any(value is not None for value in (low, high, rain, wind)):
            days.append(known)
    return days


def read_units(content: Fields) -> dict[str, str]:
    """The units of the days, as they are written after a figure."""
    units = fields(content.get("daily_units"))
    names = {"temperature": "temperature_2m_max", "rain": "precipitation_sum", "wind": "wind_speed_10m_max"}
    return {name: unit(first(units, field, most=10)) for name, field in names.items()}


def _at(values: JsonValue, index: int) -> float | None:
    listed: Sequence[JsonValue] = values if isinstance(values, list) else []
    return number(listed[index]) if index < len(listed) else None


def _date(text: JsonValue) -> date | None:
    try:
        return date.fromisoformat(plain(text, 10))
    except ValueError:
        return None
