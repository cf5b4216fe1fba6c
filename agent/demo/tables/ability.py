"""Questions about loaded tables: read, looked up by SQL that is shown, answered with the figures as observed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from agent.data.tables.questions.items import Item, at
from agent.data.tables.questions.naming import described, question, suggested
from agent.data.tables.questions.sentence import Reading, narrowed, readings, says_name
from agent.data.tables.questions.sql import chart_input, search, writable, written
from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Asked, Filter, Table, id_like
from agent.demo.rules.plan import Call, Plan, Question, Said, Steps
from agent.demo.tables.table_answers import answered, found, nothing_found, seen, taken_as
from agent.text.sums.phrases import Value, either

QUERY = "query"
CHART = "chart"
_MOST_DOUBT = 12
_LONGEST_CHIP = 200


def tables_asked(asked: Question) -> Plan | Said | None:
    """ "How many orders were there in 2023?", "plot sales by region": for the tables that the prompt tells of."""
    tables = tuple(table for table in asked.tables if writable(table))
    several = [reading for reading in readings(asked.text, tables, asked.today) if reading.cost <= _MOST_DOUBT]
    if not several:
        return None
    others = _other_tables(several, asked.text)
    if others:
        return _which_table(asked, [several[0], *others], tables)
    return Plan(lambda: _steps(asked, several, tables))


def table_hint(asked: Question) -> Said | None:
    """A question that names tables or columns, but that no rule reads: what there is to ask."""
    words = tokens(asked.text)[:60]
    for table in asked.tables:
        for place in range(len(words)):
            items = at(place, words, table, None)
            if any(item.role in ("table", "column") and item.cost <= 1 for item in items) or _figure(items):
                return _unread(asked, table)
    return None


def _figure(items: Sequence[Item]) -> bool:
    """ "The average price" is of a table, though none of those loaded has a price."""
    return any(item.role == "measure" and item.text in ("sum", "avg", "median") for item in items)


def _unread(asked: Question, table: Table) -> Said:
    names = ", ".join(column.name for column in table.columns[:12])
    more = len(table.columns) - 12
    names += either(asked.language, f" and {more} more", f" ほか{more}列") if more > 0 else ""
    text = either(
        asked.language,
        f"My rules could not read that as a question about the table {table.name}. It has {table.rows} rows, with the "
        f"columns {names}. I can count, add up, average, rank, group and filter, and draw charts.",
        f"表 {table.name} への質問として読み取れませんでした。{table.rows}行あり、列は {names} です。"
        "件数、合計、平均、順位、グループ別、絞り込み、グラフができます。",
    )
    return Said(text, None, suggested(None, [table]), declined=True)


def _other_tables(several: Sequence[Reading], text: str) -> list[Reading]:
    """The readings over other tables that fit as well as the best; none but named ones beside a named one."""
    best = several[0]
    named = says_name(text, best.asked.table)
    others: list[Reading] = []
    for reading in several[1:]:
        names = {other.asked.table.name for other in (best, *others)}
        near = reading.cost <= best.cost and (not named or says_name(text, reading.asked.table))
        if near and reading.asked.table.name not in names:
            others.append(reading)
    return others


def _which_table(asked: Question, several: Sequence[Reading], tables: Sequence[Table]) -> Said:
    names = [reading.asked.table.name for reading in several]
    text = either(
        asked.language,
        f"That fits several tables: {', '.join(names)}. Say which one you mean.",
        f"その質問は複数の表に当てはまります: {'、'.join(names)}。どの表か教えてください。",
    )
    chips = tuple(chip for reading in several[:3] if (chip := question(reading.asked, tables)))
    return Said(text, None, chips or suggested(None, tables), declined=True)


def _steps(asked: Question, several: Sequence[Reading], tables: Sequence[Table]) -> Steps:
    wanted = several[0].asked
    resolved = yield from _resolved(asked, wanted)
    if isinstance(resolved, Said):
        return resolved
    wanted, remark = resolved
    made = written(wanted)
    thought = either(
        asked.language,
        f"I read this as: {described(wanted, careful=False)}. I ask the table {wanted.table.name} with SQL.",
        f"表 {wanted.table.name} にSQLで尋ねます。",
    )
    observation = yield Call(QUERY, made.sql, thought)
    result = seen(observation, len(made.columns))
    if result is None:
        return Said(_failed(asked, observation))
    drawn = ""
    if wanted.chart and result.rows:
        why = either(asked.language, "Now I draw these figures.", "この数値をグラフにします。")
        drawn = yield Call(CHART, chart_input(wanted, made), why)
    other = next((one.asked for one in several[1:] if _sensible(one.asked)), None)
    second = question(other, tables) if other and written(other) != made else ""
    text = answered(asked.language, wanted, made.columns, result, drawn)
    reading = question(wanted, tables).removesuffix("?") or described(wanted)
    close = len(several) > 1 and several[0].cost > 0
    chips = suggested(wanted, tables)
    chips = tuple(dict.fromkeys(chip for chip in (second, *chips) if chip and len(chip) <= _LONGEST_CHIP))[:3]
    remark = f"{remark}\n\n" if remark else ""
    return Said(f"{remark}{text}\n\n{_told(asked, reading, second if close else '')}", _value(wanted, result.rows),
                chips)  # fmt: skip


def _told(asked: Question, reading: str, second: str) -> str:
    """How the question was read, on a line of its own that a follow-up can lean on."""
    other = either(asked.language, f"\nIt could also mean: {second}", f"\n別の読み方: {second}") if second else ""
    return either(asked.language, f"I read this as: {reading}{other}", f"読み方: {reading}{other}")


def _value(wanted: Asked, rows: Sequence[Sequence[str]]) -> Value | None:
    alone = len(rows) == 1 and not wanted.groups and wanted.measure != "rows"
    return Value(rows[0][0]) if alone and rows[0][0].lstrip("-").replace(".", "", 1).isdigit() else None


def _failed(asked: Question, observation: str) -> str:
    reason = observation.split("\n", 1)[0]
    return either(asked.language, f"The table could not be asked: {reason}", f"表に尋ねられませんでした: {reason}")


def _sensible(asked: Asked) -> bool:
    """Whether a second reading is worth showing: no value is still to be looked for, and no group has one row each."""
    found = all(one.operator not in ("find", "not find") for one in asked.filters)
    counted = asked.measure != "distinct" or asked.column is None or not id_like(asked.column)
    return found and counted and all(group.column.distinct != asked.table.rows for group in asked.groups)


def _resolved(asked: Question, wanted: Asked) -> Generator[Call, str, Said | tuple[Asked, str]]:
    """With each text that no card shows looked for in the table; and what it was taken for, where that differs."""
    filters: list[Filter] = []
    remarks: list[str] = []
    for one in wanted.filters:
        if one.operator not in ("find", "not find"):
            filters.append(one)
            continue
        sql = search(wanted.table, one)
        if not sql:
            return nothing_found(asked.language, wanted.table, one)
        why = either(
            asked.language,
            f"“{one.values[0]}” could be a value in {wanted.table.name}. I look for it.",
            f"「{one.values[0]}」が表 {wanted.table.name} にあるか調べます。",
        )
        hits = found((yield Call(QUERY, sql, why))) or []
        columns = {column.name: column for column in wanted.table.columns}
        hit = next(((exact, name, value) for exact, name, value in hits if name in columns), None)
        if hit is None or hit[2].endswith("…"):
            return nothing_found(asked.language, wanted.table, one)
        if not hit[0]:
            remarks.append(taken_as(asked.language, one.values[0], hit[2]))
        filters.append(Filter(columns[hit[1]], "<>" if one.operator == "not find" else "=", (hit[2],), one.turn))
    return replace(wanted, filters=_joined(narrowed(filters))), " ".join(remarks)


def _joined(filters: Sequence[Filter]) -> tuple[Filter, ...]:
    """Several values of one column that were said together are any of them."""
    joined: list[Filter] = []
    for one in filters:
        place = next(
            (
                index
                for index, other in enumerate(joined)
                if (other.column, other.operator, other.turn) == (one.column, one.operator, one.turn)
                and one.operator in ("=", "<>")
            ),
            None,
        )
        if place is None:
            joined.append(one)
        else:
            joined[place] = replace(one, values=(*joined[place].values, *one.values))
    return tuple(joined)
