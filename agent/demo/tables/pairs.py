"""Two figures of a table set against each other: the share of one row or group in all, the difference of two."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import writable, written
from agent.data.tables.questions.table_schema import Asked, Filter, Operator, Table, usual
from agent.demo.phrasebook import forms
from agent.demo.rules.plan import QUERY, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation
from agent.demo.tables.ability import resolved
from agent.demo.tables.table_answers import answered, grouped, seen
from agent.text.sums.phrases import Value, either, matches, measured, shown

_SHARE = {"en": forms("share_of_table_en"), "ja": forms("share_of_table_ja")}
_SHARE_OF_ROWS = forms("share_of_rows_en")
_DIFFERENCE = {"en": forms("difference_in_table_en"), "ja": forms("difference_in_table_ja")}
_COMPARED = forms("compared_rows")
_SUPERLATIVES = {"farther": "farthest", "further": "furthest"}
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
    if (said.get("ratio") or said.get("whether")) and both[0] and _of_one(both[0], both[1]):
        way = "ratio" if said.get("ratio") else "up" if best.asked.order == "down" else "down"
        return Plan(partial(_compared, asked, (both[0], both[1]), (said["a"], said["b"]), way))
    rows = next(iter(readings(f"list {said['a']}", tables, asked.today)), None)
    if rows is None or rows.cost > _MOST_DOUBT or rows.asked.table != best.asked.table:
        return None
    wider = replace(best.asked, filters=rows.asked.filters, limit=20)
    return Plan(partial(_beyond, asked, (both[1], wider), said["b"], ">" if best.asked.order == "down" else "<"))


def _compared(asked: Question, pair: tuple[Asked, Asked], ends: tuple[str, str], way: str) -> Steps:
    figures = yield from _both(asked, pair)
    if isinstance(figures, Said):
        return figures
    what = pair[0].column.called if pair[0].column else ""
    told = {"what": what, "a": ends[0], "b": ends[1], "first": grouped(figures[0]), "second": grouped(figures[1])}
    if way != "ratio":
        more = Decimal(figures[0]) > Decimal(figures[1])
        return Said(asked.tell("row_is" if more == (way == "up") else "row_is_not", **told))
    value = Value(
        (yield calculation(asked, asked.tell("ratio_of_rows_called", **told), f"{figures[0]} / {figures[1]}"))
    )
    return Said(asked.tell("ratio_of_rows", **told, figure=measured(value, asked.language)), value)


def _beyond(asked: Question, pair: tuple[Asked, Asked], end: str, operator: Operator) -> Steps:
    figure = yield from _seen(asked, pair[0])
    if isinstance(figure, Said):
        return figure
    wanted = replace(pair[1], filters=(*pair[1].filters, Filter(pair[0].column, operator, (figure,))))
    made = written(wanted)
    observation = yield Call(QUERY, made.sql, asked.tell("querying", reading=end, table=wanted.table.name))
    result = seen(observation, len(made.columns))
    if result is None:
        return Said(asked.tell("query_failed", reason=observation.split("\n", 1)[0]))
    told = {"what": pair[0].column.called if pair[0].column else "", "b": end, "second": grouped(figure)}
    return Said(asked.tell("beyond_row", **told) + "\n\n" + answered(asked.language, wanted, made.columns, result, ""))


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


def _seen(asked: Question, one: Asked) -> Generator[Call, str, Said | str]:
    """The one figure that is asked for."""
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
    return result.rows[0][0]


def _both(asked: Question, pair: tuple[Asked, Asked]) -> Generator[Call, str, Said | list[str]]:
    """The figures of the two; what cannot be looked up is said in their place."""
    figures: list[str] = []
    for one in pair:
        found = yield from _seen(asked, one)
        if isinstance(found, Said):
            return found
        figures.append(found)
    return figures


def _steps(asked: Question, pair: tuple[Asked, Asked], ends: tuple[str, str], share: bool) -> Steps:
    language = asked.language
    figures = yield from _both(asked, pair)
    if isinstance(figures, Said):
        return figures
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
