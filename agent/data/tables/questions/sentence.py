"""A question and the tables there are → what it asks for, the likeliest reading first, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

from agent.data.tables.questions.items import Item, at
from agent.data.tables.questions.japanese import items_of, japanese
from agent.data.tables.questions.japanese_readings import in_english
from agent.data.tables.questions.meanings import meanings
from agent.data.tables.questions.part import Part
from agent.data.tables.questions.table_lexicon import Token, tokens, words
from agent.data.tables.questions.table_parts import part_of
from agent.data.tables.questions.table_schema import Asked, Filter, Table, id_like
from agent.text.regex import regex

_MOST_TOKENS = 60
_MOST_WAYS = 120  # of reading the words of one part
_MOST_CHOICES = 3  # of reading one word
_MOST_TABLES = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """``cost``: how doubtful; 0 is a question that names everything."""

    asked: Asked
    cost: int


@dataclass(frozen=True, slots=True)
class Segment:
    text: str
    tokens: tuple[Token, ...]


def readings(text: str, tables: Sequence[Table], today: date | None) -> list[Reading]:
    """All readings over all tables, no two alike, in order; those of the table that fits best come first."""
    found: list[Reading] = []
    for table in _nearest(text, tables) if len(tables) > _MOST_TABLES else tables:
        for reading in _of_table(text, table, today):
            if _WHEN.match(text) and not _tells_days(reading.asked):
                continue
            if all(reading.asked != other.asked for other in found):
                found.append(reading)
    return sorted(found, key=lambda reading: (reading.cost, not says_name(text, reading.asked.table)))


_WHEN = regex(r"\s*when\b", re.I)


def _tells_days(asked: Asked) -> bool:
    columns = [*asked.shown, asked.column, *(group.column for group in asked.groups)]
    return any(column is not None and column.kind == "date" for column in columns)


def says_name(text: str, table: Table) -> bool:
    """Whether the whole name of the table is among the words."""
    return set(words(table.name)) <= set(words(text))


def says_head(text: str, table: Table) -> bool:
    """Whether the whole name of the table, of one of its columns or of a row is among the words."""
    said, names = (
        set(words(text)),
        (*(column.called for column in table.columns), *(label for label, _ in table.labels)),
    )
    return says_name(text, table) or any(said.issuperset(words(name)) for name in names if words(name))


def _nearest(text: str, tables: Sequence[Table]) -> list[Table]:
    """Those of many tables whose names, and those of their columns, the text has most words of."""
    said = set(words(text))

    def shared(table: Table) -> int:
        named = len(said & set(words(table.name)))
        return named * 2 + len(said & {word for column in table.columns for word in words(column.label)})

    return sorted(tables, key=shared, reverse=True)[:_MOST_TABLES]


def _of_table(text: str, table: Table, today: date | None) -> Iterator[Reading]:
    several = _segments(text)
    if sum(len(segment.tokens) for segment in several) > _MOST_TOKENS:
        return
    best: list[Reading] = []
    for dates in range(min(2, sum(column.kind == "date" for column in table.columns)) or 1):
        for part in _parts(several, table, today, dates):
            for rank, asked in enumerate(meanings(part)):
                best.append(Reading(asked, part.cost + rank * 3 + dates * 3))
    best.sort(key=lambda reading: reading.cost)
    yield from best[:6]


def _segments(text: str) -> list[Segment]:
    """The question, and after each ";" what a follow-up said."""
    several: list[Segment] = []
    begin, found = 0, list[Token]()
    for token in [*tokens(text), Token("mark", ";", ";", len(text), len(text))]:
        if token.kind == "mark" and token.text == ";":
            if found:
                several.append(Segment(text[begin : token.start], tuple(found)))
            begin, found = token.end, []
        else:
            found.append(token)
    return several


def _parts(several: Sequence[Segment], table: Table, today: date | None, dates: int) -> list[Part]:
    """The likeliest whole parts that all segments make, one put over the other."""
    sofar: list[Part | None] = [None]
    for turn, segment in enumerate(several):
        added = [
            part
            for items in islice(ways(segment, table, today), _MOST_WAYS)
            if (part := part_of(items, table, turn, dates)) and (turn or _about(items, part))
        ]
        added.sort(key=lambda part: part.cost)
        sofar = [_over(before, part) if before else part for before in sofar[:3] for part in added[:4]]
        sofar = [part for part in sofar if part is not None]
    return sorted((part for part in sofar if part), key=lambda part: part.cost)[:6]


def _about(items: Sequence[Item], part: Part) -> bool:
    """Whether it names anything of the table: "how many are there?" alone could be of anything."""
    spent = part.measure == "sum" and len(part.filters) == 1 and part.filters[0].operator in ("month", "year")
    return (
        part.named
        or spent
        or _times_at(items)
        or any(item.role in ("column", "value", "implied", "sought", "verb", "dated", "order") for item in items)
    )


_TIMES = 3  # words of "how many times"


def _times_at(items: Sequence[Item]) -> bool:
    """Whether it is "how many times" at what has a name."""
    times = any(item.role == "measure" and item.length == _TIMES for item in items)
    return times and any(item.role == "unknown" and item.text[:1].isupper() for item in items)


def ways(said: Segment, table: Table, today: date | None) -> Iterator[list[Item]]:
    """Every way to read the words as items, the likeliest first."""
    if english := in_english(said.text.strip(), table):
        said = Segment(english, tuple(tokens(english)))
    elif japanese(said.text):
        items = items_of(said.text, table)
        yield from [items] if items else ()
        return
    segment = said.tokens
    choices: dict[int, tuple[Item, ...]] = {}
    waiting: list[tuple[int, tuple[Item, ...]]] = [(0, ())]
    while waiting:
        place, items = waiting.pop()
        if place >= len(segment):
            yield list(items)
            continue
        if place not in choices:
            choices[place] = at(place, segment, table, today)[:_MOST_CHOICES]
        for item in reversed(choices[place]):
            waiting.append((place + item.length, (*items, item)))


def _over(before: Part, after: Part) -> Part | None:
    """The earlier question with what a follow-up says in the place of what it said of the same."""
    asks = bool(after.measure or after.extreme or after.most)
    mentions = before.mentions
    groups = before.groups
    if after.groups:
        groups = [*before.groups, *after.groups] if after.also else after.groups
    if asks and after.measure == "count" and not after.mentions:
        mentions = []  # "and how many?" is not of the column that was added up
    if after.mentions:
        numbers = [column for column in after.mentions if column.kind == "number"]
        if asks:
            mentions = after.mentions
        elif len(numbers) == len(after.mentions):  # "what about July?" is still of the coldest city
            mentions = [*(column for column in before.mentions if column.kind != "number"), *after.mentions]
        elif len(after.mentions) == 1 and before.groups:
            groups = [replace(before.groups[0], column=after.mentions[0], period="")]
        else:
            return None
    return replace(
        before,
        turn=after.turn,
        measure=after.measure if asks else before.measure,
        extreme=after.extreme if asks else before.extreme,
        timed=after.timed if asks else before.timed,
        bare=after.bare if asks else before.bare,
        kinds=after.kinds if asks else before.kinds,
        implied=after.implied if asks else before.implied,
        most=after.most if asks else before.most,
        mentions=mentions,
        targets=after.targets or ([] if asks and after.mentions else before.targets),
        groups=groups,
        filters=narrowed([*before.filters, *after.filters]),
        order=after.order or before.order,
        limit=after.limit or (0 if asks else before.limit),
        chart=after.chart or before.chart,
        named=before.named or after.named,
        listed=before.listed or after.listed,
        cost=before.cost + after.cost,
    )


def narrowed(filters: Sequence[Filter]) -> list[Filter]:
    """Without those that a later turn has other values for; "and in March" keeps the year that was asked about.

    "Without the jams" leaves them out of what was asked for: it stands beside it.
    """
    kept: list[Filter] = []
    for given in filters:
        one = given
        earlier = [other for other in kept if one.column and other.column == one.column and other.turn < one.turn]
        years = [other.values[0][:4] for other in earlier if other.operator in ("year", "month")]
        if one.operator == "month" and one.values[0].startswith("0-") and years and years[-1].isdigit():
            one = replace(one, values=(f"{years[-1]}-{one.values[0][2:]}",))
        earlier = [] if one.operator == "<>" else earlier
        kept = [*(other for other in kept if other not in earlier), one]
    return kept


def put_together(filters: Sequence[Filter]) -> tuple[Filter, ...]:
    """Several values of one column that were said together are any of them."""
    joined: list[Filter] = []
    for one in filters:
        place = next(
            (
                index
                for index, other in enumerate(joined)
                if (other.column, other.operator, other.turn) == (one.column, one.operator, one.turn)
                and one.operator in ("=", "<>")
            ),
            None,
        )
        if place is None:
            joined.append(one)
        else:
            joined[place] = replace(one, values=(*joined[place].values, *one.values))
    return tuple(joined)


def is_settled(wanted: Asked) -> bool:
    """Whether no text of it is still to be looked for."""
    return all(not one.sought for one in wanted.filters)


def other_tables(several: Sequence[Reading], text: str) -> list[Reading]:
    """The readings over other tables that fit as well as the best; none but named ones beside a named one."""
    best = several[0]
    named = says_name(text, best.asked.table)
    others: list[Reading] = []
    for reading in several[1:]:
        names = {other.asked.table.name for other in (best, *others)}
        near = reading.cost <= best.cost and (not named or says_name(text, reading.asked.table))
        if near and reading.asked.table.name not in names:
            others.append(reading)
    return others


def is_sensible(asked: Asked) -> bool:
    """Whether a second reading is worth showing: no value is still to be looked for, and no group has one row each."""
    counted = asked.measure != "distinct" or asked.column is None or not id_like(asked.column)
    return is_settled(asked) and counted and all(group.column.distinct != asked.table.rows for group in asked.groups)
