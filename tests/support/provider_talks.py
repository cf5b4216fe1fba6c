"""What a person does with a model, told to every strict server: tools, turns, a stop, a changed step, a picture.

``python -m tests.support.provider_talks`` prints a table: the servers, and what of it runs on which wire.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

from PIL import Image

from agent.events import Answered, Event, Failed, Observed, ToolCalled
from agent.loop.agent import Agent, Before
from agent.messages import Artifact
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.runs.conversation import Question, answer
from agent.runs.rewind import before, resumed, with_action, with_observation
from agent.settings import ApiChoice, WireChoice
from agent.toolkit.base import Toolbox, artifact
from tests.support.servers.model_server import ModelServer
from tests.support.servers.strict_providers import PROVIDERS, Provider, pictures, text_step, tide
from tests.support.servers.strict_responses import StrictResponses

ASKED = "How high are the tides?"
RESPONSES = "OpenAIResponses"
MAKES = (*PROVIDERS, RESPONSES)
WIRES: tuple[WireChoice, ...] = ("native", "react")


@dataclass
class Talk:
    """Asks one server, and keeps what was asked before."""

    provider: Provider | StrictResponses
    server: ModelServer
    wire: WireChoice = "native"
    api: ApiChoice = "auto"
    capabilities: Capabilities = field(default_factory=Capabilities)
    runs: dict[str, Sequence[Event]] = field(default_factory=dict[str, Sequence[Event]])

    def ask(self, question: str, model: str = "m", **how: Any) -> Sequence[Event]:
        client = OpenAIChat(self.server.endpoint, model, self.capabilities, api=self.api)
        asked = Question(question, Before(dict(self.runs)), **how)
        told = answer(asked, Agent(client, Toolbox([tide]), self.wire), Flag())
        events = [event for event in told if event.type != "TextDelta"]
        self.runs[str(len(self.runs))] = events
        return events

    @property
    def learned(self) -> frozenset[str]:
        return self.capabilities.refused(self.server.endpoint, "m")


@contextmanager
def talk_with(make: str, wire: WireChoice = "native", parallel: bool = False) -> Iterator[Talk]:
    """A talk with the server of a maker, none of which has said a thing yet."""
    if make == RESPONSES:
        responses = StrictResponses(parallel, write=lambda body: text_step(_since_asked(body["input"]), parallel))
        with ModelServer(responses.chat, native={"/v1/responses": responses}) as server:
            yield Talk(responses, server, wire, "responses")
    else:
        provider = PROVIDERS[make](parallel)
        with ModelServer(provider) as server:
            yield Talk(provider, server, wire)


def _since_asked(items: Sequence[Mapping[str, Any]]) -> str:
    texts = [item["content"] if isinstance(item["content"], str) else item["content"][0]["text"] for item in items]
    said = [
        number
        for number, (item, text) in enumerate(zip(items, texts, strict=True))
        if item["role"] == "user" and "Observation" not in text
    ]
    return "\n".join(texts[said[-1] + 1 :])


def dot() -> Artifact:
    file = io.BytesIO()
    Image.new("RGB", (9, 7), "red").save(file, "PNG")
    return artifact("image", "dot.png", file.getvalue())


PICTURE = dot()


def assert_answered(events: Sequence[Event]) -> None:
    assert isinstance(events[-1], Answered), events[-1]
    assert events[-1].text == "The tides are 6 m and 4 m.", events[-1]
    observed = [event.text for event in events if isinstance(event, Observed)]
    assert len(observed) == 2 and "Hobart: 6 m" in observed[0] and "Oslo: 4 m" in observed[1], observed


def one_tool(talk: Talk) -> None:
    assert_answered(talk.ask(ASKED))


def follow_up_turn(talk: Talk) -> None:
    one_tool(talk)
    assert_answered(talk.ask("And once more?"))
    assert_answered(talk.ask("And again?"))


def going_on_after_a_stop(talk: Talk) -> None:
    """Stopped with the result of the first call; a new question is asked, and the stopped one is gone on with."""
    whole = talk.ask(ASKED)
    first = next(place for place, event in enumerate(whole) if isinstance(event, Observed))
    stopped = [*whole[: first + 1], Failed("cancelled", "Stopped.")]
    talk.runs = {"0": stopped}
    assert_answered(talk.ask("And once more?"))
    talk.runs.clear()
    events = talk.ask(ASKED, so_far=resumed(stopped))
    assert isinstance(events[-1], Answered), events[-1]


def changed_step(talk: Talk) -> None:
    first = talk.ask(ASKED)
    so_far, action = with_action(first, 1, "I look elsewhere.", "tide", '{"place": "Ushant"}')
    called = next(event for event in first if isinstance(event, ToolCalled))
    for kept, actions in ((so_far, (action,)), (with_observation(first, called.call_id, "7 m"), ())):
        talk.runs.clear()
        events = talk.ask(ASKED, so_far=kept, first=actions)
        assert isinstance(events[-1], Answered), events[-1]
        assert isinstance(talk.ask("And once more?")[-1], Answered)


def other_model_from_a_step_on(talk: Talk) -> None:
    first = talk.ask(ASKED)
    talk.runs.clear()
    events = talk.ask(ASKED, "other", so_far=before(first, 2))
    assert isinstance(events[-1], Answered), events[-1]
    assert_answered(talk.ask("And once more?"))
    assert_answered(talk.ask("And again?", "other"))


def after_another_server(talk: Talk) -> None:
    """The first turn was with Kimi, whose ids of calls and reasoning are of its own form."""
    with talk_with("Kimi", talk.wire) as other:
        talk.runs = {"0": other.ask(ASKED)}
    assert_answered(talk.ask("And once more?"))
    assert_answered(talk.ask("And again?", "other"))


def picture(talk: Talk) -> None:
    """Shown with its question and in the turns after; told in words to a model that takes none, which is learned."""
    assert_answered(talk.ask(ASKED, images=(PICTURE,)))
    assert_answered(talk.ask("And once more?"))
    seen = [_pictures(body) for body in talk.server.requests or talk.provider.bodies]  # type: ignore[union-attr]
    if isinstance(talk.provider, Provider) and talk.provider.blind:
        assert seen[0] == 1 and not any(seen[-4:])
        assert "images" in talk.learned
    else:
        assert set(seen) == {1}


def _pictures(body: dict[str, Any]) -> int:
    return len(pictures(body)) if "messages" in body else json.dumps(body).count('"input_image"')


# What is done, and whether the server calls both tools at once meanwhile.
SCENARIOS: Mapping[str, tuple[Callable[[Talk], None], bool]] = {
    "one tool": (one_tool, False),
    "two in parallel": (one_tool, True),
    "follow-up turn": (follow_up_turn, False),
    "follow-up, parallel": (follow_up_turn, True),
    "after a stop": (going_on_after_a_stop, False),
    "after a stop, parallel": (going_on_after_a_stop, True),
    "changed step": (changed_step, False),
    "other model": (other_model_from_a_step_on, False),
    "other server": (after_another_server, False),
    "picture": (picture, False),
}


def run(make: str, scenario: str, wire: WireChoice) -> None:
    """Raises ``AssertionError`` where it does not go as it should."""
    act, parallel = SCENARIOS[scenario]
    with talk_with(make, wire, parallel) as talk:
        act(talk)


def main() -> None:
    for wire in WIRES:
        print(f"\n| {wire} | {' | '.join(SCENARIOS)} |\n|{' --- |' * (len(SCENARIOS) + 1)}")
        for make in MAKES:
            cells: list[str] = []
            for scenario in SCENARIOS:
                try:
                    run(make, scenario, wire)
                    cells.append("runs")
                except AssertionError as error:
                    cells.append(f"FAILS: {error!r}"[:200])
            print(f"| {make} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
