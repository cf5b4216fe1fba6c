"""What a long conversation and a long list of them cost: one of 20 turns against 300 and 1,000.

    python -m benchmarks.long_chats [--rounds 15] [--starts 3] [-- --global.minCachedMessageSize=10000]

Every turn has three steps of about 2 KB, and tells those before it as in a window of 128,000 tokens: the latest in
full, the older ones by less. A websocket client opens each conversation on a real server (a load), clicks a thumb of
the last answer, opens a step and asks for earlier turns. Printed are the server's time for the script run and the bytes
sent, the median of the rounds; the sizes take turns, so that what disturbs one disturbs all. The target is 1.2 times
the figures of 20 turns; with earlier turns, 26 are drawn where there are so many. The second table is the sidebar, with
20 and 1,000 conversations of one turn; its target is twice the figures of 20.

The third table is a question: the time from sending it to the arrival of the first request at a model's server, which
answers at once. A ``first question`` is that of a chat in an app that was just started (``--starts`` times) and has
answered one question elsewhere, after somebody has read the page for some seconds. The target is 50 ms more than in a
new chat.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import monotonic, time
from typing import Any

from agent.events import Answered, Asked, Event, MadeRoom, Observed, Prepared, Replied, Source, ToolCalled
from agent.messages import EarlierTurn, Told, Usage
from agent.store.runs import Store
from benchmarks.scripted_server import Server
from benchmarks.streamlit_server import serve
from benchmarks.websocket import Drawn, Page, chosen, opened, pressed, typed, unfolded

TURNS = (20, 300, 1_000)
CHATS = (20, 1_000)
TARGETS = {"turns": 1.2, "chats": 2.0}
MOST_LATER = 0.050
STEPS = 3
ROOM_EVERY = 16  # turns, in a window of 128,000 tokens
READING_SECONDS = 5.0
QUESTIONS = 6  # that are asked in each chat after a start
WINDOW = 128_000
# How old a turn is up to which it is told so, and in about how many tokens.
_TOLD: tuple[tuple[int, Told, int], ...] = (
    (15, "full", 2_000),
    (60, "shortened", 700),
    (150, "answer", 170),
    (350, "question", 20),
    (sys.maxsize, "recall", 0),
)
_PIECE = "The sea was calm at the pier and the air at the station rose to 54 °F by noon, as on the day before. "


class Model(Server):
    """A model's server that answers at once and counts four characters a token; ``asked`` has when it was asked."""

    def __init__(self) -> None:
        super().__init__(steps=0, chunk=4_000)
        self.asked: list[float] = []
        self.tokens = 0

    def answer(self, path: bytes, body: bytes) -> list[bytes]:
        if not path.endswith(b"/completions"):
            return [b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"]
        self.asked.append(monotonic())
        self.tokens = len(body) // 4
        return super().answer(path, body)

    def streamed(self, message: dict[str, Any]) -> list[bytes]:
        head, *told, end, last = super().streamed(message)
        usage = {"prompt_tokens": self.tokens, "completion_tokens": 20}
        line = b"data: " + json.dumps({"choices": [], "usage": usage}).encode() + b"\n\n"
        return [head, *told, b"%x\r\n%b\r\n" % (len(line), line), end, last]


@dataclass(slots=True)
class Figures:
    """The rounds of one size, by what was done."""

    seconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    bytes: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, action: str, drawn: Drawn) -> None:
        self.seconds.setdefault(action, []).append(drawn.seconds)
        self.bytes[action] = drawn.bytes


def visitor(cookie: str) -> str:
    """The id under which the page keeps the conversations of that cookie."""
    return sha256(f"browser {cookie}".encode()).hexdigest()[:32]


