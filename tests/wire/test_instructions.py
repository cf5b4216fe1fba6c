from __future__ import annotations

import re
from dataclasses import replace
from threading import Event as Flag

import pytest

from agent.events import Answered, Observed, ToolCalled, Waiting, WireName
from agent.loop.agent import Agent, prepare
from agent.models.scripted import Scripted
from agent.models.window import Window
from agent.prompts import LANGUAGES
from agent.prompts.labels import LABELS
from agent.runs.conversation import Question, answer
from agent.settings import Limits, PromptChoice, read_settings
from agent.toolkit.base import Toolbox, tool
from agent.tools.calculator.calculate import calculator
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.wire.instructions import day_told, for_sums, rules, worked_example
from agent.wire.outcomes import Action, Answer
from agent.wire.prompt import request
from agent.wire.react.reader import read
from tests.support.stories import final, react

USUAL = toolbox(Parts(read_settings({}), SearchCache()))


@tool
def tides(place: str) -> str:
    """Tells high and low water."""
    return place


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worked_example_has_a_sum_a_look_up_and_the_handbook(language: str) -> None:
    labels = LABELS[language]
    example = worked_example(USUAL, language)
    assert re.findall(rf"(?m)^{labels.action}: (.*)", example) == ["calculator", "search", "documents"]
    for label in ("thought", "action", "action_input", "observation", "final_answer", "next_actions"):
        assert re.search(rf"(?m)^{getattr(labels, label)}:", example), label
    for exchange in example.split("\n\n")[1:-1]:
        lines = exchange.splitlines()
        step = read("\n".join(lines[1:4]), USUAL.names)
        assert isinstance(step, Action) and step.repairs == ()
        observed = next(line for line in lines if line.startswith(f"{labels.observation}: "))
        if step.tool == "calculator":
            ready = USUAL.prepare(step.tool, step.input)
            assert observed.endswith(f": {ready.tool.call(ready.arguments).text}")
        end = read("\n".join(lines[lines.index(observed) + 1 :]), USUAL.names)
        assert isinstance(end, Answer) and end.reason == "final_answer"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worked_example_names_the_tool_that_asks_the_user_where_there_is_one(language: str) -> None:
    last = worked_example(USUAL, language).rpartition("\n\n")[2]
    without = replace(USUAL, tools=[each for each in USUAL.tools if each.name != "ask_user"])
    assert "ask_user" in last and "${" not in last
    example = worked_example(without, language)
    assert "ask_user" not in example and "${" not in example


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", ["react", "conversational"])
def test_no_tool_is_shown_that_is_not_declared(language: str, style: str) -> None:
    told = rules(Toolbox([tides]), style, language, "2026-11-23")
    assert "tides" in told and "calculator" not in told and "search" not in told
    assert told == told.strip()
    named = Toolbox([calculator.told_as("sums", "")])
    assert f"{LABELS[language].action}: sums" in rules(named, style, language, "2026-11-23")
    assert "Kokoro" not in rules(named, style, language, "2026-11-23")


