"""How whole runs of a real small model end, beside those of a loop of fifteen lines: right or wrong, steps, tokens.

    python -m benchmarks.small_models ADDRESS MODEL [--how react native auto loop] [--set open] [--times 1]
                                      [--tools usual] [--temperature 0] [--window 8192] [--most 2048] [--log FILE]
                                      [--prompt auto]

The questions of ``small_models.toml`` are asked with all usual tools, or with those of the loop (``--tools few``).
``auto`` finds the wire out by itself, and keeps what it learned for the next question. ``loop`` is the loop, with the
calculator and the clock. What is looked up is found on a loopback server, which has the same two pages for every
search. Tokens are all that were sent and written, by the server's count; ``fresh`` ones are those that it had not kept
from an earlier prompt. ``--log`` adds a line of JSON a run to FILE.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Literal, cast, get_args

from pydantic import JsonValue

from agent import Agent, Event, Replied, Scripted, Toolbox, ToolCalled, connect, fold
from agent import ask as ask_agent
from agent.messages import Message
from agent.models.model_size import is_small
from agent.models.protocol import Model, Request
from agent.models.window import Window
from agent.settings import Limits, WireChoice, read_settings
from agent.tools.calculator.calculate import calculator
from agent.tools.catalogue import toolbox
from agent.tools.now.now_tool import now_tool
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.servers.search_server import SearchServer, wikipedia_pages

How = Literal["react", "native", "auto", "loop"]
HOWS = get_args(How)
QUESTIONS = Path(__file__).with_suffix(".toml")
LIMITS = Limits(steps=10, seconds=900.0)
PAGES = wikipedia_pages(
    (
        "Eiffel Tower",
        "The Eiffel Tower is a lattice tower in Paris, France. Built from 1887 to 1889, it is 330 metres tall, about "
        "the same height as an 81-storey building, and the tallest structure in Paris.",
    ),
    (
        "Suez Canal",
        "The Suez Canal is an artificial waterway in Egypt, 193 km long. Construction began on 25 April 1859, "
        "and the canal was officially opened on 17 November 1869.",
    ),
)
LOOP = """Answer the question. Tools: calculator (a sum, such as 2*3), now (the date of today, no input). Write

Thought: why
Action: the tool
Action Input: its input

and stop. You are then told "Observation: ...". When you know the answer, write "Final Answer: ..."."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended: ``state`` is ``right``, ``wrong`` or ``none`` for no answer; ``replies`` are as they came."""

    question: str
    state: str
    steps: int
    tokens: int
    fresh: int
    seconds: float
    calls: tuple[str, ...]
    answer: str
    replies: tuple[str, ...]


class Searches(SearchServer):
    def find(self, query: str, serpapi: bool, key: str) -> Any:
        return PAGES


def judged(asked: dict[str, Any], answer: str) -> str:
    """Whether an answer has all that a right one has."""
    today = date.today()
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", answer)
    told = {
        "${weekday}": f"{today:%A}",
        "${date}": rf"{today.isoformat()}|{today:%B} {today.day}|{today.day}(?:th)? {today:%B}",
        "${tomorrow}": f"{today + timedelta(1):%A}",
    }
    patterns = [re.sub(r"\$\{\w+\}", lambda found: told[found[0]], each) for each in asked["right"]]
    return "right" if all(re.search(each, plain, re.I) for each in patterns) else "wrong" if answer else "none"


def by_agent(agent: Agent, asked: dict[str, Any], before: Sequence[Sequence[Event]]) -> Run:
    """A run of ours; its tokens are those of all its replies, ``fresh`` those that the server had to read or write."""
    started = monotonic()
    events = list(ask_agent(agent, asked["ask"], before))
    view = fold(events)
    replies = [event for event in events if isinstance(event, Replied)]
    calls = tuple(f"{event.tool}({event.input})" for event in events if isinstance(event, ToolCalled))
    answer = view.answer if view.state == "answered" else ""
    tokens = sum(each.usage.input + each.usage.output for each in replies)
    fresh = tokens - sum(each.usage.cached for each in replies)
    told = answer or str(view.failure)
    state = judged(asked, answer)
    texts = tuple(each.text + each.cut for each in replies)
    return Run(asked["ask"], state, len(replies), tokens, fresh, monotonic() - started, calls, told, texts)


