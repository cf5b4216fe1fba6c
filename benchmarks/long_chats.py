"""What a long conversation and a long list of them cost: one of 20 turns against 300 and 1,000.

    python -m benchmarks.long_chats [--rounds 15] [-- --global.minCachedMessageSize=10000]

Every turn has three steps of about 2 KB. A websocket client opens each conversation on a real server (a load), clicks
a thumb of the last answer, opens a step and asks for earlier turns. Printed are the server's time for the script run
and the bytes sent, the median of the rounds; the sizes take turns, so that what disturbs one disturbs all. The targets
are the figures of 20 turns, twice. The second table is the sidebar, with 20 and 1,000 conversations of one turn.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import time

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, Source, ToolCalled
from agent.messages import Usage
from agent.store.runs import Store
from benchmarks.streamlit_server import serve
from benchmarks.websocket import Drawn, Page, chosen, opened, pressed, unfolded

TURNS = (20, 300, 1_000)
CHATS = (20, 1_000)
TARGET = 2.0
STEPS = 3
_PIECE = "The sea was calm at the pier and the air at the station rose to 54 °F by noon, as on the day before. "


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


def turn(number: int) -> Iterator[Event]:
    """The events of a turn of three steps, each with about 2 KB of thought and observation."""
    yield Asked(f"What was the high on day {number}, and in Celsius?", time())
    yield Prepared(f"What was the high on day {number}?", "Answer with the tools.", (), "react", "m", "http://m/v1")
    for step in range(STEPS):
        call = f"call-{step}"
        thought = f"I need step {step} of day {number}. " + _PIECE * 3
        yield Replied(f"Thought: {thought}", thought, Usage(900, 0, 90), 1.2, 0.2)
        yield ToolCalled(call, "search", f"high on day {number}", {"query": f"high on day {number}"})
        sources = tuple(Source(index, f"Station {index}", f"https://station.example/{index}") for index in (1, 2))
        yield Observed(call, f"Day {number}. " + _PIECE * 17, 0.4, sources=sources)
    yield Replied("Final Answer: …", "I now know the final answer.", Usage(2000, 0, 120), 1.5, 0.2)
    yield Answered(f"On day {number} the high was **54 °F**, which is 12.2 °C. " + _PIECE * 5, ("And the low?",))


def fill(store: Store, owner: str, turns: int) -> str:
    """A new conversation of so many turns; its id."""
    conversation = store.add_conversation(owner, f"A chat of {turns} turns")
    run = ""
    for number in range(turns):
        run = store.add_run(conversation, run)
        store.append(run, list(turn(number)))
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


def report(unit: str, figures: dict[int, Figures]) -> None:
    least = figures[min(figures)]
    print(f"\n{'':18}{unit:>7}{'ms':>9}{'KB':>8}{'time':>8}{'bytes':>8}   target ≤ {TARGET:.0f}x of {min(figures)}")
    for action in least.seconds:
        for size, measured in figures.items():
            seconds, sent = median(measured.seconds[action]), measured.bytes[action]
            times = seconds / median(least.seconds[action]), sent / least.bytes[action]
            over = "  *" if max(times) > TARGET else ""
            print(f"{action:18}{size:7,}{seconds * 1e3:9.1f}{sent / 1e3:8.1f}{times[0]:7.2f}x{times[1]:7.2f}x{over}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("options", nargs="*", help="options of Streamlit's, behind --")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/glassbox.db")
        cookies = {size: f"{size:032x}" for size in TURNS}
        chats = {size: (cookie, fill(store, visitor(cookie), size)) for size, cookie in cookies.items()}
        lists = {size: f"{size:031x}f" for size in CHATS}
        for size, cookie in lists.items():
            for _ in range(size):
                fill(store, visitor(cookie), 1)
        store.close()
        with serve(Path(folder), *asked.options) as server:
            asyncio.run(measured(server.port, chats, lists, asked.rounds))


if __name__ == "__main__":
    main()
