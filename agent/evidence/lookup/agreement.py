"""Whether a number at a place is the one that the answer states: value, sign, unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from string import ascii_letters

from agent.evidence.direction import is_below
from agent.evidence.lookup.context import AROUND, Answer, line_bounds
from agent.evidence.sources import Source, Sources, Spot
from agent.evidence.tables.meant_columns import units_above
from agent.evidence.tables.table_model import Cell
from agent.text.quantities.claim_words import MONTHS
from agent.text.quantities.figures import Figure, noun_after, sign_before
from agent.text.quantities.number_words import exactly
from agent.text.quantities.units import OF_TIME, PERCENT, Unit, alike, comparable, named_in, spelled, unit_at
from agent.text.regex import regex

_CELL_END = frozenset(',}]|"\t\n<;)')
_CLAUSE = regex(r"[,;:()\n、。]|[.!?](?=\s)")
_SUBTRACTED = regex(  # "36 eggs" of "36 eggs minus 7": no sign of the second
    r"[0-9](?: (?!(?:to|and|or|is|was|but|at|of|bis|und|à|et|a|y|e)\b)[^\W\d_]+){0,2} $"
)
_MINUS = regex(r"[0-9)] [-−–] $")  # of a formula
_PER = {"時速": "/h", "秒速": "/s"}
_KILOS = ("km", "kg")  # both are 「キロ」 in short
_EXACT = 2.0**53  # floats hold whole numbers up to here
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![^\W\d_])"  # no "magnitude", no "margin"
_DATE_AFTER = regex(
    rf"(?:st|nd|rd|th)?(?:[. -]{{1,2}}(?:of )?{_MONTH}(?![a-z])|[月年日]|-[0-9]{{1,2}}-[0-9]|"
    r"[/.][0-9]{1,2}[/.][0-9]{4})"
)
_DATE_BEFORE = regex(
    rf"(?<![a-z])(?!(?:out|set) ){_MONTH}\.? $|[0-9]{{4}}-(?:[0-9][0-9]-)?$|[0-9][/.](?:[0-9]{{1,2}}[/.])$"
)
_DATE_ENDS = frozenset(" -/.")
_SEASON = regex(r"(?<![0-9])(?:1[5-9]|2[01])[0-9]{2}[–/-]$")
_SEASON_ENDS = frozenset("–/-")
_SPAN = regex(r" ?(?:to|or|and|bis|oder|und|à|ou|a|o|[-–—~〜]) ?([0-9][0-9.,]*(?<![.,]))")
_CODE = regex(r"[A-Za-z_]+$")
_ORDINAL = regex(r"(?:st|nd|rd|th)(?![a-z])")
_LETTERS = frozenset(ascii_letters)
_DIGIT = regex(r"[0-9]")
# Behind the first part of another number: 27 of "27½", 1 of 1'05", but not minute 27 of "27' 34'".
_REST_STARTS = frozenset("¼½¾⅓⅔⅛⅜⅝⅞'")
_REST = regex(r"[¼½¾⅓⅔⅛⅜⅝⅞]|' ?[0-9]{1,2}(?:\"|″|”|''|\.[0-9])")
_OF_UNIT = regex(r"(?:unit|units|currency|uom)$")
_KEY_BEFORE = regex(r'"([^"\n]*)" ?: ?$')
_ENDS_NEAR = 24  # characters from one end of a span to the other
_OF_ITSELF = 2  # texts around a cell that speak of it: its head, its row
_CLOSE = 0.01  # of a value: as near as another rounding


def agreement(figure: Figure, spot: Spot, words: tuple[str, ...], answer: Answer, sources: Sources) -> int:
    """3 the same unit (or counted noun), 2 no unit to compare, 1 doubtful, 0 another value, -1 other unit or sign.

    ``words`` are the stems of the sentence of the answer.
    """
    source = sources.texts[spot.source]
    goes_on = source.text[spot.end : spot.end + 1] in _REST_STARTS and _REST.match(source.text, spot.end) is not None
    if goes_on or not _in_bounds(figure, source, spot):
        return 0
    if _other_sign(figure, source, spot, answer):
        return -1
    if ":" in source.text[spot.start : spot.end] and not _is_time(figure, answer):
        return 0
    if figure.unit is None or figure.unit.dimension == "ratio":
        return _same_noun(figure, source, spot, words, answer)
    return _same_unit(figure, figure.unit, source, spot)


def _is_time(figure: Figure, answer: Answer) -> bool:
    """Whether a figure can be as long as "1:49.71" tells: 109.71 seconds, no 110 boats."""
    timed = figure.unit is not None and figure.unit.dimension in OF_TIME
    return timed or ":" in answer.text[figure.number[0] : figure.number[1]]


def _in_bounds(figure: Figure, source: Source, spot: Spot) -> bool:
    """Floats decide where they can; at the edges and for long numbers the exact value does."""
    low, high = figure.edges
    room = 1e-6 * (high - low) + 4e-9 * high
    if low + room < spot.value < high - room and spot.value < _EXACT:
        return True
    bottom, top = figure.bounds
    return bottom <= _value(source, spot) <= top


def _value(source: Source, spot: Spot) -> Fraction:
    return exactly(spot.value, source.text[spot.start : spot.end], source.scan.continental)


def _other_sign(figure: Figure, source: Source, spot: Spot, answer: Answer) -> bool:
    sign = sign_before(source.text, spot.start)
    negative = sign is not None
    if negative == figure.negative:
        return False
    if negative and _MINUS.search(answer.text, max(0, figure.start - 4), figure.start) is not None:
        return False
    if sign is not None and _SUBTRACTED.search(source.lower, max(0, sign.start() - 40), sign.start()):
        return False
    if source.text[spot.start - 1 : spot.start] == "(" and ")" in source.text[spot.start : spot.end + 1]:
        return False  # of accounting
    if negative and (_is_told_by_size(source, spot) or _is_of_span_turned(figure, source, spot, answer)):
        return False
    if figure.negative and _TAKEN_OFF.search(answer.lower, max(0, figure.start - _LINE), figure.start) is not None:
        return False
    text, start, end = (answer.lower, figure.start, figure.end) if negative else (source.lower, spot.start, spot.end)
    before = _CLAUSE.split(text[max(0, start - 50) : start])[-1]
    after = _CLAUSE.split(text[end : end + 25])[0]
    return not is_below(f"{before} {after}")


_TAKEN_OFF = regex(  # "| Less the deposit | −£300 |"
    r"\b(?:less|minus|deduct\w*|discounts?|rebate|refund\w*|abzüglich|abzgl|abzug|rabatt|skonto|remise|moins|descuento|menos)"
    r"\b[^\n]*$"
)
_LINE = 80  # characters before a figure
_BELOW_NOUGHT = regex(r"[-−–]([0-9][0-9.]*)(?:%|[ ][^\W\d_]+)?(?: (?:to|bis|à|a)|,|;| ?[–—]) ?[-−–]([0-9][0-9.]*)")


def _is_of_span_turned(figure: Figure, source: Source, spot: Spot, answer: Answer) -> bool:
    """Whether both ends of a span are below nought, and the answer tells both by their size, the smaller one first."""
    ends = _BELOW_NOUGHT.finditer(source.text, max(0, spot.start - _ENDS_NEAR), spot.end + _ENDS_NEAR)
    span = next((one for one in ends if one.start() <= spot.start and spot.end <= one.end()), None)
    if span is None:
        return False
    around = answer.text[max(0, figure.start - _ENDS_NEAR) : figure.end + _ENDS_NEAR]
    turned = rf"(?<![-−–0-9.]){re.escape(span[2].rstrip('.'))}[^0-9]{{1,8}}(?<![-−]){re.escape(span[1])}"
    return re.search(turned, around) is not None


def _is_told_by_size(source: Source, spot: Spot) -> bool:
    """Whether all values of a cell's column or row are below nought: what is taken off, as "churn", is told by size."""
    at = source.page.cell_at(spot.start)
    if at is None or at[1].column not in at[0].table.sizes:
        return False
    table, cell = at[0].table, at[1]
    of_row = [sizes[cell.row] for sizes in table.sizes.values() if cell.row in sizes]
    return any(len(sizes) > 1 and max(sizes) <= 0 for sizes in ([*table.sizes[cell.column].values()], of_row))


