"""The first screen does not move while it is drawn, nor the last turn when its run ends."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import MOVING, SECONDS, rested, tab, visit, watched
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
# What the layout has shifted, as browsers score it (https://web.dev/articles/cls); "good" is up to 0.1.
SHIFTS = """window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach(one => {
  if (!one.hadRecentInput) window.shifted += one.value;
})).observe({type: "layout-shift", buffered: true})"""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
LESS_MOTION: dict[str, Any] = {"reduced_motion": "reduce"}
# Open a step: for how many milliseconds it unfolds.
UNFOLDING = """step => {
  step.querySelector("summary").click();
  const effects = document.getAnimations().map(({ effect }) => effect);
  const heights = effects.filter(effect => effect.getKeyframes().some(frame => "height" in frame));
  return Math.max(0, ...heights.map(effect => effect.getTiming().duration));
}"""
# Of every style with the app's rules, whether it counts; that of the HTML first.
STYLES = """() => [...document.querySelectorAll("style")]
  .filter(style => style.textContent.includes(".st-key-announcer"))
  .sort((one, other) => Number(other.id === "first-paint") - Number(one.id === "first-paint"))
  .map(style => !style.sheet.disabled)"""
# Of every frame: how many questions there are, the last one's words, its place on the paper and how much of it can be
# seen; and the last answer's words.
FRAMES = """() => {
  const frames = window.frames_drawn = [];
  const last = who => [...document.querySelectorAll(`[aria-label="Chat message from ${who}"]`)]
    .filter(found => found.dataset.testid === "stChatMessageContent");
  const seen = one => {
    let left = 1;
    for (; one instanceof Element; one = one.parentElement) left *= Number(getComputedStyle(one).opacity);
    return left;
  };
  const look = () => {
    if (window.frames_drawn !== frames) return;
    const questions = last("user"), question = questions.at(-1), answer = last("assistant").at(-1);
    const box = question?.getBoundingClientRect();
    const scrolled = document.querySelector("[data-testid=stMain]").scrollTop;
    frames.push({
      count: questions.length,
      question: question?.innerText.trim() ?? "",
      place: box ? [box.left, box.top + scrolled, box.width, box.height].map(Math.round) : [],
      seen: question ? seen(question) : 0,
      answer: answer?.innerText ?? "",
    });
    requestAnimationFrame(look);
  };
  look();
}"""

# Of every button under an answer: the size of its sign, and how far that is from the middle where it has no words.
SIGNS = """() => [...document.querySelectorAll("[class*=st-key-acts-] button")].filter(one => one.checkVisibility())
  .map(one => {
    const sign = one.querySelector("[data-testid=stIconMaterial], .icon"), words = one.querySelector("p, .text");
    const { left, width } = one.getBoundingClientRect(), inner = sign.getBoundingClientRect();
    const alone = !words || getComputedStyle(words).fontSize === "0px";
    const off = alone ? Math.abs(left + width / 2 - inner.left - inner.width / 2) : 0;
    return [sign.innerText, getComputedStyle(sign).fontSize, off];
  }).filter(([name]) => name !== "more_horiz")"""


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_first_screen_stays_where_it_is(browser: Browser, demo: AppServer, options: dict[str, Any]) -> None:
    with tab(browser, SHIFTS, **MOVING, **options) as page:
        watched(page).goto(demo.url)
        expect(page.get_by_role("button", name="Connect a database")).to_be_visible(timeout=SECONDS)
        rested(page, 400)
        assert page.evaluate("shifted") < 0.1
        assert page.evaluate(STYLES) == [True, False], "each rule is tried once, by that of the HTML"
        cards = page.locator(".st-key-examples button")
        assert len({round(box["height"]) for box in map(lambda card: card.bounding_box(), cards.all()) if box}) == 1
        page.get_by_test_id("stSidebar").get_by_role("link", name="Tools").dispatch_event("click")
        expect(page.get_by_role("heading", name="Tools")).to_be_visible(timeout=SECONDS)
        rested(page, 400)
        assert page.evaluate(STYLES) == [True, False]


def test_a_letter_that_is_typed_has_the_box_alone_styled_anew(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as chat:
        chat.answer_to("What is 3 * 4?", "3 × 4 is 12")
        chat.box.fill("And its hal")
        browser.start_tracing(page=chat.page, categories=["devtools.timeline"])
        chat.box.press("f")
        chat.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        told = json.loads(browser.stop_tracing())["traceEvents"]
        styled = [event["args"]["elementCount"] for event in told if event["name"] == "UpdateLayoutTree"]
        assert styled and max(styled) < chat.page.locator("*").count() / 4, "see the head of style.css"


@pytest.mark.parametrize("path", ["", "tests", "handbook?chapter=tools"])
def test_a_page_comes_with_its_style_and_is_never_taken_from_before(demo: AppServer, path: str) -> None:
    asked = {"Accept": "text/html", "Accept-Encoding": "gzip", "If-None-Match": '"old"'}
    with urllib.request.urlopen(urllib.request.Request(demo.url + path, headers=asked)) as answer:
        body = answer.read().decode()
        assert answer.status == 200 and answer.headers["ETag"] is None
        assert int(answer.headers["Content-Length"]) == len(body.encode())
    assert body.index("st-key-welcome") < body.index("</body>") and "app/static/fonts/" in body
    head = urllib.request.Request(demo.url, method="HEAD")
    with urllib.request.urlopen(head) as answer:
        assert answer.status == 200


def test_keys_lead_to_the_box_the_search_the_last_step_and_a_new_chat(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, **MOVING) as chat:
        keys = chat.page.keyboard
        chat.answer_to("What is 15% of 80?", "12")
        chat.page.evaluate("document.activeElement.blur()")
        keys.press("o")
        expect(chat.steps.first.locator("details")).to_have_attribute("open", "")
        expect(chat.steps.first.locator("summary")).to_be_focused()
        keys.press("/")
        expect(chat.box).to_be_focused()
        keys.type("o/?")
        expect(chat.box).to_have_value("o/?")
        keys.press("Control+k")
        expect(chat.page.get_by_role("textbox", name="Search chats")).to_be_focused()
        for _ in range(2):  # the page looks for dialogs now and then only: one of them is gone before
            chat.page.evaluate("document.activeElement.blur()")
            keys.press("?")
            expect(chat.dialog).to_contain_text("Keyboard shortcuts")
            chat.idle()
            keys.press("Escape")
            chat.closed()
            expect(chat.box).to_be_focused()
        keys.press("Control+k")
        keys.press("Control+Shift+O")
        chat.expect_text("What shall we find out?")
        expect(chat.box).to_be_focused()


def test_what_the_focus_comes_to_is_not_behind_the_box(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, viewport={"width": 1280, "height": 480}, **MOVING) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        chat.open_step(0).locator("summary").first.focus()
        chat.tab_to("Try again")
        rect = "one => { const { top, bottom } = one.getBoundingClientRect(); return { top, bottom } }"
        focused = chat.page.evaluate(f"({rect})(document.activeElement)")
        assert focused["bottom"] <= chat.page.get_by_test_id("stBottom").evaluate(rect)["top"]


@pytest.mark.parametrize("path", ["tools", "prompts", "tests", "handbook", "data", "run?r=none"])
def test_the_way_back_stands_in_line_with_the_title(browser: Browser, demo: AppServer, path: str) -> None:
    with tab(browser) as page:
        watched(page).goto(f"{demo.url}{path}")
        main = page.get_by_role("main")
        title, back = main.get_by_role("heading").first, main.get_by_test_id("stPageLink").first
        expect(title).to_be_visible(timeout=SECONDS)
        rested(page)
        words = back.get_by_role("paragraph")
        assert words.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth"), "all of it is read"
        places = [one.bounding_box() for one in (title, back.get_by_test_id("stIconMaterial"))]
        assert places[0] and places[1] and abs(places[0]["x"] - places[1]["x"]) < 1


def test_the_ways_from_a_run_and_its_context_stand_in_line_with_their_titles(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        main, here = chat.page.get_by_role("main"), chat.page.url
        for name in ("Run", "Context"):
            chat.click(chat.page.locator("[class*=st-key-pages-]").get_by_role("link", name=name))
            back = main.get_by_role("link", name="To its chat")
            expect(back).to_be_visible(timeout=SECONDS)
            chat.idle()
            places = [
                one.bounding_box() for one in (main.get_by_role("heading").first, back.get_by_test_id("stIconMaterial"))
            ]
            assert places[0] and places[1] and abs(places[0]["x"] - places[1]["x"]) < 1, name
            chat.page.goto(here)
            chat.expect_text("15% of 80 is 12.")


@pytest.mark.parametrize("options", [{}, PHONE | {"has_touch": True}], ids=["desktop", "phone"])
def test_the_signs_under_an_answer_are_of_one_size_each_in_its_middle(
    browser: Browser, demo: AppServer, options: dict[str, Any]
) -> None:
    with visit(browser, demo.url, **options) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        signs = chat.page.evaluate(SIGNS)
        assert {"thumb_up", "refresh", "content_copy"} <= {name for name, _, _ in signs}
        assert len({size for _, size, _ in signs}) == 1, signs
        assert all(off < 1 for _, _, off in signs), signs


def test_what_copies_a_code_shows_that_it_has_the_focus(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, **MOVING) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        chat.open_step(0).locator("summary").first.focus()
        chat.tab_to("Copy to clipboard")
        assert chat.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_pointed_at_keeps_the_contrast_of_its_words(browser: Browser, demo: AppServer, scheme: str) -> None:
    with visit(browser, demo.url, color_scheme=scheme) as chat:
        button = chat.button("Import a chat")
        colour = "one => getComputedStyle(one).color"
        before = button.evaluate(colour)
        button.hover()
        rested(chat.page)
        assert button.evaluate(colour) == before


def test_what_is_copied_is_the_text_alone(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, permissions=["clipboard-read", "clipboard-write"]) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        said = chat.answers.nth(1).get_by_text("is 12").first
        assert said.locator("a").count()
        said.evaluate("place => getSelection().selectAllChildren(place)")
        chat.page.keyboard.press("Control+c")
        assert chat.clipboard == "15% of 80 is 12."


@pytest.mark.parametrize("asked", [MOVING, LESS_MOTION], ids=["moving", "less motion"])
def test_a_step_unfolds_at_once_for_whom_asked_for_less_motion(
    browser: Browser, demo: AppServer, asked: dict[str, Any]
) -> None:
    with visit(browser, demo.url, **asked) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        unfolding = chat.steps.first.evaluate(UNFOLDING)
        assert unfolding >= 100 if asked is MOVING else unfolding <= 1
        expect(chat.steps.first).to_contain_text("Observation")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_last_turn_stays_when_its_run_ends(browser: Browser, demo: AppServer, options: dict[str, Any]) -> None:
    """From the frame in which a question is first seen on, no frame is without it, nor has it elsewhere or paler."""
    with visit(browser, demo.url, **MOVING, **options) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        for number, (question, answer) in enumerate(
            {
                "What is the square root of 625?": "The square root of 625 is 25.",
                "Convert 72 °F to Celsius": "22.2",
                "What is 17% of 200?": "17% of 200 is 34.",
            }.items(),
            2,
        ):
            chat.idle()
            chat.page.evaluate(FRAMES)
            chat.answer_to(question, answer)
            chat.idle()
            frames = chat.page.evaluate("() => { const all = frames_drawn; frames_drawn = null; return all }")
            # The words of a question may come a frame after the box that will hold them.
            first = next(place for place, frame in enumerate(frames) if frame["question"] == question)
            assert {(frame["count"], frame["question"]) for frame in frames[first:]} == {(number, question)}
            assert {tuple(frame["place"]) for frame in frames[first:]} == {tuple(frames[first]["place"])}
            assert {frame["seen"] for frame in frames[first:]} == {1}
            told = [answer in frame["answer"] for frame in frames[first:]]
            assert told == sorted(told) and told[-1]


def test_a_page_chosen_on_a_phone_is_seen_from_its_top(browser: Browser, demo: AppServer) -> None:
    """Right after an answer, whose end was kept in sight; and the sidebar does not stay over what was chosen in it."""
    with visit(browser, demo.url, **MOVING, **PHONE) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        bar = chat.page.get_by_test_id("stSidebar")
        for chosen, shown in (
            (bar.get_by_role("link", name="Tools").first, "In use"),
            (bar.get_by_role("link", name="Prompts"), "As the model reads it today"),
            (chat.chats.first, "15% of 80 is 12."),
            (chat.button("New chat"), "What shall we find out?"),
        ):
            chat.page.get_by_test_id("stExpandSidebarButton").click()
            chat.click(chosen)
            chat.expect_text(shown)
            expect(bar).not_to_be_in_viewport()
            if shown == "In use":
                rested(chat.page, 400)
                assert chat.page.get_by_test_id("stMain").evaluate("place => place.scrollTop") == 0
        chat.page.get_by_test_id("stExpandSidebarButton").click()
        expect(bar).to_be_in_viewport()
        chat.page.reload()
        chat.expect_text("What shall we find out?")
        expect(bar).not_to_be_in_viewport()
