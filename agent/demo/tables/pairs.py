"""Two figures of a table set against each other: the share of one row or group in all, the difference of two."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Literal

from agent.data.tables.questions.observed import grouped, is_plain
from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import writable, written
from agent.data.tables.questions.table_schema import Asked, Filter, Operator, Table, usual
from agent.data.tables.worded.worded_pairs import english_pair
from agent.data.tables.wordings.japanese_pairs import japanese_pair
from agent.data.tables.wordings.set_against import Against, worked_out
from agent.demo.phrasebook import forms
from agent.demo.rules.plan import Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation
from agent.demo.tables.ability import looked_up, resolved
from agent.demo.tables.table_answers import answered
from agent.text.sums.phrases import Value, either, matches, measured, shown

_SHARE: dict[str, tuple[str, ...]] = {"en": forms("share_of_table_en"), "ja": ()}  # 「全体の何割」 is read before
_DIFFERENCE = {"en": forms("difference_in_table_en"), "ja": forms("difference_in_table_ja")}
_COMPARED = forms("compared_rows")
# What is told of two figures: by the sentence of that name, or whether the first is "up", above the second.
Way = Literal[Against, "ratio_of_rows"]
_WAYS: tuple[tuple[dict[str, tuple[str, ...]], Way], ...] = (
    (_SHARE, "share_of_table"),
    (_DIFFERENCE, "difference_in_table"),
)
_CALLED = {"share_of_table": "share_of_table_called", "change_of_rows": "change_of_rows_called"}
_SUPERLATIVES = {"farther": "farthest", "further": "furthest"}
_MOST_DOUBT = 6  # of reading one of the two


def pair_asked(asked: Question) -> Plan | None:
    """ "What share of all moons does Saturn have?", 「AとBの売上の差は？」."""
    tables = tuple(table for table in asked.tables if writable(table))
    text = asked.text.rstrip("?？.。 ")
    of_two = english_pair if asked.language == "en" else japanese_pair
    read = [both for table in tables if (both := of_two(text, table, asked.today))]
    if len(read) == 1:
        (both,) = read
        return Plan(partial(_steps, asked, both[:2], *both[2:]))
    for several, way in _WAYS:
        for said in matches(several[asked.language], text):
            ends = (said["a"], said.get("b", ""))
            first = _figure(asked, said.get("what", ""), ends[0], tables)
            of_first = first.column.called if first and first.column else ""  # "how much more does A weigh than B"
            second = _figure(asked, said.get("what") or of_first, ends[1], tables)
            if first and second and first.filters and _of_one(first, second):
                return Plan(partial(_steps, asked, (first, second), ends, way))
    for said in matches(_COMPARED if asked.language == "en" else (), text):
        if found := _rows_compared(asked, said, tables):
            return found
    return None


def _rows_compared(asked: Question, said: dict[str, str], tables: Sequence[Table]) -> Plan | None:
    """ "Planets heavier than Earth", "how many times bigger is A than B?": by the column of "the heaviest"."""
    wanted = said["wanted"].lower()
    most = f"most {wanted[5:]}" if wanted.startswith("more ") else _SUPERLATIVES.get(wanted) or wanted[:-1] + "st"
    best = next(iter(readings(f"which row is the {most}", tables, asked.today)), None)
    column = best.asked.column if best and best.asked.order else None
    if best is None or column is None:
        return None
    both = [_figure(asked, column.called, end, tables) for end in (said["a"], said["b"])]
    if both[1] is None or not both[1].filters:
        return None
    if (said.get("ratio") or said.get("whether")) and both[0] and both[0].filters and _of_one(both[0], both[1]):
        way: Way = "ratio_of_rows" if said.get("ratio") else "up" if best.asked.order == "down" else "down"
        return Plan(partial(_steps, asked, (both[0], both[1]), (said["a"], said["b"]), way))
    rows = next(iter(readings(f"list {said['a']}", tables, asked.today)), None)
    if rows is None or rows.cost > _MOST_DOUBT or rows.asked.table != best.asked.table:
        return None
    wider = replace(best.asked, filters=rows.asked.filters, limit=20)
    return Plan(partial(_beyond, asked, (both[1], wider), said["b"], ">" if best.asked.order == "down" else "<"))


def _beyond(asked: Question, pair: tuple[Asked, Asked], end: str, operator: Operator) -> Steps:
    figure = yield from _seen(asked, pair[0])
    if isinstance(figure, Said):
        return figure
    wanted = replace(pair[1], filters=(*pair[1].filters, Filter(pair[0].column, operator, (figure,))))
    result = yield from looked_up(asked, wanted, end)
    if isinstance(result, Said):
        return result
    told = {"what": pair[0].column.called if pair[0].column else "", "b": end, "second": grouped(figure)}
    rows = answered(asked.language, wanted, written(wanted).columns, result, "")
    return Said("\n\n".join((asked.tell("beyond_row", **told), rows)))


def _figure(asked: Question, what: str, of: str, tables: Sequence[Table]) -> Asked | None:
    """What the figure of one side is read as; averages for what has no sum."""
    english = " ".join(filter(None, ("total", what, f"of {of}" if of else "")))
    text = either(asked.language, english, f"{of}の{what}の合計" if of else f"{what}の合計")
    several = readings(text, tables, asked.today)
    found = next(iter(several if several or what else readings(f"{text} paid", tables, asked.today)), None)
    if found is None or found.cost > _MOST_DOUBT or found.asked.measure != "sum" or found.asked.groups:
        return None
    column = found.asked.column
    return replace(found.asked, measure=usual(column)) if column else None


def _of_one(first: Asked, second: Asked) -> bool:
    alike = (first.table, first.column, first.measure) == (second.table, second.column, second.measure)
    return alike and first.filters != second.filters


def _seen(asked: Question, one: Asked) -> Generator[Call, str, Said | str]:
    """The one figure that is asked for."""
    found = yield from resolved(asked, one)
    if isinstance(found, Said):
        return found
    result = yield from looked_up(asked, found[0], written(found[0]).columns[0])
    if isinstance(result, Said):
        return result
    if not result.rows or result.rows[0][0] == "NULL":
        return Said(asked.tell("no_row", table=one.table.name))
    return result.rows[0][0]


def _steps(asked: Question, pair: tuple[Asked, Asked], ends: tuple[str, str], way: Way) -> Steps:
    language = asked.language
    figures: list[str] = []
    for one in pair:
        found = yield from _seen(asked, one)
        if isinstance(found, Said):
            return found
        figures.append(found)
    first, second = figures
    column = pair[0].column if pair[0].measure != "distinct" else None
    what = column.called if column else either(language, "number", "件数")
    one, other = figures if column and is_plain(column) else map(grouped, figures)
    told = {"what": what, "a": ends[0], "b": ends[1], "first": one, "second": other}
    if way in ("up", "down"):
        holds = Decimal(first) > Decimal(second) if way == "up" else Decimal(first) < Decimal(second)
        return Said(asked.tell("row_is" if holds else "row_is_not", **told))
    called = "ratio_of_rows_called" if way == "ratio_of_rows" else _CALLED.get(way, "difference_in_table_called")
    value = Value((yield calculation(asked, asked.tell(called, **told), worked_out(way, first, second))))
    figure = (shown if way in ("difference_in_table", "range_in_table") else measured)(value, language)
    said = way if way != "change_of_rows" else "rise_of_rows" if Decimal(first) < Decimal(second) else "fall_of_rows"
    return Said(asked.tell(said, **told, figure=figure), None if way in ("share_of_table", "change_of_rows") else value)
