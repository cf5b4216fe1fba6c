"""A server that nobody may ask: hostile texts in every place of the page, in a real Chromium."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from agent.sandbox import client
from agent.store.runs import Store
from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, Chat, tab
from tests.support.hostile_runs import RUNS, STEPS, Fields, charts, hostile_run
from tests.support.hostile_texts import TEXTS, hostile_texts, mixtures
from tests.support.servers.app_server import ROOT, AppServer
from tests.support.servers.canary_server import Canary
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react

pytestmark = pytest.mark.browser
# What may never be made of a text: things that fetch, style, run, or are drawn by LaTeX and Mermaid.
MADE = "img, picture, source, iframe, object, embed, video, audio, script, link, svg image, foreignObject, .katex a"
QUIET_SECONDS = 0.5

GALLERY = """
import json
import sys
from pathlib import Path

import streamlit as st

from pages.ui.text import escape
from tests.support.servers.prompt_server import PromptServer

texts = json.loads(Path("texts.json").read_text(encoding="utf-8"))
show = st.query_params["show"]
raw = show.startswith("raw")
clean = (lambda text, *_: text) if raw else escape.label
rich = (lambda text, *_: text) if raw else escape.markdown
cell = (lambda text, *_: text) if raw else escape.table_cell

# name -> (text, key); what is given takes Markdown.
RICH = {
    "markdown": lambda text, key: st.markdown(rich(text)),
    "write": lambda text, key: st.write(rich(text)),
    "caption": lambda text, key: st.caption(rich(text)),
    "error": lambda text, key: st.error(rich(text)),
    "info": lambda text, key: st.info(rich(text), icon=":material/info:"),
    "chat_message": lambda text, key: st.chat_message("user").write(rich(text)),
    "stream": lambda text, key: st.write_stream(iter([rich(text)])),
    "title": lambda text, key: st.title(rich(text)),
    "table": lambda text, key: st.table({"a": [cell(text)]}),
}
LABELS = {
    "label_markdown": lambda text, key: st.markdown(text),
    "label_error": lambda text, key: st.error(text),
    "label_warning": lambda text, key: st.warning(text),
    "label_success": lambda text, key: st.success(text),
    "toast": lambda text, key: st.toast(text, duration="infinite"),
    "status": lambda text, key: st.status(text, type="step"),
    "expander": lambda text, key: st.expander(text, key=key),
    "step": lambda text, key: st.expander(text, type="step", key=key, on_change="rerun"),
    "button": lambda text, key: st.button(text, key=key),
    "tertiary": lambda text, key: st.button(text, key=key, type="tertiary", icon=":material/edit:"),
    "download_button": lambda text, key: st.download_button(text, "x", key=key),
    "link_button": lambda text, key: st.link_button(text, "#"),
    "checkbox": lambda text, key: st.checkbox(text, key=key),
    "toggle": lambda text, key: st.toggle(text, key=key),
    "radio": lambda text, key: st.radio(text, [text + " ", "b"], captions=[text, "c"], key=key),
    "pills": lambda text, key: st.pills(text, [text, "b"], key=key),
    "segmented": lambda text, key: st.segmented_control(text, [text, "b"], key=key),
    "selectbox": lambda text, key: st.selectbox(text, [text, "b"], key=key),
    "multiselect": lambda text, key: st.multiselect(text, [text, "b"], default=[text], key=key),
    "slider": lambda text, key: st.slider(text, key=key),
    "select_slider": lambda text, key: st.select_slider(text, [text, "b"], key=key),
    "text_input": lambda text, key: st.text_input(text, placeholder=text, key=key),
    "text_area": lambda text, key: st.text_area(text, placeholder=text, key=key),
    "number_input": lambda text, key: st.number_input(text, key=key),
    "date_input": lambda text, key: st.date_input(text, key=key),
    "file_uploader": lambda text, key: st.file_uploader(text, key=key),
    "popover": lambda text, key: st.popover(text, key=key),
    "menu_button": lambda text, key: st.menu_button(text, [text, "b"], key=key),
    "tabs": lambda text, key: st.tabs([text, "b"]),
    "metric_label": lambda text, key: st.metric(text, "1"),
    "metric_value": lambda text, key: st.metric("a", text),
    "metric_delta": lambda text, key: st.metric("a", "1", delta=text),
    "progress": lambda text, key: st.progress(0.5, text=text),
    "page_link": lambda text, key: st.page_link("https://a.test/", label=text),
    "badge": lambda text, key: st.badge(text),
    "header": lambda text, key: st.header(text),
    "help": lambda text, key: st.button("help", key=key, help=text),
    "help_of_markdown": lambda text, key: st.markdown("help", help=text),
    "cell": lambda text, key: st.table({"a": [text]}),
    "column": lambda text, key: st.table({text: [1]}),
    "plain_text": lambda text, key: (st.code(text), st.json({"image": text}), st.dataframe({text: [text]})),
}

