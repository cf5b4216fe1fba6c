"""One number read exactly: digits with separators and scale words, Chinese numerals."""

from __future__ import annotations

import re
from fractions import Fraction

from agent.text.quantities.claim_words import KANJI_DIGITS, KANJI_SCALES, SCALES

LONGEST = 200  # digits and separators of one number; a longer one is compared as text
PIECE = re.compile(r"[0-9]+(?:[.,'][0-9]+)*")

_GROUP = re.compile(r"[ \u00a0]([0-9]{3})(?![0-9])")
_DECIMALS = re.compile(r"[.,][0-9]{1,2}(?![0-9])")
_KANJI = re.compile("[" + "".join(KANJI_SCALES) + "]")


def exact(raw: str, continental: bool = False) -> tuple[Fraction, Fraction]:
    """The value of a number with its scale, and the unit of its last stated digit.

    ``continental`` reads "1.234" as a thousand; "1.234,5" and "3,75" are read as what they can only be.
    """
    if not raw.isascii() and _KANJI.search(raw):
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
    if word := rest.strip(" \u00a0-."):
        scale = SCALES.get(word.lower(), 1)
    whole, places = _decimal(digits, continental)
    return Fraction(whole * scale, 10**places), Fraction(scale, 10**places)


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
    grouping = places == 3 and other not in digits and (mark == "," or continental)
    if grouping and not digits.startswith("0"):
        return bare, 0
    return bare, places


def _kanji_value(raw: str) -> tuple[Fraction, Fraction]:
    """Digits with 千, 万, 億 and so on: 1億2,345万."""
    total, step, position = Fraction(0), Fraction(1), 0
    while position < len(raw):
        match = PIECE.match(raw, position)
        value, places = (Fraction(1), 0) if match is None else _parts(match[0])
        position = max(position, match.end() if match else position)
        scale = 1
        while raw[position : position + 1] in KANJI_SCALES and position < len(raw):
            scale *= KANJI_SCALES[raw[position]]
            position += 1
        if match is None and scale == 1:
            break
        total += value * scale
        step = Fraction(scale, 10**places)
    return total, step


def _parts(digits: str) -> tuple[Fraction, int]:
    whole, places = _decimal(digits, False)
    return Fraction(whole, 10**places), places


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
