"""A table out of the text of its cells: what is no data is left out, the rest is read by the forms that fit.

The same is done once more where a person does a repair or undoes one: what they wanted comes as ``Repair`` values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.engine import fetch_one
from agent.data.tables.columns import CHOICES, Base, Column, Repair
from agent.data.tables.identifiers import column_names, quoted, told_apart
from agent.data.tables.loading.column_types import Reading, decided_by_all, form_named, in_doubt
from agent.data.tables.loading.formats.period_heads import is_period
from agent.data.tables.loading.load_work import Reporter, write_parquet
from agent.data.tables.loading.odd_rows import (
    Totals,
    confirmed_totals,
    furniture,
    likely_totals,
    name_their_sums,
    raw_name,
    rows_of,
)
from agent.data.tables.loading.value_forms import DATE_ORDERS, NO_VALUE, no_value, text_value, unit_in_label, verified

_SAMPLE = 1_000
Wanted = Mapping[tuple[str, int], Repair]


@dataclass(frozen=True, slots=True)
class Made:
    """What was written: ``columns`` as they are now, and all that was put right or can be."""

    columns: tuple[Column, ...]
    rows: int
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Places of rows: those that are left out, and the repairs that say so."""

    without: tuple[int, ...]
    readings: Sequence[Reading]
    repairs: tuple[Repair, ...]


def made_of_text(
    connection: duckdb.DuckDBPyConnection,
    file: str,
    base: Base,
    wanted: Sequence[Repair],
    part: Path,
    reporter: Reporter,
) -> Made:
    """Write to ``part`` the table of the text in ``file``, which is to be the file of ``base``.

    ``wanted`` are repairs of an earlier making as a person wants them now. Raises ``Refused`` where no value fits.
    """
    by_place = {(repair.kind, repair.column): repair for repair in wanted}
    heads = by_place.get(("heads", -1), Repair("heads", count=2)) if base.lower else None
    labels = told_apart(base.labels if heads is None or heads.on else base.lower)
    rows = _rows(connection, file, base, by_place)
    source = rows_of(file, rows.without)
    names = column_names(labels)
    columns: list[Column] = []
    parts: list[str] = []
    repairs = [*([heads] if heads else []), *rows.repairs]
    for place, (name, label, reading) in enumerate(zip(names, labels, rows.readings, strict=True)):
        if reading.empty and not label:
            continue  # what a mark at the end of every line makes
        found, ready = _dated(reading, by_place.get(("dates", place)), place, label)
        chosen = by_place.get(("type", place))
        raw = Column(raw_name(place), label, "VARCHAR")
        if chosen:
            sql, column, chosen = retyped(connection, source, raw, chosen)
        else:
            sql, column = _value(ready, raw.name), column_of(name, label, ready)
        columns.append(replace(column, name=name))
        parts.append(f"{sql} AS {quoted(name)}")
        repairs += [repair for repair in (None if chosen else found, chosen) if repair]
    written = write_parquet(
        connection, f"SELECT {', '.join(parts)} FROM {source}", part, reporter, "Writing", len(columns)
    )
    return Made(tuple(columns), written, tuple(repairs))


def _rows(connection: duckdb.DuckDBPyConnection, file: str, base: Base, wanted: Wanted) -> _Rows:
    """What is left out, and how the columns of the rest are read."""
    names = [raw_name(place) for place in range(len(base.labels))]
    found = furniture(connection, file, base.lower or base.labels)
    odd, without, repairs = list(found.rows), list[int](), list[Repair]()
    if odd:
        repair = replace(wanted.get(("furniture", -1), Repair("furniture")), count=len(odd))
        repair = replace(repair, to="notes" if found.notes else "")
        repairs.append(repair)
        without = odd if repair.on else []
    likely = likely_totals(connection, file, names, odd)
    readings = decided_by_all(connection, rows_of(file, [*without, *likely]), names, base.comma)
    totals = confirmed_totals(connection, file, readings, likely, odd) if likely else Totals()
    if not totals.rows:
        left = []
    else:
        asked_for = any(map(is_period, base.labels[1:])) and name_their_sums(connection, file, totals.rows)
        first = Repair("totals", on=totals.sure and not asked_for, sure=totals.sure and not asked_for)
        repair = replace(wanted.get(("totals", -1), first), count=len(totals.rows))
        repairs.append(repair)
        left = list(totals.rows) if repair.on else []
    if left != likely:
        readings = decided_by_all(connection, rows_of(file, [*without, *left]), names, base.comma)
    return _Rows(tuple(sorted((*without, *left))), readings, tuple(repairs))


