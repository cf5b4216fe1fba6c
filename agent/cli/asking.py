"""What a run waits for, asked of the person at the terminal; where there is none, it goes on without them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from time import monotonic

from agent.cli.terminal import readable, stoppable
from agent.context.turns import History
from agent.errors import ForTheModel
from agent.events import Decided, Event, TextDelta, ToolCalled, Waiting
from agent.interruptions import Decision
from agent.loop.agent import Agent
from agent.runs.conversation import Question, answer, go_on

_NOBODY = "There is nobody at the terminal to allow it."
_DECISIONS: dict[str, Decision] = {"y": "allowed", "a": "always", "e": "edited", "n": "denied"}
_WORDS: dict[Decision, str] = {"allowed": "[y]es", "always": "[a]lways", "edited": "[e]dit", "denied": "[n]o"}


def run_through(question: Question, setup: Agent) -> Iterator[Event]:
    """The events of a run to its end; what it waits for is asked on the standard input. Ctrl-C stops it.

    What is asked goes to the standard error, so that the output stays what it is. Only for the main thread.
    """
    events: list[Event] = []
    story: Callable[[Flag], Iterator[Event]] = partial(answer, question, setup)
    while True:
        for event in stoppable(story, setup.limits):
            if not isinstance(event, TextDelta):
                events.append(event)
            yield event
        waiting = events[-1]
        if not isinstance(waiting, Waiting):
            return
        decided = _decided(waiting, events, setup)
        events.append(decided)
        yield decided
        if decided.decision == "always":
            always = (*setup.policy.always, _call(events, decided.call_id).tool)
            setup = replace(setup, policy=replace(setup.policy, always=always))
        story = _further(list(events), setup, question.before.history)


def _further(events: Sequence[Event], setup: Agent, before: History) -> Callable[[Flag], Iterator[Event]]:
    return lambda cancel: go_on(events, setup, cancel, before)


def _decided(waiting: Waiting, events: Sequence[Event], setup: Agent) -> Decided:
    """What the person says; the end of the input is a no."""
    begun = monotonic()
    question = waiting.kind == "question"
    nobody = Decided(waiting.call_id, "skipped") if question else Decided(waiting.call_id, "denied", _NOBODY)
    if not (sys.stdin and sys.stdin.isatty()):
        return nobody
    try:
        said = _answered(waiting) if question else _approved(waiting, _call(events, waiting.call_id), setup)
    except EOFError:
        return nobody
    return replace(said, seconds=monotonic() - begun)


def _answered(waiting: Waiting) -> Decided:
    _say(*(f"  {number}. {choice}" for number, choice in enumerate(waiting.choices, 1)))
    text = _read("Your answer (Enter alone leaves it to the agent): ")
    picked = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    text = waiting.choices[picked - 1] if 0 < picked <= len(waiting.choices) else text
    return Decided(waiting.call_id, "answered", text) if text else Decided(waiting.call_id, "skipped")


def _approved(waiting: Waiting, call: ToolCalled, setup: Agent) -> Decided:
    offered = ", ".join(words for decision, words in _WORDS.items() if decision in waiting.choices)
    while True:
        decision = _DECISIONS.get(_read(f"May the agent do this? {offered}: ")[:1].lower())
        if decision is None or decision not in waiting.choices:
            continue
        if decision == "denied":
            return Decided(waiting.call_id, decision, _read("Why not? (may be empty): "))
        if decision != "edited":
            return Decided(waiting.call_id, decision)
        try:
            ready = setup.tools.prepare(call.tool, _read("Arguments: "))
        except ForTheModel as problem:
            _say(str(problem))
            continue
        return Decided(waiting.call_id, decision, arguments=ready.arguments)


def _call(events: Sequence[Event], call_id: str) -> ToolCalled:
    return next(event for event in reversed(events) if isinstance(event, ToolCalled) and event.call_id == call_id)


def _say(*lines: str) -> None:
    for line in lines:
        print(readable(line), file=sys.stderr, flush=True)


def _read(prompt: str) -> str:
    """A line of the standard input. Raises ``EOFError`` at its end."""
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()
