"""Takes up runs whose process is gone, from their last event; those that cannot go on are ended with the reason."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from time import time

from agent.application.chat_runs import ChatRuns
from agent.application.preferences import chosen, key_missing, read_back
from agent.application.services import Services
from agent.application.setup import Choice, as_prepared, default_choice, on_owners_key
from agent.endings import INTERRUPTED, as_failed, in_flight, reason_of
from agent.errors import GlassboxError, RunUnreadable, StoreFailed
from agent.events import Asked, Event, Failed, Prepared, Replied, Resumed, TextDelta
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.calls import open_calls
from agent.messages import Usage
from agent.models.stop_flag import StopFlag
from agent.store.leases import Lost
from agent.store.runs import STOPPED, RunRow
from agent.views.timeline import seconds_taken

MOST_TIMES = 3
_LOOK_SECONDS = 1.0
_TOO_OFTEN = Failed(
    "interrupted",
    Text("The server stopped again and again while this was being answered, so it is not tried any more."),
)
_KEY_GONE = Failed(
    "interrupted",
    Text(
        "The server was stopped while this was being answered, and your key went with it: keys are never kept. "
        "Enter it again under Connect a model, then ask again or continue."
    ),
)
log = logging.getLogger(__name__)


def keep_resuming(services: Services) -> None:
    """Look for runs to take up, at once and then every second, as long as this process's runs are looked after.

    Where there are workers, they do.
    """
    if services.settings.resume and not services.queue:
        Thread(target=_look_after, args=(services,), name="runs: resume", daemon=True).start()


def _look_after(services: Services) -> None:
    well = first = True
    while True:
        try:
            resume_lost(services)
            if first:  # before, nobody would know of these processes that they have ended
                services.store.leases.sweep()
            well, first = True, False
        except Exception:  # the edge: whatever fails, it is looked for again
            if well:
                log.exception("runs could not be taken up")
            well = False
        if not services.runs.open_after(_LOOK_SECONDS):
            return


def resume_lost(services: Services) -> None:
    """Take up each run whose process is gone, or end it. Raises ``StoreFailed``."""
    for lost in services.store.leases.lost(handed=services.settings.workers == "here"):
        try:
            failed = _resume(services, lost)
        except StoreFailed:
            log.exception("run %s could not be taken up yet", lost.run)
            continue
        except GlassboxError as error:
            failed = Failed(reason_of(error), error.text)
        except Exception as error:  # noqa: BLE001 - the edge: a bug ends its run alone
            failed = as_failed(error)
        if failed:
            services.store.close_lost(lost, failed)
            services.telemetry.ended(lost.run)


def _resume(services: Services, lost: Lost) -> Failed | None:
    """Take a run further with the choice that it began with; how it ends where it cannot go on.

    Nothing is done where another process is faster. Raises ``GlassboxError`` where the choice cannot be used any more.
    """
    store = services.store
    row, written = store.run(lost.run), store.choice(lost.run)
    conversation = store.conversation(row.conversation) if row else None
    events: list[Event] = []
    with suppress(RunUnreadable):
        events = store.events(lost.run)
    if lost.stopping:
        return STOPPED
    if lost.taken >= MOST_TIMES:
        return _TOO_OFTEN
    if not (row and conversation and written and _can_go_on(events)):
        return INTERRUPTED
    kept = read_back(written)
    if key_missing(kept):
        return _KEY_GONE
    choice = chosen(kept, default_choice(services.settings))
    _take(ChatRuns(services, conversation.visitor, "", choice), row, lost, events)
    return None


def _can_go_on(events: Sequence[Event]) -> bool:
    """Whether the events say all that it needs: of one that goes on from a step of another, those steps."""
    asked = events[0] if events else None
    prepared = any(isinstance(event, Prepared) for event in events)
    return isinstance(asked, Asked) and (prepared or not asked.at)


def _take(runs: ChatRuns, row: RunRow, lost: Lost, events: Sequence[Event]) -> None:
    services, cancel = runs.services, StopFlag()
    choice = going_on(runs.choice, events)
    agent = runs.agent(choice, row.conversation, cancel, row.id, new=False, so_far=events)
    streamed = services.store.unanswered.streamed(row.id, len(events))
    resumed = _resumed(events, streamed, lost.seconds, agent)
    taken = services.store.take_lost(lost, len(events), resumed)
    if taken is None:
        return
    if on_owners_key(services.settings, choice):
        with suppress(StoreFailed):  # it is booked with the next reply
            services.budget.charge(runs.visitor, resumed.usage, resumed.price, row.id)
    runs.go_on(row, choice, agent, cancel, [*events, resumed], taken)


def going_on(choice: Choice, events: Sequence[Event]) -> Choice:
    """The choice with which a run goes on: where the model was asked, the model that was."""
    begun = next((event for event in reversed(events) if isinstance(event, Prepared)), None)
    replied = any(isinstance(event, Replied) for event in events)
    return as_prepared(choice, begun) if begun and replied else choice


def _resumed(events: Sequence[Event], streamed: Sequence[TextDelta], worked: float, agent: Agent) -> Resumed:
    """What a run goes on from; ``streamed`` came of its reply, and its process was at work for ``worked`` seconds."""
    seconds = max(0.0, worked - seconds_taken(events))
    asking = any(isinstance(event, Prepared) for event in events) and not open_calls(events)
    usage = in_flight([*events, *streamed]) if asking else Usage()
    price = agent.prices.of(agent.model.endpoint, agent.model.name, usage) if asking else None
    return Resumed(time(), usage, seconds, price)
