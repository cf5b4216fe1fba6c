"""How many follow-ups of a conversation a real model gets right, for each way of telling it what was said before.

    python -m benchmarks.follow_ups ADDRESS MODEL [--way conversation merge both auto] [--wire react native]
                                    [--set open] [--limit N | --sample N --seed 1] [--language en] [--log FILE]

The conversations of ``tests/context/conversations.toml`` are asked turn by turn, each with what the model itself said
before as its history, with the tools ``calculator`` and ``now``, at temperature 0. The ways: ``conversation`` tells all
turns and merges nothing, ``both`` tells them and merges every follow-up, ``merge`` merges and tells nothing else,
``auto`` is an ``Agent`` as it comes. A ``--sample`` is drawn at random, the same for the same seed.

Printed are, for each way and wire, the right follow-ups with Wilson's interval of 95 %, the conversations with nothing
wrong in them, the median seconds of a follow-up to the first token of its first reply (the merging before it included,
and alone), the median seconds to its end, and the tokens sent for a follow-up. ``--log`` adds a line of JSON a
follow-up to FILE.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, median
from threading import Event as Flag
from time import monotonic
from typing import get_args

from agent import Agent, Event, Merged, Replied, Toolbox, connect, fold
from agent.events import WireName
from agent.loop.agent import Before
from agent.runs.conversation import Question, answer
from agent.settings import Limits, MergeChoice
from agent.tools.calculator.calculate import calculator
from agent.tools.now.now_tool import now_tool
from tests.support.told_before import Asked, Conversation, SetName, conversations

WAYS: dict[str, MergeChoice] = {"conversation": "never", "merge": "always", "both": "always", "auto": "auto"}
LIMITS = Limits(steps=6, seconds=240.0)
PARAMETERS = {"temperature": 0, "max_tokens": 300}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A follow-up and what became of it; ``first_token``, ``merging`` and ``seconds`` count from its question."""

    conversation: str
    question: str
    right: bool
    understood: str
    answer: str
    first_token: float
    merging: float
    seconds: float
    calls: int
    sent: int


def outcome(conversation: Conversation, asked: Asked, events: Sequence[Event], seconds: float) -> Outcome:
    view = fold(events)
    merging = sum(event.seconds for event in events if isinstance(event, Merged))
    replies = [event for event in events if isinstance(event, Replied)]
    first = replies[0].first_token if replies else seconds
    right = view.state == "answered" and asked.answered_by(view.answer)
    sent = sum(event.usage.input for event in events if isinstance(event, Replied | Merged))
    told = view.answer or view.failure
    found = (conversation.first, asked.question, right, view.understood, told, merging + first, merging, seconds)
    return Outcome(*found, len(replies), sent)


def talk(agent: Agent, conversation: Conversation, tells: bool) -> Iterator[Outcome]:
    """The outcome of each follow-up of ``conversation``, of which the agent is told where it ``tells``."""
    history = {"0": list(answer(Question(conversation.first), agent, Flag()))}
    for number, asked in enumerate(conversation.then, 1):
        started = monotonic()
        before = Before(dict(history), out=frozenset() if tells else frozenset(history))
        history[str(number)] = events = list(answer(Question(asked.question, before), agent, Flag()))
        yield outcome(conversation, asked, events, monotonic() - started)


def measured(agent: Agent, way: str, chosen: Sequence[Conversation], log: Path | None) -> list[list[Outcome]]:
    """The outcomes of each conversation, told as they come."""
    found: list[list[Outcome]] = []
    for conversation in chosen:
        found.append([])
        print(f"  {conversation.first}", flush=True)
        for each in talk(agent, conversation, way != "merge"):
            found[-1].append(each)
            understood = f"  [{each.understood}]" if each.understood else ""
            print(
                f"    {'✓' if each.right else '✗'} {each.question}{understood}  → {' '.join(each.answer.split())[:100]}"
            )
            if log:
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"way": way, "wire": agent.wire, **asdict(each)}, ensure_ascii=False) + "\n")
    return found


def wilson(right: int, of: int) -> tuple[float, float]:
    """The interval in which the true share lies, 95 times of 100 (Wilson's score interval)."""
    share, spread = right / of, 1.96**2 / of
    half = 1.96 * sqrt(share * (1 - share) / of + spread / (4 * of))
    return (share + spread / 2 - half) / (1 + spread), (share + spread / 2 + half) / (1 + spread)


def row(label: str, found: Sequence[Sequence[Outcome]]) -> str:
    each = [outcome for conversation in found for outcome in conversation]
    right, whole = sum(one.right for one in each), sum(all(one.right for one in turns) for turns in found)
    low, high = wilson(right, len(each))
    return (
        f"{label:22}{right:5} of {len(each):3} {right / len(each):6.0%} ({low:3.0%}–{high:3.0%})"
        f"{whole:8} of {len(found):2}"
        f"{median(one.first_token for one in each):10.1f}{median(one.merging for one in each):9.1f}"
        f"{median(one.seconds for one in each):9.1f}{mean(one.calls for one in each):8.1f}"
        f"{mean(one.sent for one in each):8.0f}"
    )


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("model")
    parser.add_argument("--way", nargs="+", choices=WAYS, default=["conversation", "merge", "both"])
    parser.add_argument("--wire", nargs="+", choices=get_args(WireName), default=["react", "native"])
    parser.add_argument("--set", choices=get_args(SetName), default="open")
    parser.add_argument("--language", help="only conversations in this one")
    parser.add_argument("--limit", type=int, help="only the first so many conversations")
    parser.add_argument("--sample", type=int, help="so many conversations, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path)
    return parser.parse_args()


def main() -> None:
    given = options()
    fitting = (each for each in conversations() if each.set == given.set and given.language in (None, each.language))
    chosen = list(islice(fitting, given.limit))
    if given.sample:
        chosen = Random(given.seed).sample(chosen, given.sample)
    model, tools = connect(given.address, given.model), Toolbox([calculator, now_tool()])
    rows: list[str] = []
    for wire in given.wire:
        for way in given.way:
            label = f"{way}, {wire}"
            print(label)
            agent = Agent(model, tools, wire, limits=LIMITS, parameters=PARAMETERS, merge=WAYS[way])
            rows.append(row(label, measured(agent, way, chosen, given.log)))
    print(f"\n{len(chosen)} conversations of the {given.set} set, {given.model}")
    heads = {
        "right follow-ups": 19,
        "95 %": 11,
        "all right": 14,
        "1st token": 10,
        "merging": 9,
        "s": 9,
        "calls": 8,
        "sent": 8,
    }
    print(" " * 22 + "".join(f"{head:>{width}}" for head, width in heads.items()))
    print("\n".join(rows))


if __name__ == "__main__":
    main()
