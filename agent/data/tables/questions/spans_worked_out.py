"""How long something took, worked out for each row of a table that has when it began and when it ended."""

from __future__ import annotations

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_schema import Column, Table, measured
from agent.text.regex import regex

_TIME = regex(r"\d{1,2}:\d{2}(?::\d{2})?")


def times_of_day(table: Table) -> list[Column]:
    """Its columns of times like 18:30."""
    return [one for one in table.of_kind("other") if one.examples and all(map(_TIME.fullmatch, one.examples))]


def with_span(table: Table) -> tuple[Table, Column] | None:
    """The table with how long each row took as a column: the days between its two dates, or minutes between two times.

    ``None`` where it has other columns of time, or none that begins and ends first.
    """
    return None if table.joined else _with_days(table) or _with_minutes(table)


def _with_days(table: Table) -> tuple[Table, Column] | None:
    dates = sorted((one for one in table.of_kind("date") if one.least), key=lambda one: one.least)
    if len(dates) != 2 or dates[0].most > dates[1].most:
        return None
    first, last = dates
    days = Column(f"days_from_{first.name}_to_{last.name}", f"Days from {first.called} to {last.called}", "number")
    worked_out = f"round((epoch({quoted(last.name)}) - epoch({quoted(first.name)})) / 86400, 2)"
    return table.with_column(days, worked_out), days


def _with_minutes(table: Table) -> tuple[Table, Column] | None:
    """Of times the one that stands first is the begin; an end before it is of the next day."""
    times = times_of_day(table)
    if len(times) != 2 or any("time" in measured(one) for one in table.of_kind("number")):
        return None
    first, last = times
    name = f"minutes_from_{first.name}_to_{last.name}"
    minutes = Column(name, f"Minutes from {first.called} to {last.called}", "number", "min")
    took = f"(epoch({quoted(last.name)}) - epoch({quoted(first.name)})) / 60"
    return table.with_column(minutes, f"round({took} + CASE WHEN {took} < 0 THEN 1440 ELSE 0 END, 2)"), minutes
