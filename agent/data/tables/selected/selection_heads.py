"""How a question begins: what is shown of which table, or how many rows there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.selected.conditions import quantity_at
from agent.data.tables.selected.names_meant import WORDS, meanings_at, values_meant
from agent.data.tables.selected.selection import Extreme, Figure, Ordering, Selection, Way
from agent.data.tables.selected.sentence_words import Sentence
from agent.data.tables.selected.shown_items import different_at, items, ones, shown_column
from agent.data.tables.worded.worded_columns import by_field, names_of_rows


@dataclass(frozen=True, slots=True)
class Sofar:
    """``made`` so far; ``entity``: the table has been named; ``of``: the column of the condition before."""

    made: Selection
    entity: bool = False
    of: Column | None = None

    def adding(self, cost: int, **more: Any) -> Sofar:
        """With more of the selection, at that cost."""
        return replace(self, made=replace(self.made, cost=self.made.cost + cost, **more))

    def naming(self, cost: int, **more: Any) -> Sofar:
        """The same with the name of the table."""
        return replace(self.adding(cost, **more), entity=True)


def heads(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    yield from _counting(place, table, sentence)
    yield from _common(place, table, sentence)
    for shown, end, cost, different in items(place, table, sentence, ()):
        yield from _of_entity(Selection(table, shown, different=different, cost=cost), end, sentence)
    for end in sentence.after("phrases", "with_all", place):
        yield from rows_at(end, Sofar(Selection(table)), sentence)
    for sofar, end in rows_at(place, Sofar(Selection(table, cost=1)), sentence):
        yield sofar.adding(0, shown=named_by(table)), end


def _of_entity(made: Selection, end: int, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """What is shown, and with it the name of the table behind "of" and the like."""
    yield Sofar(made), end
    for begin in sentence.after("phrases", "of_entity", end):
        yield from rows_at(begin, Sofar(made), sentence)


def _common(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "The most common nationality", "the 3 most popular colours"."""
    limit, start = number_said(place, sentence)
    for often, length in meanings_at("extreme", start, sentence.said):
        for figure, end, cost in shown_column(start + length, table, sentence) if often in ("often", "seldom") else ():
            counted = Figure(table, None, "count")
            way: Way = "down" if often == "often" else "up"
            orders = (Ordering(counted, way),)
            made = Selection(table, (figure, counted), (), (figure,), None, orders, limit or 1, cost=cost)
            yield from _of_entity(made, end, sentence)


def named_by(table: Table) -> tuple[Figure, ...]:
    """The columns that say which row one is; empty for all of them."""
    own = table.of_kind("text")
    called = [
        one for one in own if one.name.lower() in ("name", "title") or one.name.lower().endswith(("_name", "name"))
    ]
    found = called[:1] or list(names_of_rows(table))
    return tuple(Figure(table, column) for column in found)


def _counting(place: int, table: Table, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "How many singers", "the number of different countries"."""
    for end in sentence.after("phrases", "count", place):
        for sofar, behind in rows_at(end, Sofar(Selection(table)), sentence):
            last = sentence.past(behind, "are", "is", "there", "were", "do", "we", "have", "exist")
            yield sofar.adding(0, shown=(Figure(table, None, "count"),)), last
        for start, different in different_at(end, sentence):
            for made, last in _kinds(start, table, sentence, different):
                yield from _of_entity(made, last, sentence)


def _kinds(place: int, table: Table, sentence: Sentence, different: bool) -> Iterator[tuple[Selection, int]]:
    """How many different values one or two columns have."""
    there = ("are", "is", "there", "were", "exist", "listed")
    for meant in sentence.columns(place, table):
        if not different and (meant.what.kind != "text" or sentence.entities(place)):
            continue
        figure, cost = Figure(table, meant.what, "distinct"), meant.cost + (0 if different else 2)
        end = sentence.past(place + meant.length, *there)
        yield Selection(table, (figure,), cost=cost), end
        for more in sentence.columns(end + 1, table) if sentence.typed(end) == "and" else ():
            both = (figure, Figure(table, more.what, "distinct"))
            yield Selection(table, both, cost=cost + more.cost), sentence.past(end + 1 + more.length, *there)


def rows_at(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """The name of the table of the rows, perhaps behind a value: "all French singers", "the 3 youngest singers"."""
    table, unbound = sofar.made.table, Sofar(sofar.made)
    start = sentence.idle(place)
    for begin in dict.fromkeys((start, place)):
        for entity in sentence.named(begin, table):
            end = sentence.past(begin + entity.length, "table", "records", "rows", "entries")
            yield unbound.naming(entity.cost), end
        if begin >= len(sentence.said):
            continue
        for value in values_meant(begin, sentence.said, table):
            behind = begin + value.length
            behind = sentence.past(behind, "type", "typed") if sentence.typed(behind - 1) else behind
            if value.column and not value.sought:
                for meant in (None, *sentence.columns(behind, table)):
                    at = behind + (meant.length if meant and meant.what == value.column else 0)
                    for entity in sentence.named(at, table):
                        held = (*sofar.made.conditions, Filter(value.column, "=", (value.text,)))
                        yield unbound.naming(entity.cost + 1, conditions=held), at + entity.length
        yield from _superlative(begin, sofar, sentence)


def _superlative(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[tuple[Sofar, int]]:
    """ "The youngest singer", "the three tallest players", "the most recent cartoon"."""
    made, (limit, start) = sofar.made, number_said(place, sentence)
    for length in (3, 2, 1):
        ahead = sentence.said[start : start + length]
        words = " ".join(token.text.casefold() for token in ahead if token.kind == "word")
        for figure, way in _of_extreme(words, made.table, sentence):
            for entity in sentence.named(start + length, made.table):
                end, cost = start + length + entity.length, entity.cost + 1
                if limit <= 1 and figure.table == made.table and figure.column:
                    yield sofar.naming(cost, conditions=(*made.conditions, Extreme(figure.column, way))), end
                else:
                    yield sofar.naming(cost, orders=(Ordering(figure, way),), limit=limit or 1), end


def _of_extreme(words: str, table: Table, sentence: Sentence) -> Iterator[tuple[Figure, Way]]:
    """The one column that "the youngest" is of, among those of the row itself or of the rows it belongs to."""
    sides: tuple[tuple[str, Way], ...] = (("most", "down"), ("least", "up"))
    for key, way in sides:
        found = [Figure(table, column) for column in by_field(table, key, words)] if words else []
        if not found and words in WORDS["times"][key]:
            found = [Figure(table, column) for column in table.of_kind("date")]
        above = [Figure(one, column) for one in ones(table, sentence) for column in by_field(one, key, words)]
        found = list(dict.fromkeys(found or above))
        if len(found) == 1:
            yield found[0], way


def number_said(place: int, sentence: Sentence) -> tuple[int, int]:
    start = sentence.past(place, "the", "top")
    if start < len(sentence.said):
        for operator, number, end in quantity_at(start, sentence):
            if operator == "=":
                return number, end
    return 0, start
