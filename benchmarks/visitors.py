"""Many visitors at once: CPU of the app, lag of the text, bytes and memory of each.

    python -m benchmarks.visitors [--visitors 30] [--seconds 20] [--rounds 3] [-- --runner.fastReruns=false]

A model's server in a process of its own streams words that count to every visitor, 30 a second for 20 seconds, so 600
words and 3 KB; visitors are websocket clients in this process, each with a cookie of its own, who all ask in the same
second. Lag is the time from the model's server sending a word to the visitor's client having received a message that
shows it. It is told for all words, and for those that are not among the first or last three seconds of an answer: there
all visitors ask, and all pages are drawn anew, in the same moment. CPU and memory are those of the app's process.

Settings are compared in turn, each on a fresh server. A round in which ``others``, the CPU of everything that is not
part of this, is more than a few percent says little: the machine has to be quiet. ``first`` is the time from asking to
the first word of the answer, before which the model thinks for a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from uuid import uuid4

from streamlit.proto.Delta_pb2 import Delta

from benchmarks.streamlit_server import StreamlitServer, cpu_of, cpu_of_all, serve
from benchmarks.token_server import WORD, number
from benchmarks.websocket import Page, opened, typed

PACE = 30.0
EDGE = 3.0
TARGET_MEDIAN, TARGET_95 = 0.100, 0.200
SETTINGS = {"as set up": (), "postScriptGC=true": ("--runner.postScriptGC=true",)}
_WORD = re.compile(WORD)


@dataclass(slots=True)
class Figures:
    """One round. ``lags`` in seconds, those of one visitor after another; ``memory`` in MiB a visitor, with the page
    open and after an answer.

    While text streams, in cores: ``cpu`` of the app, ``others`` of what has nothing to do with this benchmark.
    ``whole`` are the CPU seconds of the app from the questions to the last word, ``first`` the seconds that each
    visitor waits for the first.
    """

    tokens: int
    cpu: float
    others: float
    idle_memory: float
    memory: float
    whole: float
    first: list[float]
    lags: list[float] = field(default_factory=list[float])
    bytes: float = 0.0

    def lag(self, part: float, edge: float = 0.0) -> float:
        """The lag that ``part`` of the words do not exceed; without ``edge`` seconds at both ends of every answer."""
        cut = int(edge * PACE)
        kept = sorted(lag for index, lag in enumerate(self.lags) if cut <= index % self.tokens < self.tokens - cut)
        return kept[min(len(kept) - 1, int(len(kept) * part))]


@dataclass(slots=True)
class Visitor:
    """``seen[n]`` is when the word with that number was first received."""

    page: Page
    question: str
    asked: float = 0.0
    seen: list[float] = field(default_factory=list[float])
    bytes: int = 0

    async def ask(self) -> None:
        before, self.asked = self.page.bytes, monotonic()
        await self.page.run(typed(self.page.widget("question"), self.question), saw=self._look)
        self.bytes = self.page.bytes - before

    def _look(self, delta: Delta) -> None:
        body = delta.new_element.markdown.body
        # The newest word stands at the end.
        found = _WORD.findall(body[-16:])
        newest = number(found[-1]) + 1 if found else 0
        self.seen.extend([monotonic()] * (newest - len(self.seen)))


@contextmanager
def model() -> Iterator[tuple[int, int]]:
    """Port and process of a server of words that count."""
    command = [sys.executable, str(Path(__file__).parent / "token_server.py"), str(PACE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process.pid
        finally:
            process.kill()


def sent(port: int) -> dict[str, list[float]]:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/v1/sent")
    return json.loads(connection.getresponse().read())


async def together(server: StreamlitServer, model: int, visitors: int, seconds: int) -> tuple[list[Visitor], Figures]:
    """All visitors open the page, ask, and read to the end. ``model`` is the process of the model's server."""
    async with AsyncExitStack() as stack:
        async with opened(server.port, uuid4().hex) as first:
            # What the first question of a process costs (imports, above all) is told by benchmarks.start.
            await first.run()
            await Visitor(first, "What is first, 10w").ask()
        empty = server.resident
        pages = [await stack.enter_async_context(opened(server.port, uuid4().hex)) for _ in range(visitors)]
        for page in pages:
            await page.run()
        idle = (server.resident - empty) / visitors
        asking = [Visitor(page, f"What is number {index}, {int(seconds * PACE)}w") for index, page in enumerate(pages)]
        used = server.cpu
        tasks = [asyncio.create_task(visitor.ask()) for visitor in asking]
        await asyncio.sleep(3.0)
        before = _used(server, model)
        await asyncio.sleep(seconds - 5.0)
        passed, ours, all_ours, everything = (
            now - then for now, then in zip(_used(server, model), before, strict=True)
        )
        await asyncio.gather(*tasks)
        memory, whole = (server.resident - empty) / visitors, server.cpu - used
    others, first = (everything - all_ours) / passed, [visitor.seen[0] - visitor.asked for visitor in asking]
    return asking, Figures(int(seconds * PACE), ours / passed, others, idle, memory, whole, first)


