"""The ``convert`` tool: a measure in another unit, exactly; units that mean several things are named."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from fractions import Fraction

from agent.errors import ToolFailed
from agent.text.sums.conversions import read_conversion
from agent.text.sums.phrases import language_of, plain
from agent.toolkit.base import tool
from agent.tools.convert.unit_names import AMBIGUOUS
from agent.tools.convert.unit_registry import Unit
from agent.tools.convert.unit_registry import convert as converted
from agent.tools.convert.unit_registry import unit as unit_called

_DIGITS = 12
_EXACT = 18
_CURRENCIES = re.compile(
    r"(?:usd|eur|gbp|jpy|chf|cad|aud|inr|cny|krw|nzd|sek|nok|dkk|brl|mxn|zar|hkd|sgd|twd|rub|try|btc|"
    r"(?:us |canadian |australian )?dollars?|euros?|(?:british )?pounds? sterling|yen|yuan|renminbi|francs?|rupees?|"
    r"won|pesos?|bitcoins?|円|ドル|ユーロ|元|ウォン|[$€£¥])",
    re.I,
)


@tool(name="convert", timeout=20.0, icon="swap_horiz")
def convert(amount: float | str, unit: str = "", to: str = "") -> str:
    """Converts a measure into another unit: length, weight, volume, temperature, data, fuel, Japanese units and more;
    no currencies.

    Args:
        amount: how much, for example 72, or all in words: 5 feet 11 inches in cm
        unit: its unit, for example °F
        to: the unit wanted, for example °C
    """
    if isinstance(amount, str):
        return _read(f"{amount} {unit}".strip(), to.strip())
    if not to.strip():
        raise ToolFailed("Name the unit that is wanted, too, as in 5 miles in km.", "input")
    return told(Fraction(repr(amount)), unit.strip(), to.strip())


def _read(text: str, to: str) -> str:
    """The answer to "5 miles in km"; ``to`` may be given by itself."""
    asked = plain(f"{text} in {to}" if to else text)
    found = read_conversion(asked, language_of(asked))
    if found and found.given:
        parts = [(Fraction(amount), measure.name) for amount, measure in found.given]
        return _summed(parts, found.named("en"), [target.name for target in found.targets])
    match = _ASKED.fullmatch(asked)
    if match is None:
        raise ToolFailed(f"“{text[:60]}” cannot be read as a measure. Write it like 5 miles in km.", "input")
    return told(Fraction(match["amount"].replace(",", "")), match["unit"], match["to"])


_ASKED = re.compile(
    r"(?:convert )?(?P<amount>-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?) ?(?P<unit>.+?) (?:in|to|into|as) (?P<to>.+?)\??", re.I
)


def _summed(parts: list[tuple[Fraction, str]], given: str, to: list[str]) -> str:
    """5 feet 11 inches in cm; 90 minutes in hours and minutes."""
    if len(parts) == len(to) == 1:
        return told(*parts[0], to[0])
    total = sum((converted(amount, unit_called(unit), unit_called(to[0])) for amount, unit in parts), Fraction(0))
    if len(to) == 1:
        figure, exact = written(total)
        return f"{given} {'=' if exact else '≈'} {figure} {to[0]}"
    whole = total.numerator // total.denominator
    figure, exact = written(converted(total - whole, unit_called(to[0]), unit_called(to[1])))
    return f"{given} {'=' if exact else '≈'} {whole} {to[0]} and {figure} {to[1]}"


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
    meaning = AMBIGUOUS.get(name) or (None if name == "Cal" else AMBIGUOUS.get(name.lower()))
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
