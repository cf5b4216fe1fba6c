from __future__ import annotations

from decimal import Decimal
from itertools import takewhile
from threading import Event as Flag
from time import monotonic

import pytest

from agent.events import Asked, Event, Failed, Merged, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.loop import loop
from agent.loop.agent import Agent
from agent.loop.limits import for_the_model
from agent.messages import Limits, Money, Usage
from agent.models.scripted import Scripted
from agent.prompts.labels import LABELS
from agent.runs.conversation import Question, answer
from agent.runs.rewind import answering_now
from agent.views.fold import RunView, StepView, fold
from agent.views.gauge import Gauge, cut_short, gauge
from tests.support.stories import TOOLS, events_of, final, react, stored


def run(limits: Limits | None, replies: int = 2, price: str = "0.004") -> RunView:
    """Each reply has 1,000 tokens."""
    money = Money(Decimal(price)) if price else None
    reply = Replied("t", "t", Usage(900, 0, 100), 1.0, 0.5, price=money)
    return fold([Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "e", limits=limits), *[reply] * replies])


def test_what_was_used_of_each_limit_and_the_nearest_of_them() -> None:
    found = gauge(run(Limits(15, 120, 50_000, 0.1)), 12.7)
    assert found == Gauge("step 3 of 15 · 12 s of 120 s · 2,000 of 50,000 tokens · $0.0080 of $0.10", 2 / 15)
    assert gauge(run(Limits(15, 120, 2_500)), 1.0) == Gauge("step 3 of 15 · 1 s of 120 s · 2,000 of 2,500 tokens", 0.8)


def test_a_step_counts_from_its_call_on() -> None:
    events = [Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "e", limits=Limits(9, 0, 0))]
    reply = Replied("t", "t", Usage(), 1.0, 0.5)
    called, seen = ToolCalled("1", "t", "x", {}), Observed("1", "y")
    steps: list[Event] = [*events, TextDelta("thought", "I"), reply, called, seen, TextDelta("thought", "Now"), reply]
    told = [found.text for end in range(2, 9) if (found := gauge(fold(steps[:end]), 1.0))]
    assert told == [f"step {step} of 9" for step in (1, 1, 2, 1, 2, 2, 3)]


def test_only_limits_that_there_are() -> None:
    assert gauge(run(None), 3.0) is None
    assert gauge(run(Limits(0, 0, 0, 0)), 3.0) is None
    assert gauge(run(Limits(0, 60, 0, 0)), 3.0) == Gauge("3 s of 60 s", 0.05)
    no_price = gauge(run(Limits(0, 60, 0, 0.1), price=""), 3.0)
    assert no_price == Gauge("3 s of 60 s", 0.05), "without a price there is nothing to say of money, least of all 0"
    assert gauge(RunView(), 3.0) is None, "before the run was prepared"


def test_beyond_a_limit_it_is_full() -> None:
    """The last call, which answers from what there is, comes after the limit."""
    assert gauge(run(Limits(2, 60, 0), replies=3), 70.0) == Gauge("step 2 of 2 · 70 s of 60 s", 1.0)
    assert gauge(run(Limits(2, 60, 0), replies=0), 0.0) == Gauge("step 1 of 2 · 0 s of 60 s", 0.0)


def test_merging_counts_as_it_does_for_the_limit() -> None:
    merged = Merged("q", (), "q", Usage(100, 0, 100), 0.5)
    prepared = Prepared("q", "s", (), "react", "m", "e", limits=Limits(0, 0, 1_000))
    assert gauge(fold([Asked("q", 1.0), merged, prepared]), 1.0) == Gauge("200 of 1,000 tokens", 0.2)


@pytest.mark.parametrize(
    ("limits", "limit", "said"),
    [
        (Limits(steps=1), "steps", "(1 step)"),
        (Limits(steps=1_500), "steps", "(1,500 steps)"),
        (Limits(seconds=1), "seconds", "(1 second)"),
        (Limits(seconds=1.5), "seconds", "(1.5 seconds)"),
        (Limits(tokens=1), "tokens", "(1 token)"),
        (Limits(money=1), "money", "(1 US dollar)"),
        (Limits(money=0.05), "money", "(0.05 US dollars)"),
    ],
)
def test_one_is_not_many(limits: Limits, limit: str, said: str) -> None:
    assert said in for_the_model(limit, limits, "en")  # type: ignore[arg-type]


BEST = "this is the best answer from what was observed up to then."


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(steps=1), "The limit on model calls (1) was reached"),
        (Limits(tokens=1), "The limit on tokens (1) was reached"),
        (Limits(steps=0, tokens=0, seconds=60), "The limit on time (60 s) was reached"),
    ],
)
def test_an_answer_at_a_limit_says_which_one(limits: Limits, said: str, language: str) -> None:
    call = LABELS[language].action + ": double\n" + LABELS[language].action_input + ": 1"
    agent = Agent(Scripted([call, "It is done."]), TOOLS, "react", language, limits)
    asked = answer(Question("q"), agent, Flag())
    events = stored([*takewhile(lambda event: not isinstance(event, Observed), asked), Observed("1", "2")])
    # From there on it is a run that began a minute ago.
    further = loop.run(agent, events, Flag(), loop.Start(started=monotonic() - 60))
    view = fold([*events, *filter(None, further)])
    assert (view.state, view.reason) == ("answered", "limit")
    assert cut_short(view) == f"{said}: {BEST}"


@pytest.mark.parametrize("own", ["Stop: ${limit}", "${limit}", "上限: ${limit}\n- one\n- two"])
def test_an_own_prompt_does_not_change_which_limit_the_reader_is_told(own: str) -> None:
    limits = Limits(steps=1)
    model = Scripted([react("a", "double", "1"), final("2")])
    view = fold(answer(Question("q"), Agent(model, TOOLS, "react", limits=limits, prompts={"limit": own}), Flag()))
    assert cut_short(view) == f"The limit on model calls (1) was reached: {BEST}"
    assert view.steps[0].to_check == 0


def test_other_ends_that_are_less_than_they_could_be() -> None:
    repeated = fold(events_of(Scripted([*[react("a", "double", "1")] * 3, final("2")])))
    assert cut_short(repeated) == f"The model kept repeating the same call: {BEST}"
    unread = fold(events_of(Scripted(["Thought: hm.", "Thought: well.", "Thought: hm.", "My best guess is 42."])))
    assert cut_short(unread) == f"Several replies in a row could not be read: {BEST}"
    stopped = [
        *stored(events_of(Scripted([react("a", "double", "1"), final("2")])))[:-2],
        Failed("cancelled", "Stopped."),
    ]
    now = fold(events_of(Scripted([final("2")]), so_far=answering_now(stopped)))
    assert cut_short(now) == f"You asked for an answer at once: {BEST}"
    old = RunView(state="answered", reason="limit", steps=(StepView(1, told=(("limit", "Other words."),)),))
    assert cut_short(old) == f"A limit was reached: {BEST}"
    circling = fold(events_of(Scripted(["Final Answer: " + "I hope this helps! " * 600])))
    assert cut_short(circling) == "The answer was cut here: the model repeated itself, or came to no end."
    assert "length limit" in cut_short(RunView(state="answered", reason="length"))
    assert cut_short(RunView(state="answered", reason="stop")) == ""
    assert cut_short(RunView(state="failed", reason="limit")) == ""
