"""The clauses of a question that say which rows, one after the other; rows of other tables that belong to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.selected.compared_clauses import compared_at
from agent.data.tables.selected.names_meant import meanings_at, values_meant
from agent.data.tables.selected.selection import Condition, Linked, Operator
from agent.data.tables.selected.sentence_words import Clause, Sentence, figure_at
from agent.data.tables.selected.table_links import path
from agent.data.tables.selected.value_clauses import extreme_at, holding_at, told_value_at, yes_no_clauses

_MOST_CLAUSES = 4  # of one table, one after the other


def conditions_at(place: int, table: Table, sentence: Sentence, of: Column | None = None) -> Iterator[Clause]:
    """Every way to read one condition on the rows of ``table``; ``of``: the column of the condition before."""
    if place >= len(sentence.said):
        return
    yield from compared_at(place, table, sentence, of)
    yield from told_value_at(place, table, sentence)
    yield from holding_at(place, table, sentence)
    yield from extreme_at(place, table, sentence)
    yield from yes_no_clauses(place, table, sentence)
    yield from _linked(place, table, sentence)


def several_at(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[tuple[Condition, ...], int, int]]:
    """One condition after the other, more of them first; and the place behind them, and what they cost."""
    yield from _more(place, table, sentence, (), 0, None)


def _more(
    place: int, table: Table, sentence: Sentence, sofar: tuple[Condition, ...], cost: int, of: Column | None
) -> Iterator[tuple[tuple[Condition, ...], int, int]]:
    if len(sofar) < _MOST_CLAUSES:
        begin = sentence.past(place, ",", "and", "that", "who", "which", "but") if sofar else place
        for one in conditions_at(begin, table, sentence, of):
            yield from _more(one.end, table, sentence, (*sofar, one.condition), cost + one.cost, one.of)
    yield sofar, place, cost


def _linked(place: int, table: Table, sentence: Sentence) -> Iterator[Clause]:
    """ "That have a song in the charts", "without any concert in 2014", "with at least 2 members"."""
    start = sentence.past(
        place, "that", "who", "which", "where", "whose", "the", "by", "in", "of", "from", "for", "at", "on"
    )
    for negated, begin in _negations(place, start, sentence):
        for operator, number, end in _quantities(begin, sentence):
            for entity in sentence.entities(end):
                other, behind = entity.table, end + entity.length
                if other.name == table.name or not path(sentence.tables, table, other):
                    continue
                if negated and operator:
                    continue
                cost = entity.cost + (1 if begin == place else 0)
                for inner, last, more in several_at(behind, other, sentence):
                    yield Clause(Linked(other, inner, negated, operator, number), last, cost + more)
                yield from _one_of(behind, other, sentence, negated, cost)


def _one_of(place: int, other: Table, sentence: Sentence, negated: bool, cost: int) -> Iterator[Clause]:
    """ "The cartoon “The Rise of the Blue Beetle”": a row by its name."""
    if place < len(sentence.said) and sentence.said[place].kind == "quoted":
        text = sentence.said[place].text
        named = [one for one in other.of_kind("text") if _is_name(one)][:1]
        for column in named:
            value = next(iter(values_meant(place, sentence.said, other, column)), None)
            if value:
                made = Filter(column, "find" if value.sought else "=", (value.text or text,))
                yield Clause(Linked(other, (made,), negated), place + 1, cost + 1)


def _is_name(column: Column) -> bool:
    return any(word in column.name.lower() for word in ("name", "title", "episode"))


def _negations(place: int, start: int, sentence: Sentence) -> Iterator[tuple[bool, int]]:
    """Where the other table may be named, behind the verb; and whether the clause says no."""
    for end in sentence.after("phrases", "none", place):
        yield True, end
    for begin in dict.fromkeys((place, sentence.past(place, "that", "who", "which", "where"))):
        for end in sentence.after("phrases", "not", begin):
            yield True, sentence.past(end, "a", "an", "any")
            for verb in sentence.after("phrases", "verbs", end):
                yield True, _past_place(verb, sentence)
    begin = sentence.past(place, "that", "who", "which", "where", "were", "was", "are", "is", "have", "has")
    for verb in sentence.after("phrases", "verbs", begin):
        for none in sentence.after("phrases", "none", verb):
            yield True, none
        yield False, _past_place(verb, sentence)
    for end in sentence.after("phrases", "whose", place):
        yield False, sentence.past(end, "a", "an", "some", "any", "the")
    if start > place:
        yield False, sentence.past(start, "a", "an", "some", "any", "the")


def _past_place(place: int, sentence: Sentence) -> int:
    ends = sentence.after("phrases", "places", place)
    return sentence.past(ends[0] if ends else place, "a", "an", "some", "any", "the")


def _quantities(place: int, sentence: Sentence) -> Iterator[tuple[Operator | None, int, int]]:
    """ "At least two", "more than 3", "2 or more", or nothing."""
    for operator, length in meanings_at("compared", place, sentence.said):
        end = place + length
        if end < len(sentence.said) and (figure := figure_at(sentence.said[end])) and figure.isdigit():
            yield cast("Operator", operator), int(figure), end + 1
    if place < len(sentence.said) and (figure := figure_at(sentence.said[place])) and figure.isdigit():
        if sentence.typed(place + 1) == "or" and sentence.typed(place + 2) in ("more", "less", "fewer"):
            yield (">=" if sentence.typed(place + 2) == "more" else "<="), int(figure), place + 3
        elif len(figure) < 4:
            yield "=", int(figure), place + 1
    yield None, 0, place


def quantity_at(place: int, sentence: Sentence) -> list[tuple[Operator, int, int]]:
    """An operator, a number, and the place behind them."""
    return [(operator, number, end) for operator, number, end in _quantities(place, sentence) if operator]
