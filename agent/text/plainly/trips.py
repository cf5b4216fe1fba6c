"""Ways, times, speeds, paces and fuel told in any words, by the units of their quantities."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.story_parts import Part
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, telling

_TURNS = regex(
    r"\b(?:not|never|no|except|without|half|twice|double|each way|return|round trip"
    r"|there and back|and back|break|breaks|stops?|stopped"
    r"|rest(?:ed|ing)?|wait\w*|then|first|second|last|already|still|more|less|faster|slower"
    r"|late|early|earlier|later|delay\w*|if|instead"
    r"|every|or|than|between|towards|opposite|both|other|another|again|only|upstream"
    r"|downstream|wind|current|head ?wind|usually|until)\b|n['’]t\b"
)
_SHORT = (
    (regex(r"\b(\d[\d.]*) ?(?:mph|miles per hour|miles an hour)\b", re.I), r"\1 miles/h"),
    (regex(r"\b(\d[\d.]*) ?(?:kph|kmh|km per hour|km an hour|kilomet(?:re|er)s (?:per|an) hour)\b", re.I), r"\1 km/h"),
    (regex(r"\b(?:about|around|roughly|approximately|some|exactly|just over|just under|nearly) (?=\d)", re.I), ""),
    (
        regex(r"\b(\d+) hours? and a half\b|\b(\d+) and a half hours?\b|\b(\d+) (?:1/2|½) hours?\b", re.I),
        r"\1\2\3.5 hours",
    ),
    (regex(r"\b(?:an hour and a half|one and a half hours)\b", re.I), "1.5 hours"),
    (regex(r"\b(?:an|one) hour and (\d+)\b", re.I), r"1 hour and \1"),
    (regex(r"\b(\d+) hours? (\d+)(?= *(?:[,.;?!]|$))", re.I), r"\1 hours \2 minutes"),
)
_HOW_LONG = regex(r"\bhow (?:long|many (?:hours|minutes))\b|\bhow much time\b|\b(?:driving|travel|journey) time\b")
_HOW_FAR = regex(r"\bhow far\b|\b(?:what|which) distance\b|\bhow many (?:km|kilomet(?:er|re)s|miles)\b|\bdistance\b")
_HOW_FAST = regex(
    r"\bhow fast\b|\bspeed\b|\b(?:km/h|kph|mph)\b|\b(?:km|kilomet(?:er|re)s|miles) (?:per"
    r"|an) hour\b|\bhow many (?:km|miles) (?:per|an) hour\b"
)
_PACE = regex(
    r"\bpace\b|\b(?:minutes?|time|long|average) (?:per|a|each|for each) (?:km|kilomet(?:er|re)"
    r"|mile|k)\b|\b(?:per|each) (?:km|kilomet(?:er|re)|mile)\b"
)
_PER_100 = regex(
    r"\b(?:per|for|every|each|in) (?:100|a hundred|one hundred)(?: ?(?:km|kilomet(?:er|re)s)\b"
    r"|(?=[ ?.!]*$))|\bl ?/ ?100 ?km\b|\bconsumption\b"
)
_MPG = regex(r"\b(?:miles (?:per|to the|a) gallon|mpg)\b")
_ASKING = regex(r"\b(?:how|what|what's|whats|which|when|average|speed|pace|per(?= 100))\b(?:[^.?!]|\.(?=\d))*[ ?.!]*$")


def of_quantities(text: str) -> Iterator[str]:
    """The plain questions that a telling of a few quantities may come to."""
    for pattern, form in _SHORT:
        text = pattern.sub(form, text)
    asked = _ASKING.search(text.lower())
    bare = text[: asked.start()] + _PER_100.sub("per §", asked[0]) if asked else text
    told = telling(_PER_100.sub(" ", text) if _PER_100.search(text.lower()) else text)
    if told is None or asked is None or _TURNS.search(told.text) or len(told.parts) != 2:
        return
    yield from _of_way(told, asked[0])
    if "§" in bare or _MPG.search(asked[0]):
        yield from _of_fuel(told, bare)


def _kind(part: Part) -> str:
    """ "length", "time", "volume", "speed" or "" for any other."""
    name = next(iter(part.names), "")
    if part.by:
        by = next(iter(part.by.names), "")
        return "speed" if (name, by) == ("@length", "@time") and part.by.amount == 1 else ""
    return name.removeprefix("@") if part.measure else ""


def _size(part: Part) -> str:
    unit = part.measure.one if part.measure and part.amount == 1 else part.unit
    return f"{figure_of(part.amount)} {unit}"


def _speed(part: Part) -> str:
    return f"{figure_of(part.amount)} {'mph' if part.unit == 'miles' else 'km/h' if part.unit == 'km' else ''}"


_OF_SPEED = r"\bhow many (?:km|kilomet(?:er|re)s|miles) (?:per|an) hour\b"
_OTHER_SPEED = {
    "km": (r"\b(?:mph|miles)\b", "mph"),
    "miles": (r"\b(?:km/h|kph|km|kilomet)", "km/h"),
    "metres": (r"\b(?:km/h|kph|km|kilomet)", "km/h"),
}


def _clock(part: Part) -> str:
    """A length of time as minutes and seconds, or hours, minutes and seconds."""
    seconds = round(part.amount * (part.measure.size if part.measure else 1))
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}:{rest:02}" if minutes < 100 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _of_way(told: Telling, asked: str) -> Iterator[str]:
    kinds = {_kind(part): part for part in told.parts}
    way, time, speed = (kinds.get(name) for name in ("length", "time", "speed"))
    if speed and not _speed(speed).endswith("h"):
        return
    if way and speed and _HOW_LONG.search(asked) and not _HOW_FAR.search(asked):
        yield f"{_size(way)} at {_speed(speed)}, how long?"
    if time and speed and _HOW_FAR.search(asked):
        yield f"How far in {_size(time)} at {_speed(speed)}?"
    if way and time and _PACE.search(asked) and not _HOW_FAST.search(asked):
        yield f"{_size(way)} in {_clock(time)}, what pace per {'mile' if way.unit == 'miles' else 'km'}?"
    if way and time and _HOW_FAST.search(asked) and not _HOW_FAR.search(re.sub(_OF_SPEED, " ", asked)):
        other = _OTHER_SPEED.get(way.unit)
        into = f" in {other[1]}" if other and re.search(other[0], asked) else ""
        yield f"{_size(way)} in {_size(time)}, average speed{into}?"


def _of_fuel(told: Telling, asked: str) -> Iterator[str]:
    kinds = {_kind(part): part for part in told.parts}
    fuel, way = kinds.get("volume"), kinds.get("length")
    if fuel and way and "§" in asked:
        yield f"I used {_size(fuel)} for {_size(way)}, how much is that per 100 km?"
