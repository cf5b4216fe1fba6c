"""Figures and days that rows are compared with: "over 30 euros", "with 34 holds or more", "since May"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import cast

from agent.data.tables.questions.items import Item
from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, Token, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Operator,
    Table,
    dated,
    id_like,
    is_money,
    told_of,
)
from agent.data.tables.worded.rows_said import Rows, filtered, items_in, number_in
from agent.data.tables.worded.worded_columns import (
    WORDS,
    by_field,
    content,
    currency,
    in_unit,
    named,
    nearest_at,
    people_in,
    stem,
    typed_at,
)
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.regex import regex

_MOST_WORDS = 3
_GOES_ON = frozenset(WORDS["words"]["goes_on"])
_BOUNDS = ("under", "over", "above", "below", "than")
_ON = ("in", "on", "during", "of", "for")
_FLIPPED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<>", "<>": "="}


def compared(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Over 30 euros", "with 34 holds or more", "older than 40", "built before 2000"."""
    yield from _between(place, said, rows, table)
    for operator, length, of in _operators(place, said, rows, table):
        number = number_in(place + length, said) or (length and _one_unit(place + length, said))
        if not number:
            continue
        end = place + length + 1
        symbol = CURRENCIES.get(said[end - 1].text[:1], "")
        unit = _unit_at(end, said)[0]
        for columns, more, is_named in _of_which(end, said, rows, table, of, symbol):
            behind = _behind(end + more, said) if operator == "=" else ("", 0)
            way = cast("Operator", behind[0] or operator)
            way = _FLIPPED[way] if rows.negated else way
            for column in columns if len(columns) == 1 and (not id_like(columns[0]) or is_year(columns[0])) else ():
                asked = tuple(one for one in rows.asked if one.column != column or is_named)
                figure = number if is_named else in_its_unit(number, unit, column)
                for made in filtered(replace(rows, asked=asked), Filter(column, way, (figure,))):
                    yield length + 1 + more + behind[1], made


def _one_unit(place: int, said: Sequence[Token]) -> str:
    """The 1 of "over a year"."""
    one = place + 1 < len(said) and said[place].text.casefold() in ("a", "an")
    return "1" if one and measure_of(said[place + 1].text.casefold()) else ""


def _unit_at(place: int, said: Sequence[Token]) -> tuple[str, int]:
    """The word that may be a unit, "m2" in one, and how many tokens it is."""
    if place >= len(said) or said[place].kind != "word":
        return "", 0
    word = said[place].text.casefold()
    if place + 1 < len(said) and said[place + 1].text in ("2", "²") and said[place + 1].start == said[place].end:
        return f"{word}²", 2
    if word in ("square", "sq") and place + 1 < len(said):
        return f"{word} {said[place + 1].text.casefold()}", 2
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


