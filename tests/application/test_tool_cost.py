"""How much of each prompt tells the chosen model of a tool: on its wire, and as briefly as it is told."""

from __future__ import annotations

from dataclasses import replace

from agent.application.setup import DEMO, Choice, setup
from agent.application.tool_cost import cost, telling
from agent.loop.agent import Agent, prepare
from agent.messages import estimate_tokens
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices
from agent.models.scripted import Scripted
from agent.settings import Limits, read_settings
from agent.toolkit.base import Toolbox
from agent.tools.search.search_tool import SearchCache
from tests.support.cases import each
from tests.support.stories import double

LOCAL = "http://127.0.0.1:9/v1"
NO_PRICES = Prices(())
NATIVE = Agent(model=Scripted([], takes_tools=True), tools=Toolbox([double]), wire="native")
AGENTS = [replace(NATIVE, wire=wire, prompt=prompt) for wire in ("native", "react") for prompt in ("full", "short")]


@each("agent", AGENTS)
def test_it_is_about_what_the_prompt_has_more(agent: Agent) -> None:
    def told(of: Agent) -> int:
        prepared, _ = prepare(of, "?", of.wires[0], Limits())
        return estimate_tokens(prepared.system) + sum(estimate_tokens(str(schema)) for schema in prepared.tools)

    another = replace(double, name="triple", description="Multiplies a whole number by three.")
    more = told(replace(agent, tools=Toolbox([double, another]))) - told(agent)
    assert abs(cost(another, agent) - more) <= 25
    assert cost(another, agent) > 5


def test_text_costs_less_than_schemas_and_short_less_than_full() -> None:
    native, short_native, text, short_text = (cost(double, agent) for agent in AGENTS)
    assert short_text < text < short_native < native
    told = replace(AGENTS[2], language="ja")
    assert cost(double.told_as("", "ウ" * 100), told) > cost(double, told) + 80


@each(
    ("choice", "lesson", "environment"),
    [
        (Choice(), "", {}),
        (Choice(wire="native"), "", {}),
        (Choice(LOCAL, "qwen2.5:1.5b"), "", {}),
        (Choice(LOCAL, "qwen2.5:1.5b", wire="native"), "", {}),
        (Choice(LOCAL, "qwen2.5:1.5b"), "", {"GLASSBOX_PROMPT": "full"}),
        (Choice(LOCAL, "qwen2.5:32b"), "", {}),
        (Choice(LOCAL, "qwen2.5:32b"), "", {"GLASSBOX_PROMPT": "short"}),
        (Choice(LOCAL, "qwen2.5:32b"), "tools", {}),
        (Choice(f"{LOCAL}/", "qwen2.5:32b"), "tools", {}),
        (Choice(LOCAL, "qwen2.5:32b", window=3_000), "", {}),
        (Choice(LOCAL, "own", wire="react"), "", {}),
        (Choice(LOCAL, "own"), "+short_prompt", {}),
    ],
)
def test_it_goes_by_the_wire_and_the_words_of_the_agent_that_is_asked(
    choice: Choice, lesson: str, environment: dict[str, str]
) -> None:
    settings, capabilities = read_settings({"GLASSBOX_PRIVATE_ADDRESSES": "yes", **environment}), Capabilities()
    if lesson:
        capabilities.learn(LOCAL, choice.model, lesson)
    asked = setup(settings, choice, capabilities, SearchCache(), NO_PRICES)
    told = telling(settings, choice, capabilities, NO_PRICES)
    assert (told.wires, told.brief, told.language) == (asked.wires, asked.brief, asked.language)


def test_a_choice_that_cannot_be_asked_yet_is_counted_as_well() -> None:
    settings, capabilities = read_settings({}), Capabilities()
    for choice in (Choice(LOCAL), Choice("http://[::1", "m")):
        assert telling(settings, choice, capabilities, NO_PRICES).wires == ("native", "react")
    assert telling(settings, Choice(DEMO), capabilities, NO_PRICES).wires == ("react",)
