"""Clauses that compare a column: "whose age is over 40", "above the average", "in 2014 or after"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from agent.data.tables.questions.table_schema import Column, Filter, Table, date_column, dated, year_column
from agent.data.tables.questions.table_schema import Operator as FilterOperator
from agent.data.tables.selected.names_meant import PART, meanings_at, values_meant
from agent.data.tables.selected.selection import AgainstMean, Condition, Extreme, Linked, Operator
from agent.data.tables.selected.sentence_words import Clause, Sentence, begins, figure_at
from agent.data.tables.selected.table_links import links
from agent.data.tables.worded.worded_columns import by_field, typed_at

_NOT: dict[str, str] = {"=": "<>", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "<>": "="}


def compared_at(place: int, table: Table, sentence: Sentence, of: Column | None) -> Iterator[Clause]:
    starts = dict.fromkeys(begins(place, sentence))
    for start in starts:
        for meant in sentence.columns(start, table):
            yield from _against(start + meant.length, meant.what, table, sentence, meant.cost)
        for other in sentence.near(table) if start > place else ():
            for meant in sentence.columns(start, other):
                if not sentence.columns(start, table):
                    for one in _against(start + meant.length, meant.what, other, sentence, meant.cost + 1):
                        yield replace(one, condition=Linked(other, (one.condition,)), of=None)
        yield from _operator_first(start, table, sentence)
    if of is not None:
        yield from _against(place, of, table, sentence, 0, bare=True)
    yield from _timed(place, table, sentence)


def _against(
    place: int, column: Column, table: Table, sentence: Sentence, cost: int, bare: bool = False
) -> Iterator[Clause]:
    """What stands behind the column: "is over 40", "below the average", "either 1948 or 1949", "not France"."""
    for operator, end in _operators(place, sentence, bare):
        yield from _with(end, column, operator, table, sentence, cost)
    if not bare:
        for start in (place, *sentence.after("phrases", "is", place)):
            if typed_at(start, sentence.said, ("between",)):
                yield from _between(start + 1, column, sentence, cost)
            for way, length in meanings_at("extreme", start, sentence.said):
                if way in ("up", "down") and start > place and column.kind in ("number", "date"):
                    yield Clause(Extreme(column, way), start + length, cost, column)


def _operators(place: int, sentence: Sentence, bare: bool = False) -> Iterator[tuple[Operator, int]]:
    starts = [place, *(() if bare else sentence.after("phrases", "is", place))]
    for start in dict.fromkeys(starts):
        for operator, length in meanings_at("compared", start, sentence.said):
            yield cast("Operator", operator), start + length
    for end in sentence.after("phrases", "not", place):
        for operator, length in meanings_at("compared", end, sentence.said):
            yield cast("Operator", _NOT[operator]), end + length
        yield "<>", end
        for behind in sentence.after("phrases", "is", end):
            yield "<>", behind
    if not bare:
        for end in sentence.after("phrases", "is", place):
            yield "=", end
        yield "=", place


def _with(
    place: int, column: Column, operator: Operator, table: Table, sentence: Sentence, cost: int
) -> Iterator[Clause]:
    place = sentence.past(place, "the", "a", "an", "either", "value", "values")
    if place >= len(sentence.said):
        return
    if operator not in ("=", "<>") and sentence.typed(place) in ("average", "mean"):
        yield from _mean(place, column, operator, table, sentence, cost)
    for first, end, sought, extra in _values(place, column, table, sentence):
        several, last = [first], end
        while operator in ("=", "<>") and sentence.typed(last) in ("or", "and", "nor", ","):
            joined = sentence.past(last, "or", "and", "nor", ",", "not")
            more = next(iter(_values(joined, column, table, sentence)), None) if joined < len(sentence.said) else None
            if more is None or (operator == "=" and sentence.typed(last) == "and"):
                break
            several, last = [*several, more[0]], more[1]
        if made := filter_of(column, operator, tuple(several), sought):
            yield Clause(made, _past_unit(last, column, sentence), cost + extra, column)
            if last != end and (alone := filter_of(column, operator, (first,), sought)):
                yield Clause(alone, end, cost + extra + 1, column)


def _past_unit(place: int, column: Column, sentence: Sentence) -> int:
    """Behind "years old" or the unit of the column."""
    if typed_at(place, sentence.said, ("years", "old")):
        return place + 2
    unit = sentence.typed(place)
    return place + 1 if unit and unit in (column.unit.casefold(), "years", "dollars") else place


def _values(place: int, column: Column, table: Table, sentence: Sentence) -> Iterator[tuple[str, int, bool, int]]:
    """The texts that may stand there for the column, the places behind them, whether they are sought, and the cost."""
    token = sentence.said[place]
    if column.kind in ("number", "date"):
        if (figure := figure_at(token)) and (column.kind == "number" or token.kind in ("day", "number")):
            yield figure, place + 1, False, 0
        return
    if column.kind != "text":
        return
    for value in values_meant(place, sentence.said, table, column):
        yield value.text, place + value.length, value.sought, value.cost
    if token.kind == "number" and token.text.isdigit():
        yield token.text, place + 1, True, 1


def filter_of(column: Column, operator: Operator, values: tuple[str, ...], sought: bool) -> Condition | None:
    if column.kind == "text" and operator not in ("=", "<>"):
        return None
    if column.kind == "date":
        return _of_time(column, operator, values)
    if sought:
        return Filter(column, "find" if operator == "=" else "not find", values)
    return Filter(column, cast("FilterOperator", operator), values)


def _of_time(column: Column, operator: str, values: tuple[str, ...]) -> Condition | None:
    years = all(re.fullmatch(r"\d{4}", value) for value in values)
    if operator == "=" and years:
        return Filter(column, "year", values)
    found = dated(operator, values[0]) if len(values) == 1 else []
    return Filter(column, found[0][0], (found[0][1],)) if len(found) == 1 else None


def _mean(
    place: int, column: Column, operator: Operator, table: Table, sentence: Sentence, cost: int
) -> Iterator[Clause]:
    """ "Above the average", "over the average age", "more than the average number of products of all shops"."""
    end = place + 1
    again = [meant for meant in sentence.columns(end, table) if meant.what == column]
    if column.kind == "number" and operator in (">", "<", ">=", "<="):
        for after in dict.fromkeys([*(end + meant.length for meant in again), end]):
            yield Clause(AgainstMean(column, operator), after, cost, column)


def _between(place: int, column: Column, sentence: Sentence, cost: int) -> Iterator[Clause]:
    if place + 2 >= len(sentence.said) or sentence.typed(place + 1) not in ("and", "to"):
        return
    ends = [figure_at(sentence.said[place]), figure_at(sentence.said[place + 2])]
    if all(ends) and column.kind == "number":
        yield Clause(Filter(column, "between", (ends[0], ends[1])), place + 3, cost, column)


def _operator_first(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "Above age 40", "over the average age", "older than 30", "at least 3 wheels"."""
    for start in dict.fromkeys((place, *sentence.after("phrases", "is", place))):
        for meaning, length in meanings_at("compared", start, sentence.said):
            operator = cast("Operator", meaning)
            end = sentence.past(start + length, "the", "an", "a")
            compared = " ".join(token.text.casefold() for token in sentence.said[start : start + length])
            yield from _as_field(compared, end, operator, table, sentence)
            if end < len(sentence.said):
                yield from _figure_first(end, operator, table, sentence)


