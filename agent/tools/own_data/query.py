"""The ``query`` tool: SQL over the tables, run elsewhere; a table for the person, its first rows for the model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agent.errors import ToolFailed
from agent.interface_text import Text, unpacked
from agent.text.regex import regex
from agent.toolkit.arguments.repair import Arguments
from agent.toolkit.base import Tool, ToolResult, artifact, tool
from agent.tools.spec import ToolSpec, a_table

SPEC = ToolSpec(
    "query",
    Text("Asks the tables of the chat by SQL."),
    lambda parts: query_tool(parts.chat_tables().run),
    title=Text("Your tables"),
    icon="table_view",
    verbs=(Text("Asking the tables:"), Text("Asked the tables:")),
    subject="sql",
    language="sql",
    needs=a_table,
    untrusted=True,
    repeats=True,
)

_FENCED = regex(r"^[ \t]*```[ \t]*\w*[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)

_QUOTED = regex(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""")
_NOT_PLAIN = regex(r"--|/\*|[$\\#`\[]")
_SPACE = regex(r"\s+")

# Does a job of ``table_jobs`` with the tables of this conversation, in a locked process; answers as it does.
Runner = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def query_tool(run: Runner, timeout: float = 20.0) -> Tool:
    """The tool for one conversation. ``run`` fills in the tables; ``timeout`` is in seconds."""

    # A little more than the statement has, so that it can say itself that its time is over.
    @tool(timeout=timeout + 5.0, alike=spaced_alike)
    def query(sql: str) -> ToolResult:
        """Asks the loaded tables by one SELECT of SQL (DuckDB). You see the first rows and how many there are; the
        person sees the whole table. Let SQL count, sum, group and sort: never work rows out yourself. Reads only.

        Args:
            sql: one SELECT, for example SELECT region, sum(total) AS total FROM sales GROUP BY region ORDER BY 2 DESC
        """
        statement, unwrapped = written_sql(sql)
        answer = answered(run({"kind": "query", "sql": statement, "seconds": timeout}))
        kept = {key: answer[key] for key in ("columns", "rows", "total", "sql")}
        notes = {"notes": answer["notes"]} if answer.get("notes") else {}
        content = json.dumps({**kept, **notes}, ensure_ascii=False)
        artifacts = (artifact("table", "Result", content.encode()),) if answer["total"] else ()
        repairs = (*unwrapped, *repairs_of(answer))
        return ToolResult(f"{answer['text']}{told_repairs(repairs)}", artifacts, repairs=repairs)

    return query


def spaced_alike(arguments: Arguments) -> Arguments:
    """Spaces and line breaks outside of quotes, and a semicolon at the end, make no other statement.

    Where there may be comments or quotes of another kind, all of it counts.
    """
    sql = arguments.get("sql")
    if not isinstance(sql, str) or _NOT_PLAIN.search(sql):
        return arguments
    parts = _QUOTED.split(sql)
    if any(quote in part for part in parts[::2] for quote in "'\""):
        return arguments
    parts[::2] = [_SPACE.sub(" ", part) for part in parts[::2]]
    return {**arguments, "sql": "".join(parts).strip().removesuffix(";").rstrip()}


def written_sql(text: str) -> tuple[str, tuple[str, ...]]:
    """The statement in ``text``, which may have been fenced, and that it was taken out of there."""
    blocks = _FENCED.findall(text)
    if len(blocks) != 1 or not blocks[0].strip():
        return text, ()
    return blocks[0].strip(), (Text("Took the SQL out of its code fence."),)


def repairs_of(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What of the statement had to be changed so that it runs."""
    return tuple(unpacked(repair) for repair in answer.get("repairs", ()))


def told_repairs(repairs: Sequence[str]) -> str:
    """The repairs for the model, so that it knows what was asked, and asks better next time."""
    return f"\n\nNote: the SQL was changed so that it runs. {' '.join(repairs)}" if repairs else ""


def answered(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a job that was done; raises ``ToolFailed`` with its sentence otherwise."""
    if not answer.get("ok"):
        kind = "timeout" if answer.get("error") == "time" else "input"
        raise ToolFailed(unpacked(answer.get("message") or "The tables cannot be asked just now."), kind)
    return answer
