"""Units of measure: the one table of them, ``units.txt``; units beside checked figures; measures as people ask of them.

Factors are exact by definition: the international foot, acre and pound, the US gallon, the thermochemical calorie, the
Japanese units of the law of 1891 (10/33 m a shaku, 15/4 kg a kan, 2401/1331 litres a shō). A line's columns are named
in the first line of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeAlias

from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_FILE = Path(__file__).with_name("units.txt")


@dataclass(frozen=True, slots=True)
class UnitRow:
    """``factor`` (perhaps a quotient) and ``offset`` lead to the base unit of ``kind``; "" where only pint knows one.

    ``names`` are the plural, the singular and the Japanese name of an answer, none for a unit that no answer has.
    ``spellings`` are read everywhere, the other three in checked figures, in questions and by the ``convert`` tool.
    """

    kind: str
    factor: str
    offset: Fraction
    figure_name: str
    pint_name: str
    names: tuple[str, ...]
    spellings: tuple[str, ...]
    in_figures: tuple[str, ...]
    in_questions: tuple[str, ...]
    to_convert: tuple[str, ...]


def ratio(factor: str) -> Fraction:
    """``1000 / 3600`` as a number."""
    above, _, below = factor.partition("/")
    return Fraction(above.strip()) / Fraction(below.strip() or 1)


@cache
def unit_rows() -> tuple[UnitRow, ...]:
    return tuple(_row(line) for line in _FILE.read_text(encoding="utf-8").splitlines()[1:])


def _row(line: str) -> UnitRow:
    cells = [cell.strip() for cell in line.split("|")]
    kind, factor, offset, figure_name, pint_name, *lists = (*cells, *[""] * (10 - len(cells)))
    words = [tuple(cell.split(", ")) if cell else () for cell in lists]
    return UnitRow(kind, factor, Fraction(offset or 0), figure_name, pint_name, *words)


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
_MONEY = frozenset(("USD", "EUR", "GBP", "JPY", "¥", "CNY", "KRW", "INR", "CHF", "AUD", "CAD", "BRL", "MXN", "pound"))


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
PERCENT, POINTS = SPELLINGS["%"], SPELLINGS["pp"]
OF_TIME = frozenset(("time", "month"))  # dimensions
OF_CENTS = tuple(SPELLINGS[name] for name in ("EUR", "USD", "AUD", "CAD"))  # currencies that have a hundred of them
_LETTER = "A-Za-zÀ-ÖØ-öø-ÿ"
_LATIN = regex(
    rf"[ \u00a0*_]{{0,4}}-?(?:d'|de |di )?(?![xX×][ \u00a0]?[0-9(])([{_LETTER}µ°×º℃℉%‰″€£$₩₹¥]+"
    rf"(?:[²³]|[23](?![0-9]))?(?:/(?:h|s|km|m)(?![{_LETTER}0-9_²³]))?\.?)"
)
_MORE = regex(rf"[ -]([{_LETTER}]+)(?:[ -]([{_LETTER}]+))?")
_FIRST_WORDS = frozenset(words.split()[0] for words in SPELLINGS if " " in words)
_SIGNS_BEFORE = frozenset("-−+(")
_CURRENCY_ENDS = frozenset("$€£¥₩₹氏dDrRpPyYwWfFlLnN")
_CJK = regex(r"[ \u00a0*_]{0,4}(%?[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af㎡㎢]{1,9})")
_PARTING = frozenset("'hHt \u00a0")  # what stands before the last one or two digits of 5'11", 6 ft 8, 2h05
_LAST_PART = regex(r"(?:('|f(?:t|eet|oot))|[0-9 \u00a0][hH])[ \u00a0]?[0-9]{1,2}$")
_POINTS = regex("ポイント|포인트")
_DEGREES = ("f", "c", "°f", "°c")
_PART = regex(r"[a-z°℃℉%$€£¥²³]+(?:(?<=m)[23](?![0-9a-z]))?|[\u30a0-\u30ff\u3400-\u9fff]+", re.I)
_IN_WON = regex(r"[(\[]won|\bin won\b", re.I)  # elsewhere the word tells who won
_MEASURED_AT = regex(r"(?<![^\W_])[0-9]+[a-z]+")
_BEFORE = regex(
    r"(US\$|AU?\$|CA?\$|R\$|MX\$|CN¥|[$€£¥₩₹]|\b(?:USD|EUR|GBP|JPY|CNY|KRW|INR|CHF|AUD|CAD|BRL|MXN)|摂氏|華氏)"
    r"\s?[-−+(]?$",
    re.I,
)


def unit_at(text: str, start: int, end: int) -> tuple[Unit | None, int, int]:
    """The unit of the number at ``start`` to ``end``, and where number and unit together start and end."""
    if end - start > 4 and text[end - 1] in "\"″”'":
        return SPELLINGS["s"], start, end  # 1'05"
    if text[start : start + 1] == "P":
        return SPELLINGS["s" if text[end - 1] == "S" else "min"], start, end  # PT1H35M
    parted = end - start > 2 and (text[end - 2] in _PARTING or text[end - 3] in _PARTING)
    if parted and (parts := _LAST_PART.search(text, max(0, end - 7), end)) is not None:
        return SPELLINGS["in." if parts[1] else "min"], start, end  # 5'11", 6 ft 8, 2h05
    before = _BEFORE.search(text, max(0, start - 6), start) if _may_be_currency(text, start) else None
    # "$ (402)" is a loss of dollars, and in "2.7 M€ (21.6 %)" the euros are those of the number before.
    if before is not None and (before[0][-1] != "(" or text[end : end + 1] == ")"):
        return SPELLINGS[before[1].lower()], before.start(), end
    unit, after = unit_after(text, end)
    return unit, start, after


def _may_be_currency(text: str, end: int) -> bool:
    """Whether a currency can end right before ``end``, a sign or a blank between: told by its last character."""
    if text[end - 1 : end] in _SIGNS_BEFORE:
        end -= 1
    if text[end - 1 : end].isspace():
        end -= 1
    return text[end - 1 : end] in _CURRENCY_ENDS


def unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that starts at ``end`` (a space, a hyphen or bold marks may stand before it), and where it ends."""
    latin = _LATIN.match(text, end)
    if latin is not None and not (latin[1] == "%" and _POINTS.match(text, latin.end())):
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
    if word.lower() in _FIRST_WORDS and (more := _MORE.match(text, stop)) is not None:
        words = f"{word} {more[1]} {more[2] or ''}".lower().split()
        for count in (3, 2):
            unit = SPELLINGS.get(" ".join(words[:count])) if len(words) >= count else None
            if unit is not None:
                return unit, more.end(count - 1)
    unit = spelled(word)
    if unit is None and first[1] in SPELLINGS:  # 12.6 in.
        return SPELLINGS[first[1]], first.end(1)
    return (unit, stop) if unit is not None else (None, end)


