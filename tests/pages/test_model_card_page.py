"""The card of a model in the dialog that connects one, without a browser; and tests before settings are saved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.card_runs import card_run, measure
from agent.application.evaluation.evaluation_plan import read_plan
from agent.application.evaluation.evaluation_run import stop
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.services import Services
from agent.application.setup import Choice
from agent.sandbox.client import Sandbox
from agent.settings import Secret
from tests.support.app_services import services_with, visitor_of
from tests.support.card_files import file_of
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final
from tests.support.within import done_within

pytestmark = [
    pytest.mark.system,
    # Drawn without a server, Streamlit warns of what is only there with one.
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)
SECONDS = 180.0
until = partial(done_within, SECONDS)


@pytest.fixture
def services(tmp_path: Path, sandbox: Sandbox) -> Iterator[Services]:
    environment = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_PRICES": "m=1/1/4"}
    with services_with(environment, sandbox) as opened:
        yield opened


def dialog(name: str) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    app.session_state["dialog"] = (name, "")
    return drawn(app)


def drawn(app: AppTest, *, by: Any = None) -> AppTest:
    """The page drawn anew, after what was clicked or set."""
    (by or app).run()
    assert not app.exception, app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*app.markdown, *app.caption, *app.error]).replace("\\", "")


def test_a_card_is_offered_with_its_cost_measured_and_shown(services: Services) -> None:
    app = dialog("connect")
    assert "What it can do here" in texts(app)
    drawn(app, by=app.button(key="measure-card").click())
    said = texts(app)
    assert "40 answers: about 85 replies" in said and "at a price that is not known here" in said
    drawn(app, by=app.button(key="begin-card").click())
    known = card_run(services, VISITOR, "demo", "")
    assert known and known.whole, "the dialog followed it to its end"
    said = texts(app)
    passed = known.card.columns[0].passed
    assert f"**{passed} of 40**" in said and "| Sums | 3 of 4 |" in said
    assert "These are few questions: even 4 of 4 right" in said
    assert services.evaluations.sets(VISITOR) == []


def test_a_card_is_imported_into_the_dialog_and_undone(services: Services) -> None:
    app = dialog("connect")
    upload = app.file_uploader(key="card-file-connect")
    drawn(app, by=upload.upload("card.jsonl", file_of(30, "demo") + b"{}\n", "application/jsonl"))
    assert "Line 42 is no answer of a card" in texts(app)
    upload = app.file_uploader(key="card-file-connect")
    drawn(app, by=upload.set_value([]).upload("card.jsonl", file_of(30, "demo"), "application/jsonl"))
    assert "**30 of 40** (60%–\u206086%)" in texts(app) and "From a file" in texts(app)
    drawn(app, by=app.button(key="card-undo-connect").click())
    assert "30 of 40" not in texts(app) and "Forty small questions of ours" in texts(app)


def test_a_card_that_was_stopped_is_resumed_with_the_key_of_the_dialog(services: Services) -> None:
    listed = Reply(body={"data": [{"id": "m"}]})
    with ModelServer(lambda _: Reply(final("It is 7."), wait=0.05), key="secret-key", listing=listed) as model:
        choice = Choice(endpoint=model.endpoint, model="m", key=Secret("secret-key"))
        runs = ChatRuns(services, VISITOR, "", choice)
        id = measure(runs)
        until(lambda: services.evaluations.done(id) > 2)
        stop(runs, id)
        until(lambda: bool((known := card_run(services, VISITOR, model.endpoint, "m")) and not known.row.working))
        app = dialog("connect")
        drawn(app, by=app.button(key="card-custom").click())
        drawn(app, by=app.text_input(key="address-custom").set_value(model.endpoint))
        key = next(field for field in app.text_input if field.label == "Key")
        drawn(app, by=key.set_value("secret-key"))
        assert "It was stopped before it was done." in texts(app)
        assert "$0.0" in texts(app)
        drawn(app, by=app.button(key="resume-card").click())
        known = card_run(services, VISITOR, model.endpoint, "m")
        assert known and known.whole
        assert "Native calls" in texts(app) and "**0 of 40** (0%–\u20609%)" in texts(app)


def test_changed_settings_are_tested_before_they_are_saved(services: Services) -> None:
    mine = TestShelf(services, VISITOR).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
    app = dialog("preferences")
    next(box for box in app.selectbox if box.label == "How tools are called").set_value("react")
    next(box for box in app.number_input if box.label == "Temperature").set_value(0.5)
    drawn(app, by=next(button for button in app.button if button.label == "Run my tests with this first").click())
    (row,) = services.evaluations.evaluations(VISITOR, mine)
    now, then = read_plan(row).versions
    assert (now.name, then.name) == ("As it is now", "With this change")
    assert '"temperature": 0.5' in then.written and '"wire": "react"' in then.written
    assert '"temperature": 0.5' not in now.written
    assert "0.5" not in services.chats.preferences(VISITOR), "it was saved"