def _used(server: StreamlitServer, model: int) -> tuple[float, float, float, float]:
    """The time; CPU seconds of the app, of the benchmark with it, of the whole machine."""
    return monotonic(), server.cpu, server.cpu + cpu_of(model) + process_time(), cpu_of_all()


def measured(visitors: int, seconds: int, options: Sequence[str]) -> Figures:
    tokens = int(PACE * seconds)
    with tempfile.TemporaryDirectory() as folder, model() as (port, process):
        address = {"GLASSBOX_BASE_URL": f"http://127.0.0.1:{port}/v1", "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
        address["GLASSBOX_RUNS"] = str(visitors)
        with serve(Path(folder), *options, **address) as server:
            asked, figures = asyncio.run(together(server, process, visitors, seconds))
        times = sent(port)
    for visitor in asked:
        sending = next(times[question] for question in times if visitor.question in question)
        assert len(sending) == len(visitor.seen) == tokens, (visitor.question, len(sending), len(visitor.seen))
        figures.lags += [seen - at for seen, at in zip(visitor.seen, sending, strict=True)]
    figures.bytes = median(visitor.bytes for visitor in asked) / tokens
    return figures


def report(name: str, visitors: int, figures: Figures) -> None:
    lags = [figures.lag(part, edge) * 1e3 for edge in (EDGE, 0.0) for part in (0.5, 0.95, 1.0)]
    first = (figures.whole / visitors, median(figures.first), sorted(figures.first)[int(0.95 * visitors)])
    missed = "  *" if lags[0] > TARGET_MEDIAN * 1e3 or lags[1] > TARGET_95 * 1e3 else ""
    print(
        f"{name:22}{figures.cpu * 100:6.0f} %{figures.cpu / visitors / PACE * 1e3:9.2f}"
        + "".join(f"{lag:8.0f}" for lag in lags)
        + "".join(f"{seconds:8.2f}" for seconds in first)
        + f"{figures.bytes:10.0f}{figures.idle_memory:10.2f}{figures.memory:7.2f}{figures.others * 100:8.0f} %{missed}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=20, help="of text, 10 or more")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("options", nargs="*", help="options of Streamlit's, behind --, instead of the comparison")
    asked = parser.parse_args()
    settings = {" ".join(asked.options): tuple(asked.options)} if asked.options else SETTINGS
    print(
        f"{asked.visitors} visitors, {PACE:.0f} tokens a second each; target: median ≤ 100 ms, 95 % ≤ 200 ms\n"
        f"{'':30}{'CPU s':>9}{'lag ms, streaming':>24}{'lag ms, all':>24}{'CPU s':>8}{'first, s':>16}"
        f"{'KB':>10}{'MiB a visitor':>17}\n"
        f"{'':22}{'CPU':>8}{'/1,000':>9}{'median':>8}{'95 %':>8}{'worst':>8}{'median':>8}{'95 %':>8}{'worst':>8}"
        f"{'asked':>8}{'median':>8}{'95 %':>8}"
        f"{'/1,000':>10}{'open':>10}{'asked':>7}{'others':>10}"
    )
    for _ in range(asked.rounds):
        for name, options in settings.items():
            report(name, asked.visitors, measured(asked.visitors, asked.seconds, options))


if __name__ == "__main__":
    main()
