"""Whether a statement somebody wrote may run: one, that only reads, and only the visitor's tables.

The second of three walls. The connection (``engine``) reaches no other file whatever is run; this check says
so in words, and takes only what it knows; the transaction around it is read only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.complaints import Complaint, StatementRefused, complaint_of, in_words
from agent.data.tables.asking.suggestions import missing_column, missing_table
from agent.interface_text import Text

LONGEST_SQL = 50_000  # characters
_TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest", "json_each", "json_tree"})
_SCHEMA_TABLES = frozenset({"tables", "columns"})
_HIDDEN_FUNCTIONS = frozenset({
    "current_setting", "getvariable", "getenv", "write_log", "nextval", "currval", "set_config", "query",
    "current_query", "pg_get_viewdef", "error", "create_sort_key", "stats", "txid_current",
})  # fmt: skip
# They do not listen to an interrupt while they fill memory: what is plainly too much is not begun.
_FILLING = frozenset({"repeat", "lpad", "rpad", "bitstring", "range", "generate_series", "levenshtein", "editdist3"})
_MOST_FILLED = 10_000_000
_ONLY_READS = Text("Only SELECT can be run here: tables are read, never changed, and no other file is opened.")
_HINTS = {
    "MULTI": Text("PIVOT must name the values that become columns: PIVOT t ON column IN ('a', 'b') USING sum(value)."),
    "EXPLAIN": Text("EXPLAIN cannot be run here. Run the SELECT itself."),
    "SET": Text("Settings cannot be changed here. Write one SELECT."),
    "VARIABLE_SET": Text("Variables cannot be set here. Write one SELECT, with WITH for steps in between."),
    "COPY": Text("Nothing is written to files here. Write one SELECT; its result can be downloaded."),
    "EXPORT": Text("Nothing is written to files here. Write one SELECT; its result can be downloaded."),
    "CREATE": Text("Nothing can be created here. Use WITH name AS (SELECT …) for steps in between."),
}


def check(connection: duckdb.DuckDBPyConnection, sql: str, columns: Mapping[str, Collection[str]]) -> None:
    """Raises ``Refused`` (kind ``sql`` or ``name``) unless ``sql`` may run. ``columns`` are those of each table."""
    if len(sql) > LONGEST_SQL:
        raise Refused.because("The statement is longer than {most:,} characters.", kind="sql", most=LONGEST_SQL)
    try:
        statements = connection.extract_statements(sql)
        kinds = [statement.type.name for statement in statements]
    except duckdb.Error as error:
        said = Text("The SQL could not be read: {in_words}", in_words=in_words(error, sql))
        raise StatementRefused(said, "sql", complaint_of(error, sql)) from None
    except ValueError:  # a kind of statement that the binding has no name for is no SELECT
        raise Refused(_ONLY_READS, "sql") from None
    if not statements:
        raise Refused.because("There is no statement. Write one SELECT.", kind="sql")
    if len(statements) > 1:
        raise Refused.because(
            "One statement at a time; these are {count}. Use WITH for steps in between.",
            kind="sql",
            count=len(statements),
        )
    if kinds != ["SELECT"]:
        raise Refused(_HINTS.get(kinds[0], _ONLY_READS), "sql")
    _check_tree(_tree(connection, statements[0].query), columns)


def _tree(connection: duckdb.DuckDBPyConnection, sql: str) -> Any:
    try:
        row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
        tree = json.loads(str(row[0])) if row else {"error": True}
    except (duckdb.Error, ValueError, RecursionError):
        raise Refused.because("The statement is too deeply nested. Write it in simpler parts.", kind="sql") from None
    if tree.get("error"):
        raise Refused(_ONLY_READS, "sql")
    return tree


def _check_tree(tree: Any, columns: Mapping[str, Collection[str]]) -> None:
    nodes = list(_nodes(tree))
    known = {name.lower() for name in columns} | {name.lower() for node in nodes for name in _ctes(node)}
    # As a source of rows, range() does listen.
    sources = {id(node.get("function")) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    for node in nodes:
        kind = str(node.get("type", ""))
        if kind.endswith("_QUERY_NODE") or kind.endswith("_STATEMENT"):
            raise Refused(_ONLY_READS, "sql")
        if kind == "TABLE_FUNCTION":
            _check_table_function(node)
        elif kind == "BASE_TABLE":
            _check_table(node, known, columns)
        elif "function_name" in node and id(node) not in sources:
            _check_function(node)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object in the tree, without recursion: a statement may be nested as deeply as its writer likes."""
    waiting: list[Any] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            node = cast("dict[str, Any]", part)
            yield node
            waiting.extend(node.values())
        elif isinstance(part, list):
            waiting.extend(cast("list[Any]", part))


