"""Chromium and the chat, in the words of a person: ask, open, stop, reload."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    TimeoutError,
    ViewportSize,
    expect,
    sync_playwright,
)

# What a page is waited for at most, in milliseconds: far more than an idle machine takes.
SECONDS = 60_000
COOKIE = "glassbox_visitor"
_REST_MILLISECONDS, _QUIET_MILLISECONDS = 60, 400
# Tabs whose visitor is gone, ``emptied`` for the next one who asks for the same options.
_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
# For what is about motion, the keyboard, which has been lost to a transition that was cut short, and the first stories.
# Other visitors have asked their system for less motion: what pulses and fades while a test waits is drawn sixty times
# a second, which takes a third of Chromium's work.
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
_LOOKS = {"viewport", "color_scheme", "reduced_motion", "permissions"}
_LEFT = WeakKeyDictionary[Browser, dict[str, list[Page]]]()
_WATCHED = WeakSet[Page]()
_SETTLED = """rested =>
  !document.querySelector("[class*=st-key-stop]") && window.glassboxRested() >= rested"""
_SHOWN = r"""text => {
  const plain = words => words.replace(/[\u200b\u00ad]/g, "").trim().replace(/\s+/g, " ");
  const main = document.querySelector("main, [role=main]");
  return Boolean(main) && plain(main.textContent).includes(plain(text));
}"""
_FOCUSED = """() => {
  const now = document.activeElement, kept = now === window.glassboxFocused && now !== document.body;
  window.glassboxFocused = now;
  const control = now.matches("button, a, input, textarea, summary");
  return [control ? now.getAttribute("aria-label") || now.innerText || "" : "", kept];
}"""
# The page scrolls within its main part: the document is never wider than the window.
_OVERFLOW = """() => {
  const parts = [document.scrollingElement, document.querySelector("[data-testid=stMain]")];
  return Math.max(...parts.map(part => part.scrollWidth - part.clientWidth));
}"""
_PICTURES = Path(__file__).parents[2] / "test-artifacts"
_WATCHING = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")
# Chromium without a window's own parts first: the same pages for a third less work.
_BROWSERS = ("chromium-headless-shell", "chromium")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    # What is drawn without a graphics card is put together where it is drawn: a tenth to a quarter less work.
    "--in-process-gpu",
    # What optimizing compilers make of a page's programs pays in long visits only: a tenth less work.
    "--js-flags=--no-maglev,--no-turbofan",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    named = os.environ.get("CHROMIUM")
    path = next(filter(None, map(shutil.which, [named] if named else _BROWSERS)), None)
    assert path, "the browser tests need chromium: install it, or set CHROMIUM to its path"
    # Playwright's own five seconds are too few for a slow machine; what is there sooner is seen sooner.
    expect.set_options(timeout=SECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()


@contextmanager
def visit(browser: Browser, url: str, cookie: str = "", script: str = "", **options: Any) -> Iterator[Chat]:
    """The chat in a browser of its own, on its first visit: a person whom the server does not know.

    With ``cookie`` it is sent that value as the visitor's. ``script`` runs in every page before the page's own.
    ``options`` are Playwright's of a context, and ``MOVING``.
    """
    with tab(browser, script, **options) as page:
        if cookie:
            page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
        yield Chat(page, url)


@contextmanager
def tab(browser: Browser, script: str = "", **options: Any) -> Iterator[Page]:
    """A tab in a browser of its own: that of an earlier visitor of the same kind, where one could be emptied.

    The programs of the page are compiled in it already, which is most of the work of a visit.
    """
    # What an open tab can be given is no kind of its own.
    looks = {name: options.pop(name) for name in _LOOKS & options.keys()}
    left = _LEFT.setdefault(browser, {}).setdefault(repr((script, sorted(options.items()))), [])
    page = left.pop() if left else _new_tab(browser, script, **options)
    _look(page, **looks)
    kept = False
    try:
        yield page
        kept = emptied(page)
    finally:
        if kept:
            left.append(page)
        else:
            ended(page.context)


def _new_tab(browser: Browser, script: str, **options: Any) -> Page:
    # For the tabs that a visitor opens beside the first.
    context = browser.new_context(viewport=_VIEWPORT, reduced_motion="reduce", **options)
    if script:
        context.add_init_script(script)
    return context.new_page()


def _look(
    page: Page,
    viewport: ViewportSize = _VIEWPORT,
    color_scheme: Any = "null",
    reduced_motion: Any = "reduce",
    permissions: Sequence[str] = (),
) -> None:
    """Give the tab what its visitor looks through, whatever the earlier one had."""
    page.set_viewport_size(viewport)
    page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=reduced_motion)
    page.context.grant_permissions(permissions)


def ended(context: BrowserContext) -> None:
    """Close it; where that is because a test fails, its tabs are pictured before."""
    if sys.exception():
        take_pictures(context)
    context.close()


def take_pictures(context: BrowserContext) -> None:
    """Pictures of the open tabs, in ``test-artifacts/``, named after the test that is running."""
    test = re.sub(r"\W+", "-", os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)"))
    for number, page in enumerate(context.pages):
        with suppress(Error):
            page.screenshot(path=_PICTURES / f"{test}-{id(context):x}-{number}.png", timeout=SECONDS)


def emptied(page: Page) -> bool:
    """Empty the tab and its context of what a page can keep, close the other tabs; whether that was possible."""
    context = page.context
    try:
        origins = {str(one.evaluate("origin")) for one in context.pages}
        page.evaluate("sessionStorage.clear()")
        page.goto("about:blank")
        page.mouse.move(0, 0)
        for other in context.pages[1:]:
            other.close()
        context.clear_cookies()
        context.clear_permissions()
        session = context.new_cdp_session(page)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
    except Error:  # closed by the test, crashed, or on its way to another page
        return False
    return context.pages == [page]


def watched(page: Page) -> Page:
    """The page, which will know when it is at rest."""
    if page not in _WATCHED:
        _WATCHED.add(page)
        page.add_init_script(_WATCHING)
    return page


def rested(page: Page, milliseconds: int = _REST_MILLISECONDS) -> None:
    """Wait until the page, which is ``watched``, has been at rest for so long."""
    page.wait_for_function("rested => window.glassboxRested() >= rested", arg=milliseconds, polling=20)


class Chat:
    """The chat page as a person uses it."""

    def __init__(self, page: Page, url: str = "") -> None:
        """Go to ``url``; without one the page is there already, and was ``watched`` before it was."""
        self.page = page
        page.set_default_timeout(SECONDS)
        if url:
            watched(page).goto(url, timeout=SECONDS * 2)
        expect(self.box).to_be_visible(timeout=SECONDS * 2)

    @property
    def box(self) -> Locator:
        return self.page.get_by_test_id("stChatInputTextArea")

    @property
    def answers(self) -> Locator:
        return self.page.get_by_test_id("stChatMessage")

    @property
    def steps(self) -> Locator:
        return self.page.get_by_test_id("stExpander")

    @property
    def chats(self) -> Locator:
        """The links of the sidebar's list, from the top."""
        return self.page.get_by_test_id("stSidebar").locator("[class*=st-key-chat-]").get_by_role("link")

    @property
    def cookie(self) -> str:
        """What the visitor is known by."""
        return next((c.get("value", "") for c in self.page.context.cookies() if c.get("name") == COOKIE), "")

    @property
    def browser_id(self) -> str:
        """The id in the cookie, without its signature."""
        return self.cookie.partition(".")[0]

    def new_cookie(self, than: str = "") -> str:
        """What the server makes this visitor known by, as soon as it is not ``than``; no script sees it."""
        self.wait_for_cookie(than)
        assert COOKIE not in self.page.evaluate("document.cookie")
        return self.cookie

    def wait_for_cookie(self, than: str = "") -> None:
        while self.cookie in ("", than):
            self.page.wait_for_timeout(20)

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def button(self, name: str | re.Pattern[str], exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def overflow(self) -> int:
        """By how many pixels the page can be scrolled sideways."""
        return int(self.page.evaluate(_OVERFLOW))

    @property
    def model(self) -> Locator:
        """The button with the name of the model, under the box."""
        return self.page.locator(".st-key-model:not([data-stale=true])").get_by_role("button")

    def another_tab(self, url: str = "") -> Chat:
        page = self.page.context.new_page()
        page.set_viewport_size(self.page.viewport_size or _VIEWPORT)
        return Chat(page, url or self.page.url)

    def answer_to(self, question: str, answer: str) -> None:
        """Ask, and wait for the answer."""
        self.ask(question)
        self.expect_text(answer)
        self.settle()

    def new_chat(self) -> None:
        self.button("New chat").click()
        self.expect_text("What shall we find out?")
        self.idle()

    def search(self, words: str) -> None:
        field = self.page.get_by_role("textbox", name="Search chats")
        field.fill(words)
        field.press("Enter")
        self.idle()

    def choose(self, title: str, action: str, rest: bool = True) -> None:
        """Take ``action`` from the menu of the chat of that title; ``rest`` is false while a run goes on."""
        if rest:
            self.idle()
        row = self.page.locator("[class*=st-key-chat-]").filter(has=self.page.get_by_role("link", name=title))
        row.get_by_role("button", name="More").click()
        self.page.get_by_role("menuitem", name=action, exact=True).click()
        if rest:
            self.idle()

    def more(self, action: str) -> None:
        """Take ``action`` from the menu under the last answer."""
        self.page.locator("[class*=st-key-more-]").last.get_by_role("button", name="More").click()
        self.page.get_by_role("menuitem", name=action, exact=True).click()

    def ask(self, question: str) -> None:
        expect(self.box).to_be_enabled(timeout=SECONDS)
        self.box.fill(question)
        self.box.press("Enter")

    def attach(self, *files: Any) -> None:
        """Put files, as Playwright takes them, into the box, and wait until the server has them."""
        self.page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(list(files))
        expect(self.page.get_by_test_id("stFileChip")).to_have_count(len(files))
        expect(self.page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0)
        expect(self.page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()

    def settle(self) -> None:
        """Wait until no run is in flight and the page has been drawn."""
        self.page.wait_for_function(_SETTLED, arg=_REST_MILLISECONDS, polling=20)

    def expect_text(self, text: str | re.Pattern[str]) -> None:
        if isinstance(text, str):
            # ``expect`` looks once a second and makes a tree of the whole page each time: it only says what is missing.
            with suppress(TimeoutError):
                self.page.wait_for_function(_SHOWN, arg=text, polling=50, timeout=SECONDS)
        expect(self.page.get_by_role("main")).to_contain_text(text, timeout=SECONDS)

    def connect(self, address: str, key: str = "", model: str = "") -> None:
        """Connect a model of the server at ``address``, the first where none is named, by the dialog alone."""
        self.fill_in(address, key, model)
        self.pick_model()
        self.closed()

    def open_connect(self) -> None:
        """Open the dialog: by the button with the model's name, or by its menu where there are several."""
        self.idle()
        self.model.click()
        another = self.page.get_by_role("menuitem", name="Connect another…")
        expect(another.or_(self.dialog)).to_be_visible()
        if another.is_visible():
            another.click()
        expect(self.dialog).to_be_visible()
        self.idle()

    def switch(self, model: str) -> None:
        """Have questions answered by another model that is known."""
        self.model.click()
        self.page.get_by_role("menuitem", name=model).click()
        expect(self.model).to_contain_text(model)
        self.idle()

    def fill_in(self, address: str, key: str = "", model: str = "") -> None:
        """Open the dialog and say in it which server."""
        self.open_connect()
        self.page.get_by_role("button", name="Another server").click()
        field = self.page.get_by_role("textbox", name="Address")
        expect(field).to_have_value("", timeout=SECONDS)
        field.fill(address)
        field.press("Enter")
        if key:
            self.page.get_by_role("textbox", name="Key").fill(key)
            self.page.get_by_role("textbox", name="Key").press("Enter")
        self.quiet()
        if model:
            self._type_model(model)

    @property
    def model_field(self) -> Locator:
        """The field for the model's name; while it is drawn anew the one before stays for a moment, stale."""
        drawn = self.page.locator("[data-testid=stElementContainer]:not([data-stale=true])")
        return drawn.get_by_label("Model", exact=True).and_(self.page.locator(":enabled"))

    def _type_model(self, model: str) -> None:
        """Type it again, as a person would, where the list of models came between the name and Enter and took it."""
        field = self.model_field
        for _ in range(3):
            field.fill(model)
            field.press("Enter")
            self.quiet()
            if field.input_value() == model:
                break
        expect(field).to_have_value(model, timeout=SECONDS)

    def pick_model(self) -> None:
        """Use the model that is chosen in the open dialog, or the first of the server where none is."""
        self.quiet()
        if not self.model_field.input_value():
            self.model_field.click()
            self.page.get_by_role("option").first.click()
            self.idle()
        self.button("Use this model").click()

    def quiet(self) -> None:
        """Wait until nothing has been drawn for a while: what a field sends a moment after it was typed is in it."""
        self._rest(_QUIET_MILLISECONDS)

    def idle(self) -> None:
        """Wait until the page has been drawn, with all that was clicked and sent up to now, and nothing unfolds."""
        self._rest(_REST_MILLISECONDS)

    def closed(self) -> None:
        """Wait until no dialog is open, and the page has been drawn without it."""
        expect(self.dialog).to_have_count(0)
        self.idle()

    def _rest(self, milliseconds: int) -> None:
        rested(self.page, milliseconds)

    def click(self, place: Locator) -> None:
        """Click on what stands still: where the page moves between press and release, the click is lost."""
        self.idle()
        place.click()

    def open_step(self, index: int, rest: bool = True) -> Locator:
        """Open the step; ``rest`` is false while a run goes on."""
        step = self.steps.nth(index)
        if rest:
            self.idle()
        step.locator("summary").first.click()
        if rest:
            self.idle()
        return step

    def open_settings(self) -> None:
        self.idle()
        self.button("Settings").click()
        expect(self.dialog).to_contain_text("They hold for your next question")
        self.idle()

    def tab_to(self, name: str, most: int = 60) -> None:
        """Press Tab until the control that has the focus is named so; nothing may keep the focus then."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            focused, kept = self.page.evaluate(_FOCUSED)
            assert not kept, f"Tab is stuck on the way to {name}"
            if name in focused:
                return
        raise AssertionError(f"Tab does not come to {name}")

    @property
    def clipboard(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))
