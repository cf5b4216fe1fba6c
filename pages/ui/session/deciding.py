"""From a click on what a run waits for to the run that goes on. No drawing."""

from __future__ import annotations

from functools import partial
from threading import Event as Flag
from time import time

from agent.application.setup import as_prepared
from agent.errors import ForTheModel, ForTheUser
from agent.events import Decided, Decision, Prepared
from agent.interface_text import Text, packed, unpacked
from agent.runs.conversation import take_up
from agent.store.runs import NotWaiting
from agent.views.fold import fold
from pages.ui.session import starting, state

MOST_CHARACTERS = 4_000
_ELSEWHERE = Text("It was decided already, in another tab or by Stop.")
_NOTICE = "deciding"


def decide(run: str, call_id: str, decision: Decision, text: str = "") -> None:
    """Decide about a call that waits, and let the run go on; ``text`` are new arguments where it is ``edited``.

    Where that cannot be, nothing is decided, and ``notice`` says why.
    """
    services, row = state.services(), state.own_run(run)
    events = services.store.events(run) if row else []
    call = fold(events).waiting
    if row is None or call is None or call.asked is None or call.call_id != call_id:
        state.put(_NOTICE, (run, packed(_ELSEWHERE)))
        return
    begun = next(event for event in reversed(events) if isinstance(event, Prepared))
    choice, cancel = as_prepared(services.recall(run) or state.choice(), begun), Flag()
    try:
        allow = call.tool if decision == "always" else ""
        chosen = starting.prepared(choice, row.conversation, cancel, new=False, allow=allow)
        arguments = chosen.tools.prepare(call.tool, text).arguments if decision == "edited" else None
        said = "" if decision == "edited" else text.strip()[:MOST_CHARACTERS]
        decided = Decided(call_id, decision, said, arguments, max(0.0, time() - call.asked.time))
        services.store.take_up(run, [decided], call_id)
    except (ForTheModel, ForTheUser) as error:
        state.put(_NOTICE, (run, packed(error.text)))
        return
    except NotWaiting:
        state.put(_NOTICE, (run, packed(_ELSEWHERE)))
        return
    if allow:
        services.chats.allow(state.visitor(), row.conversation, allow)
    services.forget(run)
    state.put(_NOTICE, None)
    state.set_off(run)
    story = partial(take_up, services.store, run, chosen)
    starting.work(run, choice, chosen, story, cancel, so_far=services.store.events(run))


def answer(run: str, call_id: str, text: str) -> None:
    """Answer a question; an empty answer is none."""
    if text.strip():
        decide(run, call_id, "answered", text)
    else:
        state.put(_NOTICE, (run, packed(Text("There is no answer in it yet. Type one, or skip the question."))))


def stop(run: str) -> None:
    """Stop a run, at work or waiting."""
    services = state.services()
    services.runs.cancel(run)
    services.forget(run)


def notice(run: str) -> str:
    """Why the last click on what this run waits for did nothing, or ""."""
    about, said = state.widget(_NOTICE) or ("", "")
    return unpacked(said) if about == run else ""
