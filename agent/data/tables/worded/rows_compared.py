"""Figures and days that rows are compared with: "over 30 euros", "with 34 holds or more", "since May"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import cast

from agent.data.tables.questions.items import Item
from agent.data.tables.questions.table_lexicon import MONTHS, words
from agent.data.tables.questions.table_schema import (
    Column,
    Filter,
    Operator,
    Table,
    dated,
    id_like,
    is_money,
    told_of,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_said import Rows, Spot, Steps, filtered
from agent.data.tables.worded.worded_columns import (
    DAY_WORDS,
    WORDS,
    Meant,
    by_field,
    currency,
    days_of_rows,
    in_unit,
    named,
    stem,
    stems_of,
)
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.regex import regex

_MOST_WORDS = 3
_GOES_ON = frozenset(WORDS["words"]["goes_on"])
_BOUNDS = ("under", "over", "above", "below", "than")
_FLIPPED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<>", "<>": "="}


def compared(spot: Spot) -> Steps:
    """ "Over 30 euros", "with 34 holds or more", "older than 40", "built before 2000"."""
    yield from _between(spot)
    for operator, length, of in _operators(spot):
        number = _metres(spot, length) or spot.number(length) or (_one_unit(spot, length) if length else "")
        if not number:
            continue
        end = replace(spot, place=spot.place + length + 1)
        symbol = CURRENCIES.get(spot.said[end.place - 1].text[:1], "")
        unit = _unit_at(end)[0]
        for columns, more, is_named in _of_which(end, of, symbol):
            way, behind = (_behind(end, more) if operator == "=" else None) or (operator, 0)
            way = _FLIPPED[way] if spot.rows.negated else way
            for column in columns if len(columns) == 1 and (not id_like(columns[0]) or is_year(columns[0])) else ():
                figure = number if is_named else in_its_unit(number, unit, column)
                one = Filter(column, way, (figure,))
                yield from spot.filtered(length + 1 + more + behind, one, rows=_without(spot.rows, column, is_named))


_METRES = regex(r"(\d+(?:\.\d+)?)m")


def _metres(spot: Spot, away: int) -> str:
    """The 7 of "7m", which would be seven million, where a column has metres."""
    attached = _METRES.fullmatch(spot.said[spot.place + away].text) if spot.place + away < len(spot.said) else None
    return attached[1] if attached and any(in_unit(one, "m") for one in spot.table.of_kind("number")) else ""


def _without(rows: Rows, column: Column, is_named: bool) -> Rows:
    """Without the column among those that are asked for, unless it is named again."""
    return replace(rows, asked=tuple(one for one in rows.asked if one.column != column or is_named))


def _one_unit(spot: Spot, away: int) -> str:
    """The 1 of "over a year"."""
    return "1" if spot.word(away) in ("a", "an") and measure_of(spot.word(away + 1)) else ""


def _unit_at(spot: Spot) -> tuple[str, int]:
    """The word that may be a unit, "m2" in one, and how many tokens it is."""
    place, said = spot.place, spot.said
    if place >= len(said) or said[place].kind != "word":
        return "", 0
    word = spot.word()
    if (power := spot.word(1)) in ("2", "²", "3", "³") and said[place + 1].start == said[place].end:
        return f"{word}{'²' if power in '2²' else '³'}", 2
    if word in ("square", "sq") and place + 1 < len(said):
        return f"{word} {spot.word(1)}", 2
    return word, 1


def scale_of(unit: str, column: Column) -> Fraction | None:
    """How many of the column's own units one such unit is; of years and months, minutes and hours, kilos and grams."""
    ends = [column.unit, *re.findall(r"[(（]([^()（）]+)[)）]$", column.called), *(name[-1] for name in named(column))]
    own = next((several[0] for end in ends if end and (several := measure_of(end.replace("m2", "m²")))), None)
    said = measure_of(unit) if own else ()
    fits = [one for one in said if own and one.kind == own.kind and one.kind != "temperature"]
    return Fraction(fits[0].factor) / Fraction(own.factor) if fits and own else None


def in_its_unit(number: str, unit: str, column: Column) -> str:
    """The figure as the column has it: "an hour" of a column of minutes is 60."""
    scale = scale_of(unit, column)
    return figure_of(Fraction(number) * scale) if scale and scale != 1 else number


def _between(spot: Spot) -> Steps:
    """ "Between 10 and 20 kg"."""
    first, last = spot.number(1), spot.number(3)
    if spot.rows.negated or not (first and last and spot.has("between") and spot.said[spot.place + 2].word == "and"):
        return
    for columns, more, is_named in _of_which(replace(spot, place=spot.place + 4), [], ""):
        for column in columns if len(columns) == 1 and not id_like(columns[0]) else ():
            one = Filter(column, "between", (first, last))
            yield from spot.filtered(4 + more, one, rows=_without(spot.rows, column, is_named))


