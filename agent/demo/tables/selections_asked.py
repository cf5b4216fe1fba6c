"""Questions whose every word is accounted for by the tables there are, several that belong together among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from agent.data.tables.questions.naming import suggested
from agent.data.tables.questions.observed import grouped
from agent.data.tables.questions.sql import writable
from agent.data.tables.questions.table_schema import Asked, Filter, Table
from agent.data.tables.selected.selection import Selection
from agent.data.tables.selected.selection_reading import selected
from agent.data.tables.selected.selection_sql import joined_by, selection_written
from agent.data.tables.selected.selection_told import LISTED, rows_told, selection_told, told_figure, value_told
from agent.data.tables.selected.simple_selection import as_asked
from agent.data.tables.selected.sought_values import sought, with_values
from agent.data.tables.worded.misreadings import loses_group
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.tables.ability import queried, resolved, told_of
from agent.text.literal_marks import literal
from agent.text.sums.phrases import Value


def selection_asked(asked: Question) -> Plan | None:
    """ "The names of the singers who are older than 40, the oldest first"."""
    tables = tuple(table for table in asked.tables if writable(table))
    made = selected(asked.text, tables) if asked.language == "en" else None
    if made and (simple := as_asked(made)):
        # "Sold by size" of two tables, one of which is called "sizes", is by no table.
        lost = len(tables) > 1 and loses_group(asked.text, simple)
        return None if lost else told_of(asked, simple, whole=True)
    return Plan(partial(_steps, asked, made, tables), both=True) if made else None


def _steps(asked: Question, made: Selection, tables: Sequence[Table]) -> Steps:
    hits: dict[Filter, Filter] = {}
    remarks: list[str] = []
    for table, one in sought(made):
        settled = yield from resolved(asked, Asked(table, "rows", filters=(one,)))
        if isinstance(settled, Said):
            return settled
        (hits[one],) = settled[0].filters
        remarks += filter(None, [settled[1]])
    made = with_values(made, hits)
    told, made_sql = selection_told(made), selection_written(made, tables)
    result = yield from queried(asked, made_sql.sql, len(made_sql.columns), told, made.table.name)
    if isinstance(result, Said):
        return result
    joined = [asked.tell("joined", many=many, one=one, key=key) for many, one, key in joined_by(made, tables)]
    read = [asked.tell("selected_as", reading=literal(told)), *joined, *remarks]
    chips = suggested(None, [made.table], asked.language)
    if figure := value_told(made, result):
        told = asked.tell("selected_figure", name=told_figure(made), figure=grouped(figure))
        return Said("\n\n".join([*read, told]), Value(figure), chips)
    rows = f"{result.total} row{'' if result.total == '1' else 's'}"
    head = asked.tell("rows" if result.rows else "no_row", rows=rows, total=result.total, table=made.table.name)
    more = [asked.tell("more_rows", total=result.total)] if len(result.rows) > LISTED else []
    return Said("\n\n".join(filter(None, [*read, head, "\n".join(rows_told(made, result)), *more])), None, chips)
