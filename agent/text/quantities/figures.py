"""Numbers as an answer states them: value, precision, sign, unit, and how loosely they are meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Literal, TypeAlias

from agent.text.quantities.compounds import Reading
from agent.text.quantities.day_mentions import Day, covering
from agent.text.quantities.number_words import LONGEST, Spelled, exact, kanji_numbers
from agent.text.quantities.scanning import Scan
from agent.text.quantities.spelled_words import (
    definite_words,
    languages_of,
    spelled_amounts,
    spelled_numbers,
)
from agent.text.quantities.units import PERCENT, Unit, unit_at
from agent.text.regex import regex

_LARGEST = 10**300  # near the end of floats
Loose: TypeAlias = Literal["", "about", "over", "under", "decade"]

_WORDS = {
    "about": "about|around|approximately|approx|approx.|roughly|some|circa|c.|ca.|an estimated|estimated|rund|etwa|"
    "ungefähr|environ|près de|unos|unas|alrededor de|cerca de|cerca di",
    "over": "over|more than|above|at least|exceeding|exceeds|upwards of|just over|a good|über|gut|mehr als|plus de|"
    "más de|oltre|più di|mais de",
    "under": "under|less than|below|nearly|almost|up to|just under|close to|unter|knapp|fast|weniger als|moins de|"
    "presque|menos de|casi|meno di|quasi|quase",
}
_CHARACTERS = {"about": "~|≈|約|およそ|ほぼ|约|약", "over": ">|超过", "under": "<|不到|近"}
_BEFORE_NUMBERS = tuple(one for words in (_WORDS, _CHARACTERS) for said in words.values() for one in said.split("|"))
_LAST_OF_WORDS = frozenset(one[-2:] for one in _BEFORE_NUMBERS)
_OF_DOLLARS = ("us", "a", "c")
_WAYS = "|".join(
    f"(?P<{way}>\\b(?:{'|'.join(map(re.escape, said.split('|')))})|{_CHARACTERS[way]})" for way, said in _WORDS.items()
)
_ABOUT = regex(rf"(?:{_WAYS})[ \u00a0*_]*(?:US|A|C)?[$€£¥₩₹]?$", re.I)
_CURRENCY = "$€£¥₩₹"
_OVER_AFTER = regex(
    r"[^\s0-9、。,.]{0,4}?(?:(?P<over>以上|超|余り|強|\+)|(?P<under>未満|以下|弱|近く)|(?P<about>ほど|程度|前後))"
)
SIGN = regex(
    r"(?:(?<![A-Za-z0-9)\]%])[-–▲△]|(?<![0-9%][ ])\b(?:minus|negative|moins|menos|meno)[ ]"
    r"|マイナス|零下|氷点下|영하[ ]?)"
    r"(?:US)?[$€£¥]?$",
    re.I,
)
_SIGN_ENDS = frozenset("-–▲△ス下하sS$€£¥")
_SIGN_WORD_ENDS = frozenset("sSeEoO하")  # before a blank
_RANGE = regex(r"[*_]{0,2}[ ]?(?:-|–|—|to|and|〜|~|から)[ ]?[*_]{0,2}$")
_IN_YEAR = regex(r"\b(?:in|en|im) (?:1[5-9]|20)[0-9]{2}$", re.I)
_NOUN = regex(
    r"[ \u00a0*_-]{0,4}(?:(?:of|the|different|new|more|total|other)[ ])?([A-Za-zÀ-ÿ]{3,}|"
    r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2})"
)
_ORDINAL_STARTS = frozenset("sSſnNrRtT")
_ORDINAL = regex(r"(?:st|nd|rd|th)\b", re.I)
_BEFORE_WORD = regex(r"([a-z]+)[ ]$")


@dataclass(frozen=True)
class Figure:
    """``value`` is without sign; ``step`` is the unit of the last digit stated. ``start`` to ``end`` has the unit too.

    ``noun`` is the stem of the word that follows, where there is no unit. ``others`` are further readings of the same
    place, with another value, step, unit or sign.
    """

    start: int
    end: int
    number: tuple[int, int]
    value: Fraction
    step: Fraction
    unit: Unit | None = None
    negative: bool = False
    loose: Loose = ""
    noun: str = ""
    ordinal: bool = False
    spelled: bool = False
    others: tuple[Figure, ...] = ()

    @property
    def readings(self) -> tuple[Figure, ...]:
        """All that the figure may mean, the likeliest first."""
        return (self, *self.others)

    @cached_property
    def digits(self) -> int:
        """How many digits are stated, without leading zeros."""
        value, step = self.value, self.step  # divided without making a fraction of them
        return len(str(value.numerator * step.denominator // (value.denominator * step.numerator)))

    @cached_property
    def edges(self) -> tuple[float, float]:
        """``bounds`` as floats, a little wider than exact: for looking up."""
        if self.value > _LARGEST:
            return inf, inf
        if self.loose:
            bottom, top = map(float, self.bounds)
        else:  # value - step / 2 and value + step / 2, without making fractions of them
            value, half = 2 * self.value.numerator * self.step.denominator, self.step.numerator * self.value.denominator
            whole = 2 * self.value.denominator * self.step.denominator
            bottom, top = (value - half) / whole, (value + half) / whole
        slack = 1e-9 * top
        return bottom - slack, top + slack

    def holds(self, size: float) -> bool:
        """Whether a size, in floats and without sign, is one that it may stand for."""
        low, high = self.edges
        return low <= size <= high

    @cached_property
    def telling(self) -> float:
        """How many figures as exact as it there are between half of it and twice as much."""
        low, high = self.edges
        return 1.5 * float(self.value) / (high - low) if high < inf else inf

    def beside(self, sizes: Iterable[float]) -> list[float]:
        """The sizes, in floats, that lie between half of it and twice as much."""
        half, twice = self._around
        return [size for size in sizes if half <= size <= twice]

    @cached_property
    def _around(self) -> tuple[float, float]:
        half = float(self.value) / 2
        return half, 4 * half

    @cached_property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The values that this figure may stand for: half a unit of its last digit to either side.

        "About" makes zeros at the end no digits, "over" and "almost" leave one such unit of room.
        """
        half = self.step / 2
        if not self.loose:
            return self.value - half, self.value + half
        coarse = self.step
        whole = int(self.value / self.step)
        while whole and whole % 10 == 0:
            whole, coarse = whole // 10, coarse * 10
        if self.loose == "decade":
            return self.value, self.value + 9
        if self.loose == "about":
            return self.value - coarse / 2, self.value + coarse / 2
        return (
            (self.value - half, self.value + coarse)
            if self.loose == "over"
            else (self.value - coarse, self.value + half)
        )


