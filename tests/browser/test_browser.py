"""The chat in a real Chromium, against a real Streamlit server, real loopback model and search servers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.events import Answered, Asked, Failed, Prepared, Replied
from agent.messages import Usage
from agent.store.runs import Store
from tests.support.app_services import visitor_of
from tests.support.browser import MOVING, SECONDS, Chat, tab, visit
from tests.support.servers.app_server import CLOUD, WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.search_server import SearchServer
from tests.support.stories import final
from tests.support.story import QUESTION, replies_of_the_story

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with tab(browser, **MOVING) as page:
        yield page


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    """What each test has play a script of its own."""
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[AppServer]:
    owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
    with AppServer(tmp_path_factory.mktemp("app"), **owned, **WITHOUT_PROGRAMS) as running:
        yield running


def test_the_demo_answers_and_follows_up_without_key_or_network(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    chat.ask("What is the square root of 25?")
    chat.expect_text("The square root of 25 is 5.")
    chat.settle()
    step = chat.open_step(0)
    for part in ("Thought", "Action", "calculator", "Observation", "5"):
        expect(step).to_contain_text(part)
    chat.ask("and its cube?")
    chat.expect_text("Understood as:")
    chat.expect_text("The cube of 5 is 125.")
    chat.settle()
    expect(chat.answers).to_have_count(4)


def test_a_merged_question_can_be_taken_back(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    chat.ask("What is the square root of 36?")
    chat.expect_text("The square root of 36 is 6.")
    chat.ask("double it")
    chat.expect_text("Understood as:")
    chat.settle()
    page.get_by_role("button", name="Use my words instead").click()
    chat.settle()
    expect(page.get_by_text("Understood as:")).to_have_count(0)
    expect(chat.answers).to_have_count(4)


def test_reload_shows_the_same_conversation(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    chat.ask("What is 15% of 80?")
    chat.expect_text("15% of 80 is 12.")
    chat.settle()
    assert re.search(r"\?c=[0-9a-f]{32}$", page.url)
    # The last part of a turn that comes: its program is loaded when the first one is drawn.
    thumbs = page.get_by_role("radiogroup", name="Feedback rating")
    expect(thumbs).to_be_visible()
    before = chat.answers.all_text_contents()
    assert len(before) == 2
    page.reload()
    chat.expect_text("What is 15% of 80?")
    chat.settle()
    expect(thumbs).to_be_visible()
    expect(chat.answers).to_have_text(before)


def test_new_chat_and_unknown_addresses(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url + "?c=unknown")
    chat.expect_text("There is no such conversation here.")
    chat.ask("What is 2+2?")
    chat.expect_text("2 + 2 is 4.")
    chat.settle()
    page.get_by_role("button", name="New chat").click()
    chat.expect_text("What shall we find out?")
    chat.click(page.get_by_role("button", name="What is the square root of 25?"))
    chat.expect_text("The cube of 5 is 125.")


def test_a_text_without_a_space_is_not_kerned_where_it_is_typed_and_asked(demo: AppServer, page: Page) -> None:
    """Kerned, 30,000 letters took Chromium half a minute for each key."""
    chat = Chat(page, demo.url)
    chat.ask("x" * 30_000)
    chat.expect_text("A question may have 20,000 characters; this one has 30,000.")
    expect(chat.box).to_have_value("x" * 30_000)
    chat.ask("x" * 20_000)
    expect(chat.answers).to_have_count(2, timeout=SECONDS)
    chat.settle()
    chat.box.fill("x" * 20_000)
    for place in (chat.box, chat.answers.first.locator("p")):
        assert place.evaluate("place => getComputedStyle(place).fontKerning") == "none"
    assert chat.overflow <= 0


@pytest.mark.parametrize("wire", ["react", "native"])
def test_two_tools_with_steps_before_the_answer(wire: str, tmp_path: Path, page: Page) -> None:
    searched, second, *others = replies_of_the_story(wire)
    seen = Flag()
    held = replace(second if isinstance(second, Reply) else Reply(second), gate=seen)
    with (
        SearchServer() as search,
        ModelServer([searched, held, *others], delay=0.01, refuse=("tools",) if wire == "react" else ()) as model,
        AppServer(
            tmp_path,
            *CLOUD,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_SERPAPI_URL=search.serpapi_url,
            SERPAPI_API_KEY="planted-key",
            GLASSBOX_MERGE="always",
            **WITHOUT_PROGRAMS,
        ) as app,
    ):
        chat = Chat(page, app.url)
        chat.ask(QUESTION)
        expect(chat.steps.first).to_contain_text("Search", timeout=SECONDS)
        assert "12.2" not in page.get_by_role("main").inner_text()
        seen.set()
        expect(chat.steps.nth(1)).to_contain_text("Calculat", timeout=SECONDS)
        chat.expect_text("which is 12.2 °C")
        chat.settle()
        expect(chat.open_step(0)).to_contain_text("San Francisco")
        chat.ask("what is that in Kelvin?")
        chat.expect_text("Understood as: What is 54 °F in Kelvin")
        chat.expect_text("285.37 K")
        chat.settle()
        assert "planted-key" not in page.content()


def test_a_follow_up_is_asked_as_typed_merged_and_in_ones_own_words(
    app: AppServer, model: ModelServer, page: Page
) -> None:
    model.play([final("Herbert wrote Dune."), final("In 1965."), "When was Dune published?", final("August 1965.")])
    chat = Chat(page, app.url)
    for question, answer in (("Who wrote Dune?", "Herbert wrote Dune."), ("And when?", "In 1965.")):
        chat.ask(question)
        chat.expect_text(answer)
        chat.settle()
    assert [message["content"] for message in model.requests[-1]["messages"][-3::2]] == ["Who wrote Dune?", "And when?"]
    chat.more("Rewrite and ask")
    chat.expect_text("Understood as: When was Dune published?")
    chat.expect_text("August 1965.")
    chat.settle()
    assert model.requests[-1]["messages"][-1]["content"] == "When was Dune published?"
    model.play([final("In 1965, again.")])
    page.get_by_role("button", name="Use my words instead").click()
    chat.expect_text("In 1965, again.")
    chat.settle()
    expect(page.get_by_text("Understood as")).to_have_count(0)
    assert model.requests[-1]["messages"][-1]["content"] == "And when?"


def test_stop_in_mid_thought_keeps_the_partial_trace(app: AppServer, model: ModelServer, page: Page) -> None:
    model.play([Reply("Thought: I am thinking about this and " + "that and " * 2_000, delay=0.02)])
    chat = Chat(page, app.url)
    chat.ask("Think!")
    chat.expect_text("I am thinking about this")
    page.get_by_role("button", name="Stop").click()
    chat.expect_text("Stopped.")
    chat.settle()
    expect(chat.open_step(0)).to_contain_text("This reply was not finished.")
    chat.expect_text("I am thinking about this and that")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_reload_and_second_tab_in_mid_run(app: AppServer, model: ModelServer, page: Page) -> None:
    seen = Flag()
    thought = "Thought: Let me think. " + "Still thinking. " * 9
    model.play([Reply(thought + "\nFinal Answer: It is 42.", delay=0.05, gate=seen)])
    chat = Chat(page, app.url)
    chat.ask("What is the answer?")
    chat.expect_text("Let me think.")
    other = Chat(page.context.new_page(), page.url)
    page.reload()
    for one in (chat, other):
        one.expect_text("Still thinking.")
        expect(one.page.get_by_role("button", name="Stop")).to_be_visible()
    seen.set()
    for one in (chat, other):
        one.expect_text("It is 42.")
        one.settle()
    assert len(model.requests) == 1


def test_an_answer_that_is_there_at_once_comes_into_sight(app: AppServer, model: ModelServer, browser: Browser) -> None:
    """Also where its run has ended before the page could draw it at work."""
    model.play(lambda _: "Final Answer: It is there.\n\nIn two paragraphs.")
    with visit(browser, app.url) as chat:
        for number in range(1, 7):
            chat.ask(f"Question {number}?")
            expect(chat.answers.filter(has_text=f"Question {number}?")).to_be_visible()
            chat.settle()
            expect(chat.page.get_by_role("link", name="Run", exact=True).last).to_be_in_viewport()


def test_a_turn_that_a_new_question_folds_stands_there_once(
    app: AppServer, model: ModelServer, browser: Browser
) -> None:
    cookie, seen, store = uuid4().hex, Flag(), Store(app.database)
    conversation, last = store.add_conversation(visitor_of(cookie), "t"), ""
    for number in range(1, 8):
        last = store.add_run(conversation, last)
        prepared = Prepared(f"question {number}", "", (), "react", "m", "http://127.0.0.1:9/v1")
        replied = Replied(f"Final Answer: answer {number}", f"I know of {number}", Usage(), 0.1, 0.1)
        store.append(last, [Asked(f"question {number}", 1.0), prepared, replied, Answered(f"answer {number}")])
    store.close()
    model.play([Reply("Thought: Let me think.\nFinal Answer: It is 42.", gate=seen)])
    with visit(browser, f"{app.url}?c={conversation}", app.signed(cookie)) as chat:
        chat.click(chat.button("Show 1 earlier turn"))
        expect(chat.button("Steps and more")).to_have_count(1, timeout=SECONDS)
        chat.idle()
        chat.ask("And now?")
        expect(chat.button("Steps and more")).to_have_count(2, timeout=SECONDS)
        expect(chat.button("Stop")).to_be_visible(timeout=SECONDS)
        for number in range(1, 8):
            expect(chat.page.get_by_text(f"answer {number}", exact=True)).to_have_count(1)
        expect(chat.page.get_by_role("link", name="Run", exact=True)).to_have_count(5)
        seen.set()
        chat.expect_text("It is 42.")
        chat.settle()
        expect(chat.page.get_by_role("link", name="Run", exact=True)).to_have_count(6)


def test_a_server_that_is_told_to_end_ends_its_runs_with_what_they_had(tmp_path: Path, page: Page) -> None:
    with (
        ModelServer(["Thought: Let me think. " + "on " * 5_000], delay=0.05) as model,
        AppServer(
            tmp_path,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="react",
            GLASSBOX_RESUME="no",
            **WITHOUT_PROGRAMS,
        ) as app,
    ):
        chat = Chat(page, app.url)
        chat.ask("What is the answer?")
        chat.expect_text("Let me think.")
        address = page.url
        app.end()
        store = Store(app.database)
        [row] = store.runs(address.rpartition("=")[2])
        assert row.ended == "Failed", "by the server that was told to, not by the next one"
        *_, replied, failed = store.events(row.id)
        assert isinstance(replied, Replied) and "Let me think." in replied.thought
        assert isinstance(failed, Failed) and failed.reason == "interrupted"
        store.close()
        app.start()
        chat = Chat(page, address)
        chat.expect_text("The server was stopped")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_failing_server_says_what_to_do(tmp_path: Path, page: Page) -> None:
    with AppServer(tmp_path, GLASSBOX_BASE_URL="http://127.0.0.1:9/v1", GLASSBOX_MODEL="m", **WITHOUT_PROGRAMS) as app:
        chat = Chat(page, app.url)
        chat.ask("What costs $5 and $6?")
        chat.expect_text("Cannot reach")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        chat.expect_text("What costs $5 and $6?")


def test_a_model_connected_by_hand(demo: AppServer, page: Page) -> None:
    with ModelServer(["Final Answer: Hello from the model."], key="sk-planted") as model:
        chat = Chat(page, demo.url)
        chat.connect(model.endpoint, "sk-planted")
        chat.ask("Are you there?")
        chat.expect_text("Hello from the model.")
        chat.settle()
        assert "sk-planted" not in demo.log
        assert "sk-planted" not in (demo.folder / "data" / "glassbox.db").read_bytes().decode("latin-1")


def test_a_key_typed_for_one_server_is_not_sent_to_another(demo: AppServer, page: Page) -> None:
    with (
        ModelServer(["Final Answer: one"], key="sk-planted") as first,
        ModelServer(["Final Answer: two"]) as second,
    ):
        chat = Chat(page, demo.url)
        chat.open_connect()
        page.get_by_role("button", name="Another server").click()
        address, key = page.get_by_role("textbox", name="Address"), page.get_by_role("textbox", name="Key")
        address.fill(first.endpoint)
        address.press("Enter")
        chat.quiet()
        key.fill("sk-planted")
        key.press("Enter")
        chat.quiet()
        expect(key).to_have_value("sk-planted")
        address.fill(second.endpoint)
        address.press("Enter")
        expect(key).to_have_value("", timeout=SECONDS)
        expect(address).to_have_value(second.endpoint)
        chat.pick_model()
        chat.closed()
        chat.ask("Are you there?")
        chat.expect_text("two")
        assert "sk-planted" not in str(second.headers)


def test_wrong_settings_are_told_in_a_sentence(tmp_path: Path, page: Page) -> None:
    with AppServer(tmp_path, GLASSBOX_STEPS="many") as app:
        page.goto(app.url)
        expect(page.get_by_role("main")).to_contain_text("GLASSBOX_STEPS must be a whole number", timeout=SECONDS)
