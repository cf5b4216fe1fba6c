"""Numbers and signs of everyday notation as the grammar of sums takes them: 1,5 + 2,5, 1 000 000, 5k, 3 1/2, 10C4."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.quantities.claim_words import ORDINALS
from agent.text.quantities.number_words import SMALL, written
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_CONTINENTAL = regex(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d+(?![\d.,]*\d)")
_DECIMAL_COMMA = regex(r"(?<![\d.,(])(\d+),(\d{1,2})(?![\d,]|\.\d)|(?<![\d.,(])(0),(\d+)(?![\d,]|\.\d)")
_GROUPED = regex(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
_LISTED = regex(r"\b(?:of|and|average|mean|median|sum|max|min|list|numbers|between)\b|[(,、] ?\d+,|, \d|と", re.I)
_SIGN = regex(r"[+*/×÷%=:-]|\b(?:plus|minus|times|x|divided|percent)\b|足す|引く|掛ける|割る")
# 3,5 km: nothing else stands before it that could make a list.
_ONE_MEASURE = regex(r"\D*\d+,\d{1,2} ?(?P<unit>[a-zA-Z]+(?:/[a-z]+)?|°[CF])[^\d,]*")
_IN_A_ROW = regex(
    r"\b(?:average|mean|median|mode|range|standard deviation|sum|total|max(?:imum)?|min(?:imum)?"
    r"|largest|smallest|highest|lowest|biggest)"
    r"(?: (?:of|number|value|numbers|among|in|the|from)){0,4}:? "
    r"(?P<row>\d+(?:\.\d+)?(?: (?:and )?\d+(?:\.\d+)?){2,40})(?=[ ?.]*$)",
    re.I,
)
_BLANKS = regex(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d,])")
_QUOTES = regex(r"(?<=\d)'(?=\d{3}(?!\d))")
_THOUSANDS = regex(r"(?<![\w.,])(\d+(?:\.\d+)?)k\b")
_POWER_OF_TEN = regex(r"(?<![\w.,])(\d+(?:\.\d+)?)e([+-]?\d{1,2})(?![\w.])", re.I)
_MIXED = regex(r"(?<![\d/.,])(\d+) (\d{1,3})/(\d{1,3})(?![\d/.])")
_RATIO = regex(r"(?<![\d:])(\d+(?:\.\d+)?) : (\d+(?:\.\d+)?)(?![\d:])|^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)(?= ?[?=]?$)")
# "5 feet 9", "11 stone 4": what stands behind is the smaller unit.
_FEET = regex(r"\b(\d+) ?(feet|foot|ft|stones?|st) (\d{1,2})(?=(?: (?:in|to|into|as) [a-z]{2,})?\W*$|[,.;?] )", re.I)
_AND_A_HALF = regex(r"(?<![\d.,])(\d+) and a half ([a-z]+)", re.I)
_ONE_AND_A_HALF = regex(
    r"(?<![\d.,])\b(an?|one|\d+) (hour|minute|day|week|month|year|mile|litre|liter|pound|kilo)s? and a half\b", re.I
)
_PART_OF_UNIT = regex(
    r"\b(?P<part>(?:a )?half|(?:an? |one )?quarter of|three[ -]quarters of) an? (?P<unit>[a-z]+)", re.I
)
_PARTS = {"half": "0.5", "three": "0.75"}
_MARKS = regex(r"(?<=\d)(?:点|歳|才|回|個)(?=(?:[、,と]\d.*|の)(?:平均|中央値|合計))")
_NUMBERS_NAMED = regex(
    r"\b(of|for|is|are)? ?(?:these|the following|my|the)(?: \d+)? "
    r"(?:numbers|values|figures|marks|scores|grades)?(?::| are| were)? (?=\d)",
    re.I,
)
_PART_OF_PERCENT = regex(r"\b(?P<part>half|a quarter of) (?:a |one )(?=percent\b|per cent\b)", re.I)
_SPELLED_FRACTION = regex(
    r"\b(?P<above>an?|one|two|three|four|five|six|seven|eight|nine|eleven|thirteen|fifteen)[ -]"
    r"(?P<below>third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|sixteenth|twentieth|hundredth)s?"
    r"(?=,? (?:as|in|to) (?:an? )?(?:decimals?|percent|percentage|fraction)\b"
    r"| (?:plus|minus|times|divided by|[-+*/]) |$)",
    re.I,
)
_BELOW = {**ORDINALS, "quarter": 4, "hundredth": 100}
_JAPANESE_FRACTION = regex(r"(?<![の\d.,])(\d{1,9})分の(\d{1,9})(?![\d.,])")
_CHOOSE = regex(r"(?<![\w.])(\d{1,4})([CP])(\d{1,4})(?![\w.])")


def usual(text: str) -> str:
    """``text`` with such numbers and signs in the form of the grammar; as it is where it has none.

    A comma is a decimal one where nothing else can be meant: two digits behind it, signs around, and no list.
    """
    text = _FEET.sub(_with_smaller, _QUOTES.sub("", text))
    text = _ONE_AND_A_HALF.sub(lambda found: f"{found[1] if found[1].isdigit() else 1}.5 {found[2]}s", text)
    text = _AND_A_HALF.sub(r"\1.5 \2", re.sub(r"\bhalf price (?:of|for|on) ", "half of ", text))
    text = _PART_OF_UNIT.sub(_of_unit, text)
    text = _MARKS.sub("", text).replace("の平均点", "の平均")
    text = _NUMBERS_NAMED.sub("of ", text)
    if _CONTINENTAL.search(text):
        text = _CONTINENTAL.sub(lambda found: found[0].replace(".", "").replace(",", "."), text)
        text = _DECIMAL_COMMA.sub(_pointed, text)
    elif _GROUPED.search(text):
        pass  # 1,234 + 1,5 has commas of two kinds, or of one
    elif _decimal(text):
        text = _DECIMAL_COMMA.sub(_pointed, text)
    if (row := _IN_A_ROW.search(text)) and not _BLANKS.fullmatch(row["row"]):
        listed = row["row"].replace(" and ", " ").replace(" ", ", ")
        return text[: row.start("row")] + listed + text[row.end("row") :]
    text = _BLANKS.sub(lambda found: found[0].replace(" ", ""), text) if not re.search(r"\d, \d", text) else text
    text = _THOUSANDS.sub(lambda found: _times(found[1], 3), text)
    text = _POWER_OF_TEN.sub(lambda found: _times(found[1], int(found[2])), text)
    text = _SPELLED_FRACTION.sub(_in_figures, text)
    text = _MIXED.sub(r"(\1 + \2/\3)", text)
    text = _JAPANESE_FRACTION.sub(r"(\2/\1)", text)
    text = _RATIO.sub(r"\1 / \2", text)
    text = _PART_OF_PERCENT.sub(lambda found: "0.5 " if found["part"].lower() == "half" else "0.25 ", text)
    return _CHOOSE.sub(lambda found: f"{found[1]} {'choose' if found[2] == 'C' else 'permutations'} {found[3]}", text)


def _in_figures(found: re.Match[str]) -> str:
    """ "Five sixteenths" as 5/16."""
    return f"{SMALL.get(found['above'].lower(), 1)}/{_BELOW[found['below'].lower()]}"


def _decimal(text: str) -> bool:
    one = _ONE_MEASURE.fullmatch(text)
    if one and measure_of(one["unit"]):
        return True
    signed = _DECIMAL_COMMA.search(text) and _SIGN.search(text)
    return bool(signed) and not _LISTED.search(_without_percent_of(text))


def _with_smaller(found: re.Match[str]) -> str:
    names = ("stone", "pounds") if found[2].lower().startswith("st") else ("feet", "inches")
    return f"{found[1]} {names[0]} {found[3]} {names[1]}"


def _of_unit(found: re.Match[str]) -> str:
    """ "Half a mile" as 0.5 mile."""
    words = found["part"].lower().removeprefix("a ").replace("-", " ").split()
    return f"{_PARTS.get(words[0], '0.25')} {found['unit']}" if measure_of(found["unit"]) else found[0]


def _pointed(found: re.Match[str]) -> str:
    return found[0].replace(",", ".")


def _without_percent_of(text: str) -> str:
    """ "12,5 % of 80" lists nothing."""
    return re.sub(r"(%|percent) of\b", r"\1", text)


def _times(digits: str, power: int) -> str:
    return written(Decimal(digits).scaleb(power))
