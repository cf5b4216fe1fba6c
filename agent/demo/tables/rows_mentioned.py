"""The rows that have what a question names, where no rule reads all of it."""

from __future__ import annotations

from functools import partial

from agent.data.tables.mentioned import mentioned_rows as rows
from agent.data.tables.mentioned.mention_search import places, places_asked, searched
from agent.data.tables.mentioned.mentioned_words import Mention, mentions, wants_more
from agent.data.tables.questions.naming import suggested
from agent.data.tables.questions.sql import writable
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.selected.selection_sql import selection_written
from agent.data.tables.selected.selection_told import conditions_told, rows_told
from agent.demo.rules.plan import QUERY, Call, Plan, Question, Said, Steps
from agent.demo.tables.ability import queried


def mentioned_asked(asked: Question, declined: Said) -> Plan | None:
    """ "When did Karl win the Olivier Award?"; ``declined``: what is said where no row has what is named."""
    tables = [table for table in asked.tables if writable(table) and searched(table)]
    if len(tables) != 1 or asked.language != "en" or wants_more(asked.text):
        return None
    return Plan(partial(_steps, asked, tables[0], several, declined)) if (several := mentions(asked.text)) else None


def _steps(asked: Question, table: Table, several: list[Mention], declined: Said) -> Steps:
    where = yield Call(QUERY, places_asked(table, several), asked.tell("seeking_words", table=table.name))
    found = places(where, table, several)
    possible, missing = rows.ways(found, table), rows.nowhere(several, found, table)
    if not possible or any(one.text.isdigit() for one in missing) or rows.wants_another(asked.text, table, found):
        return declined
    counted = yield Call(QUERY, rows.counts_asked(possible, table), asked.tell("counting_ways", table=table.name))
    if (way := rows.fitting(counted, possible, table)) is None or rows.breaks_name(missing, way[0]):
        return declined
    made = rows.rows_of(*way, table, asked.text)
    told, made_sql = conditions_told(made) + rows.passed_over(way[0], possible), selection_written(made, [table])
    result = yield from queried(asked, made_sql.sql, len(made_sql.columns), told, table.name)
    if isinstance(result, Said) or rows.is_idle(result.rows, way[0], made, asked.text, found):
        return declined
    count = f"{result.total} row{'' if result.total == '1' else 's'}"
    head = asked.tell("rows_named", rows=count, table=table.name, told=told)
    head += " " + asked.tell("not_in_table", named=", ".join(f"“{one.text}”" for one in missing)) if missing else ""
    head += " " + asked.tell("columns_left", names=", ".join(left)) if (left := rows.left_out(made)) else ""
    return Said(f"{head}\n\n" + "\n".join(rows_told(made, result)), None, suggested(None, [table], asked.language))
