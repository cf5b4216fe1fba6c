"""What is asked, as SQL on one line and as the arguments of a chart. Every name is quoted, every text a literal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.data.tables.charts.vega import MOST_LABELS
from agent.data.tables.headings import PERIODS_JA, ROWS_USED
from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.questions.measure_words import MEASURES_JA, TITLES
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Group, Table, is_money, span
from agent.text.plain import japanese

SOURCE = "data"  # the argument of the chart tool that holds the SQL
_FUNCTIONS = {"sum": "sum({})", "min": "min({})", "max": "max({})", "distinct": "count(DISTINCT {})"}
_PERIODS = {
    "year": "year({})",
    "quarter": "year({}) || '-Q' || quarter({})",
    "month": "strftime({}, '%Y-%m')",
    "week": "CAST(date_trunc('week', {}) AS DATE)",
    "day": "CAST({} AS DATE)",
}
_ALL_COLUMNS = 6
_TIES = 20
_SEARCHED = 12  # columns of texts
_FOUND = 8  # values


@dataclass(frozen=True, slots=True)
class Written:
    """``columns`` are the names of the result, groups first; of how many rows a figure is, last."""

    sql: str
    columns: tuple[str, ...]


def writable(table: Table) -> bool:
    """A statement is one line: names with ends of lines or control characters in them cannot be written."""
    names = [table.name, *(column.name for column in table.columns)]
    return not any(re.search(r"[\x00-\x1f\x7f\x85\u2028\u2029]", name) for name in names)


def written(asked: Asked) -> Written:
    return _rows(asked) if asked.measure == "rows" else _figures(asked)


def _figures(asked: Asked) -> Written:
    taken = {column.name.lower() for column in asked.table.columns}
    names = [_unused(title_of(group), taken) if group.period else group.column.name for group in asked.groups]
    title, rows = _unused(figure_title(asked), taken), _unused(ROWS_USED, taken)
    fields = [f"{_key(group)} AS {quoted(name)}" for group, name in zip(asked.groups, names, strict=True)]
    fields.append(f"{_figure(asked)} AS {quoted(title)}")
    if asked.column:
        fields.append(f"count({quoted(asked.column.name)}) AS {quoted(rows)}")
    only = [f"{quoted(group.column.name)} IS NOT NULL" for group in asked.groups] if asked.limit else []
    sql = f"SELECT {', '.join(fields)} FROM {_source(asked.table)}{_where(asked, only)}"
    if asked.groups:
        places = ", ".join(str(place) for place in range(1, len(names) + 1))
        sql += f" GROUP BY {places}{_group_order(asked, len(names) + 1, places)}"
    return Written(sql, (*names, title, *([rows] if asked.column else [])))


def _group_order(asked: Asked, figure: int, places: str) -> str:
    """In the order of time or figures where groups have one and no other is asked for; else the largest first."""
    natural = any(group.period or group.column.kind in ("date", "number") for group in asked.groups)
    if natural and not asked.order:
        return f" ORDER BY {places}"
    way = "ASC" if asked.order == "up" else "DESC"
    if asked.limit == 1:
        ranked = f" QUALIFY rank() OVER (ORDER BY {_figure(asked)} {way} NULLS LAST) = 1"
        return f"{ranked} ORDER BY {places} LIMIT {_TIES}"
    limit = f" LIMIT {asked.limit}" if asked.limit else ""
    return f" ORDER BY {figure} {way} NULLS LAST, {places}{limit}"


def _figure(asked: Asked) -> str:
    if asked.column is None:
        return "count(*)"
    name = quoted(asked.column.name)
    if asked.measure in ("avg", "median"):
        return f"round({asked.measure}({name}), {0 if asked.whole else digits_of_mean(asked.column)})"
    return _FUNCTIONS.get(asked.measure, "count({})").replace("{}", name)


def digits_of_mean(column: Column) -> int:
    """Digits after the point that still say something of a mean, for figures of such a size; of money, cents."""
    try:
        size = max(abs(float(column.least)), abs(float(column.most)))
    except ValueError:
        return 4
    return 2 if size >= 1_000 or (size >= 1 and is_money(column)) else 4 if size >= 1 else 8


def figure_title(asked: Asked) -> str:
    if asked.column and japanese(asked.column.name):
        return f"{asked.column.name}の{MEASURES_JA[asked.measure]}"
    return f"{TITLES[asked.measure]}_{asked.column.name if asked.column else 'rows'}".replace(" ", "_")


def title_of(group: Group) -> str:
    if japanese(group.column.name):
        return f"{group.column.name}の{PERIODS_JA[group.period]}"
    return f"{group.period}_of_{group.column.name}"


def _unused(name: str, taken: set[str]) -> str:
    while name.lower() in taken:
        name += "_"
    taken.add(name.lower())
    return name


def _key(group: Group) -> str:
    name = quoted(group.column.name)
    return _PERIODS[group.period].replace("{}", name) if group.period else name


def _rows(asked: Asked) -> Written:
    columns: list[Column] = list(dict.fromkeys([*asked.shown, *([asked.column] if asked.column else [])]))
    if not asked.shown and not asked.chart:
        columns = list(dict.fromkeys([*asked.table.columns[:_ALL_COLUMNS], *columns]))
    filtered = [one.column for one in asked.filters if one.column and len(one.values) != 1]
    if asked.shown and not asked.chart:
        columns = list(dict.fromkeys([*columns, *filtered]))
    fields = ", ".join(quoted(column.name) for column in columns)
    only = [f"{quoted(column.name)} IS NOT NULL" for column in columns] if asked.chart else []
    if asked.column and asked.limit:
        only = [f"{quoted(asked.column.name)} IS NOT NULL"]
    sql = f"SELECT {fields} FROM {_source(asked.table)}{_where(asked, only)}"
    if asked.column and asked.order:
        sql += _row_order(asked)
    elif asked.limit and not asked.filters:
        sql += f" LIMIT {asked.limit}"
    return Written(sql, tuple(column.name for column in columns))


def _row_order(asked: Asked) -> str:
    name = quoted(asked.column.name) if asked.column else "1"
    way = "ASC" if asked.order == "up" else "DESC"
    if asked.limit == 1:
        return f" QUALIFY rank() OVER (ORDER BY {name} {way} NULLS LAST) = 1 LIMIT {_TIES}"
    rest = "".join(f", {quoted(column.name)}" for column in asked.shown if column.kind != "other")
    return f" ORDER BY {name} {way} NULLS LAST{rest} LIMIT {asked.limit}"


def _source(table: Table) -> str:
    return table.joined or table.derived or quoted(table.name)


def _where(asked: Asked, only: Sequence[str]) -> str:
    conditions = [*map(condition, asked.filters), *only]
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def condition(one: Filter) -> str:
    """What a row has to fulfil, behind WHERE."""
    if one.column is None:
        return "TRUE"
    name, kind = quoted(one.column.name), one.column.kind
    match one.operator:
        case "null":
            return f"{name} IS NULL"
        case "true":
            return name if one.values == ("true",) else f"NOT {name}"
        case "year" | "month":
            times = [_in_time(name, value) for value in one.values]
            return times[0] if len(times) == 1 else f"({' OR '.join(times)})"
        case "between":
            return f"{name} BETWEEN {one.values[0]} AND {one.values[1]}"
        case _:
            values = [value if kind == "number" else literal(value) for value in one.values]
            if kind == "date":
                values = [f"DATE {value}" for value in values]
            if one.operator == "<>":
                return " AND ".join(f"{name} IS DISTINCT FROM {value}" for value in values)
            if len(values) > 1:
                return f"{name} IN ({', '.join(values)})"
            return f"{name} {one.operator} {values[0]}"


def _in_time(name: str, text: str) -> str:
    ends = span(text)
    if ends is None:
        return f"month({name}) = {text.removeprefix('0-')}"
    return f"{name} >= DATE '{ends[0]}' AND {name} < DATE '{ends[1]}'"


def search(table: Table, one: Filter) -> str:
    """SQL that looks for a text among the values of a column, or of all columns of texts; also a misspelt one.

    Its columns are ``difference`` (0: the same but for case), ``row_count``, ``column_name`` and ``value``. "" where
    there are no texts to look in.
    """
    columns = [one.column] if one.column else table.of_kind("text")
    text = f"lower({literal(one.values[0])})"
    parts: list[str] = []
    for column in columns[:_SEARCHED]:
        value = f"lower(CAST({quoted(column.name)} AS VARCHAR))"
        # By its first words, "R&D" of "R&D | A", and that of a name by its last: "Okafor", not "Okafors".
        begins = f"regexp_matches({value}, '^[^\\pL\\pN]*' || regexp_escape({text}) || '([^\\pL\\pN]|$)')"
        ends = f"regexp_matches({value}, '[^\\pL\\pN]' || regexp_escape({text}) || '[^\\pL\\pN]*$')"
        near = f"jaro_winkler_similarity({value}, {text}) >= 0.9 OR {begins}"
        near += f" OR {ends}" if one.values[0][:1].isupper() else ""
        parts.append(
            f"SELECT CASE WHEN {value} = {text} THEN 0 ELSE 1 END AS difference, count(*) AS row_count, "
            f"{literal(column.name)} AS column_name, {quoted(column.name)} AS value FROM {_source(table)} "
            f"WHERE {value} = {text} OR {near} GROUP BY ALL"
        )
    found = f"SELECT * FROM ({' UNION ALL '.join(parts)})"
    return f"{found} ORDER BY difference, row_count DESC, value LIMIT {_FOUND}" if parts else ""


def chart_input(asked: Asked, made: Written) -> str:
    """The arguments of the chart tool: it draws what the SQL gives, as it is."""
    kind = asked.chart
    if asked.measure == "rows":
        arguments = {"kind": kind, "x": made.columns[0]}
        if kind == "scatter":
            arguments["y"] = made.columns[-1]
            alone = _source(asked.table) == quoted(asked.table.name)
            if alone and not asked.filters and asked.table.rows <= MOST_LABELS:
                # The chart can call its dots by what else is in the table.
                return json.dumps({SOURCE: asked.table.name, **arguments}, ensure_ascii=False)
    else:
        groups = len(asked.groups)
        timed = any(group.period or group.column.kind == "date" for group in asked.groups[:1])
        arguments = {"kind": ("line" if timed else "bar") if kind == "any" else kind, "x": made.columns[0]}
        arguments["y"] = made.columns[groups]
        if not timed and asked.groups[0].column.kind != "number":
            arguments["sort"] = "y" if asked.order == "up" else "-y"
        if groups > 1:
            arguments["colour"] = made.columns[1]
    return json.dumps({SOURCE: made.sql, **arguments}, ensure_ascii=False)
