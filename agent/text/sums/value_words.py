"""Figures as an answer shows them: grouped, with their unit, rounded where more digits would say nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from agent.text.quantities.measures import named

Language = Literal["en", "ja"]

_SIGNS = frozenset("$€£¥")
_CENTS = frozenset("$€£")
_GROUPED_FROM = 5  # digits before the point
_DIGITS = 6
_SMALLEST_PLAIN = -6
_LARGEST_ROUNDED = Decimal(10) ** 20


@dataclass(frozen=True, slots=True)
class Value:
    """A figure, as the calculator or a source wrote it, and the name of its unit ("" for a bare number).

    ``close``: the figure was told as "about" so much.
    """

    amount: str
    unit: str = ""
    close: bool = False


def either(language: Language, english: str, japanese: str) -> str:
    return japanese if language == "ja" else english


def sentence(text: str) -> str:
    """With a capital letter, unless it begins with a formula such as ``gcd(12, 18)`` or ``e^2``."""
    return text if re.match(r"[a-z0-9]+\(|e\b", text) else text[:1].upper() + text[1:]


def shown(value: Value, language: Language, grouped: bool = True) -> str:
    """A value in an answer, in a form that ``quantity`` and the grammar read again.

    ``grouped``: with commas between thousands, from five digits on.
    """
    amount, unit = value.amount, value.unit
    if unit in _CENTS and re.fullmatch(r"-?\d+\.\d", amount):
        amount += "0"
    figure = _with_commas(amount) if grouped else amount
    if unit in _SIGNS:
        return f"-{unit}{figure[1:]}" if amount.startswith("-") else f"{unit}{figure}"
    measure = named(unit)
    if measure is None:
        return f"{figure}{unit}"
    if language == "ja":
        return f"{figure} {measure.ja}" if measure.ja.isascii() or measure.ja[0] == "°" else f"{figure}{measure.ja}"
    return f"{figure} {measure.one if amount == '1' else unit}"


def _with_commas(amount: str) -> str:
    whole, point, rest = amount.partition(".")
    if len(whole.lstrip("-")) < _GROUPED_FROM or not whole.lstrip("-").isdigit():
        return amount
    return f"{Decimal(whole):,}{point}{rest}"


def measured(value: Value, language: Language) -> str:
    """A converted value to six digits or to the unit, "about" before it where some were cut off."""
    amount = Decimal(value.amount)
    places = max(_DIGITS - 1 - amount.adjusted(), 0)
    return _about(value, amount, places, language)


def stated(value: Value, language: Language) -> str:
    """As ``shown``, with money in cents and "about" before it where some of a cent was cut off."""
    return _about(value, Decimal(value.amount), 2, language) if value.unit in _CENTS else shown(value, language)


def _about(value: Value, amount: Decimal, places: int, language: Language) -> str:
    if abs(amount) >= _LARGEST_ROUNDED:
        return shown(value, language)
    rounded = amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP).normalize()
    if rounded == amount:
        return shown(value, language)
    if value.unit in _CENTS:
        rounded = rounded.quantize(Decimal("0.01"))
    text = f"{rounded:f}" if rounded.adjusted() >= _SMALLEST_PLAIN else f"{rounded:e}"
    about = "約" if language == "ja" else "about "
    return about + shown(Value(text, value.unit), language)
