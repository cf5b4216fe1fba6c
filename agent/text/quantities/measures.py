"""Measures as people ask about them: "5 feet 11 inches", "1h30m", 「華氏100度」.

Words that mean several things (ton, month of days, degree) are left out on purpose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from agent.text.quantities.number_words import number_at
from agent.text.quantities.unit_table import ratio, unit_rows

CURRENCIES = {
    "$": "$", "€": "€", "£": "£", "¥": "¥", "円": "円", "dollars": "$", "dollar": "$", "euros": "€", "yen": "¥",
}  # fmt: skip
ABSOLUTE_ZERO = {"°C": "-273.15", "°F": "-459.67", "kelvin": "0"}
_CASE_MATTERS = {"Mb", "Gb", "Kb", "Tb", "kb", "Mg", "Ms", "kWH"}  # bits or bytes, mega or milli: not guessed


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit as an answer has it: ``name`` follows a figure (other than 1) in English, ``ja`` in Japanese."""

    name: str
    kind: str
    factor: str
    one: str
    ja: str

    @property
    def size(self) -> Fraction:
        return ratio(self.factor)

    @property
    def multiplier(self) -> str:
        """The factor as it can stand in a product."""
        return f"({self.factor})" if "/" in self.factor else self.factor


@dataclass(frozen=True, slots=True)
class Quantity:
    """A sum of measures, as in 5 feet 11 inches: each has its figure and what its unit may mean."""

    measures: tuple[tuple[str, tuple[Measure, ...]], ...]


@cache
def measures() -> dict[str, tuple[Measure, ...]]:
    """Each spelling and what it may mean: "キロ" is a length and a mass."""
    found: dict[str, tuple[Measure, ...]] = {}
    for row in unit_rows():
        if row.names:
            name, one, ja = row.names
            measure = Measure(name, row.kind, row.factor, one, ja)
            for spelling in dict.fromkeys((*row.names, *row.spellings, *row.in_questions)):
                found[spelling] = (*found.get(spelling, ()), measure)
    return found


@cache
def named(name: str) -> Measure | None:
    """The measure whose values are written with ``name``."""
    return next((one for meanings in measures().values() for one in meanings if one.name == name), None)


def measure_of(text: str) -> tuple[Measure, ...]:
    """What ``text``, the whole of it, may mean as a unit."""
    text = re.sub(r"(?<=\w)-(?=\w)", " ", text.strip())
    lower = text.lower()
    known = measures()
    return known.get(text) or (known.get(lower) if len(lower) > 1 and text not in _CASE_MATTERS else None) or ()


_PRIMES = re.compile(r"^(\d+) ?['′](?: ?(\d+(?:\.\d+)?) ?(?:\"|″|'')?)?$")
_ONE = re.compile(r"(?:an?|one) (?=[a-zA-Z])")
_SIGN = re.compile(r"(?:-|minus |negative |マイナス)(?=\S)")
_AFTER = re.compile(r"([^\d,]+?)(?:,? and |, ?| )?(?=\d|$)")
_JAPANESE_SCALE = re.compile(r"(摂氏|セ氏|華氏|カ氏) ?(.+?) ?度?")
_JAPANESE_DEGREES = re.compile(r"(.+?)度 ?\(?(摂氏|セ氏|華氏|カ氏)\)?")


def quantity(text: str, language: str) -> Quantity | None:
    """Read ``text``, the whole of it, as a quantity; ``None`` where it is none."""
    text = _PRIMES.sub(r"\1 feet \2 inches", text.strip()).replace(" feet  inches", " feet")
    if match := _JAPANESE_SCALE.fullmatch(text):
        text = f"{match[2]} {match[1]}"
    elif match := _JAPANESE_DEGREES.fullmatch(text):
        text = f"{match[1]} {match[2]}"
    sign = _SIGN.match(text)
    position = sign.end() if sign else 0
    if one := _ONE.match(text, position):
        meanings = measure_of(text[one.end() :])
        return Quantity((("1", meanings),)) if meanings and not sign else None
    found: list[tuple[str, tuple[Measure, ...]]] = []
    while position < len(text):
        part = _measure_at(text, position, language)
        if part is None:
            return None
        amount, meanings, position = part
        found.append((f"-{amount}" if sign else amount, meanings))
    return Quantity(_of_time(found)) if found and not (sign and len(found) > 1) else None


def _of_time(found: list[tuple[str, tuple[Measure, ...]]]) -> tuple[tuple[str, tuple[Measure, ...]], ...]:
    """Beside hours or seconds, as in 1h30m, an m is no metre."""
    timed = any(one.kind == "time" for _, meanings in found for one in meanings)
    metres, minutes = measure_of("m"), measure_of("min")
    return tuple((amount, minutes if timed and units == metres else units) for amount, units in found)


def _measure_at(text: str, position: int, language: str) -> tuple[str, tuple[Measure, ...], int] | None:
    number = number_at(text, position, language) or number_at(text.lower(), position, "en")
    after = _AFTER.match(text, number[1]) if number else None
    meanings = measure_of(after[1]) if after else ()
    return (number[0], meanings, after.end()) if number and after and meanings else None
