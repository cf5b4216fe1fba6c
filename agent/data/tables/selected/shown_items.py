"""What a question wants shown: columns, figures put together, numbers of rows; joined by commas and "and"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from agent.data.tables.questions.table_schema import Column, Table, id_like
from agent.data.tables.selected.names_meant import meanings_at
from agent.data.tables.selected.selection import Figure, Function
from agent.data.tables.selected.sentence_words import Sentence
from agent.data.tables.selected.table_links import has_many, links

_MOST_SHOWN = 8  # columns


def different_at(place: int, sentence: Sentence) -> Iterator[tuple[int, bool]]:
    for end in sentence.after("phrases", "different", sentence.past(place, "the", "all")):
        yield end, True
    yield sentence.idle(place), False


def items(
    place: int, table: Table, sentence: Sentence, sofar: tuple[Figure, ...]
) -> Iterator[tuple[tuple[Figure, ...], int, int, bool]]:
    """The list of what is shown, all that is joined by commas and "and"."""
    for start, different in different_at(place, sentence):
        if different and sofar:
            continue
        for several, end, cost in item(start, table, sentence):
            now = (*sofar, *(one for one in several if one not in sofar))
            if len(now) > _MOST_SHOWN:
                continue
            yield now, end, cost, different
            joined = sentence.past(end, ",", "and", "also")
            joined = sentence.past(
                next(iter(sentence.after("phrases", "together", joined)), joined), "the", "their", "its"
            )
            if joined > end and sentence.typed(end) not in ("the", "their", "its"):
                for more, last, further, _ in items(joined, table, sentence, now):
                    yield more, last, cost + further, different


def item(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[tuple[Figure, ...], int, int]]:
    yield from _figures(place, table, sentence)
    for figure, end, cost in shown_column(place, table, sentence):
        yield (figure,), end, cost
    for end in sentence.after("phrases", "count", place):
        yield from _counted(sentence.idle(end), table, sentence)


def shown_column(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Figure, int, int]]:
    """A column of the rows, or of the one row of another table that each belongs to."""
    found = False
    for meant in sentence.columns(place, table):
        if sentence.typed(place + meant.length) == "by" and "by" in meant.what.name.lower().split("_"):
            continue  # "the cartoons directed by …" are not their directors
        found = True
        end = place + meant.length
        yield Figure(table, meant.what), end, meant.cost
        yield from ((Figure(table, meant.what), last, meant.cost) for last in of_itself(end, table, sentence))
    for other in ones(table, sentence):
        for meant in sentence.columns(place, other):
            end = place + meant.length
            ends = list(of_itself(end, other, sentence))
            yield from ((Figure(other, meant.what), last, meant.cost) for last in ends)
            if not ends and not found:
                yield Figure(other, meant.what), end, meant.cost + 1
    for entity in sentence.entities(place):  # "the stadium name", where the rows are concerts
        if entity.table.name in (table.name, *(other.name for other in ones(table, sentence))):
            for meant in sentence.columns(place + entity.length, entity.table):
                end = place + entity.length + meant.length
                yield Figure(entity.table, meant.what), end, meant.cost + entity.cost


def of_itself(place: int, table: Table, sentence: Sentence) -> Iterator[int]:
    if sentence.typed(place) in ("of", "for"):
        start = sentence.idle(place + 1)
        yield from (start + entity.length for entity in sentence.named(start, table))


def _figures(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[tuple[Figure, ...], int, int]]:
    """ "The average, minimum and maximum age", "the total sales"."""
    functions, end = _functions(place, sentence)
    if not functions:
        return
    start = sentence.past(end, "of", "the", "value", "amount", "values", "their", "its")
    for begin in dict.fromkeys((start, sentence.past(start, "number", "of"))):
        for figure, last, cost in shown_column(begin, table, sentence):
            if not figure.column or not _can_be(functions, figure.column):
                continue
            several = tuple(replace(figure, function=one) for one in functions)
            yield several, last, cost + (begin > start)
            yield from _and_more(last, several, functions, table, sentence, cost)
    for hop in links(sentence.tables).get(table.name, ()):
        for meant in sentence.columns(start, hop.table) if not hop.one else ():
            if meant.what.kind == "number" and not id_like(meant.what):
                last = start + meant.length
                for behind in (last, *of_itself(last, hop.table, sentence)):
                    yield tuple(Figure(hop.table, meant.what, one) for one in functions), behind, meant.cost + 1


def _and_more(
    place: int, sofar: tuple[Figure, ...], functions: Sequence[Function], table: Table, sentence: Sentence, cost: int
) -> Iterator[tuple[tuple[Figure, ...], int, int]]:
    """ "… and sales", put together in the same way."""
    for more, end, extra in shown_column(place + 1, table, sentence) if sentence.typed(place) == "and" else ():
        years = more.column is not None and more.column.called.isdigit()  # "the total of 2025 and 2026" may be one sum
        if more.column and more.column.kind == "number" and not id_like(more.column) and not years:
            yield (*sofar, *(replace(more, function=one) for one in functions)), end, cost + extra


def _functions(place: int, sentence: Sentence) -> tuple[list[Function], int]:
    """All of "the average, minimum and maximum", and the place behind them."""
    functions, end = list[Function](), place
    begin = sentence.past(place, "the")
    while found := meanings_at("function", begin, sentence.said):
        functions.append(cast("Function", found[0][0]))
        end = begin + found[0][1]
        begin = sentence.past(end, ",", "and", "the")
        if begin == end:
            break
    return functions, end


def _can_be(functions: Sequence[Function], column: Column) -> bool:
    """Whether figures of that column can be put together so: numbers of things and days have no mean."""
    if column.kind == "date" or (column.kind == "number" and id_like(column)):
        return {*functions} <= {"min", "max"}
    return column.kind == "number"


def _counted(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[tuple[Figure, ...], int, int]]:
    """ "The number of concerts", of another table or of these rows themselves."""
    for entity in sentence.entities(place):
        end = place + entity.length
        if entity.table.name == table.name or has_many(sentence.tables, table, entity.table):
            figure = Figure(entity.table, None, "count")
            yield (figure,), end, entity.cost
            past = sentence.past(end, "that", "who", "which", "they", "it", "he", "she", "have", "has")
            for verb in dict.fromkeys((end, past)):
                for last in sentence.after("phrases", "verbs", verb):
                    behind = sentence.past(last, "there", "it", "them", "in", "by", "at", "for", "to", "that")
                    yield (figure,), behind, entity.cost + 1


def ones(table: Table, sentence: Sentence) -> list[Table]:
    return [hop.table for hop in links(sentence.tables).get(table.name, ()) if hop.one]
