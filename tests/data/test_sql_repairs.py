"""Statements that the engine refuses and that mean one thing: repaired, told, and never one that runs."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from pathlib import Path
from threading import Event as Flag
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.data.refusal import Refused
from agent.data.tables import table_jobs
from agent.data.tables.asking.engine import asking
from agent.data.tables.asking.querying import export_csv, query
from agent.data.tables.asking.statements import check
from agent.events import Observed, dump, load
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.toolkit.base import Toolbox
from agent.tools.own_data.chart import chart_tool
from agent.tools.own_data.query import query_tool
from agent.views.fold import fold
from tests.support.jobs import table_job as handle

pytestmark = pytest.mark.system

_FILES = {
    "staff.csv": "Staff ID,Name,Branch ID,Hired,Pay Grade,Order\n"
    "1,Ann,1,2019-03-01,3,10\n2,Bob,1,2020-07-15,trainee,11\n3,Cleo,2,2021-01-20,5,12\n"
    + "".join(f"{n},P{n},3,2022-01-{n:02d},{n},{n}\n" for n in range(4, 25)),
    "branch.csv": "Branch ID,City,Region\n1,Lyon,South\n2,Brest,West\n3,Lille,North\n",
    "Show.csv": "Year,Guests\n2001,40\n2002,55\n",
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("repairs")
    loaded: dict[str, Path] = {}
    for name, text in _FILES.items():
        (folder / "up").write_text(text, encoding="utf-8")
        answer = handle({"kind": "load", "source": "up", "name": name, "taken": list(loaded)}, folder)
        loaded |= {table["name"]: folder / table["file"] for table in answer["tables"]}
    return loaded


# statement, the statement that is run, its rows, a part of what is told
REPAIRED = [
    (
        'SELECT city FROM branch WHERE region = "North"',
        "SELECT city FROM branch WHERE region = 'North'",
        [("Lille",)],
        "Read “North” in double quotes as a text",
    ),
    (
        'SELECT city FROM branch WHERE region IN ("North", "West") ORDER BY 1',
        "SELECT city FROM branch WHERE region IN ('North', 'West') ORDER BY 1",
        [("Brest",), ("Lille",)],
        "“West”",
    ),
    (
        'SELECT city FROM branch WHERE city LIKE "%e" OR city LIKE "Ly%" ORDER BY 1',
        "SELECT city FROM branch WHERE city LIKE '%e' OR city LIKE 'Ly%' ORDER BY 1",
        [("Lille",), ("Lyon",)],
        "“Ly%”",
    ),
    (
        'SELECT CASE WHEN region = \'North\' THEN "cold" ELSE "mild" END AS w FROM branch ORDER BY 1 LIMIT 1',
        "SELECT CASE WHEN region = 'North' THEN 'cold' ELSE 'mild' END AS w FROM branch ORDER BY 1 LIMIT 1",
        [("cold",)],
        "“mild”",
    ),
    (
        'SELECT count(*) FROM branch WHERE "it\'s" = city',
        "SELECT count(*) FROM branch WHERE 'it''s' = city",
        [(0,)],
        "“it's”",
    ),
    (
        "SELECT b.city, count(*) FROM branch b JOIN staff s USING (branch_id) GROUP BY b.branch_id ORDER BY b.city",
        'SELECT any_value(b.city) AS "city", count(*) FROM branch b JOIN staff s USING (branch_id) '
        "GROUP BY b.branch_id ORDER BY any_value(b.city)",
        [("Brest", 1), ("Lille", 21), ("Lyon", 2)],
        "Took the one value of ‘city’ in each group.",
    ),
    (
        "SELECT name, min(hired) FROM staff WHERE staff_id < 4",
        "SELECT arg_min(name, hired) AS \"name\", min(hired) FROM staff WHERE staff_id < 4",
        None,
        "from the row with the min",
    ),
    (
        "SELECT sum(pay_grade) FROM staff",
        "SELECT sum(TRY_CAST(pay_grade AS DOUBLE)) FROM staff",
        [(3 + 5 + sum(range(4, 25)),)],
        "1 of 24 are none and were left out",
    ),
    (
        "SELECT count(*) FROM staff WHERE pay_grade > 20",
        "SELECT count(*) FROM staff WHERE TRY_CAST(pay_grade AS DOUBLE) > 20",
        [(4,)],
        "Read the texts of ‘pay_grade’ as numbers",
    ),
    (
        "SELECT name FROM staff WHERE hired LIKE '2020%'",
        "SELECT name FROM staff WHERE CAST(hired AS VARCHAR) LIKE '2020%'",
        [("Bob",)],
        "Read ‘hired’ as text here.",
    ),
    (
        "SELECT count(*) FROM staff WHERE hired < '2021'",
        "SELECT count(*) FROM staff WHERE CAST(hired AS VARCHAR) < '2021'",
        [(2,)],
        "Read ‘hired’ as text here.",
    ),
    ("SELECT max(guests) FROM show", 'SELECT max(guests) FROM "show_"', [(55,)], "a word of SQL, as the name ‘show_’"),
    ("SELECT max(order) FROM staff", 'SELECT max("order_") FROM staff', [(24,)], "‘order’"),
    ('SELECT max("Pay Grade") FROM staff', 'SELECT max("pay_grade") FROM staff', [("trainee",)], "‘Pay Grade’"),
    ('SELECT count(*) FROM "Show"', 'SELECT count(*) FROM "show_" AS "Show"', [(2,)], "Read the table ‘Show’"),
    ("SELECT `city` FROM `branch` LIMIT 1, 1", None, [("Brest",)], "Read the statement as SQL of SQLite"),
    ("SELECT TOP 1 city FROM branch ORDER BY city", None, [("Brest",)], "Read the statement as SQL of SQL Server"),
    ("SELECT DATE_FORMAT(hired, '%Y') FROM staff WHERE staff_id = 1", None, [("2019",)], "SQL of MySQL"),
    ('SELECT strftime("%Y", hired) FROM staff WHERE staff_id = 1', None, [("2019",)], "“%Y” in double quotes"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "run", "rows", "told"), REPAIRED, ids=lambda value: str(value)[:50])
def test_what_means_one_thing_is_repaired(
    tables: dict[str, Path], sql: str, run: str | None, rows: list[tuple[object, ...]] | None, told: str
) -> None:
    result = query(tables, sql)
    assert told in " ".join(result.repairs)
    if run is not None:
        assert result.sql == run
    if rows is not None:
        assert list(result.rows) == rows
    # What is shown runs by itself, and gives the same.
    again = query(tables, result.sql)
    assert (again.rows, again.repairs) == (result.rows, ())


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ('SELECT "Nmae" FROM staff', "There is no column “Nmae”. Did you mean name?"),
        ("SELECT name FROM staff WHERE \"Nmae\" = 'Ann'", "There is no column “Nmae”"),
        ('SELECT name FROM staff WHERE branch_id = "brnach_id"', "There is no column “brnach_id”"),
        ('SELECT name FROM staff ORDER BY "North"', "There is no column “North”"),
        ('SELECT sum("North") FROM staff', "There is no column “North”"),
        ('SELECT name FROM staff WHERE name = "City"', "There is no column “City”"),
        ("SELECT branch_id, name FROM staff GROUP BY branch_id", 'column "name" must appear in the GROUP BY clause'),
        ("SELECT name, max(hired), min(hired) FROM staff", 'column "name" must appear in the GROUP BY clause'),
        ("SELECT sum(name) FROM staff", "sum(VARCHAR)"),
        ("SELECT name FROM staff WHERE hired > 2020", "Cannot compare values of type DATE"),
        ("SELECT name FROM staff WHERE staff_id = 'abc'", "Could not convert string 'abc'"),
        ("SELECT no_such_function(name) FROM staff", "no_such_function"),
        ("SELECT FROM WHERE", "syntax error"),
        ("DELETE FROM staff", "Only SELECT can be run here"),
        ("SELECT * FROM `/etc/passwd`", "There is no table “/etc/passwd”"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_could_mean_two_things_is_refused(tables: dict[str, Path], sql: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        query(tables, sql)
    assert said in str(refused.value)


_VALUES = st.one_of(
    st.sampled_from(["'North'", '"North"', "3", "'3'", "'2020'", "NULL", "'x''y'", '"city"', "name", "s.pay_grade"]),
    st.text(string.ascii_letters + ' %"', max_size=6).map(lambda text: "'" + text + "'"),
)
_COLUMNS = st.sampled_from(
    ["name", "s.name", "hired", "pay_grade", "branch_id", "city", '"Name"', "order_", "region", "max(hired)", "*"]
)
_STATEMENTS = st.builds(
    "SELECT {} FROM staff s{} WHERE {} {} {}{}{}".format,
    st.lists(st.one_of(_COLUMNS, _VALUES), min_size=1, max_size=3).map(", ".join),
    st.sampled_from(["", " JOIN branch USING (branch_id)", ", show_"]),
    _COLUMNS,
    st.sampled_from(["=", "<>", "<", "LIKE", "||", "IN"]),
    st.one_of(_VALUES, st.lists(_VALUES, min_size=1, max_size=2).map(lambda some: f"({', '.join(some)})")),
    st.sampled_from(["", " GROUP BY branch_id", " GROUP BY name", " GROUP BY 1"]),
    st.sampled_from(["", " ORDER BY 1", " ORDER BY name", " LIMIT 2", " ORDER BY sum(order_)"]),
)


@given(sql=_STATEMENTS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_statement_that_runs_is_never_repaired(tables: dict[str, Path], sql: str) -> None:
    """Whether it runs is asked of the engine alone, and what it then gives."""
    plain = _rows(tables, sql)
    try:
        result = query(tables, sql)
    except Refused:
        assert plain is None
        return
    if plain is None:
        assert result.repairs
        assert result.sql != sql
    else:
        assert (result.repairs, result.sql) == ((), sql)
        assert sorted(map(repr, result.rows)) == sorted(map(repr, plain)) or "LIMIT" in sql


def _rows(tables: dict[str, Path], sql: str) -> list[tuple[object, ...]] | None:
    with asking(tables) as connection:
        columns = {name: [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()] for name in tables}
        try:
            check(connection, sql, columns)
            return connection.execute(sql).fetchall()
        except (Refused, duckdb.Error):
            return None


def test_a_repair_is_a_fact_of_the_run(tables: dict[str, Path]) -> None:
    """In the event and the step, and told to the model; the call stays as the model wrote it."""
    named = [{"name": name, "file": path.name} for name, path in tables.items()]
    folder = next(iter(tables.values())).parent

    def run(job: Mapping[str, Any]) -> Mapping[str, Any]:
        return table_jobs.handle({**job, "tables": named}, folder)

    asked = 'SELECT city, 1 AS n FROM branch WHERE region = "North"'
    drawn = json.dumps({"kind": "bar", "x": "city", "y": "n", "data": asked})
    replies = [f"Action: query\nAction Input: {asked}", f"Action: chart\nAction Input: {drawn}", "Final Answer: Lille."]
    setup = Agent(Scripted(replies), Toolbox([query_tool(run), chart_tool(run)]), "react")
    events = list(answer(Question("Which city?"), setup, Flag()))
    told = "Read “North” in double quotes as a text: there is no such column."
    calls = [call for step in fold(events).steps for call in step.calls]
    assert [(call.input, call.repairs) for call in calls] == [(asked, (told,)), (drawn, (told,))]
    seen = [event for event in events if isinstance(event, Observed)]
    assert all(f"Note: the SQL was changed so that it runs. {told}" in event.text for event in seen)
    assert "region = 'North'" in json.loads(seen[0].artifacts[0].content or b"")["sql"]
    for event in seen:
        again = load(dump(event))
        assert isinstance(again, Observed)
        assert [repair.key for repair in again.repairs if isinstance(repair, Text)] == [
            "Read “{name}” in double quotes as a text: there is no such column."
        ]


def test_an_export_is_of_the_repaired_statement(tables: dict[str, Path], tmp_path: Path) -> None:
    written = export_csv(tables, 'SELECT city FROM branch WHERE region = "North"', tmp_path / "out.csv")
    assert written["rows"] == 1
    assert (tmp_path / "out.csv").read_text(encoding="utf-8-sig").split() == ["city", "Lille"]
