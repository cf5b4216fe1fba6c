"""Clauses of a value alone: "from France", "with 'Hey' in its title", "that are male", "with the largest capacity"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from agent.data.tables.questions.table_schema import Filter, Table
from agent.data.tables.selected.compared_clauses import filter_of
from agent.data.tables.selected.names_meant import meanings_at, values_meant
from agent.data.tables.selected.selection import Extreme, Holding, Operator, Way
from agent.data.tables.selected.sentence_words import Clause, Sentence, begins
from agent.data.tables.worded.worded_columns import yes_no_at

_PLACES: tuple[tuple[Literal["in", "begin", "end"], str], ...] = (
    ("in", "contains"),
    ("begin", "begins"),
    ("end", "ends"),
)


def told_value_at(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "From France", "that are not French", "directed by Ben Jones": a value that one column has."""
    negated = sentence.after("phrases", "not", sentence.past(place, "that", "who", "which"))
    for operator, starts in (("<>", negated), ("=", [place])):
        for start in starts:
            ends = [*sentence.after("phrases", "from", start), *([start] if operator == "<>" else [])]
            for begin in dict.fromkeys(ends):
                end = sentence.past(begin, "the", "a", "an", "either")
                if end < len(sentence.said):
                    yield from _value_of_any(end, operator, table, sentence)


def _value_of_any(place: int, operator: str, table: Table, sentence: Sentence) -> Iterator[Clause]:
    found = [one for one in values_meant(place, sentence.said, table) if not one.sought]
    longest = max((one.length for one in found), default=0)
    nearest = [one for one in found if one.length == longest]
    if len(nearest) != 1 or nearest[0].column is None:
        return
    (value,), column = nearest, nearest[0].column
    end = place + value.length
    if made := filter_of(column, cast("Operator", operator), (value.text,), False):
        yield Clause(made, end, 1, column)
        for meant in sentence.columns(end, table):  # "the English language"
            if meant.what == column:
                yield Clause(made, end + meant.length, 1, column)
    joined = sentence.past(end, "or")
    for other in values_meant(joined, sentence.said, table, column) if end < joined < len(sentence.said) else ():
        if not other.sought:
            yield Clause(Filter(column, "=", (value.text, other.text)), joined + other.length, 1, column)


def holding_at(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "Whose name contains 'Hey'", "with 'Hey' in its title", "starting with the letter A"."""
    for start in dict.fromkeys(begins(place, sentence)):
        for meant in sentence.columns(start, table):
            behind = sentence.past(start + meant.length, "that", "which")
            refusals = sentence.after("phrases", "not", behind)
            for negated, begin in ((False, behind), *((True, one) for one in refusals)):
                for where, kind in _PLACES:
                    for after in sentence.after("phrases", kind, begin):
                        end = sentence.past(after, "the", "word", "letter", "substring")
                        if text := _quoted_or_letter(end, sentence):
                            held = Holding(meant.what, text, where, negated)
                            yield Clause(held, end + 1, meant.cost, meant.what)
    for after in (*sentence.after("phrases", "contains", place), *sentence.after("phrases", "whose", place), place):
        end = sentence.past(after, "the", "word", "letter", "substring")
        text = _quoted_or_letter(end, sentence)
        for inside in sentence.after("phrases", "in_it", end + 1) if text else ():
            for meant in sentence.columns(inside, table):
                yield Clause(Holding(meant.what, text), inside + meant.length, meant.cost, meant.what)


def _quoted_or_letter(place: int, sentence: Sentence) -> str:
    if place >= len(sentence.said):
        return ""
    token = sentence.said[place]
    single = token.kind == "word" and (len(token.text) == 1 or token.text.isupper())
    return token.text if token.kind == "quoted" or single else ""


def extreme_at(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "With the highest average", "with the largest capacity", "that has the fewest members"."""
    verbs = sentence.after("phrases", "verbs", sentence.past(place, "that", "who", "which"))
    for start in dict.fromkeys((*begins(place, sentence), *verbs)):
        for way, length in meanings_at("extreme", start, sentence.said):
            end = sentence.past(start + length, "number", "amount", "of", "value", "total")
            for meant in sentence.columns(end, table) if way in ("up", "down") and start > place else ():
                if meant.what.kind in ("number", "date"):
                    yield Clause(Extreme(meant.what, cast("Way", way)), end + meant.length, meant.cost, meant.what)


def yes_no_clauses(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    start = sentence.past(
        place, "that", "who", "which", "are", "is", "was", "were", "with", "have", "has", "work", "a", "an"
    )
    for negated, begin in ((False, start), *((True, one) for one in sentence.after("phrases", "not", start))):
        if begin < len(sentence.said):
            for column, holds, length in yes_no_at(begin, sentence.said, table):
                told = "true" if holds != negated else "false"
                yield Clause(Filter(column, "true", (told,)), begin + length, 1, column)
