"""Kept tests made of runs, and asked again."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Flag

from agent.evals.attempt import Result, attempt, judged
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest, Mode
from agent.evals.proposals import proposed
from agent.events import Event, TextDelta
from agent.loop.agent import Agent
from agent.runs.conversation import Question, answer
from tests.support.planted_regressions import Planted


def run(question: str, agent: Agent) -> list[Event]:
    """The events of a run, as they are stored."""
    return [event for event in answer(Question(question), agent, Flag()) if not isinstance(event, TextDelta)]


def kept(planted: Planted) -> KeptTest:
    """The test as a person would keep it, with everything but the seconds switched on: this machine is busy."""
    events = run(planted.question, planted.kept)
    found = (*proposed(events), *planted.more)
    on = tuple(replace(each, on=getattr(each, "what", "") not in planted.off) for each in found)
    return KeptTest("1", planted.name, planted.question, on, recorded=events)


def tried(test: KeptTest, mode: Mode, agent: Agent) -> Result:
    """One attempt, judged with the agent's own tools."""
    return judged(test, list(attempt(test, mode, agent)), Programs(agent.tools))


def failed(result: Result) -> set[str]:
    """The types of the expectations that did not hold."""
    return {grade.type for grade in result.failed}
