"""The rows that have what a question names, where no rule reads all of it."""

from __future__ import annotations

from functools import partial

from agent.data.tables.mentioned import mentioned_rows as rows
from agent.data.tables.mentioned.japanese_mentions import (
    conditions_in_japanese,
    japanese_lacks,
    japanese_mentions,
    japanese_wants_more,
)
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
    more, named = (wants_more, mentions) if asked.language == "en" else (japanese_wants_more, japanese_mentions)
    several = [] if len(tables) != 1 or more(asked.text) else named(asked.text)
    return Plan(partial(_steps, asked, tables[0], several, declined)) if several else None


def else_mentioned(asked: Question, plan: Plan) -> Steps:
    """What ``plan`` gives; where that finds nothing in the table, the rows that have what is named."""
    said = yield from plan.steps()
    rows_named = mentioned_asked(asked, said) if said.hint else None
    return (yield from rows_named.steps()) if rows_named else said


def _steps(asked: Question, table: Table, several: list[Mention], declined: Said) -> Steps:
    where = yield Call(QUERY, places_asked(table, several), asked.tell("seeking_words", table=table.name))
    found = places(where, table, several)
    english = asked.language == "en"
    possible, missing = rows.ways(found, table), rows.nowhere(several, found, table) if english else []
    lacks = rows.wants_another if english else japanese_lacks
    if not possible or any(one.text.isdigit() for one in missing) or lacks(asked.text, table, found):
        return declined
    counted = yield Call(QUERY, rows.counts_asked(possible, table), asked.tell("counting_ways", table=table.name))
    if (way := rows.fitting(counted, possible, table)) is None or rows.breaks_name(missing, way[0]):
        return declined
    made = rows.rows_of(*way, table, asked.text)
    told = conditions_told(made) + rows.passed_over(way[0], possible) if english else conditions_in_japanese(made)
    made_sql = selection_written(made, [table])
    result = yield from queried(asked, made_sql.sql, len(made_sql.columns), told, table.name)
    if isinstance(result, Said) or rows.is_idle(result.rows, way[0], made, asked.text, found):
        return declined
    count = f"{result.total} row{'' if result.total == '1' else 's'}"
    head = asked.tell("rows_named", rows=count, total=result.total, table=table.name, told=told)
    head += " " + asked.tell("not_in_table", named=", ".join(f"“{one.text}”" for one in missing)) if missing else ""
    head += " " + asked.tell("columns_left", names=", ".join(left)) if (left := rows.left_out(made)) else ""
    return Said(f"{head}\n\n" + "\n".join(rows_told(made, result)), None, suggested(None, [table], asked.language))
