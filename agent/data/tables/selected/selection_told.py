"""A selection in plain words: how a question was read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.headings import capitalised, says_unit
from agent.data.tables.questions.measure_words import COMPARED, MEASURES
from agent.data.tables.questions.observed import Seen, cell_told, cells_told, grouped, lines_told, with_unit
from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.selected.selection import (
    AgainstMean,
    Condition,
    Extreme,
    Figure,
    Holding,
    Linked,
    Ordering,
    Selection,
    Worded,
)

LISTED = 12  # rows
_FUNCTIONS = {**MEASURES, "distinct": "number of different"}
_OPERATORS = {**COMPARED, "=": "", "<>": "not"}
_COUNTED = {">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "=": "exactly", "<>": "not exactly"}


def selection_told(made: Selection) -> str:
    """ "Name and capacity of stadium, with the highest capacity"."""
    shown = [_figure(one, made.table) for one in made.shown]
    text = _listed(shown) if shown else "all columns"
    text = f"different {text}" if made.different and not made.groups else text
    if not (len(made.shown) == 1 and made.shown[0].column is None):
        text += f" of {_name(made.table)}"
    if made.groups:
        text += f" for each {_listed([_called(one.column) for one in made.groups if one.column])}"
    if made.having:
        text += f", with {_COUNTED[made.having[0]]} {made.having[1]} rows each"
    if made.conditions:
        text += f", {conditions_told(made)}"
    text += "".join(f", {_order(one, made)}" for one in made.orders)
    return text[:1].upper() + text[1:]


def conditions_told(made: Selection) -> str:
    """ "Capacity over 400 and name with “Park”"."""
    return " and ".join(_condition(one, made.table) for one in made.conditions)


def rows_told(made: Selection, result: Seen) -> list[str]:
    """The first rows as lines of Markdown: a list where there is one column or row, else a table."""
    figures = made.shown or tuple(Figure(made.table, column) for column in made.table.columns)
    heads = [capitalised(_figure(one, made.table)) for one in figures]
    rows = [[_cell(one, cell) for one, cell in zip(figures, row, strict=True)] for row in result.rows[:LISTED]]
    return lines_told(heads, rows, [_is_figure(one) for one in figures])


def _is_figure(one: Figure) -> bool:
    """Whether its cells are amounts, which stand to the right."""
    return one.column is None or one.function in ("distinct", "sum", "avg") or one.column.kind == "number"


def value_told(made: Selection, result: Seen) -> str:
    """The one figure that the answer is; "" where it is none."""
    alone = len(result.rows) == 1 and len(result.rows[0]) == 1 and bool(made.shown and made.shown[0].function)
    return result.rows[0][0] if alone and result.rows[0][0] != "NULL" else ""


def told_figure(made: Selection) -> str:
    """What that figure is called."""
    return _figure(made.shown[0], made.table)


def _cell(one: Figure, cell: str) -> str:
    cell = cells_told((cell,), one.column.called if one.column else "")
    counts = one.column is None or one.function == "distinct"
    figure = grouped(cell) if counts else cell_told(one.column, cell)
    unit = one.column.unit if one.column and not counts and re.fullmatch(r"-?[\d,]+(?:\.\d+)?", figure) else ""
    said = one.column is not None and not one.function and says_unit(one.column.called, unit)
    return figure if said else with_unit(figure, unit)


def _figure(one: Figure, table: Table) -> str:
    if one.column is None:
        text = f"number of {'rows of ' if one.table == table else ''}{_name(one.table)}"
        conditions = " and ".join(_condition(each, one.table) for each in one.conditions)
        return f"{text} {conditions}".strip()
    text = _called(one.column) if one.table == table else f"{_name(one.table)} {_called(one.column)}"
    return f"{_FUNCTIONS[one.function]} {text}" if one.function in _FUNCTIONS else text


def _condition(one: Condition, table: Table) -> str:
    match one:
        case Filter():
            return _filter(one)
        case AgainstMean():
            return f"{_called(one.column)} {_OPERATORS[one.operator]} its average"
        case Extreme():
            return f"with the {'highest' if one.way == 'down' else 'lowest'} {_called(one.column)}"
        case Holding():
            how = {"in": "with", "begin": "beginning with", "end": "ending with"}[one.place]
            return f"{_called(one.column)} {'not ' if one.negated else ''}{how} “{one.text}”"
        case Worded():
            return f"{_called(one.column)} with {' or '.join(f'“{text}”' for text in one.texts)}"
        case Linked():
            number = f"{_COUNTED[one.operator]} {one.number} of " if one.operator else ""
            inner = " and ".join(_condition(each, one.table) for each in one.conditions)
            text = f"with{'out any' if one.negated else ''} {number}{_name(one.table)}"
            return f"{text} ({inner})" if inner else text


def _filter(one: Filter) -> str:
    name = _called(one.column) if one.column else ""
    values = [f"“{value}”" if one.column is None or one.column.kind == "text" else value for value in one.values]
    match one.operator:
        case "null":
            return f"without {name}"
        case "true":
            return name if one.values == ("true",) else f"not {name}"
        case "between":
            return f"{name} between {values[0]} and {values[1]}"
        case "<>" | "not find":
            return f"{name} not {' or '.join(values)}"
        case _:
            return f"{name} {_OPERATORS.get(one.operator, '')} {' or '.join(values)}".replace("  ", " ")


def _order(one: Ordering, made: Selection) -> str:
    first = "highest" if one.way == "down" else "lowest"
    if one.figure.column and one.figure.column.kind == "text" and not one.figure.function:
        first = "Z" if one.way == "down" else "A"
    limit = f"the {made.limit} " if made.limit > 1 else "only the " if made.limit == 1 else ""
    return f"{limit}{first} {_figure(one.figure, made.table)} first"


def _called(column: Column | None) -> str:
    return column.called.replace("_", " ").strip() if column else ""


def _name(table: Table) -> str:
    return table.name.replace("_", " ").strip()


def _listed(several: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(several[:-1]), several[-1])))
