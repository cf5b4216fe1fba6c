"""Steps that a follow-up adds to the figure just told, in any words: more and less of it, its price, its interest.

"They'd take off another £25, but delivery is £30 on top", "mince is £7.20 a kilo, so what does that cost me?", "plus
the first 4 weeks in advance", "take off 5 square metres; a tin covers 16, how many tins?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from agent.text.free_sums.free_items import MARK, Item, Told, read_told, says, without
from agent.text.free_sums.free_plainer import plainly_told
from agent.text.free_sums.free_turns import is_turned
from agent.text.problems.story_parts import stem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Value

_SIGNS = ("$", "€", "£")
_THREE, _MOST = 3, 4  # quantities
_PERIODS = ("week", "month", "day", "night", "year")
_INTEREST_OF_IT = regex(
    r"(?:and |so )*(?:how much|what(?: part)?)(?: of (?:that|it|this))? (?:is|was|will be|would be)(?: just)?"
    r"(?: the)? interest(?: (?:part|alone))?"
)
_OFF = regex(
    r"\b(?:off|voucher|coupon|discount|deduct\w*|minus|less|refund\w*|cash ?back|gift card|take away|knocks?)\b"
)
_ON = regex(
    r"\b(?:on top|extra|plus|adds?|added|more|delivery|postage|shipping|fees?|as well|too|charges?|also|up front"
    r"|in advance)\b"
)
_TOTAL = regex(
    r"\b(?:total|altogether|all together|in all|come to|comes to|all in|pay|need|cost|spend|owe|overall|left)\b"
)
_SAID = regex(
    r"\b(?:but|another|extra|further|more|less|off|first|in advance|up front|if(?= (?:i|we|you)\b)|old|new|also|then"
    r"|they|they'd|he|she|he'd|she'd|my|our|plus|minus|over|each|altogether|after)\b"
)
_COVERS = regex(r"\b(?:covers?|does|holds?|takes?(?! off| away| out)|comes? in|is enough for|lasts?|will do)\b")
_HOW_MANY = regex(r"\bhow many (?:full |whole |complete )?(?P<thing>[a-z]+)\b")
_CASE = regex(
    r"\bif(?= (?:an?|one|each|the)\b)|\b(?:full|whole|one|a single|for) (?:coats?|layer)\b|\bfull\b|\bif(?= i)|\beach\b"
)
_TAX = regex(
    r"(?:and |so |but )*(?:how much|what)(?:'s| is| do i| will i| would i|'ll)*(?: (?:that|it|get|left|be|i|keep))* "
    r"after (?P<p>[\d.]+) ?% (?:tax|deductions?|commission|fees?)"
)


def steps_on(text: str, value: Value, before: str) -> str | None:
    """The question that stands alone for a follow-up to the ``value``, which answered ``before``; ``None`` for none."""
    plain = re.sub(r"[ ?.!]+$", "", plainly_told(text))
    if _INTEREST_OF_IT.fullmatch(plain):
        return _interest(value, before)
    if (taxed := _TAX.fullmatch(plain)) and re.search(r"\b(?:earn|get|paid|pay|salary|wages?|make)\b", before, re.I):
        return f"What is {_shown(value)} minus {taxed['p']}%?"
    told = read_told(plain)
    if told is None or not 0 < len(told.items) <= _MOST:
        return None
    return next((made for read in (_priced, _packed, _changed) for made in read(told, value, before)), None)


def _interest(value: Value, before: str) -> str | None:
    """What it has come to less the capital."""
    told = read_told(plainly_told(before))
    kinds = [item.kind for item in told.items] if told else []
    sums = [item for item in told.items if item.kind in ("money", "bare") and not item.per] if told else []
    if "percent" not in kinds or len(sums) != 1 or len(kinds) != _THREE or sums[0].amount >= Fraction(value.amount):
        return None
    return f"What is {_shown(value)} minus {_sign(value)}{sums[0].said}?"


def _priced(told: Told, value: Value, before: str) -> Iterator[str]:
    """So much of it at so much a unit."""
    (item, *more) = told.items
    rates = [one for one in measure_of(item.per) if item.per]
    own = [one for one in measure_of(value.unit) if value.unit]
    asks = says(told.asked, "money_asked") or re.search(r"\bhow much (?:is|will|does|would)\b", told.asked)
    if more or item.kind not in ("money", "bare") or len(rates) != 1 or len(own) != 1 or not asks or is_turned(told):
        return
    if rates[0].kind == own[0].kind:
        factor = own[0].size / rates[0].size
        by = f" * {figure_of(factor)}" if factor != 1 else ""
        yield f"What is {item.unit}{item.said} * {value.amount}{by}?"


def _packed(told: Told, value: Value, before: str) -> Iterator[str]:
    """How many tins are needed for it, less or plus what is told beside."""
    many = _HOW_MANY.search(told.asked)
    own = [one for one in measure_of(value.unit) if value.unit]
    holds = [item for item in told.items if _COVERS.search(item.before) or item.per]
    if many is None or len(own) != 1 or len(holds) != 1 or holds[0].kind != own[0].kind:
        return
    thing = stem(many["thing"])
    others = [item for item in told.items if item is not holds[0]]
    of_thing = thing in map(stem, re.findall(r"[a-z]+", f"{holds[0].before} {holds[0].per}"))
    signs = _signs(others)
    if not of_thing or signs is None or any(item.kind != own[0].kind for item in others):
        return
    if is_turned(without(told, *(one[0] for one in _CASE.finditer(told.text)), *_words(told))):
        return
    more = sum((sign * item.value for sign, item in zip(signs, others, strict=True)), Fraction(0))
    whole = (Fraction(value.amount) * own[0].size + more) / own[0].size
    if whole > 0:
        held = f"{figure_of(holds[0].value / own[0].size)} {value.unit}"
        needed = f"{figure_of(whole)} {value.unit}"
        yield f"A {thing} holds {held}. I need {needed}. How many {many['thing']} do I need?"


def _changed(told: Told, value: Value, before: str) -> Iterator[str]:
    """It with every further amount put on or taken off."""
    if not _TOTAL.search(told.asked) or MARK in told.asked:
        return
    signs = _signs(told.items)
    figures = [_figure(item, value, before) for item in told.items]
    if signs is None or not all(figures) or is_turned(without(told, *_words(told))):
        return
    steps = zip(signs, figures, strict=True)
    more = "".join(f" {'+' if sign > 0 else '-'} {one}" for sign, one in steps)
    yield f"What is {_shown(value)}{more}?"


def _words(told: Told) -> list[str]:
    return [one[0] for pattern in (_SAID, _OFF, _ON) for one in pattern.finditer(told.text)]


def _signs(items: Sequence[Item]) -> list[int] | None:
    """1 for each that is put on, -1 for each that is taken off; ``None`` where one is neither, or both."""
    signs: list[int] = []
    for item in items:
        beside = f"{item.before} {' '.join(item.names)} {item.after}"
        off, on = _OFF.search(beside) is not None, _ON.search(re.sub(r"\banother\b", " ", beside)) is not None
        if off == on:
            return None
        signs.append(-1 if off else 1)
    return signs


def _figure(item: Item, value: Value, before: str) -> str:
    """An amount like the value, or so many periods at the one price for each that was told before; "" for others."""
    own = [one for one in measure_of(value.unit) if value.unit and one.kind == item.kind and not item.per]
    if len(own) == 1:
        return f"{figure_of(item.value / own[0].size)} {value.unit}"
    if item.per or (value.unit and value.unit not in _SIGNS):
        return ""
    if item.kind == "money":
        return f"{_sign(value)}{item.said}" if item.unit in ("", value.unit) or not value.unit else ""
    period = next((word for word in _PERIODS if word in item.names or item.unit == f"{word}s"), "")
    told = read_told(plainly_told(before)) if period else None
    rates = [one for one in told.items if stem(one.per) == period and one.kind in ("money", "bare")] if told else []
    return f"{item.said} * {_sign(value)}{rates[0].said}" if len(rates) == 1 else ""


def _sign(value: Value) -> str:
    return value.unit if value.unit in _SIGNS else ""


def _shown(value: Value) -> str:
    return f"{_sign(value)}{Decimal(value.amount)}" + ("" if _sign(value) else f" {value.unit}".rstrip())
