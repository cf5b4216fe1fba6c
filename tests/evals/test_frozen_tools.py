"""Frozen tools answer what was recorded, do nothing themselves, and say aloud what they do not have."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from threading import Event as Flag
from typing import Any

import pytest

from agent.errors import BadRequest, ToolFailed
from agent.evals.attempt import WAITED, agent_for, attempt, judged
from agent.evals.expectations import Contains, Gold
from agent.evals.frozen_tools import MISSED, Recording, is_any
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest, Mode
from agent.evals.proposals import proposed
from agent.events import Answered, Observed, TextDelta
from agent.loop.agent import Agent
from agent.loop.approval import REACHING, Policy
from agent.models.protocol import Request
from agent.runs.conversation import Question, answer
from agent.runs.rewind import with_observation
from agent.settings import read_settings
from agent.toolkit.base import Tool, Toolbox, tool
from agent.tools.ask_user import ask_user
from agent.tools.calculator.calculate import calculator
from agent.tools.own_data.query import query_tool
from agent.tools.search.search_tool import search_tool
from tests.support.kept_tests import kept, run, tried
from tests.support.minding_model import Minding, Reply, saw
from tests.support.planted_regressions import PERCENT, PLANTED, SUM, sums
from tests.support.stories import final, react


def counting(reply: str = "known") -> tuple[Agent, list[str]]:
    """An agent whose tool writes down each call that is really made."""
    made: list[str] = []

    @tool(name="ledger")
    def ledger(entry: str, amount: float = 1.0) -> str:
        """Writes an entry.

        Args:
            entry: what
        """
        made.append(entry)
        return f"{reply} {entry}"

    return Agent(Minding(writes("rent")), Toolbox([replace(ledger, effect="acts")]), "react"), made


def writes(*entries: str) -> Callable[[Request], Reply]:
    def next_one(request: Request) -> Reply:
        done = len(saw(request))
        return react("I write.", "ledger", f'{{"entry": "{entries[done]}"}}') if done < len(entries) else final("Done.")

    return next_one


def test_nothing_is_done_and_what_was_recorded_is_answered() -> None:
    agent, made = counting()
    test = KeptTest("1", "n", "Write it down", recorded=run("Write it down", agent))
    assert made == ["rent"]
    for mode in ("frozen", "replay"):
        events = list(attempt(test, mode, agent))  # type: ignore[arg-type]
        assert isinstance(events[-1], Answered), mode
        assert [event.text for event in events if isinstance(event, Observed)] == ["known rent"]
    assert made == ["rent"], "a tool that acts was called"


def test_a_call_that_was_not_made_is_missed_and_counted() -> None:
    agent, made = counting()
    test = KeptTest("1", "n", "Write it down", recorded=run("Write it down", agent))
    changed = replace(agent, model=Minding(writes("rent", "food", "fuel")))
    events = list(attempt(test, "frozen", changed))
    assert [event.error for event in events if isinstance(event, Observed)] == ["", MISSED, MISSED]
    assert judged(test, events, Programs(agent.tools)).missed == 2
    assert made == ["rent"], "a miss went live"


def test_spaces_and_defaults_do_not_make_another_call() -> None:
    agent, _ = counting()
    test = KeptTest("1", "n", "q", recorded=run("q", agent))
    (frozen,) = Recording([test.recorded]).frozen(agent.tools, is_any).tools
    assert frozen.call({"entry": " rent  ", "amount": 1.0}).text == "known rent"
    assert frozen.effect == "reads"


def test_arguments_may_have_any_name() -> None:
    @tool(name="hire")
    def hire(tool: str) -> str:
        """Hires a tool.

        Args:
            tool: which
        """
        return f"hired {tool}"

    model = Minding(lambda request: final("Done.") if saw(request) else react("", "hire", "drill"))
    agent = Agent(model, Toolbox([hire]))
    (frozen,) = Recording([run("Hire a drill", agent)]).frozen(agent.tools, is_any).tools
    assert frozen.call({"tool": "drill"}).text == "hired drill"


def test_no_tool_but_a_program_is_called_for_a_figure() -> None:
    agent, made = counting()
    gold = Gold("ledger", {"entry": "stolen"})
    assert "no tool" in Programs(agent.tools).value(gold).problem
    disguised = Toolbox([replace(agent.tools.tools[0].told_as("calculator", ""))])
    assert "no tool" in Programs(disguised).value(replace(gold, tool="calculator")).problem
    assert made == []


def test_nobody_is_asked_about_what_is_not_done() -> None:
    agent, made = counting()
    asking = replace(agent, policy=Policy(("ledger", REACHING)))
    test = KeptTest("1", "n", "Write it down", recorded=run("Write it down", agent))
    for mode in ("frozen", "replay"):
        assert isinstance(list(attempt(test, mode, asking))[-1], Answered), mode  # type: ignore[arg-type]
    assert list(attempt(test, "live", asking))[-1] == WAITED
    assert made == ["rent"]


def test_a_program_that_asks_first_is_not_run_for_a_figure() -> None:
    gold = Gold("calculator", {"expression": "2 + 3"})
    assert Programs(Toolbox([calculator])).value(gold).value == 5
    assert "ask you first" in Programs(Toolbox([calculator]), Policy(("calculator",))).value(gold).problem


def test_a_test_that_expects_nothing_expects_an_answer() -> None:
    agent = Agent(Minding(lambda _: final("Yes.")), Toolbox([calculator]))
    assert tried(KeptTest("1", "n", "q"), "live", agent).passed
    failing = Agent(Minding(lambda _: ""), Toolbox([calculator]))
    assert not tried(KeptTest("1", "n", "q", (Contains("Yes", on=False),)), "live", failing).passed


def test_a_failure_is_recorded_too() -> None:
    test = kept(next(each for each in PLANTED if each.name == "a tool fails"))
    failing = next(each for each in PLANTED if each.name == "a tool fails").broken
    recorded = run(test.question, failing)
    assert [event.error for event in recorded if isinstance(event, Observed)] == ["network"]
    again = list(attempt(replace(test, recorded=recorded), "frozen", failing))
    assert [event.error for event in again if isinstance(event, Observed)] == ["network"]


def test_replay_asks_no_model() -> None:
    test = kept(replace(PLANTED[0], question=PERCENT, kept=SUM))
    model = Minding(lambda _: final("Never asked."))
    result = tried(test, "replay", replace(SUM, model=model))
    assert result.passed and model.asked == 0


SAYING = Agent(  # the model says what it saw
    Minding(lambda asked: final(f"It is {saw(asked)[-1]}.") if saw(asked) else sums("")(asked)),
    Toolbox([calculator]),
    "react",
)


def with_edited_observation(text: str) -> KeptTest:
    """A test of everything that is proposed of a run that went on from an observation that a person wrote."""
    recorded = run(PERCENT, SAYING)
    (seen,) = [event for event in recorded if isinstance(event, Observed)]
    again = Question(PERCENT, so_far=with_observation(recorded, seen.call_id, text))
    events = [event for event in answer(again, SAYING, Flag()) if not isinstance(event, TextDelta)]
    return KeptTest("1", "n", PERCENT, proposed(events), recorded=events)


@pytest.mark.parametrize("mode", ["replay", "frozen"])
def test_a_test_passes_on_an_observation_that_was_edited(mode: Mode) -> None:
    test = with_edited_observation("7")
    assert "7" in test.answer and "722.5" not in test.answer
    result = tried(test, mode, SAYING)
    assert result.passed, result.failed


def test_other_calls_of_a_tool_with_an_edited_observation_are_made_anew() -> None:
    now = agent_for(with_edited_observation("7"), "replay", SAYING).tools
    assert now.tools[0].call({"expression": "2 + 3"}).text == "5"


def test_a_follow_up_is_told_its_conversation() -> None:
    first = run(PERCENT, SUM)
    asked: list[Request] = []

    def reply(request: Request) -> Reply:
        asked.append(request)
        return final("Half of it is 361.25.")

    test = KeptTest("1", "n", "And half of that?", history=(tuple(first),), recorded=tuple(first))
    list(attempt(test, "frozen", replace(SUM, model=Minding(reply))))
    assert any("722.5" in message.content for message in asked[0].messages)


def test_a_test_waits_for_nobody() -> None:
    agent = Agent(
        Minding(lambda _: react("I ask.", "ask_user", '{"question": "Which?"}')), Toolbox([ask_user]), "react"
    )
    events = list(attempt(KeptTest("1", "n", "q"), "live", agent))
    assert events[-1] == WAITED


def test_what_was_not_recorded_is_run_live_only() -> None:
    test = KeptTest("1", "n", "q")
    agent = Agent(tools=Toolbox([calculator]))
    assert agent_for(test, "live", agent) is agent
    for mode in ("replay", "frozen"):
        with pytest.raises(BadRequest):
            agent_for(test, mode, agent)  # type: ignore[arg-type]


def answers(made: Tool, kept: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a call is answered by the result of the recorded one."""

    def asking(arguments: dict[str, Any]) -> Agent:
        call = react("I call.", made.name, json.dumps(arguments))
        return Agent(Minding(lambda request: final("Done.") if saw(request) else call), Toolbox([made]), "react")

    recorded = run("q", asking(kept))
    (then,) = [event for event in recorded if isinstance(event, Observed)]
    events = list(attempt(KeptTest("1", "n", "q", recorded=recorded), "frozen", asking(now)))
    (seen,) = [event for event in events if isinstance(event, Observed)]
    assert seen.error in ("", MISSED) and (seen.error or seen.text == then.text)
    return not seen.error


