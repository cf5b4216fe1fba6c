"""Numbers of several parts, and years in short.

½, 3 1/2, 2 h 5 min, 5'11", 1:02:03, 3割2分5厘, 三分之二; 2019/20, '90s.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from agent.text.quantities.claim_words import KANJI_DIGITS, KANJI_SCALES, SCALES
from agent.text.quantities.eras import Written
from agent.text.quantities.number_words import as_float, exact, kanji_number
from agent.text.quantities.spelled_words import number_word
from agent.text.quantities.units import PERCENT, SPELLINGS, Unit, unit_after
from agent.text.regex import regex

_FINE = Fraction(1, 100)  # what a fraction is as exact as, in decimals
_ONE = Fraction(1)
_CENT = 100
_HOUR = 60  # minutes, as there are seconds in one


class Token(NamedTuple):
    """A number: its size without sign, and its place, scale word included. ``raw`` may be joined: 2024-12-25."""

    value: float
    start: int
    end: int


class Reading(NamedTuple):
    """What the numbers at ``start`` to ``end`` may stand for, ``step`` being the unit of the last digit stated.

    ``unit`` is that of the parts; without it, one may follow. ``sure``: more than a turn of speech ("half of it").
    """

    value: Fraction
    step: Fraction
    start: int
    end: int
    unit: Unit | None = None
    sure: bool = True

    @property
    def size(self) -> float:
        return as_float(self.value)


def compounds_in(
    text: str, numbers: Sequence[Token], joined: Sequence[tuple[int, int]], eras: Sequence[Written]
) -> list[Reading]:
    """All readings of several numbers together, and of short years, in a text that went through ``plain``."""
    found = [*_in_parts(text, numbers), *_with_colons(text, joined), *_short_years(text, joined)]
    found += [*_with_slash(text, joined), *_of_hours(text)]
    if "'" in text:
        found += _with_primes(text)
    if "PT" in text:
        found += _of_iso(text)
    if ") " in text:
        found += _bracketed(text)
    if not text.isascii():
        found += [*_vulgar(text), *_of_characters(text)]
        found += [
            Reading(Fraction(date.year), _ONE, date.start, date.end)
            for date in eras
            if date.year is not None and date.month is None
        ]
    return found


_SPELLED = 3  # letters of a unit that is not in short
_NEAR = 14  # characters between the parts of a measure
_LARGER = frozenset(
    word for word, unit in SPELLINGS.items() if unit.dimension in ("time", "month", "length", "mass")
)  # units that a smaller one can follow
_LARGER_STARTS = frozenset(word[0] for word in _LARGER) | frozenset(" \u00a0\t\n")
_JOINER = regex(r"\.?[ ,\u00a0]*(?:(?:and|und|et|y|e|と|하고)[ ])?$")
_METRES = SPELLINGS["m"]
_MINUTES = SPELLINGS["min"]
_INCHES = SPELLINGS["in."]
_FOOT = 12  # inches
_IN = regex(r"[ -]?in\b")
_CLOCK_END = regex(r"[0-9]{2}(?![0-9.,:]?[0-9])")


def _in_parts(text: str, numbers: Sequence[Token]) -> Iterator[Reading]:
    """2 h 5 min, 5 ft 11 in, 2時間15分: each part in a smaller unit than the one before."""
    after = 0
    for index, (one, other) in enumerate(pairwise(numbers)):
        if index < after or not 0 < other.start - one.end < _NEAR or text[one.end] not in _LARGER_STARTS:
            continue
        words = text[one.end : other.start].split()
        if not words or not _may_be_larger(words[0].rstrip(".,")) or text[other.end : other.end + 1] == "月":
            continue
        parts, stop = _parts_at(text, numbers, index)
        if len(parts) > 1:
            smallest = parts[-1][1]
            value = sum((value * unit.factor / smallest.factor for value, unit in parts), Fraction(0))
            _, step = exact(text[numbers[index + len(parts) - 1].start : stop])
            yield Reading(value, step, one.start, stop, smallest)
        after = index + max(1, len(parts))


def _may_be_larger(word: str) -> bool:
    """Whether a smaller unit can follow this one; German nouns have a capital: "2 Stunden 40 Minuten"."""
    return word in _LARGER or (len(word) >= _SPELLED and word.lower() in _LARGER)


def _parts_at(text: str, numbers: Sequence[Token], index: int) -> tuple[list[tuple[Fraction, Unit]], int]:
    """The measures that belong together from one number on, and where the number of the last one ends."""
    parts: list[tuple[Fraction, Unit]] = []
    stop = after = numbers[index].end
    for position in range(index, min(index + 4, len(numbers))):
        token = numbers[position]
        if parts and (token.start - stop >= _NEAR or not _JOINER.match(text[after : token.start])):
            break
        unit, after = unit_after(text, token.end)
        unit = _smaller_unit(text, token, unit, parts[-1][1].name) if parts else unit
        if unit is None or unit.dimension == "ratio" or token.value >= 10_000:
            break
        if parts and not _smaller(Fraction(repr(token.value)), unit, parts[-1][1]):
            break
        parts.append((Fraction(repr(token.value)), unit))
        stop = token.end
    return parts, stop


_MINUTES_SAID = regex(r"([0-9]{1,2})[ ](?=min)", re.I)
_HOURS_BEFORE = regex(
    r"\b([^\W\d_]{1,6})[ ](?:hours?|stunden?|heures?|horas?|ore|ora)[ ](?:(?:and|und|et|y|e)[ ])?$", re.I
)
_MOST_BEFORE = 20  # characters from the word of the hours to the minutes


def _of_hours(text: str) -> Iterator[Reading]:
    """Minutes behind hours in words: "an hour and 42 minutes", "zwei Stunden 5 Minuten"."""
    for minutes in _MINUTES_SAID.finditer(text):
        word = _HOURS_BEFORE.search(text, max(0, minutes.start() - _MOST_BEFORE), minutes.start())
        hours = number_word(word[1].lower()) if word is not None else None
        if word is not None and hours is not None and int(minutes[1]) < _HOUR:
            yield Reading(Fraction(hours * _HOUR + int(minutes[1])), _ONE, word.start(1), minutes.end(1), _MINUTES)


_ISO = regex(r"\bP(?:([0-9]{1,3})D)?T(?=[0-9])(?:([0-9]{1,3})H)?(?:([0-9]{1,4})M)?(?:([0-9]{1,5}(?:\.[0-9]+)?)S)?\b")
_DAY_LONG = 24 * _HOUR


def _of_iso(text: str) -> Iterator[Reading]:
    """Lengths as programs write them, by ISO 8601: "PT1H35M"."""
    for match in _ISO.finditer(text):
        days, hours, minutes = (int(part or 0) for part in match.groups()[:3])
        whole = days * _DAY_LONG + hours * _HOUR + minutes
        if match[4]:
            seconds, step = exact(match[4])
            yield Reading(whole * _HOUR + seconds, step, *match.span(), SPELLINGS["s"])
        else:
            yield Reading(Fraction(whole), _ONE, *match.span(), _MINUTES)


def _smaller_unit(text: str, token: Token, unit: Unit | None, larger: str) -> Unit | None:
    """The unit of a number behind one in a larger unit, which says more of it: "2h05", "1 h 30 m", "5 ft 11 in"."""
    if larger == "h" and (unit is _METRES or (unit is None and _CLOCK_END.match(text, token.start) is not None)):
        return _MINUTES
    return _INCHES if larger == "ft" and unit is None and _IN.match(text, token.end) else unit


def _smaller(value: Fraction, unit: Unit, larger: Unit) -> bool:
    return unit.dimension == larger.dimension and 0 <= value * unit.factor < larger.factor


_COLONS = regex(r"([0-9]{1,3}):([0-5][0-9])(?::([0-5][0-9]))?((?:\.[0-9]{1,3})?)(?![0-9:])")
_SEASON = regex(r"((?:1[89]|20)[0-9])[0-9][/–-]([0-9]{2})(?![0-9/–-])")
_SHORT_YEAR = regex(r"(?:(?<![\w'])'|\bFY ?'?)([0-9]{2})(?![0-9]|[.,][0-9])")


def _with_colons(text: str, joined: Sequence[tuple[int, int]]) -> Iterator[Reading]:
    """A time as a length: 1:02:03 in seconds, 2:05 in the smaller of its two units."""
    for start, end in joined:
        match = _COLONS.match(text, start, end)
        if match is not None:
            value = int(match[1]) * 60 + int(match[2])
            whole = value * 60 + int(match[3]) if match[3] else value
            yield Reading(
                Fraction(f"{whole}{match[4]}"),
                Fraction(1, 10 ** (len(match[4]) - 1)) if match[4] else _ONE,
                *match.span(),
            )


def length_of(text: str) -> float | None:
    """A cell that is a time as a length, in the smaller of its units: 2470 of "41:10", 3723 of "1:02:03"."""
    match = _COLONS.fullmatch(text.strip())
    found = next(_with_colons(match[0], [(0, len(match[0]))]), None) if match is not None else None
    return as_float(found.value) if found is not None else None


def _short_years(text: str, joined: Sequence[tuple[int, int]]) -> Iterator[Reading]:
    """The second year of 2019/20, and the one of '90s and FY24."""
    for start, end in joined:
        match = _SEASON.match(text, start, end)
        if match is not None and int(match[2]) > int(text[start + 2 : start + 4]):
            yield Reading(Fraction(int(text[start : start + 2] + match[2])), _ONE, *match.span(2))
    for match in _SHORT_YEAR.finditer(text) if "FY" in text or "'" in text else ():
        year = int(match[1])
        place = match.span() if match[0][0] == "F" else match.span(1)
        yield Reading(Fraction(year + (2000 if year < 40 else 1900)), _ONE, *place)


