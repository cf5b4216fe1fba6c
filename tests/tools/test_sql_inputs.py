"""SQL as models hand it over: bare, fenced, under another name, behind the name of its database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent.errors import ToolFailed
from agent.tools.own_data.query import query_tool
from agent.tools.own_data.query_database import query_database_tool

SQL = "SELECT city, count(*) AS n FROM shops WHERE name = 'a, b: c' GROUP BY city"
ONE = {"crm": "PostgreSQL"}
TWO = {"crm": "PostgreSQL", "stock": "SQLite"}
BARE = [
    SQL,
    f"```sql\n{SQL}\n```",
    f"```\n{SQL}\n```",
    f"Here is the statement:\n```sql\n{SQL}\n```\nIt counts.",
    json.dumps({"sql": SQL}),
    json.dumps({"query": SQL}),
    json.dumps({"input": SQL}),
    json.dumps({"statement": SQL}),
    json.dumps({"input": {"query": SQL}}),
    json.dumps({"sql": f"```sql\n{SQL}\n```"}),
    json.dumps(SQL),
    json.dumps([SQL]),
    f"sql: {SQL}",
]


def asked(text: str, kinds: Mapping[str, str]) -> tuple[str, Mapping[str, Any], tuple[str, ...]]:
    """The database, the job, and what is told of the call and its result."""
    jobs: list[tuple[str, Mapping[str, Any]]] = []

    def run(name: str, job: Mapping[str, Any]) -> Mapping[str, Any]:
        jobs.append((name, job))
        tables = [{"name": "shops", "kind": "table", "rows": 1, "columns": [], "key": [], "links": []}]
        return {"columns": [], "rows": [], "total": 0, "at_least": False, "text": "No rows.", "tables": tables, "of": 1}

    ready = query_database_tool(run, kinds).prepare(text)
    try:
        repairs = ready.tool.call(ready.arguments).repairs
    except KeyError:  # a card of more than these few words is not what is looked at here
        repairs = ()
    return *jobs[0], (*ready.repairs, *repairs)


@pytest.mark.parametrize("text", BARE, ids=lambda text: text[:30])
def test_sql_without_the_name_of_its_database(text: str) -> None:
    name, job, told = asked(text, ONE)
    assert (name, job["sql"]) == ("crm", SQL)
    assert bool(told) == (text not in (SQL, BARE[4]))


@pytest.mark.parametrize("text", BARE, ids=lambda text: text[:30])
def test_sql_for_the_tables(text: str) -> None:
    jobs: list[Mapping[str, Any]] = []

    def run(job: Mapping[str, Any]) -> Mapping[str, Any]:
        jobs.append(job)
        return {"ok": True, "columns": [], "rows": [], "total": 0, "text": "No rows.", "sql": job["sql"], "repairs": []}

    ready = query_tool(run).prepare(text)
    result = ready.tool.call(ready.arguments)
    assert jobs[0]["sql"] == SQL
    assert bool((*ready.repairs, *result.repairs)) == (text not in (SQL, BARE[4]))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"database": "stock", "sql": SQL}),
        json.dumps({"database": "stock", "query": SQL}),
        f"stock: {SQL}",
        f"Stock\n{SQL}",
        f"stock\n```sql\n{SQL}\n```",
    ],
)
def test_the_name_of_the_database_beside_the_sql(text: str) -> None:
    name, job, _ = asked(text, TWO)
    assert (name, job["sql"]) == ("stock", SQL)


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("DESCRIBE shops;", "shops"),
        ("describe table `shops`", "shops"),
        ("SHOW TABLES", ""),
        ("PRAGMA table_info('shops')", "shops"),
        (json.dumps({"describe": "shops"}), "shops"),
        ("", ""),
    ],
)
def test_how_engines_are_asked_for_their_tables(text: str, like: str) -> None:
    _, job, _ = asked(text, ONE)
    assert (job["kind"], job["like"]) == ("schema", like)


def test_sql_of_several_databases_needs_a_name() -> None:
    with pytest.raises(ToolFailed, match="Say which database to ask"):
        asked(SQL, TWO)


def test_the_example_shows_sql() -> None:
    def run(name: str, job: Mapping[str, Any]) -> Mapping[str, Any]:
        raise AssertionError

    assert (
        query_database_tool(run, ONE)
        .usage()
        .endswith('for example {"sql": "SELECT country, count(*) AS users FROM users GROUP BY country"}')
    )
    assert query_database_tool(run, TWO).usage().endswith('GROUP BY country", "database": "crm"}')
