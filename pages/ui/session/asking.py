"""What clicks do with runs: the application does it, and the page shows the run that came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.application.setup import DEMO
from agent.errors import ForTheModel, ForTheUser
from agent.events import Decision
from agent.interface_text import Text, packed, unpacked
from agent.runs.conversation import Question
from agent.store.runs import NotWaiting, RunRow
from agent.views.fold import RunView
from pages.ui.session import state
from pages.ui.session.history import Turn

_ELSEWHERE = Text("It was decided already, in another tab or by Stop.")
_NOTICE = "deciding"


def runs() -> ChatRuns:
    """The runs of whoever looks, with what they have questions answered."""
    return ChatRuns(state.services(), state.visitor(), session(), state.choice(), state.key_missing())


def session() -> str:
    """What this session's own tool servers are kept under."""
    return str(state.draft("servers-of", {"session": uuid4().hex})["session"])


def start(text: str, conversation: str, follows: str, past: Sequence[Turn] = ()) -> None:
    """Start a run after the turns ``past``, and show it: the script ends here."""
    state.take_next()
    tray = state.services().trays.take(conversation)
    pictures = tray.take() if tray else ()
    question = Question(text, parent=follows, past=tuple(turn["run"] for turn in past), images=pictures)
    _show(runs().begin(text, conversation, follows, question))
    st.rerun()


def run_on(begin: Callable[..., str], *about: Any) -> None:
    """Show the run that ``begin``, a method of ``ChatRuns``, begins. Raises what it raises."""
    _show(begin(runs(), *about))


def from_step(run: str, step: int) -> None:
    """Ask the model once more from before a step on."""
    if row := state.own_run(run):
        run_on(ChatRuns.from_step, row, step)


def decide_anew(run: str, call_id: str) -> None:
    """Run on from where the person was asked about a call."""
    if row := state.own_run(run):
        run_on(ChatRuns.decided_anew, row, call_id)


def can_go_on(view: RunView) -> bool:
    """Whether there is something to go on from: a step that was done."""
    return view.reason in ("cancelled", "interrupted", "limit", "model") and any(
        call.observation is not None for step in view.steps for call in step.calls
    )


def with_the_demo(row: RunRow, view: RunView) -> None:
    """The same question, answered by the demo model from now on."""
    state.choose(endpoint=DEMO, model="")
    run_on(ChatRuns.again, row, view)


def decide(run: str, call_id: str, decision: Decision, text: str = "") -> None:
    """Decide about a call that waits; where that cannot be, nothing is decided, and ``notice`` says why."""
    row, problem = state.own_run(run), None
    try:
        if row is None:
            raise NotWaiting
        runs().decide(row, call_id, decision, text)
        state.set_off(run)
    except NotWaiting:
        problem = _ELSEWHERE
    except (ForTheModel, ForTheUser) as error:
        problem = error.text
    state.put(_NOTICE, (run, packed(problem)) if problem else None)


def answer(run: str, call_id: str, text: str) -> None:
    """Answer a question; an empty answer is none."""
    if text.strip():
        decide(run, call_id, "answered", text)
    else:
        state.put(_NOTICE, (run, packed(Text("There is no answer in it yet. Type one, or skip the question."))))


def stop(run: str) -> None:
    """Stop a run, at work or waiting."""
    runs().stop(run)


def notice(run: str) -> str:
    """Why the last click on what this run waits for did nothing, or ""."""
    about, said = state.widget(_NOTICE) or ("", "")
    return unpacked(said) if about == run else ""


def _show(run: str) -> None:
    row = state.services().store.run(run)
    if row:
        state.pick(row.follows, run)
        state.set_off(run)
        state.open_conversation(row.conversation)
