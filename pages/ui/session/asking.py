"""What clicks do with runs: the application does it, and the page shows the run that came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import time
from typing import Any, BinaryIO
from uuid import uuid4

import streamlit as st

from agent.application.chat_box import ChatBox
from agent.application.chat_runs import ChatRuns
from agent.application.preferences import PRESET
from agent.application.setup import DEMO
from agent.data.tables.uploads import Loading
from agent.errors import ForTheModel, ForTheUser, GlassboxError
from agent.interface_text import Text, joined, packed, unpacked
from agent.interruptions import Decision
from agent.store.runs import NotWaiting, RunRow
from agent.views.fold import RunView
from pages.ui.session import history, state

_ELSEWHERE = Text("It was decided already, in another tab or by Stop.")
_GONE = Text("The chat in which you asked this is not there any more, so a new one was begun.")
_AS_A_FILE = Text("To ask about a longer text, save it as a file and drop it here.")
_NOTICE = "deciding"
BOX = "question"  # the key of the chat's box
_BOX_NOTICE, _TAKEN, _RETURNED = "box-notice", "box-taken", "box-returned"


def runs(kept: state.Kept | None = None) -> ChatRuns:
    """The runs of whoever looks, with what they have questions answered."""
    kept = kept or state.kept_now()
    chosen = state.choice(kept), state.key_missing(kept)
    return ChatRuns(state.services(), state.visitor(kept), session(kept), *chosen)


def session(kept: state.Kept | None = None) -> str:
    """What this session's own tool servers are kept under."""
    known = (kept or {}).get("draft-servers-of") or state.draft("servers-of", {"session": uuid4().hex})
    return str(known["session"])


def _box(asked: str = "") -> ChatBox:
    """The box of that conversation, or of the open one: what it takes is kept before Streamlit can end this script."""
    kept, asked = state.kept_now(), asked or state.address_sent()
    row, visitor = state.services().store.conversation(asked) if asked else None, state.visitor(kept)
    conversation = row.id if row and row.visitor == visitor else ""
    mine = runs(kept)
    return ChatBox(mine, conversation, state.picks(kept), history.known(conversation, kept), preset())


def preset() -> str:
    """The preset that was picked, by its id, or "": of a choice that was read, as a drawing and ``runs`` do."""
    return str(state.kept_now().get("choice", {}).get(PRESET, ""))


def submit() -> None:
    """Take what was sent by the chat's box. What cannot be taken stands in the box again, and ``box_notice`` says why.

    The box calls this before the page is drawn; ``submitted`` says so then.
    """
    sent = state.kept_now().get(BOX)
    if not sent:
        return
    asked, text, too_long = state.address_sent(), sent.text or "", ""
    try:
        box = _box()
        if refused := box.too_long(text):
            too_long = joined(" ", (refused, _AS_A_FILE))
        # Its files are loaded all the same.
        taken = box.take("" if too_long and sent.files else text, [(file.name, file) for file in sent.files])
    except GlassboxError as error:
        _give_back(asked).append(text)
        state.put(_BOX_NOTICE, (asked, packed(too_long or error.text)))
    else:
        gone = _GONE if asked and not box.conversation else ""
        said = too_long or gone
        state.put(_BOX_NOTICE, (taken[0], packed(said)) if said else None)
        state.put(_RETURNED, None)
        if too_long:
            _give_back(taken[0]).append(text)
        _show(*taken)
    state.put(_TAKEN, True)


def _give_back(conversation: str) -> list[str]:
    """Where to put the texts that the box of that conversation is to have again.

    It is kept before there is anything in it: Streamlit may end the script as it is kept, and so loses nothing.
    """
    texts: list[str] = []
    state.put(_RETURNED, (conversation, uuid4().hex, texts))
    return texts


def given_back() -> tuple[str, str]:
    """What the box of the open conversation is to have again, beside what is typed there by now: a mark, and the text.

    The browser puts it there, once for each mark.
    """
    conversation, mark, texts = state.widget(_RETURNED) or ("", "", [])
    text = "\n".join(filter(None, texts)) if conversation == state.conversation_id() else ""
    return (mark, text) if text else ("", "")


def submitted() -> bool:
    """Whether what the box has sent was taken already: not so where its session began anew."""
    taken = bool(state.widget(_TAKEN))
    state.put(_TAKEN, False)
    return taken


def box_notice() -> str:
    """Why what was sent last in the open conversation could not be taken, or ""."""
    conversation, said = state.widget(_BOX_NOTICE) or ("", "")
    return unpacked(said) if said and conversation == state.conversation_id() else ""


def ask(text: str) -> None:
    """Ask this: at once, or as soon as the open conversation is free."""
    _show(*_box().ask(text))


def load(files: Sequence[tuple[str, BinaryIO]]) -> None:
    """Load files into the open conversation, a new one where there is none."""
    _show(*_box().take("", files))


def loaded(conversation: str) -> None:
    """The files that were dropped there are loaded or refused: the chat is called after one that was loaded."""
    _box(conversation).retitle()


def ask_next(conversation: str) -> None:
    """Ask the question whose turn it is in a conversation, where one waits; the script then ends here."""
    if waiting(conversation) and (run := _box(conversation).ask_next()):
        _show(conversation, run)
        st.rerun()


def waiting(conversation: str) -> tuple[str, ...]:
    """The questions that wait for their turn."""
    return state.services().store.unanswered.queue(conversation) if conversation else ()


def take_back(conversation: str, text: str) -> None:
    """Have a question wait no more."""
    state.services().store.unanswered.unqueue(conversation, text)


def stop_loading(conversation: str, loading: Loading) -> None:
    """Load nothing more, and put the questions that waited for it back into the box.

    Where all was loaded before the click came, they are asked.
    """
    if loading.done:
        return
    texts, queue = _give_back(conversation), state.services().store.unanswered
    # While files are loaded, none of them is asked; then only one that this did not take out.
    texts.extend(text for text in queue.queue(conversation) if queue.unqueue(conversation, text))
    loading.stop()


def run_on(begin: Callable[..., str], *about: Any) -> None:
    """Show the run that ``begin``, a method of ``ChatRuns``, begins. Raises what it raises."""
    run = begin(runs(), *about)
    row = state.services().store.run(run)
    _show(row.conversation if row else "", run)


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


def opened_onto(row: RunRow) -> float:
    """Seconds since the page was opened onto this run; infinite where the run began later."""
    opened: float = state.widget("opened") or 0.0
    return time() - opened if row.created < opened else inf


def stop_all(conversation: str) -> None:
    """Stop what is at work in a conversation; a run that waits for the person costs nothing, and stays."""
    store = state.services().store
    for run in store.runs(conversation):
        if not run.ended and not store.is_waiting(run.id):
            stop(run.id)


def stop(run: str) -> None:
    """Stop a run, at work or waiting."""
    runs().stop(run)


def notice(run: str) -> str:
    """Why the last click on what this run waits for did nothing, or ""."""
    about, said = state.widget(_NOTICE) or ("", "")
    return unpacked(said) if about == run else ""


def _show(conversation: str, run: str) -> None:
    row = state.services().store.run(run) if run else None
    if row:
        state.pick(row.follows, run)
        state.set_off(run)
    state.open_conversation(conversation)
