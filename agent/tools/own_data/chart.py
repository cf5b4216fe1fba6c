"""The ``chart`` tool: a typed call becomes a chart, without code."""

from __future__ import annotations

import json

from agent.data.tables.charts.vega import Aggregate, ChartKind, Period, Sort
from agent.interface_text import Text
from agent.toolkit.base import Tool, ToolResult, artifact, tool
from agent.tools.own_data.query import Runner, answered, repairs_of, told_repairs, written_sql
from agent.tools.spec import ToolSpec, a_table

SPEC = ToolSpec(
    "chart",
    Text("Draws a chart of the tables of the chat."),
    lambda parts: chart_tool(parts.chat_tables().run),
    title=Text("Charts"),
    icon="insert_chart",
    verbs=(Text("Drawing a chart"), Text("Drew a chart")),
    told="nothing",
    needs=a_table,
    untrusted=True,
    repeats=True,
)


def chart_tool(run: Runner, timeout: float = 20.0) -> Tool:
    """The tool for one conversation; ``run`` and ``timeout`` as for ``query_tool``."""

    @tool(timeout=timeout + 5.0)
    def chart(
        kind: ChartKind,
        data: str,
        x: str,
        y: str = "",
        colour: str = "",
        aggregate: Aggregate = "none",
        period: Period = "none",
        sort: Sort = "none",
        limit: int = 5000,
        title: str = "",
    ) -> ToolResult:
        """Draws a chart of a loaded table, or of a SELECT over the tables, for the person to see.

        Args:
            kind: bar, line, area, scatter, histogram, pie or heatmap
            data: the name of a table, or one SELECT
            x: the column along the bottom (the slices of a pie)
            y: the column of the heights; without it, rows are counted
            colour: a column whose values get a colour each (the rows of a heatmap)
            aggregate: what to make of the values of y that share an x, for example sum or mean
            period: puts dates of x together by year, quarter, month, week, day or hour
            sort: by x or y, with a minus for falling
            limit: how many marks at most
            title: what stands above the chart
        """
        asked = {"kind": kind, "x": x, "y": y, "colour": colour, "aggregate": aggregate, "period": period}
        wanted = {**asked, "sort": sort, "limit": limit, "title": title}
        source, unwrapped = written_sql(data)
        answer = answered(run({"kind": "chart", "source": source, "chart": wanted, "seconds": timeout}))
        marks = len(answer["table"]["rows"])
        repairs = (*unwrapped, *repairs_of(answer))
        said = f"The chart was drawn: {kind} of {marks:,} marks. {answer['note']}".strip() + told_repairs(repairs)
        spec = json.dumps(answer["spec"], ensure_ascii=False).encode()
        table = json.dumps(answer["table"], ensure_ascii=False).encode()
        name = str(answer["spec"].get("title") or "Chart")
        artifacts = (artifact("chart", name, spec), artifact("table", Text("Data of {name}", name=name), table))
        return ToolResult(said, artifacts, repairs=repairs)

    return chart
