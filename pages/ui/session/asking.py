"""From a question to a run, and from a run to the next try. No drawing: these are what clicks do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event as Flag

import streamlit as st

from agent.application.setup import DEMO, Choice
from agent.errors import BadRequest, BudgetReached, ForTheUser
from agent.events import Event
from agent.interface_text import Text
from agent.loop.merge import Turn
from agent.runs import rewind
from agent.runs.conversation import MOST_QUESTION_CHARACTERS, Question, ask, history, refuse
from agent.store.runs import RunRow
from agent.views.fold import RunView, fold
from agent.wire.outcomes import Action
from pages.ui.choices import prompt_choice
from pages.ui.session import starting, state

Act = Callable[[], None]


def start(text: str, conversation: str, follows: str, question: Question | None = None) -> None:
    """Start a run and show it: the script ends here. ``question`` has more to say than ``text`` where it is given."""
    state.take_next()
    begin(text, conversation, follows, question)
    st.rerun()


def begin(
    text: str, conversation: str, follows: str, question: Question | None = None, choice: Choice | None = None
) -> None:
    """Start a run. ``choice`` holds for this run alone; without it the visitor's own does."""
    services = state.services()
    conversation = conversation or services.store.add_conversation(state.visitor(), text)
    question = question or Question(text, history(services.store, conversation, follows), parent=follows)
    run = services.store.add_run(conversation, follows)
    state.pick(follows, run)
    state.set_off(run)
    choice, cancel = prompt_choice.in_chat(choice or state.choice(), conversation), Flag()
    try:
        chosen = starting.prepared(choice, conversation, cancel)
    except ForTheUser as error:
        refuse(services.store, run, question, error, "budget" if isinstance(error, BudgetReached) else "model")
    else:
        story = partial(ask, services.store, run, question, chosen)
        starting.work(run, choice, chosen, story, cancel, question.so_far)
    state.open_conversation(conversation)


def edited(row: RunRow, text: str) -> None:
    """Another question in the same place, beside the old one. Raises ``BadRequest``."""
    text = text.strip()
    if not text:
        raise BadRequest(Text("There is no question in it yet."))
    if len(text) > MOST_QUESTION_CHARACTERS:
        raise BadRequest(
            Text(
                "A question may have {most:,} characters; this one has {count:,}.",
                most=MOST_QUESTION_CHARACTERS,
                count=len(text),
            )
        )
    begin(text, row.conversation, row.follows, Question(text, _history(row), parent=row.id, at=0))


def again(row: RunRow, view: RunView, choice: Choice | None = None) -> None:
    """The same question once more, in the same place."""
    _anew(row, view, Question(view.question, _history(row), parent=row.id, at=0), choice)


def unmerge(row: RunRow, view: RunView) -> None:
    """The same question in the person's own words."""
    _anew(row, view, Question(view.question, _history(row), parent=row.id, at=0, merging=False))


def go_on(row: RunRow, view: RunView) -> None:
    """Run on from where it was stopped."""
    _from(row, view, rewind.resumed(_events(row)))


def can_go_on(view: RunView) -> bool:
    """Whether there is something to go on from: a step that was done."""
    return view.reason in ("cancelled", "interrupted", "limit", "model") and any(
        call.observation is not None for step in view.steps for call in step.calls
    )


def answer_now(row: RunRow, view: RunView) -> None:
    """No more tools: the best answer from what was observed."""
    _from(row, view, rewind.answering_now(_events(row)))


def from_step(run: str, step: int, choice: Choice | None = None) -> None:
    """Ask the model, or that of ``choice``, once more from before a step on."""
    row = state.own_run(run)
    if row:
        events = _events(row)
        _from(row, fold(events), rewind.before(events, step), choice=choice)


def with_action(row: RunRow, view: RunView, step: int, thought: str, tool: str, text: str) -> None:
    """Run on with a step in the person's words. Raises ``BadRequest``."""
    so_far, action = rewind.with_action(_events(row), step, thought, tool, text)
    _from(row, view, so_far, (action,))


def with_observation(row: RunRow, view: RunView, call_id: str, text: str) -> None:
    """Run on from an observation in the person's words. Raises ``BadRequest``."""
    _from(row, view, rewind.with_observation(_events(row), call_id, text))


def decide_anew(run: str, call_id: str) -> None:
    """Run on from where the person was asked about a call: they are asked again."""
    row = state.own_run(run)
    if row:
        events = _events(row)
        _from(row, fold(events), rewind.before_decision(events, call_id))


def with_the_demo(row: RunRow, view: RunView) -> None:
    """The same question, answered by the demo model from now on."""
    state.choose(endpoint=DEMO, model="")
    again(row, view)


def _history(row: RunRow) -> tuple[Turn, ...]:
    return history(state.services().store, row.conversation, row.follows)


def _anew(row: RunRow, view: RunView, question: Question, choice: Choice | None = None) -> None:
    begin(view.question, row.conversation, row.follows, question, choice)


def _events(row: RunRow) -> list[Event]:
    return state.services().store.events(row.id)


def _from(
    row: RunRow,
    view: RunView,
    so_far: tuple[Event, ...],
    first: tuple[Action, ...] = (),
    choice: Choice | None = None,
) -> None:
    kept = rewind.with_contents(state.services().store, row.id, so_far)
    at = len(so_far) + 1
    _anew(row, view, Question(view.question, _history(row), parent=row.id, at=at, so_far=kept, first=first), choice)
