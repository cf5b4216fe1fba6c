"""Places by their names (https://open-meteo.com/en/docs/geocoding-api)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from agent.errors import ToolFailed
from agent.text.plain import Fields, fields, first, japanese, objects, plain
from agent.web.services.api_call import Reply, Service, instead

_MOST_NAMESAKES = 4
_COUNTRIES = {"uk": "gb", "usa": "us", "u.s.": "us", "u.s.a.": "us", "england": "gb", "america": "us"}
_STATES = (
    "al Alabama, ak Alaska, az Arizona, ar Arkansas, ca California, co Colorado, ct Connecticut, de Delaware, fl "
    "Florida, ga Georgia, hi Hawaii, id Idaho, il Illinois, in Indiana, ia Iowa, ks Kansas, ky Kentucky, la "
    "Louisiana, me Maine, md Maryland, ma Massachusetts, mi Michigan, mn Minnesota, ms Mississippi, mo Missouri, "
    "mt Montana, ne Nebraska, nv Nevada, nh New Hampshire, nj New Jersey, nm New Mexico, ny New York, nc North "
    "Carolina, nd North Dakota, oh Ohio, ok Oklahoma, or Oregon, pa Pennsylvania, ri Rhode Island, sc South "
    "Carolina, sd South Dakota, tn Tennessee, tx Texas, ut Utah, vt Vermont, va Virginia, wa Washington, wv West "
    "Virginia, wi Wisconsin, wy Wyoming, dc District of Columbia"
)
_STATE_OF = {short: name.casefold() for short, _, name in (one.partition(" ") for one in _STATES.split(", "))}
_COORDINATES = re.compile(r"\s*([+-]?\d{1,2}(?:\.\d+)?)\s*°?\s*[, ]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*")


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
        state = _STATE_OF.get(word, "") if code == "us" else ""
        if code not in (word, _COUNTRIES.get(word)) and state not in wider and not any(word in name for name in wider):
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
