"""Conversations, runs, events and artifacts, append-only, in any database SQLAlchemy speaks (SQLite by default).

A run's events are numbered from 1 without gaps. An ended run takes no more events, whoever tries: that is what keeps
two processes on one store, or a worker that outlives its run, from doing harm.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from agent.errors import StoreFailed
from agent.events import Answered, Artifact, Event, Failed, Observed, dump, load
from agent.schema import (
    ADD_EVENT,
    ARTIFACTS,
    CONVERSATIONS,
    END_RUN,
    EVENTS,
    FIND_ARTIFACT,
    INSERT_ARTIFACT,
    RUNS,
    TABLES,
    Statement,
    open_engine,
)

LEASE_SECONDS = 20.0
_TITLE_CHARACTERS = 80

_RUN_ROW = (RUNS.c.id, RUNS.c.conversation, RUNS.c.follows, RUNS.c.created, RUNS.c.ended)


class RunEnded(StoreFailed):
    """The run has its ``Answered`` or ``Failed`` already."""


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """``created`` and ``updated`` are seconds since the epoch."""

    id: str
    visitor: str
    title: str
    created: float
    updated: float


@dataclass(frozen=True, slots=True)
class RunRow:
    """``follows`` is the run before it in the conversation ("" for the first); ``ended`` an event's name or ""."""

    id: str
    conversation: str
    follows: str
    created: float
    ended: str