def test_the_weekday_is_told_beside_the_date() -> None:
    assert day_told("en", "2026-11-23") == "Monday, 2026-11-23"
    assert day_told("ja", "2026-11-29") == "2026-11-29（日曜日）"
    assert day_told("en", "") == ""
    assert "Today is Monday, 2026-11-23." in rules(USUAL, "native", "en", "2026-11-23")
    prepared, _ = prepare(Agent(Scripted([])), "?", "react", Limits())
    assert prepared.facts and re.fullmatch(r"\d{4}-\d\d-\d\d", prepared.facts.today)
    assert prepared.parts["today"] == prepared.facts.today


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_small_window_is_told_of_the_tools_briefly(wire: WireName) -> None:
    def told(tokens: int) -> str:
        agent = Agent(Scripted([]), USUAL, window=Window(tokens, "setting"))
        prepared, _ = prepare(agent, "?", wire, Limits())
        return prepared.system + "".join(f"{each.description}{each.parameters}" for each in prepared.tools)

    assert len(told(3_999)) < 0.7 * len(told(4_000))
    assert all(name in told(3_999) for name in ("Works out", "Converts a measure")), wire
    assert ("\n- convert: Converts a measure into another unit\n" in told(3_999)) == (wire == "react")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_brief_example_has_one_whole_exchange_and_of_the_others_the_call(language: str) -> None:
    labels = LABELS[language]
    first, *others = worked_example(USUAL, language, brief=True).split("\n\n")[1:-1]
    assert f"\n{labels.final_answer}: " in first
    for exchange, tool_called in zip(others, ("search", "documents"), strict=True):
        step = read("\n".join(exchange.splitlines()[1:]), USUAL.names)
        assert isinstance(step, Action) and step.tool == tool_called and USUAL.prepare(step.tool, step.input)
    alone = Toolbox([each for each in USUAL.tools if each.name == "search"])
    assert f"\n{labels.final_answer}: " in worked_example(alone, language, brief=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_prompt_teaches_all_labels_and_leaves_an_own_one_as_it_is(language: str) -> None:
    labels = LABELS[language]
    short = rules(USUAL, "react", language, "2026-11-23", brief=True)
    for label in ("thought", "action", "action_input", "observation", "final_answer"):
        assert re.search(rf"(?m)^{getattr(labels, label)}:", short), label
    assert all(f"\n- {name}: " in short for name in USUAL.names) and len(short) < 0.45 * len(
        rules(USUAL, "react", language, "2026-11-23")
    )
    own = {"react": "Mine. ${today} ${tools}"}
    assert rules(USUAL, "react", language, "2026-11-23", own, brief=True).startswith("Mine. ")
    plain = rules(Toolbox([tides]), "react", language, "2026-11-23", brief=True)
    assert f"\n{labels.action}: " in plain and "\n- tides: Tells high and low water\n" in plain


def test_a_short_prompt_tells_the_likely_tools_beside_the_question() -> None:
    def led(question: str, wire: WireName = "react", prompt: PromptChoice = "short", tools: Toolbox = USUAL) -> str:
        agent = Agent(Scripted([]), tools, prompt=prompt)
        prepared, _ = prepare(agent, question, wire, Limits())
        assert request([prepared]).messages[-1].content == f"{prepared.lead} {question}".strip()
        return prepared.lead

    assert led("What is 17% of 350 and its half?") == (
        "Most likely needed:\n- calculator: Works out arithmetic exactly.\n\nQuestion:"
    )
    assert led("What is 17% of 350?") == led("Hm?") == "Question:"
    assert "\n- convert(amount, unit, to): Converts a measure" in led("How many miles are 10 km?")
    assert led("What is 17% of 350?", wire="native") == led("2+2", prompt="full") == led("2+2", tools=Toolbox([])) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_for_sums_shows_a_whole_one(language: str) -> None:
    labels = LABELS[language]
    told = for_sums(Toolbox([tides, calculator.told_as("sums", "")]), language)
    lines = told.split("\n\n")[2].splitlines()
    step = read("\n".join(lines[1:4]), ["tides", "sums"])
    assert isinstance(step, Action) and step.tool == "sums" and not step.repairs
    assert lines[4] == f"{labels.observation}: {calculator.call(calculator.prepare(step.input).arguments).text}"
    assert isinstance(read("\n".join(lines[5:]), ["sums"]), Answer)
    assert "tides, sums" in told and for_sums(Toolbox([tides]), language) == ""


def test_what_a_prompt_shows_is_no_suggestion() -> None:
    shown = ["…", "When was Kokoro published?", "and its cube?"]
    reply = "Thought: I know.\nFinal Answer: 25\nNext Actions:\n" + "\n".join(f"- {each}" for each in shown)
    events = list(answer(Question("What is 5^2?"), Agent(Scripted([reply]), USUAL, "react"), Flag()))
    assert isinstance(events[-1], Answered) and events[-1].next_questions == ("and its cube?",)


@pytest.mark.parametrize(
    ("asked", "put"),
    [
        ("What is the capital of Australia?", False),
        ("what is the capital of australia", False),
        ("So what is the capital of Australia, please?", False),
        ("Which Australia do you mean?", True),
        ("What is the capital of Australia that you have in mind, the state or the federal one?", True),
        ("", True),
    ],
)
def test_the_question_is_not_asked_back(asked: str, put: bool) -> None:
    steps = [react("I ask.", "ask_user", f'{{"question": "{asked}"}}'), final("Canberra")]
    question = "What is the capital of Australia?"
    events = list(answer(Question(question), Agent(Scripted(steps), USUAL, "react"), Flag()))
    assert any(isinstance(event, ToolCalled) for event in events)
    assert isinstance(events[-1], Waiting) == put
    if not put:
        observed = next(event for event in events if isinstance(event, Observed))
        assert observed.error == "refused" and "Answer it yourself" in observed.text