_SLASH = regex(r"([0-9]{1,2})/([0-9]{1,2})")
_WHOLE = regex(r"(?<![0-9./,:-])([0-9]{1,3})[ -]$")
_PARTS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64))
_SIGNS = frozenset("×*/÷+−=(")


def _with_slash(text: str, joined: Sequence[tuple[int, int]]) -> Iterator[Reading]:
    """3 1/2 and 2/3; not where it is worked with: "× 5/9"."""
    for start, end in joined:
        match = _SLASH.fullmatch(text, start, end)
        if match is None or not 0 < int(match[1]) < int(match[2]) or int(match[2]) not in _PARTS:
            continue
        if text[max(0, start - 2) : start].rstrip()[-1:] in _SIGNS or text[end : end + 2].lstrip()[:1] in _SIGNS:
            continue
        whole = _WHOLE.search(text, max(0, start - 5), start)
        first = whole.start() if whole is not None else start
        yield from _fraction(
            Fraction(int(match[1]), int(match[2])), whole[1] if whole is not None else None, first, end
        )


def _fraction(part: Fraction, whole: str | None, start: int, end: int) -> Iterator[Reading]:
    """A fraction in decimals, and without whole number before it in percent."""
    yield Reading(part + int(whole or 0), _FINE, start, end)
    if not whole:
        yield Reading(part * _CENT, _ONE, start, end, PERCENT)


