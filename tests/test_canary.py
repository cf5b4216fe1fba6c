"""A server that nobody may ask: hostile texts in every place of the page, in a real Chromium."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import SECONDS, chromium
from tests.hostile_texts import TEXTS, hostile_texts, mixtures

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parent.parent
# What may never be made of a text: things that fetch, style, run, or are drawn by LaTeX and Mermaid.
MADE = "img, picture, source, iframe, object, embed, video, audio, script, link, svg image, foreignObject, .katex"
QUIET_SECONDS = 0.5

GALLERY = """
import json
import sys
from pathlib import Path

import streamlit as st

from pages.ui import escape

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
elif show == "prefixes":
    for text in texts["prefixes"]:
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


class Canary:
    """A loopback server that notes every request and answers with a picture."""

    _PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

    def __init__(self) -> None:
        canary = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                canary.hits.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(canary._PIXEL)

            do_POST = do_HEAD = do_OPTIONS = do_GET

            def log_message(self, format: str, *args: object) -> None:
                """Quiet: what came is in ``hits``."""

        self.hits: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    server = Canary()
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser, canary: Canary) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    canary.hits.clear()
    page = context.new_page()
    page.set_default_timeout(SECONDS)
    yield page
    context.close()


@pytest.fixture(scope="module")
def gallery(canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("gallery")
    (folder / "gallery.py").write_text(textwrap.dedent(GALLERY), encoding="utf-8")
    texts = {
        "address": canary.address,
        "hostile": hostile_texts(canary.address),
        "mixtures": [text for seed in range(2) for text in mixtures(canary.address, seed, 150)],
        "prefixes": list(prefixes(canary.address)),
        "charts": charts(canary.address),
    }
    # A half character cannot be written as UTF-8, but as JSON's escape it can.
    (folder / "texts.json").write_text(json.dumps(texts), encoding="ascii")
    with streamlit(folder, "gallery.py") as url:
        yield url


@contextmanager
def streamlit(folder: Path, script: str) -> Iterator[str]:
    """A Streamlit server for ``script``; its address."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}"]
    options = ["--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, *options], cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        end = monotonic() + 60
        while not healthy(port):
            assert monotonic() < end and process.poll() is None, (folder / "log").read_text()
            sleep(0.1)
        yield f"http://localhost:{port}/"
    finally:
        process.kill()
        process.wait()


def healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def prefixes(address: str) -> Iterator[str]:
    """What stands there while a text streams in: cut at every place of a few, and here and there of the others."""
    for index, (name, text) in enumerate(hostile_texts(address).items()):
        if name in {"image-reference", "code-in-title", "fence-left-list", "image-in-link"}:
            yield from (text[:end] for end in range(1, len(text)))
        else:
            yield text[: len(text) * (index % 7 + 1) // 8]


def charts(address: str) -> list[dict[str, Any]]:
    """Charts that fetch: data, pictures, links, styles, tooltips, and addresses put together."""
    rows = {"values": [{"a": 1, "b": f"{address}/row", "image": f"{address}/tooltip"}]}
    point = {"x": {"field": "a", "type": "quantitative"}}
    picture = {**point, "url": {"value": f"{address}/mark"}}
    looked = {"data": {"url": f"{address}/lookup.json"}, "key": "a", "fields": ["b"]}
    return [
        {"data": {"url": f"{address}/data.json"}, "mark": "point", "encoding": point},
        {"data": rows, "mark": {"type": "image", "width": 9, "height": 9}, "encoding": picture},
        {"data": rows, "mark": {"type": "image", "url": f"{address}/own"}, "encoding": point},
        {"data": rows, "transform": [{"lookup": "a", "from": looked}], "mark": "bar", "encoding": point},
        {"data": rows, "mark": {"type": "bar", "fill": f"url({address}/fill)"}, "encoding": point},
        {"data": rows, "mark": {"type": "bar", "tooltip": {"content": "data"}}, "encoding": point},
        {"layer": [{"data": {"url": f"{address}/layer.csv"}, "mark": "bar", "encoding": point}]},
        {"data": {"name": "d"}, "datasets": {"d": []}, "usermeta": {"embedOptions": {"config": f"{address}/config"}}},
    ]


def settle(page: Page, seconds: float = 40) -> None:
    """Wait until the page has been drawn, and then as long as a picture needs to be asked for."""
    expect(page.get_by_text("the end", exact=True)).to_be_visible(timeout=seconds * 1000)
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(QUIET_SECONDS * 1000)


def made(page: Page) -> list[str]:
    """What the texts were made into, beside words: the starts of its HTML."""
    found = page.locator("[data-testid=stMain]").evaluate(
        "(main, made) => [...main.querySelectorAll(made)].map(part => part.outerHTML.slice(0, 200))", MADE
    )
    return list(found)


def lying_links(page: Page) -> list[str]:
    """Links whose host is said neither by their text nor behind it, that open in this page, or lead elsewhere."""
    found = page.locator("[data-testid=stMain]").evaluate(
        """main => [...main.querySelectorAll('[data-testid=stMarkdownContainer] a[href]')].filter(link => {
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


def hover_everything(page: Page) -> None:
    """Rest the pointer on whatever has a help text, one after the other, until it is shown."""
    page.add_style_tag(content="[data-testid=stToastContainer] { display: none }")
    for target in page.get_by_test_id("stTooltipHoverTarget").all():
        target.scroll_into_view_if_needed()
        target.hover(force=True)
        expect(page.get_by_test_id("stTooltipContent").first).to_be_visible()


def test_uncleaned_texts_do_reach_the_canary(gallery: str, canary: Canary, page: Page) -> None:
    """What makes the other tests able to fail: nearly every place fetches what an uncleaned text names."""
    page.goto(f"{gallery}?show=raw")
    settle(page)
    hover_everything(page)
    settle(page)
    hit = {path[1:] for path in canary.hits}
    blind = {"plain_text", "text_input", "selectbox", "menu_button", "multiselect"}
    print(sorted(hit), sorted(canary.hits), made(page)[:3])
    for place in ("markdown", "caption", "error", "toast", "status", "expander", "button", "table", "column", "help"):
        assert place in hit, place
    assert len(hit - blind) >= 25
    assert "mermaid-image" in hit
    assert made(page)


@pytest.mark.parametrize("show", ["markdown", "rich", "labels", "mixtures", "prefixes"])
def test_cleaned_texts_reach_nobody(show: str, gallery: str, canary: Canary, page: Page) -> None:
    page.goto(f"{gallery}?show={show}")
    settle(page)
    if show == "labels":
        hover_everything(page)
        page.wait_for_timeout(QUIET_SECONDS * 1000)
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
    assert len({*canary.hits}) >= 3


def test_there_are_enough_texts() -> None:
    assert len(TEXTS) >= 120
    assert all("CANARY" in text or "127.0.0.1" in text or name in {"link-here"} for name, text in TEXTS.items())
