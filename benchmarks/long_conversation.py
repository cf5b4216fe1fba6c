"""A conversation of 300 turns within a window of 8,000 tokens, counted by a real model's own tokenizer.

    python -m benchmarks.long_conversation ADDRESS MODEL [--turns 300] [--window 8000] [--wire react native] [--ask]

The replies are a script's; what each call sends is put through the chat template and the tokenizer of llama.cpp's
server at ADDRESS (``/apply-template`` and ``/tokenize``), told as its usage, and refused where it is longer than the
window. Some turns look up long tables, in English, German and Japanese. The third turn tells a fact, the seventh sees
a figure; the last turn recalls both. With ``--ask`` the server's own model answers two more turns, about each.

Printed are, for each wire, the calls, how many were refused, the longest prompt, how often room was made, how full the
window was after it, and whether both were recalled.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Generator, Sequence
from statistics import mean
from threading import Event as Flag
from typing import get_args

import httpx2

from agent import Agent, Answered, Event, Observed, Toolbox, connect, tool
from agent.errors import ModelFailed
from agent.events import MadeRoom, WireName
from agent.loop.agent import Before
from agent.messages import Usage
from agent.models.openai_chat import chat_body, encoded
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.models.window import Window
from agent.runs.conversation import Question, answer
from agent.settings import Limits
from tests.support.stories import calls, final, react

FACT, FIGURE = "Rasputin", "7391"
PLACES = ("Hobart", "Köln am Rhein", "東京都千代田区", "Reykjavík")


@tool
def levels(place: str) -> str:
    """Tells the water levels of a place.

    Args:
        place: The place.
    """
    if place == "Hobart 7":
        return f"Hobart: {FIGURE} mm"
    return "\n".join(
        f"{place} | 2026-11-{day:02} | {day * 37 % 91}.{day % 10} mm | höher als am Vortag" for day in range(1, 31)
    )


class Counted(Scripted):
    """A script whose calls are counted, and refused, as the server at ``address`` would."""

    def __init__(self, replies: Sequence[str | list[Delta]], address: str, window: int, native: bool) -> None:
        super().__init__(replies, takes_tools=native)
        self._server = httpx2.Client(base_url=address.removesuffix("/").removesuffix("/v1"), timeout=120)
        self._window = window
        self.sizes: list[int] = []
        self.refused = 0

    def stream(self, request: Request) -> Generator[Delta]:
        size = self._size(request)
        if size > self._window:
            self.refused += 1
            raise ModelFailed("The prompt is too long.", "context", most=self._window)
        self.sizes.append(size)
        yield from super().stream(request)
        yield Delta(usage=Usage(size, 0, 20))

    def _size(self, request: Request) -> int:
        prompt = (
            self._server.post("/apply-template", content=encoded(chat_body("m", request)))
            .raise_for_status()
            .json()["prompt"]
        )
        told = {"content": prompt, "parse_special": True}
        return len(self._server.post("/tokenize", json=told).raise_for_status().json()["tokens"])


def script(number: int, turns: int, wire: WireName) -> list[str | list[Delta]]:
    """The replies of a turn."""
    looked: list[tuple[str, dict[str, str]]] = []
    if number == turns:
        looked = [("recall", {"what": "dog called"}), ("recall", {"what": "7.1"})]
    elif number == 7 or number % 3 == 0:
        looked = [("levels", {"place": "Hobart 7" if number == 7 else f"{PLACES[number % 4]} {number}"})]
    said = f"It is so, as far as question {number} goes. " * 3
    if wire == "native":
        return [*(calls((f"c{number}-{n}", name, json.dumps(it))) for n, (name, it) in enumerate(looked)), said]
    return [*(react("I look it up.", name, json.dumps(it)) for name, it in looked), final(said)]


def asked(number: int) -> str:
    if number == 3:
        return f"My dog is called {FACT}. How high is the water?"
    return f"Question {number}: what about {PLACES[number % 4]}, and is it more than before?"


def measured(given: argparse.Namespace, wire: WireName) -> str:
    runs: dict[str, Sequence[Event]] = {}
    sizes: list[int] = []
    rooms: list[MadeRoom] = []
    refused = 0
    for number in range(1, given.turns + 1):
        model = Counted(script(number, given.turns, wire), given.address, given.window, wire == "native")
        agent = Agent(model, Toolbox([levels]), wire, window=Window(given.window, "setting"))
        events = list(answer(Question(asked(number), Before(dict(runs))), agent, Flag()))
        assert isinstance(events[-1], Answered), events[-1]
        runs[str(number)] = events
        sizes += model.sizes
        refused += model.refused
        rooms += [event for event in events if isinstance(event, MadeRoom)]
    seen = [event.text for event in runs[str(given.turns)] if isinstance(event, Observed)]
    missed = [what for what, text in zip((FACT, FIGURE), seen, strict=True) if what not in text]
    found = f"missed {', '.join(missed)}" if missed else "both recalled"
    after = mean(room.after for room in rooms) / given.window if rooms else 0.0
    line = f"{wire:8}{len(sizes):7}{refused:9}{max(sizes):9}{len(rooms):7}{after:8.0%}   {found}"
    return line + (really_asked(given, wire, runs) if given.ask else "")


def really_asked(given: argparse.Namespace, wire: WireName, runs: dict[str, Sequence[Event]]) -> str:
    """What the model itself answers."""
    told: list[str] = []
    for question in ("What is my dog called? Use recall.", "How many mm was Hobart 7 in question 7? Use recall."):
        limits = Limits(steps=6, seconds=1_800.0)
        parameters = {"temperature": 0, "max_tokens": 200}
        window = Window(given.window, "setting")
        model = connect(given.address, given.model)
        agent = Agent(model, Toolbox([levels]), wire, limits=limits, parameters=parameters, window=window)
        *_, last = answer(Question(question, Before(dict(runs))), agent, Flag())
        told.append(last.text if isinstance(last, Answered) else str(last))
    return "".join(f"\n        {' '.join(text.split())[:150]}" for text in told)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("model")
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--window", type=int, default=8_000)
    parser.add_argument("--wire", nargs="+", choices=get_args(WireName), default=["react", "native"])
    parser.add_argument("--ask", action="store_true")
    given = parser.parse_args()
    print(f"{given.turns} turns in {given.window:,} tokens, by the tokenizer of {given.model}")
    print("wire      calls  refused  longest  rooms   after")
    for wire in given.wire:
        print(measured(given, wire), flush=True)


if __name__ == "__main__":
    main()