class Store:
    """All that lasts. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, url: str) -> None:
        """Open the database at an SQLAlchemy URL, and make its tables where they are missing."""
        self._process = f"{socket.gethostname()}:{os.getpid()}"
        with _failing():
            self._engine = open_engine(url)
            TABLES.create_all(self._engine)
        self._add_event = Statement(ADD_EVENT, self._engine)
        self._end_run = Statement(END_RUN, self._engine)
        self._find_artifact = Statement(FIND_ARTIFACT, self._engine)
        self._insert_artifact = Statement(INSERT_ARTIFACT, self._engine)

    def close(self) -> None:
        self._engine.dispose()

    def add_conversation(self, visitor: str, title: str) -> str:
        """A new conversation's id. The title is shortened to one line of 80 characters."""
        line = " ".join(title.split())
        short = line if len(line) <= _TITLE_CHARACTERS else line[: _TITLE_CHARACTERS - 1] + "…"
        conversation = uuid4().hex
        with self._begin() as connection:
            row = {"id": conversation, "visitor": visitor, "title": short, "created": time(), "updated": time()}
            connection.execute(sql.insert(CONVERSATIONS), row)
        return conversation

    def conversation(self, conversation: str) -> ConversationRow | None:
        """The conversation of that id; ids cannot be guessed."""
        chosen = sql.select(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation)
        with self._begin() as connection:
            row = connection.execute(chosen).one_or_none()
        return None if row is None else ConversationRow(*row)

    def conversations(self, visitor: str) -> list[ConversationRow]:
        """The visitor's conversations, the latest first."""
        chosen = sql.select(CONVERSATIONS).where(CONVERSATIONS.c.visitor == visitor)
        with self._begin() as connection:
            return [
                ConversationRow(*row) for row in connection.execute(chosen.order_by(CONVERSATIONS.c.updated.desc()))
            ]

    def add_run(self, conversation: str, follows: str = "") -> str:
        """A new run's id; it belongs to this process until it ends or its lease runs out."""
        run = uuid4().hex
        row = {"id": run, "conversation": conversation, "follows": follows, "created": time()}
        with self._begin() as connection:
            connection.execute(sql.insert(RUNS), row | {"process": self._process, "alive": time(), "ended": ""})
            touched = sql.update(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation).values(updated=time())
            connection.execute(touched)
        return run

    def path(self, conversation: str, last: str = "") -> list[RunRow]:
        """The runs of a conversation that lead to ``last`` (the latest run where it is ""), oldest first."""
        chosen = sql.select(*_RUN_ROW).where(RUNS.c.conversation == conversation).order_by(RUNS.c.created)
        with self._begin() as connection:
            rows = [RunRow(*row) for row in connection.execute(chosen)]
        by_id = {row.id: row for row in rows}
        path: list[RunRow] = []
        current = by_id.get(last) if last else (rows[-1] if rows else None)
        while current is not None and current not in path:
            path.append(current)
            current = by_id.get(current.follows)
        return path[::-1]

    def run(self, run: str) -> RunRow | None:
        with self._begin() as connection:
            row = connection.execute(sql.select(*_RUN_ROW).where(RUNS.c.id == run)).one_or_none()
        return None if row is None else RunRow(*row)

    def append(self, run: str, events: Sequence[Event]) -> None:
        """Add events to a run, in one transaction, with the contents of their artifacts.

        Raises ``RunEnded`` for an ended (or unknown) run; nothing is then added.
        """
        with self._cursor() as cursor:
            for event in events:
                if self._add_event.execute(cursor, {"run": run, "body": dump(event)}).rowcount == 0:
                    raise RunEnded(f"run {run} has ended")
                if isinstance(event, Answered | Failed):
                    self._end_run.execute(cursor, {"run": run, "ended": event.type})
            for artifact in _with_content(events):
                named = {"run": run, "hash": artifact.hash}
                if self._find_artifact.execute(cursor, named).fetchone() is None:
                    self._insert_artifact.execute(cursor, named | {"content": artifact.content})

    def events(self, run: str, after: int = 0) -> list[Event]:
        """The run's stored events with a number above ``after``."""
        chosen = sql.select(EVENTS.c.body).where(EVENTS.c.run == run, EVENTS.c.number > after)
        with self._begin() as connection:
            bodies = connection.execute(chosen.order_by(EVENTS.c.number)).scalars().all()
        return [load(body) for body in bodies]

    def artifact(self, run: str, hash: str) -> bytes | None:
        """The content of an artifact of that run."""
        chosen = sql.select(ARTIFACTS.c.content).where(ARTIFACTS.c.run == run, ARTIFACTS.c.hash == hash)
        with self._begin() as connection:
            return connection.execute(chosen).scalar_one_or_none()

    def renew(self, runs: Sequence[str]) -> None:
        """Say that these runs of this process are still at work."""
        with self._begin() as connection:
            connection.execute(sql.update(RUNS).where(RUNS.c.id.in_(runs)).values(alive=time()))

    def close_interrupted(self) -> list[str]:
        """End, as ``interrupted``, the runs whose process is gone; their ids."""
        chosen = sql.select(RUNS.c.id, RUNS.c.process, RUNS.c.alive).where(RUNS.c.ended == "")
        with self._begin() as connection:
            open_runs = connection.execute(chosen).all()
        closed: list[str] = []
        for run, process, alive in open_runs:
            if alive < time() - LEASE_SECONDS or self._gone(process):
                message = "The server was stopped while this was being answered. Ask again to start over."
                with suppress(RunEnded):
                    self.append(run, [Failed("interrupted", message)])
                    closed.append(run)
        return closed

    def _gone(self, process: str) -> bool:
        """Whether a process of this machine is known to have ended (elsewhere only the lease can tell)."""
        host, _, number = process.rpartition(":")
        if host != socket.gethostname():
            return False
        return Path("/proc/self").exists() and not Path(f"/proc/{number}").exists()

    @contextmanager
    def _cursor(self) -> Generator[Any]:
        """A cursor of the driver's own, in a transaction: events come often, and this costs a quarter of Core's way."""
        with _failing():
            connection = self._engine.raw_connection()
            try:
                cursor = connection.cursor()
                yield cursor
                cursor.close()
                connection.commit()
            except self._engine.dialect.loaded_dbapi.Error as error:
                raise SQLAlchemyError(str(error)) from error
            finally:
                connection.close()

    @contextmanager
    def _begin(self) -> Generator[Connection]:
        with _failing(), self._engine.begin() as connection:
            yield connection


@contextmanager
def _failing() -> Generator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        reason = type(getattr(error, "orig", None) or error.__cause__ or error).__name__
        raise StoreFailed(f"The conversations cannot be read or written ({reason}).") from error


def _with_content(events: Sequence[Event]) -> Iterator[Artifact]:
    for event in events:
        if isinstance(event, Observed):
            yield from (artifact for artifact in event.artifacts if artifact.content)
