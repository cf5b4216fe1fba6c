"""Converting exactly: the table of units, and ``pint`` with fractions in place of floats for what is not in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from tokenize import TokenError
from typing import Any, cast

from agent.errors import ToolFailed
from agent.text.quantities.units import ratio, unit_rows
from agent.text.regex import regex
from agent.text.word_tables import word_table

_MOST = 60  # characters of a unit
_UNIT = regex(r"[\w°µμΩ%·*/^²³⁻¹() .'-]+")
_WORD = regex(r"(?<!\w)[^\W\d_]+(?: [^\W\d_]+)*(?!\w)")
_POWER = regex(r"\d{2,}|\*\*\s*[^\s\d-]|\([^()]*\)\s*(?:\*\*|\^)\s*\(")
_SUPERSCRIPTS = {"²": "**2", "³": "**3", "⁻¹": "**-1", "·": "*", "^": "**", " per ": "/"}
_ZERO_POINTS = {"degC": Fraction("273.15"), "degF": Fraction("459.67"), "kelvin": Fraction(0), "degR": Fraction(0)}
# What the parser of expressions ends in, beside errors of its own, where it is given none.
_NO_UNIT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    SyntaxError,
    TokenError,
    TypeError,
    ValueError,
)
# 100 Mbps, 12.5 MB/s, megabytes per second.
_RATE = regex(
    r"(?P<prefix>[kmgtp]?)(?P<bits>b)ps"
    r"|(?P<size>.+?) ?(?:/|per )(?:(?P<hours>h|hr|hours?)|(?P<minutes>min|minutes?)|s|secs?|seconds?)",
    re.I,
)
_FUEL = {
    "mpg": Fraction("1.609344") / Fraction("3.785411784"),
    "imperial_mpg": Fraction("1.609344") / Fraction("4.54609"),
    "km/l": Fraction(1),
}
_FUEL_NAMES = {
    "mpg": "mpg", "us mpg": "mpg", "miles per gallon": "mpg", "miles per us gallon": "mpg", "mpg us": "mpg",
    "uk mpg": "imperial_mpg", "imperial mpg": "imperial_mpg", "mpg uk": "imperial_mpg", "mpg imperial": "imperial_mpg",
    "miles per imperial gallon": "imperial_mpg", "km/l": "km/l", "kml": "km/l", "kmpl": "km/l",
    "km per liter": "km/l", "km per litre": "km/l", "kilometers per liter": "km/l", "kilometres per litre": "km/l",
    "l/100km": "l/100km", "l/100 km": "l/100km", "liters per 100 km": "l/100km", "litres per 100 km": "l/100km",
    "liters per 100 kilometers": "l/100km", "litres per 100 kilometres": "l/100km",
}  # fmt: skip


# The kinds of the table whose factors count: how many of the base units of ``pint`` (metre, gram, second, bit) are one
# of the table's. A month is the twelfth of a year of 365.25 days.
_BASES = {
    "length": 1, "area": 1, "volume": Fraction(1, 1000), "mass": 1000, "time": 1, "month": 2_629_800, "frequency": 1,
    "speed": 1, "energy": 1000, "power": 1000, "pressure": 1000, "data": 8,
}  # fmt: skip
_KINDS_OF_BASES = {"month": "time", "data": "bit"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name was taken for; ``others`` are what it may also mean, as pairs of unit and words."""

    taken: str
    others: tuple[tuple[str, str], ...]


@cache
def ambiguous() -> dict[str, Meaning]:
    """The names of units that mean several things."""
    read = word_table(__file__, "ambiguous_units.toml")
    return {
        name: Meaning(one["taken"], tuple((unit, words) for unit, words in one.get("others", ())))
        for one in read["meanings"]
        for name in one["names"]
    }


@cache
def _spellings() -> dict[str, str]:
    """Each spelling and the unit of ``pint`` that it stands for."""
    found: dict[str, str] = dict(_data_sizes())
    rows = [row for row in unit_rows() if row.pint_name]
    for row in rows:
        for name in (*row.to_convert, *row.in_questions, *row.spellings, *row.names, row.pint_name):
            found.setdefault(name, row.pint_name)
    for row in rows:
        for name in row.in_figures:
            found.setdefault(name, row.pint_name)
    return found


