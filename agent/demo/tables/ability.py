"""Questions about loaded tables: read, looked up by SQL that is shown, answered with the figures as observed."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from agent.data.tables.crosstabs.crosstab_wanted import Wanted
from agent.data.tables.mentioned.mentioned_words import is_deed
from agent.data.tables.mentioned.question_inside import near_ones
from agent.data.tables.questions.items import at
from agent.data.tables.questions.joins import Joined, joins, without_key
from agent.data.tables.questions.naming import alone, described, question, suggested, worded
from agent.data.tables.questions.observed import Seen, all_meant, found, only_figure, seen
from agent.data.tables.questions.sentence import (
    Reading,
    is_sensible,
    is_settled,
    narrowed,
    other_tables,
    put_together,
    readings,
    says_name,
)
from agent.data.tables.questions.spans_worked_out import with_span
from agent.data.tables.questions.sql import chart_input, search, writable, written
from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import Asked, Filter, Table, is_share
from agent.data.tables.worded.figures_apart import apart, put_right
from agent.data.tables.worded.misreadings import asks_twice, misread
from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import CHART, QUERY, Call, Plan, Question, Said, Steps
from agent.demo.tables.table_answers import answered, nothing_found
from agent.text.literal_marks import literal
from agent.text.regex import regex
from agent.text.sums.phrases import either

_MOST_DOUBT = 12
_MOST_WAYS = 12  # of joining two tables that are tried
_MUCH = 2  # by which two tables must fit better than one
_LONGEST_CHIP = 200
_MOST_NAMED = 6  # columns
_OVERVIEW = phrase("overview")
_HOW_LONG = regex(r"\b(?:how long|how many days did|from longest|from shortest)\b|期間", re.I)


def tables_asked(asked: Question) -> Plan | Said | None:
    """ "How many orders were there in 2023?", "plot sales by region": for the tables that the prompt tells of."""
    tables = tuple(table for table in asked.tables if writable(table))
    if _HOW_LONG.search(asked.text):
        tables = tuple((with_span(table) or (table,))[0] for table in tables)
    ways = joins(tables)
    goes_on = any(one.table.name in asked.text for one in ways)
    several = [reading for reading in readings(asked.text, tables, asked.today) if reading.cost <= _MOST_DOUBT]
    several = [] if several and (misread(asked.text, several[0].asked) or asks_twice(asked.text)) else several
    doubt = several[0].cost - _MUCH if several and not goes_on else _MOST_DOUBT
    if doubt >= 0 and (of_two := _of_two(asked, ways, doubt)):
        return of_two
    if not several:
        return None
    if others := other_tables(several, asked.text):
        return _which_table(asked, [several[0], *others], tables)
    return Plan(lambda: _steps(asked, several, tables), both=apart(asked.text, several[0].asked) != several[0].asked)


def settles(asked: Question) -> bool:
    """Whether the likeliest reading of what is asked needs no text to be looked for."""
    several = readings(asked.text, tuple(table for table in asked.tables if writable(table)), asked.today)
    return bool(several) and several[0].cost <= _MOST_DOUBT and is_settled(several[0].asked)


def told_of(asked: Question, wanted: Asked, whole: bool = False) -> Plan:
    """The plan of what is understood already, of a table alone; ``whole``: each word of the question is."""
    return Plan(lambda: _steps(asked, [Reading(wanted, 0)], (wanted.table,)), both=whole)


def _of_two(asked: Question, ways: Sequence[Joined], doubt: int) -> Plan | Said | None:
    """ "Average price by country", where one table has the prices and another one the countries.

    ``doubt`` is the most that the reading may cost.
    """
    text, key = without_key(asked.text)
    named = [way for way in ways if way.table.name in text]
    ways = named or [way for way in ways if not key or words(way.key) == words(key)]
    fits: list[tuple[Joined, Reading]] = []
    for way in ways[:_MOST_WAYS]:
        found = [one for one in readings(text, [way.table], asked.today) if one.cost <= doubt]
        fits += [(way, one) for one in found[:1] if named or way.uses_both(one.asked, says_name(text, way.many))]
    if not fits:
        return None
    least = min(reading.cost for _, reading in fits)
    fits = [fit for fit in fits if fit[1].cost == least]
    fits = [fit for fit in fits if fit[0].measures_many(fit[1].asked)] or fits
    keys = {(frozenset((way.many.name, way.one.name)), way.key) for way, _ in fits}
    way, reading = fits[0]
    if len(keys) > 1 or not (way.sure or key or named):
        return _which_key(asked, text, [way for way, _ in fits])
    joined = asked.tell("joined", many=way.many.name, one=way.one.name, key=way.key)
    return Plan(lambda: _steps(asked, [reading], (way.table,), joined))


def _which_key(asked: Question, text: str, ways: Sequence[Joined]) -> Said:
    """Refuses to guess by which column two tables belong together, and says how to say it."""
    tables = {way.key: f"{way.many.name} + {way.one.name}" for way in ways}
    by = asked.tell("by_key")
    told = either(asked.language, ", ", "、").join(f"{names} {by} {key}" for key, names in tables.items())
    bare = text.rstrip("?？。. ")
    chips = tuple(bare + asked.tell("using_key", key=key) for key in list(tables)[:3])
    return Said(asked.tell("which_key", ways=told, example=chips[0]), None, chips, declined=True)


def table_hint(asked: Question) -> Said | None:
    """A question that names tables or columns, but that no rule reads: what there is to ask."""
    said = tokens(asked.text)[:60]
    for table in asked.tables:
        for items in (at(place, said, table, None) for place in range(len(said))):
            named = any(item.role in ("table", "column") and item.cost <= 1 for item in items)
            # "The average price" is of a table, though none of those loaded has a price.
            if named or any(item.role == "measure" and item.text in ("sum", "avg", "median") for item in items):
                return unread(asked, table)
    return None


def overview(asked: Question) -> Said | None:
    """ "What is in the table?", "describe sales.csv": its rows and columns, as they are known without a query."""
    said = _OVERVIEW.fullmatch(asked.text.rstrip(" ?.!？。"))
    named = (said["named"] or said["ja"] or "") if said else ""
    tables = [one for one in asked.tables if said and named.lower() in ("", one.name.lower(), one.source.lower())]
    told = [unread(asked, table, "overview", 5 * _MOST_NAMED) for table in tables[:_MOST_NAMED]]
    text = "\n\n".join(f"{one.text} {table.caption}".strip() for one, table in zip(told, tables, strict=False))
    return replace(told[0], text=text, declined=False) if told else None


def unread(asked: Question, table: Table, name: str = "unread", most: int = _MOST_NAMED) -> Said:
    """Declines a question of that table, and says what there is to ask."""
    names = ", ".join(literal(column.called) for column in table.columns[:most])
    names += asked.tell("more_columns", more=len(table.columns) - most) if len(table.columns) > most else ""
    chips = alone(suggested(None, [table], asked.language), asked.tables)
    example = chips[0] if chips else asked.tell("any_row")
    text = asked.tell(name, table=table.name, rows=table.rows, names=names, example=example)
    return Said(text, None, chips, declined=True, hint=True)


def nearest(asked: Question, reads: Callable[[str, Question], bool]) -> Said | None:
    """Declines a question with those near it that it ``reads``."""
    near = near_ones(asked.text, tuple(filter(writable, asked.tables)), asked.language, asked.today)
    chips = tuple(text for text in alone(near, asked.tables) if reads(text, asked))
    told = asked.tell("near", near=asked.tell("did_you_mean", example=chips[0])) if chips else ""
    return Said(told, None, chips, declined=True, hint=True, near=True) if chips else None


def table_tries(asked: Question) -> tuple[str, tuple[str, ...]]:
    """The name of the first table, and what can surely be asked of it; "" where there is none to be asked."""
    table = next((one for one in asked.tables if writable(one)), None)
    return (table.name, alone(suggested(None, [table], asked.language), asked.tables)) if table else ("", ())


def _which_table(asked: Question, several: Sequence[Reading], tables: Sequence[Table]) -> Said:
    names = [reading.asked.table.name for reading in several]
    text = asked.tell("which_table", names=either(asked.language, ", ", "、").join(names))
    chips = tuple(chip for reading in several[:3] if (chip := question(reading.asked, tables, asked.language)))
    return Said(text, None, chips or suggested(None, tables, asked.language), declined=True)


def _steps(asked: Question, several: Sequence[Reading], tables: Sequence[Table], joined: str = "") -> Steps:
    wanted = several[0].asked
    settled = yield from resolved(asked, wanted)
    if isinstance(settled, Said):
        return settled
    wanted, remark = put_right(asked.text, settled[0]), settled[1]
    if wanted.measure == "sum" and wanted.column and is_share(wanted.column):
        chip = question(replace(wanted, measure="avg"), tables, asked.language)
        said = asked.tell("not_summed", column=literal(wanted.column.called), example=chip)
        return Said(said, None, (chip,), declined=True)
    made = written(wanted)
    result = yield from looked_up(asked, wanted, described(wanted, careful=False))
    if isinstance(result, Said):
        return result
    drawn = ""
    if wanted.chart and result.rows:
        drawn = yield Call(CHART, chart_input(wanted, made), asked.tell("drawing"))
    other = next((one.asked for one in several[1:] if is_sensible(one.asked)), None)
    second = question(other, tables, asked.language) if other and written(other) != made else ""
    text = answered(asked.language, wanted, made.columns, result, drawn)
    reading = question(wanted, tables, asked.language).removesuffix("は？").removesuffix("?")
    reading = reading or worded(wanted, asked.language)
    close = len(several) > 1 and several[0].cost > 0
    chips = suggested(wanted, tables, asked.language)
    chips = tuple(dict.fromkeys(chip for chip in (second, *chips) if chip and len(chip) <= _LONGEST_CHIP))[:3]
    if joined and wanted.groups and all(row[0] == "NULL" for row in result.rows):
        return Said(asked.tell("none_joined", joined=joined))
    # How it was read stands first, on a line of its own that a follow-up can lean on.
    told = [asked.tell("read_as", reading=literal(reading)), joined or wanted.table.told, remark, text]
    if close and second:
        told.append(asked.tell("second_reading", reading=second))
    return Said("\n\n".join(filter(None, told)), only_figure(wanted, result.rows), chips)


def looked_up(asked: Question, wanted: Asked, reading: str) -> Generator[Call, str, Said | Seen]:
    """What the query for ``wanted`` gave, or why it gave nothing; ``reading`` is what it is called."""
    made = written(wanted)
    return (yield from queried(asked, made.sql, len(made.columns), reading, wanted.table.name))


def queried(asked: Question, sql: str, columns: int, reading: str, table: str) -> Generator[Call, str, Said | Seen]:
    """What the statement gave, or why it gave nothing; ``reading`` is what it is called."""
    observation = yield Call(QUERY, sql, asked.tell("querying", reading=reading, table=table))
    result = seen(observation, columns)
    return result or Said(asked.tell("query_failed", reason=observation.split("\n", 1)[0]))


def told_of_cells(asked: Question, wanted: Wanted) -> Steps:
    """The answer of a crosstab, declined where a cell has no figure."""
    result = yield from queried(asked, wanted.sql(), len(wanted.columns), wanted.reading, wanted.crosstab.table.name)
    if isinstance(result, Said):
        return result
    told = wanted.told(result.rows[0])  # there is always one
    said = (asked.tell("read_as", reading=wanted.reading), told or asked.tell("no_cell"))
    return Said("\n\n".join(said), None, suggested(None, [wanted.crosstab.table], asked.language), declined=not told)


def _missing(asked: Question, table: Table, one: Filter) -> Said:
    return unread(asked, table) if is_deed(one.values[0], asked.text) else nothing_found(asked, table, one)


def resolved(asked: Question, wanted: Asked) -> Generator[Call, str, Said | tuple[Asked, str]]:
    """With each text that no card shows looked for in the table; and what it was taken for, where that differs."""
    filters: list[Filter] = []
    remarks: list[str] = []
    for one in wanted.filters:
        if not one.sought:
            filters.append(one)
            continue
        sql = search(wanted.table, one)
        if not sql:
            return _missing(asked, wanted.table, one)
        why = asked.tell("finding_value", value=one.values[0], table=wanted.table.name)
        columns = {column.name: column for column in wanted.table.columns}
        hits = [hit for hit in found((yield Call(QUERY, sql, why))) or [] if hit[1] in columns]
        values = all_meant(hits, one.values[0])
        if not values or any(value.endswith("…") for value in values):
            return _missing(asked, wanted.table, one)
        if not hits[0][0]:
            told = either(asked.language, "” or “", "」または「").join(values)
            remarks.append(asked.tell("taken_as", text=literal(one.values[0]), value=literal(told)))
        filters.append(Filter(columns[hits[0][1]], "<>" if one.operator == "not find" else "=", values, one.turn))
    return replace(wanted, filters=put_together(narrowed(filters))), " ".join(remarks)
