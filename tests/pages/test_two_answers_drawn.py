"""What two answers of a chat say differently, as the page draws it. Without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from agent.events import Answered, Asked, Event, Failed, FailedReason, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from tests.support.app_services import services_with, visitor_of

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
SECONDS = 60.0
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)
BEFORE = "The fire in Dresden was large. 3 people died in the fire."
NOW = "By Friday, 8 people were hurt. 8 people died in the fire."
DIED = "How many people died in the fire?"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def page(conversation: str) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    app.query_params["c"] = conversation
    return app


def ended(answer: str, question: str = DIED, parent: str = "", failed: FailedReason | None = None) -> list[Event]:
    """A run that looked its answer up, or failed for that reason."""
    asked = Asked(question, 1_795_000_000.0, parent=parent, at=0 if parent else None, compares=bool(parent))
    begun: list[Event] = [asked, Prepared(question, "s", (), "react", "m", "http://127.0.0.1:9/v1")]
    if failed:
        return [*begun, Failed(failed, "It ended.")]
    looked = [ToolCalled("c", "search", "x", {}), Observed("c", answer)]
    replied = Replied("…", "", Usage(), 0.1, 0.1)
    return [*begun, replied, *looked, replied, Answered(answer)]


def chat(services: Services, *runs: list[Event]) -> tuple[str, list[str]]:
    """A conversation with those runs, one after the other; its id, and theirs."""
    store, made = services.store, list[str]()
    conversation = store.add_conversation(VISITOR, "A fire")
    for events in runs:
        run = store.add_run(conversation, made[-1] if made else "")
        store.append(run, events)
        made.append(run)
    return conversation, made


def captions(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(each.value for each in (*app.caption, *app.markdown)).replace("\\", "")


def opening(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(each.label for each in app.expander).replace("\\", "")


def test_a_contradiction_is_a_line_under_the_answer_and_in_its_dialog(services: Services) -> None:
    conversation, runs = chat(services, ended(BEFORE), ended(NOW.partition(". ")[2]))
    app = page(conversation).run()
    line = next(line for line in captions(app).splitlines() if "Earlier in this chat" in line)
    assert "3 people died in the fire. Now: 8 people died in the fire." in line
    assert f"(#row-seen-0-{runs[1]}-" in line
    app.session_state["dialog"] = ("evidence", line.partition("#row-seen-0-")[2].rstrip(")"))
    app.run()
    assert f"The answer to: {DIED}" in captions(app)


def test_a_contradiction_stays_when_what_it_contradicts_is_not_drawn_any_more(services: Services) -> None:
    """Six turns are drawn, and the answer was checked while the one that it contradicts was among them."""
    conversation, runs = chat(services, ended(BEFORE), ended(NOW.partition(". ")[2]))
    for number in range(4):
        runs.append(services.store.add_run(conversation, runs[-1]))
        services.store.append(runs[-1], ended("It was put out.", f"What then, after {number} days?"))
    app = page(conversation).run()
    runs.append(services.store.add_run(conversation, runs[-1]))
    services.store.append(runs[-1], ended("That is all.", "And then?"))
    app.run()
    assert "Show 1 earlier turn" in [button.label for button in app.button]
    line = next(line for line in captions(app).splitlines() if "Earlier in this chat" in line)
    app.session_state["dialog"] = ("evidence", line.partition("#row-seen-0-")[2].rstrip(")"))
    app.run()
    assert f"The answer to: {DIED}" in captions(app)


def test_a_chat_without_a_contradiction_has_no_such_line(services: Services) -> None:
    conversation, _ = chat(services, ended(BEFORE), ended("8 people were hurt.", "How many were hurt?"))
    assert "Earlier in this chat" not in captions(page(conversation).run())


def test_what_differs_in_the_second_answer_is_counted_and_marked_in_both(services: Services) -> None:
    first = ended("The fire cost 1.2 million euros and 3 lives.")
    conversation, runs = chat(services, first)
    run = services.store.add_run(conversation)
    services.store.append(run, ended("It cost 1,200,000 euros and 8 lives.", parent=runs[0]))
    app = page(conversation).run()
    assert "1 of 2 figures differs between the two answers." in opening(app)
    lit = [each.value for each in app.markdown if ":orange-background[" in each.value]
    assert [value.partition("[")[2].partition("]")[0] for value in lit] == ["3", "8"]


@pytest.mark.parametrize("reason", ["cancelled", "model"])
def test_a_second_answer_that_did_not_come_leaves_the_first_and_a_way_on(
    services: Services, reason: FailedReason
) -> None:
    conversation, runs = chat(services, ended(BEFORE))
    run = services.store.add_run(conversation)
    services.store.append(run, ended("", parent=runs[0], failed=reason))
    app = page(conversation).run()
    assert "The first one is kept." in captions(app)
    app.button(key=f"first-{run}").click().run()
    assert "people died in the fire." in captions(app)
    assert "The first one is kept." not in captions(app)


def test_one_click_asks_the_demo_model_again_and_it_says_the_same(services: Services) -> None:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    app.run().chat_input[0].set_value("What is 12 times 12?").run()
    conversation = str(app.query_params["c"])
    (first,) = services.store.runs(conversation)
    app.button(key=f"twice-{first.id}").click().run()
    _, second = services.store.runs(conversation)
    asked = services.store.events(second.id)[0]
    assert isinstance(asked, Asked) and (asked.parent, asked.at, asked.compares) == (first.id, 0, True)
    assert second.follows == first.follows
    assert "Both answers give the same figures." in opening(app)
