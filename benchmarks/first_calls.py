"""How often the first reply of a real model is the right tool call, with the prompt that a run would send.

    python -m benchmarks.first_calls ADDRESS MODEL [--wire react native] [--set open] [--kind sum other]
                                     [--temperature 0] [--times 1] [--window 8192] [--log FILE]
                                     [--template FILE] [--prompt auto]

Each question of ``first_calls.toml`` is sent once (or so many ``--times``) with all usual tools, and the reply is read
as the loop reads it. Right is a call of one of the question's tools whose arguments are valid; of a sum is also counted
whether the call gives the figure. Printed are these counts for each wire and kind, and the tokens of the prompt of the
first question, by the server's count. ``--log`` adds a line of JSON a reply to FILE. No tool but the calculator is
called, and nothing is searched. ``--template`` is a text in place of the usual instructions of the wire.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.errors import ForTheModel
from agent.events import Prepared, WireName
from agent.loop.agent import Agent, prepare
from agent.models.capabilities import Capabilities
from agent.models.model_size import is_small
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Patience
from agent.models.window import Window
from agent.settings import Limits, read_settings
from agent.toolkit.base import Toolbox
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.wire.native import NativeReader
from agent.wire.outcomes import Action, Calls
from agent.wire.prompt import request
from agent.wire.react_stream import ReactStream

QUESTIONS = Path(__file__).with_suffix(".toml")
MOST_TOKENS = 150  # of a reply
PATIENCE = Patience(silence=900.0)


@dataclass(frozen=True, slots=True)
class First:
    """What the first reply to a question was read as; ``prompt`` are its tokens, by the server's count."""

    question: str
    right: bool
    figure: bool
    reply: str
    prompt: int


def first_call(agent: Agent, asked: dict[str, Any], wire: WireName) -> First:
    """Asks the model once. The reply is let go at the end of its first call."""
    prepared: Prepared = prepare(agent, asked["ask"], wire, Limits())[0]
    reader = NativeReader(prepared.tools) if wire == "native" else ReactStream(agent.tools.schemas())
    said: list[str] = []
    prompt = 0
    with closing(agent.model.stream(request([prepared]))) as deltas:
        for delta in deltas:
            said += [delta.reasoning, delta.text, *(f"{call.name} {call.arguments}" for call in delta.calls)]
            prompt = delta.usage.input if delta.usage else prompt
            reader.feed(delta)
            if reader.done:
                break
    outcome = reader.close()
    actions = outcome.actions if isinstance(outcome, Action | Calls) else ()
    right, figure = _judged(agent.tools, actions[0], asked) if actions else (False, False)
    return First(asked["ask"], right, figure, "".join(said), prompt)


def _judged(tools: Toolbox, action: Action, asked: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the call is right, and whether it gives the figure that the question asks for."""
    try:
        ready = tools.prepare(action.tool, action.input)
    except ForTheModel:
        return False, False
    right = ready.tool.name in asked["tools"]
    try:
        found = ready.tool.call(ready.arguments).text if right and "gives" in asked else ""
    except ForTheModel:
        found = ""
    return right, bool(found) and asked["gives"] in found.replace(",", "")


def main(arguments: Sequence[str] | None = None) -> None:
    told = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    told.add_argument("address")
    told.add_argument("model")
    told.add_argument("--wire", nargs="+", choices=("react", "native"), default=["react", "native"])
    told.add_argument("--set", choices=("open", "unseen", "later", "more", "sealed", "fresh"), default="open")
    told.add_argument("--kind", nargs="+", choices=("sum", "other"), default=["sum", "other"])
    told.add_argument("--temperature", type=float, help="the server's own where it is left out", default=None)
    told.add_argument("--times", type=int, choices=(1, 2, 3), default=1)
    told.add_argument("--window", type=int, default=8192)
    told.add_argument("--prompt", choices=("auto", "full", "short"), default="auto")
    told.add_argument("--log", type=Path)
    told.add_argument("--template", type=Path)
    chosen = told.parse_args(arguments)
    questions = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["question"]
    parameters = {"temperature": chosen.temperature, "max_tokens": MOST_TOKENS}
    model = OpenAIChat(chosen.address, chosen.model, Capabilities(), patience=PATIENCE)
    tools = toolbox(Parts(read_settings({}), SearchCache()))
    own = {name: chosen.template.read_text(encoding="utf-8") for name in chosen.wire if chosen.template}
    agent = Agent(
        model=model,
        tools=tools,
        parameters=parameters,
        window=Window(chosen.window, "setting"),
        prompts=own,
        prompt=chosen.prompt,
        small=is_small({}, chosen.model),
    )
    for wire in chosen.wire:
        for kind in chosen.kind:
            asked = [each for each in questions if (each["set"], each["kind"]) == (chosen.set, kind)]
            found: list[First] = []
            for each in (each for each in asked for _ in range(chosen.times)):
                found.append(first_call(agent, each, wire))
                if chosen.log:
                    about = {"model": chosen.model, "wire": wire, "temperature": chosen.temperature}
                    _note(chosen.log, found[-1:], about)
            prompt = next((each.prompt for each in found if each.prompt), 0)
            right, figures = sum(each.right for each in found), sum(each.figure for each in found)
            figure = f" ({figures} with the figure)" if kind == "sum" else ""
            print(f"{chosen.model} {wire} {kind}: {right} of {len(found)}{figure}; {prompt} tokens", flush=True)
            for each in found:
                if not each.right:
                    print(f"    {each.question} -> {each.reply[:200]!r}", flush=True)


def _note(log: Path, found: Sequence[First], about: dict[str, Any]) -> None:
    with log.open("a", encoding="utf-8") as file:
        for each in found:
            fields = {name: getattr(each, name) for name in First.__slots__}
            file.write(json.dumps(about | fields, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
