"""The text of a query's result, read again, and what is said of it: its figures exactly as observed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.headings import PERIODS_JA, capitalised, unit_apart
from agent.data.tables.mentioned.question_inside import near_ones
from agent.data.tables.questions.measure_words import MEASURES_JA
from agent.data.tables.questions.naming import figure_of, suggested, unquoted
from agent.data.tables.questions.observed import (
    Seen,
    asked_told,
    cells_told,
    grouped,
    markdown_table,
    ranked,
    rows_counted,
    rows_shown,
    yes_or_no,
)
from agent.data.tables.questions.table_schema import Asked, Filter, Table
from agent.demo.phrasebook import tell
from agent.demo.rules.plan import Question, Said
from agent.text.literal_marks import literal
from agent.text.sums.phrases import Language, either

_LISTED = 12  # a year of months
_DRAWN = "The chart was drawn"


def answered(language: Language, asked: Asked, names: Sequence[str], result: Seen, drawn: str) -> str:
    """``names``: those of the result's columns; ``drawn``: what the chart tool said, if it was asked."""
    if not result.rows:
        return tell(language, "no_row", table=asked.table.name)
    if asked.chart and asked.measure == "rows":
        text = tell(language, "drawn_rows", total=result.total, table=asked.table.name)
    elif asked.measure == "rows":
        text = _rows(language, asked, names, result)
    elif asked.groups:
        text = _groups(language, asked, result)
    else:
        text = _single(language, asked, result.rows[0])
    if not drawn or drawn.startswith(_DRAWN):
        return text
    reason = drawn.split("\n", 1)[0].strip()
    return "\n\n".join([text, tell(language, "not_drawn", reason=reason)])


def _named(language: Language, asked: Asked) -> str:
    if language == "en":
        return figure_of(asked)
    return f"{asked.column.called}の{MEASURES_JA.get(asked.measure, '件数')}" if asked.column else "件数"


def _single(language: Language, asked: Asked, row: tuple[str, ...]) -> str:
    figure, used = row[0], row[-1]
    if asked.column is None:
        counted = "row_count_fitting" if asked.filters else "row_count"
        return tell(language, counted, table=asked.table.name, figure=grouped(figure))
    name = _named(language, asked)
    if figure == "NULL":
        return tell(language, "no_figure", name=name, table=asked.table.name)
    told = {"rows": rows_counted(used), "used": grouped(used), "table": asked.table.name, "name": name}
    return tell(language, "figure", **told, figure=asked_told(figure, asked))


def _groups(language: Language, asked: Asked, result: Seen) -> str:
    kinds = [either(language, group.period, PERIODS_JA[group.period]) or group.column.called for group in asked.groups]
    name, count = _named(language, asked), len(kinds)
    single = len(result.rows) > 1 and all(row[-1] == "1" for row in result.rows)  # each is a row, not made of some
    shown = [yes_or_no(asked.groups, row) for row in result.rows[:_LISTED]]
    if len(shown) == 1:
        (row,) = shown
        kind = either(language, " and ", "・").join(kinds)
        head = tell(language, "grouped", name=name, kind=kind, table=asked.table.name, ranked=ranked(asked))
        of_rows = _of_rows(language, asked, row[-1])
        told = f"{literal(cells_told(row[:count], name))}: {_figure(language, asked, row[count])}{of_rows}"
        lines = [f"{head}\n", f"- {told}"]
    else:  # how it was read says of what it is
        used = not (single or asked.column is None)
        of_rows = [tell(language, "rows_head")] if used else []
        heads = [*map(capitalised, [*kinds, unit_apart(unquoted(name)), *of_rows])]
        cells = [
            [*(cells_told((cell,), name) for cell in row[:count]), _figure(language, asked, row[count])]
            + ([grouped(row[-1])] if used else [])
            for row in shown
        ]
        lines = markdown_table(heads, cells, [place >= count for place in range(len(heads))])
    return "\n".join([*lines, *_more(language, len(shown), result)])


def _figure(language: Language, asked: Asked, figure: str) -> str:
    return tell(language, "no_value") if figure == "NULL" else asked_told(figure, asked)


def _of_rows(language: Language, asked: Asked, used: str) -> str:
    told = asked.column is not None and used != "0"
    return tell(language, "from_rows", rows=rows_counted(used), used=grouped(used)) if told else ""


def _more(language: Language, shown: int, result: Seen) -> list[str]:
    return [] if result.total == str(shown) else ["\n" + tell(language, "more_rows", total=result.total)]


def _rows(language: Language, asked: Asked, names: Sequence[str], result: Seen) -> str:
    columns = {column.name: column for column in asked.table.columns}
    shown = result.rows[:_LISTED]
    lines = rows_shown([columns.get(name) for name in names], shown, names)
    head = tell(language, "rows", rows=rows_counted(result.total), total=result.total, table=asked.table.name)
    return "\n".join([f"{head}\n", *lines, *_more(language, len(shown), result)])


def nothing_found(asked: Question, table: Table, one: Filter) -> Said:
    where = {"table": table.name, "column": one.column.name if one.column else ""}
    text = asked.tell("no_value_column" if one.column else "no_value_table", value=literal(one.values[0]), **where)
    chips = near_ones(asked.text, (table,), asked.language, asked.today) or suggested(None, [table], asked.language)
    return Said(text, None, chips, hint=True)