def figures_in(text: str, lower: str, scanned: Scan, days: list[Day], continental: bool = False) -> list[Figure]:
    """The figures of a text in its order; those inside a date are part of the date, those of "2 h 5 min" one."""
    starts = [day.start for day in days]
    others: dict[tuple[int, int], list[Reading]] = {}
    for reading in scanned.others:
        if reading.sure and covering(days, starts, reading.start) is None:
            others.setdefault((reading.start, reading.end), []).append(reading)
    found = [
        _with_others(
            text,
            figure_at(text, token.start, token.end, continental),
            others.pop((token.start, token.end), ()),
        )
        for token in scanned.numbers
        if covering(days, starts, token.start) is None and token.end - token.start <= LONGEST
    ]
    found += [_compound(text, readings) for readings in others.values()]
    found += [figure for figure in _in_words(text, lower) if covering(days, starts, figure.start) is None]
    found.sort(key=lambda figure: (figure.number[0], -figure.number[1]))
    return _with_ranges(text, _widest(found))


def _widest(figures: list[Figure]) -> list[Figure]:
    """The figures without those that stand inside another one; ``figures`` are sorted, the wider one first."""
    kept: list[Figure] = []
    for figure in figures:
        if not kept or figure.number[0] >= kept[-1].number[1]:
            kept.append(figure)
    return kept


def _compound(text: str, readings: list[Reading]) -> Figure:
    """A figure of several numbers: 2 h 5 min, 3 1/2, 68 373 433."""
    first = readings[0]
    figure = _figure(text, first.start, first.end, first.value, first.step)
    figure = replace(figure, unit=first.unit or figure.unit, noun="" if first.unit else figure.noun)
    return _with_others(text, figure, readings[1:])


def _with_others(text: str, figure: Figure, readings: Sequence[Reading]) -> Figure:
    """The figure with what else its place may mean: a year in short, a share in percent, a loss in brackets."""
    others = list(figure.others)
    for reading in readings:
        if reading.unit is None or figure.unit is None or reading.unit is figure.unit:
            short = reading.value > figure.value and text[reading.end : reading.end + 1] == "s"
            loose: Loose = "decade" if short else figure.loose
            unit = None if short else reading.unit or figure.unit
            others.append(replace(figure, value=reading.value, step=reading.step, unit=unit, loose=loose, others=()))
    bracketed = text[figure.start - 1 : figure.start] == "(" and text[figure.end : figure.end + 1] == ")"
    if bracketed and not figure.negative and not (figure.unit is None and figure.digits == 4 and figure.step == 1):
        others.append(replace(figure, negative=True, others=()))
    return replace(figure, others=tuple(others)) if others else figure


