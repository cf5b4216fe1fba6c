"""The tools over the tables: what the model is told, what the person gets, through the jobs as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ToolFailed
from agent.tools.own_data.chart import chart_tool
from agent.tools.own_data.python import shown
from agent.tools.own_data.query import Runner, query_tool
from tests.support.jobs import table_job as handle


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    (tmp_path / "up").write_text("Region,Total\nNorth,5\nSouth,7.5\nNorth,1\n")
    loaded = handle({"kind": "load", "source": "up", "name": "sales.csv"}, tmp_path)
    tables = [{"name": table["name"], "file": table["file"]} for table in loaded["tables"]]

    def job(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return handle({**asked, "tables": tables}, tmp_path)

    return job


def test_a_query_is_text_for_the_model_and_a_table_for_the_person(run: Runner) -> None:
    result = query_tool(run).call({"sql": "SELECT region, sum(total) AS s FROM sales GROUP BY 1 ORDER BY 2"})
    assert result.text == "2 rows:\nregion VARCHAR | s DOUBLE\nNorth | 6\nSouth | 7.5"
    (table,) = result.artifacts
    assert (table.kind, table.name) == ("table", "Result")
    assert json.loads(table.content)["rows"] == [["North", 6.0], ["South", 7.5]]


def test_a_wrong_query_tells_the_model_what_there_is(run: Runner) -> None:
    with pytest.raises(ToolFailed, match="Did you mean total"):
        query_tool(run).call({"sql": "SELECT totel FROM sales"})
    assert not query_tool(run).call({"sql": "SELECT * FROM sales WHERE total > 99"}).artifacts


def test_a_query_without_end_is_stopped(run: Runner) -> None:
    with pytest.raises(ToolFailed) as failed:
        query_tool(run, timeout=0.2).call({"sql": "SELECT count(*) FROM range(1000000000000)"})
    assert failed.value.kind == "timeout"


def test_a_chart_comes_with_its_data(run: Runner) -> None:
    result = chart_tool(run).call({"kind": "bar", "data": "sales", "x": "region", "y": "total", "aggregate": "sum"})
    assert result.text == "The chart was drawn: bar of 2 marks."
    chart, table = result.artifacts
    assert (chart.kind, table.kind) == ("chart", "table")
    assert json.loads(chart.content)["data"]["values"] == [{"x": "South", "y": 7.5}, {"x": "North", "y": 6.0}]
    assert json.loads(table.content)["rows"] == [["South", 7.5], ["North", 6.0]]


def test_a_chart_of_a_column_that_is_not_there(run: Runner) -> None:
    with pytest.raises(ToolFailed, match="Did you mean region"):
        chart_tool(run).call({"kind": "bar", "data": "sales", "x": "regoin"})


def test_what_a_program_gave_says_what_was_not_kept_of_it() -> None:
    table = {"columns": [{"name": "a", "type": "int64"}], "rows": [[1]], "count": 1, "columns_count": 3_000}
    answer = {"prints": "a\n", "prints_left_out": 1_234, "value": None, "error": None, "charts": [], "left_out": 0}
    assert shown({**answer, "tables": [table]}).text == (
        "a\n… 1,234 characters more were not kept\n1 row; the first 1 of 3,000 columns:\na int64\n1"
    )
    whole = {**answer, "prints_left_out": 0, "tables": [{**table, "columns_count": 1}]}
    assert shown(whole).text == "a\n1 row:\na int64\n1"
