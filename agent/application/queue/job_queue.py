"""The queue of questions: jobs of ``procrastinate`` in the PostgreSQL in which the conversations are.

A job names a run and nothing else that matters: what is asked, with what it is answered and how far it came is in the
store, and a job that comes twice, or too late, finds that somebody has the run.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from agent.errors import BadSettings, StoreFailed
from agent.interface_text import Text
from agent.runs.elsewhere.handed import Handed
from agent.store.database import Database
from agent.store.runs import Store

if TYPE_CHECKING:
    from procrastinate import App

log = logging.getLogger(__name__)
_QUEUE = _TASK = "glassbox-runs"
_AGAIN = "glassbox-again"
_HEARTBEAT_SECONDS, _SILENT_SECONDS = 2.0, 10.0
_EVERY_TEN_SECONDS = "* * * * * */10"
_POLL_SECONDS = 1.0  # where a notice was lost
_GRACE_SECONDS = 10.0
_LOCK = 4_802_718  # of those who make the queue's tables, for one at a time
_MOST_CONNECTIONS = 4
# Runs that belong to nobody, and for which no worker is asked any more: a run is given away behind its job.
_LOST = """
    SELECT id, taken FROM runs WHERE process = '' AND ended = '' AND waiting = 0 AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs AS jobs WHERE jobs.lock = runs.id AND jobs.status IN ('todo', 'doing')
    )
"""


class Job(NamedTuple):
    """A run that waits for a worker: how often it was taken up before, and the process that gives it away."""

    run: str
    taken: int
    giver: str


class JobQueue:
    """The jobs in one PostgreSQL; ``hand`` may be called from any thread."""

    def __init__(self, store: Store) -> None:
        """Open the queue, and make its tables where they are missing. Raises ``BadSettings``, ``StoreFailed``."""
        database = store.database
        if database.kind != "postgresql":
            raise BadSettings.because("GLASSBOX_WORKERS=queue needs PostgreSQL: set GLASSBOX_DATABASE to its address.")
        try:
            from procrastinate import App, SyncPsycopgConnector
        except ImportError as error:
            problem = Text(
                "GLASSBOX_WORKERS=queue needs procrastinate: in the app's folder, run pip install '.[queue]'."
            )
            raise BadSettings(problem) from error
        self.handed = Handed(database, store.leases.process)
        self._database, self._address = database, database.address
        _make_tables(database)
        connector = SyncPsycopgConnector(conninfo=self._address, min_size=0, max_size=_MOST_CONNECTIONS)
        self._app = App(connector=connector)
        self._app.open()

    def hand(self, run: str, taken: int) -> int | None:
        """Give a run of this process to whichever worker is free; the fewer its visitor has at work, the sooner.

        ``None`` where that was done; else this process works on it, and is the one that took it up so many times.
        Raises ``StoreFailed``.
        """
        from procrastinate.exceptions import ProcrastinateException

        job = Job(run, taken, self.handed.process)
        try:
            later = self._app.configure_task(_TASK, queue=_QUEUE, lock=run, priority=-self.handed.at_once(run))
            later.defer(**job._asdict())
        except (ProcrastinateException, OSError):
            log.exception("run %s could not be handed to a worker", run)
            return self.handed.keep(run, taken)
        with suppress(StoreFailed):  # then it is still this process's until a worker takes it
            self.handed.give_away(run, taken)
        return None

    def close(self) -> None:
        self._app.close()

    async def work(self, take: Callable[[Job], Awaitable[None]], at_once: int) -> None:
        """Take jobs, so many ``at_once``, until this process is told to end (SIGTERM, SIGINT)."""
        from procrastinate import App, PsycopgConnector

        app = App(connector=PsycopgConnector(conninfo=self._address, min_size=1, max_size=_MOST_CONNECTIONS))

        @app.task(name=_TASK, queue=_QUEUE)
        async def taken(run: str, taken: int, giver: str) -> None:
            await take(Job(run, taken, giver))

        @app.periodic(cron=_EVERY_TEN_SECONDS)
        @app.task(name=_AGAIN, queue=_QUEUE, queueing_lock=_AGAIN)
        async def again(timestamp: int) -> None:
            """Have those jobs taken again whose worker is gone before it took the run; make those that were lost."""
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_SILENT_SECONDS):
                await app.job_manager.retry_job(job)
            for job in await asyncio.to_thread(_without_one, self._database):
                await app.configure_task(_TASK, queue=_QUEUE, lock=job.run).defer_async(**job._asdict())

        async with app.open_async():
            await _until_told(app, at_once)


async def _until_told(app: App, at_once: int) -> None:
    await app.run_worker_async(
        queues=[_QUEUE],
        concurrency=at_once,
        fetch_job_polling_interval=_POLL_SECONDS,
        update_heartbeat_interval=_HEARTBEAT_SECONDS,
        stalled_worker_timeout=_SILENT_SECONDS,
        shutdown_graceful_timeout=_GRACE_SECONDS,
        delete_jobs="always",
    )


def _without_one(database: Database) -> list[Job]:
    """Jobs for the runs that have lost theirs. Raises ``StoreFailed``."""
    with database.cursor() as cursor:
        return [Job(run, taken, "") for run, taken in cursor.execute(_LOST).fetchall()]


def _make_tables(database: Database) -> None:
    from procrastinate.schema import SchemaManager

    with database.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if cursor.execute("SELECT to_regclass('procrastinate_jobs')").fetchone()[0] is None:
            cursor.execute(SchemaManager.get_schema())
