"""One run of a kept test: with what it is asked, and the result that is kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from threading import Event as Flag
from typing import Annotated

from pydantic import Field

from agent.errors import BadRequest
from agent.evals.frozen_tools import MISSED, Recording, is_any, is_far
from agent.evals.gold import Programs
from agent.evals.grades import Grade, grade
from agent.evals.kept_test import KeptTest, Mode
from agent.evals.recorded_model import Recorded
from agent.evals.statistics.flaky_step import StepSign, signs
from agent.events import Event, Failed, Observed, Prepared, TextDelta, Waiting
from agent.inner_runs import all_events
from agent.interface_text import Text
from agent.loop.agent import Agent, Before
from agent.loop.approval import NO_POLICY
from agent.messages import Value, is_empty
from agent.runs.conversation import Question, answer
from agent.views.fold import fold

_NOTHING_RECORDED = Text("Nothing was recorded for this test, so it can only be run live.")
WAITED = Failed("cancelled", Text("It waited for a person, and in a test there is none."))


@dataclass(frozen=True, slots=True)
class Result(Value):
    """What came of an attempt: its ``grades``, one for each expectation that was on, and what it took.

    ``money`` is in US dollars, ``None`` where no price is known. ``missed`` counts calls that the recording does not
    have. ``steps`` are as ``flaky_step`` compares them.
    """

    passed: bool
    grades: tuple[Grade, ...]
    replies: int = 0
    tokens: int = 0
    money: float | None = None
    seconds: float = 0.0
    missed: Annotated[int, Field(exclude_if=is_empty)] = 0
    steps: tuple[StepSign, ...] = ()

    @property
    def failed(self) -> tuple[Grade, ...]:
        """The grades that did not hold."""
        return tuple(each for each in self.grades if not each.held)


def asked_anew(test: KeptTest) -> Question:
    """The question of a test with its conversation."""
    history = {f"history-{number}": list(events) for number, events in enumerate(test.history, 1)}
    return Question(test.question, Before(history))


def check_recorded(test: KeptTest) -> None:
    """Raises ``BadRequest`` for a test that can be run live alone."""
    if not any(isinstance(event, Prepared) for event in test.recorded):
        raise BadRequest(_NOTHING_RECORDED)


def agent_for(test: KeptTest, mode: Mode, agent: Agent) -> Agent:
    """With what an attempt is answered, where ``agent`` is with what a question is answered today.

    Raises ``BadRequest`` for a test without a recording that needs one.
    """
    if mode == "live":
        return agent
    check_recorded(test)
    recording = Recording((*test.history, test.recorded))
    if mode == "frozen":
        return replace(agent, tools=recording.frozen(agent.tools, is_any), policy=NO_POLICY)
    model = Recorded(test.recorded)
    prepared, frozen = model.prepared, (tool.own_name for tool in agent.tools.tools if is_far(tool))
    return replace(
        agent,
        model=model,
        tools=recording.frozen(recording.as_edited(agent.tools), is_far),
        policy=replace(agent.policy, always=(*agent.policy.always, *frozen)),
        wire=prepared.wire,
        language=prepared.language,
        limits=prepared.limits or agent.limits,
        merge="always" if model.merged else "never",
        insist=model.insists,
        window=None,
    )


def attempt(test: KeptTest, mode: Mode, agent: Agent, cancel: Flag | None = None) -> Iterator[Event]:
    """The events of an attempt, to its end. One that waits for a person ends there."""
    for event in answer(asked_anew(test), agent_for(test, mode, agent), cancel or Flag()):
        if not isinstance(event, TextDelta):
            yield event
        if isinstance(event, Waiting):
            yield WAITED
            return


def judged(test: KeptTest, events: Sequence[Event], programs: Programs) -> Result:
    """The result of an attempt's events. ``programs`` work out figures with the tools of today."""
    view = fold(events)
    grades = grade(test, events, programs)
    amount = view.price.amount if view.price else None
    return Result(
        passed=all(each.held for each in grades),
        grades=grades,
        replies=view.replies,
        tokens=view.usage.total,
        money=None if amount is None else float(Decimal(amount)),
        seconds=round(view.seconds, 3),
        missed=sum(isinstance(event, Observed) and event.error == MISSED for event in all_events(events)),
        steps=signs(events),
    )
