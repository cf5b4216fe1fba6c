"""The page of tests without a browser: keeping an answer, running a set, what turned, changing what is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event as Flag

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import Plan, read_plan, version_of
from agent.application.evaluation.evaluation_run import begin
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.services import Services
from agent.application.setup import Choice, default_choice
from agent.sandbox.client import Sandbox
from pages.ui.evals import results
from pages.ui.run import render
from pages.ui.session import state
from tests.support.app_services import services_with, visitor_of
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
SECONDS = 60.0
until = partial(done_within, SECONDS)


@pytest.fixture
def services(tmp_path: Path, sandbox: Sandbox) -> Iterator[Services]:
    environment = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_PRICES": "m=1/1/4"}
    with services_with(environment, sandbox) as opened:
        yield opened


def answered(services: Services, text: str) -> tuple[str, str]:
    """A conversation with an answer of the demo, and its run."""
    runs = ChatRuns(services, VISITOR, "", default_choice(services.settings))
    run = runs.begin(text, "", "")
    until(lambda: bool((row := services.store.run(run)) and row.ended))
    row = services.store.run(run)
    assert row
    return row.conversation, run


def chat(conversation: str = "") -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    if conversation:
        app.query_params["c"] = conversation
    app.run()
    assert not app.exception
    return app


def page() -> AppTest:
    app = chat()
    app.switch_page("pages/tests.py").run()
    assert not app.exception, app.exception
    return app


def texts(app: AppTest) -> str:
    shown = [*app.markdown, *app.caption, *app.subheader, *app.info, *app.warning, *app.success, *app.error]
    return "\n".join(str(element.value) for element in shown).replace("\\", "")


def press(app: AppTest, name: str) -> None:
    next(button for button in app.button if button.label == name).click().run()
    assert not app.exception, app.exception


def run_all(services: Services, mine: str, *choices: Choice, repeats: int = 1) -> None:
    """Run a set live, and wait for its end."""
    tests = tuple(row.id for row in services.evaluations.tests(VISITOR, mine))
    versions = tuple(version_of(choice.model or "demo", choice, "") for choice in choices)
    runs = ChatRuns(services, VISITOR, "", default_choice(services.settings))
    begin(runs, mine, Plan("live", versions, tests, repeats))
    until(lambda: services.evaluations.evaluations(VISITOR, mine)[0].state == "done")


def test_an_answer_is_kept_in_two_clicks(services: Services) -> None:
    conversation, run = answered(services, "What is 17% of 4250?")
    app = chat(conversation)
    press(app, "Keep as a test")
    assert "The figure 722.5, worked out anew by calculator" in [box.label.replace("\\", "") for box in app.checkbox]
    press(app, "Keep")
    assert "Kept. Run it on the page Tests" in texts(app)
    (mine,) = services.evaluations.sets(VISITOR)
    (row,) = services.evaluations.tests(VISITOR, mine.id)
    test = TestShelf(services, VISITOR).read(row)
    assert test.question == "What is 17% of 4250?" and test.answer == "17% of 4250 is 722.5."
    assert services.store.run(run), "the chat is as it was"


def test_a_bad_answer_is_kept_without_its_figures(services: Services) -> None:
    conversation, run = answered(services, "What is 17% of 4250?")
    services.chats.judge(VISITOR, run, 0)
    app = chat(conversation)
    press(app, "Keep as a test")
    figure = next(box for box in app.checkbox if "722.5" in box.label.replace("\\", ""))
    assert not figure.value
    assert "You judged this answer bad" in texts(app)


def test_the_empty_page_says_how_to_begin(services: Services) -> None:
    app = page()
    assert "Under an answer in a chat choose Keep as a test" in texts(app)


def test_a_set_is_run_from_the_page(services: Services) -> None:
    conversation, _ = answered(services, "What is 17% of 4250?")
    app = chat(conversation)
    press(app, "Keep as a test")
    press(app, "Keep")
    app = page()
    assert "What is 17% of 4250?" in [line.label.replace("\\", "") for line in app.expander]
    press(app, "Run 1 test")
    (mine,) = services.evaluations.sets(VISITOR)
    until(lambda: services.evaluations.evaluations(VISITOR, mine.id)[0].state == "done")
    app.run()
    assert "pass@1 100% (21%–\u2060100%)" in texts(app) and "few tests" in texts(app)


def test_a_file_is_written_outside_the_script_of_the_page(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation, _ = answered(services, "What is 17% of 4250?")
    app = chat(conversation)
    press(app, "Keep as a test")
    press(app, "Keep")
    offered: dict[str, Callable[[], str]] = {}

    def download(label: str, data: Callable[[], str], *_: object, **__: object) -> None:
        offered[label] = data

    monkeypatch.setattr(st, "download_button", download)
    page()
    # Streamlit calls them so, once the button is clicked.
    with ThreadPoolExecutor(1) as outside:
        lines, yaml = (outside.submit(offered[label]).result() for label in ("As JSON lines", "As YAML"))
    for written in (lines, yaml):
        assert "My tests" in written and "What is 17% of 4250?" in written


def test_the_form_of_a_new_set_is_empty_once_one_was_made(services: Services) -> None:
    app = page()
    next(field for field in app.text_input if field.label == "Name").input("Sums")
    press(app, "Make it")
    assert [each.name for each in services.evaluations.sets(VISITOR)] == ["Sums"]
    assert "Sums" not in [field.value for field in app.text_input]
    press(app, "Make it")
    assert "A set of tests needs a name." in texts(app)
    assert len(services.evaluations.sets(VISITOR)) == 1


def test_the_set_that_was_shown_last_is_shown_when_the_page_is_come_back_to(services: Services) -> None:
    _, second = (services.evaluations.add_set(VISITOR, name) for name in ("First", "Second"))
    app = page()
    box = next(box for box in app.selectbox if box.label == "Set")
    assert box.value != second
    box.set_value(second).run()
    app.query_params.clear()  # as by the link in the sidebar
    app.switch_page("app.py").run()
    app.switch_page("pages/tests.py").run()
    assert next(box for box in app.selectbox if box.label == "Set").value == second
    press(app, "Delete the set")
    assert next(box for box in app.selectbox if box.label == "Set").value != second


def test_what_turned_stands_on_top_with_the_reason(services: Services) -> None:
    shelf = TestShelf(services, VISITOR)
    mine = shelf.import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\nWhat is 3 + 3?,6\n")
    run_all(services, mine, Choice())
    with ModelServer(lambda _: final("It is 4.")) as model:
        run_all(services, mine, Choice(endpoint=model.endpoint, model="m", wire="react"), repeats=2)
    app = page()
    assert not app.exception
    assert "1 of 2 tests got worse, 0 better." in texts(app)
    shown = texts(app)
    assert "6 is not in the answer, which has 4." in shown
    assert "pass^2" in shown and "$0.0" in shown


def test_how_far_the_tests_are_is_announced_while_they_run(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is what else is hidden from sight then: what is left of earlier results."""
    mine = TestShelf(services, VISITOR).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
    announced, gate = list[object](), Flag()

    def look(_: float) -> None:
        announced.append(state.widget("announced"))
        gate.set()
        until(lambda: services.evaluations.evaluations(VISITOR, mine)[0].state == "done")

    monkeypatch.setattr(results, "sleep", look)
    monkeypatch.setattr(render, "announcer", lambda: partial(state.put, "announced"))
    with ModelServer(lambda _: Reply(final("It is 4."), gate=gate)) as model:
        version = version_of("m", Choice(endpoint=model.endpoint, model="m", wire="react"), "")
        tests = tuple(row.id for row in services.evaluations.tests(VISITOR, mine))
        begin(
            ChatRuns(services, VISITOR, "", default_choice(services.settings)), mine, Plan("live", (version,), tests, 1)
        )
        page()
    assert announced == ["0 of 1 runs"]


