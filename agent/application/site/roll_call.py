"""Which processes of the site are up: each says so, by the database's clock."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from platform import python_version
from socket import gethostname
from threading import Lock, Thread
from typing import Any, Literal

import sqlalchemy as sql

from agent.errors import GlassboxError
from agent.runs.in_flight import Runs
from agent.settings import VERSION
from agent.store.database import Database
from agent.store.leases import is_alive
from agent.store.schema import PROCESSES, RUNS, Now

log = logging.getLogger(__name__)
Kind = Literal["web", "worker"]
EVERY_SECONDS = 15.0
# After which a process is not counted any more, and after which nothing of it is kept.
SILENT_SECONDS, FORGOTTEN_SECONDS = 40.0, 60.0 * 60.0
_MOST_HOST = 100


@dataclass(frozen=True, slots=True)
class UpProcess:
    """``began`` is in seconds since the epoch, ``at_work`` the number of runs that it works on."""

    id: str
    kind: str
    host: str
    version: str
    began: float
    at_work: int


class RollCall:
    """Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database, process: str) -> None:
        """``process`` is this one's id, as in ``Leases``; "" for who only asks."""
        self._database = database
        self._process = process
        self._lock = Lock()
        self._left = False

    def tell(self, kind: Kind) -> None:
        """Say that this process is up; those that have long been silent are forgotten."""
        row = {"id": self._process, "kind": kind, "host": gethostname()[:_MOST_HOST]}
        row["version"] = f"{VERSION}, Python {python_version()}"
        told = self._database.upsert(PROCESSES).values(row | {"began": Now(), "alive": Now()})
        with self._lock:
            if self._left:
                return
            with self._database.begin() as connection:
                connection.execute(told.on_conflict_do_update(index_elements=["id"], set_={"alive": Now()}))
                silent = sql.func.abs(Now() - PROCESSES.c.alive)
                connection.execute(sql.delete(PROCESSES).where(silent > FORGOTTEN_SECONDS))

    def leave(self) -> None:
        """Say that this process ends. Where that is not heard, its silence says so."""
        with self._lock:
            self._left = True
            with suppress(GlassboxError):
                self._database.change(sql.delete(PROCESSES).where(PROCESSES.c.id == self._process))

    def not_ended(self, folder: Path) -> list[UpProcess]:
        """Those that may be at work: their lock in ``folder`` says so, or, where it says nothing, their last word."""
        silent = (sql.func.abs(Now() - PROCESSES.c.alive) < SILENT_SECONDS).label("heard")
        rows = self._database.rows(_told().add_columns(silent).order_by(*_IN_ORDER))
        found: list[UpProcess] = []
        for *about, heard in rows:
            process = UpProcess(*about)
            alive = is_alive(folder, process.id)
            if heard if alive is None else alive:
                found.append(process)
        return found

    def up(self) -> list[UpProcess]:
        """Those that were heard of lately, web processes first, the oldest first."""
        heard = _told().where(sql.func.abs(Now() - PROCESSES.c.alive) < SILENT_SECONDS)
        return [UpProcess(*row) for row in self._database.rows(heard.order_by(*_IN_ORDER))]


_IN_ORDER = (PROCESSES.c.kind, PROCESSES.c.began, PROCESSES.c.id)


def _told() -> sql.Select[Any, Any, Any, Any, Any, int]:
    """The fields of ``UpProcess``."""
    at_work = sql.select(sql.func.count()).where(
        RUNS.c.process == PROCESSES.c.id, RUNS.c.ended == "", RUNS.c.waiting == 0
    )
    columns = (PROCESSES.c.id, PROCESSES.c.kind, PROCESSES.c.host, PROCESSES.c.version, PROCESSES.c.began)
    return sql.select(*columns, at_work.scalar_subquery())


def keep_telling(call: RollCall, runs: Runs, kind: Kind) -> None:
    """Say that this process is up, at once and now and again, as long as its ``runs`` are looked after."""
    Thread(target=_tell, args=(call, runs, kind), name="site: roll call", daemon=True).start()


def _tell(call: RollCall, runs: Runs, kind: Kind) -> None:
    well = True
    while True:
        try:
            call.tell(kind)
            well = True
        except GlassboxError:
            if well:
                log.exception("this process could not say that it is up")
            well = False
        if not runs.open_after(EVERY_SECONDS):
            return
