"""A process that answers questions which were asked in others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from agent.application.chat_runs import ChatRuns
from agent.application.preferences import chosen, read_back
from agent.application.queue.job_queue import Job, JobQueue
from agent.application.recovery import going_on
from agent.application.services import Services
from agent.application.setup import default_choice
from agent.endings import INTERRUPTED, as_failed, closing, reason_of
from agent.errors import GlassboxError, StoreFailed
from agent.events import Event, Failed
from agent.models.stop_flag import StopFlag

log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.05
_PAUSE_SECONDS = 1.0


async def work(services: Services, jobs: JobQueue) -> None:
    """Answer questions until this process is told to end; while the database is out, try again and again."""

    async def take(job: Job) -> None:
        first = True
        while not await asyncio.to_thread(_taken, services, jobs, job, first):
            first = False
            await asyncio.sleep(_PAUSE_SECONDS)
        while services.runs.working(job.run):
            await asyncio.sleep(_LOOK_SECONDS)

    well = True
    while True:
        try:
            await jobs.work(take, services.settings.runs)
            return
        except Exception:  # the edge: whatever fails, it is tried again
            if well:
                log.exception("the queue cannot be read; it is tried again")
            well = False
        await asyncio.sleep(_PAUSE_SECONDS)


def _taken(services: Services, jobs: JobQueue, job: Job, first: bool) -> bool:
    """Take the run of a job, for the ``first`` time or again; false where the store fails.

    A job that fails is removed, and nothing else would have its run taken.
    """
    try:
        take_run(services, jobs, job)
    except StoreFailed:
        if first:
            log.exception("run %s could not be taken yet", job.run)
        return False
    return True


def take_run(services: Services, jobs: JobQueue, job: Job) -> None:
    """Take the run of a job and begin to answer it, unless somebody has it. Raises ``StoreFailed``."""
    if not jobs.handed.take(job.run, job.taken, job.giver):
        return
    events: Sequence[Event] = ()
    try:
        events = services.store.events(job.run)
        _begin(services, job, events)
        return
    except StoreFailed:
        raise
    except GlassboxError as error:
        failed = Failed(reason_of(error), error.text)
    except Exception as error:  # noqa: BLE001 - the edge: a bug ends its run alone
        failed = as_failed(error)
    services.store.append(job.run, closing(events, failed), job.taken)


def _begin(services: Services, job: Job, events: Sequence[Event]) -> None:
    """Go on with a run from its last event, with the choice that it began with."""
    row, written = services.store.run(job.run), services.store.choice(job.run)
    conversation = services.store.conversation(row.conversation) if row else None
    if not (row and conversation and written):
        services.store.append(job.run, closing(events, INTERRUPTED), job.taken)
        return
    runs = ChatRuns(services, conversation.visitor, "", chosen(read_back(written), default_choice(services.settings)))
    choice, cancel = going_on(runs.choice, events), StopFlag()
    agent = runs.agent(choice, row.conversation, cancel, row.id, new=False, so_far=events)
    runs.go_on(row, choice, agent, cancel, events, job.taken)
