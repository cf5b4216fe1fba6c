"""With what a question is answered, as one value, and what a run is prepared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import JsonValue

from agent.demo.model import Demo
from agent.events import Prepared, StyleName, WireName
from agent.loop.approval import NO_POLICY, Policy
from agent.messages import Facts
from agent.models.prices import Prices
from agent.models.protocol import Model
from agent.models.window import Window
from agent.prompts import render
from agent.settings import Limits, WireChoice
from agent.toolkit.base import Toolbox
from agent.wire.prompt import system_prompt

NO_PRICES = Prices(())
NO_TOOLS = Toolbox(())


@dataclass(frozen=True, slots=True)
class Agent:
    """A model, the demo model if none is given, with its tools and everything that decides how it answers.

    ``wire`` is how tools are called, ``style`` how the text wire is taught. ``language`` is that of the prompts;
    ``prompts`` are own templates, by name. ``parameters`` go to the model as they are (temperature, max_tokens).
    ``prices`` say what a reply has cost, ``policy`` which calls ask the person first. With ``insist``, an answer with
    claims that nothing stands behind is sent back to the model once. ``cards`` are those of the loaded tables, which
    the system prompt ends with; ``databases`` gives those of the connected databases, which takes time. ``documents``:
    the person has documents of their own. ``window`` is how many tokens the model can be sent at once, a guess by its
    address where it is ``None``.
    """

    model: Model = field(default_factory=lambda: Demo(pace=0.0))
    tools: Toolbox = NO_TOOLS
    wire: WireChoice = "auto"
    language: str = "en"
    limits: Limits = Limits()
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    prices: Prices = NO_PRICES
    insist: bool = False
    cards: tuple[Mapping[str, Any], ...] = ()
    style: StyleName = "react"
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    databases: Callable[[], tuple[Mapping[str, Any], ...]] = tuple
    policy: Policy = NO_POLICY
    documents: bool = False
    window: Window | None = None

    @property
    def wires(self) -> tuple[WireName, ...]:
        """How tools can be called: the first choice, then what to do where the server refuses that one."""
        if self.wire == "react" or not self.model.takes_tools:
            return ("react",)
        return ("native", "react") if self.wire == "auto" else ("native",)


def prepare(agent: Agent, question: str, wire: WireName, limits: Limits) -> Prepared:
    """What all prompts of a run are computed from; ``limits`` are those of the whole run."""
    today = date.today().isoformat()
    return Prepared(
        question=question,
        system=system_prompt(
            agent.tools,
            wire,
            agent.language,
            today,
            agent.cards,
            agent.databases(),
            agent.style,
            agent.prompts,
        ),
        tools=agent.tools.schemas(thought=render(agent.language, "thought")) if wire == "native" else (),
        wire=wire,
        model=agent.model.name,
        endpoint=agent.model.endpoint,
        language=agent.language,
        parameters=dict(agent.parameters),
        limits=limits,
        prompts=dict(agent.prompts),
        facts=Facts(today, agent.tools.names, agent.cards, agent.documents),
    )
