"""The question of two tools, a database and the web: what country does this user's timezone belong to?

What the database gave goes into a search once the person allows it.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.application.setup import default_choice, setup
from agent.cli.main import main
from agent.data.databases.connected import Databases
from agent.events import Answered, Decided, Observed, Prepared, ToolCalled, Waiting
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer, go_on
from agent.settings import Secret, read_settings
from agent.tools.catalogue import built_in
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import fold
from tests.support.database_story import ANSWER, FOUND, QUESTION, SEARCH, SQL, USERS
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.servers.postgres_server import PASSWORD, PostgresServer
from tests.support.servers.search_server import SearchServer
from tests.support.stories import final, stored

pytestmark = pytest.mark.system


def replies(wire: str) -> list[Any]:
    steps = [
        ("The user is in the database.", "query_database", {"database": "crm", "sql": SQL}),
        ("It is Africa/Lusaka. I look up its country.", "search", {"query": SEARCH}),
    ]
    if wire == "native":
        called = [Reply(thought, calls=(Call(tool, json.dumps(given)),)) for thought, tool, given in steps]
        return [*called, ANSWER]
    texts = [f"Thought: {thought}\nAction: {tool}\nAction Input: {json.dumps(given)}" for thought, tool, given in steps]
    return [*texts, final(ANSWER)]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        with sqlite3.connect(tmp_path / "crm.db") as connection:
            for statement in USERS:
                connection.execute(statement)
        connection.close()
        return f"sqlite:///{tmp_path / 'crm.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    server.fresh()
    server.run(*USERS)
    server.allow_reading()
    return server.url("reader")


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_database_then_a_search(url: str, wire: str) -> None:
    with SearchServer() as search, ModelServer(replies(wire)) as model:
        search.answers[SEARCH] = FOUND
        settings = read_settings(
            {
                "SERPAPI_API_KEY": "k",
                "GLASSBOX_SERPAPI_URL": search.serpapi_url,
                "GLASSBOX_DATABASES": f"crm={url}",
            }
        )
        own = default_choice(settings)
        choice = replace(own, endpoint=model.endpoint, model="m", key=Secret("k"), wire=wire)  # type: ignore[arg-type]
        databases = Databases(settings.databases).open("v", "c")
        chosen = setup(settings, choice, Capabilities(), SearchCache(), databases=databases)
        events = stored(list(answer(Question(QUESTION), chosen, Flag())))
        waiting = events[-1]
        assert isinstance(waiting, Waiting) and "“Africa, Lusaka” to search" in waiting.text
        events.append(Decided(waiting.call_id, "allowed"))
        events += stored(list(go_on(events, chosen, Flag())))
        assert model.unexpected == 0
        assert PASSWORD not in json.dumps(model.requests)
    assert events[-1] == Answered(ANSWER, reason="final_answer" if wire == "react" else "stop")
    called = [(event.tool, event.arguments) for event in events if isinstance(event, ToolCalled)]
    assert called[0] == ("query_database", {"database": "crm", "sql": SQL, "describe": ""})
    assert called[1] == ("search", {"query": SEARCH})
    asked, found = (event for event in events if isinstance(event, Observed))
    assert asked.text.startswith("1 row:\n") and asked.text.endswith("Africa/Lusaka")
    assert json.loads(asked.artifacts[0].content)["rows"] == [["Africa/Lusaka"]]
    assert "Zambia" in found.text and found.sources
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert "- users" in prepared.system and "timezone text" in prepared.system.replace("TEXT", "text")
    call = fold(events).steps[0].calls[0]
    assert built_in(call.own_name).about(call.arguments) == SQL
    assert not any(PASSWORD in repr(event) or url in repr(event) for event in events)


def test_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(tmp_path / "crm.db") as connection:
        for statement in USERS:
            connection.execute(statement)
    connection.close()
    monkeypatch.setenv("GLASSBOX_DATABASES", f"crm=sqlite:///{tmp_path / 'crm.db'}")
    with ModelServer([replies("react")[0], final("Africa/Lusaka.")]) as model:
        assert main(["--base-url", model.endpoint, "--model", "m", "--wire", "react", QUESTION]) == 0
    out = capsys.readouterr().out
    assert "Action: query_database" in out and "Africa/Lusaka." in out
