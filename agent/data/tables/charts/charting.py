"""Charts from a typed call, over a table or a SELECT: no code.

The data of a chart are fields ``x``, ``y`` and ``colour`` of our own, so that no name that a person or a model wrote is
a path into them; the names of columns are titles only (see ``agent.data.tables.charts.vega``).
"""

from __future__ import annotations

from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

from agent.data.refusal import Refused
from agent.data.tables.asking.querying import SECONDS, Opened, Result, bare, opened
from agent.data.tables.asking.statements import check, missing_table, no_column
from agent.data.tables.cells import json_value, one_line
from agent.data.tables.charts.vega import (
    MOST_LABELS,
    MOST_POINTS,
    Aggregate,
    Axis,
    Chart,
    ChartKind,
    Period,
    Sort,
    said_of,
    spec_of,
)
from agent.data.tables.columns import described, kind_of
from agent.data.tables.headings import PERIODS_JA, ROWS_COUNTED, Described, is_aggregate
from agent.data.tables.identifiers import quoted
from agent.text.plain import japanese
from agent.text.regex import regex

_CAPITAL = regex(r"[A-Z][a-z]+[.,:]?")
_PROPER = frozenset({*day_name, *day_abbr, *month_name, *month_abbr})
_MOST_COLOURS = 20
_MOST_SLICES = 12
_BINS = 30
_SQL_OF: Mapping[str, str] = {
    "sum": "sum({y})",
    "mean": "avg({y})",
    "median": "median({y})",
    "min": "min({y})",
    "max": "max({y})",
    "count": "count({y})",
    "distinct": "count(DISTINCT {y})",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """``spec`` is Vega-Lite with its data; ``result`` the same data as a table.

    ``note`` says what was left out, ``repairs`` what of its SELECT had to be changed.
    """

    spec: dict[str, Any]
    result: Result
    note: str = ""
    repairs: tuple[str, ...] = ()


def read_chart(given: Mapping[str, Any]) -> Chart:
    """The chart of a JSON object; raises ``Refused`` for a value that is none of those there are."""
    choices = {"kind": ChartKind, "aggregate": Aggregate, "sort": Sort, "period": Period}
    for key, literal in choices.items():
        if key in given and given[key] not in get_args(literal):
            listed = ", ".join(get_args(literal))
            raise Refused(f"{key} cannot be “{str(given[key])[:40]}”. Choose one of: {listed}.", "input")
    unknown = set(given) - set(Chart.__dataclass_fields__)
    if unknown or "kind" not in given or "x" not in given:
        raise Refused("A chart needs a kind and x, and may have y, colour, aggregate, sort, limit, title, period.")
    limit = given.get("limit", MOST_POINTS)
    texts = {key: str(value) for key, value in given.items() if key != "limit"}
    return Chart(**cast("dict[str, Any]", texts), limit=limit if isinstance(limit, int) else MOST_POINTS)


def draw(
    tables: Mapping[str, Path], source: str, chart: Chart, seconds: float = SECONDS, columns: Described = ()
) -> Drawn:
    """The chart of ``source``: the name of a table, or a SELECT. Raises ``Refused`` as a query does.

    ``columns`` are those of the tables with their headers and units.
    """
    with opened(tables) as room:
        name = next((table for table in tables if table.lower() == source.strip().strip('"').lower()), "")
        asked = f"SELECT * FROM {quoted(name)}" if name else bare(source)
        if not name and not asked.lower().startswith(("select", "with", "from", "(", "values", "pivot")):
            raise Refused(missing_table(source.strip(), room.columns), "name")
        done = room.answered(asked, seconds, partial(_asked, room, chart))
    axes, given, rows = done.given
    axes = _rows_counted(axes)
    told = {name: replace(axis, title=axis.heading(columns)) for name, axis in axes.items()}
    chart = chart if chart.title else replace(chart, title=title_of(chart, axes, columns))
    return replace(_drawn(chart, told, given, rows), repairs=done.repairs)


def title_of(chart: Chart, axes: Mapping[str, Axis], columns: Described) -> str:
    """What a chart is called that nobody gave a title: "Sum of revenue by region"."""
    x = _within(axes["x"].plain(columns))
    y = _within(axes["y"].plain(columns)) if "y" in axes else said_of("rows", x)
    by = x if chart.period == "none" else chart.period
    if japanese(x) and japanese(y):
        return f"{x}と{y}" if chart.kind == "scatter" else f"{PERIODS_JA.get(by, by)}ごとの{y}"
    return f"{y[:1].upper()}{y[1:]} {'against' if chart.kind == 'scatter' else 'by'} {by}"


def _rows_counted(axes: Mapping[str, Axis]) -> Mapping[str, Axis]:
    """The axes, with a count of rows under the name that queries of ours give it in the language of the names."""
    if "y" not in axes or axes["y"].title != ROWS_COUNTED:
        return axes
    return {**axes, "y": replace(axes["y"], said=said_of("rows", axes["x"].title))}


def _within(heading: str) -> str:
    """A heading within a sentence: "Customer" gives "customer"; "GDP" and "Monday" stay."""
    words = heading.split(" ")
    return " ".join(word.lower() if _CAPITAL.fullmatch(word) and word not in _PROPER else word for word in words)


def _asked(
    room: Opened, chart: Chart, asked: str, seconds: float
) -> tuple[dict[str, Axis], Sequence[tuple[str, str]], Sequence[Sequence[Any]]]:
    """The axes of the chart, and columns and rows of what is drawn."""
    types = dict(described(_described(room, asked, seconds)))
    sql, axes = _data(chart, asked, types)
    connection = room.run_own(sql, asked, seconds)
    return axes, described(connection.description or ()), connection.fetchall()


def _described(room: Opened, sql: str, seconds: float) -> Sequence[Sequence[Any]]:
    check(room.connection, sql, room.columns)
    return room.run_own(f"DESCRIBE SELECT * FROM ({sql}\n)", sql, seconds).fetchall()


def _data(chart: Chart, asked: str, types: Mapping[str, str]) -> tuple[str, dict[str, Axis]]:
    """The SQL that gives the fields of the chart, and what each of them is."""
    x, y, colour = (_column(name, types) for name in (chart.x, chart.y, chart.colour))
    if chart.kind == "histogram" and kind_of(types[x]) in ("integer", "number", "date", "timestamp"):
        return _bins(asked, quoted(x), kind_of(types[x])), _bin_axes(chart.x, kind_of(types[x]))
    aggregate = _aggregate(chart, y, types)
    x_sql, x_kind = _x(chart, x, types)
    fields = [f"{x_sql} AS x"]
    axes = {"x": Axis(chart.x, x_kind)}
    if aggregate:
        function = "count(*)" if not y else _SQL_OF[aggregate].replace("{y}", quoted(y))
        fields.append(f"{function} AS y")
        axes["y"] = Axis(chart.y, "number", said=_said(chart, aggregate, bool(y)))
    elif y:
        fields.append(f"{quoted(y)} AS y")
        axes["y"] = Axis(chart.y, kind_of(types[y]))
    if colour:
        fields.append(f"{quoted(colour)} AS colour")
        axes["colour"] = Axis(chart.colour, kind_of(types[colour]))
    if chart.kind == "scatter" and not aggregate and (name := _naming(types, (x, y, colour))):
        fields.append(f"{quoted(name)} AS label")
        axes["label"] = Axis(name, "text")
    # By place: the data may have columns called x and colour of their own.
    groups = ["1", *([str(len(fields))] if colour else [])]
    sql = f"SELECT {', '.join(fields)} FROM ({asked}\n) AS source"
    if chart.kind == "scatter" and not aggregate:
        # The first of many points would be a part of them that says nothing of the rest.
        sql += f" USING SAMPLE reservoir({min(chart.limit, MOST_POINTS) + 1} ROWS) REPEATABLE (1)"
    if aggregate:
        sql += f" GROUP BY {', '.join(groups)}"
    return f"SELECT * FROM ({sql}){_order(chart, bool(aggregate), x_kind, 'y' in axes)}", axes


def _said(chart: Chart, aggregate: str, named: bool) -> str:
    """The words around the name of the heights; none where the name has them: no "Sum of total sales"."""
    if not named:
        return said_of("rows", chart.x)
    return "" if chart.aggregate == "none" and is_aggregate(chart.y) else said_of(aggregate, chart.y)


def _naming(types: Mapping[str, str], taken: Sequence[str]) -> str:
    """The first column of texts that is not drawn already: dots may be called by it."""
    return next((name for name, type_name in types.items() if kind_of(type_name) == "text" and name not in taken), "")


def _bins(asked: str, x: str, kind: str) -> str:
    """SQL that counts all rows in bins of one width: what is counted is no sample."""
    dated = kind in ("date", "timestamp")
    number = f"CAST(epoch({x}) AS DOUBLE)" if dated else f"CAST({x} AS DOUBLE)"
    edge = "CAST(to_timestamp(a + {n} * w) AS TIMESTAMP)" if dated else "a + {n} * w"
    return (
        f"WITH source AS (SELECT {number} AS v FROM ({asked}\n)), numbers AS (SELECT v FROM source WHERE isfinite(v)), "
        f"span AS (SELECT min(v) AS a, coalesce(nullif((max(v) - min(v)) / {_BINS}, 0), 1) AS w FROM numbers), "
        f"counted AS (SELECT least({_BINS - 1}, CAST(floor((v - a) / w) AS INTEGER)) AS bin, count(*) AS y "
        "FROM numbers, span GROUP BY bin) "
        f"SELECT {edge.format(n='bin')} AS x, {edge.format(n='(bin + 1)')} AS x2, y FROM counted, span ORDER BY bin"
    )


def _bin_axes(title: str, kind: str) -> dict[str, Axis]:
    return {
        "x": Axis(title, kind, {"bin": "binned"}),
        "x2": Axis(title, kind, said=said_of("end", title)),
        "y": Axis("", "number", said=said_of("rows", title)),
    }


def _x(chart: Chart, x: str, types: Mapping[str, str]) -> tuple[str, str]:
    kind = kind_of(types[x])
    if chart.period == "none":
        return quoted(x), kind
    if kind not in ("date", "timestamp"):
        raise Refused(f"{chart.x} has no dates, so it cannot be put together by {chart.period}.", "input")
    whole = "TIMESTAMP" if chart.period == "hour" else "DATE"
    return (
        f"CAST(date_trunc('{chart.period}', {quoted(x)}) AS {whole})",
        "timestamp" if whole == "TIMESTAMP" else "date",
    )


def _column(name: str, types: Mapping[str, str]) -> str:
    if not name:
        return ""
    by_case = {column.lower(): column for column in types}
    if name.lower() not in by_case:
        raise no_column(name, list(types))
    return by_case[name.lower()]


def _aggregate(chart: Chart, y: str, types: Mapping[str, str]) -> str:
    """The aggregate to take; empty for the rows as they are."""
    if chart.kind == "scatter" and chart.aggregate == "none":
        if not y:
            raise Refused("A scatter chart needs y as well.", "input")
        return ""
    if not y:
        return "count"
    if chart.aggregate in ("sum", "mean", "median") and kind_of(types[y]) not in ("integer", "number"):
        raise Refused(f"{chart.y} has no numbers, so it has no {chart.aggregate}. Use count or distinct.", "input")
    if chart.aggregate != "none":
        return chart.aggregate
    return "sum" if chart.kind in ("pie", "heatmap") and kind_of(types[y]) in ("integer", "number") else ""


def _order(chart: Chart, aggregated: bool, x_kind: str, has_y: bool) -> str:
    """Sorting, then the limit: the largest where marks are left out of an aggregate of names."""
    limit = max(1, min(chart.limit, MOST_POINTS))
    by = {"x": "x", "-x": "x DESC", "y": "y", "-y": "y DESC"}.get(chart.sort, "")
    if chart.sort in ("y", "-y") and not has_y:
        by = ""
    if not by and (aggregated or chart.kind in ("line", "area")):
        named = x_kind in ("text", "other", "boolean")
        by = "y DESC" if named and aggregated and chart.kind not in ("line", "area") else "x"
    # One more than the limit shows that there are more.
    return f"{f' ORDER BY {by} NULLS LAST' if by else ''} LIMIT {limit + 1}"


def _drawn(
    chart: Chart, axes: Mapping[str, Axis], columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]
) -> Drawn:
    if not rows:
        raise Refused("There are no rows to draw. Check the filters.", "input")
    limit = max(1, min(chart.limit, MOST_POINTS))
    more = (
        "A random sample of {limit:,} rows is drawn."
        if chart.kind == "scatter"
        else "Only the first {limit:,} are drawn."
    )
    notes = [more.format(limit=limit)] if len(rows) > limit else []
    kept = [tuple(row) for row in rows[:limit]]
    if chart.kind == "pie" and len(kept) > _MOST_SLICES:
        raise Refused(f"A pie of {len(kept)} slices cannot be read. Use a bar chart, or limit 12.", "input")
    names = [name for name, _ in columns]
    if "label" in names and not _few_names([row[names.index("label")] for row in kept]):
        place = names.index("label")
        axes = {name: axis for name, axis in axes.items() if name != "label"}
        kept = [(*row[:place], *row[place + 1 :]) for row in kept]
        columns = [column for column in columns if column[0] != "label"]
        names.remove("label")
    colours = {row[names.index("colour")] for row in kept} if "colour" in names else set[Any]()
    if len(colours) > _MOST_COLOURS and axes["colour"].kind not in ("integer", "number", "date", "timestamp"):
        raise Refused(f"There are {len(colours)} colours; at most {_MOST_COLOURS} can be told apart. Filter first.")
    values = [{name: _point(cell) for name, cell in zip(names, row, strict=True)} for row in kept]
    titled = tuple((axes[name].title if name in axes else name, type_name) for name, type_name in columns)
    result = Result(titled, tuple(kept), len(kept), "", 0.0)
    return Drawn(spec_of(chart, axes, values), result, " ".join(notes))


def _few_names(names: Sequence[Any]) -> bool:
    """Whether dots can be called so: there are few, and each has a name of its own."""
    return len(names) <= MOST_LABELS and None not in names and len(set(names)) == len(names)


def _point(cell: object) -> Any:
    if isinstance(cell, date):
        # With a time, and without a zone, which browsers take for their own: a bare date would be one in UTC.
        moment = cell if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
        return moment.replace(tzinfo=None).isoformat()
    value = json_value(cell)
    return one_line(value, 100) if isinstance(value, str) else value