def _ctes(node: Mapping[str, Any]) -> list[str]:
    found = node.get("cte_map")
    held = cast("dict[str, list[dict[str, Any]]]", found) if isinstance(found, dict) else {}
    names = [str(entry["key"]) for entry in held.get("map", []) if "key" in entry]
    return [*names, str(node["cte_name"])] if "cte_name" in node else names


def _check_table_function(node: Mapping[str, Any]) -> None:
    function = node.get("function")
    name = str(cast("dict[str, Any]", function).get("function_name", "")) if isinstance(function, dict) else ""
    if name.lower() not in _TABLE_FUNCTIONS:
        raise Refused.because(
            "{name}() cannot be used here: only the loaded tables can be read.", kind="sql", name=name or "This"
        )


def _check_function(node: Mapping[str, Any]) -> None:
    name = str(node["function_name"]).lower()
    if name in _HIDDEN_FUNCTIONS or name.startswith(("read_", "pragma_", "duckdb_", "pg_read", "has_")):
        raise Refused.because("{name}() cannot be used here.", kind="sql", name=name)
    if name in _FILLING and any(_number(part) > _MOST_FILLED for part in _nodes(node.get("arguments"))):
        raise Refused.because(
            "{name}() of more than {most:,} is too much here.", kind="sql", name=name, most=_MOST_FILLED
        )


def _number(node: Mapping[str, Any]) -> int:
    literal = node.get("literal")
    text = str(cast("dict[str, Any]", literal).get("text", "")) if isinstance(literal, dict) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 40 else 0


def _check_table(node: Mapping[str, Any], known: Collection[str], columns: Mapping[str, Collection[str]]) -> None:
    name, schema = str(node.get("table_name", "")), str(node.get("schema_name", "")).lower()
    path = [str(part) for part in cast("dict[str, Any]", node.get("qualified_name") or {}).get("path", [])]
    schema = schema or (path[-2].lower() if len(path) > 1 else "")
    name = name or (path[-1] if path else "")
    if schema == "information_schema" and name.lower() in _SCHEMA_TABLES:
        return
    if schema not in ("", "main") or len(path) > 2 or name.lower() not in known:
        start = int(node.get("query_location", 0))
        place = Complaint("Catalog", "", "MISSING_ENTRY", name, "", start, start + int(node["query_location_length"]))
        said = missing_table(name if schema in ("", "main") else f"{schema}.{name}", columns)
        raise StatementRefused(said, "name", place)


def explained(error: duckdb.Error, sql: str, columns: Mapping[str, Collection[str]], run: str = "") -> StatementRefused:
    """What went wrong while a statement was bound or run, with the names that exist.

    ``run`` is what was run where that is more than ``sql``: what is said of a place in it is of the place in ``sql``.
    """
    said = complaint_of(error, run or sql)
    before = max(0, (run or sql).encode("utf-8", "replace").find(sql.encode("utf-8", "replace")))
    if said.end:
        said = replace(said, start=max(0, said.start - before), end=max(0, said.end - before))
    message = said.message
    missing = re.search(r'(?:Referenced column|column) "([^"]+)" (?:not found|does not exist|that does not)', message)
    missing = missing or re.search(r'does not have a column named "([^"]+)"', message)
    if missing is None:
        why = Text("The statement cannot be run: {in_words}", in_words=in_words(error, run or sql))
        return StatementRefused(why, "sql", said)
    return StatementRefused(missing_column(missing[1], sql, columns), "name", said)


def no_column(name: str, columns: Collection[str]) -> Refused:
    """The refusal of a column that the rows of a SELECT do not have."""
    return Refused(missing_column(name, "data", {"data": columns}), "name")