def _unit_called(name: str) -> str:
    """The unit of that name: as it is, else in lower case; "" where it is none of these."""
    known = _spellings()
    return known.get(name) or known.get(name.lower(), "")


def _data_sizes() -> dict[str, str]:
    """Sizes of data: KB and kB are 1,000 bytes, KiB 1,024; a small b at the end means bits."""
    found = {"kB": "10**3 byte", "kb": "10**3 bit", "kbit": "10**3 bit"}
    for place, letter in enumerate("KMGTPE", 1):
        for prefix, factor in ((letter, f"10**{3 * place}"), (f"{letter}i", f"2**{10 * place}")):
            found |= {f"{prefix}B": f"{factor} byte", f"{prefix}b": f"{factor} bit", f"{prefix}bit": f"{factor} bit"}
    for base, step, prefixes in (
        (10, 3, ("kilo", "mega", "giga", "tera", "peta", "exa")),
        (2, 10, ("kibi", "mebi", "gibi", "tebi", "pebi", "exbi")),
    ):
        for place, prefix in enumerate(prefixes, 1):
            for what in ("byte", "bit"):
                found |= {f"{prefix}{what}{end}": f"{base}**{step * place} {what}" for end in ("", "s")}
    for place, prefix in enumerate(("キロ", "メガ", "ギガ", "テラ", "ペタ"), 1):
        found |= {f"{prefix}バイト": f"10**{3 * place} byte", f"{prefix}ビット": f"10**{3 * place} bit"}
    return found


@cache
def _in_table() -> dict[str, tuple[Fraction, str]]:
    """The size in base units and the kind of what the table has, by the name for ``pint``."""
    return {
        row.pint_name: (_BASES[row.kind] * ratio(row.factor), _KINDS_OF_BASES.get(row.kind, row.kind))
        for row in unit_rows()
        if row.pint_name and row.kind in _BASES
    }


@dataclass(frozen=True, slots=True)
class Unit:
    """``kind`` is ``temperature``, ``fuel`` or the dimension in words; ``base`` its size where it is a plain factor."""

    name: str
    kind: str
    base: Fraction = Fraction(1)


def unit(typed: str) -> Unit:
    """The unit that ``typed`` names. Raises ``ToolFailed`` for what is none."""
    name = " ".join(typed.replace("\u3000", " ").split())
    if fuel := _FUEL_NAMES.get(name.lower()):
        return Unit(fuel, "fuel")
    if rate := _data_rate(name):
        return Unit(name, "data per time", rate)
    known = _unit_called(name)
    if known in _ZERO_POINTS:
        return Unit(known, "temperature")
    found = _sized(known or _expression(name))
    if found is None:
        raise ToolFailed(
            f"There is no unit “{name[:40]}” here. Write its full English name or its symbol, as in kilometre, lb, m/s "
            "or square foot.",
            "input",
        )
    if found == "temperature":
        return Unit("kelvin", "temperature")
    size, kind = cast("tuple[Fraction, str]", found)
    return Unit(known or name, kind, size)


def _data_rate(name: str) -> Fraction:
    """Bits a second of a rate at which data comes; 0 for what is none."""
    found = _RATE.fullmatch(name)
    if not found:
        return Fraction(0)
    if found["bits"]:
        prefix = "k" if found["prefix"] in ("k", "K") else found["prefix"].upper()
        size = prefix + found["bits"] if prefix else "bit" if found["bits"] == "b" else "byte"
    else:
        size = found["size"]
    sized = _sized(_unit_called(size))
    if not isinstance(sized, tuple) or sized[1] != "bit":
        return Fraction(0)
    return sized[0] / (3600 if found["hours"] else 60 if found["minutes"] else 1)


