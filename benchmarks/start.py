"""From nothing to a page: cold start of the server to the first paint, against an empty Streamlit app in the same run.

    python -m benchmarks.start [--rounds 5]

Every figure is taken from the moment the server's process is made, each time a new one: until it answers, until a
websocket client has the first screen, until its text can be read in Chromium. The apps take turns; the fastest round
of each counts, for what else goes on can only add to it. The empty app is one ``st.write``. "all imported" is our app
with what it imports on first use (the model's client, and the data libraries that come with Streamlit) imported first.

The second table has the imports by themselves, after Streamlit's own; the third what the first question of a process
costs more than the second: the time until the first word of the model is seen, asked after three seconds of typing.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from uuid import uuid4

from playwright.sync_api import Browser
from streamlit.proto.Delta_pb2 import Delta

from benchmarks.streamlit_server import ROOT, StreamlitServer, serve
from benchmarks.visitors import model
from benchmarks.websocket import Page, opened, typed
from tests.support.browser import chromium

TARGET = 1.5
TYPING_SECONDS = 3.0
EMPTY = 'import streamlit as st\n\nst.write("Nothing to see.")\n'
LATER = "import pandas, agent.models.http_client\n"
MODULES = (
    "agent.errors",
    "agent.events",
    "sqlalchemy",
    "agent.store.runs",
    "agent.runs.conversation",
    "agent.application.setup",
    "pages.ui.frame.frame",
    "pages.ui.session.asking",
    "agent.models.http_client",
    "pandas",
)


@dataclass(frozen=True, slots=True)
class App:
    """``text`` is what its first screen says; ``first`` a line of Python that its process runs before all else."""

    name: str
    script: str
    text: str
    first: str = ""


APPS = (
    App("empty app", EMPTY, "Nothing to see."),
    App("Glassbox", "", "Glassbox answers by reasoning"),
    App("Glassbox, all imported", "", "Glassbox answers by reasoning", LATER),
)


@contextmanager
def started(app: App) -> Iterator[StreamlitServer]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py" if app.script else ROOT / "app.py"
        if app.script:
            script.write_text(app.script, encoding="utf-8")
        site = Path(folder) / "site"
        site.mkdir()
        (site / "sitecustomize.py").write_text(app.first, encoding="utf-8")
        with serve(Path(folder), script=script, PYTHONPATH=f"{site}:{ROOT}") as server:
            yield server


async def first_screen(server: StreamlitServer) -> float:
    """When a websocket client has all of the first screen."""
    async with opened(server.port, uuid4().hex) as page:
        await page.run()
        return monotonic()


def seen(browser: Browser, server: StreamlitServer, app: App) -> float:
    """When the first screen's text can be read in Chromium."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(server.url, wait_until="commit")
    page.wait_for_function("text => document.body?.innerText.includes(text)", arg=app.text, polling="raf")
    at = monotonic()
    context.close()
    return at


def starts(rounds: int) -> None:
    taken: dict[str, list[tuple[float, ...]]] = {app.name: [] for app in APPS}
    painted: dict[str, list[float]] = {app.name: [] for app in APPS}
    for _ in range(rounds):
        for app in APPS:
            with started(app) as server:
                drawn = asyncio.run(first_screen(server)) - server.ready
                taken[app.name].append((server.ready - server.started, drawn, server.resident))
    with chromium() as browser:
        for _ in range(rounds):
            for app in APPS:
                with started(app) as server:
                    painted[app.name].append(seen(browser, server, app) - server.started)
    least = {name: [*(min(column) for column in zip(*taken[name], strict=True)), min(painted[name])] for name in taken}
    empty = least[APPS[0].name][-1]
    print(
        f"{'seconds':26}{'answers':>9}{'+ drawn':>9}{'Chromium':>10}{'over empty':>12}{'MiB':>6}   target ≤ {TARGET} s"
    )
    for name, (ready, drawn, resident, paint) in least.items():
        over = "  *" if paint - empty > TARGET else ""
        print(f"{name:26}{ready:9.2f}{drawn:9.2f}{paint:10.2f}{paint - empty:12.2f}{resident:6.0f}{over}")


def imports(rounds: int) -> None:
    """Milliseconds of each module after those before it."""
    lines = ["import time", "import streamlit", "import streamlit.web.bootstrap", "at = time.perf_counter()"]
    for name in MODULES:
        lines.append(f"import {name}; now = time.perf_counter(); print(now - at); at = now")
    runs: list[list[float]] = []
    for _ in range(rounds):
        done = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, capture_output=True, check=True)
        runs.append([float(line) for line in done.stdout.split()])
    print(f"\n{'import, each after those above it':40}{'ms':>6}")
    for name, times in zip(MODULES, zip(*runs, strict=True), strict=True):
        print(f"{name:40}{min(times) * 1e3:6.0f}")


def first_questions(rounds: int) -> None:
    with model() as (port, _):
        address = {"GLASSBOX_BASE_URL": f"http://127.0.0.1:{port}/v1", "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
        times: list[tuple[float, ...]] = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder, serve(Path(folder), **address) as server:
                times.append(asyncio.run(two_questions(server)))
    print(f"\n{'first word of the model':26}{'seconds':>8}")
    for name, column in zip(("first question", "second question"), zip(*times, strict=True), strict=True):
        print(f"{name:26}{median(column):8.2f}")


async def two_questions(server: StreamlitServer) -> tuple[float, ...]:
    times: list[float] = []
    for _ in range(2):
        async with opened(server.port, uuid4().hex) as page:
            await page.run()
            await asyncio.sleep(TYPING_SECONDS)
            times.append(await first_word(page))
    return tuple(times)


async def first_word(page: Page) -> float:
    asked = monotonic()
    heard: list[float] = []

    def hear(delta: Delta) -> None:
        if delta.new_element.markdown.body.startswith("I look") and not heard:
            heard.append(monotonic() - asked)

    await page.run(typed(page.widget("question"), "How long does it take, 10w"), saw=hear)
    return heard[0]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    starts(rounds)
    imports(rounds)
    first_questions(min(rounds, 3))


if __name__ == "__main__":
    main()
