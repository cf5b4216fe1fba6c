"""Which tools are told beside a question in a short prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent import ask
from agent.context.turns import Past, next_request, turn_messages
from agent.events import Event, Observed, Prepared, WireName
from agent.loop.agent import Agent, Before, prepare
from agent.loop.likely import likely
from agent.messages import EarlierTurn, Facts
from agent.models.scripted import Scripted
from agent.prompts import LANGUAGES, render
from agent.settings import Limits, read_settings
from agent.toolkit.base import Toolbox, tool
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.cases import each
from tests.support.stories import final, react


@tool
def ferry_times(harbour: str) -> str:
    """Tells when ferries leave a harbour."""
    return harbour


HIGH_WATER = ferry_times.told_as("潮見表", "港の満潮と干潮の時刻を調べる。")
USUAL = toolbox(Parts(read_settings({}), SearchCache())).tools
MILES = "How many miles are 10 km?"
FACTS = Facts("2026-11-23", tuple(each.name for each in USUAL))


@each(
    ("question", "first"),
    [
        ("How much is 12 times 12?", "calculator"),
        ("12かける12は?", "calculator"),
        ("What time is it in Lima?", "now"),
        ("札幌の天気は？", "weather"),
        ("How many miles are 10 km?", "convert"),
        ("What does https://example.com/a say about the weather?", "read_url"),
        ("How do I delete a chat in Glassbox?", "documents"),
        ("Ask me for my home town, then greet me.", "ask_user"),
        ("Guess 3 + 4 figures; ask me for the first.", "ask_user"),
        ("Frag mich nach meinem Alter.", "ask_user"),
        ("私に誕生日を聞いてから、星座を教えて。", "ask_user"),
        ("Wie viel ist 19 mal 23?", "calculator"),
        ("What do I get for 96 divided by 8, roughly?", "calculator"),
        ("12かける9に足すと？", "calculator"),
        ("Is it 24/7?", ""),
        ("Und was war 1914 - 1918?", ""),
        ("When does the ferry leave?", "ferry_times"),
        ("今日の満潮は？", "潮見表"),
        ("Hm?", ""),
        ("", ""),
        ("?" * 100_000, ""),
    ],
)
def test_the_likeliest_tool_comes_first(question: str, first: str) -> None:
    found, _ = likely(question, (*USUAL, ferry_times, HIGH_WATER), FACTS)
    assert len(found) <= 2
    assert (found[0].name if found else "") == first


@each(
    ("question", "by_rule"),
    [
        ("What is 12 * 12?", True),
        ("Wie viel ist 19 mal 23?", True),
        ("Ask me for my home town.", True),
        ("Read https://example.com/a", True),
        ("How does a heat pump work exactly?", False),
        ("What should I say when they ask me?", False),
    ],
)
def test_what_words_alone_tell_is_told_apart(question: str, by_rule: bool) -> None:
    found, ruled = likely(question, USUAL, FACTS)
    assert found and ruled is by_rule


def test_a_tool_is_found_under_another_name() -> None:
    sums = next(each for each in USUAL if each.name == "calculator").told_as("sums", "")
    assert likely("What is 12 * 12?", [sums], FACTS) == ([sums], True)
    assert likely("What is 12 * 12?", [], FACTS) == ([], False)


def test_a_rule_that_fails_leaves_the_words(caplog: pytest.LogCaptureFixture) -> None:
    found, by_rule = likely("When does the ferry leave?", (*USUAL, ferry_times), replace(FACTS, today="no date"))
    assert [each.name for each in found][:1] == ["ferry_times"] and not by_rule
    assert "the rules of the demo model failed" in caplog.text


def test_later_turns_repeat_what_led_to_a_question_only_where_it_is_told_whole() -> None:
    call = react("Miles.", "convert", '{"amount": 10, "unit": "km", "to": "miles"}')
    model = Scripted([call, final("6.2"), final("Yes.")])
    agent = Agent(model, Toolbox(USUAL), "react", prompt="short")
    first = list(ask(agent, MILES))
    list(ask(agent, "Are you sure?", [first]))
    sent = [request.messages for request in model.requests]
    assert sent[2][: len(sent[1])] == sent[1], "the second turn begins as the first ended"
    told = sent[2][1].content
    assert told.startswith("Most likely needed:\n- convert(") and told.endswith(f"Question: {MILES}")
    assert sent[2][-1].content == "Question: Are you sure?"


def system_of(agent: Agent, question: str, *before: str) -> str:
    """The instructions of the last of these questions in one chat, each answered at once."""
    history: dict[str, list[Event]] = {}
    for asked in before:
        history[asked] = list(ask(agent, asked, list(history.values())))
    prepared, _ = prepare(agent, question, "react", Limits(), Before(history))
    assert not prepared.news
    return prepared.system


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sum_is_asked_with_the_calculator_alone_told(language: str) -> None:
    agent = Agent(Scripted([]), Toolbox(USUAL), "react", language, prompt="short")
    told, other = system_of(agent, "What is 12 * 12?"), system_of(agent, MILES)
    assert len(told) < 0.45 * len(other)
    assert all(name in told for name in FACTS.tools) and "\n- convert: " in other and "- convert" not in told
    label = render(language, "question")
    assert prepare(agent, "What is 12 * 12?", "react", Limits())[0].lead == label
    lead = prepare(agent, MILES, "react", Limits())[0].lead
    assert "\n- convert(" in lead and lead.endswith(f"\n\n{label}")
    for changed in (
        replace(agent, style="conversational"),
        replace(agent, prompts={"react": "Mine. ${today} ${tools}"}),
        replace(agent, tools=Toolbox([one for one in USUAL if one.name != "calculator"])),
        replace(agent, prompt="full"),
    ):
        assert system_of(changed, "What is 12 * 12?") == system_of(changed, MILES)


def test_a_chat_of_sums_goes_on_so_until_something_else_is_asked() -> None:
    agent = Agent(Scripted([final("144")] * 9), Toolbox(USUAL), "react", prompt="short")
    of_sums, of_all = system_of(agent, "What is 12 * 12?"), system_of(agent, MILES)
    assert of_sums != of_all
    assert system_of(agent, "What is 3 * 4?", "What is 12 * 12?") == of_sums
    assert system_of(agent, "and its cube?", "What is 12 * 12?", "What is 3 * 4?") == of_sums
    assert system_of(agent, MILES, "What is 12 * 12?") == of_all
    assert system_of(agent, "What is 3 * 4?", MILES) == of_all
    assert system_of(agent, "What is 3 * 4?", "What is 12 * 12?", MILES) == of_all
    assert system_of(agent, "and its cube?", MILES) == of_all
    for parts in ("What is 12 * 12 and half of that?", "12かける12は？それを4で割ると？"):
        assert system_of(agent, parts) == system_of(agent, parts, "What is 12 * 12?") == of_all


@each(
    ("called", "given", "tells"),
    [
        ("convert", "{}", "‘amount’"),
        ("read_url", "{}", "‘url’"),
        ("converter", "10 km", "convert"),
    ],
)
def test_a_tool_that_is_named_alone_is_told_of_where_it_is_called_wrongly(called: str, given: str, tells: str) -> None:
    steps = [
        react("I try.", called, given),
        react("Now right.", "convert", '{"amount": 10, "unit": "km", "to": "miles"}'),
        final("6.2"),
    ]
    model = Scripted(steps)
    events = list(ask(Agent(model, Toolbox(USUAL), "react", prompt="short"), "What is 12 * 12?"))
    wrong, right = (event for event in events if isinstance(event, Observed))
    assert wrong.error and tells in wrong.text
    assert not right.error and "6.21" in right.text
    assert "- convert" not in model.requests[0].messages[0].content
    assert model.requests[1].messages[: len(model.requests[0].messages)] == model.requests[0].messages


def test_a_chat_that_goes_on_with_a_small_model_is_instructed_anew() -> None:
    agent = Agent(Scripted([final("144")]), Toolbox(USUAL), "react", prompt="full")
    before = Before({"a": list(ask(agent, "What is 12 * 12?"))})
    short = replace(agent, prompt="short")
    prepared, _ = prepare(short, "And 13 * 13?", "react", Limits(), before)
    assert prepared.system == prepare(short, "?", "react", Limits())[0].system and not prepared.news
    assert prepare(agent, "And 13 * 13?", "react", Limits(), before)[0].lead == ""


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_chat_that_goes_on_with_a_large_model_is_told_nothing_of_the_short_prompt(wire: WireName) -> None:
    small = Agent(Scripted([final("6.2")]), Toolbox(USUAL), "react", prompt="short")
    history = Past({"a": list(ask(small, MILES))})
    again, _ = prepare(small, "Sure?", "react", Limits(), Before(history))
    assert next_request([again], history).messages[1].content.startswith("Most likely needed:")
    large, _ = prepare(replace(small, prompt="full"), "Sure?", wire, Limits(), Before(history))
    asked = [message.content for message in next_request([large], history).messages if message.role == "user"]
    assert asked == [MILES, "Sure?"]


@pytest.mark.parametrize(("told", "led"), [("full", True), ("shortened", True), ("answer", False), ("question", False)])
def test_a_turn_that_is_told_in_short_is_told_without(told: str, led: bool) -> None:
    agent = Agent(Scripted([final("6.2")]), Toolbox(USUAL), "react", prompt="short")
    events = list(ask(agent, MILES))
    prepared = next(event for event in events if isinstance(event, Prepared))
    messages = turn_messages(prepared, EarlierTurn("a", told), 1, {"a": events})  # type: ignore[arg-type]
    assert ("Most likely needed" in messages[0].content) is led


def test_what_led_to_an_imported_question_instructs_nobody() -> None:
    agent = Agent(Scripted([final("144")]), Toolbox(USUAL), "react", prompt="short")
    events = [
        replace(event, imported=True, lead="Obey me:") if isinstance(event, Prepared) else event
        for event in ask(agent, "What is 12 * 12?")
    ]
    before = Before({"a": events})
    prepared, _ = prepare(agent, "And 13 * 13?", "react", Limits(), before)
    assert "Obey" not in str(next_request([prepared], before.history).messages)
