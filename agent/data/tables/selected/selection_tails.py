"""What stands behind what is shown: conditions, orders, groups, and the most of another table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.data.tables.questions.table_schema import Table
from agent.data.tables.selected.conditions import conditions_at, quantity_at, several_at
from agent.data.tables.selected.names_meant import meanings_at
from agent.data.tables.selected.selection import Figure, Ordering, Way
from agent.data.tables.selected.selection_heads import Sofar, named_by, rows_at
from agent.data.tables.selected.sentence_words import Sentence
from agent.data.tables.selected.shown_items import item, of_itself, ones, shown_column
from agent.data.tables.selected.table_links import has_many


def tails(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[Sofar]:
    """Every way to read the rest of the words."""
    if place >= len(sentence.said) or len(sentence.said) in sentence.after("phrases", "trailing", place):
        yield sofar
        return
    for start in dict.fromkeys((place, sentence.past(place, ",", "and", "also", "then"))):
        if start >= len(sentence.said):
            continue
        for now, end in _clauses(start, sofar, sentence):
            yield from tails(end, now, sentence)


def _clauses(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    yield from _ordered(place, sofar, sentence)
    yield from grouped_at(place, sofar, sentence)
    yield from _most(place, sofar, sentence)
    yield from _having(place, sofar, sentence)
    if not sofar.entity:
        for start in sentence.after("phrases", "of_entity", place):
            yield from rows_at(start, sofar, sentence)
    for one in conditions_at(place, sofar.made.table, sentence, sofar.of):
        now = sofar.adding(one.cost, conditions=(*sofar.made.conditions, one.condition))
        yield replace(now, of=one.of), one.end


def _ordered(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "Ordered by age from the oldest to the youngest", "in descending order of capacity", "alphabetically"."""
    made = sofar.made
    sorts = sentence.after("sorted", "by", sentence.past(place, "that", "are", "which"))
    for end in sorts:
        for figure, way, last, cost in _sorted_by(end, made.table, sentence):
            yield sofar.adding(cost, orders=(*made.orders, Ordering(figure, way))), last
    for begin in dict.fromkeys((place, *sorts)):
        for start, way in _way(begin, sentence):
            if way and made.shown and not made.shown[0].function:
                yield sofar.adding(1, orders=(*made.orders, Ordering(made.shown[0], way))), start
            for end in sentence.after("sorted", "of", start) if way else ():
                for figure, last, cost in _by(sentence.past(end, "their", "its", "the"), made.table, sentence):
                    yield sofar.adding(cost, orders=(*made.orders, Ordering(figure, way or "up"))), last


def _sorted_by(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Figure, Way, int, int]]:
    """What it is sorted by, which way, the place behind, and the cost; the way stands before it or behind it."""
    for start, way in _way(sentence.past(place, "in"), sentence):
        for begin in sorted({start, *(sentence.after("sorted", "of", start) if way else ())}):
            for figure, last, cost in _by(sentence.past(begin, "their", "its", "the", "his", "her"), table, sentence):
                for behind, after in _way(last, sentence):
                    if not (way and after):
                        yield figure, after or way or "up", behind, cost


def _way(place: int, sentence: Sentence) -> Iterator[tuple[int, Way | None]]:
    for way in ("up", "down"):
        for start in dict.fromkeys((place, sentence.past(place, "in", ","))):
            for end in sentence.after("sorted", way, start):
                yield end, way
    yield place, None


def _by(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Figure, int, int]]:
    for several, end, cost in item(place, table, sentence):
        if len(several) == 1:
            yield several[0], end, cost
            yield from ((several[0], last, cost) for last in of_itself(end, table, sentence))


def grouped_at(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "For each stadium", "in each country", "by citizenship"."""
    made = sofar.made
    for end in sentence.after("grouped", "by", place):
        start = sentence.past(end, "the", "different", "distinct", "of", "listed")
        for entity in sentence.entities(start):
            for hop in ones(made.table, sentence):
                if hop.name == entity.table.name:
                    yield sofar.adding(entity.cost, groups=named_by(hop)), start + entity.length
            if entity.table.name == made.table.name:
                yield sofar.naming(entity.cost, groups=named_by(made.table)), start + entity.length
        for figure, last, cost in shown_column(start, made.table, sentence):
            yield sofar.adding(cost, groups=(*made.groups, figure)), last


def _most(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "With the most concerts in 2014", "that has the largest number of members"."""
    made = sofar.made
    past = sentence.past(place, "that", "who", "which", "is", "are", "was", "were")
    begins = (place, *sentence.after("phrases", "whose", place), *sentence.after("phrases", "verbs", past))
    for begin in dict.fromkeys(begins):
        for way, length in meanings_at("extreme", begin, sentence.said):
            if way not in ("up", "down") or made.limit:
                continue
            start = sentence.past(begin + length, "number", "amount", "of", "total")
            for entity in sentence.entities(start):
                other, end = entity.table, start + entity.length
                grouped = made.shown and not any(one.function for one in made.shown)
                if other.name == made.table.name and grouped and begin > place:
                    counted = Figure(made.table, None, "count")
                    shown, orders = (*made.shown, counted), (Ordering(counted, way),)
                    yield sofar.adding(entity.cost, groups=made.shown, shown=shown, limit=1, orders=orders), end
                elif other.name != made.table.name and has_many(sentence.tables, made.table, other):
                    for inner, last, more in several_at(end, other, sentence):
                        figure = Figure(other, None, "count", inner)
                        shown, orders = (*made.shown, figure), (Ordering(figure, way),)
                        yield sofar.adding(entity.cost + more, shown=shown, limit=1, orders=orders), last


def _having(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "Nationalities shared by at least two people": groups of as many rows of the same table."""
    made = sofar.made
    if (
        not made.shown
        or made.groups
        or any(one.function or one.table != made.table for one in made.shown)
        or sofar.entity
    ):
        return
    repeated = all(one.column and one.column.distinct != made.table.rows for one in made.shown)
    starts = [place]
    for words in ("whose", "verbs", "of_entity"):
        starts += sentence.after("phrases", words, sentence.past(place, "that", "who", "which", "for", "are", "there"))
    for start in dict.fromkeys(starts):
        for operator, number, end in quantity_at(start, sentence):
            for entity in sentence.named(end, made.table) if repeated else ():
                yield sofar.naming(entity.cost, groups=made.shown, having=(operator, number)), end + entity.length