def spelled(word: str) -> Unit | None:
    """The unit that a word is, exactly as written or, from two letters on, in any case."""
    unit = SPELLINGS.get(word)
    if unit is None and len(word) > 1:
        unit = SPELLINGS.get(word.lower())
    return unit


_SCALED = 4  # letters of a currency behind that of its scale
_IN_ANY_CASE = {word.lower(): unit for word, unit in SPELLINGS.items() if len(word) > 1 and not word.islower()}  # "mw"


_OF_WORDS = "|".join(re.escape(word) for word in sorted(SPELLINGS, reverse=True) if " " in word)
_SEVERAL = regex(rf"(?<![^\W\d_])(?:{_OF_WORDS})(?![^\W\d_])")


def named_in(text: str) -> list[Unit]:
    """The units that a heading, a key or a row in lower case names: "temp_f", "area (km²)", "revenue_usd"."""
    several = _SEVERAL.findall(text)  # "nautical miles" are no miles
    text = _SEVERAL.sub(" ", text) if several else text
    words = [match[0].upper() if match[0] in _DEGREES else match[0] for match in _PART.finditer(text)]
    words = [word for word in words if word != "won" or _IN_WON.search(text)]
    return [unit for word in (*several, *words) if (unit := spelled(word) or _in_any_case(word)) is not None]


def units_of_column(head: str) -> list[Unit]:
    """The units that the head of a column names, without the quantity it is measured at: "temperature_2m"."""
    return named_in(_MEASURED_AT.sub(" ", head))


def _in_any_case(word: str) -> Unit | None:
    """The unit that a word of a heading is with its case left open: "mw"; a currency behind its scale, too: "musd"."""
    unit = _IN_ANY_CASE.get(word)
    if unit is None and len(word) == _SCALED and word[0] in "kmbt":
        unit = _IN_ANY_CASE.get(word[1:])
        return unit if unit is not None and unit.dimension in _MONEY else None
    return unit


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


CURRENCIES = {
    "$": "$", "€": "€", "£": "£", "¥": "¥", "円": "円", "dollars": "$", "dollar": "$", "euros": "€", "yen": "¥",
}  # fmt: skip
MONEY_UNITS = (_MONEY | {*CURRENCIES.values()}) - {"pound"}  # as behind a figure: "€", "CHF"
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


# A sum of measures, as in 5 feet 11 inches: each has its figure and what its unit may mean.
Quantity: TypeAlias = tuple[tuple[str, tuple[Measure, ...]], ...]


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


def unit_words() -> frozenset[str]:
    """The English words of units, in small letters."""
    several = (word for spelling in measures() for word in spelling.lower().split())
    return frozenset(word for word in several if word.isascii() and len(word) > 2)


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


_PRIMES = regex(r"^(\d+) ?['′](?: ?(\d+(?:\.\d+)?) ?(?:\"|″|'')?)?$")
_ONE = regex(r"(?:an?|one) (?=[a-zA-Z])")
_SIGN = regex(r"(?:-|minus |negative |マイナス)(?=\S)")
_AFTER = regex(r"([^\d,]+?)(?:,? and |, ?| )?(?=\d|$)")
_JAPANESE_SCALE = regex(r"(摂氏|セ氏|華氏|カ氏) ?(.+?) ?度?")
_JAPANESE_DEGREES = regex(r"(.+?)度 ?\(?(摂氏|セ氏|華氏|カ氏)\)?")


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
        return (("1", meanings),) if meanings and not sign else None
    found: list[tuple[str, tuple[Measure, ...]]] = []
    while position < len(text):
        part = _measure_at(text, position, language)
        if part is None:
            return None
        amount, meanings, position = part
        found.append((f"-{amount}" if sign else amount, meanings))
    return _of_time(found) if found and not (sign and len(found) > 1) else None


def _of_time(found: list[tuple[str, tuple[Measure, ...]]]) -> Quantity:
    """Beside hours or seconds, as in 1h30m, an m is no metre."""
    timed = any(one.kind == "time" for _, meanings in found for one in meanings)
    metres, minutes = measure_of("m"), measure_of("min")
    return tuple((amount, minutes if timed and units == metres else units) for amount, units in found)


def _measure_at(text: str, position: int, language: str) -> tuple[str, tuple[Measure, ...], int] | None:
    number = number_at(text, position, language) or number_at(text.lower(), position, "en")
    after = _AFTER.match(text, number[1]) if number else None
    meanings = measure_of(after[1]) if after else ()
    return (number[0], meanings, after.end()) if number and after and meanings else None
