"""Units of measure, currencies and percent beside checked figures, and what they are in the base of their dimension."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from agent.text.quantities.unit_table import ratio, unit_rows


@dataclass(frozen=True, slots=True)
class Unit:
    """``value × factor + offset`` is the value in the base unit of ``dimension``; currencies convert into nothing.

    ``rate`` and ``shift`` are the same two as floats.
    """

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    rate: float = 1.0
    shift: float = 0.0


# Each word of the first column may mean any of the units behind it.
_AMBIGUOUS = {"pounds": ("GBP", "lb"), "degrees": ("°C", "°F"), "¥": ("JPY", "CNY")}
_BASES = {"volume": Fraction(1, 1000)}  # of a cubic metre, where the table has litres
_MONEY = frozenset(("USD", "EUR", "GBP", "JPY", "¥", "CNY", "KRW", "INR", "CHF", "AUD", "CAD", "pound"))


def _read_table() -> tuple[dict[str, Unit], dict[str, tuple[Unit, ...]]]:
    spellings: dict[str, Unit] = {}
    dimensions: dict[str, list[Unit]] = {}
    for row in unit_rows():
        if row.figure_name:
            size = ratio(row.factor) * _BASES.get(row.kind, 1)
            unit = Unit(row.figure_name, row.kind, size, row.offset, float(size), float(row.offset))
            dimensions.setdefault(row.kind, []).append(unit)
            for word in (row.figure_name, *row.spellings, *row.in_figures):
                spellings[word] = unit
    return spellings, {name: tuple(units) for name, units in dimensions.items()}


SPELLINGS, DIMENSIONS = _read_table()
PERCENT = SPELLINGS["%"]
YEARS = SPELLINGS["years"]
_PER = ("/", " per ", " a ")
_BOTH_CASES = frozenset(word for word in SPELLINGS if len(word) == 1)  # "m" is metres, "M" is not
_LATIN = re.compile(r"[ \u00a0*_]{0,4}-?([A-Za-zµ°º℃℉%″€£$₩₹¥]+[²³23]?(?:/(?:h|s|km|m)\b[²³]?)?\.?)")
_MORE = re.compile(r"[ -]([A-Za-z]+)(?:[ -]([A-Za-z]+))?")
_CJK = re.compile(r"[ \u00a0*_]{0,4}([\u3041-\u30ff\u3400-\u9fff㎡㎢]{1,9})")
_PART = re.compile(r"[a-z°℃℉%$€£¥²³]+|[\u30a0-\u30ff\u3400-\u9fff]+", re.I)
_BEFORE = re.compile(
    r"(US\$|A\$|AU\$|C\$|CA\$|CN¥|[$€£¥₩₹]|\b(?:USD|EUR|GBP|JPY|CNY|KRW|INR|CHF|AUD|CAD)|摂氏|華氏)\s?[-−+]?$", re.I
)


def unit_at(text: str, start: int, end: int) -> tuple[Unit | None, int, int]:
    """The unit of the number at ``start`` to ``end``, and where number and unit together start and end."""
    if (before := _BEFORE.search(text, max(0, start - 6), start)) is not None:
        return SPELLINGS[before[1].lower()], before.start(), end
    unit, after = unit_after(text, end)
    return unit, start, after


def unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that starts at ``end`` (a space, a hyphen or bold marks may stand before it), and where it ends."""
    if (latin := _LATIN.match(text, end)) is not None:
        return _latin_unit(text, latin, end)
    if (cjk := _CJK.match(text, end)) is not None:
        run = cjk[1]
        for size in range(len(run), 0, -1):
            if run[:size] in SPELLINGS:
                return SPELLINGS[run[:size]], cjk.start(1) + size
    return None, end


def _latin_unit(text: str, first: re.Match[str], end: int) -> tuple[Unit | None, int]:
    word = first[1].rstrip(".")
    stop = first.start(1) + len(word)
    if (more := _MORE.match(text, stop)) is not None:
        words = f"{word} {more[1]} {more[2] or ''}".lower().split()
        for count in (3, 2):
            unit = SPELLINGS.get(" ".join(words[:count])) if len(words) >= count else None
            if unit is not None:
                return unit, more.end(count - 1)
    unit = spelled(word)
    return (unit, stop) if unit is not None else (None, end)


def spelled(word: str) -> Unit | None:
    """The unit that a word is, exactly as written or, from two letters on, in any case."""
    unit = SPELLINGS.get(word)
    if unit is None and len(word) > 1:
        unit = SPELLINGS.get(word.lower())
    return unit


def named_in(text: str) -> list[Unit]:
    """The units that a heading, a key or a row in lower case names: "temp_f", "area (km²)", "revenue_usd"."""
    words = [match[0].upper() if match[0] in ("f", "c") else match[0] for match in _PART.finditer(text)]
    return [unit for word in words if (unit := spelled(word)) is not None]


def alike(one: Unit, other: Unit) -> bool:
    """Whether two units can be the same: "pounds" may be money or mass, "degrees" any temperature."""
    if one.name == other.name:
        return True
    return one.name in _AMBIGUOUS.get(other.name, ()) or other.name in _AMBIGUOUS.get(one.name, ())


def comparable(one: Unit, other: Unit) -> bool:
    """Whether two units measure the same: of one dimension, or both money."""
    return (
        one.dimension == other.dimension or (one.dimension in _MONEY and other.dimension in _MONEY) or alike(one, other)
    )


def convert(value: Fraction, unit: Unit, into: Unit) -> Fraction:
    """``value`` in another unit of the same dimension."""
    return (value * unit.factor + unit.offset - into.offset) / into.factor


def rough(value: float, unit: Unit, into: Unit) -> float:
    """``convert`` in floats."""
    return (value * unit.rate + unit.shift - into.shift) / into.rate