@pytest.mark.parametrize(
    ("now", "known"),
    [
        ("17*4250/100", True),
        ("4,250 × 17 ÷ 100", True),
        ("17% of 4250", True),
        ("17 * 4250", False),
        ("17 * 4.250 / 100", False),
        ("17 * 4250 / 100 and more", False),
    ],
)
def test_a_sum_is_found_where_it_comes_to_the_very_same_text(now: str, known: bool) -> None:
    assert answers(calculator, {"expression": "17 * 4250 / 100"}, {"expression": now}) == known


def test_a_calculator_that_is_broken_today_answers_nothing_that_was_not_recorded() -> None:
    broken = replace(calculator, function=lambda expression: "0")
    recording = Recording([run(PERCENT, SUM)])
    (frozen,) = recording.frozen(Toolbox([broken]), is_any).tools
    assert frozen.call({"expression": "17 * 4250 / 100"}).text == "722.5", "what was recorded is what it gives"
    with pytest.raises(ToolFailed):
        frozen.call({"expression": "17*4250/100"})


@pytest.mark.parametrize(
    ("kept", "now", "known"),
    [
        ("SELECT a\nFROM t", "  SELECT a  FROM t ;", True),
        ("SELECT 'a  b'", "SELECT  'a  b'", True),
        ("SELECT 'a  b'", "SELECT 'a b'", False),
        ('SELECT "a  b" FROM t', 'SELECT "a b" FROM t', False),
        ("SELECT a -- all\nFROM t", "SELECT a -- all FROM t", False),
        ("SELECT a FROM t", "SELECT A FROM t", False),
        ("SELECT 'it''s  x'", "SELECT 'it''s x'", False),
    ],
)
def test_spaces_outside_of_quotes_make_no_other_statement(kept: str, now: str, known: bool) -> None:
    ask = query_tool(lambda job: {"ok": True, "columns": [], "rows": [], "total": 0, "sql": job["sql"], "text": "none"})
    assert answers(ask, {"sql": kept}, {"sql": now}) == known


def test_a_search_is_found_as_its_own_cache_finds_it() -> None:
    look_up = replace(search_tool(read_settings({})), function=lambda query: f"[1] {query}")
    assert answers(look_up, {"query": "population of Japan"}, {"query": "Population  of japan"})
    assert not answers(look_up, {"query": "population of Japan"}, {"query": "Japan population"})


def test_the_indentation_of_a_program_counts() -> None:
    @tool(name="program")
    def program(code: str) -> str:
        """Runs it.

        Args:
            code: what
        """
        return "ran"

    assert not answers(program, {"code": "if a:\n  b\nc"}, {"code": "if a:\n  b\n  c"})
    assert answers(program, {"code": "if a:\n  b"}, {"code": "if a:\n  b\n"})