def _ends_season(text: str, start: int) -> bool:
    """Whether a number is the second half of a season: "1921–22"."""
    return text[start - 1 : start] in _SEASON_ENDS and _SEASON.search(text, max(0, start - 6), start) is not None


def _same_noun(figure: Figure, source: Source, spot: Spot, words: tuple[str, ...], answer: Answer) -> int:
    """A number without unit: it must not be part of a date, and had better count the same thing."""
    if _in_code(source.text, spot.start):
        return 0
    after = source.lower[spot.end : spot.end + 24]
    if figure.noun and figure.noun in _DIGIT.split(after)[0]:
        return 3
    if figure.digits > 2 and not figure.noun:
        return 2
    if figure.digits <= 2 and not figure.ordinal and (_in_date(source.lower, spot) or _in_clock(source, spot)):
        return 0
    short = figure.digits <= 2
    if short and _ends_season(source.text, spot.start) and not _ends_season(answer.text, figure.number[0]):
        return 0
    unit, _, _ = source.page.unit_at(spot.start, spot.end) if figure.noun else (None, 0, 0)
    if unit is not None:
        return 1
    other = noun_after(source.text, spot.end) if figure.noun and figure.digits <= 2 else ""
    return 1 if len(other) > 3 and other not in words and other.isascii() else 2