def _operators(spot: Spot) -> Iterator[tuple[Operator, int, list[Column]]]:
    for operator, phrase in _compares().get(spot.word(), ()):
        if spot.has(*phrase):
            yield operator, len(phrase), []
    sides: tuple[tuple[str, Operator], ...] = (("more", ">"), ("less", "<"))
    typed = [token.text.casefold() for token in spot.said[spot.place : spot.place + 4]]
    for key, operator in sides:
        for length in (2, 3, 4):
            if columns := [one for one in by_field(spot.table, key, " ".join(typed[:length])) if one.kind == "number"]:
                yield operator, length, columns
    years: dict[str, Operator] = {"before": "<", "after": ">", "since": ">=", "in": "="}
    column = spot.rows.focus
    if column and column.kind == "number" and spot.word() in years and is_year(column):
        yield years[spot.word()], 1, [column]
    if spot.token.kind == "number":
        yield "=", 0, []


@cache
def _compares() -> Mapping[str, Sequence[tuple[Operator, tuple[str, ...]]]]:
    """The words of each phrase that compares, by the first of them."""
    signs: tuple[Operator, ...] = (">", ">=", "<", "<=")
    said = WORDS["operators"]
    pairs: Sequence[tuple[Operator, tuple[str, ...]]] = [
        (sign, tuple(one.split())) for sign in signs for one in said[sign]
    ]
    return {phrase[0]: [pair for pair in pairs if pair[1][0] == phrase[0]] for _, phrase in pairs}


def is_year(column: Column) -> bool:
    """Whether all its figures may be years."""
    return all(end.isdigit() and 1500 <= int(end) <= 2100 for end in (column.least, column.most))


def _behind(spot: Spot, away: int) -> tuple[Operator, int] | None:
    """How far "or more" and the like go, and how many words they are."""
    sides: tuple[tuple[str, Operator], ...] = (("behind_more", ">="), ("behind_less", "<="))
    for key, operator in sides:
        if length := spot.first_of(WORDS["operators"][key], away):
            return operator, length
    return None


def _of_which(spot: Spot, of: list[Column], symbol: str) -> Iterator[tuple[list[Column], int, bool]]:
    """The columns that a figure before it may be of, how many words say so, and whether these name it."""
    word, length = _unit_at(spot)
    heads = (one.label for one in spot.table.of_kind("number"))
    unit = bool(word) and bool(measure_of(word) or word in CURRENCIES or any(f"({word})" in head for head in heads))
    word, length = (word, length) if unit or length < 2 else (spot.word(), 1)
    focus = of or [one for one in (spot.rows.focus,) if one and one.kind == "number"]
    if focus:
        yield from _of_focus(spot, focus, word if unit else "", length)
        return
    behind = [one for one in spot.nearest() if one.column.kind == "number" and not one.verb]
    if behind and not (unit and word in CURRENCIES):
        yield [one.column for one in behind], behind[0].length, True
    elif word in ("in", "on", "for") and not symbol:
        own = [one for one in spot.nearest(1) if one.column.kind == "number" and not one.verb]
        if len(own) == 1:  # "below 60 in test 1"
            yield [own[0].column], 1 + own[0].length, True
    elif unit and spot.has("of", away=length) and (own := _named_of(spot, length + 1)):
        yield [own[0].column], length + 1 + own[0].length, False  # "100 m³ of gas"
    elif unit or symbol:
        yield _of_unit(word, symbol, spot.table), length if unit else 0, False
    elif spot.word(-2) in _BOUNDS and people_in(spot.table):
        yield by_field(spot.table, "how", "old"), 0, False  # "swimmers under 16"


def _named_of(spot: Spot, away: int) -> list[Meant]:
    """The one column of figures that is named there."""
    own = [one for one in spot.nearest(away) if one.column.kind == "number" and not one.verb]
    return own if len(own) == 1 else []


def _of_focus(spot: Spot, focus: list[Column], unit: str, length: int) -> Iterator[tuple[list[Column], int, bool]]:
    """The columns named before, where what stands behind the figure goes with them."""
    word = spot.word() if spot.place < len(spot.said) and spot.token.kind == "word" else ""
    if unit and len(focus) == 1:
        if in_unit(focus[0], unit) or scale_of(unit, focus[0]) or (unit in CURRENCIES and not currency(focus[0])):
            yield focus, length + _each(spot, length, focus[0]), False
    elif len(focus) == 1 and (each := _each(spot, 0, focus[0])):
        yield focus, each, False
    elif not word or word in _GOES_ON:  # "ids with at least two paragraphs" compares no ids
        yield focus, 0, False


