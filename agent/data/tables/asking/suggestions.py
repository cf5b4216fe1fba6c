"""Sentences for tables and columns that are not there, with those that are. Imports nothing heavy."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from agent.data.tables.cells import one_line
from agent.interface_text import Text, joined

_MOST_TABLES = 30
_MOST_COLUMNS = 40
_LONGEST_NAME = 80
_NONE_LOADED = Text("no table is loaded")


def missing_table(name: str, columns: Mapping[str, Collection[str]], none: str = _NONE_LOADED) -> Text:
    """The sentence for a table that is not there, with those that are; ``none`` says why there are none."""
    shown = one_line(name, _LONGEST_NAME)
    if not columns:
        return Text("There is no table “{name}”: {none}.", name=shown, none=none)
    there = listed(list(columns), _MOST_TABLES)
    if near := nearest(name, columns):
        return Text(
            "There is no table “{name}”. Did you mean {near}? The tables are: {there}.",
            name=shown,
            near=near,
            there=there,
        )
    return Text("There is no table “{name}”. The tables are: {there}.", name=shown, there=there)


def missing_column(name: str, sql: str, columns: Mapping[str, Collection[str]]) -> Text:
    """The sentence for a column that no table in ``sql`` has, with those they have."""
    words = {word.lower() for word in re.findall(r"\w+", sql)}
    used = {table: names for table, names in columns.items() if table.lower().rsplit(".", 1)[-1] in words} or columns
    near = nearest(name, [column for names in used.values() for column in names])
    there = joined(
        "; ",
        (
            Text("{table} has {columns}", table=one_line(table, _LONGEST_NAME), columns=listed(names))
            for table, names in list(used.items())[:4]
        ),
    )
    shown = one_line(name, _LONGEST_NAME)
    if near:
        return Text(
            "There is no column “{name}”. Did you mean {near}? Columns: {there}.", name=shown, near=near, there=there
        )
    return Text("There is no column “{name}”. Columns: {there}.", name=shown, there=there)


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
