"""Numbers in running text: where they stand and how large they are, in one pass.

Offsets are those of the text as given: ``plain`` replaces characters one for one. Values are floats for looking up;
``exact`` reads a single number again as a fraction, with the unit of its last stated digit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.text.quantities.claim_words import KANJI_SCALES, SCALES, several
from agent.text.quantities.compounds import Reading, Token, compounds_in
from agent.text.quantities.eras import Written, era_dates
from agent.text.quantities.number_words import LONGEST, PIECE, as_float, exact, power_end, readings
from agent.text.quantities.spelled_words import languages_of
from agent.text.regex import regex

_WIDE = "０１２３４５６７８９．，％＄￥：／－−﹣＋’′\u202f\u2009\u2007٠١٢٣٤٥٦٧٨٩٫٬٪۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯"
_NARROW = "0123456789.,%$¥:/---+''\u00a0\u00a0\u00a00123456789.,%012345678901234567890123456789"
_ODD = regex(f"[{_WIDE}]")
_GROUPED = regex(
    r"[0-9]{1,3}(?:([,.'])[0-9]{3})(?:\1[0-9]{3})*(?:[.,][0-9]+)?$|[0-9]{1,2}(?:,[0-9]{2})*,[0-9]{3}(?:\.[0-9]+)?$"
)
_SPACED = regex(r"((?:[ \u00a0][0-9]{3}){1,8}+)(?![ \u00a0][0-9]{3})(?:[.,][0-9]{1,2})?(?![0-9.,]?[0-9])")
_SCALE = regex(r"[ \u00a0-]?([^\W0-9_]+)")
_SHORT_SCALES = frozenset(several("mio mrd tsd mln mld bn bln тыс млн млрд"))  # that a point may end
_POINT = regex(r"\.(?=[ \u00a0]?[\w€$£¥])")
_DECIMAL_COMMA = regex(r",(?<=[0-9],)[0-9][0-9]?(?![0-9,])")
_POINT_GROUPS = regex(
    r"\.(?:(?<=[^0-9.][0-9]\.)|(?<=[^0-9.][0-9]{2}\.)|(?<=[^0-9.][0-9]{3}\.))[0-9]{3}\.[0-9]{3}(?![0-9.])"
)
_GERMAN_SCALE = regex(r"\b(?:Tsd|Mio|Mrd)\b")
_DECIMAL_POINT = regex(r"(?<!\.)[0-9]\.[0-9][0-9]?(?![0-9.])")
_BELOW_10_000 = regex(r"[1-9](?:[0-9]{1,3}|,[0-9]{3})")
# "5.7m" of people or money, but not "5.7m tall", "5.7m/s".
_MILLIONS = regex(r"m(?![\w/²³^]|[ -](?:tall|high|long|wide|deep|thick|above|below|away|apart|hoch|lang|breit|tief)\b)")
_DIGIT_BEFORE = regex(r"[0-9][ .,]$")
_BLANKS = regex(r"[1-9][0-9]{0,2}(?: [0-9]{3}){1,5}(?:[.,][0-9]{1,2})?(?![0-9.,:/'-]?[0-9]| [0-9])")
_GAP = frozenset(" \u00a0-")
_FIRST = frozenset("0123456789hkmlcbtHKMLCBTтм×x만억조천")  # of groups, of scale words and of powers
_USUAL = 20  # characters
_GROUP = 3  # digits
_GAPS = ("", " ", "]", "\n", ".")  # what stands before a source mark, as in "text [1][2]"
_AFTER = frozenset("kKmMbBtTlTeE×x·*^⁰¹²³⁴⁵⁶⁷⁸⁹" + "".join(KANJI_SCALES))
_POWERS = frozenset("eE×x·*^⁰¹²³⁴⁵⁶⁷⁸⁹")
_MONEY = frozenset("€$£¥₩₹")
_IN_RUN = r"0-9.,:/'\-–~〜"
_SCALE_AFTER = (
    rf"(?=[{''.join(_FIRST)}])(?:[0-9×x만억조천]"
    rf"|(?i:{'|'.join(sorted(map(re.escape, SCALES), key=len, reverse=True))})(?![^\W0-9_]))"
)
# A run of digits and separators; it has its group where it is one number that can be read by itself: 1234, 12.5 or
# 12,345, with no source mark, scale, list or further number around it. It begins with a digit, so that other characters
# are skipped fast.
_RUN = regex(
    r"[0-9](?:(?<!\[.)((?<!,.)[0-9]{0,2}(?:,[0-9]{3}){1,5}|[0-9]{0,14}(?:\.[0-9]{1,2})?)"
    rf"(?:(?![{_IN_RUN}\]{re.escape(''.join(_AFTER))}])(?![ \u00a0]{_SCALE_AFTER})"
    rf"|(?=[.:](?![{_IN_RUN}])|,(?:[ \n]|\Z)))|[{_IN_RUN}]*)"
)


_NAME_BEFORE = regex(r"(?<![^\W_])[A-Z][^\W\d_]{2,}[ ]$")
_COMMA_GROUPS, _DECIMALS_BEHIND = regex(r"[0-9],[0-9]{3}(?![0-9,])"), regex(r"\.[0-9]")


@dataclass(frozen=True, slots=True)
class Scan:
    """The numbers of a text in its order.

    ``others`` are further readings of some of ``numbers``, at the same places or wider ones. ``joined`` are the runs
    with a hyphen, slash or colon inside. ``continental``: "1.234" is a thousand here, or where it is not ``settled``,
    may be one. ``eras`` are the dates of an era or in Chinese numerals.
    """

    numbers: tuple[Token, ...]
    joined: tuple[tuple[int, int], ...]
    continental: bool = False
    others: tuple[Reading, ...] = ()
    settled: bool = True
    eras: tuple[Written, ...] = ()


def plain(text: str) -> str:
    """``text`` with full-width digits and signs as ASCII, and the narrow spaces as one, character for character."""
    if text.isascii() or _ODD.search(text) is None:
        return text
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        text = text.replace(wide, narrow)
    return text


def scan(text: str) -> Scan:
    """All numbers of a text that went through ``plain``; the time is linear in its length."""
    # Commas before one or two last digits, or several points in a number, and no decimal points: they group thousands.
    point = _DECIMAL_POINT.search(text) is not None
    comma = _DECIMAL_COMMA.search(text) is not None or (
        not point and (_POINT_GROUPS.search(text) or _GERMAN_SCALE.search(text)) is not None
    )
    continental, settled = comma and not point, comma != point
    numbers, joined, undecided = _scanned(text, continental)
    eras = tuple(era_dates(text, joined))
    others = compounds_in(text, numbers, joined, eras)
    for start, end in undecided:
        others += _otherwise(text, start, end, continental, settled)
    return Scan(tuple(numbers), tuple(joined), continental, tuple(others), settled, eras)


def _otherwise(text: str, start: int, end: int, continental: bool, settled: bool) -> list[Reading]:
    """The other reading of 1.234 where the text has not settled it, and of 12 in "12 000" that of both together.

    Besides those: 1,234 as a thousand where no language says that its text has decimal commas, "12 mm" of money, and
    "5.7m" of people.
    """
    raw = text[start:end]
    millions: list[Reading] = []
    if _MILLIONS.match(text, end) is not None:
        millions.append(Reading(*exact(f"{raw} million", continental), start, end))
        if raw[-4:-3] != ".":
            return millions
    if text[end : end + 3].strip(" \u00a0") == "mm":
        return [Reading(*exact(f"{raw} million", continental), start, text.index("mm", end) + 2, sure=False)]
    if raw[-4:-3] == "," and not continental:  # "4,655 Mio."
        stop = scale_end(text, start, end)
        return [Reading(*exact(text[start:stop], True), start, stop)]
    if raw[-4:-3] == ",":
        sure = len(languages_of(text.lower())) > 1
        stop = scale_end(text, start, end)
        return [] if sure else [Reading(*exact(text[start:stop]), start, stop)]
    if raw[-4:-3] == ".":
        stop = scale_end(text, start, end)
        more = () if settled else readings(text[start:stop], continental, settled=False)[1:]
        return millions + [Reading(value, step, start, stop) for value, step in more]
    blanks = None if _DIGIT_BEFORE.search(text, max(0, start - 2), start) else _BLANKS.match(text, start)
    if blanks is None or (not continental and _is_of_name(text, start, blanks.end())):
        return []
    stop = scale_end(text, start, blanks.end())
    return [Reading(*exact(text[start:stop], continental), start, stop)]


def _is_of_name(text: str, start: int, end: int) -> bool:
    """Whether the digit at ``start`` belongs to the name before it: 3 of "the Lumo 3 327 km", where commas group."""
    if not text[start + 1 : start + 2].isspace() or _NAME_BEFORE.search(text, max(0, start - 24), start) is None:
        return False
    return _DECIMALS_BEHIND.match(text, end) is not None or _COMMA_GROUPS.search(text) is not None


def _scanned(text: str, continental: bool) -> tuple[list[Token], list[tuple[int, int]], list[tuple[int, int]]]:
    """The numbers, the joined runs, and the runs that may be read otherwise: 1.234, and 12 of "12 000"."""
    undecided: list[tuple[int, int]] = []
    numbers: list[Token] = []
    joined: list[tuple[int, int]] = []
    position = 0
    for match in _RUN.finditer(text):
        start, end = match.span()
        raw = match[0]
        if start >= position and match.lastindex and not (continental and not raw.isdigit()):
            numbers.append(Token(float(raw.replace(",", "")), start, end))
            continue
        if start < position or _is_mark(text, start, end):
            continue
        if not raw.isdigit():
            raw = raw.rstrip(".,:/'-–~〜")
            end = start + len(raw)
        if _is_undecided(text, raw, end, continental):
            undecided.append((start, end))
        stop = scale_end(text, start, end) if _may_scale(text, start, end) else end
        if stop == end + 1 and text[end] in KANJI_SCALES and raw.isdecimal() and len(raw) < _USUAL:
            numbers.append(Token(float(int(raw) * KANJI_SCALES[text[end]]), start, stop))
            position = stop
            continue
        if stop == end and len(raw) < _USUAL:
            value = _usual(text, raw, start, end, continental)
            if value is not None:
                numbers.append(Token(value, start, end))
                continue
        pieces = _pieces(raw, start, text)
        if len(pieces) > 1 and "," not in raw:
            joined.append((start, end))
        numbers.extend(_sized(text, *piece, continental) for piece in pieces[:-1])
        last = _sized(text, *pieces[-1], continental)
        numbers.append(last)
        position = last.end
    return numbers, joined, undecided


_SCALES_BEHIND_COMMAS = (" Mio", " Mrd", " Tsd", " Mill", " millones", " milioni")  # of languages with such decimals


def _is_undecided(text: str, raw: str, end: int, continental: bool) -> bool:
    """Whether what stands around a run may say more of it: 1.234, 1,234 beside 5,6, "12 mm", "5.7m", 12 of "12 000"."""
    if raw[-4:-3] == "," and (continental or text.startswith(_SCALES_BEHIND_COMMAS, end)):
        return True
    if raw[-4:-3] == ".":
        return True
    after = text[end : end + 1]
    if after == " ":
        digits = text[end + 1 : end + 1 + _GROUP]
        grouped = digits[:1].isdigit() if raw[-4:-3] == "," else len(raw) <= _GROUP and digits.isdigit()
        return grouped or text.startswith("mm", end + 1)
    return after == "m" and (text.startswith("mm", end) or _MILLIONS.match(text, end) is not None)


def _is_mark(text: str, start: int, end: int) -> bool:
    """A source mark: "[3] ...", "... [1][2]"."""
    return text[start - 1 : start] == "[" and text[end : end + 1] == "]" and text[start - 2 : start - 1] in _GAPS


def _may_scale(text: str, start: int, end: int) -> bool:
    """Whether a scale can follow: only a few letters start one, and three digits a group."""
    after = text[end : end + 1]
    if after in _GAP:
        first = text[end + 1 : end + 2]
        grouped = end - start <= _GROUP and text[end + 1 : end + 1 + _GROUP].isdigit()
        return first in _FIRST and (grouped or not first.isdigit())
    return after in _AFTER


def _usual(text: str, raw: str, start: int, end: int, continental: bool) -> float | None:
    """The value of the three usual forms: 1234, 12.5, 12,345."""
    if raw.isdigit():
        return float(raw)
    if (
        raw[-4:-3] == ","
        and not continental
        and raw[:-4].isdigit()
        and raw[-3:].isdigit()
        and len(raw) <= 7
        and not _listed(text, start, end)
    ):
        return float(raw[:-4] + raw[-3:])
    whole, point, rest = raw.partition(".")
    return float(raw) if point and whole.isdigit() and rest.isdigit() and not continental else None


def _pieces(raw: str, start: int, text: str) -> list[tuple[int, int]]:
    """Where the numbers of one run are: commas part them in code and CSV, and where they group no thousands."""
    pieces: list[tuple[int, int]] = []
    for match in PIECE.finditer(raw):
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
    return _GROUPED.match(piece) is not None or (len(piece) <= LONGEST and piece.count(",") + piece.count(".") == 1)


def _sized(text: str, start: int, end: int, continental: bool) -> Token:
    stop = scale_end(text, start, end)
    if stop - start > LONGEST:
        return Token(float("inf"), start, stop)
    raw = text[start:stop]
    if stop == end and "'" not in raw:  # the two usual forms, without fractions
        if "," not in raw and (raw.count(".") <= 1 and not (continental and "." in raw)):
            return Token(float(raw), start, stop)
        if "." not in raw and raw[-4:-3] == "," and not continental:
            return Token(float(raw.replace(",", "")), start, stop)
    return Token(as_float(exact(raw, continental)[0]), start, stop)


def scale_end(text: str, start: int, end: int) -> int:
    """Where the number ends with the scale that follows it: thousands in groups, "million", "k", 万, "億2,345万"."""
    if end - start <= 3 and (groups := _SPACED.match(text, end)) is not None and text[groups.end(1) - 4] == "\u00a0":
        end = groups.end()
    after = text[end : end + 1]
    if after in KANJI_SCALES:
        return _kanji_end(text, end)
    if not after or (after not in _AFTER and after not in _GAP):
        return end
    powered = after in _POWERS or text[end + 1 : end + 2] in ("×", "x")
    if powered and (power := power_end(text, start, end)) > end:
        return power
    last = end
    while (match := _SCALE.match(text, last)) is not None and _is_scale(text, start, last, match):
        point = _POINT.match(text, match.end()) if match[1].lower() in _SHORT_SCALES else None
        last = point.end() if point is not None else match.end()
    return last


def _is_scale(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    """Whether a word behind a number is one of its size: "million", "mil millones", "k", "$5m", "845 M€"."""
    word = match[1]
    after = text[match.end() : match.end() + 1]
    currency = start > 0 and text[start - 1] in _MONEY
    if word == "mm":  # millimetres, but of money
        return currency or after in _MONEY or text[match.end() + 1 : match.end() + 2] in _MONEY
    if len(word) > 1:
        return word.lower() in SCALES
    if match.start(1) > end:
        return word in "kM" and after in _MONEY
    return word in "kKMBT" or ((currency or after in _MONEY) and word in "mbt")


def _kanji_end(text: str, end: int) -> int:
    while text[end : end + 1] in KANJI_SCALES and text[end : end + 1]:
        end += 1
        gap = text[end : end + 1] == " " and text[end - 1] in "조억만"
        more = PIECE.match(text, end + gap)
        if more is not None and len(more[0]) <= 9 and text[more.end() : more.end() + 1] in KANJI_SCALES:
            end = more.end()
        elif more is not None and not gap and _BELOW_10_000.fullmatch(more[0]) and text[end - 1] in "万萬만":
            return more.end()
    return end
