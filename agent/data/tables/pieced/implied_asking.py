"""A question of one table that names what no heading does, read once that is named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.data.tables.pieced.next_row import next_asked
from agent.data.tables.pieced.pieced_asking import pieced_asked
from agent.data.tables.questions.sentence import is_settled, readings
from agent.data.tables.questions.table_schema import Asked, Column, Table
from agent.data.tables.worded.implied import Implied
from agent.data.tables.worded.implied_columns import implied
from agent.data.tables.worded.implied_states import with_states
from agent.data.tables.worded.misreadings import asks_twice
from agent.data.tables.worded.said_otherwise import said_otherwise
from agent.data.tables.worded.scored_columns import with_difference
from agent.data.tables.worded.whole_asking import whole_asked


def in_known_words(text: str, table: Table, today: date | None) -> tuple[str, Table, Asked | None]:
    """The question in words that the readers know, its table with what it implies, and what it asks where that is sure.

    What is asked is sure where it is about what was implied, and no part of it is left over.
    """
    text, table = with_difference(*with_states(said_otherwise(text, table, today), table, today))
    if ahead := next_asked(text, table, today):
        return text, table, ahead
    named = implied(text, table)
    if named is None:
        return text, table, None
    about = next((one for one in _read(named, today) if named.column in _columns(one)), None)
    return named.text.replace("“", "").replace("”", ""), named.table, about


def _read(named: Implied, today: date | None) -> Iterator[Asked]:
    """What each reader makes of it, one after the other."""
    yield from (asked for asked, _ in whole_asked(named.text, named.table, today, "en") if is_settled(asked))
    if pieced := pieced_asked(named.text, named.table, today):
        yield pieced
    if not asks_twice(named.text):
        yield from (one.asked for one in readings(named.text, (named.table,), today) if not one.cost)


def _columns(asked: Asked) -> set[Column | None]:
    return {asked.column, *asked.shown, *(one.column for one in asked.filters)}
