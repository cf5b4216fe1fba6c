"""How much of each prompt tells the chosen model of a tool."""

from __future__ import annotations

import json
from dataclasses import asdict

from agent.application.setup import DEMO, Choice, comparable, window_for
from agent.loop.agent import Agent
from agent.messages import estimate_tokens
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices
from agent.models.scripted import Scripted
from agent.prompts import render
from agent.settings import Settings
from agent.toolkit.base import Tool, Toolbox


def telling(settings: Settings, choice: Choice, capabilities: Capabilities, prices: Prices) -> Agent:
    """The chosen model with what decides how it is told of tools, by what is known now; no server is asked.

    It stands for the ``Agent`` of ``setup`` in ``wires`` and ``brief`` alone, also where that cannot be made.
    """
    endpoint = comparable(choice.endpoint)
    takes_tools = endpoint != DEMO and capabilities.takes_tools(endpoint, choice.model)
    return Agent(
        model=Scripted([], name=choice.model, takes_tools=takes_tools),  # it is not asked
        wire=choice.wire,
        language=choice.language,
        window=window_for(settings, choice, capabilities, prices),
        prompt=settings.prompt,
        small=capabilities.is_small(endpoint, choice.model),
    )


def cost(tool: Tool, agent: Agent) -> int:
    """About how many tokens of each prompt tell the model of the tool, on the wire that is tried first."""
    if agent.wires[0] == "react":
        return estimate_tokens(tool.usage(agent.language, brief=agent.brief))
    (schema,) = Toolbox([tool]).schemas(render(agent.language, "thought"), brief=agent.brief)
    return estimate_tokens(json.dumps({"type": "function", "function": asdict(schema)}, ensure_ascii=False))
