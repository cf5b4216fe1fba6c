"""Numbers as people write them, in figures and in words, English and Japanese."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.quantities.claim_words import KANJI_DIGITS, SPELLED, TENS

_FIGURES = re.compile(r"(?<![\d.])(\d{1,3}(?:,\d{3})+(?!,\d)|0(?!\d)|[1-9]\d*)?(\.\d+)?(?!\.?\d|,\d{3})")
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALE_AFTER_FIGURES = re.compile(r" ?(thousand|million|billion|trillion)\b")
SMALL = {word: number for word, number in SPELLED.items() if number < 20 and word != "dozen"}
_ONES = list(SMALL)
_ARTICLE = re.compile(r"an? (?=hundred|thousand|million|billion|trillion|dozen)")
_WORD = re.compile(rf"({'|'.join([*_ONES[::-1], *TENS, *_SCALES, 'dozen'])})\b")
_BARE_SCALE = re.compile(r"(?<![\d.] )(?:hundred|thousand|million|billion|trillion)\b")
_LINK = re.compile(r"( and |[ -])")
_DIGITS_AFTER_POINT = re.compile(rf" point((?: (?:{'|'.join(_ONES[:10])})\b)+)")
_AND_A_HALF = re.compile(r" and a half\b")

_KANJI_SMALL = {"十": 10, "百": 100, "千": 1000}
_KANJI_LARGE = {"万": 10**4, "億": 10**8, "兆": 10**12}
_KANJI_NUMBER = re.compile(r"[〇零一二三四五六七八九十百千万億兆]+")
_FIGURE_GROUP = re.compile(r"(\d+(?:\.\d+)?)([千百]?[万億兆]|[百千])")


def number_at(text: str, start: int, language: str) -> tuple[str, int] | None:
    """The number that begins at ``start``, as plain digits, and where it ends; ``None`` where there is none.

    Strict: leading zeros, decimal commas and words that do not form one number are no number.
    """
    if language == "ja":
        return _japanese_at(text, start)
    figures = _FIGURES.match(text, start)
    if figures and figures[0]:
        return _scaled(text, figures, _SCALE_AFTER_FIGURES)
    return _words_at(text, start)


def _scaled(text: str, figures: re.Match[str], scale: re.Pattern[str]) -> tuple[str, int]:
    digits = _digits(figures)
    after = scale.match(text, figures.end())
    if after:
        return written(Decimal(digits) * _SCALES[after[1]]), after.end()
    return digits, figures.end()


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
    if words[-1] == "dozen":
        several = _below_thousand(words[:-1])
        return None if several is None else 12 * several
    total, smallest, group = 0, 10**15, list[str]()
    for word in words:
        scale = _SCALES.get(word, 0)
        if scale < 1000:
            group.append(word)
            continue
        several = _below_thousand(group)
        if several is None or scale >= smallest:
            return None
        total, smallest, group = total + several * scale, scale, []
    if not group:
        return total
    rest = _below_thousand(group)
    return None if rest is None else total + rest


def _below_thousand(words: list[str]) -> int | None:
    if len(words) > 1 and words[1] == "hundred":
        hundreds, rest = SMALL.get(words[0], 0), words[2:]
        tail = _below_hundred(rest) if rest else 0
        return 100 * hundreds + tail if 0 < hundreds < 10 and tail is not None else None
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    match words:
        case [one] if one in SMALL:
            return SMALL[one]
        case [ten] if ten in TENS:
            return TENS[ten]
        case [ten, one] if ten in TENS and 0 < SMALL.get(one, 0) < 10:
            return TENS[ten] + SMALL[one]
        case _:
            return None


def _japanese_at(text: str, start: int) -> tuple[str, int] | None:
    if _FIGURE_GROUP.match(text, start):
        return _groups_at(text, start)
    figures = _FIGURES.match(text, start)
    if figures and figures[0]:
        return _digits(figures), figures.end()
    kanji = _KANJI_NUMBER.match(text, start)
    number = _in_kanji(kanji[0]) if kanji else None
    return None if kanji is None or number is None else (str(number), kanji.end())


def _groups_at(text: str, start: int) -> tuple[str, int] | None:
    """Figures with a sign of size, as in 3万 and 1億2000万."""
    total, position, smallest = Decimal(0), start, 10**16
    while group := _FIGURE_GROUP.match(text, position):
        scale = 1
        for sign in group[2]:
            scale *= _KANJI_SMALL.get(sign) or _KANJI_LARGE[sign]
        if scale >= smallest:
            return None
        total, position, smallest = total + Decimal(group[1]) * scale, group.end(), scale
    rest = _FIGURES.match(text, position)
    if rest and rest[0]:
        if Decimal(_digits(rest)) >= smallest:
            return None
        total, position = total + Decimal(_digits(rest)), rest.end()
    return written(total), position


def _in_kanji(text: str) -> int | None:
    """``二百五`` → 205; ``None`` for characters in an order that is no number."""
    total, smallest, group = 0, 10**16, ""
    for character in text:
        scale = _KANJI_LARGE.get(character)
        if scale is None:
            group += character
            continue
        several = _kanji_group(group)
        if not several or scale >= smallest:
            return None
        total, smallest, group = total + several * scale, scale, ""
    rest = _kanji_group(group) if group else 0
    return None if rest is None else total + rest


_KANJI_GROUP = re.compile(
    r"(?:([二三四五六七八九]?)千)?(?:([二三四五六七八九]?)百)?(?:([二三四五六七八九]?)十)?([一二三四五六七八九]?)"
)


def _kanji_group(text: str) -> int | None:
    if text in {"〇", "零"}:
        return 0
    match = _KANJI_GROUP.fullmatch(text)
    if not (match and text):
        return None
    places = zip(match.groups(), (1000, 100, 10, 1), strict=True)
    parts = [(digit, scale) for digit, scale in places if digit is not None]
    return sum(
        (KANJI_DIGITS[digit] if digit else int(scale > 1)) * scale for digit, scale in parts if digit is not None
    )