def convert(amount: Fraction, source: Unit, target: Unit) -> Fraction:
    """Exactly. Raises ``ToolFailed`` where the units measure different things, or there is no such value."""
    if source.kind != target.kind:
        raise ToolFailed(
            f"These do not measure the same thing: {source.kind} and {target.kind}. Nothing converts one into the "
            "other.",
            "input",
        )
    if source.kind == "temperature":
        return _temperature(amount, source.name, target.name)
    if source.kind == "fuel":
        return _fuel(amount, source.name, target.name)
    return amount * source.base / target.base


def _temperature(amount: Fraction, source: str, target: str) -> Fraction:
    scale = {"degC": Fraction(1), "kelvin": Fraction(1), "degF": Fraction(5, 9), "degR": Fraction(5, 9)}
    kelvins = (amount + _ZERO_POINTS[source]) * scale[source]
    if kelvins < 0:
        raise ToolFailed("That is below absolute zero, so there is no such temperature.", "input")
    return kelvins / scale[target] - _ZERO_POINTS[target]


def _fuel(amount: Fraction, source: str, target: str) -> Fraction:
    if amount <= 0:
        raise ToolFailed("Fuel economy is a figure above 0.", "input")
    far = 100 / amount if source == "l/100km" else amount * _FUEL[source]
    return 100 / far if target == "l/100km" else far / _FUEL[target]


def _expression(name: str) -> str:
    """As ``pint`` would read it; "" for what is surely no unit, or could keep it busy."""
    if len(name) > _MOST or "delta" in name or not _UNIT.fullmatch(name) or _POWER.search(name):
        return ""
    for sign, form in _SUPERSCRIPTS.items():
        name = name.replace(sign, form)
    # Words in it that are ours: "litres/minute", "square feet per hour".
    return _WORD.sub(lambda part: f"({_unit_called(part[0])})" if _unit_called(part[0]) else part[0], name)


def _sized(expression: str) -> tuple[Fraction, str] | str | None:
    """Size in base units and dimension; "temperature" for a scale of them, ``None`` for no unit at all."""
    factor, _, name = expression.rpartition(" ") if expression.startswith(("10**", "2**")) else ("", "", expression)
    if not name:
        return None
    base, _, power = factor.partition("**")
    times = int(base) ** int(power) if factor else 1
    if known := _in_table().get(name):
        return known[0] * times, known[1]
    import pint

    registry = _registry()
    try:
        # Parsed once as written and once in lower case: KM is km, but MW is not mW.
        quantity = registry.Quantity(Fraction(1), registry.parse_units(name)).to_root_units()
    except pint.errors.UndefinedUnitError:
        return _sized(name.lower()) if name != name.lower() and not factor else None
    except (pint.errors.PintError, *_NO_UNIT):
        return None
    kind = _kind(quantity)
    if kind == "temperature":
        return "temperature"
    size = Fraction(quantity.magnitude) * times
    return (size, kind) if size else None


_KINDS = {
    "length": "length", "mass": "mass", "time": "time", "length^2": "area", "length^3": "volume",
    "length / time": "speed", "length^2 mass / time^2": "energy", "length^2 mass / time^3": "power",
    "mass / length time^2": "pressure", "length mass / time^2": "force", "temperature": "temperature",
    "1 / time": "frequency",
}  # fmt: skip


def _kind(quantity: Any) -> str:
    """The dimension in words, or as in "length mass / time"; of angles and data, which have none, the unit."""
    powers = {str(name).strip("[]"): int(power) for name, power in dict(quantity.dimensionality).items()}
    if not powers:
        return " ".join(sorted(map(str, dict(quantity._units)))) or "a bare number"
    above, below = (
        " ".join(
            f"{name}^{abs(power)}" if abs(power) > 1 else name
            for name, power in sorted(powers.items())
            if power * sign > 0
        )
        for sign in (1, -1)
    )
    text = f"{above or '1'} / {below}" if below else above
    return _KINDS.get(text, text)


@cache
def _registry() -> Any:
    """Loaded with the first conversion; it takes about as long as a search."""
    import pint

    # Its types know floats and decimals alone; it takes any number.
    make = cast("Any", pint.UnitRegistry)
    return make(non_int_type=Fraction, cache_folder=None)
