"""Numbers as people write them, in figures and in words, English, Japanese and Chinese.

``exact`` reads one number of a text with its precision; ``number_at`` is strict, for sums; ``kanji_numbers`` finds
those in Chinese and Korean characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import inf, isclose
from typing import NamedTuple

from agent.text.quantities.claim_words import KANJI_DIGITS, KANJI_SCALES, SCALES, SPELLED, TENS
from agent.text.regex import regex

_FLOAT_DIGITS = 15  # that every float holds
_WHOLE = 2.0**53  # floats hold whole numbers up to here
_HUGE = Fraction(10**100)  # the product of three is a float still
_ONE = Fraction(1)
LONGEST = 100  # digits and separators of one number; a longer one is compared as text
PIECE = regex(r"[0-9]+(?:[.,'][0-9]+)*")

_GROUP = regex(r"[ \u00a0]([0-9]{3})(?![0-9])")
_DECIMALS = regex(r"[.,][0-9]{1,2}(?![0-9])")
_SCALE_WORD = regex(r"[^\W0-9_]+")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_EXPONENT = r"(?:\^|\*\*)?([+-]?[0-9]{1,3}|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_POWER = regex(
    rf"[eE]([+-]?[0-9]{{1,3}})(?![\w.])|[ \u00a0]?[×x·*][ \u00a0]?10(?=[\^*⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]){_EXPONENT}"
    rf"|(?=[\^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]){_EXPONENT}"
)
_UNDECIDED = regex(r"[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9.,])")
_KANJI_SCALE = regex("[" + "".join(KANJI_SCALES) + "]")


def exact(raw: str, continental: bool = False) -> tuple[Fraction, Fraction]:
    """The value of a number with its scale, and the unit of its last stated digit.

    ``continental`` reads "1.234" as a thousand and "1,234" as a decimal; "1.234,5" and "3,75" are read as what they
    can only be.
    """
    if raw.isdigit() and raw.isascii():
        return Fraction(int(raw[:LONGEST])), _ONE
    if not raw.isascii() and _KANJI_SCALE.search(raw):
        return _kanji_value(raw)
    head = PIECE.match(raw)
    if head is None:
        return Fraction(0), Fraction(1)
    digits, scale = head[0], 1
    rest = raw[head.end() :]
    while (group := _GROUP.match(rest)) is not None:
        digits, rest = digits + group[1], rest[4:]
    if (decimals := _DECIMALS.match(rest)) is not None:
        digits, rest = digits + decimals[0], rest[decimals.end() :]
    power = _POWER.match(rest)
    if power is not None and (power[1] or power[2] or digits == "10"):
        return _with_power(digits, power, continental)
    for word in _SCALE_WORD.findall(rest):
        scale *= SCALES.get(word.lower(), 1)
    whole, places = _decimal(digits, continental)
    return Fraction(whole * scale, 10**places), Fraction(scale, 10**places)


def _with_power(digits: str, power: re.Match[str], continental: bool) -> tuple[Fraction, Fraction]:
    """1.2e6, 1.2 × 10^6, 10⁶."""
    said = power[1] or power[2] or power[3]
    size = Fraction(10) ** int(said.translate(_RAISED))
    if power[3]:
        return size, size
    whole, places = _decimal(digits, continental)
    return Fraction(whole, 10**places) * size, Fraction(1, 10**places) * size


def readings(raw: str, continental: bool = False, settled: bool = True) -> tuple[tuple[Fraction, Fraction], ...]:
    """What a number may stand for, as ``exact`` reads it, the likeliest first.

    "1.234" is a thousand, too, where its text does not settle that.
    """
    first = exact(raw, continental)
    return (first,) if settled or not undecided(raw) else (first, exact(raw, not continental))


def undecided(raw: str) -> bool:
    """Whether only the rest of its text can say what the one point of a number means: "1.234", not "0.234"."""
    return _UNDECIDED.match(raw) is not None


def power_end(text: str, start: int, end: int) -> int:
    """Where a number ends with the power of ten that follows it: 1.2e6, 1.2 × 10^6, 10⁶."""
    power = _POWER.match(text, end)
    return power.end() if power is not None and (power[3] is None or text[start:end] == "10") else end


def as_float(value: Fraction | float) -> float:
    """A number as a float; one that is too large for that is infinite."""
    try:
        return value if isinstance(value, float) else value.numerator / value.denominator
    except OverflowError:
        return inf if value > 0 else -inf


def exactly(value: float, raw: str, continental: bool) -> Fraction:
    """The number that stands as ``raw`` and has the size ``value``: one of its readings.

    One that is too long to read, and too large for a float, counts as 10^100.
    """
    if value < _WHOLE and len(raw) <= _FLOAT_DIGITS:
        return Fraction(repr(value))
    read = exact(raw, continental)[0] if raw[:1].isdigit() and len(raw) <= LONGEST else None
    if value < _WHOLE:
        # All of its digits, where this is the reading that has that size.
        return read if read is not None and isclose(read, value, rel_tol=1e-12) else Fraction(repr(value))
    if read is not None:
        return read
    return Fraction(int(value)) if value < inf else _HUGE


def _decimal(digits: str, continental: bool) -> tuple[int, int]:
    """All digits as one whole number, and how many of them stand behind the decimal sign."""
    digits = digits.replace("'", "")
    sign = max(digits.rfind("."), digits.rfind(","))
    bare = int(digits.replace(".", "").replace(",", "")[:LONGEST])
    if sign < 0:
        return bare, 0
    mark, places = digits[sign], len(digits) - sign - 1
    other = "," if mark == "." else "."
    if digits.count(mark) > 1 and other not in digits:
        return bare, 0
    grouping = places == 3 and other not in digits and mark == ("." if continental else ",")
    if grouping and not digits.startswith("0"):
        return bare, 0
    return bare, places


def _kanji_value(raw: str) -> tuple[Fraction, Fraction]:
    """Digits with 千, 万, 億 and so on: 1億2,345万."""
    total, step, position = Fraction(0), _ONE, 0
    while position < len(raw):
        match = PIECE.match(raw, position)
        value, places = (1, 0) if match is None else _decimal(match[0], False)
        position = max(position, match.end() if match else position)
        scale = 1
        while raw[position : position + 1] in KANJI_SCALES and position < len(raw):
            scale *= KANJI_SCALES[raw[position]]
            position += 1
        position += raw[position : position + 1] == " "
        if match is None and scale == 1:
            break
        total, step = total + Fraction(value * scale, 10**places), Fraction(scale, 10**places)
    return total, step


def kanji_number(run: str) -> int:
    """The value of a number in Chinese characters: 二十一, 百二十, 二〇二四, 三億."""
    if all(character in KANJI_DIGITS for character in run):
        return int("".join(str(KANJI_DIGITS[character]) for character in run))
    total = part = digit = 0
    for character in run:
        if character in KANJI_DIGITS:
            digit = KANJI_DIGITS[character]
        elif KANJI_SCALES[character] < 10_000:
            part, digit = part + (digit or 1) * KANJI_SCALES[character], 0
        else:
            total, part, digit = total + (part + digit or 1) * KANJI_SCALES[character], 0, 0
    return total + part + digit


_FIGURES = regex(r"(?<![\d.])(\d{1,3}(?:,\d{3})+(?!,\d)|0(?!\d)|[1-9]\d*)?(\.\d+)?(?!\.?\d|,\d{3})")
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALE_AFTER_FIGURES = regex(r" ?(thousand|million|billion|trillion)\b")
SMALL = {word: number for word, number in SPELLED.items() if number < 20 and word != "dozen"}
_ONES = list(SMALL)
_BELOW_TEN = f"(?:{'|'.join(_ONES[1:10])})"
_BELOW_HUNDRED = f"(?:(?:{'|'.join(TENS)}) (?:{_BELOW_TEN} )?|(?:{'|'.join(_ONES)}) )"
_BELOW_THOUSAND = f"(?:{_BELOW_TEN} hundred (?:{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_ONE_NUMBER = regex(
    rf"{_BELOW_THOUSAND}dozen |"
    + "".join(f"(?:{_BELOW_THOUSAND}{scale} )?" for scale in ("trillion", "billion", "million", "thousand"))
    + f"(?:{_BELOW_THOUSAND})?"
)
_ARTICLE = regex(r"an? (?=hundred|thousand|million|billion|trillion|dozen)")
_WORD = regex(rf"({'|'.join([*_ONES[::-1], *TENS, *_SCALES, 'dozen'])})\b")
_BARE_SCALE = regex(r"(?<![\d.] )(?:hundred|thousand|million|billion|trillion)\b")
_LINK = regex(r"( and |[ -])")
_DIGITS_AFTER_POINT = regex(rf" point((?: (?:{'|'.join(_ONES[:10])})\b)+)")
_AND_A_HALF = regex(r" and a half\b")

_KANJI_GROUP = (
    "(?=[一二三四五六七八九十百千])"
    + "".join(f"(?:[二三四五六七八九]?{scale})?" for scale in "千百十")
    + "[一二三四五六七八九]?"
)
_ONE_KANJI_NUMBER = regex("".join(f"(?:{_KANJI_GROUP}{scale})?" for scale in "兆億万") + f"(?:{_KANJI_GROUP}|[〇零])?")
_KANJI_NUMBER = regex(r"[〇零一二三四五六七八九十百千万億兆]+")
_FIGURE_GROUP = regex(r"(\d+(?:\.\d+)?)([千百]?[万億兆]|[百千])")


def number_at(text: str, start: int, language: str) -> tuple[str, int] | None:
    """The number that begins at ``start``, as plain digits, and where it ends; ``None`` where there is none.

    Strict: leading zeros, decimal commas and words that do not form one number are no number.
    """
    if language == "ja":
        return _japanese_at(text, start)
    figures = _FIGURES.match(text, start)
    if figures and figures[0]:
        if after := _SCALE_AFTER_FIGURES.match(text, figures.end()):
            return written(Decimal(_digits(figures)) * _SCALES[after[1]]), after.end()
        return _digits(figures), figures.end()
    return _words_at(text, start)


def _digits(figures: re.Match[str]) -> str:
    return (figures[1] or "0").replace(",", "") + (figures[2] or "")


def written(number: Decimal) -> str:
    """Plain digits without an exponent and without zeros that say nothing."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def tenths(digits: str) -> str:
    """割 in percent: "3" → "30", "1.5" → "15"."""
    return written(Decimal(digits) * 10)


