"""The ``python`` tool: a program of the model's, run in a locked process; what it shows goes to the person whole."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from agent.data.tables.cells import text_table
from agent.errors import ToolFailed
from agent.events import Artifact
from agent.interface_text import Text
from agent.toolkit.base import Tool, ToolResult, artifact, tool
from agent.tools.spec import ToolSpec, a_sandbox

SPEC = ToolSpec(
    "python",
    Text("Runs a program, on the tables of the chat too, in a locked process."),
    lambda parts: python_tool(parts.chat_tables().run_program),
    title=Text("Python"),
    icon="terminal",
    verbs=(Text("Running Python ·"), Text("Ran Python ·")),
    subject="code",
    told="lines",
    language="python",
    needs=a_sandbox,
    untrusted=True,
    repeats=True,
)

# Runs a program, in a new session where the second is true: its answer, and whether the session was a new one.
RunProgram = Callable[[str, bool], tuple[Mapping[str, Any], bool]]
LONGEST_PROGRAM = 20_000  # characters
_PRINTED = 2_500  # characters, as the others: of each part of what the model is shown
_VALUE = 1_500
_TABLE = 1_500
_TRACE = 2_500
_ROWS = 20
_FORGOTTEN = "Note: this is a new session; what earlier calls defined is gone."
_NOTHING = "It ran and showed nothing. End with an expression, or print, to see a value."


def python_tool(run: RunProgram, timeout: float = 20.0) -> Tool:
    """The tool for one run: its calls share one session, which begins with the first."""
    calls = count()

    # A little more than the program has, so that the sandbox can say itself that its time is over.
    @tool(timeout=timeout + 5.0, stateful=True)
    def python(code: str) -> ToolResult:
        """Runs Python, for what no other tool can do. The last expression is the result, as in a notebook; print and
        display work, names stay for the next call. A loaded table is a pandas DataFrame under its own name, or
        tables["name"]; a single one is also df. There are pandas, numpy, duckdb, altair, matplotlib and the standard
        library; no network, no other files, no other processes, no asyncio.

        Args:
            code: the program, for example df.groupby("region").total.agg(["mean", "std"])
        """
        check_length(code)
        first = next(calls) == 0
        answer, fresh = run(code, first)
        return shown(answer, () if first or not fresh else (_FORGOTTEN,))

    return python


def check_length(code: str) -> None:
    """Raises ``ToolFailed`` for a program that is too long."""
    if len(code) > LONGEST_PROGRAM:
        raise ToolFailed(f"The program has {len(code):,} characters; at most {LONGEST_PROGRAM:,} can run.", "input")


def shown(answer: Mapping[str, Any], notes: Sequence[str] = ()) -> ToolResult:
    """What a program gave, after the ``notes``; raises ``ToolFailed`` with its traceback where it failed."""
    parts = [*notes, *_printed(answer)]
    if answer["error"]:
        raise ToolFailed("\n".join([*parts, _cut(str(answer["error"]["trace"]).strip(), _TRACE)]), "input")
    parts += _shown(answer)
    return ToolResult("\n".join(parts) or _NOTHING, tuple(_artifacts(answer)))


def _printed(answer: Mapping[str, Any]) -> list[str]:
    text = str(answer["prints"]).rstrip()
    return [_cut(text, _PRINTED, int(answer["prints_left_out"]))] if text else []


def _shown(answer: Mapping[str, Any]) -> Iterator[str]:
    """The value, the first rows of the tables, and that there are charts."""
    if answer["value"] is not None:
        yield _cut(str(answer["value"]), _VALUE)
    for table in answer["tables"]:
        columns = [(str(column["name"]), str(column["type"])) for column in table["columns"]]
        body, shown = text_table(columns, table["rows"][:_ROWS], _TABLE)
        rows = f"{table['count']:,} row{'' if table['count'] == 1 else 's'}"
        wide = f"; the first {len(columns)} of {table['columns_count']:,} columns"
        rows += wide if table["columns_count"] > len(columns) else ""
        yield f"{rows}{'' if shown == table['count'] else f'; the first {shown}'}:\n{body}"
    if charts := len(answer["charts"]):
        yield "A chart was drawn for the person." if charts == 1 else f"{charts} charts were drawn for the person."
    if answer["left_out"]:
        yield f"{answer['left_out']} more tables or charts were left out: show fewer at once."


def _artifacts(answer: Mapping[str, Any]) -> Iterator[Artifact]:
    """In the order of the page: charts, then tables."""
    for number, chart in enumerate(answer["charts"], start=1):
        name = "Chart" if len(answer["charts"]) == 1 else f"Chart {number}"
        if chart["kind"] == "png":
            yield artifact("png", name, base64.b64decode(chart["base64"]))
        else:
            yield artifact("chart", name, json.dumps(chart["spec"], ensure_ascii=False).encode("utf-8", "replace"))
    for number, table in enumerate(answer["tables"], start=1):
        name = "Result" if len(answer["tables"]) == 1 else f"Result {number}"
        kept = {"columns": table["columns"], "rows": table["rows"], "total": table["count"]}
        yield artifact("table", name, json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace"))


def _cut(text: str, most: int, lost: int = 0) -> str:
    """The beginning and the end, which is what went wrong or came last; behind it, ``lost`` characters more came."""
    end = f"\n… {lost:,} characters more were not kept" if lost else ""
    if len(text) <= most:
        return text + end
    return f"{text[: most // 2]}\n… {len(text) - most:,} characters left out …\n{text[-(most - most // 2) :]}{end}"