def turn(runs: Sequence[str]) -> Iterator[Event]:
    """The events of the turn after ``runs``, of three steps, each with about 2 KB of thought and observation."""
    number, question = len(runs), f"What was the high on day {len(runs)}, and in Celsius?"
    turns, tokens = told(runs)
    yield Asked(question, time())
    yield Prepared(question, "Answer with the tools.", (), "react", "m", "http://m/v1", carried=number)
    if number and number % ROOM_EVERY == 0:
        yield MadeRoom(turns, 96_000, 64_000, 128_000)
    for step in range(STEPS):
        call = f"call-{step}"
        thought = f"I need step {step} of day {number}. " + _PIECE * 3
        yield Replied(f"Thought: {thought}", thought, Usage(900 + tokens, tokens, 90), 1.2, 0.2)
        yield ToolCalled(call, "search", f"high on day {number}", {"query": f"high on day {number}"})
        sources = tuple(Source(index, f"Station {index}", f"https://station.example/{index}") for index in (1, 2))
        yield Observed(call, f"Day {number}. " + _PIECE * 17, 0.4, sources=sources)
    yield Replied("Final Answer: …", "I now know the final answer.", Usage(2000 + tokens, tokens, 120), 1.5, 0.2)
    yield Answered(f"On day {number} the high was **54 °F**, which is 12.2 °C. " + _PIECE * 5, ("And the low?",))


def told(runs: Sequence[str]) -> tuple[tuple[EarlierTurn, ...], int]:
    """How the turn after ``runs`` tells them, and in about how many tokens."""
    turns: list[EarlierTurn] = []
    tokens = 0
    for place, run in enumerate(runs):
        _, how, size = next(each for each in _TOLD if len(runs) - place <= each[0])
        turns.append(EarlierTurn(run, how))
        tokens += size
    return tuple(turns), tokens


def fill(store: Store, owner: str, turns: int) -> str:
    """A new conversation of so many turns; its id."""
    conversation = store.add_conversation(owner, f"A chat of {turns} turns")
    runs: list[str] = []
    for _ in range(turns):
        run = store.add_run(conversation, runs[-1] if runs else "")
        store.append(run, list(turn(runs)))
        runs.append(run)
    return conversation


async def chat(port: int, cookie: str, conversation: str, figures: Figures) -> None:
    """Load a conversation and click about in it, once."""
    async with opened(port, cookie, f"c={conversation}") as page:
        figures.add("load", await page.run())
        thumbs = next(id for key, id in page.widgets.items() if key.startswith("thumbs-"))
        figures.add("click", await page.run(chosen(thumbs, "1")))
        figures.add("open a step", await page.run(unfolded(_last_step(page)), chosen(thumbs, "1")))
        figures.add("earlier turns", await page.run(pressed(page.widget("earlier"))))
        figures.add("click after that", await page.run(chosen(thumbs, "0")))


def _last_step(page: Page) -> str:
    """The last step that called a tool; the one after it only answers."""
    return [id for key, id in page.widgets.items() if key.startswith("step-") and key.endswith(f"-{STEPS}")][-1]


async def first_screen(port: int, cookie: str, figures: Figures) -> None:
    """Load the page beside a list of conversations, click, lengthen the list."""
    async with opened(port, cookie) as page:
        figures.add("load", await page.run())
        figures.add("click", await page.run(pressed(page.widget("new-chat"))))
        figures.add("show more", await page.run(pressed(page.widgets.get("more-chats", page.widget("new-chat")))))


async def measured(port: int, chats: dict[int, tuple[str, str]], lists: dict[int, str], rounds: int) -> None:
    turns = {size: Figures() for size in chats}
    sidebar = {size: Figures() for size in lists}
    for number in range(rounds + 1):
        if number == 1:
            turns, sidebar = {size: Figures() for size in chats}, {size: Figures() for size in lists}
        for size, (cookie, conversation) in chats.items():
            await chat(port, cookie, conversation, turns[size])
        for size, cookie in lists.items():
            await first_screen(port, cookie, sidebar[size])
    report("turns", turns)
    report("chats", sidebar)