_PRIMES = regex(r"(?<![0-9.,'])([0-9]{1,2})' ?([0-9]{1,2}(?:\.[0-9]+)?)(?=\"|″|”|'')")


_TIMED = regex(
    r"(?<![0-9.,'])(?:([0-9]{1,2})h ?)?([0-5]?[0-9])' ?"
    r"(?:([0-5][0-9](?:\.[0-9]{1,3})?)(?:\"|″|”|'')|([0-5][0-9]\.[0-9]{1,3})(?![0-9]))"
)


def _with_primes(text: str) -> Iterator[Reading]:
    """Feet and inches: 5'11"; minutes and seconds where they cannot be meant: 21h 14'05", 59'34.76; both: 1'05"."""
    for match in _PRIMES.finditer(text):
        if float(match[2]) < _FOOT:
            value, step = exact(match[2])
            yield Reading(int(match[1]) * _FOOT + value, step, *match.span(), _INCHES)
    for match in _TIMED.finditer(text):
        seconds = match[3] or match[4]
        if match[1] or float(seconds) >= _FOOT or seconds[0] == "0":
            value, step = exact(seconds)
            whole = int(match[1] or 0) * 3600 + int(match[2]) * 60
            yield Reading(whole + value, step, *match.span(), SPELLINGS["s"])


