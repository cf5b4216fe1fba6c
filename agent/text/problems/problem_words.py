"""The words of a problem in one form: quantities by their kind, words by their meaning, in English and Japanese.

A word that could change what is asked (``problem_words.toml``) always stays, so that a frame which does not know it
does not fit. Any other word that is not known, such as what was bought, is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from agent.text.quantities.number_words import number_at, tenths, written
from agent.text.quantities.units import CURRENCIES, Measure, measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language
from agent.text.word_tables import word_table

_LONGEST = 400  # characters
_MOST_UNKNOWN = 7
WORDS: dict[str, Any] = word_table(__file__, "problem_words.toml")
# The letter of each kind: N a bare number, M money, P percent, H people, others by what their unit measures.
_KINDS = {
    "length": "L",
    "time": "T",
    "month": "Y",
    "mass": "W",
    "volume": "V",
    "speed": "S",
    "area": "A",
    "data": "D",
    "data rate": "R",
}
_CURRENCY_BEFORE = regex(r"([$€£¥]) ?(?=\d)")
_PERCENT = regex(r" ?(?:%|percent\b|per cent\b|pct\b|パーセント)")
_CLOCK_LENGTH = regex(r"(\d{1,3}):([0-5]\d)(?: ?(?:hours?|hrs?|h)\b| ?時間)")
_UNIT = regex(r"[- ]?((?:square |cubic |nautical )?[^\W\d_]+(?:\^[23]|/[a-z]+)?)")
_PER_UNIT = regex(r"(?:(?:per|an?|each|every) |/ ?)([a-z]+(?:/[a-z]+)?)\b")
_WORD = regex(r"[^\W\d_]+(?:'[a-z]+)?")
_DATE = regex(r"\d{4}-\d{1,2}-\d|\d{1,2}/\d{1,2}/\d|\d-\d+-\d")
_RATIO = regex(r"(?<![\d:.])(\d+(?:\.\d+)?) ?(?::| to |対) ?(\d+(?:\.\d+)?)(?![\d:.])")
_WE_ARE = regex(r"\b(?:we|they|you) (?:are|were) (\d+)(?! \d)(?=,| and\b|\.)", re.I)
_HALF_MORE = regex(r"(?<![\d.])(\d+)(時間|年|分|個|キロ|か月)半")
_NO_NUMBER = regex("一(?:般|緒|番|覧|瞬|致|種|体|切|気|方|律|定|括|環|応)")  # words that begin with a numeral
_FOR_A_YEAR = regex(r"\bfor an? (year|month)(?=[ ?.!]*$)", re.I)  # a length, and no rate
_DASH = regex(r" [-–—]+ (?=[a-z])", re.I)
_GOES_ON = regex(r"[^\W_]|'[a-z]")  # "i" is no word of "i'd"
_LIST_PRICE = regex(r"定価(?:が|は)?(?=\d)")
_WEIGHT = regex(r"((?:体重|重さ)(?:が|は)?[\d.]+)キロ(?:グラム)?")
_IN_RATIO = regex(r"\bratio\b|比|分け")
# A run of letters of one kind that means nothing here counts as one word.
_RUN = regex(r"[ァ-ヶー]+|[a-z]+|[^\W\d_]")
_HIRAGANA = regex(r"[ぁ-ん]")
_JAPANESE_UNIT = regex(r"[^\W\d_ぁ-ん]+")
_CURRENCIES = {"euro": "€", "eur": "€", "usd": "$", "bucks": "$", "gbp": "£", "quid": "£"}
_SPEED_BEFORE = {"時速": "h", "分速": "min", "秒速": "s"}
_EACH = ("一人", "1人あたり", "1人いくら", "1人当たり")
_COUNTERS = regex(r"[個枚本つ冊匹台回点問皿杯箱袋]")
_PEOPLE = regex(
    r"人|名(?!前)| (?:people|persons?|friends|flatmates|colleagues|adults|of us|guests|children|kids|students|ways)\b"
)


@dataclass(frozen=True, slots=True)
class Given:
    """A quantity: ``kind`` is one letter, ``amount`` plain digits, ``unit`` "", a currency's sign or a unit's name."""

    kind: str
    amount: str
    unit: str = ""
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """``text`` is the problem in one form, where ``N0`` stands for the first of the ``given``.

    A unit alone, as in "per kg", is a quantity of one whose letter is small; "rate" stands before one that follows a
    quantity at once, as in "$25 per hour". ``unknown`` words were left out.
    """

    text: str
    given: tuple[Given, ...]
    unknown: int = 0


def worded(text: str, language: Language) -> Wording | None:
    """The wording of ``text``; ``None`` where it is too long, or has too many words that mean nothing here."""
    if len(text) > _LONGEST or _DATE.search(text):
        return None
    text = _LIST_PRICE.sub("", text)
    text = _DASH.sub(", ", text)
    text = _FOR_A_YEAR.sub(r"for 1 \1", _WE_ARE.sub(r"\1 people", text))
    text = _WEIGHT.sub(r"\1kg", _HALF_MORE.sub(r"\1.5\2", text))
    if _IN_RATIO.search(text):
        text = _RATIO.sub(r"比\1対\2" if language == "ja" else r" ratio \1 to \2 ", text)
    reader = _Reader(text, language)
    return reader.read()


@cache
def _known(language: Language) -> tuple[dict[str, str], int]:
    """Each word or phrase with its meaning ("" for none), and how many characters the longest has."""
    found: dict[str, str] = {}
    for meaning, phrases in WORDS[language].items():
        for phrase in phrases:
            found[phrase] = "" if meaning == "filler" else meaning
    for word in WORDS["operative" if language == "en" else "operative_ja"]:
        found.setdefault(word, word)
    return found, max(map(len, found))


def known_words() -> frozenset[str]:
    """The English words that have a meaning here."""
    return frozenset(word for phrase in _known("en")[0] for word in phrase.split())


class _Reader:
    def __init__(self, text: str, language: Language) -> None:
        self._typed = text
        self._text = text.lower() if len(text.lower()) == len(text) else text
        self._language: Language = language
        self._position = 0
        self._words: list[str] = []
        self._given: list[Given] = []
        self._unknown = 0
        self._end = 0  # of the latest quantity
        self._run_end = -1  # of a run of kanji or katakana that was left out
        self._left_out = -1  # the end of the latest word that is not known and not counted

    def read(self) -> Wording | None:
        while self._position < len(self._text):
            if self._text[self._position] in " ,.?!;:。、「」()":
                self._position += 1
            elif not (self._quantity() or self._per() or self._phrase() or self._other()):
                return None
        if self._unknown > _MOST_UNKNOWN:
            return None
        words = [word for place, word in enumerate(self._words) if not place or word != self._words[place - 1]]
        return Wording(" ".join(words), tuple(self._given), self._unknown)

    def _add(self, given: Given, end: int) -> bool:
        beside = self._words[-1:] == [f"T{len(self._given) - 1}"] and not self._text[self._end : self._position].strip()
        if beside and (whole := _with_smaller(self._given[-1], given)):
            self._given[-1], self._position, self._end = whole, end, end
            return True
        self._words.append(f"{given.kind}{len(self._given)}")
        self._given.append(given)
        self._position = self._end = end
        return True

    def _quantity(self) -> bool:
        text, start = self._text, self._position
        if start and (text[start - 1].isdigit() or (text[start - 1] == "." and text[start - 2 : start - 1].isdigit())):
            return False
        if self._language == "ja" and (text.startswith(_EACH, start) or _NO_NUMBER.match(text, start)):
            return False
        if length := _CLOCK_LENGTH.match(text, start):
            hours = written(Decimal(length[1]) + Decimal(length[2]) / 60)
            return self._add(Given("T", hours, "hours", measure_of("hours")[0]), length.end())
        sign = _CURRENCY_BEFORE.match(text, start)
        speed = next((mark for mark in _SPEED_BEFORE if text.startswith(mark, start)), "")
        begin = sign.end() if sign else start + len(speed)
        found = number_at(text, begin, self._language)
        if found is None:
            return False
        amount, end = found
        if text[end : end + 1] in "/:^" and text[end + 1 : end + 2].isdigit():
            return False
        if sign:
            return self._add(Given("M", amount, sign[1]), end)
        if percent := _PERCENT.match(text, end):
            return self._add(Given("P", amount), percent.end())
        if self._language == "ja" and text[end : end + 1] == "割" and text[end : end + 2] != "割る":
            hundredths = re.compile(r"(\d)分(?!の)").match(text, end + 1)
            whole = tenths(amount) if not hundredths else written(Decimal(tenths(amount)) + int(hundredths[1]))
            return self._add(Given("P", whole), hundredths.end() if hundredths else end + 1)
        return self._with_unit(amount, end, _SPEED_BEFORE.get(speed, ""))

    def _with_unit(self, amount: str, end: int, speed: str) -> bool:
        text = self._text
        if people := _PEOPLE.match(text, end):
            return self._add(Given("H", amount), people.end())
        unit = (_JAPANESE_UNIT if self._language == "ja" else _UNIT).match(text, end)
        for length in range(len(unit[0]), 0, -1) if unit else ():
            name = text[end : end + length].strip(" -")
            if self._language == "en" and length < len(unit[0] if unit else ""):
                break
            if currency := CURRENCIES.get(name) or _CURRENCIES.get(name):
                return self._add(Given("M", amount, currency), end + length)
            if measure := _measure(self._typed[end : end + length].strip(" -"), speed):
                letter = _KINDS.get(measure.kind, "U")
                return self._add(Given(letter, amount, measure.name, measure), end + length)
        counter = _COUNTERS.match(text, end) if self._language == "ja" else None
        return self._add(Given("N", amount), counter.end() if counter else end)

    def _per(self) -> bool:
        """ "per kg", "an hour": one of the unit."""
        found = _PER_UNIT.match(self._text, self._position) if self._language == "en" else None
        measure = _measure(found[1], "") if found else None
        if not found or measure is None or self._text[self._position - 1 : self._position].isalnum():
            return False
        if measure.name == "years":
            self._words.append("annual")
            self._position = found.end()
            return True
        letter = _KINDS.get(measure.kind, "U").lower()
        if self._given and not self._text[self._end : self._position].strip():
            self._words.append("rate")  # "$25 per hour", not "$18, price per kg"
        return self._add(Given(letter, "1", measure.name, measure), found.end())

    def _phrase(self) -> bool:
        """The longest phrase with a meaning."""
        known, longest = _known(self._language)
        rest = self._text[self._position : self._position + longest]
        for length in range(len(rest), 0, -1):
            meaning = known.get(rest[:length])
            if meaning == "of" and self._of_unknown():
                meaning = ""
            if meaning == "one_each" and rest[:length].endswith(" one") and self._unit_follows(length):
                continue
            if meaning is None or (self._language == "en" and _GOES_ON.match(self._text, self._position + length)):
                continue
            self._words += [meaning] if meaning else []
            self._position += length
            return True
        return False

    def _unit_follows(self, length: int) -> bool:
        """ "How much is one kilo" is no share of each."""
        word = _WORD.match(self._text, self._position + length + 1)
        return word is not None and _measure(word[0], "") is not None

    def _of_unknown(self) -> bool:
        """ "A salary of 3200" is 3200, whatever that is."""
        return self._language == "en" and self._text[: self._position].rstrip(" ") == self._text[: self._left_out]

    def _other(self) -> bool:
        """Any other word is left out; a sign that no problem has ends it."""
        word = _WORD.match(self._text, self._position)
        if self._language == "ja" and word:
            word = _RUN.match(self._text, self._position)
        if word is None:
            return False
        goes_on = self._language == "ja" and self._run_end == self._position and not _HIRAGANA.match(word[0])
        self._unknown += not goes_on
        self._run_end = word.end() if self._language == "ja" and not _HIRAGANA.match(word[0]) else -1
        if not self._given or self._text[self._end : self._position].strip():
            self._left_out = word.end()  # not in "3 pizzas of 8 slices", which has so many of each
        self._position = word.end()
        return True


def _with_smaller(large: Given, small: Given) -> Given | None:
    """ "1 h 45 min" is one length of time."""
    if large.kind != small.kind or not (large.measure and small.measure) or small.measure.size >= large.measure.size:
        return None
    size = Fraction(small.amount) * small.measure.size + Fraction(large.amount) * large.measure.size
    in_large, in_small = size / large.measure.size, size / small.measure.size
    unit, whole = (large, in_large) if 100 % in_large.denominator == 0 else (small, in_small)
    return replace(unit, amount=written(Decimal(whole.numerator) / whole.denominator))


def _measure(name: str, speed: str) -> Measure | None:
    """The one unit that a word is; of キロ with 時速, the speed; of "m" and "ポンド", what they mostly are."""
    meanings = measure_of(name)
    if speed:
        per = {"h": {"km": "km/h", "miles": "mph"}, "s": {"metres": "m/s"}}.get(speed, {})
        lengths = [one for one in meanings if one.kind == "length" and one.name in per]
        found = measure_of(per[lengths[0].name]) if lengths else ()
        return found[0] if found else None
    return meanings[0] if meanings and meanings[0].kind in _KINDS else None