if show == "raw":
    for name, draw in (RICH | LABELS).items():
        draw(f"![{name}]({texts['address']}/{name})", f"raw-{name}")
    st.markdown(texts["hostile"]["mermaid-image"])
elif show == "markdown":
    for text in texts["hostile"].values():
        st.markdown(rich(text))
        st.markdown(escape.plain(text))
elif show == "rich":
    for name, draw in RICH.items():
        for index, text in enumerate(texts["hostile"].values()):
            if index % 3 == len(name) % 3:
                draw(text, f"{name}-{index}")
elif show == "labels":
    every = list(texts["hostile"].values())
    for index, text in enumerate(every):
        st.button(escape.label(text, 400), key=f"one-{index}")
    for name, draw in LABELS.items():
        for start in range(0, len(every), 27):
            draw(escape.label(" ".join(every[start : start + 27]), 8000), f"{name}-{start}")
    st.table({escape.column_names([text])[0] + str(i): [cell(text)] for i, text in enumerate(every[:40])})
    st.markdown("\\n\\n".join(escape.link(text, f"{texts['address']}/source-{i}") for i, text in enumerate(every)))
elif show == "mixtures":
    for text in texts["mixtures"]:
        st.markdown(rich(text))
elif show == "charts":
    for spec in texts["charts"]:
        if escape.chart_ok(spec):
            st.vega_lite_chart(spec)
        else:
            st.text("refused")
elif show == "raw-charts":
    for spec in texts["charts"]:
        st.vega_lite_chart(spec)