def _dated(reading: Reading, wanted: Repair | None, place: int, label: str) -> tuple[Repair | None, Reading]:
    """The repair of a column of dates that are in several formats, or in one of two orders, and its reading then."""
    form = reading.form
    if form is None or not (in_doubt(reading) or reading.mixed):
        return None, reading
    orders = {one.name: one for one in (form, *reading.open)}
    order = form.name if form.name in DATE_ORDERS.values() else ""
    repair = Repair("dates", True, form.formats, place, label, order.removeprefix("date, "), not in_doubt(reading))
    if wanted:
        to = wanted.to if f"date, {wanted.to}" in orders else repair.to
        repair = replace(repair, on=wanted.on, to=to)
    if not repair.on:
        return repair, Reading(None, open=reading.open)
    return repair, Reading(orders.get(f"date, {repair.to}", form))


def _value(reading: Reading, raw: str) -> str:
    return text_value(quoted(raw)) if reading.form is None else verified(reading.form, quoted(raw))


def column_of(name: str, label: str, reading: Reading) -> Column:
    """The column that is read so: its unit is that of its values, or the one in its header."""
    form = reading.form
    if form is None:
        return Column(name, label, "VARCHAR", "", reading.note)
    unit = form.unit or (unit_in_label(label) if form.type in ("BIGINT", "DOUBLE") else "")
    return Column(name, label, form.type, unit, reading.note)


def retyped(
    connection: duckdb.DuckDBPyConnection, source: str, column: Column, wanted: Repair
) -> tuple[str, Column, Repair]:
    """SQL for the values of ``column`` of ``source`` as the type that is wanted, the column, and what was lost.

    Raises ``Refused`` where all would be.
    """
    name, to = quoted(column.name), wanted.to
    text = f"CAST({name} AS VARCHAR)"
    sample = connection.execute(f"SELECT {text} FROM {source} WHERE {name} IS NOT NULL LIMIT {_SAMPLE}").fetchall()
    value, made = _retyped_value(column, to, [str(row[0]).strip() for row in sample])
    kept = f"count(*) FILTER (WHERE ({value}) IS NOT NULL OR {no_value(text)})"
    filled, lost = fetch_one(connection, f"SELECT count(*), count(*) - {kept} FROM {source} WHERE {name} IS NOT NULL")
    if lost and lost == filled:
        raise Refused.because("No value of {column} can be read as {to}.", column=column.label or column.name,
                              to=to, kind="input")  # fmt: skip
    return value, made, replace(wanted, count=int(lost), label=column.label or column.name)


def _retyped_value(column: Column, to: str, sample: list[str]) -> tuple[str, Column]:
    name, type_name = quoted(column.name), CHOICES[to]
    made = replace(column, type=type_name, note="", unit=column.unit if type_name in ("DOUBLE", "BIGINT") else "")
    if column.type != "VARCHAR" or to == "text":
        return (text_value(name) if column.type == "VARCHAR" else f"TRY_CAST({name} AS {type_name})"), made
    wanted = [text for text in sample if text.lower() not in NO_VALUE]
    form = form_named(to, wanted) or (form_named("number", wanted) if to == "whole number" else None)
    if form is None:
        # Ids with leading zeros and the like, which are made numbers only where somebody asks for it.
        return f"TRY_CAST(trim({name}) AS {type_name})", made
    if type_name in ("DOUBLE", "BIGINT"):
        # Zeros before a number make it an id, until somebody says that it is none.
        name = f"regexp_replace({name}, '^(\\s*[-+]?)0+([0-9])', '\\1\\2')"
    ready = f"CASE WHEN NOT {no_value(name)} THEN TRY_CAST({form.sql(name)} AS {type_name}) END"
    return ready, replace(made, unit=form.unit)