_BRACKETED = regex(r"\([$€£¥]?([0-9][0-9.,]*)\)[ ]([^\W0-9_]{2,})")


def _bracketed(text: str) -> Iterator[Reading]:
    """A loss with its scale: (71) million."""
    for match in _BRACKETED.finditer(text):
        if scale := SCALES.get(match[2].lower()):
            value, step = exact(match[1])
            yield Reading(value * scale, step * scale, match.start(1), match.end())


_VULGAR_SIGNS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_VULGAR = regex(rf"(?:([0-9]{{1,3}})[ ]?)?([{_VULGAR_SIGNS}])")
_KANJI = "[0-9" + "".join(KANJI_DIGITS) + "".join(KANJI_SCALES) + "]+"
_OF = regex(
    rf"(?<!{_KANJI[:-1]})({_KANJI}+)[ ]?(?:分の|分之|분의)[ ]?({_KANJI}(?:[点.][0-9{''.join(KANJI_DIGITS)}]+)?)"
)
_BATTING = regex(r"([0-9])割([0-9])分(?:([0-9])厘)?")
_TENTHS = regex(rf"(?<![0-9.,])([1-9{''.join(KANJI_DIGITS)}])(?:成|割)(?:(半)|([{''.join(KANJI_DIGITS)}])分)?(?![0-9])")
_HALF_AFTER = regex(r"([0-9]{1,3})(?:時間|年|か月|小时|小時|시간)半")
_HALF_OF = regex("半数|半分|一半|절반|반수")


def _vulgar(text: str) -> Iterator[Reading]:
    """½ and 1½."""
    for match in _VULGAR.finditer(text) if any(sign in text for sign in _VULGAR_SIGNS) else ():
        part = Fraction(unicodedata.numeric(match[2])).limit_denominator(10)
        yield from _fraction(part, match[1], *match.span())


def _of_characters(text: str) -> Iterator[Reading]:
    """3分の1, 百分之五点二, 3割2分5厘, 七成, 2割, 二割五分, 2時間半, 半数."""
    for match in _OF.finditer(text) if any(word in text for word in ("分の", "分之", "분의")) else ():
        below, above = _character_number(match[1]), _character_number(match[2])
        if below == _CENT:
            step = Fraction(1, 10 ** len(re.split("[点.]", match[2] + ".")[1]))
            yield Reading(above, step, *match.span(), PERCENT)
        elif below:
            yield from _fraction(above / below, None, *match.span())
    for match in _BATTING.finditer(text) if "割" in text else ():
        value = Fraction(int(match[1] + match[2] + (match[3] or "0")), 1000)
        yield Reading(value, Fraction(1, 1000), match.start(), match.end())
        yield Reading(value * _CENT, Fraction(1, 10), match.start(), match.end(), PERCENT)
    for match in _TENTHS.finditer(text) if "成" in text or "割" in text else ():
        tens, ones = (int(KANJI_DIGITS.get(sign, sign)) for sign in (match[1], match[3] or ("5" if match[2] else "0")))
        yield Reading(Fraction(tens * 10 + ones), _ONE, match.start(), match.end(), PERCENT)
    for match in _HALF_AFTER.finditer(text) if "半" in text or "반" in text else ():
        yield Reading(int(match[1]) + Fraction(1, 2), Fraction(1, 10), *match.span(1))
    for match in _HALF_OF.finditer(text) if "半" in text or "반" in text else ():
        yield from (reading._replace(sure=False) for reading in _fraction(Fraction(1, 2), None, *match.span()))


def _character_number(said: str) -> Fraction:
    whole, _, decimals = said.replace("点", ".").partition(".")
    value = Fraction(int(whole) if whole.isdecimal() else kanji_number(whole) if not re.search("[0-9]", whole) else 0)
    if decimals:
        digits = "".join(str(KANJI_DIGITS.get(sign, sign)) for sign in decimals)
        value += Fraction(int(digits), 10 ** len(digits))
    return value
