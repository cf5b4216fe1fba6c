"""Which processes of the site are up: each says so, by the database's clock."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from platform import python_version
from socket import gethostname
from threading import Thread
from typing import Literal

import sqlalchemy as sql

from agent.errors import GlassboxError
from agent.runs.in_flight import Runs
from agent.settings import VERSION
from agent.store.database import Database
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
        """``process`` is this one's id, as in ``Leases``."""
        self._database = database
        self._process = process

    def tell(self, kind: Kind) -> None:
        """Say that this process is up; those that have long been silent are forgotten."""
        row = {"id": self._process, "kind": kind, "host": gethostname()[:_MOST_HOST]}
        row["version"] = f"{VERSION}, Python {python_version()}"
        told = self._database.upsert(PROCESSES).values(row | {"began": Now(), "alive": Now()})
        with self._database.begin() as connection:
            connection.execute(told.on_conflict_do_update(index_elements=["id"], set_={"alive": Now()}))
            silent = sql.func.abs(Now() - PROCESSES.c.alive)
            connection.execute(sql.delete(PROCESSES).where(silent > FORGOTTEN_SECONDS))

    def up(self) -> list[UpProcess]:
        """Those that were heard of lately, web processes first, the oldest first."""
        at_work = sql.select(sql.func.count()).where(
            RUNS.c.process == PROCESSES.c.id, RUNS.c.ended == "", RUNS.c.waiting == 0
        )
        columns = (PROCESSES.c.id, PROCESSES.c.kind, PROCESSES.c.host, PROCESSES.c.version, PROCESSES.c.began)
        heard = sql.select(*columns, at_work.scalar_subquery()).where(
            sql.func.abs(Now() - PROCESSES.c.alive) < SILENT_SECONDS
        )
        rows = self._database.rows(heard.order_by(PROCESSES.c.kind, PROCESSES.c.began, PROCESSES.c.id))
        return [UpProcess(*row) for row in rows]


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