st.text("the end")
"""


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    server = Canary()
    yield server
    server.close()


@pytest.fixture
def page(browser: Browser, canary: Canary) -> Iterator[Page]:
    canary.hits.clear()
    with tab(browser) as page:
        page.set_default_timeout(SECONDS)
        yield page


@pytest.fixture(scope="module")
def gallery(canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("gallery")
    (folder / "gallery.py").write_text(textwrap.dedent(GALLERY), encoding="utf-8")
    texts = {
        "address": canary.address,
        "hostile": hostile_texts(canary.address),
        "mixtures": [*mixtures(canary.address, 1, 200), *prefixes(canary.address)],
        "charts": charts(canary.address),
    }
    # A half character cannot be written as UTF-8, but as JSON's escape it can.
    (folder / "texts.json").write_text(json.dumps(texts), encoding="ascii")
    with AppServer(folder, script=folder / "gallery.py", PYTHONPATH=str(ROOT)) as gallery:
        yield gallery.url


def prefixes(address: str) -> Iterator[str]:
    """What stands there while a text streams in: cut at every place of a few, and here and there of the others."""
    for index, (name, text) in enumerate(hostile_texts(address).items()):
        if name in {"image-reference", "code-in-title", "fence-left-list", "image-in-link"}:
            yield from (text[:end] for end in range(1, len(text)))
        else:
            yield text[: len(text) * (index % 7 + 1) // 8]


def settle(page: Page, seconds: float = 40) -> None:
    """Wait until the page has been drawn, and then as long as a picture needs to be asked for.

    What draws an element is loaded when the first of its kind is met; a skeleton stands in its place until then.
    """
    expect(page.get_by_text("the end", exact=True)).to_be_visible(timeout=seconds * 1000)
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_timeout(QUIET_SECONDS * 1000)


def wait_for(page: Page, reached: Callable[[], bool]) -> None:
    end = monotonic() + SECONDS / 1000
    while not reached():
        assert monotonic() < end, "the canary was not asked"
        page.wait_for_timeout(100)


def made(page: Page, within: str = "[data-testid=stMain]") -> list[str]:
    """What the texts were made into, beside words: the starts of its HTML."""
    found = page.locator("body").evaluate(
        """(body, [within, made]) => [...body.querySelectorAll(within)]
             .flatMap(place => [...place.querySelectorAll(made)]).map(part => part.outerHTML.slice(0, 200))""",
        [within, MADE],
    )
    return list(found)


def lying_links(page: Page) -> list[str]:
    """Links whose host is said neither by their text nor behind it, that open in this page, or lead elsewhere."""
    found = page.locator("body").evaluate(
        """body => [...body.querySelectorAll('[data-testid=stMarkdownContainer] a[href]')].filter(link => {
             if (!URL.canParse(link.href)) return true;
             const address = new URL(link.href);
             if (link.getAttribute('href').startsWith('#')) return false;
             if (address.protocol === 'mailto:') return false;
             if (!['http:', 'https:'].includes(address.protocol) || link.target !== '_blank') return true;
             const host = link.getAttribute('href').split('/')[2].split(/[?#]/)[0].replace(/^www[.]/, '');
             if (host.includes('@')) return true;
             return !(new RegExp('^(https?://)?(www[.])?' + RegExp.escape(host), 'i').test(link.textContent)
               || link.nextSibling && link.nextSibling.textContent.startsWith(' (' + host + ')'));
           }).map(link => link.outerHTML.slice(0, 300) + (link.nextSibling ? link.nextSibling.textContent : ''))"""
    )
    return list(found)


def read_every_help(page: Page) -> None:
    """Rest the pointer on each help text until it is shown; a diagram's own buttons hold no text of ours."""
    page.add_style_tag(content="[data-testid=stToastContainer] { display: none }")
    for target in page.locator("[data-testid=stTooltipHoverTarget]:not([data-testid^=stElementToolbar] *)").all():
        rest_on(page, target)
    page.wait_for_timeout(QUIET_SECONDS * 1000)


def rest_on(page: Page, target: Locator) -> None:
    """Rest the pointer on it until its help is shown; what is drawn late moves it from under the pointer."""
    help_text = page.get_by_test_id("stTooltipContent").first
    end = monotonic() + SECONDS / 1000
    rested = False
    while not (rested and help_text.is_visible()) and monotonic() < end:
        rested = True
        page.mouse.move(0, 0)
        expect(help_text).to_be_hidden()
        target.scroll_into_view_if_needed()
        target.hover(force=True)
        page.wait_for_timeout(QUIET_SECONDS * 1000)
    expect(help_text).to_be_visible()


def hover_steps(page: Page) -> None:
    """Pass with the pointer over the steps, and whatever else on the page has something to say."""
    main = page.get_by_role("main")
    for target in [*main.locator("summary").all(), *main.get_by_test_id("stTooltipHoverTarget").all()[:6]]:
        target.hover(force=True)
    page.wait_for_timeout(QUIET_SECONDS * 1000)


def test_uncleaned_texts_do_reach_the_canary(gallery: str, canary: Canary, page: Page) -> None:
    """What makes the other tests able to fail: nearly every place fetches what an uncleaned text names."""
    page.goto(f"{gallery}?show=raw")
    settle(page)
    read_every_help(page)
    wait_for(page, lambda: "/mermaid-image" in canary.hits)
    for place in ("markdown", "caption", "error", "toast", "status", "expander", "button", "table", "column", "help"):
        wait_for(page, lambda place=place: f"/{place}" in canary.hits)
    assert len(set(canary.hits)) >= 40
    assert made(page)


@pytest.mark.parametrize("show", ["markdown", "rich", "labels", "mixtures"])
def test_cleaned_texts_reach_nobody(show: str, gallery: str, canary: Canary, page: Page) -> None:
    page.goto(f"{gallery}?show={show}")
    settle(page)
    if show == "labels":
        read_every_help(page)
        expect(page.locator(".katex")).to_have_count(0)
    assert canary.hits == []
    assert made(page) == []
    assert lying_links(page) == []


def test_charts_that_name_addresses_are_not_drawn(gallery: str, canary: Canary, page: Page) -> None:
    page.goto(f"{gallery}?show=charts")
    settle(page)
    expect(page.get_by_text("refused")).to_have_count(len(charts("")))
    assert canary.hits == []
    page.goto(f"{gallery}?show=raw-charts")
    settle(page)
    wait_for(page, lambda: len({*canary.hits}) >= 3)


# Who the stored conversations belong to: what the browser keeps, and what the store is told of it.
COOKIE = "c" * 32
VISITOR = visitor_of(COOKIE)
# Parts of the app's page that show texts; its own pictures (avatars) stand outside them.
SHOWN = "[data-testid=stMarkdownContainer], [data-testid=stTable], [data-testid=stJson], [data-testid=stCode]"


def fill(store: Store, address: str) -> list[str]:
    """Conversations of hostile runs, two in each; their ids."""
    fields, conversations = Fields(address), []
    for number in range(0, RUNS, 2):
        conversation = store.add_conversation(VISITOR, fields.short())
        first = store.add_run(conversation)
        store.append(first, list(hostile_run(fields, number)))
        store.append(store.add_run(conversation, first), list(hostile_run(fields, number + 1)))
        conversations.append(conversation)
    return conversations


def open_stored(page: Page, app: AppServer, conversation: str) -> Chat:
    """A stored conversation as its owner opens it."""
    page.context.add_cookies([{"name": "glassbox_visitor", "value": app.signed(COOKIE), "url": app.url}])
    chat = Chat(page, f"{app.url}?c={conversation}")
    chat.settle()
    return chat


def open_everything(chat: Chat) -> None:
    """Every step, and in it everything that can be shown."""
    # The last first: what an opened one holds comes after it.
    for step in reversed(chat.steps.all()):
        step.locator("summary").first.click()
        chat.idle()
    chat.settle()
    for shown in chat.page.get_by_role("main").get_by_test_id("stCheckbox").all():
        shown.locator("label").first.click()
        chat.idle()
    chat.settle()


def test_stored_runs_reach_nobody(demo: AppServer, canary: Canary, page: Page) -> None:
    store = Store(demo.database)
    conversations = fill(store, canary.address)
    store.close()
    for conversation in conversations:
        chat = open_stored(page, demo, conversation)
        open_everything(chat)
        assert chat.steps.count() >= 2 * STEPS
        hover_steps(page)
        assert canary.hits == []
        assert made(page, SHOWN) == []
        assert lying_links(page) == []


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_a_hostile_file_reaches_nobody(demo: AppServer, canary: Canary, page: Page) -> None:
    texts = [
        " ".join(text.split()).encode("utf-8", "replace").decode() for text in hostile_texts(canary.address).values()
    ]
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(["amount", "Kind", *texts[:12]])
    writer.writerows(
        [number, texts[number % 5], *(texts[(number + i) % len(texts)] for i in range(12))] for number in range(90)
    )
    name = ":material/home: ![x](data:,x) <img src=x onerror=alert(1)> $x$.csv".replace("/", ":")
    chat = Chat(page, demo.url)
    file = {"name": name, "mimeType": "text/csv", "buffer": written.getvalue().encode()}
    chat.attach(file)
    chat.box.press("Enter")
    row = page.locator(".st-key-tables-row")
    expect(row).to_be_visible(timeout=4 * SECONDS)
    chat.idle()
    reached(page, canary)
    for turn, question in enumerate(("Total amount by Kind, as a bar chart?", "show the first rows"), 1):
        chat.ask(question)
        expect(chat.answers).to_have_count(2 * turn)
        chat.settle()
    open_everything(chat)
    hover_steps(page)
    row.get_by_role("button").first.click()
    reached(page, canary)
    page.keyboard.press("Escape")
    row.get_by_role("link").click()
    expect(page.get_by_role("tab", name="Rows")).to_be_visible()
    chat.idle()
    for part in ("Rows", "Columns", "SQL"):
        page.get_by_role("tab", name=part).click()
        chat.idle()
        reached(page, canary)


def reached(page: Page, canary: Canary) -> None:
    """Fails where a text reached somebody, or was made into anything but words."""
    page.wait_for_timeout(QUIET_SECONDS * 1000)
    assert canary.hits == []
    assert made(page, SHOWN) == []
    assert lying_links(page) == []


def test_a_live_run_reaches_nobody(tmp_path: Path, canary: Canary, page: Page) -> None:
    fields = Fields(canary.address)
    thoughts = [react(" ".join(fields.long().split("\n")), "calculator", "1 + 1") for _ in range(2)]
    replies = [*thoughts, final(fields.long()), fields.short(), final(fields.long())]
    with (
        ModelServer(replies, chunk=40, delay=0.002) as model,
        AppServer(tmp_path, GLASSBOX_BASE_URL=model.endpoint, GLASSBOX_MODEL="m", GLASSBOX_WIRE="react") as app,
    ):
        chat = Chat(page, app.url)
        for turn in (1, 2):
            chat.ask(fields.short() + fields.short())
            expect(chat.answers).to_have_count(2 * turn, timeout=SECONDS)
            chat.settle()
        open_everything(chat)
        page.wait_for_timeout(QUIET_SECONDS * 1000)
        assert len(model.requests) >= 4
        assert canary.hits == []
        assert made(page, SHOWN) == []
        assert lying_links(page) == []


def test_there_are_enough_texts() -> None:
    assert len(TEXTS) >= 120
    assert all("CANARY" in text or "127.0.0.1" in text or name in {"link-here"} for name, text in TEXTS.items())
