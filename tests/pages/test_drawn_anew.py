"""A page that is drawn anew while somebody clicks or types loses nothing of it. Without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from agent.application.connection_test.diagnosis import NAMES
from agent.application.services import Services
from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled, Waiting
from agent.messages import Usage
from agent.store.runs import ConversationRow
from pages.ui.session.state import TURNS
from tests.support.app_services import services_with, visitor_of
from tests.support.servers.model_server import ModelServer, Reply

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
SECONDS = 60.0
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def visit(conversation: str = "") -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    if conversation:
        app.query_params["c"] = conversation
    return app


def test_a_test_of_a_connection_that_begins_as_the_page_is_drawn_whole_goes_on(services: Services) -> None:
    """So it does where the click came while the server was asked for its models, and the page was drawn after that."""
    with ModelServer(lambda _: "So it is.") as model:
        app = visit().run()
        app.button(key="model").click().run()
        app.button(key="card-custom").click().run()
        app.text_input(key="address-custom").set_value(model.endpoint).run()
        next(button for button in app.button if button.label == "Test").click().run()
        assert not app.exception
        found = [line.value for line in app.markdown if "material/" in line.value and "**" in line.value]
        assert len(found) == len(NAMES), found
        assert not [caption for caption in app.caption if caption.value.startswith("Testing:")]


def test_the_window_of_a_model_is_told_and_can_be_set(services: Services) -> None:
    listed = Reply(body={"data": [{"id": "m", "max_model_len": 40_960}, {"id": "n"}]})
    with ModelServer(["So it is."], listing=listed) as model:
        app = visit().run()
        app.button(key="model").click().run()
        app.button(key="card-custom").click().run()
        app.text_input(key="address-custom").set_value(model.endpoint).run()
        picker = next(box for box in app.selectbox if box.label == "Model")
        picker.set_value("n").run()
        field = next(field for field in app.number_input if field.label == "Context window")
        assert (field.value, field.placeholder) == (None, "8,000 tokens — a guess")
        next(box for box in app.selectbox if box.label == "Model").set_value("m").run()
        field = next(field for field in app.number_input if field.label == "Context window")
        assert (field.value, field.placeholder) == (None, "40,960 tokens — from the server")
        field.set_value(20_480).run()
        next(button for button in app.button if button.label == "Use this model").click().run()
        assert not app.exception
        # By "Connect another…" in the menu of models, which a test without a browser cannot open.
        app.session_state["dialog"] = ("connect", "")
        app.run()
        field = next(field for field in app.number_input if field.label == "Context window")
        assert field.value == 20_480


def test_a_server_without_models_says_so_where_one_is_to_be_picked(services: Services) -> None:
    """As one that was installed a minute ago: the list under the field is empty."""
    with ModelServer(models=()) as model:
        app = visit().run()
        app.button(key="model").click().run()
        app.button(key="card-custom").click().run()
        app.text_input(key="address-custom").set_value(model.endpoint).run()
        assert [line for line in app.caption if "This server lists no models" in line.value]
        model.models = ("m",)
        app.text_input(key="address-custom").set_value(f"{model.endpoint}/").run()
        assert not [line for line in app.caption if "This server lists no models" in line.value]


def test_an_address_that_cannot_be_read_is_not_taken_over(services: Services) -> None:
    """Else it would be kept for every later visit, a password in it included."""
    for address, said in (("http://[::1", "cannot be read"), ("http://me:pa55word@127.0.0.1:1/v1", "Leave user name")):
        app = visit().run()
        app.button(key="model").click().run()
        app.button(key="card-custom").click().run()
        app.text_input(key="address-custom").set_value(address).run()
        app.session_state["draft-connect"]["model"] = "m"
        app.run()
        next(button for button in app.button if button.label == "Use this model").click().run()
        assert not app.exception
        assert [line for line in app.markdown if "arrow_upward" in line.value and said in line.value]
        assert address not in services.chats.preferences(VISITOR)


def test_an_address_that_cannot_be_read_and_was_kept_leaves_a_page(services: Services) -> None:
    app = visit()
    app.session_state["choice"] = {"endpoint": "http://[::1", "model": "m"}
    app.session_state["dialog"] = ("connect", "")
    assert not app.run().exception


def test_what_was_learned_of_a_model_is_told_and_can_be_forgotten(services: Services) -> None:
    listed = Reply(body={"data": [{"id": "m"}, {"id": "n"}]})
    with ModelServer(["So it is."], listing=listed) as model:
        services.capabilities.learn(model.endpoint, "m", "stop")
        services.capabilities.learn(model.endpoint, "m", "+reasoning_content")
        app = visit().run()
        app.button(key="model").click().run()
        app.button(key="card-custom").click().run()
        app.text_input(key="address-custom").set_value(f"{model.endpoint}/").run()
        next(box for box in app.selectbox if box.label == "Model").set_value("n").run()
        assert not [caption for caption in app.caption if "Learned" in caption.value]
        next(box for box in app.selectbox if box.label == "Model").set_value("m").run()
        (caption,) = [caption.value for caption in app.caption if "Learned" in caption.value]
        assert "takes no ‘stop’" in caption and "insists on ‘reasoning" in caption
        app.button(key="forget-learned").click().run()
        assert not app.exception
        assert not [caption for caption in app.caption if "Learned" in caption.value]
        assert services.capabilities.learned(model.endpoint, "m") == frozenset()


def test_a_changed_step_says_what_it_leaves_behind(services: Services) -> None:
    conversation = services.store.add_conversation(VISITOR, "Tides")
    run = services.store.add_run(conversation)
    steps = [event for number in "12" for event in thought_step(number)]
    begun = Asked("Tides?", 1.0), Prepared("Tides?", "s", (), "native", "m", "http://127.0.0.1:1/v1")
    ended = Replied("6 m.", "", Usage(), 0.1, 0.1), Answered("6 m.")
    services.store.append(run, [*begun, *steps, *ended])
    for step, told in (("1", ["76 bytes", "38 bytes"]), ("2", ["38 bytes"])):
        app = visit(conversation)
        app.session_state["dialog"] = ("change", f"{run}:{step}")
        app.run()
        assert not app.exception
        assert [line.value[:8] for line in app.caption if "unread" in line.value] == told


def thought_step(identity: str) -> tuple[Event, ...]:
    """A step with a call, with which 38 bytes came that only its model reads."""
    said = Replied("", "I look.", Usage(), 0.1, 0.1, opaque='{"reasoning_content": "é"}')
    call = ToolCalled(identity, "calculator", "6", {"expression": "6"}, opaque='{"x": "12"}')
    return said, call, Observed(identity, "6")


def test_a_question_typed_as_a_run_ends_unseen_is_asked(services: Services) -> None:
    conversation = services.store.add_conversation(VISITOR, "First")
    run = services.store.add_run(conversation)
    ended = Replied("", "", Usage(), 0.1, 0.1), Answered("It is so.")
    services.store.append(run, [Asked("First", 1.0), Prepared("First", "s", (), "react", "m", "demo"), *ended])
    app = visit(conversation).run()
    app.session_state["set-off"] = run
    app.chat_input[0].set_value("What is the cube of 3?").run()
    assert not app.exception
    assert [services.store.events(row.id)[0].question for row in services.store.runs(conversation)] == [  # type: ignore[union-attr]
        "First",
        "What is the cube of 3?",
    ]


def test_a_run_that_asks_while_the_sidebar_is_drawn_is_listed_as_waiting(services: Services) -> None:
    """Its chat was listed before it asked, and the page below is drawn after that."""
    conversation = services.store.add_conversation(VISITOR, "How big is Paris?")
    run = services.store.add_run(conversation)
    services.store.append(run, begun("How big is Paris?"))
    asks = ToolCalled("q", "ask_user", "Which?", {"question": "Which?"}), Waiting("q", "question", "Which?", (), 2.0)
    list_chats = services.chats.conversations

    def list_before_it_asks(*about: Any, **more: Any) -> list[ConversationRow]:
        listed = list_chats(*about, **more)
        if not services.store.is_waiting(run):
            services.store.append(run, [Replied("", "", Usage(), 0.1, 0.1), *asks])
        return listed

    app = visit(conversation)
    app.session_state["set-off"] = run
    services.chats.conversations = list_before_it_asks  # type: ignore[method-assign]
    app.run()
    assert not app.exception
    assert "Your answer" in [field.label for field in app.text_input]
    assert [link.proto.label for link in app.get("page_link") if "Paris" in link.proto.label] == [
        "Waits for you · How big is Paris?"
    ]


def test_the_turn_of_a_question_that_waited_takes_nothing_over_from_its_place(services: Services) -> None:
    """Streamlit keeps of a block what one of the same kind in its place lacks, for as long as a run is followed."""
    conversation = services.store.add_conversation(VISITOR, "First")
    first = services.store.add_run(conversation)
    services.store.append(first, begun("First"))
    for text in ("Second", "Third"):
        services.store.unanswered.enqueue(conversation, text)
    app = visit(conversation)
    app.session_state["dialog"] = ("preferences", "")  # the page stands still while one is open
    app.run()
    ((place, queue),) = [(place, block) for place, block in app.main.children.items() if waits_in(block)]
    services.store.append(first, [Replied("", "", Usage(), 0.1, 0.1), Answered("So it is.")])
    services.store.unanswered.unqueue(conversation, "Second")
    services.store.append(services.store.add_run(conversation, first), begun("Second"))
    app.run()
    assert not app.exception
    assert app.main.children[place].type != queue.type


def test_turns_keep_their_places_while_a_run_is_followed(services: Services) -> None:
    """Of one that came into the place of another, the steps and buttons that it lacks would stay beside it."""
    conversation, before = services.store.add_conversation(VISITOR, "Turns"), ""
    for number in range(TURNS):
        before = services.store.add_run(conversation, before)
        services.store.append(before, [*begun(f"Turn {number}"), Replied("", "", Usage(), 0.1, 0.1), Answered("So.")])
    app = visit(conversation)
    app.session_state["dialog"] = ("preferences", "")  # the page stands still while one is open
    app.run()
    questions = questions_of(app)
    services.store.append(services.store.add_run(conversation, before), begun("At work"))
    assert questions_of(app.run()) == [*questions, "At work"]
    assert not app.exception


def test_a_question_that_is_edited_stays_there_where_another_tab_is_faster(services: Services) -> None:
    """Its form, and what was typed into it, would be gone with the branch on which it stands."""
    conversation = services.store.add_conversation(VISITOR, "First")
    ended = Replied("", "", Usage(), 0.1, 0.1), Answered("So it is.")
    run = services.store.add_run(conversation)
    services.store.append(run, [*begun("First"), *ended])
    app = visit(conversation).run()
    app.button(key=f"edit-{run}").click().run()
    services.store.append(services.store.add_run(conversation), [*begun("Elsewhere"), *ended])
    app.text_area[0].set_value("What is the cube of 3?")
    next(button for button in app.button if button.label == "Ask this instead").click().run()
    assert not app.exception
    assert questions_of(app) == ["What is the cube of 3?"]


def questions_of(app: AppTest) -> list[str]:
    return [str(message.markdown[0].value) for message in app.chat_message if message.name == "user"]


def begun(question: str) -> list[Event]:
    return [Asked(question, 1.0), Prepared(question, "s", (), "react", "m", "demo")]


def waits_in(node: Node) -> bool:
    return isinstance(node, Block) and any("Asked next" in str(getattr(part, "value", "")) for part in node)
