"""What a table holds, without its rows: for the model as text within a budget, for the page with small histograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import duckdb

from agent.data.columns import Column, Table
from agent.data.engine import fetch_one
from agent.data.names import quoted
from agent.data.querying import opened
from agent.data.values import json_value, one_line, shown

_EXACT_ROWS = 200_000  # above, the number of distinct values is an estimate
_BINS = 20
_TOP = 8
_DRAWN = 100  # columns; the rest have no examples and no histogram
_AT_ONCE = 50  # columns
_EXAMPLES = 5
_ORDERED = ("integer", "number", "date", "timestamp", "time")


def card_of(table: Table, folder: Path) -> dict[str, Any]:
    """The table as ``Table.json`` has it, each column with ``nulls``, ``distinct`` and ``exact`` (no estimate),
    ``min``, ``max`` and ``mean`` where they make sense, ``examples`` (the most frequent values first), ``histogram``.

    A histogram is ``{"kind": "bins", "from", "to", "counts"}`` or ``{"kind": "values", "values", "counts", "others"}``.
    """
    with opened({"t": folder / table.file}) as room:
        columns: list[dict[str, Any]] = []
        for start in range(0, len(table.columns), _AT_ONCE):
            columns += _counted(room.connection, table.columns[start : start + _AT_ONCE], table.rows)
        for described in columns[:_DRAWN]:
            _look(room.connection, described, table.rows)
    return {**table.json(), "columns": columns}


def _counted(connection: duckdb.DuckDBPyConnection, columns: Sequence[Column], rows: int) -> list[dict[str, Any]]:
    """What one pass over these columns tells."""
    exact = rows <= _EXACT_ROWS
    row = fetch_one(connection, f"SELECT {', '.join(_counts(column, exact) for column in columns)} FROM t")
    described: list[dict[str, Any]] = []
    for place, column in enumerate(columns):
        count, different, least, most, average = row[5 * place : 5 * place + 5]
        described.append(
            {
                "name": column.name,
                "label": column.label,
                "type": column.type,
                "unit": column.unit,
                "note": column.note,
                "kind": column.kind,
                "nulls": rows - int(count),
                "distinct": min(int(different), int(count)),
                "exact": exact,
                "min": json_value(least),
                "max": json_value(most),
                "mean": json_value(average),
                "examples": [],
                "histogram": None,
            }
        )
    return described


def _counts(column: Column, exact: bool) -> str:
    name = quoted(column.name)
    distinct = f"count(DISTINCT {name})" if exact else f"approx_count_distinct({name})"
    span = f"min({name}), max({name})" if column.kind in _ORDERED else "NULL, NULL"
    mean = f"avg({name})" if column.kind in ("integer", "number") else "NULL"
    return f"count({name}), {distinct}, {span}, {mean}"


def _look(connection: duckdb.DuckDBPyConnection, described: dict[str, Any], rows: int) -> None:
    """Add examples and a histogram, which take a pass each."""
    name, kind = quoted(described["name"]), described["kind"]
    count = rows - described["nulls"]
    if not count:
        return
    frequent = _frequent(connection, name)
    described["examples"] = [one_line(shown(value), 60) for value, _ in frequent[:_EXAMPLES]]
    spread = kind in _ORDERED and described["min"] != described["max"]
    described["histogram"] = _bins(connection, name, kind) if spread else _values(frequent, count)


def _frequent(connection: duckdb.DuckDBPyConnection, name: str) -> list[tuple[object, int]]:
    """The most frequent values in the first rows, where every one may be different; of all where there are few."""
    rows = connection.execute(
        f"SELECT v, count(*) AS n FROM (SELECT {name} AS v FROM t WHERE {name} IS NOT NULL LIMIT {_EXACT_ROWS}) "
        f"GROUP BY v ORDER BY n DESC, v LIMIT {_TOP}"
    ).fetchall()
    return [(value, int(count)) for value, count in rows]


def _values(frequent: Sequence[tuple[object, int]], count: int) -> dict[str, Any]:
    counted = min(count, _EXACT_ROWS)
    return {
        "kind": "values",
        "values": [one_line(shown(value), 40) for value, _ in frequent],
        "counts": [number for _, number in frequent],
        "others": max(0, counted - sum(number for _, number in frequent)),
    }


def _bins(connection: duckdb.DuckDBPyConnection, name: str, kind: str) -> dict[str, Any] | None:
    number = {"date": f"epoch({name})", "timestamp": f"epoch({name})", "time": f"epoch({name})"}.get(kind, name)
    value = f"CAST({number} AS DOUBLE)"
    rows = connection.execute(
        f"WITH numbers AS (SELECT {value} AS v FROM t), "
        "span AS (SELECT min(v) AS low, max(v) AS high FROM numbers WHERE isfinite(v)) "
        f"SELECT least({_BINS - 1}, CAST(floor((v - low) / (high - low) * {_BINS}) AS INTEGER)) AS bin, count(*) "
        "FROM numbers, span WHERE isfinite(v) AND high > low GROUP BY bin"
    ).fetchall()
    ends = connection.execute(f"SELECT min({name}), max({name}) FROM t WHERE isfinite({value})").fetchone()
    if not rows or ends is None:
        return None
    counts = [0] * _BINS
    for place, count in rows:
        counts[int(place)] = int(count)
    return {"kind": "bins", "from": shown(ends[0]), "to": shown(ends[1]), "counts": counts}


def card_text(card: Mapping[str, Any], budget: int = 4_000) -> str:
    """The card for a model, of at most ``budget`` characters (never fewer than the name and the counts need).

    Where columns do not fit, values are left out first, then columns; the text says how to ask for them.
    """
    columns = cast("Sequence[Mapping[str, Any]]", card["columns"])
    head = f"{card['name']}: {card['rows']:,} rows, {len(columns)} columns (from {one_line(str(card['source']), 80)})"
    if card.get("bad_rows"):
        bad = card["bad_rows"]
        head += f"; {'many' if bad < 0 else f'{bad:,}'} lines of the file could not be read"
    for line in (_full_line, _short_line, _name_and_type):
        lines = [head, *(line(column) for column in columns)]
        text = "\n".join(lines)
        if len(text) <= budget:
            return text
    return _abridged(head, str(card["name"]), columns, budget)


def cards_text(cards: Sequence[Mapping[str, Any]], budget: int = 8_000) -> str:
    """The cards of all tables, the budget shared: what small ones do not need goes to the large."""
    texts: list[str] = []
    left = budget
    by_size = sorted(range(len(cards)), key=lambda index: len(cards[index]["columns"]))
    written: dict[int, str] = {}
    for position, index in enumerate(by_size):
        written[index] = card_text(cards[index], max(200, left // (len(cards) - position)))
        left -= len(written[index]) + 2
    texts = [written[index] for index in range(len(cards))]
    return "\n\n".join(texts)


def _full_line(column: Mapping[str, Any]) -> str:
    parts = [_short_line(column)]
    examples = [f"“{text}”" for text in column.get("examples", [])[:3]]
    if column.get("kind") in ("text", "boolean", "other") and examples:
        parts.append(f"for example {', '.join(examples)}")
    if column.get("label") and column["label"] != column["name"]:
        parts.append(f"headed “{one_line(str(column['label']), 60)}”")
    if column.get("note"):
        parts.append(str(column["note"]).rstrip("."))
    return "; ".join(parts)


def _short_line(column: Mapping[str, Any]) -> str:
    parts = [_name_and_type(column)]
    if column.get("min") is not None:
        parts.append(f"{shown(column['min'])} to {shown(column['max'])}")
    parts.append(f"{'' if column.get('exact', True) else 'about '}{column.get('distinct', 0):,} distinct")
    if column.get("nulls"):
        parts.append(f"{column['nulls']:,} nulls")
    return ", ".join(parts)


def _name_and_type(column: Mapping[str, Any]) -> str:
    unit = str(column.get("unit", ""))
    meaning = " (percent: 12.5 means 12.5 %)" if unit == "%" else f" (in {unit})" if unit else ""
    return f"- {column['name']} {column['type']}{meaning}"


def _abridged(head: str, name: str, columns: Sequence[Mapping[str, Any]], budget: int) -> str:
    most = budget - len(head) - len(name) - 130
    lines: list[str] = []
    for column in columns:
        line = _name_and_type(column)
        most -= len(line) + 1
        if most < 0:
            break
        lines.append(line)
    more = f"… and {len(columns) - len(lines)} more columns. For all of them, or some, query: "
    return "\n".join([head, *lines, f"{more}SELECT column_name, data_type FROM information_schema.columns "
                      f"WHERE table_name = '{name}'"])  # fmt: skip
