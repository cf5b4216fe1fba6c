"""A figure as it was typed, and how far another one may be from it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from agent.errors import BadRequest
from agent.text.regex import regex

_MOST = 200  # characters: what is made of a million of them holds the whole process for minutes
_GROUPED = regex(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")


def as_number(text: str) -> Fraction:
    """``1,234.5`` as a number; a comma that parts no thousands is none of it. Raises ``BadRequest``."""
    said = text.replace("\u2212", "-").strip()
    if not said:
        raise BadRequest.because("There is no number in it yet.")
    if len(said) > _MOST:
        raise BadRequest.because("{text} is not a number.", text=text[:60])
    try:
        number = Decimal(said.replace(",", "") if _GROUPED.fullmatch(said) else said)
        if number.is_finite() and abs(number.adjusted()) < 60:
            return Fraction(number)
    except InvalidOperation:
        pass
    raise BadRequest.because("{text} is not a number.", text=text[:60])


def tolerance(value: str, within: str, target: Fraction | None = None) -> Fraction:
    """By how much a figure may differ from ``target``, or from the ``value`` that was kept.

    ``within`` is an amount, or one in percent; "" is half a unit of the last digit. Raises ``BadRequest`` for what is
    none.
    """
    bound = within.strip().lstrip("±").strip()
    if not bound:
        decimals = value.partition(".")[2].strip()
        return Fraction(1, 2 * 10 ** len(decimals))
    amount = abs(as_number(bound.rstrip("%")))
    if not bound.endswith("%"):
        return amount
    return abs(as_number(value) if target is None else target) * amount / 100