def test_a_server_that_is_away_is_said_once_on_top(services: Services) -> None:
    mine = TestShelf(services, VISITOR).import_file(
        "sums.csv", b"question,answer\nWhat is 2 + 2?,4\nWhat is 3 + 3?,6\n"
    )
    run_all(services, mine, Choice(endpoint="http://127.0.0.1:9/v1", model="m", wire="react"))
    (said,) = [str(error.value).replace("\\", "") for error in page().error]
    assert said.startswith("No run has an answer, all for one reason: Cannot reach http:")
    run_all(services, mine, Choice())
    assert not page().error


def test_what_is_expected_can_be_changed(services: Services) -> None:
    shelf = TestShelf(services, VISITOR)
    mine = shelf.import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,5\n")
    (row,) = services.evaluations.tests(VISITOR, mine)
    app = page()
    app.session_state[f"test-{row.id}"] = True
    app.run()
    assert not app.exception
    app.text_input(key=f"typed-{row.id}-1").set_value("4")
    app.selectbox(key=f"kind-{row.id}").set_value("avoids")
    app.text_input(key=f"word-{row.id}").set_value("search")
    press(app, "Save")
    (row,) = services.evaluations.tests(VISITOR, mine)
    assert [str(each.said) for each in shelf.read(row).expectations] == [
        "There is an answer",
        "The figure 4",
        "search is not used",
    ]


def test_a_test_whose_chat_was_deleted_says_so_and_goes_by_two_clicks(services: Services) -> None:
    conversation, run = answered(services, "What is 17% of 4250?")
    row = services.store.run(run)
    assert row
    kept = TestShelf(services, VISITOR).keep(row)
    services.chats.delete(VISITOR, conversation)
    app = page()
    app.session_state[f"test-{kept}"] = True
    app.run()
    assert "The chat that it was kept in was deleted" in texts(app)
    press(app, "Delete the test")
    (mine,) = services.evaluations.sets(VISITOR)
    assert mine.tests == 0 and "No tests here yet." in texts(app)


def test_two_servers_may_have_a_model_of_one_name(tmp_path: Path) -> None:
    own = {"GLASSBOX_BASE_URL": "http://127.0.0.1:9/v1", "GLASSBOX_MODEL": "m"}
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data"), **own}) as services:
        TestShelf(services, VISITOR).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
        app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
        app.session_state["cookie"] = COOKIE
        app.session_state["choice"] = {"endpoint": "http://127.0.0.1:8/v1", "model": "m"}
        app.run()
        app.switch_page("pages/tests.py").run()
        models = next(field for field in app.multiselect if field.label == "Models")
        assert [name for name in models.options if name.startswith("m")] == ["m · 127.0.0.1:8", "m · 127.0.0.1:9"]


def test_a_changed_prompt_offers_the_tests_first(services: Services) -> None:
    mine = TestShelf(services, VISITOR).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
    app = chat()
    app.switch_page("pages/prompts.py").run()
    assert "Run my tests with this first" not in [button.label for button in app.button]
    area = app.text_area[0]
    area.set_value(f"{area.value}\nBe brief.").run()
    press(app, "Run my tests with this first")
    (row,) = services.evaluations.evaluations(VISITOR, mine)
    assert [version.name for version in read_plan(row).versions] == ["As it is now", "With this change"]
    assert ["Be brief." in version.written for version in read_plan(row).versions] == [False, True]
    assert "Be brief." not in services.chats.preferences(VISITOR), "it was saved"
    until(lambda: services.evaluations.evaluations(VISITOR, mine)[0].state == "done")
    assert "With this change, compared with As it is now: None of 1 test turned." in texts(page())
