"""The ``query_database`` tool: SQL in a connected database, in its own dialect; or what its tables are like."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, cast

from agent.data.databases.database_cards import card_text
from agent.errors import BadRequest, ToolFailed
from agent.interface_text import Text
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties
from agent.toolkit.base import Tool, ToolResult, artifact, tool
from agent.tools.own_data.query import spaced_alike, written_sql
from agent.tools.spec import Lack, Parts, ToolSpec


def _lack(parts: Parts) -> Lack | None:
    there = parts.databases and parts.databases.connections()
    return None if there else Lack("file", Text("Connect a database first."))


def _made(parts: Parts) -> Tool:
    if parts.databases is None:
        raise BadRequest.because("There are no databases here.")
    kinds = {name: connection.title for name, connection in parts.databases.connections().items()}
    return query_database_tool(parts.databases.run, kinds)


SPEC = ToolSpec(
    "query_database",
    Text("Asks the connected databases by SQL."),
    _made,
    title=Text("Databases"),
    icon="database",
    verbs=(Text("Asking a database:"), Text("Asked a database:")),
    subject="sql",
    language="sql",
    needs=_lack,
    untrusted=True,
    repeats=True,
)

# How engines are asked for their tables, or for the columns of one.
_NAME = r"[\"`\[']?([\w.$-]+)[\"`\]']?"
_DESCRIBED = regex(
    rf"(?:desc|describe|show\s+columns\s+from|show\s+create\s+table)\s+(?:table\s+)?{_NAME}\s*;?"
    rf"|show\s+(?:all\s+|full\s+)?tables\s*;?|pragma\s+table_info\s*\(\s*{_NAME}\s*\)\s*;?",
    re.IGNORECASE,
)

# Does a job in the database of that name (see ``agent.data.databases.database_worker``); raises ``ToolFailed``.
Runner = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


def query_database_tool(run: Runner, kinds: Mapping[str, str], timeout: float = 20.0) -> Tool:
    """The tool for one conversation. ``kinds`` are the databases by name, each with its dialect's name."""
    there = ", ".join(f"{name} ({kind})" for name, kind in kinds.items())
    about = (
        "Asks a connected database by one SELECT, in the SQL of its own kind. You see the first rows and how many "
        "there are; the person sees the table. Let SQL count, sum, group and sort. Reads only. "
        f"Databases: {there}."
    )

    # A little more than the statement has, so that it can say itself that its time is over.
    @tool(description=about, timeout=timeout + 5.0, main="sql", alike=spaced_alike)
    def query_database(sql: str = "", database: str = "", describe: str = "") -> ToolResult:
        """Asks a connected database.

        Args:
            sql: one SELECT, for example SELECT country, count(*) AS users FROM users GROUP BY country
            database: the name of the database; may be left out where there is only one
            describe: instead of sql: the name of a table, or a part of names, to be told of columns and keys
        """
        asked = _asked(sql, database, describe, kinds)
        name = _named(asked.database, kinds)
        if not asked.sql:
            card = run(name, {"kind": "schema", "like": asked.describe.strip("*%"), "seconds": timeout})
            told = _described({**card, "name": name, "title": kinds[name]}, asked.describe)
            return ToolResult(told, repairs=asked.repairs)
        answer = run(name, {"kind": "query", "sql": asked.sql, "seconds": timeout})
        kept = {key: answer[key] for key in ("columns", "rows", "total", "at_least")}
        content = json.dumps(kept, ensure_ascii=False).encode()
        artifacts = (artifact("table", "Result", content),) if answer["total"] else ()
        return ToolResult(str(answer["text"]), artifacts, repairs=asked.repairs)

    return query_database if len(kinds) < 2 else _with_example(query_database, next(iter(kinds)))


def _with_example(made: Tool, database: str) -> Tool:
    """The tool that tells a name of a database in its example: it has to be said where there are several."""
    fields = properties(made.parameters)
    field = {**cast("Schema", fields["database"]), "examples": [database]}
    return replace(made, parameters={**made.parameters, "properties": {**fields, "database": field}})


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a call means: ``sql`` is empty where ``describe`` is meant."""

    sql: str
    database: str
    describe: str
    repairs: tuple[str, ...] = ()


def _asked(sql: str, database: str, describe: str, kinds: Mapping[str, str]) -> _Asked:
    """The call with its SQL out of a fence, a database's name before it as such, and DESCRIBE as ``describe``."""
    named: tuple[str, ...] = ()
    head, mark, rest = sql.strip().partition(":" if ":" in sql.strip().split("\n")[0] else "\n")
    if mark and not database.strip() and head.strip().lower() in {name.lower() for name in kinds}:
        named = (Text("Read ‘{name}’ before the SQL as the name of the database.", name=head.strip()),)
        sql, database = rest, head.strip()
    statement, unwrapped = written_sql(sql)
    statement, repairs = statement.strip(), (*named, *unwrapped)
    if found := _DESCRIBED.fullmatch(statement):
        part = next(filter(None, found.groups()), "")
        note = Text("Read {given} as asking what the tables are like.", given=" ".join(statement.split())[:60])
        return _Asked("", database, part, (*repairs, note))
    return _Asked(statement, database, describe.strip(), repairs)


def _named(asked: str, kinds: Mapping[str, str]) -> str:
    if not asked.strip() and len(kinds) == 1:
        return next(iter(kinds))
    by_case = {name.lower(): name for name in kinds}
    if asked.strip().lower() in by_case:
        return by_case[asked.strip().lower()]
    near = get_close_matches(asked.lower()[:60], list(by_case), 1)
    hint = f" Did you mean ‘{by_case[near[0]]}’?" if near else ""
    said = f"There is no database ‘{asked[:60]}’." if asked.strip() else "Say which database to ask."
    raise ToolFailed(f"{said}{hint} Databases: {', '.join(kinds)}.", "input")


def _described(card: Mapping[str, Any], asked: str) -> str:
    if card["tables"]:
        return card_text(card)
    if asked.strip():
        raise ToolFailed(
            f"No table of {card['name']} has ‘{asked[:60]}’ in its name. Try a shorter part of it.", "nothing"
        )
    raise ToolFailed(f"There are no tables in {card['name']} that can be read.", "nothing")
