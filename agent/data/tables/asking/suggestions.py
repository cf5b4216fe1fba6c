"""Sentences for tables and columns that are not there, with those that are. Imports nothing heavy."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from agent.data.tables.cells import one_line

_MOST_TABLES = 30
_MOST_COLUMNS = 40
_LONGEST_NAME = 80


def missing_table(name: str, columns: Mapping[str, Collection[str]], none: str = "no table is loaded") -> str:
    """The sentence for a table that is not there, with those that are; ``none`` says why there are none."""
    shown = one_line(name, _LONGEST_NAME)
    if not columns:
        return f"There is no table “{shown}”: {none}."
    near = nearest(name, columns)
    there = listed(list(columns), _MOST_TABLES)
    return f"There is no table “{shown}”.{f' Did you mean {near}?' if near else ''} The tables are: {there}."


def missing_column(name: str, sql: str, columns: Mapping[str, Collection[str]]) -> str:
    """The sentence for a column that no table in ``sql`` has, with those they have."""
    words = {word.lower() for word in re.findall(r"\w+", sql)}
    used = {table: names for table, names in columns.items() if table.lower().rsplit(".", 1)[-1] in words} or columns
    near = nearest(name, [column for names in used.values() for column in names])
    there = "; ".join(
        f"{one_line(table, _LONGEST_NAME)} has {listed(names)}" for table, names in list(used.items())[:4]
    )
    shown = one_line(name, _LONGEST_NAME)
    return f"There is no column “{shown}”.{f' Did you mean {near}?' if near else ''} Columns: {there}."


def listed(names: Collection[str], most: int = _MOST_COLUMNS) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(one_line(name, _LONGEST_NAME) for name in list(names)[:most]) + more


def nearest(name: str, names: Collection[str]) -> str:
    """The one of ``names`` that is most like ``name``, "" where none is."""
    by_case = {other.lower(): other for other in names}
    lowered = name.lower()
    close = get_close_matches(lowered, list(by_case), n=1, cutoff=0.6)
    within = [other for other in by_case if len(lowered) > 2 and (lowered in other or other in lowered)]
    return one_line(by_case[(close or within)[0]], _LONGEST_NAME) if close or within else ""
