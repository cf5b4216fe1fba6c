"""Conversations, runs, events and artifacts, append-only, in SQLite or PostgreSQL.

A run's events are numbered from 1 without gaps. An ended run takes no more events, whoever tries: that is what keeps
two processes on one store, or a worker that outlives its run, from doing harm.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql

from agent.endings import INTERRUPTED, closing
from agent.errors import RunUnreadable, StoreFailed, StoreRefused
from agent.events import Answered, Asked, Event, Failed, Observed, Replied, Resumed, Waiting, dump, load
from agent.inner_runs import all_events
from agent.interface_text import Text
from agent.store.database import Database
from agent.store.kept_runs import KeptRuns
from agent.store.leases import Leases, Lost
from agent.store.schema import (
    ADD_EVENT,
    ANYBODY,
    ARTIFACTS,
    CONVERSATIONS,
    END_RUN,
    EVENTS,
    FIND_ARTIFACT,
    INSERT_ARTIFACT,
    LOCK_RUN,
    READ_BODIES,
    READ_SPENT,
    REMOVE_STREAMED,
    RUNS,
    TAKE_LOST_RUN,
    TAKE_RUN,
    TOTAL_RUN,
    WAIT_RUN,
)
from agent.store.search import Texts
from agent.store.totals import spent
from agent.store.unanswered import NotWaiting, Unanswered, add_conversation, add_run
from agent.upcasters import NotAnEvent

log = logging.getLogger(__name__)
_AT_ONCE = 500  # runs in one statement
_ENDS, _SHOWING = (Answered, Failed), (Asked, Observed)
STOPPED = Failed("cancelled", Text("Stopped."))

CONVERSATION_ROW = (
    CONVERSATIONS.c.id,
    CONVERSATIONS.c.visitor,
    CONVERSATIONS.c.title,
    CONVERSATIONS.c.created,
    CONVERSATIONS.c.updated,
    (CONVERSATIONS.c.pinned > 0).label("pinned"),
    sql.exists()
    .where(RUNS.c.conversation == CONVERSATIONS.c.id, RUNS.c.waiting == 1, RUNS.c.ended == "")
    .correlate(CONVERSATIONS)
    .label("waiting"),
)
_RUN_ROW = (RUNS.c.id, RUNS.c.conversation, RUNS.c.follows, RUNS.c.created, RUNS.c.ended)
# What every drawing of a page asks for.
_ID = sql.bindparam("id", type_=sql.String)
_CONVERSATION = sql.select(*CONVERSATION_ROW).where(CONVERSATIONS.c.id == _ID, CONVERSATIONS.c.deleted == 0)
_RUNS = sql.select(*_RUN_ROW).where(RUNS.c.conversation == _ID).order_by(RUNS.c.created)
_ONE_RUN = sql.select(*_RUN_ROW).where(RUNS.c.id == _ID)


class RunEnded(StoreFailed):
    """The run has its ``Answered`` or ``Failed`` already, or another process has taken it up."""


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """``created`` and ``updated`` are seconds since the epoch; ``waiting``: a run of it waits for the person."""

    id: str
    visitor: str
    title: str
    created: float
    updated: float
    pinned: bool = False
    waiting: bool = False


class RunRow(NamedTuple):  # of which each rerun of a page makes one for every turn
    """``follows`` is the run before it in the conversation ("" for the first); ``ended`` an event's name or ""."""

    id: str
    conversation: str
    follows: str
    created: float
    ended: str


