"""Repairs of a loaded table, done and undone: the table is made again from what it was before all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.engine import importing
from agent.data.tables.columns import CHOICES, Base, Column, Repair, Table
from agent.data.tables.identifiers import column_names, literal, quoted
from agent.data.tables.loading.load_work import Limits, Reporter, new_file, unfinished, write_parquet
from agent.data.tables.loading.raw_tables import Made, made_of_text, retyped

_ORDERS = ("day first", "month first")


def retyping(table: Table, column: str, to: str) -> tuple[Table, tuple[Repair, ...]]:
    """The table with a base, and the repairs that are wanted where ``column`` is to be read as ``to``."""
    base = table.base or Base(table.file, columns=table.columns)
    names = column_names(base.labels) if base.labels else [one.name for one in base.columns]
    if base.lower and any(repair.kind == "heads" and not repair.on for repair in table.repairs):
        names = column_names(base.lower)
    if column not in names or column not in {one.name for one in table.columns} or to not in CHOICES:
        raise Refused.because(
            "There is no column “{column}”, or no type “{to}”.", column=column[:80], to=to[:40], kind="name"
        )
    place = names.index(column)
    others = [repair for repair in table.repairs if (repair.kind, repair.column) != ("type", place)]
    return replace(table, base=base), (*others, Repair("type", column=place, to=to))


def changed(table: Table, place: int, to: str) -> tuple[Repair, ...]:
    """The repairs that are wanted where the one at ``place`` is to be ``on``, ``off``, or dates in another order."""
    if not 0 <= place < len(table.repairs) or to not in ("on", "off", *_ORDERS):
        raise Refused.because("There is no such repair.", kind="name")
    repair = table.repairs[place]
    if repair.kind == "type":
        return (*table.repairs[:place], *table.repairs[place + 1 :])
    made = replace(repair, on=to != "off", to=to if to in _ORDERS else repair.to)
    return (*table.repairs[:place], made, *table.repairs[place + 1 :])


def repaired(table: Table, folder: Path, wanted: Sequence[Repair]) -> Table:
    """The table with these repairs, in a new file."""
    base = table.base
    if base is None:
        raise Refused.because("There is no such repair.", kind="name")
    if not wanted and base.columns:
        return replace(table, file=base.file, columns=base.columns, repairs=(), base=None)
    target, file = folder / new_file(), str(folder / base.file)
    with importing(folder, Limits().memory) as connection, unfinished(target) as part:
        if base.columns:
            source = f"read_parquet({literal(file)})"
            made = _cast(connection, source, base.columns, wanted, part)
        else:
            made = made_of_text(connection, file, base, wanted, part, Reporter(None))
    return replace(table, file=target.name, rows=made.rows, columns=made.columns, repairs=made.repairs)


def _cast(
    connection: duckdb.DuckDBPyConnection, source: str, columns: Sequence[Column], wanted: Sequence[Repair], part: Path
) -> Made:
    by_place = {repair.column: repair for repair in wanted}
    made: list[Column] = []
    parts: list[str] = []
    repairs: list[Repair] = []
    for place, column in enumerate(columns):
        sql, now = quoted(column.name), column
        if repair := by_place.get(place):
            sql, now, repair = retyped(connection, source, column, repair)
            repairs.append(repair)
        made.append(now)
        parts.append(f"{sql} AS {quoted(column.name)}")
    rows = write_parquet(connection, f"SELECT {', '.join(parts)} FROM {source}", part, Reporter(None), "Writing")
    return Made(tuple(made), rows, tuple(repairs))