async def asked(page: Page, model: Model) -> float:
    """Ask a question; the seconds until the model's server is asked."""
    before, sent = len(model.asked), monotonic()
    await page.run(typed(page.widget("question"), "And on the day after?"))
    return model.asked[before] - sent


async def questions(
    folder: Path, chats: dict[int, tuple[str, str]], starts: int, options: Sequence[str]
) -> dict[int, list[list[float]]]:
    """Of each size of a chat, and of a new one (0), the seconds of its questions after each start of the app."""
    model = Model()
    found: dict[int, list[list[float]]] = {size: [] for size in (0, *chats)}
    async with await asyncio.start_server(model.serve, "127.0.0.1", 0, limit=1 << 24) as listening:
        address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        about = {"GLASSBOX_BASE_URL": address, "GLASSBOX_MODEL": "m", "GLASSBOX_WINDOW": str(WINDOW)}
        for _ in range(starts):
            with serve(folder, *options, **about) as server:
                await _after_a_start(server.port, chats, model, found)
    return found


async def _after_a_start(
    port: int, chats: dict[int, tuple[str, str]], model: Model, found: dict[int, list[list[float]]]
) -> None:
    async with AsyncExitStack() as stack:
        pages: dict[int, Page] = {}
        for size, (cookie, conversation) in {0: ("0" * 32, ""), **chats}.items():
            pages[size] = await stack.enter_async_context(opened(port, cookie, f"c={conversation}"))
            await pages[size].run()
        await asked(pages[0], model)
        await asyncio.sleep(READING_SECONDS)
        for times in found.values():
            times.append([])
        for _ in range(QUESTIONS):
            for size, page in pages.items():
                if not size:
                    await page.run(pressed(page.widget("new-chat")))
                found[size][-1].append(await asked(page, model))


def report_questions(found: dict[int, list[list[float]]]) -> None:
    print(f"\n{'':18}{'turns':>7}{'ms':>9}{'later':>9}   target ≤ {MOST_LATER * 1e3:.0f} ms later than in a new chat")
    new = median(second for times in found[0] for second in times)
    for name, which in (("first question", slice(1)), ("later questions", slice(1, None))):
        for size, starts in found.items():
            took = median(second for times in starts for second in times[which])
            over = "  *" if took - new > MOST_LATER else ""
            print(f"{name:18}{size:7,}{took * 1e3:9.1f}{(took - new) * 1e3:9.1f}{over}")


def report(unit: str, figures: dict[int, Figures]) -> None:
    least, target = figures[min(figures)], TARGETS[unit]
    print(f"\n{'':18}{unit:>7}{'ms':>9}{'KB':>8}{'time':>8}{'bytes':>8}   target ≤ {target:.1f}x of {min(figures)}")
    for action in least.seconds:
        for size, measured in figures.items():
            seconds, sent = median(measured.seconds[action]), measured.bytes[action]
            times = seconds / median(least.seconds[action]), sent / least.bytes[action]
            over = "  *" if max(times) > target else ""
            print(f"{action:18}{size:7,}{seconds * 1e3:9.1f}{sent / 1e3:8.1f}{times[0]:7.2f}x{times[1]:7.2f}x{over}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("options", nargs="*", help="options of Streamlit's, behind --")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/glassbox.db")
        cookies = {size: f"{size:032x}" for size in TURNS}
        chats = {size: (cookie, fill(store, visitor(cookie), size)) for size, cookie in cookies.items()}
        lists = {size: f"{size:031x}f" for size in CHATS}
        for size, cookie in lists.items():
            for _ in range(size):
                fill(store, visitor(cookie), 1)
        store.close()
        with serve(Path(folder), *given.options) as server:
            asyncio.run(measured(server.port, chats, lists, given.rounds))
        report_questions(asyncio.run(questions(Path(folder), chats, given.starts, given.options)))


if __name__ == "__main__":
    main()
