"""The rows that have what a question names, where no rule reads all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from agent.data.tables.mentioned import japanese_mentions as japanese
from agent.data.tables.mentioned import mentioned_rows as rows
from agent.data.tables.mentioned.figures_named import figures_named, may_be_named
from agent.data.tables.mentioned.mention_search import Place, places, places_asked, searched
from agent.data.tables.mentioned.mentioned_words import Mention, mentions, wants_more
from agent.data.tables.questions.naming import suggested
from agent.data.tables.questions.observed import rows_counted
from agent.data.tables.questions.sql import writable
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.selected.selection_sql import selection_written
from agent.data.tables.selected.selection_told import conditions_told, rows_told
from agent.demo.rules.plan import QUERY, Call, Plan, Question, Said, Steps
from agent.demo.tables.ability import queried
from agent.text.literal_marks import literal


def mentioned_asked(asked: Question, declined: Said) -> Plan | None:
    """ "When did Karl win the Olivier Award?"; ``declined``: what is said where no row has what is named."""
    tables = [table for table in asked.tables if writable(table) and searched(table)]
    if len(tables) != 1:
        return None
    english, text, (table,) = asked.language == "en", asked.text, tables
    more, named = (wants_more, mentions) if english else (japanese.japanese_wants_more, japanese.japanese_mentions)
    several = [] if (wants := more(text)) and not (english and may_be_named(text, table)) else named(text)
    made = figures_named(text, table, asked.today, ()) if english else None
    if english and not declined.declined:  # a plan found nothing: no other rows are meant
        return Plan(partial(_figures, asked, table, (), declined)) if made and made.unread and made.filters else None
    return Plan(partial(_steps, asked, table, several, wants, declined)) if several or made else None


def else_mentioned(asked: Question, plan: Plan, right: Callable[[], Plan | None]) -> Steps:
    """What ``plan`` gives; where that finds nothing in the table, what ``right`` does, or the table has of the rest."""
    said = yield from plan.steps()
    if said.hint and (mended := right()) and not (other := (yield from mended.steps())).hint:
        return other
    rows_named = mentioned_asked(asked, said) if said.hint else None
    return (yield from rows_named.steps()) if rows_named else said


def _steps(asked: Question, table: Table, several: list[Mention], more: bool, declined: Said) -> Steps:
    seeking = Call(QUERY, places_asked(table, several), asked.tell("seeking_words", table=table.name))
    found, english = places((yield seeking) if several else "", table, several), asked.language == "en"
    otherwise = partial(_figures, asked, table, found, declined)
    possible, missing = rows.ways(found, table), rows.nowhere(several, found, table) if english else []
    lacks = rows.wants_another if english else japanese.japanese_lacks
    if more or not possible or any(one.text.isdigit() for one in missing) or lacks(asked.text, table, found):
        return (yield from otherwise())
    counted = yield Call(QUERY, rows.counts_asked(possible, table), asked.tell("counting_ways", table=table.name))
    if (way := rows.fitting(counted, possible, table)) is None or rows.breaks_name(missing, way[0]):
        return (yield from otherwise())
    made = rows.rows_of(*way, table, asked.text)
    told = literal((conditions_told if english else japanese.conditions_in_japanese)(made))
    told += rows.passed_over(way[0], possible) if english else ""
    made_sql = selection_written(made, [table])
    result = yield from queried(asked, made_sql.sql, len(made_sql.columns), told, table.name)
    if isinstance(result, Said) or rows.is_idle(result.rows, way[0], made, asked.text, found):
        return (yield from otherwise())
    head = asked.tell("rows_named", rows=rows_counted(result.total), total=result.total, table=table.name, told=told)
    head += " " + asked.tell("not_in_table", named=", ".join(f"“{one.text}”" for one in missing)) if missing else ""
    head += " " + asked.tell("columns_left", names=", ".join(left)) if (left := rows.left_out(made)) else ""
    return Said(f"{head}\n\n" + "\n".join(rows_told(made, result)), None, suggested(None, [table], asked.language))


def _figures(asked: Question, table: Table, found: Sequence[Place], declined: Said) -> Steps:
    """What the columns and rows come to that are named, as part of ``declined`` where words are unread; in English."""
    made = figures_named(asked.text, table, asked.today, found) if asked.language == "en" else None
    totals = (yield from queried(asked, made.totals_asked(), made.cells, made.picked, table.name)) if made else declined
    if made is None or isinstance(totals, Said) or made.is_idle(totals):
        return declined
    result = None
    if rows_of := made.rows(totals):
        written = selection_written(rows_of, [table])
        result = yield from queried(asked, written.sql, len(written.columns), made.picked, table.name)
    if isinstance(result, Said) or not (result or made.unread):
        return declined
    head = asked.tell("figures_beside" if made.unread else "figures_named", told=made.told(totals), words=made.words)
    text = "\n\n".join([head, *made.totals_told(totals), *made.rows_told(rows_of, result)])
    if not made.unread:
        return Said(text, None, suggested(None, [table], asked.language))
    near = "\n\n" + asked.tell("did_you_mean", example=declined.next_questions[0]) if declined.near else ""
    return replace(declined, text=text + near)