def _in_code(text: str, start: int) -> bool:
    """Whether a number belongs to a code ("A16"), and not to a currency ("USD100") or a year of accounts ("FY2024")."""
    word = _CODE.search(text, max(0, start - 12), start) if text[start - 1 : start] in _LETTERS else None
    return word is not None and spelled(word[0]) is None and word[0].lower() not in ("fy", "cy")


def _in_date(lower: str, spot: Spot) -> bool:
    """Whether a short number is the day, month or year of a date."""
    if _DATE_AFTER.match(lower, spot.end) is not None:
        return True
    if lower[spot.start - 1 : spot.start] not in _DATE_ENDS:
        return False
    return _DATE_BEFORE.search(lower, max(0, spot.start - 12), spot.start) is not None


def _same_unit(figure: Figure, wanted: Unit, source: Source, spot: Spot) -> int:
    text = source.text
    unit, _, _ = source.page.unit_at(spot.start, spot.end)
    unit = unit or unit_of_span(text, spot.end)
    if unit is not None:
        kilos = wanted.name in _KILOS and unit.name in _KILOS and text.startswith("キロ", spot.end)
        speed = f"{unit.name}{_PER.get(text[max(0, spot.start - 2) : spot.start])}" == wanted.name
        return 3 if kilos or speed or alike(unit, wanted) else -1
    if figure.digits <= 2 and (_in_date(source.lower, spot) or _in_time_of_day(source, spot, wanted)):
        return 0
    if not figure.ordinal and _ORDINAL.match(source.lower, spot.end) is not None:
        return 0
    if _is_other_than_share(figure, source, spot) or _in_code(text, spot.start):
        return 0
    if text[spot.end : spot.end + 1] not in _CELL_END and text[spot.end + 1 : spot.end + 2].isalpha():
        return 1
    named = units_named(source, spot, wanted, beside=False)
    if named:
        return 3 if any(alike(one, wanted) for one in named) else -1
    return 0 if _is_told_more_exactly(figure, source, spot) else 2


def _is_told_more_exactly(figure: Figure, source: Source, spot: Spot) -> bool:
    """Whether a share is told with more digits than a whole number has: "24.0%" of 24 rooms."""
    return figure.unit is PERCENT and figure.step < 1 and source.text[spot.start : spot.end].isdigit()


def _is_other_than_share(figure: Figure, source: Source, spot: Spot) -> bool:
    """Whether a number of running text can be no such share: the line of "Line 24: 87.5%", a half of "2023/24"."""
    if figure.unit is not PERCENT:
        return False
    in_prose = source.page.cell_at(spot.start) is None
    return (in_prose and _is_told_more_exactly(figure, source, spot)) or _ends_season(source.text, spot.start)


def _in_clock(source: Source, spot: Spot) -> bool:
    """Whether a short number is a part of a time that is no full hour: 52 of "18:52:10"."""
    day = source.page.day_at(spot.start)
    if day is None or day.minute is None or ":" not in source.text[day.start : day.end]:
        return False
    return day.seconds or day.minute % 60 != 0