def _as_field(compared: str, end: int, operator: Operator, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "Older than 30", of these rows or of the one row of another table that each belongs to."""
    way = "more" if operator in (">", ">=") else "less"
    said = compared.removeprefix("is ").removeprefix("are ")
    for column in by_field(table, way, said):
        yield from _with(end, column, operator, table, sentence, PART)
    for hop in links(sentence.tables).get(table.name, ()):
        for column in by_field(hop.table, way, said) if hop.one else ():
            for one in _with(end, column, operator, hop.table, sentence, PART):
                yield replace(one, condition=Linked(hop.table, (one.condition,)), of=None)


def _figure_first(end: int, operator: Operator, table: Table, sentence: Sentence) -> Iterator[Clause]:
    figure = figure_at(sentence.said[end])
    mean = sentence.typed(end) in ("average", "mean")
    for meant in sentence.columns(end + 1, table) if figure or mean else ():
        if meant.what.kind == "number" and (mean or _within(figure, meant.what)):
            made = Filter(meant.what, cast("FilterOperator", operator), (figure,)) if figure else None
            yield Clause(made or AgainstMean(meant.what, operator), end + 1 + meant.length, meant.cost, meant.what)
    for meant in sentence.columns(end, table):
        yield from _with(end + meant.length, meant.what, operator, table, sentence, meant.cost)


def _within(figure: str, column: Column) -> bool:
    """Whether it sets rows apart: "more than one route" is of no column whose least is 7."""
    try:
        return float(column.least) <= float(figure) <= float(column.most)
    except ValueError:
        return True


def _timed(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "In 2014", "in the year 2014 or after", "after 2013", "before 1950"."""
    column = date_column(table) or year_column(table)
    several = table.of_kind("date")
    if column is None or len(several) > 1:
        return
    start = sentence.past(place, "that", "which", "who", "occurred", "happened", "held", "was", "were", "took", "place")
    for operator, begin in _time_operators(start, sentence):
        end = sentence.past(begin, "the", "year", "years")
        if end < len(sentence.said) and re.fullmatch(r"(?:1[5-9]|20)\d\d", sentence.said[end].text):
            way, years, after = _or_more(end, operator, sentence)
            if made := filter_of(column, way, years, False):
                yield Clause(made, after, 1, column)


def _or_more(end: int, operator: Operator, sentence: Sentence) -> tuple[Operator, tuple[str, ...], int]:
    """A year with what stands behind it: "or after", "or 2015"."""
    year, after = sentence.said[end].text, end + 1
    if sentence.typed(after) == "or" and sentence.typed(after + 1) in ("after", "later"):
        return ">=", (year,), after + 2
    if sentence.typed(after) == "or" and sentence.typed(after + 1) in ("before", "earlier"):
        return "<=", (year,), after + 2
    if operator == "=" and sentence.typed(after) == "or" and re.fullmatch(r"\d{4}", sentence.typed(after + 1)):
        return operator, (year, sentence.typed(after + 1)), after + 2
    return operator, (year,), after


def _time_operators(place: int, sentence: Sentence) -> Iterator[tuple[Operator, int]]:
    if sentence.typed(place) in ("in", "during", "of", "on", "for"):
        yield "=", place + 1
    for word, operator in (("after", ">"), ("since", ">="), ("before", "<"), ("until", "<=")):
        if sentence.typed(place) == word:
            yield cast("Operator", operator), place + 1
