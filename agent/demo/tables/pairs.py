"""Two figures of a table set against each other: the share of one row or group in all, the difference of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import writable, written
from agent.data.tables.questions.table_schema import Asked, Table, usual
from agent.demo.phrasebook import forms
from agent.demo.rules.plan import QUERY, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation
from agent.demo.tables.ability import resolved
from agent.demo.tables.table_answers import grouped, seen
from agent.text.sums.phrases import Value, either, matches, measured, shown

_SHARE = {"en": forms("share_of_table_en"), "ja": forms("share_of_table_ja")}
_SHARE_OF_ROWS = forms("share_of_rows_en")
_DIFFERENCE = {"en": forms("difference_in_table_en"), "ja": forms("difference_in_table_ja")}
_MOST_DOUBT = 6  # of reading one of the two


def pair_asked(asked: Question) -> Plan | None:
    """ "What share of all moons does Saturn have?", 「AとBの売上の差は？」."""
    tables = tuple(table for table in asked.tables if writable(table))
    text = asked.text.rstrip("?？.。 ")
    for said in matches(_SHARE_OF_ROWS if asked.language == "en" else (), text):
        several = [_counted(asked, f"how many {said['what']}{end}", tables) for end in (f" {said['a']}", "")]
        first, second = several
        if first and second and first.filters and not second.filters and _of_one(first, second):
            return Plan(partial(_steps, asked, (first, second), (f"{said['what']} that {said['a']}", ""), share=True))
    for several, share in ((_SHARE, True), (_DIFFERENCE, False)):
        for said in matches(several[asked.language], text):
            ends = (said["a"], "" if share else said["b"])
            pair = [_figure(asked, said.get("what", ""), end, tables) for end in ends]
            first, second = pair
            if first and second and first.filters and _of_one(first, second):
                return Plan(partial(_steps, asked, (first, second), ends, share))
    return None


def _figure(asked: Question, what: str, of: str, tables: Sequence[Table]) -> Asked | None:
    """What the figure of one side is read as; averages for what has no sum."""
    english = " ".join(filter(None, ("total", what, f"of {of}" if of else "")))
    text = either(asked.language, english, f"{of}の{what}の合計" if of else f"{what}の合計")
    found = next(iter(readings(text, tables, asked.today)), None)
    if found is None or found.cost > _MOST_DOUBT or found.asked.measure != "sum" or found.asked.groups:
        return None
    column = found.asked.column
    return replace(found.asked, measure=usual(column)) if column else None


def _counted(asked: Question, text: str, tables: Sequence[Table]) -> Asked | None:
    found = next(iter(readings(text, tables, asked.today)), None)
    counts = found is not None and found.asked.measure in ("count", "distinct") and not found.asked.groups
    return found.asked if found and counts and found.cost <= _MOST_DOUBT else None


def _of_one(first: Asked, second: Asked) -> bool:
    alike = (first.table, first.column, first.measure) == (second.table, second.column, second.measure)
    return alike and first.filters != second.filters


def _steps(asked: Question, pair: tuple[Asked, Asked], ends: tuple[str, str], share: bool) -> Steps:
    language = asked.language
    figures: list[str] = []
    for one in pair:
        found = yield from resolved(asked, one)
        if isinstance(found, Said):
            return found
        made = written(found[0])
        called = asked.tell("querying", reading=made.columns[0], table=one.table.name)
        observation = yield Call(QUERY, made.sql, called)
        result = seen(observation, len(made.columns))
        if result is None:
            return Said(asked.tell("query_failed", reason=observation.split("\n", 1)[0]))
        if not result.rows or result.rows[0][0] == "NULL":
            return Said(asked.tell("no_row", table=one.table.name))
        figures.append(result.rows[0][0])
    what = pair[0].column.called if pair[0].column and pair[0].measure != "distinct" else "number"
    told = {"what": what, "a": ends[0], "b": ends[1], "first": grouped(figures[0]), "second": grouped(figures[1])}
    if share:
        wanted, name = f"{figures[0]} / {figures[1]} * 100", "share_of_table"
    else:
        less, more = sorted(figures, key=Decimal)
        wanted, name = f"{more} - {less}", "difference_in_table"
    thought = asked.tell("share_of_table_called" if share else "difference_in_table_called", **told)
    value = Value((yield calculation(asked, thought, wanted)))
    figure = measured(value, language) if share else shown(value, language)
    return Said(asked.tell(name, **told, figure=figure), None if share else value)
