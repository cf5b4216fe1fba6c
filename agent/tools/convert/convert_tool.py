"""The ``convert`` tool: a measure in another unit, exactly; units that mean several things are named."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from fractions import Fraction

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.text.regex import regex
from agent.text.sums.phrases import language_of, plain
from agent.text.sums.question_forms import TOGETHER, read_conversion
from agent.toolkit.base import tool
from agent.tools.convert.unit_registry import Unit, ambiguous
from agent.tools.convert.unit_registry import convert as converted
from agent.tools.convert.unit_registry import unit as unit_called

_DIGITS = 12
_EXACT = 18
_MOST_TEXT = 200  # characters of a measure in words
_CURRENCIES = regex(
    r"(?:usd|eur|gbp|jpy|chf|cad|aud|inr|cny|krw|nzd|sek|nok|dkk|brl|mxn|zar|hkd|sgd|twd|rub|try|btc|"
    r"(?:us |canadian |australian )?dollars?|euros?|(?:british )?pounds? sterling|yen|yuan|renminbi|francs?|rupees?|"
    r"won|pesos?|bitcoins?|円|ドル|ユーロ|元|ウォン|[$€£¥])",
    re.I,
)
_TO = regex(r"(?:in|to|into) ", re.I)
_ASKED = regex(
    r"(?:convert )?(?P<amount>-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?) ?(?P<unit>[^{}]+?) (?:in|to|into|as) "
    r"(?P<to>[^{}]+?)\??",
    re.I,
)
_ASKED_JA = regex(
    r"(?P<amount>-?\d[\d,]*(?:\.\d+)?) ?(?P<unit>[^{}\d\s]+?)[はをって]{1,3}、?(?:何|なん)?(?P<to>[^{}\d\s]+?)"
    r"(?:に(?:換算|直)?(?:する|して|すると|したら|なる|なりますか)?|ですか|です)?[?？。]?"
)


def read_words(text: str) -> dict[str, JsonValue] | None:
    """The arguments of "5 miles in km" and "5 feet 11 inches in cm"; ``None`` for an input that is no such words.

    Small models write "5 miles; to km", and the unit twice.
    """
    asked = plain(text[:_MOST_TEXT])
    measure, *units = (_TO.sub("", part.strip()) for part in asked.split(";"))
    if len(set(units)) == 1:
        asked = f"{measure} to {units[0]}"
    found = None if "{" in asked else read_conversion(asked, language_of(asked))
    if found and found.given:
        last = found.given[-1][1]
        amounts = [
            Fraction(amount) * one.size / last.size if one != last else Fraction(amount) for amount, one in found.given
        ]
        if language_of(asked) == "ja" and len(found.targets) == 1:
            return {"amount": float(sum(amounts)), "unit": last.ja, "to": found.targets[0].ja}
        to = " and ".join(target.name for target in found.targets)
        return {"amount": float(sum(amounts)), "unit": last.name, "to": to}
    match = _ASKED.fullmatch(asked) or _ASKED_JA.fullmatch(asked)
    return (
        {"amount": float(match["amount"].replace(",", "")), "unit": match["unit"], "to": match["to"]} if match else None
    )


@tool(name="convert", timeout=20.0, reads=read_words)
def convert(amount: float, unit: str, to: str) -> str:
    """Converts a measure into another unit: length, weight, volume, temperature, data, fuel, Japanese units and more;
    no currencies.

    Args:
        amount: how much, for example 72
        unit: its unit, for example °F
        to: the unit wanted, for example °C
    """
    first, _, second = to.strip().partition(" and ")
    if f"{first} and {second}" in TOGETHER:
        return _split(Fraction(repr(amount)), unit.strip(), first, second)
    return told(Fraction(repr(amount)), unit.strip(), to.strip())


def _split(amount: Fraction, unit: str, big: str, small: str) -> str:
    """90 minutes in hours and minutes."""
    total = converted(amount, unit_called(unit), unit_called(big))
    whole = total.numerator // total.denominator
    figure, exact = written(converted(total - whole, unit_called(big), unit_called(small)))
    return f"{written(amount)[0]} {unit} {'=' if exact else '≈'} {whole} {big} and {figure} {small}"


def told(amount: Fraction, unit: str, to: str) -> str:
    """The whole answer: ``5 km ≈ 3.10685596119 miles``, and what ambiguous names were taken for."""
    for name in (unit, to):
        if _CURRENCIES.fullmatch(name):
            raise ToolFailed(
                "Money cannot be converted here: rates change by the hour. Search for today's rate, then multiply.",
                "input",
            )
    source, target = unit_called(unit), unit_called(to)
    result = converted(amount, source, target)
    figure, exact = written(result)
    lines = [f"{written(amount)[0]} {unit} {'=' if exact else '≈'} {figure} {to}"]
    for name, mine, other in ((unit, source, target), (to, target, source)):
        if note := _note(name, mine, other, amount, result, name == unit):
            lines.append(note)
    return "\n".join(dict.fromkeys(lines))


def _note(name: str, mine: Unit, other: Unit, amount: Fraction, result: Fraction, first: bool) -> str:
    meaning = ambiguous().get(name) or (None if name == "Cal" else ambiguous().get(name.lower()))
    if meaning is None or mine.kind != other.kind:
        return ""
    said = f"“{name}” is taken as {meaning.taken}"
    for unit, words in meaning.others:
        another = unit_called(unit)
        if another.kind != mine.kind:
            said += f"; it can also mean {words}"
            continue
        value = converted(amount, another, other) if first else converted(amount, other, another)
        said += f"; with {words} it would be {written(value)[0]}"
    return f"{said}."


def written(value: Fraction) -> tuple[str, bool]:
    """Its digits, all of them up to 18, else 12; and whether that is all of them."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        whole = Fraction(exact) == value and len(exact.normalize().as_tuple().digits) <= _EXACT
        context.prec = _EXACT if whole else _DIGITS
        short = (+exact).normalize()
        if not -6 <= short.adjusted() < 30:
            return f"{short:e}", whole
        return f"{short:f}", whole