class Store:
    """All that lasts. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, url: str, folder: Path | None = None) -> None:
        """Open the database at an SQLAlchemy URL, and make its tables where they are missing.

        In ``folder``, processes see which others have ended (see ``Leases``); it is beside SQLite's file by default.
        """
        self._kept = KeptRuns()
        self.database = Database(url)
        self.leases = Leases(self.database, folder or self.database.folder)
        self._statement = self.database.statement
        self.texts = Texts(self.database)
        self.texts.keep_missing()
        self.unanswered = Unanswered(self.database, self.texts, self.leases.process)

    def close(self) -> None:
        self.leases.close()
        self.database.close()

    def add_conversation(self, visitor: str, title: str) -> str:
        """A new conversation's id. The title is shortened to one line of 80 characters."""
        with self.database.begin() as connection:
            return add_conversation(connection, self.texts, visitor, title)

    def conversation(self, conversation: str) -> ConversationRow | None:
        """The conversation of that id, unless it was deleted; ids cannot be guessed."""
        return next((ConversationRow(*row) for row in self.database.rows(_CONVERSATION, id=conversation)), None)

    def add_run(self, conversation: str, follows: str = "") -> str:
        """A new run's id; it belongs to this process until it ends or its lease runs out."""
        with self.database.begin() as connection:
            return add_run(connection, self.leases.process, conversation, follows)

    def runs(self, conversation: str) -> list[RunRow]:
        """All the runs of a conversation, oldest first, whichever branch they are on."""
        return [RunRow(*row) for row in self.database.rows(_RUNS, id=conversation)]

    def path(self, conversation: str, last: str = "") -> list[RunRow]:
        """The runs of a conversation that lead to ``last`` (the latest run where it is ""), oldest first."""
        rows = self.runs(conversation)
        by_id = {row.id: row for row in rows}
        path: dict[str, RunRow] = {}
        current = by_id.get(last) if last else (rows[-1] if rows else None)
        while current is not None and current.id not in path:
            path[current.id] = current
            current = by_id.get(current.follows)
        return [*path.values()][::-1]

    def run(self, run: str) -> RunRow | None:
        return next((RunRow(*row) for row in self.database.rows(_ONE_RUN, id=run)), None)

    def append(self, run: str, events: Sequence[Event], taken: int = ANYBODY) -> None:
        """Add events to a run, in one transaction, with the contents of their artifacts.

        Where the last one is a ``Waiting``, the run waits for the person from now on. Raises ``RunEnded`` for an ended
        (or unknown) run, and where it was ``taken`` up another number of times; nothing is then added.
        """
        with self.database.cursor() as cursor:
            self._append(cursor, run, events, taken)

    def take_lost(self, lost: Lost, seen: int, resumed: Resumed) -> int | None:
        """Take up a run whose process is gone, which then is this one's; how often it was taken up by now.

        Of all that try, one succeeds; the others, and whoever has ``seen`` another number of events, get ``None``.
        """
        named = {"run": lost.run, "lost_taken": lost.taken, "new_process": self.leases.process}
        with self.database.cursor() as cursor:
            self._statement(LOCK_RUN).execute(cursor, {"run": lost.run}).fetchone()
            if not self._statement(TAKE_LOST_RUN).execute(cursor, named).rowcount:
                return None
            if len(self._statement(READ_BODIES).execute(cursor, {"run": lost.run}).fetchall()) != seen:
                cursor.connection.rollback()
                return None
            self._append(cursor, lost.run, [resumed], lost.taken + 1)
            self._statement(REMOVE_STREAMED).execute(cursor, {"run": lost.run})
        return lost.taken + 1

    def take_up(self, run: str, events: Sequence[Event], call_id: str = "") -> int:
        """Add events to a run that waits for the person (for ``call_id``, where given), which then is this process's.

        How often it was taken up from a process that was gone. Of all that try, one succeeds; for the others, and
        where it does not wait, raises ``NotWaiting``.
        """
        with self.database.cursor() as cursor:
            taking = {"run": run, "new_process": self.leases.process}
            taken = self._statement(TAKE_RUN).execute(cursor, taking).rowcount
            if not taken or (call_id and not self._waits_for(cursor, run, call_id)):
                raise NotWaiting(Text("This was decided already."))
            self._append(cursor, run, events)
            return int(self._statement(LOCK_RUN).execute(cursor, {"run": run}).fetchone()[0])

    def choice(self, run: str) -> str:
        """With what a run is answered that has not ended, as ``Unanswered.begin`` was told."""
        return next((body for (body,) in self.database.rows(sql.select(RUNS.c.choice).where(RUNS.c.id == run))), "")

    def _waits_for(self, cursor: Any, run: str, call_id: str) -> bool:
        waiting = next(reversed(self._read(cursor, run)), None)
        return isinstance(waiting, Waiting) and waiting.call_id == call_id

    def _append(self, cursor: Any, run: str, events: Sequence[Event], taken: int = ANYBODY) -> None:
        add = self._statement(ADD_EVENT)
        for event in events:
            row = {"run": run, "body": dump(event), "kind": event.type, "taken": taken}
            if add.execute(cursor, row).rowcount == 0:
                raise RunEnded(f"run {run} has ended")
            if isinstance(event, _ENDS):
                self._statement(END_RUN).execute(cursor, {"run": run, "ended": event.type})
        ends = any(isinstance(event, _ENDS) for event in events)
        if ends or Replied in map(type, events):
            self._statement(REMOVE_STREAMED).execute(cursor, {"run": run})
        seen = [event for event in all_events(events) if isinstance(event, _SHOWING)]
        for artifact in (artifact for event in seen for artifact in event.artifacts if artifact.content):
            named = {"run": run, "hash": artifact.hash}
            if self._statement(FIND_ARTIFACT).execute(cursor, named).fetchone() is None:
                self._statement(INSERT_ARTIFACT).execute(cursor, named | {"content": artifact.content})
        self.texts.keep(cursor, run, events, ends)
        if ends:
            self._keep_totals(cursor, run)
        if events and isinstance(events[-1], Waiting):
            self._statement(WAIT_RUN).execute(cursor, {"run": run})

    def is_waiting(self, run: str) -> bool:
        """Whether the run waits for the person."""
        waits = sql.exists().where(RUNS.c.id == run, RUNS.c.ended == "", RUNS.c.waiting == 1)
        with self.database.begin() as connection:
            return bool(connection.execute(sql.select(waits)).scalar_one())

    def total(self, runs: Sequence[str]) -> None:
        """Work out anew what these ended runs took (see ``agent.store.totals``), where they can be read."""
        with self.database.cursor() as cursor:
            for run in runs:
                self._keep_totals(cursor, run)

    def _keep_totals(self, cursor: Any, run: str) -> None:
        try:
            events = self._read(cursor, run, READ_SPENT)
            asked = next((event for event in events if isinstance(event, Asked)), None)
            # One that goes on from a step has the steps before it from its parent.
            before = self._read(cursor, asked.parent, READ_SPENT) if asked and asked.at else []
        except RunUnreadable:
            return
        values = asdict(spent(events, before))
        del values["runs"]
        self._statement(TOTAL_RUN).execute(cursor, {"run": run, **values, "estimated": int(values["estimated"])})

    def _read(self, cursor: Any, run: str, which: sql.Select[tuple[str]] = READ_BODIES) -> list[Event]:
        return _events(body for (body,) in self._statement(which).execute(cursor, {"run": run}).fetchall())

    def readable(self, run: str) -> list[Event]:
        """The run's stored events; none where it cannot be read."""
        with suppress(RunUnreadable):
            return self.events(run)
        return []

    def events(self, run: str, after: int = 0) -> list[Event]:
        """The run's stored events with a number above ``after``. Raises ``RunUnreadable``."""
        chosen = sql.select(EVENTS.c.body).where(EVENTS.c.run == run, EVENTS.c.number > after)
        return _events(body for (body,) in self.database.rows(chosen.order_by(EVENTS.c.number)))

    def past(self, conversation: str, runs: Sequence[str]) -> dict[str, list[Event]]:
        """The events of those runs of a conversation, in that order, without those that cannot be read.

        What has ended does not change: it is read once, and kept for a while.
        """
        found = self._kept.find(conversation, runs)
        read = self._past(conversation, [run for run in runs if run not in found])
        ended = {run: each for run, each in read.items() if isinstance(each[0][-1], Answered | Failed)}
        self._kept.keep(conversation, ended)
        found |= {run: events for run, (events, _) in read.items()}
        return {run: found[run] for run in runs if run in found}

    def whole(self, row: RunRow) -> list[Event]:
        """The events of a run that has ended, kept as ``past`` keeps them. Raises ``RunUnreadable``."""
        return self.past(row.conversation, [row.id]).get(row.id) or self.events(row.id)

    def said(self, conversation: str, runs: Sequence[str]) -> dict[str, list[Event]]:
        """As ``past``, of each run its question and its end alone: what a page remembers of many turns."""
        said = self._past(conversation, runs, ("Asked", "Answered", "Failed"))
        return {run: events for run, (events, _) in said.items()}

    def _past(
        self, conversation: str, runs: Sequence[str], kinds: Sequence[str] = ()
    ) -> dict[str, tuple[list[Event], int]]:
        """The events, of those ``kinds`` where any are named, of the runs that can be read, and their characters.

        Events of before their kind was kept are of every kind.
        """
        bodies: dict[str, list[str]] = {}
        for some in (runs[start : start + _AT_ONCE] for start in range(0, len(runs), _AT_ONCE)):
            chosen = sql.select(EVENTS.c.run, EVENTS.c.body).join(RUNS, RUNS.c.id == EVENTS.c.run)
            chosen = chosen.where(RUNS.c.conversation == conversation, EVENTS.c.run.in_(some))
            chosen = chosen.where(EVENTS.c.kind.in_((*kinds, ""))) if kinds else chosen
            for run, body in self.database.rows(chosen.order_by(EVENTS.c.run, EVENTS.c.number)):
                bodies.setdefault(run, []).append(body)
        found: dict[str, tuple[list[Event], int]] = {}
        for run, lines in bodies.items():
            with suppress(RunUnreadable):
                found[run] = _events(lines), sum(map(len, lines))
        return found

    def artifact(self, run: str, hash: str) -> bytes | None:
        """The content of an artifact of that run."""
        chosen = sql.select(ARTIFACTS.c.content).where(ARTIFACTS.c.run == run, ARTIFACTS.c.hash == hash)
        return next((content for (content,) in self.database.rows(chosen)), None)

    def close_interrupted(self, run: str = "", handed: bool = False) -> list[str]:
        """End the runs whose process is gone, or that ``run`` alone; their ids. What waits for the person waits on.

        They end as ``interrupted``, or as stopped where somebody asked for that. ``handed`` is as in ``Leases.lost``.
        """
        lost = [each for each in self.leases.lost(handed) if run in ("", each.run)]
        for each in lost:
            self.close_lost(each, STOPPED if each.stopping else INTERRUPTED)
        return [each.run for each in lost]

    def close_lost(self, lost: Lost, failed: Failed) -> None:
        """End a run that nobody works on; one that cannot be ended in order is marked as ended."""
        run = lost.run
        try:
            events = self.readable(run)
            self.append(run, closing([*events, *self.unanswered.streamed(run, len(events))], failed), lost.taken)
        except RunEnded:
            return
        except Exception as error:  # the edge: whatever a damaged run leads to stays with that run
            if isinstance(error, StoreFailed) and not isinstance(error, StoreRefused):
                raise
            log.exception("run %s cannot be ended in order", run)
            self.database.change(sql.update(RUNS).where(RUNS.c.id == run, RUNS.c.ended == "").values(ended=failed.type))


def _events(bodies: Iterable[str]) -> list[Event]:
    try:
        return [load(body) for body in bodies]
    except NotAnEvent as error:
        raise RunUnreadable(error.newer) from error