def by_loop(model: Model, asked: dict[str, Any], parameters: dict[str, JsonValue]) -> Run:
    """A run of the loop of fifteen lines, and the counting around it."""
    started, steps, tokens, fresh, answer = monotonic(), 0, 0, 0, ""
    calls: list[str] = []
    told = [Message("system", LOOP)]
    if "first" in asked:
        told += [Message("user", asked["first"]), Message("assistant", f"Final Answer: {asked['answered']}")]
    told.append(Message("user", asked["ask"]))
    while steps < LIMITS.steps and not answer:
        deltas = list(model.stream(Request(tuple(told), stop=("\nObservation:",), parameters=parameters)))
        reply, steps = "".join(delta.text for delta in deltas), steps + 1
        for usage in (delta.usage for delta in deltas if delta.usage):
            tokens, fresh = tokens + usage.input + usage.output, fresh + usage.input + usage.output - usage.cached
        told.append(Message("assistant", reply))
        if found := re.search(r"Final Answer:\s*(.*)", reply, re.S):
            answer = found[1]
        elif found := re.search(r"Action:\s*(\w+)\s*\n\s*Action Input:\s*(.*)", reply):
            calls.append(f"{found[1]}({found[2]})")
            told.append(Message("user", f"Observation: {_observed(found[1], found[2])}"))
        else:
            told.append(Message("user", "Write an Action with an Action Input, or a Final Answer."))
    said = tuple(message.content for message in told if message.role == "assistant")
    spent = (steps, tokens, fresh, monotonic() - started)
    return Run(asked["ask"], judged(asked, answer), *spent, tuple(calls), answer, said)


def _observed(name: str, given: str) -> str:
    """What comes of a call in the loop, failures included."""
    if name == "now":
        return f"{date.today():%A}, {date.today().isoformat()}"
    try:
        found = calculator.call({"expression": given})
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is told to the model
        return str(error)
    return found if isinstance(found, str) else found.text


def _told_before(agent: Agent, asked: dict[str, Any]) -> list[Event]:
    """The run that was before, with the same answer for everybody."""
    said = (
        asked["answered"] if agent.wires[0] == "native" else f"Thought: I know it.\nFinal Answer: {asked['answered']}"
    )
    return list(ask_agent(replace(agent, model=Scripted([said], takes_tools=True)), asked["first"]))


def runs(how: How, given: argparse.Namespace, questions: Sequence[dict[str, Any]], wikipedia: str) -> Iterator[Run]:
    parameters: dict[str, JsonValue] = {"max_tokens": given.most}
    if given.temperature is not None:
        parameters["temperature"] = given.temperature
    model = connect(given.address, given.model)
    settings = replace(read_settings({}), wikipedia_url=wikipedia)
    usual = toolbox(Parts(settings, SearchCache()))
    tools = usual if given.tools == "usual" else Toolbox([calculator, now_tool()])
    wire = "react" if how == "loop" else cast(WireChoice, how)
    window = Window(given.window, "setting")
    manner: dict[str, Any] = {"window": window, "prompt": given.prompt, "small": is_small({}, given.model)}
    agent = Agent(model, tools, wire, limits=LIMITS, parameters=parameters, **manner)
    for asked in questions:
        before = [_told_before(agent, asked)] if "first" in asked else []
        for _ in range(given.times):
            yield by_loop(model, asked, parameters) if how == "loop" else by_agent(agent, asked, before)


def main(arguments: Sequence[str] | None = None) -> None:
    told = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    told.add_argument("address")
    told.add_argument("model")
    told.add_argument("--how", nargs="+", choices=HOWS, default=["react", "native", "loop"])
    told.add_argument("--set", choices=("open", "unseen"), default="open")
    told.add_argument("--kind", nargs="+", choices=("sum", "date", "lookup"), default=["sum", "date", "lookup"])
    told.add_argument("--times", type=int, default=1)
    told.add_argument("--tools", choices=("usual", "few"), default="usual")
    told.add_argument("--temperature", type=float, help="the server's own where it is left out", default=None)
    told.add_argument("--window", type=int, default=8192)
    told.add_argument("--most", type=int, default=2048, help="tokens of a reply")
    told.add_argument("--prompt", choices=("auto", "full", "short"), default="auto")
    told.add_argument("--log", type=Path)
    given = told.parse_args(arguments)
    asked = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["question"]
    with Searches() as searches:
        for how in given.how:
            can = [each for each in asked if how != "loop" or each["kind"] != "lookup"]
            chosen = [each for each in can if each["set"] == given.set and each["kind"] in given.kind]
            found: list[Run] = []
            for run in runs(how, given, chosen, searches.wikipedia_url):
                found.append(run)
                print(_line(how, run), flush=True)
                if given.log:
                    _note(given.log, {"model": given.model, "how": how, "temperature": given.temperature}, run)
            right, tokens = sum(run.state == "right" for run in found), median(run.tokens for run in found)
            print(f"{given.model} {how}: {right} of {len(found)} right, median {tokens:.0f} tokens", flush=True)


def _line(how: str, run: Run) -> str:
    mark = {"right": "✓", "wrong": "✗", "none": "–"}[run.state]
    answer = " ".join(run.answer.split())[:120]
    spent = f"{run.steps} steps, {run.tokens:,} tokens ({run.fresh:,} fresh), {run.seconds:.0f} s"
    return f"{how:6} {mark} {run.question}: {spent}; {' '.join(run.calls)[:160]} → {answer}"


def _note(log: Path, about: dict[str, Any], run: Run) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(about | asdict(run), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
