"""A statement as the tree that DuckDB reads it as, each part with the bytes of the statement that it was read from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import duckdb

_AGGREGATES = frozenset({
    "min", "max", "sum", "avg", "mean", "median", "count", "total", "any_value", "only_value", "first", "last", "mode",
    "arg_max", "arg_min", "list", "string_agg", "group_concat", "stddev", "variance", "quantile_cont", "product",
})  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """``role`` is the name under which ``parent`` has it, ``index`` its place there where there are several."""

    node: Mapping[str, Any]
    parent: Part | None = None
    role: str = ""
    index: int = 0

    @property
    def kind(self) -> str:
        return str(self.node.get("type", ""))

    @property
    def start(self) -> int:
        return int(self.node.get("query_location", 0))

    @property
    def end(self) -> int:
        return self.start + int(self.node.get("query_location_length", 0))

    @property
    def names(self) -> list[str]:
        """Of a reference to a column: table, where it is said, and column."""
        return [str(name) for name in self.node.get("column_names") or ()]

    @property
    def function(self) -> str:
        return str(self.node.get("function_name", "")).lower()

    @property
    def aggregates(self) -> bool:
        return self.function in _AGGREGATES

    def above(self) -> Iterator[Part]:
        part = self.parent
        while part is not None:
            yield part
            part = part.parent

    @property
    def select(self) -> Part | None:
        """The SELECT that it is a part of."""
        return next((part for part in self.above() if part.kind == "SELECT_NODE"), None)


def parts_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Part]:
    """Every part of a statement, those above before those below; none where it cannot be read."""
    try:
        row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
        tree = cast("dict[str, Any]", json.loads(str(row[0])) if row else {})
    except (duckdb.Error, ValueError, RecursionError):
        return []
    return [] if tree.get("error", True) else list(_parts(tree))


def _parts(tree: Mapping[str, Any]) -> Iterator[Part]:
    """In depth, without recursion: a statement may be nested as deeply as its writer likes."""
    waiting: list[tuple[Any, Part | None, str, int]] = [(tree, None, "", 0)]
    while waiting:
        value, parent, role, index = waiting.pop()
        if isinstance(value, list):
            items = list(enumerate(cast("list[Any]", value)))
            waiting += [(item, parent, role, number) for number, item in reversed(items)]
        elif isinstance(value, dict):
            node = cast("dict[str, Any]", value)
            if "type" in node:
                parent = Part(node, parent, role, index)
                yield parent
                waiting += [(item, parent, key, 0) for key, item in reversed(node.items())]
            else:  # what only holds others, as the arguments of a function do
                waiting += [(item, parent, role or key, index) for key, item in reversed(node.items())]


def tables_of(parts: list[Part]) -> dict[str, str]:
    """The tables that a statement names, by the name it calls each by, both in lower case."""
    named: dict[str, str] = {}
    for part in parts:
        if part.kind == "BASE_TABLE":
            whole = cast("Mapping[str, list[str]]", part.node.get("qualified_name") or {})
            table = str(part.node.get("table_name") or whole.get("path", [""])[-1]).lower()
            named[str(part.node.get("alias") or table).lower()] = table
    return named