def _in_time_of_day(source: Source, spot: Spot, wanted: Unit) -> bool:
    """Whether a short number is of a date or a time: 50 of "23:50", but not "44 seconds" of "0:44"."""
    day = source.page.day_at(spot.start)
    if day is None or wanted.dimension not in OF_TIME:
        return day is not None
    if day.minute is None:
        return False
    if before := source.text[day.start : spot.start]:
        return bool(before.strip("0:"))
    return not day.seconds and source.text[day.start] == "0" != source.text[day.start + 1]


def unit_of_span(text: str, end: int) -> Unit | None:
    """The unit of the number that a span goes to from one that ends at a place: "7 to 25 years"."""
    span = _SPAN.match(text, end)
    return unit_at(text, *span.span(1))[0] if span is not None else None


def units_named(source: Source, spot: Spot, like: Unit, beside: bool = True) -> list[Unit]:
    """Units of what ``like`` measures that the row or the head of the table names, or in prose the words around.

    Without ``beside`` the heads of other columns say no more of a value than that it may be in the same unit.
    """
    key = _KEY_BEFORE.search(source.lower, max(0, spot.start - AROUND), spot.start)
    if (at := source.page.cell_at(spot.start)) is not None:
        heads, column = at[0].table.column_heads, at[1].column
        if found := [unit for unit in units_above(*at) if comparable(unit, like)]:
            return found
        cells = at[0].table.rows[at[1].row]
        said = [cell for cell in cells if key is None or cell is at[1] or _says_unit(cell, heads)]
        row = " ".join(cell.text for cell in said)
        texts = [*heads[column : column + 1], row.lower(), " ".join(heads)]
    elif key is not None:  # of JSON: what stands beside it are other values
        return [unit for unit in named_in(key[1].replace("_", " ")) if comparable(unit, like)]
    else:
        left, right = line_bounds(source.lower, spot.start, spot.end)
        texts = [source.lower[max(left, spot.start - AROUND) : min(right, spot.end + AROUND)]]
    for number, text in enumerate(texts):
        if found := [unit for unit in named_in(text) if comparable(unit, like)]:
            return found if beside or number < _OF_ITSELF else [unit for unit in found if alike(unit, like)]
    return []


def _says_unit(cell: Cell, heads: Sequence[str]) -> bool:
    """Whether a value of a JSON object is the unit of others: "currency": "EUR"."""
    return cell.column < len(heads) and _OF_UNIT.search(heads[cell.column]) is not None


def may_be_meant(figure: Figure, spot: Spot, sources: Sources) -> bool:
    """Whether a figure can be that of a place: 70 minutes stand beside 70 °C by chance, and $400 beside 400 MW."""
    unit, _, _ = sources.texts[spot.source].page.unit_at(spot.start, spot.end)
    if unit is not None and figure.unit is not None and not _may_be_confused(unit, figure.unit):
        return False
    return figure.digits > 2 or len({one.dimension in OF_TIME for one in (unit, figure.unit) if one is not None}) < 2


def _may_be_confused(one: Unit, other: Unit) -> bool:
    """Whether somebody who says one unit may mean a value in the other: a way and a speed, a share and points."""
    both = {one.dimension, other.dimension}
    return comparable(one, other) or both in ({"share", "points"}, {"length", "speed"})


def weak(figure: Figure) -> bool:
    """A figure so short that its value alone proves nothing: it must stand in the same company."""
    if figure.digits <= 2:
        bare = figure.unit is None or figure.unit.dimension in OF_TIME or figure.unit.dimension == "ratio"
        return bare and figure.step >= 1 and figure.value < 100
    return figure.unit is None and figure.digits == 4 and figure.step == 1 and 1000 <= figure.value <= 2100


def is_slip(figure: Figure, size: float) -> bool:
    """Whether a value, rounded as the figure is, has one other digit, or two of its digits have changed places."""
    said, seen = str(int(figure.value / figure.step)), str(round(size / float(figure.step)))
    if len(said) != len(seen) or abs(int(said) - int(seen)) <= int(said) * _CLOSE:
        return len(said) == len(seen)
    others = [place for place, digit in enumerate(said) if digit != seen[place]]
    if len(others) == 2:
        first, last = others
        return last == first + 1 and said[first] == seen[last] and said[last] == seen[first]
    return len(others) < 2