def _words_at(text: str, start: int) -> tuple[str, int] | None:
    article = _ARTICLE.match(text, start)
    position = article.end() if article else start
    bare = _BARE_SCALE.match(text, position)
    words: list[str] = ["one"] if article or bare else []  # "hundred plus one"
    while match := _WORD.match(text, position):
        words.append(match[1])
        end = match.end()
        link = _LINK.match(text, end)
        goes_on = link and _WORD.match(text, link.end()) and (link[1] != " and " or match[1] in _SCALES)
        if not (link and goes_on):
            number = _in_words(words)
            return None if number is None else _with_fraction(text, end, number)
        position = link.end()
    return None


def _with_fraction(text: str, end: int, number: int) -> tuple[str, int]:
    if point := _DIGITS_AFTER_POINT.match(text, end):
        return f"{number}." + "".join(str(SMALL[word]) for word in point[1].split()), point.end()
    if half := _AND_A_HALF.match(text, end):
        return f"{number}.5", half.end()
    return str(number), end


def _in_words(words: list[str]) -> int | None:
    """``["two", "hundred", "five"]`` → 205; ``None`` where the words do not form one number."""
    if not _ONE_NUMBER.fullmatch("".join(f"{word} " for word in words)):
        return None
    total = part = 0
    for word in words:
        scale = 12 if word == "dozen" else _SCALES.get(word, 0)
        if scale >= 1000:
            total, part = total + part * scale, 0
        else:
            part = part * scale if scale else part + SPELLED[word]
    return total + part