def _between(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Between 10 and 20 kg"."""
    ends = [number_in(place + step, said) for step in (1, 3)]
    if rows.negated or not all(ends) or not (typed_at(place, said, ("between",)) and said[place + 2].word == "and"):
        return
    for columns, more, is_named in _of_which(place + 4, said, rows, table, [], ""):
        for column in columns if len(columns) == 1 and not id_like(columns[0]) else ():
            asked = tuple(one for one in rows.asked if one.column != column or is_named)
            for made in filtered(replace(rows, asked=asked), Filter(column, "between", (ends[0], ends[1]))):
                yield 4 + more, made


def _operators(
    place: int, said: Sequence[Token], rows: Rows, table: Table
) -> Iterator[tuple[Operator, int, list[Column]]]:
    for operator in (">", ">=", "<", "<="):
        for phrase in WORDS["operators"][operator]:
            if typed_at(place, said, phrase.split()):
                yield operator, len(phrase.split()), []
    for key, operator in (("more", ">"), ("less", "<")):
        for length in (2, 3, 4):
            typed = " ".join(token.text.casefold() for token in said[place : place + length])
            if columns := [one for one in by_field(table, key, typed) if one.kind == "number"]:
                yield cast("Operator", operator), length, columns
    years: dict[str, Operator] = {"before": "<", "after": ">", "since": ">=", "in": "="}
    column = rows.asked[-1].column if rows.asked and rows.last == "mention" else None
    word = said[place].text.casefold()
    if column and column.kind == "number" and word in years and is_year(column):
        yield years[word], 1, [column]
    if said[place].kind == "number":
        yield "=", 0, []


def is_year(column: Column) -> bool:
    """Whether all its figures may be years."""
    return all(end.isdigit() and 1500 <= int(end) <= 2100 for end in (column.least, column.most))


def _behind(place: int, said: Sequence[Token]) -> tuple[str, int]:
    for key, operator in (("behind_more", ">="), ("behind_less", "<=")):
        for phrase in WORDS["operators"][key]:
            if typed_at(place, said, phrase.split()):
                return operator, len(phrase.split())
    return "", 0


def _of_which(
    place: int, said: Sequence[Token], rows: Rows, table: Table, of: list[Column], symbol: str
) -> Iterator[tuple[list[Column], int, bool]]:
    """The columns that a figure may be of, how many words behind it say so, and whether these name it."""
    word, length = _unit_at(place, said)
    unit = bool(word) and bool(measure_of(word) or word in CURRENCIES)
    word, length = (word, length) if unit or length < 2 else (said[place].text.casefold(), 1)
    focus = [rows.asked[-1].column] if rows.asked and rows.last == "mention" else []
    if focus := of or [one for one in focus if one.kind == "number"]:
        yield from _of_focus(place, said, focus, word if unit else "", length)
        return
    behind = nearest_at(place, said, table) if place < len(said) else []
    behind = [one for one in behind if one.column.kind == "number" and not one.verb]
    if behind and not (unit and word in CURRENCIES):
        yield [one.column for one in behind], behind[0].length, True
    elif word in ("in", "on", "for") and not symbol:
        yield from _in_which(place + 1, said, table)
    elif unit or symbol:
        yield _of_unit(word, symbol, table), length if unit else 0, False
    elif said[place - 2].text.casefold() in _BOUNDS and table.columns[0] in people_in(table):
        yield by_field(table, "how", "old"), 0, False  # "swimmers under 16"


def _of_focus(
    place: int, said: Sequence[Token], focus: list[Column], unit: str, length: int
) -> Iterator[tuple[list[Column], int, bool]]:
    """The columns named before, where what stands behind the figure goes with them."""
    word = said[place].text.casefold() if place < len(said) and said[place].kind == "word" else ""
    if unit and len(focus) == 1:
        if in_unit(focus[0], unit) or scale_of(unit, focus[0]) or (unit in CURRENCIES and not currency(focus[0])):
            yield focus, length + _each(place + length, said, focus[0]), False
    elif len(focus) == 1 and (each := _each(place, said, focus[0])):
        yield focus, each, False
    elif not word or word in _GOES_ON:  # "ids with at least two paragraphs" compares no ids
        yield focus, 0, False


def _of_unit(word: str, symbol: str, table: Table) -> list[Column]:
    """The columns with figures in that unit or money, or in another one of its kind."""
    money = word in CURRENCIES or bool(symbol)
    numbers = [one for one in table.columns if one.kind == "number"]
    fits = [one for one in numbers if in_unit(one, word or symbol)]
    fits = fits or [one for one in numbers if word and not money and scale_of(word, one)]
    if money and not fits:
        fits = [one for one in numbers if is_money(one) or by_field_is_price(one, table)]
        fits = [one for one in fits if not currency(one)]
    return fits


def _in_which(place: int, said: Sequence[Token], table: Table) -> Iterator[tuple[list[Column], int, bool]]:
    """ "Below 60 in test 1"."""
    found = nearest_at(place, said, table) if place < len(said) else []
    own = [one for one in found if one.column.kind == "number" and not one.verb]
    if len(own) == 1:
        yield [own[0].column], 1 + own[0].length, True


def _each(place: int, said: Sequence[Token], column: Column) -> int:
    """ "A month" of a rent per month: how many words."""
    per = place + 1 < len(said) and said[place].text.casefold() in ("a", "per", "each")
    return 2 if per and any(said[place + 1].word in name for name in named(column)) else 0


def by_field_is_price(column: Column, table: Table) -> bool:
    """Whether a column is of what something costs."""
    return column in by_field(table, "how", "much")


def timed(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """ "In October", "before 2020", "since 1 May"."""
    if rows.negated or rows.link == "or" or not any(column.kind == "date" for column in table.columns):
        return
    way, start = "", place
    yield from _past(place, said, rows, table, today)
    for key, phrases in WORDS["times"].items():
        if any(typed_at(place, said, (phrase,)) for phrase in phrases):
            way, start = key, place + 1
    if start >= len(said) or (
        not way and rows.link not in ("prep in", "prep on", "prep during", "prep of", "prep for", "")
    ):
        return
    if nth := _nth_day(start, said, table):
        for made in filter(None, [_dated(rows, table, way, nth)]):
            yield start - place + 2, made
    for item in items_in(start, said, today):
        if item.role not in ("day", "month", "year") or (not way and not rows.link and item.length < _MOST_WORDS - 1):
            continue
        later = _later(start + item.length, said) if not way else ""
        if made := _dated(rows, table, way or later, item):
            yield start - place + item.length + (len(("or", "later")) if later else 0), made


def _nth_day(place: int, said: Sequence[Token], table: Table) -> Item | None:
    """ "The 7th" of a table whose days are all of one month."""
    dates = [column for column in table.columns if column.kind == "date"]
    named = place + 1 < len(said) and said[place].text.isdigit() and said[place + 1].text.casefold()
    if named not in ("st", "nd", "rd", "th") or len(dates) != 1 or not dates[0].least[:7] == dates[0].most[:7] != "":
        return None
    if any(token.word in MONTHS for token in said[place + 2 : place + 4]):
        return None
    return Item("day", f"{dates[0].least[:7]}-{int(said[place].text):02}", None, 2)


def _past(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """ "Past their due date": before today."""
    start = place + 1 + (place + 1 < len(said) and said[place + 1].text.casefold() in ("their", "its", "the"))
    if not typed_at(place, said, ("past",)) or today is None or start >= len(said):
        return
    for meant in nearest_at(start, said, table):
        if meant.column.kind == "date":
            more = start + meant.length < len(said) and said[start + meant.length].word == "date"
            for made in filtered(rows, Filter(meant.column, "<", (f"{today}",), 0, f"before {today}")):
                yield start - place + meant.length + more, made


def _later(place: int, said: Sequence[Token]) -> str:
    """How far "2025 or later" goes."""
    typed = " ".join(token.text.casefold() for token in said[place : place + 2])
    return {"or later": "since", "or after": "since", "or earlier": "until", "or before": "until"}.get(typed, "")


def _dated(rows: Rows, table: Table, way: str, item: Item) -> Rows | None:
    column = _date_column(rows, table)
    text = _in_one_year(item.text, column) if way or item.role == "day" else item.text
    if column is None or not text:
        return None
    if not way and item.role in ("month", "year"):
        return next(filtered(rows, Filter(column, cast("Operator", item.role), (text,))), None)
    made: Rows | None = rows
    ends = dated(way or "on", text)
    for number, (comparison, day) in enumerate(ends):
        told = "-" if number else f"{way or 'on'} {told_of(text)}"
        made = made and next(filtered(made, Filter(column, comparison, (day,), 0, told)), None)
    return made if ends else None


def _in_one_year(text: str, column: Column | None) -> str:
    """A month or a day with the year that all days of the column are of; "" where these are of several."""
    if not text.startswith("0-"):
        return text
    one = column is not None and column.least[:4] == column.most[:4] != ""
    return f"{column.most[:4]}{text[1:]}" if one and column else ""


def _date_column(rows: Rows, table: Table) -> Column | None:
    said = list(dict.fromkeys(one.column for one in rows.asked if one.column.kind == "date"))
    several = said or [column for column in table.columns if column.kind == "date"]
    return several[0] if len(several) == 1 and (said or is_of_event(several[0], table)) else None


def is_of_event(column: Column, table: Table) -> bool:
    """Whether the day is when the row happened, and not one of many things of it: the date of an order, no birthday."""
    told = {"date", "day", "on", "when"} & {word for name in named(column) for word in name}
    return (
        column is table.columns[0]
        or bool(told)
        or stem(words(table.name)[-1]) in {stem(one) for one in content(column)}
    )


_FIGURE = regex(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
_WORD = regex(r"[a-z]+")


def leaves_figures(text: str, asked: Asked) -> bool:
    """Whether a figure of the question, or of the last follow-up behind a ";", is nowhere in what is asked."""
    text = text.rsplit(";", 1)[-1]
    columns = (*asked.table.columns, *(one.column for one in asked.filters if one.column))
    used = " ".join(
        [asked.table.name, *(value for one in asked.filters for value in (*one.values, one.said)), str(asked.limit)]
        + [
            str(times)
            for one in asked.filters
            if one.column and one.operator == "="
            for value, times in zip(one.column.values, one.column.counts, strict=False)
            if value in one.values
        ]
        + [name for column in columns for name in (column.name, column.label)]
        + [re.sub(r"[A-Za-z]\d+", "", text) for column in columns for text in column.examples]
    )
    there = {float(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", used)}
    said = [
        float(figure[0].replace(",", "")) for figure in _FIGURE.finditer(text) if not _is_in_unit(figure, text, asked)
    ]
    said += [NUMBERS[word] for word in _WORD.findall(text.lower()) if NUMBERS.get(word, 0) > 1]
    return any(figure not in there and figure * 1000 not in there for figure in said)


def _is_in_unit(figure: re.Match[str], text: str, asked: Asked) -> bool:
    """Whether a filter has the figure in the unit of its column: "over 2 years" as 24 months."""
    unit = re.match(r" ?([a-z²]+)", text[figure.end() :].lower())
    compared = [one for one in asked.filters if one.column and one.operator in (">", ">=", "<", "<=", "=")]
    number = figure[0].replace(",", "")
    return bool(unit) and any(
        in_its_unit(number, unit[1], one.column) in one.values for one in compared if one.column and unit
    )