def _of_unit(word: str, symbol: str, table: Table) -> list[Column]:
    """The columns with figures in that unit or money, or in another one of its kind."""
    money = word in CURRENCIES or bool(symbol)
    numbers = table.of_kind("number")
    fits = [one for one in numbers if in_unit(one, word or symbol)]
    fits = fits or [one for one in numbers if word and not money and scale_of(word, one)]
    if money and not fits:
        fits = [one for one in numbers if is_money(one) or by_field_is_price(one, table)]
        fits = [one for one in fits if not currency(one)]
    return fits


def _each(spot: Spot, away: int, column: Column) -> int:
    """ "A month" of a rent per month: how many words."""
    behind = spot.place + away + 1
    per = spot.word(away) in ("a", "per", "each") and behind < len(spot.said)
    return 2 if per and any(spot.said[behind].word in name for name in named(column)) else 0


def by_field_is_price(column: Column, table: Table) -> bool:
    """Whether a column is of what something costs."""
    return column in by_field(table, "how", "much")


def timed(spot: Spot) -> Steps:
    """ "In October", "before 2020", "since 1 May"."""
    rows, table = spot.rows, spot.table
    if rows.negated or rows.link == "or" or not table.of_kind("date"):
        return
    yield from _past(spot)
    way = next((key for key, several in WORDS["times"].items() if spot.word() in several), "")
    start = 1 if way else 0
    if not spot.word(start) or (
        not way and rows.link not in ("prep in", "prep on", "prep during", "prep of", "prep for", "")
    ):
        return
    if (nth := _nth_day(spot, start)) and (made := _dated(rows, table, way, nth)):
        yield start + 2, made
    for item in spot.items(start):
        if item.role not in ("day", "month", "year") or (not way and not rows.link and item.length < _MOST_WORDS - 1):
            continue
        later = _later(spot, start + item.length) if not way else ""
        if made := _dated(rows, table, way or later, item):
            yield start + item.length + (len(("or", "later")) if later else 0), made


def _nth_day(spot: Spot, away: int) -> Item | None:
    """ "The 7th" of a table whose days are all of one month."""
    dates, number = spot.table.of_kind("date"), spot.word(away)
    if not number.isdigit() or spot.word(away + 1) not in ("st", "nd", "rd", "th"):
        return None
    if len(dates) != 1 or not dates[0].least[:7] == dates[0].most[:7] != "":
        return None
    behind = spot.place + away + 2
    if any(token.word in MONTHS for token in spot.said[behind : behind + 2]):
        return None
    return Item("day", f"{dates[0].least[:7]}-{int(number):02}", None, 2)


def _past(spot: Spot) -> Steps:
    """ "Past their due date": before today."""
    away = 1 + (spot.word(1) in ("their", "its", "the"))
    if not spot.has("past") or spot.today is None:
        return
    for meant in spot.nearest(away):
        if meant.column.kind == "date":
            length = away + meant.length
            length += spot.place + length < len(spot.said) and spot.said[spot.place + length].word == "date"
            yield from spot.filtered(length, Filter(meant.column, "<", (f"{spot.today}",), 0, f"before {spot.today}"))


def _later(spot: Spot, away: int) -> str:
    """How far "2025 or later" goes."""
    typed = f"{spot.word(away)} {spot.word(away + 1)}"
    return {"or later": "since", "or after": "since", "or earlier": "until", "or before": "until"}.get(typed, "")


def _dated(rows: Rows, table: Table, way: str, item: Item) -> Rows | None:
    column = _date_column(rows, table)
    text = _in_one_year(item.text, column) if way or item.role == "day" else item.text
    if column is None or not text:
        return None
    if not way and item.role in ("month", "year"):
        return filtered(rows, Filter(column, cast("Operator", item.role), (text,)))
    made: Rows | None = rows
    ends = dated(way or "on", text)
    for number, (comparison, day) in enumerate(ends):
        told = "-" if number else f"{way or 'on'} {told_of(text)}"
        made = made and filtered(made, Filter(column, comparison, (day,), 0, told))
    return made if ends else None


def _in_one_year(text: str, column: Column | None) -> str:
    """A month or a day with the year that all days of the column are of; "" where these are of several."""
    if not text.startswith("0-"):
        return text
    one = column is not None and column.least[:4] == column.most[:4] != ""
    return f"{column.most[:4]}{text[1:]}" if one and column else ""


def _date_column(rows: Rows, table: Table) -> Column | None:
    said = [one for one in rows.columns if one.kind == "date"]
    several = said or table.of_kind("date")
    several = days_of_rows(several) if rows.plain_days else several
    return several[0] if len(several) == 1 and (said or is_of_event(several[0], table)) else None


def is_of_event(column: Column, table: Table) -> bool:
    """Whether the day is when the row happened, and not one of many things of it: the date of an order, no birthday."""
    own = {word for name in named(column) for word in name}
    told = DAY_WORDS & own or not own & {*WORDS["words"]["of_a_life"]}
    return column is table.columns[0] or bool(told) or stem(words(table.name)[-1]) in stems_of(column)
