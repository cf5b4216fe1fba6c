"""Documents and the handbook as a person uses them: dropped, asked about, opened at the passage; no network, no key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.sandbox import client
from tests.support import document_files as files
from tests.support.accessibility import violations
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
BRIDGE = files.pdf(
    ["The bridge is 200 metres long.", "It was built in 1932 by Anna Berg.\nIt is red.", "Tolls ended in 1960."]
)
LEASE = files.word(
    [(1, "Lease"), (2, "Pets"), (0, "Dogs need the landlord's written consent. <b>&</b> ![x](http://e.test/a)")]
)


def drop(chat: Chat, *dropped: tuple[str, str, bytes]) -> None:
    given = [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in dropped]
    chat.attach(*given)
    chat.page.get_by_test_id("stChatInputSubmitButton").click()


def test_dropped_asked_opened_and_removed(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as chat:
        page = chat.page
        word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        drop(
            chat,
            ("bridge.pdf", "application/pdf", BRIDGE),
            ("lease.docx", word, LEASE),
            ("bad.pdf", "application/pdf", b"%PDF-"),
        )
        expect(chat.button(re.compile("bridge.pdf · 3 pages"))).to_be_visible(timeout=3 * SECONDS)
        expect(chat.button(re.compile("lease.docx · 1 part"))).to_be_visible(timeout=3 * SECONDS)
        chat.expect_text("bad.pdf is damaged")
        chat.click(chat.button("Dismiss"))
        chat.answer_to("Who built the bridge?", "Anna Berg")
        link = page.get_by_role("main").get_by_role("link", name="bridge.pdf, page 2")
        expect(link.first).to_be_visible()
        chat.answer_to("Do dogs need consent?", "landlord's written consent")
        chat.open_step(0)
        expect(page.get_by_test_id("stExpander").first).to_contain_text("Observation")
        chat.click(link.first)
        chat_of = page.get_by_role("link", name="To its chat")
        expect(chat_of).to_be_visible(timeout=SECONDS)
        expect(page.locator(".glassbox-page mark")).to_have_text(
            re.compile(r"It was built in 1932 by Anna Berg\.\s+It is red\.")
        )
        expect(page.get_by_role("main")).to_contain_text("Page 2 of 3")
        chat.idle()
        assert violations(page) == []
        # Another page of it, by the keyboard alone.
        page.get_by_role("button", name=re.compile("3")).last.press("Enter")
        expect(page.locator(".glassbox-page")).to_have_text("Tolls ended in 1960.", timeout=SECONDS)
        address = page.url
        chat_of.click()
        chat.expect_text("Anna Berg")
        chat.idle()
        # What stands in a document is shown, never acted on.
        page.get_by_role("main").get_by_role("link", name=re.compile("lease.docx, part 1")).first.click()
        expect(page.locator(".glassbox-page")).to_contain_text("<b>&</b> ![x](http://e.test/a)", timeout=SECONDS)
        page.get_by_role("link", name="To its chat").click()
        chat.expect_text("Anna Berg")
        chat.click(chat.button(re.compile("lease.docx")))
        chat.click(chat.button("Remove", exact=True))
        expect(page.get_by_text("The document is removed from this chat for good.")).to_be_visible()
        chat.click(chat.button("Keep it"))
        chat.click(chat.button("Remove", exact=True))
        chat.click(chat.button("Remove it"))
        expect(chat.button(re.compile("lease.docx"))).to_have_count(0, timeout=SECONDS)
    with visit(browser, demo.url) as stranger:
        stranger.page.goto(address)
        expect(stranger.page.get_by_role("main")).to_contain_text("No documents here", timeout=SECONDS)


def marked_links(page: Page) -> list[str]:
    """The links of the page itself that have a ground of their own, as Streamlit marks the page one is on."""
    return page.evaluate("""() => [...document.querySelectorAll("main a, [role=main] a")]
        .filter((link) => getComputedStyle(link).backgroundColor !== "rgba(0, 0, 0, 0)")
        .map((link) => link.textContent)""")


@pytest.mark.parametrize("look", ["desk light", "phone dark"])
def test_the_handbook(browser: Browser, demo: AppServer, look: str) -> None:
    phone = look == "phone dark"
    options = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"} if phone else {}
    with visit(browser, demo.url, reduced_motion="reduce", **options) as chat:
        page = chat.page
        # With no key and no network.
        chat.answer_to("Convert 5 miles to km", "8.04672 km")
        Chat(page, demo.url).answer_to("What time is it in Tokyo?", "In Tokyo it is")
        expect(chat.steps.first).to_contain_text("Date and time:")
        Chat(page, demo.url).answer_to("How do I add a tool?", "def dice(sides: int = 6)")
        page.get_by_role("link", name=re.compile("Handbook, Tools — Add a tool of your own")).first.click()
        found = page.locator(".st-key-section-found")
        expect(found).to_contain_text("A tool is a typed Python function", timeout=SECONDS)
        expect(found).to_be_in_viewport(timeout=SECONDS)
        chat.idle()
        assert violations(page) == []
        # Of the chapters beside it, this one alone is marked; and no link looks as if it were open.
        beside = page.locator(".st-key-handbook-beside")
        assert beside.locator("a").count() == 15 and beside.locator("strong").all_text_contents() == ["Tools"]
        assert beside.is_visible() is not phone
        assert marked_links(page) == []
        page.get_by_role("main").get_by_role("link", name="All chapters").click()
        expect(page.locator(".st-key-handbook-contents").get_by_role("link")).to_have_count(16, timeout=SECONDS)
        chat.idle()
        assert violations(page) == [] and marked_links(page) == []
        page.get_by_role("main").get_by_role("link", name="日本語").click()
        expect(page.locator(".st-key-handbook-contents")).to_contain_text("やり直しと分岐", timeout=SECONDS)
        chat.idle()
        chat.quiet()
        page.get_by_role("textbox", name="Search the handbook").fill("where is my key kept")
        page.get_by_role("textbox", name="Search the handbook").press("Enter")
        first = page.get_by_role("main").get_by_role("link", name=re.compile("Where your key is kept"))
        chat.click(first)
        expect(page.locator(".st-key-section-found")).to_contain_text("memory of your session", timeout=SECONDS)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        chat.click(page.get_by_role("main").get_by_role("link", name="To the chat"))
        chat.expect_text("A tool is a typed Python function")