def _japanese_at(text: str, start: int) -> tuple[str, int] | None:
    if _FIGURE_GROUP.match(text, start):
        return _groups_at(text, start)
    figures = _FIGURES.match(text, start)
    if figures and figures[0]:
        return _digits(figures), figures.end()
    kanji = _KANJI_NUMBER.match(text, start)
    one = kanji and _ONE_KANJI_NUMBER.fullmatch(kanji[0])
    return (str(kanji_number(kanji[0])), kanji.end()) if kanji and one else None


def _groups_at(text: str, start: int) -> tuple[str, int] | None:
    """Figures with a sign of size, as in 3万 and 1億2000万."""
    total, position, smallest = Decimal(0), start, 10**16
    while group := _FIGURE_GROUP.match(text, position):
        scale = 1
        for sign in group[2]:
            scale *= KANJI_SCALES[sign]
        if scale >= smallest:
            return None
        total, position, smallest = total + Decimal(group[1]) * scale, group.end(), scale
    rest = _FIGURES.match(text, position)
    if rest and rest[0]:
        if Decimal(_digits(rest)) >= smallest:
            return None
        total, position = total + Decimal(_digits(rest)), rest.end()
    return written(total), position


class Spelled(NamedTuple):
    """A number in words at ``start`` to ``end``; the unit follows.

    ``part``: a half, two thirds, that may be told in percent. ``sure``: more than a turn of speech ("twice", "half").
    """

    value: Fraction
    start: int
    end: int
    ordinal: bool = False
    part: bool = False
    sure: bool = True


_KANJI = regex("[" + "".join(KANJI_DIGITS) + "".join(KANJI_SCALES) + "]+")
_COUNTERS = frozenset("人つ個回年件社本台円度時秒歳才倍割位名枚冊階店校種話巻週県市区町村か頭匹羽杯点番%カヶ个次元条天")
_NO_NUMBER = ("六本木", "十分", "二度と", "千人力")
_KOREAN_TENS = {"열": 10, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90}
_KOREAN_ONES = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}
_KOREAN = regex(
    rf"(?<![\uac00-\ud7af])(?:(스무)|({'|'.join(_KOREAN_TENS)})?({'|'.join(_KOREAN_ONES)})?)"
    r"(?=[ ]?(?:명|배|개|살|마리|시간|번|곳|대|권|분|가지|달|채|척|쌍|팀|나라|사람))"
)


def kanji_numbers(text: str) -> Iterator[Spelled]:
    """Numbers in Chinese characters before a counter (三つ, 二十一人) or after 第, and Korean ones (열두 명)."""
    if text.isascii():
        return
    for match in _KANJI.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        if end - start > 12 or before.isdigit() or text.startswith(_NO_NUMBER, start):
            continue
        if before == "第" or after in _COUNTERS:
            yield Spelled(Fraction(kanji_number(match[0])), start, end, before == "第")
    for match in _KOREAN.finditer(text) if re.search("[\uac00-\ud7af]", text) else ():
        value = 20 if match[1] else _KOREAN_TENS.get(match[2], 0) + _KOREAN_ONES.get(match[3], 0)
        if value > 1:
            yield Spelled(Fraction(value), *match.span())
