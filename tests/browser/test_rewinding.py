"""See everything and rewind anything, in a real Chromium: the exact call, changed steps, branches, answer now."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react

pytestmark = pytest.mark.browser
KEY = "sk-planted"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, ModelServer]]:
    """An app and the model of its owner, which each test has play a script of its own."""
    with (
        ModelServer(key=KEY) as server,
        AppServer(
            tmp_path_factory.mktemp("rewound"),
            GLASSBOX_BASE_URL=server.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="react",
            OPENAI_API_KEY=KEY,
            **WITHOUT_PROGRAMS,
        ) as app,
    ):
        yield app, server


@pytest.fixture
def app(shared: tuple[AppServer, ModelServer]) -> AppServer:
    return shared[0]


@pytest.fixture
def model(shared: tuple[AppServer, ModelServer]) -> ModelServer:
    return shared[1]


def click(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def test_a_changed_step_runs_on_as_a_branch_beside_the_old_one(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as chat:
        chat.ask("What is the square root of 25?")
        chat.expect_text("The square root of 25 is 5.")
        chat.settle()
        chat.ask("and its cube?")
        chat.expect_text("The cube of 5 is 125.")
        chat.settle()
        chat.open_step(0)
        click(chat.page, "Change")
        field = chat.page.get_by_label("Action input")
        expect(field).to_have_value("sqrt(25)", timeout=SECONDS)
        chat.idle()
        field.fill("sqrt(36)")
        chat.page.get_by_role("button", name="Run on with this").first.click()
        chat.expect_text("2/2")
        chat.settle()
        expect(chat.steps.first).to_contain_text("Calculated sqrt(36) → 6")
        expect(chat.steps.first).to_contain_text("edited by you")
        expect(chat.page.get_by_text("The cube of 5 is 125.")).to_have_count(0)
        click(chat.page, "Earlier branch")
        chat.expect_text("The cube of 5 is 125.")
        chat.expect_text("1/2")


def test_a_replaced_observation_is_marked_and_the_model_goes_on_from_it(
    browser: Browser, app: AppServer, model: ModelServer
) -> None:
    replies = [react("I double it.", "calculator", "2*21"), final("It is 42."), final("It is 99, as you say.")]
    model.play(replies)
    with visit(browser, app.url) as chat:
        chat.ask("What is twice 21?")
        chat.expect_text("It is 42.")
        chat.settle()
        chat.open_step(0)
        click(chat.page, "Change")
        chat.click(chat.page.get_by_role("tab", name="What was observed"))
        chat.idle()
        chat.page.get_by_label("What calculator gave").fill("The calculator says 99.")
        chat.page.get_by_role("button", name="Run on with this").last.click()
        chat.expect_text("It is 99, as you say.")
        chat.settle()
        expect(chat.steps.first).to_contain_text("edited by you")
        assert "The calculator says 99." in model.raw[-1].decode()
        chat.page.reload()
        chat.expect_text("edited by you")


def test_a_bad_action_is_told_and_a_step_is_run_again(browser: Browser, app: AppServer, model: ModelServer) -> None:
    replies = [react("I double it.", "calculator", "2*21"), final("It is 42."), final("It is 42, once more.")]
    model.play(replies)
    with visit(browser, app.url) as chat:
        chat.ask("What is twice 21?")
        chat.expect_text("It is 42.")
        chat.settle()
        chat.open_step(0)
        click(chat.page, "Run again from here")
        chat.expect_text("It is 42, once more.")
        chat.settle()
        assert model.requests[0]["messages"] == model.requests[2]["messages"]


def test_the_exact_call_is_what_the_server_received(browser: Browser, app: AppServer, model: ModelServer) -> None:
    model.play([react("I double it.", "calculator", "2*21"), final("It is 42.")])
    with visit(browser, app.url) as chat:
        chat.ask("What is twice 21?")
        chat.expect_text("It is 42.")
        chat.settle()
        chat.open_step(0)
        click(chat.page, "See the exact call")
        dialog = chat.page.get_by_role("dialog")
        expect(dialog).to_contain_text("What is twice 21?", timeout=SECONDS)
        expect(dialog).to_contain_text("no price")
        chat.click(dialog.get_by_role("tab", name="Take along"))
        expect(dialog).to_contain_text("curl")
        chat.click(dialog.get_by_text("JSON", exact=True))
        expect(dialog).to_contain_text('"stream": true', timeout=SECONDS)
        assert KEY not in chat.page.content()


def test_answer_now_after_a_stop(browser: Browser, app: AppServer, model: ModelServer) -> None:
    endless = Reply("Thought: I am thinking about this and " + "that and " * 2_000, delay=0.02)
    replies = [react("I double it.", "calculator", "2*21"), endless, final("At least 42.")]
    model.play(replies)
    with visit(browser, app.url) as chat:
        chat.ask("What is twice 21?")
        chat.expect_text("I am thinking about this")
        chat.page.get_by_role("button", name="Stop").first.click()
        chat.expect_text("Stopped.")
        chat.settle()
        click(chat.page, "Answer now")
        chat.expect_text("At least 42.")
        chat.expect_text("this is the best answer from what was observed")
        assert "wants an answer now" in model.raw[-1].decode()


def test_another_visitor_opens_nothing_of_it(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as anna:
        anna.ask("What is the cube of 7?")
        anna.expect_text("The cube of 7 is 343.")
        anna.settle()
        with visit(browser, anna.page.url) as ben:
            ben.expect_text("There is no such conversation here.")
            expect(ben.page.get_by_role("button", name="See the exact call")).to_have_count(0)


def test_what_stands_behind_an_answer(browser: Browser, app: AppServer, model: ModelServer) -> None:
    """The ancestors' example: 54 °F was worked out, and the answer says 53 °F."""
    replies = [react("I convert it.", "calculator", "(54-32)*5/9"), final("54 in Fahrenheit is 12.2, not 53.9.")]
    model.play([*replies, final("Rome was founded in 753 BC.")])
    with visit(browser, app.url) as chat:
        chat.ask("What is 54 in Fahrenheit, in Celsius?")
        doubted = chat.page.locator('a[href^="#claim-"]', has_text="53.9")
        expect(doubted).to_have_accessible_name(re.compile("Not found|Differs"), timeout=SECONDS)
        chat.settle()
        line = chat.page.get_by_text("figures traced")
        expect(line).to_be_visible(timeout=SECONDS)
        chat.click(line)
        chat.expect_text("Seen in step 1 (calculator)")
        chat.ask("When was Rome founded?")
        chat.expect_text("From the model's memory: nothing was looked up.")
        chat.settle()
