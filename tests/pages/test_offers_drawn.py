"""What is offered under an answer, as the page draws it. Without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from agent.events import Answered, Asked, Prepared
from tests.support.app_services import services_with, visitor_of

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
COOKIE = "a" * 32


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def test_each_menu_says_which_answer_it_is_about(services: Services) -> None:
    """A screen reader lists them without what stands around them; turns that are not drawn are counted, too."""
    store, run = services.store, ""
    conversation = store.add_conversation(visitor_of(COOKIE), "Figures")
    for number in range(8):
        run = store.add_run(conversation, run)
        question = f"What is {number}?"
        prepared = Prepared(question, "s", (), "react", "m", "http://127.0.0.1:9/v1")
        store.append(run, [Asked(question, 1_795_000_000.0), prepared, Answered(f"It is {number}.")])
    app = AppTest.from_file("../../app.py", default_timeout=60.0)
    app.session_state["cookie"] = COOKIE
    app.query_params["c"] = conversation
    app.run()
    assert not app.exception
    menus = [each.proto.label for each in app.get("menu_button")]
    about = [label for label in menus if "answer" in label]
    assert about and len(about) == len(set(about))
    assert about[-1] == "More about answer 8"


def test_the_earlier_run_is_the_first_of_two_that_are_compared(services: Services) -> None:
    """After a rewind the later branch is shown: what differs is told as what became of the earlier one."""
    store, question = services.store, "What is it?"
    conversation = store.add_conversation(visitor_of(COOKIE), "Twice")
    runs = [store.add_run(conversation) for _ in range(2)]
    for number, run in enumerate(runs):
        prepared = Prepared(question, "s", (), "react", "m", "http://127.0.0.1:9/v1")
        answered = Answered(f"It is {number}.")
        store.append(run, [Asked(question, 1_795_000_000.0 + number), prepared, answered])
    app = AppTest.from_file("../../app.py", default_timeout=60.0)
    app.session_state["cookie"] = COOKIE
    app.query_params["c"] = conversation
    app.run()
    assert not app.exception
    links = [each.proto for each in app.get("page_link") if each.proto.label == "Compare"]
    assert [link.query_string for link in links] == [f"a={runs[0]}&b={runs[1]}"]
    app.switch_page("pages/compare.py")
    app.query_params["a"] = runs[1]
    app.run()
    assert not app.exception
    assert [app.selectbox(key=f"compare-{which}").value for which in "AB"] == runs
    # Where question and model are the same, the columns are told apart by the numbers of their runs.
    assert [str(name) for name in app.table[0].value.columns] == ["", "A · Run 1", "B · Run 2", "B − A"]
    assert {"A · Run 1", "B · Run 2"} <= {caption.value for caption in app.caption}