def _in_words(text: str, lower: str) -> Iterator[Figure]:
    languages = languages_of(lower) or ("en",)
    known = definite_words(languages)
    for word in (*spelled_numbers(lower, languages), *spelled_amounts(lower, languages), *kanji_numbers(text)):
        before = _BEFORE_WORD.search(lower, max(0, word.start - 10), word.start)
        if word.sure and (word.ordinal or before is None or before[1] not in known):
            yield _spelled_figure(text, word)


def figure_at(text: str, start: int, end: int, continental: bool = False) -> Figure:
    """The figure whose digits and scale word stand at ``start`` to ``end``."""
    return _figure(text, start, end, *exact(text[start:end], continental))


def _figure(text: str, start: int, end: int, value: Fraction, step: Fraction) -> Figure:
    ordinal = _ORDINAL.match(text, end) if text[end : end + 1] in _ORDINAL_STARTS else None
    if ordinal is not None:
        return Figure(
            start, ordinal.end(), (start, end), value, step, noun=noun_after(text, ordinal.end()), ordinal=True
        )
    if (
        text[end : end + 1] == "s"
        and end - start == 4
        and text[end - 1] == "0"
        and not text[end + 1 : end + 2].isalpha()
    ):
        return Figure(start, end + 1, (start, end), value, step, loose="decade")
    if text[end : end + 2] == "年代":
        return Figure(start, end + 2, (start, end), value, step, loose="decade")
    unit, left, right = unit_at(text, start, end)
    sign = sign_before(text, start)
    left = min(left, sign.start()) if sign is not None else left
    loose = _looseness(text, left, right)
    noun = noun_after(text, end) if unit is None else ""
    return Figure(left, right, (start, end), value, step, unit, sign is not None, loose, noun)


def sign_before(text: str, start: int) -> re.Match[str] | None:
    """The minus, in any form, before a number and its currency."""
    last = text[start - 1 : start]
    if last not in _SIGN_ENDS and not (last == " " and text[start - 2 : start - 1] in _SIGN_WORD_ENDS):
        return None
    return SIGN.search(text, max(0, start - 12), start)


def _looseness(text: str, start: int, end: int) -> Loose:
    before = text[max(0, start - 20) : start].lower().rstrip(_CURRENCY)
    said = _ends_loosely(before) or (
        before.endswith(_OF_DOLLARS) and any(_ends_loosely(before.removesuffix(each)) for each in _OF_DOLLARS)
    )
    match = _ABOUT.search(text, max(0, start - 20), start) if said else None
    match = match or _OVER_AFTER.match(text, end, end + 8)
    if match is None:
        return ""
    return "about" if match["about"] else "over" if match["over"] else "under"


def _ends_loosely(before: str) -> bool:
    words = before.rstrip(" \u00a0*_")
    return not _LAST_OF_WORDS.isdisjoint((words[-2:], words[-1:])) and words.endswith(_BEFORE_NUMBERS)


def noun_after(text: str, end: int) -> str:
    """The stem of the word that follows a number, or its first two characters of CJK."""
    match = _NOUN.match(text, end)
    if match is None:
        return ""
    word = match[1].lower()
    return word.removesuffix("ies")[:5] if len(word) > 5 else word[:5]


def _spelled_figure(text: str, word: Spelled) -> Figure:
    value, start, end = word.value, word.start, word.end
    unit, _, right = (None, start, end) if word.ordinal else unit_at(text, start, end)
    noun = noun_after(text, end) if unit is None else ""
    step = Fraction(1) if value.denominator == 1 else Fraction(1, 10 if value.denominator == 2 else 100)
    loose = _looseness(text, start, right)
    figure = Figure(start, right, (start, end), value, step, unit, False, loose, noun, word.ordinal, True)
    if not word.part or unit is not None:
        return figure
    return replace(figure, others=(replace(figure, value=value * 100, step=Fraction(1), unit=PERCENT, noun=""),))


def _with_ranges(text: str, figures: list[Figure]) -> list[Figure]:
    """In "10–12 °C" the first figure has the unit of the second."""
    for index in range(len(figures) - 1):
        one, other = figures[index], figures[index + 1]
        near = other.start - one.end < 8
        dated = _IN_YEAR.search(text, max(0, one.start - 8), one.end) is not None  # "by 6% in 2023 and 5% in 2024"
        if (
            one.unit is None
            and other.unit is not None
            and near
            and not dated
            and _RANGE.match(text, one.end, other.start)
        ):
            others = tuple(replace(reading, unit=other.unit, noun="") for reading in one.others)
            figures[index] = replace(one, unit=other.unit, noun="", others=others)
    return figures


def is_claim(figure: Figure) -> bool:
    """Whether a spelled number says something: "one" does not."""
    if not figure.spelled or figure.others:
        return True
    return figure.value >= 2 or figure.value.denominator > 1
