"""Numbers in running text: where they stand and how large they are, in one pass.

Offsets are those of the text as given: ``plain`` replaces characters one for one. Values are floats for looking up;
``exact`` reads a single number again as a fraction, with the unit of its last stated digit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from agent.evidence.words import KANJI_DIGITS, KANJI_SCALES, SCALES

LONGEST = 200  # digits and separators of one number; a longer one is compared as text

_WIDE = "０１２３４５６７８９．，％＄￥：／－−﹣＋’\u202f\u2009\u2007"
_NARROW = "0123456789.,%$¥:/---+'\u00a0\u00a0\u00a0"
_ODD = re.compile(f"[{_WIDE}]")
_TOKEN = re.compile(r"\d[\d.,:/'\-–~〜]*")
_PIECE = re.compile(r"\d+(?:[.,']\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:([,.'])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$|\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$")
_SPACED = re.compile(r"(?:[ \u00a0]\d{3})+(?![\d.,]?\d)")
_SCALE = re.compile(r"[ \u00a0-]?([A-Za-z]+)\.?")
_DECIMAL_COMMA = re.compile(r"\d,\d\d?(?![\d,])")
_DECIMAL_POINT = re.compile(r"(?<!\.)\d\.\d\d?(?![\d.])")
_MARK = re.compile(r"\]")
_GAPS = ("", " ", "]", "\n", ".")  # what stands before a source mark, as in "text [1][2]"
_AFTER = frozenset(" \u00a0-kKmMbBtTl" + "".join(KANJI_SCALES))


@dataclass(frozen=True, slots=True)
class Token:
    """A number: its size without sign, and its place, scale word included. ``raw`` may be joined: 2024-12-25."""

    value: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scan:
    """The numbers of a text in its order.

    ``joined`` are the runs with a hyphen, slash or colon inside. ``continental``: "1.234" is a thousand here.
    """

    numbers: tuple[Token, ...]
    joined: tuple[tuple[int, int], ...]
    continental: bool = False


def plain(text: str) -> str:
    """``text`` with full-width digits and signs as ASCII, and the narrow spaces as one, character for character."""
    if text.isascii() or _ODD.search(text) is None:
        return text
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        text = text.replace(wide, narrow)
    return text


def scan(text: str) -> Scan:
    """All numbers of a text that went through ``plain``; the time is linear in its length."""
    numbers: list[Token] = []
    joined: list[tuple[int, int]] = []
    position, length = 0, len(text)
    continental = _DECIMAL_COMMA.search(text) is not None and _DECIMAL_POINT.search(text) is None
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if start < position:
            continue
        raw = match[0]
        if (
            text[start - 1 : start] == "["
            and _MARK.match(text, end) is not None
            and text[start - 2 : start - 1] in _GAPS
        ):
            continue
        if not raw.isdigit():
            raw = raw.rstrip(".,:/'-–~〜")
            end = start + len(raw)
        if raw.isdigit() and end < length and text[end] not in _AFTER and len(raw) <= LONGEST:
            numbers.append(Token(float(raw), start, end))
            continue
        pieces = _pieces(raw, start, text)
        if len(pieces) > 1 and "," not in raw:
            joined.append((start, end))
        numbers.extend(_sized(text, *piece, continental) for piece in pieces[:-1])
        last = _sized(text, *pieces[-1], continental)
        numbers.append(last)
        position = last.end
    return Scan(tuple(numbers), tuple(joined), continental)


def _pieces(raw: str, start: int, text: str) -> list[tuple[int, int]]:
    """Where the numbers of one run are: commas part them in code and CSV, and where they group no thousands."""
    pieces: list[tuple[int, int]] = []
    for match in _PIECE.finditer(raw):
        piece = match[0]
        left, right = start + match.start(), start + match.end()
        if "," in piece and (_listed(text, left, right) or not _one_number(piece)):
            for part in re.finditer(r"[^,]+", piece):
                pieces.append((left + part.start(), left + part.end()))
        elif piece.count(".") > 1 and not _one_number(piece):  # an address or a version, or 25.12.2024
            for part in re.finditer(r"[^.]+", piece):
                pieces.append((left + part.start(), left + part.end()))
        else:
            pieces.append((left, right))
    return pieces


def _listed(text: str, left: int, right: int) -> bool:
    """Whether commas here part values: "[1,234,567]", "Tokyo,14,200"."""
    before, after = text[left - 1 : left], text[right : right + 1]
    return before in ("[", ",") or after == "]" or (after == "," and text[right + 1 : right + 2] not in ("", " ", "\n"))


def _one_number(piece: str) -> bool:
    return len(piece) <= LONGEST and (_GROUPED.match(piece) is not None or piece.count(",") + piece.count(".") == 1)


def _sized(text: str, start: int, end: int, continental: bool) -> Token:
    stop = scale_end(text, start, end)
    if stop - start > LONGEST:
        return Token(float("inf"), start, stop)
    raw = text[start:stop]
    if stop == end and "'" not in raw:  # the two usual forms, without fractions
        if "," not in raw and (raw.count(".") <= 1 and not (continental and "." in raw)):
            return Token(float(raw), start, stop)
        if "." not in raw and raw[-4:-3] == ",":
            return Token(float(raw.replace(",", "")), start, stop)
    return Token(_float(exact(raw, continental)[0]), start, stop)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def scale_end(text: str, start: int, end: int) -> int:
    """Where the number ends with the scale that follows it: thousands in groups, "million", "k", 万, "億2,345万"."""
    if end - start <= 3 and (groups := _SPACED.match(text, end)) is not None and text[groups.end() - 4] == "\u00a0":
        end = groups.end()
    after = text[end : end + 1]
    if after in KANJI_SCALES:
        return _kanji_end(text, end)
    if not after or after not in _AFTER:
        return end
    match = _SCALE.match(text, end)
    if match is None:
        return end
    word = match[1]
    if len(word) == 1:
        currency = text[start - 1 : start] in ("$", "€", "£", "¥", "₩", "₹") and start > 0
        return match.end(1) if match.start(1) == end and (word in "kKMBT" or (currency and word in "mbt")) else end
    return match.end(1) if word.lower() in SCALES else end


def _kanji_end(text: str, end: int) -> int:
    while text[end : end + 1] in KANJI_SCALES and text[end : end + 1]:
        end += 1
        more = _PIECE.match(text, end)
        if more is not None and len(more[0]) <= 9 and text[more.end() : more.end() + 1] in KANJI_SCALES:
            end = more.end()
    return end


def exact(raw: str, continental: bool = False) -> tuple[Fraction, Fraction]:
    """The value of a number with its scale, and the unit of its last stated digit.

    ``continental`` reads "1.234" as a thousand; "1.234,5" and "3,75" are read as what they can only be.
    """
    if any(character in KANJI_SCALES for character in raw):
        return _kanji_value(raw)
    head = _PIECE.match(raw)
    if head is None:
        return Fraction(0), Fraction(1)
    digits, scale = head[0], Fraction(1)
    rest = raw[head.end() :]
    while (group := re.match(r"[ \u00a0](\d{3})(?!\d)", rest)) is not None:
        digits, rest = digits + group[1], rest[4:]
    if word := rest.strip(" \u00a0-."):
        scale = Fraction(SCALES.get(word.lower(), 1))
    whole, places = _decimal(digits, continental)
    return Fraction(whole, 10**places) * scale, Fraction(1, 10**places) * scale


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
        match = _PIECE.match(raw, position)
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
