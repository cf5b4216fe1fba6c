"""Tables in a conversation's runs: tools, prompt, answers without AI, stopping, going on from an old run."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from threading import Timer
from time import monotonic, sleep
from typing import Any

import pytest

from agent.application.setup import Choice, setup
from agent.data.tables.card_texts import HEADING, cards_text
from agent.data.tables.chat_tables import ConversationTables, Tables
from agent.data.tables.questions.table_schema import table_of
from agent.demo.model import Demo
from agent.errors import ToolFailed
from agent.events import Answered, Failed, Observed, Prepared, ToolCalled
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer, ask
from agent.runs.in_flight import Runs
from agent.runs.rewind import before
from agent.sandbox import client
from agent.sandbox.client import TABLES, Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.tools.own_data.python import python_tool
from agent.tools.search.search_tool import SearchCache
from agent.wire.instructions import instructions
from tests.support.stories import calls, final, names

pytestmark = pytest.mark.system

needs_sandbox = pytest.mark.skipif(bool(client.missing()), reason=client.missing())
SALES = b"Region,Total\nNorth,5\nSouth,7.5\nNorth,1\n"
BOMB = "SELECT count(*) FROM range(100000000000) a, range(100) b WHERE a.range % 7 = b.range"


@pytest.fixture
def chat(store: Store, tmp_path: Path, sandbox: Sandbox) -> ConversationTables:
    tables = Tables(store.database, tmp_path / "tables", sandbox)
    return tables.open("v", store.add_conversation("v", "Sales"))


def make(tables: ConversationTables | None, language: str = "en") -> Agent:
    made = setup(read_settings({}), Choice(language=language), Capabilities(), SearchCache(), tables=tables)
    return replace(made, model=Demo(pace=0))


def told_to(tools: Toolbox, wire: str, language: str, today: str, cards: Sequence[Mapping[str, Any]] = ()) -> str:
    return "\n\n".join(instructions(tools, wire, language, today, cards).values())


@needs_sandbox
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("wire", ["native", "react"])
def test_the_prompt_ends_with_the_tables(chat: ConversationTables, wire: str, language: str) -> None:
    without = make(chat, language)
    assert set(without.tools.names) - set(make(None, language).tools.names) == {"python"}
    plain = told_to(without.tools, wire, language, "2026-11-21")
    assert told_to(make(chat, language).tools, wire, language, "2026-11-21", make(chat).cards) == plain
    assert HEADING not in plain
    chat.load("sales.csv", io.BytesIO(SALES))
    chosen = make(chat, language)
    assert set(chosen.tools.names) - set(without.tools.names) == {"query", "chart"}
    told = told_to(chosen.tools, wire, language, "2026-11-21", chosen.cards)
    assert told.endswith(f"\n\n{HEADING}\n\n{cards_text(chosen.cards)}")
    (table,) = map(table_of, chosen.cards)
    assert (table.name, table.rows, [column.name for column in table.columns]) == ("sales", 3, ["region", "total"])
    if wire == "native":
        assert told.startswith(plain)


@needs_sandbox
def test_the_demo_answers_about_a_table(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    events = list(answer(Question("What is the total by region?"), make(chat), Flag()))
    (called,) = [event for event in events if isinstance(event, ToolCalled)]
    assert called.tool == "query" and "GROUP BY" in called.input.upper()
    assert isinstance(events[-1], Answered) and "7.5" in events[-1].text and "6" in events[-1].text
    events = list(answer(Question("Plot total by region"), make(chat), Flag()))
    seen = [event for event in events if isinstance(event, Observed)][-1]
    assert [artifact.kind for artifact in seen.artifacts] == ["chart", "table"]


@needs_sandbox
def test_an_old_run_goes_on_with_the_tables_of_now(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    events = list(answer(Question("What is the total by region?"), make(chat), Flag()))
    chat.remove(chat.loaded()[0].id)
    chat.load("sales.csv", io.BytesIO(SALES + b"East,100\n"))
    so_far = before(events, 1)
    again = list(answer(Question("What is the total by region?", so_far=so_far), make(chat), Flag()))
    assert isinstance(again[-1], Answered) and "100" in again[-1].text
    prepared = next(event for event in again if isinstance(event, Prepared))
    assert "4 rows" in prepared.system


@needs_sandbox
def test_tools_that_come_with_tables_are_told_last(chat: ConversationTables) -> None:
    before = make(chat).tools.names
    chat.load("sales.csv", io.BytesIO(SALES))
    after = make(chat).tools.names
    assert after[: len(before)] == before
    assert {"query", "chart"} <= set(after[len(before) :]) and "python" in before


@needs_sandbox
def test_python_works_without_a_table(chat: ConversationTables) -> None:
    python = make(chat).tools.find("python")
    assert python.call({"code": "import math\nmath.comb(52, 5)"}).text == "2598960"
    with pytest.raises(ToolFailed, match="no table 'sales'"):
        python.call({"code": "tables['sales']"})


@needs_sandbox
def test_stop_reaches_a_query_at_work(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    cancel = Flag()
    mine = chat.files.open("v", chat.conversation, cancel)
    Timer(0.5, cancel.set).start()
    query = make(mine).tools.find("query")
    with pytest.raises(ToolFailed) as stopped:
        query.call({"sql": BOMB})
    assert stopped.value.kind == "stopped"


@needs_sandbox
def test_a_stopped_run_leaves_no_worker(chat: ConversationTables, store: Store) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    cancel, runs, run = Flag(), Runs(store), store.add_run(chat.conversation)
    chosen = make(chat.files.open("v", chat.conversation, cancel))
    model = Scripted([calls(("a", "query", json.dumps({"sql": BOMB}))), final("Never.")], takes_tools=True)
    setup = Agent(model, chosen.tools, cards=chosen.cards)
    question = Question("How many?", merging=False)
    runs.start(run, lambda flag: ask(store, run, question, setup, flag), 120.0, cancel)
    while not any(isinstance(event, ToolCalled) for event in runs.follow(run).events):
        pass
    runs.cancel(run)
    while not runs.follow(run, 1_000).done:
        pass
    runs.close()
    ended = store.events(run)[-1]
    assert isinstance(ended, Failed) and ended.reason == "cancelled"
    session = chat.files.sandbox.session(chat.folder, TABLES)
    end = monotonic() + 20
    while session.running:
        assert monotonic() < end
        sleep(0.02)
    assert [entry.name for entry in chat.folder.iterdir()] == [chat.loaded()[0].file]


@needs_sandbox
def test_a_program_for_the_model_and_the_person(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    python = make(chat).tools.find("python")
    result = python.call({"code": "print('hello')\nbig = df[df.total > 2]\nbig"})
    assert result.text.startswith("hello\n2 rows:\nregion ")
    assert "North | 5\nSouth | 7.5" in result.text
    (table,) = result.artifacts
    assert (table.kind, json.loads(table.content)["rows"]) == ("table", [["North", 5.0], ["South", 7.5]])
    assert python.call({"code": "len(big)"}).text == "2"
    drawn = python.call({"code": "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])"})
    assert drawn.text == "A chart was drawn for the person."
    assert drawn.artifacts[0].kind == "png" and drawn.artifacts[0].content.startswith(b"\x89PNG")
    spec = python.call({"code": "import altair as alt\nalt.Chart(df).mark_bar().encode(x='region', y='total')"})
    assert spec.artifacts[0].kind == "chart" and json.loads(spec.artifacts[0].content)["mark"]
    with pytest.raises(ToolFailed, match="ZeroDivisionError"):
        python.call({"code": "1 / 0"})
    with pytest.raises(ToolFailed, match="NameError"):
        make(chat).tools.find("python").call({"code": "big"})


@needs_sandbox
def test_a_model_calls_python_in_a_run(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    chosen = make(chat)
    model = Scripted([calls(("a", "python", '{"code": "df.total.sum()"}')), final("It is 13.5.")], takes_tools=True)
    events = list(answer(Question("How much?", merging=False), Agent(model, chosen.tools, cards=chosen.cards), Flag()))
    assert names(events)[-1] == "Answered"
    seen = next(event for event in events if isinstance(event, Observed))
    assert "13.5" in seen.text and not seen.error


def test_what_the_model_is_shown_is_cut_and_says_so() -> None:
    columns = [{"name": "a", "type": "int64"}]
    wide = {"columns": columns, "columns_count": 1, "rows": [[n] for n in range(1000)], "count": 5000}
    answer = {
        "prints": "x" * 90_000 + "end",
        "prints_left_out": 0,
        "value": None,
        "tables": [wide],
        "charts": [],
        "left_out": 2,
        "error": None,
    }
    result = python_tool(lambda code, new: (answer, True)).call({"code": "1"})
    assert len(result.text) < 5_000
    assert "characters left out" in result.text and "end\n5,000 rows; the first 20:" in result.text
    assert "2 more tables or charts were left out" in result.text
    assert json.loads(result.artifacts[0].content)["total"] == 5000
    quiet = {
        "prints": "",
        "prints_left_out": 0,
        "value": None,
        "tables": [],
        "charts": [],
        "left_out": 0,
        "error": None,
    }
    python = python_tool(lambda code, new: (quiet, True))
    assert "showed nothing" in python.call({"code": "x = 1"}).text
    assert "is gone" in python.call({"code": "x = 1"}).text
    with pytest.raises(ToolFailed, match="at most 20,000"):
        python.call({"code": "x" * 20_001})


def test_nothing_heavy_is_imported_before_a_table_is_used() -> None:
    program = (
        "import sys, pages.ui.frame.frame, pages.ui.data.tables, agent.application.setup, "
        "agent.tools.own_data.query, agent.tools.own_data.chart, agent.tools.own_data.python\n"
        "print([name for name in ('duckdb', 'pandas', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"
