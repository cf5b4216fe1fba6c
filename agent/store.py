"""Conversations, runs, events and artifacts, append-only, in any database SQLAlchemy speaks (SQLite by default).

A run's events are numbered from 1 without gaps. An ended run takes no more events, whoever tries: that is what keeps
two processes on one store, or a worker that outlives its run, from doing harm.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

import sqlalchemy as sql
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

from agent.errors import StoreFailed
from agent.events import Answered, Artifact, Event, Failed, Observed, dump, load

LEASE_SECONDS = 20.0
_BUSY_MILLISECONDS = 10_000
_TITLE_CHARACTERS = 80

_tables = sql.MetaData()
_conversations = sql.Table(
    "conversations",
    _tables,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("title", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("updated", sql.Float, nullable=False),
)
_runs = sql.Table(
    "runs",
    _tables,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("conversation", sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("follows", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("process", sql.String, nullable=False),
    sql.Column("alive", sql.Float, nullable=False),
    sql.Column("events", sql.Integer, nullable=False),
    sql.Column("ended", sql.String, nullable=False, index=True),
)
_events = sql.Table(
    "events",
    _tables,
    sql.Column("run", sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
)
_artifacts = sql.Table(
    "artifacts",
    _tables,
    sql.Column("run", sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("hash", sql.String, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)

_TAKE_NUMBERS = (
    sql.update(_runs)
    .where(_runs.c.id == sql.bindparam("run"), _runs.c.ended == "")
    .values(events=_runs.c.events + sql.bindparam("more"), ended=sql.bindparam("ending"), alive=sql.bindparam("now"))
    .returning(_runs.c.events)
)
_INSERT_EVENTS = sql.insert(_events)


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
            self._engine = _engine(url)
            _tables.create_all(self._engine)

    def close(self) -> None:
        self._engine.dispose()

    def add_conversation(self, visitor: str, title: str) -> str:
        """A new conversation's id. The title is shortened to one line of 80 characters."""
        line = " ".join(title.split())
        short = line if len(line) <= _TITLE_CHARACTERS else line[: _TITLE_CHARACTERS - 1] + "…"
        conversation = uuid4().hex
        with self._begin() as connection:
            row = {"id": conversation, "visitor": visitor, "title": short, "created": time(), "updated": time()}
            connection.execute(sql.insert(_conversations), row)
        return conversation

    def conversation(self, conversation: str) -> ConversationRow | None:
        """The conversation of that id; ids cannot be guessed."""
        chosen = sql.select(_conversations).where(_conversations.c.id == conversation)
        with self._begin() as connection:
            row = connection.execute(chosen).one_or_none()
        return None if row is None else ConversationRow(*row)

    def conversations(self, visitor: str) -> list[ConversationRow]:
        """The visitor's conversations, the latest first."""
        chosen = sql.select(_conversations).where(_conversations.c.visitor == visitor)
        with self._begin() as connection:
            return [
                ConversationRow(*row) for row in connection.execute(chosen.order_by(_conversations.c.updated.desc()))
            ]

    def add_run(self, conversation: str, follows: str = "") -> str:
        """A new run's id; it belongs to this process until it ends or its lease runs out."""
        run = uuid4().hex
        row = {"id": run, "conversation": conversation, "follows": follows, "created": time()}
        with self._begin() as connection:
            connection.execute(
                sql.insert(_runs), row | {"process": self._process, "alive": time(), "events": 0, "ended": ""}
            )
            touched = sql.update(_conversations).where(_conversations.c.id == conversation).values(updated=time())
            connection.execute(touched)
        return run

    def path(self, conversation: str, last: str = "") -> list[RunRow]:
        """The runs of a conversation that lead to ``last`` (the latest run where it is ""), oldest first."""
        columns = (_runs.c.id, _runs.c.conversation, _runs.c.follows, _runs.c.created, _runs.c.ended)
        chosen = sql.select(*columns).where(_runs.c.conversation == conversation).order_by(_runs.c.created)
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
        columns = (_runs.c.id, _runs.c.conversation, _runs.c.follows, _runs.c.created, _runs.c.ended)
        with self._begin() as connection:
            row = connection.execute(sql.select(*columns).where(_runs.c.id == run)).one_or_none()
        return None if row is None else RunRow(*row)

    def append(self, run: str, events: Sequence[Event]) -> None:
        """Add events to a run, in one transaction, with the contents of their artifacts.

        Raises ``RunEnded`` for an ended (or unknown) run; nothing is then added.
        """
        ending = next((type(event).__name__ for event in events if isinstance(event, Answered | Failed)), "")
        with self._begin() as connection:
            numbers = {"run": run, "more": len(events), "ending": ending, "now": time()}
            total = connection.execute(_TAKE_NUMBERS, numbers).scalar_one_or_none()
            if total is None:
                raise RunEnded(f"run {run} has ended")
            first = total - len(events) + 1
            rows = [{"run": run, "number": first + index, "body": dump(event)} for index, event in enumerate(events)]
            connection.execute(_INSERT_EVENTS, rows)
            for artifact in _contents(events):
                _add_artifact(connection, run, artifact)

    def events(self, run: str, after: int = 0) -> list[Event]:
        """The run's stored events with a number above ``after``."""
        chosen = sql.select(_events.c.body).where(_events.c.run == run, _events.c.number > after)
        with self._begin() as connection:
            bodies = connection.execute(chosen.order_by(_events.c.number)).scalars().all()
        return [load(body) for body in bodies]

    def artifact(self, run: str, hash: str) -> bytes | None:
        """The content of an artifact of that run."""
        chosen = sql.select(_artifacts.c.content).where(_artifacts.c.run == run, _artifacts.c.hash == hash)
        with self._begin() as connection:
            return connection.execute(chosen).scalar_one_or_none()

    def renew(self, runs: Sequence[str]) -> None:
        """Say that these runs of this process are still at work."""
        with self._begin() as connection:
            connection.execute(sql.update(_runs).where(_runs.c.id.in_(runs)).values(alive=time()))

    def close_interrupted(self) -> list[str]:
        """End, as ``interrupted``, the runs whose process is gone; their ids."""
        chosen = sql.select(_runs.c.id, _runs.c.process, _runs.c.alive).where(_runs.c.ended == "")
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
        if host != socket.gethostname() or os.name != "posix" or int(number) == os.getpid():
            return False
        return not Path(f"/proc/{number}").exists() if Path("/proc/self").exists() else False

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with _failing(), self._engine.begin() as connection:
            yield connection


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        reason = type(getattr(error, "orig", None) or error).__name__
        raise StoreFailed(f"The conversations cannot be read or written ({reason}).") from error


def _engine(url: str) -> sql.Engine:
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return sql.create_engine(address, pool_pre_ping=True)
    if not address.database:
        return sql.create_engine(address, poolclass=StaticPool, connect_args={"check_same_thread": False})
    Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sql.create_engine(address, connect_args={"timeout": _BUSY_MILLISECONDS / 1000})
    sql.event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={_BUSY_MILLISECONDS}", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _contents(events: Sequence[Event]) -> Iterator[Artifact]:
    for event in events:
        if isinstance(event, Observed):
            yield from (artifact for artifact in event.artifacts if artifact.content)


def _add_artifact(connection: Connection, run: str, artifact: Artifact) -> None:
    known = sql.select(_artifacts.c.hash).where(_artifacts.c.run == run, _artifacts.c.hash == artifact.hash)
    if connection.execute(known).first() is None:
        row = {"run": run, "hash": artifact.hash, "content": artifact.content}
        connection.execute(sql.insert(_artifacts), row)
