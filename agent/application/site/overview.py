"""The site as its owner sees it: who uses how much, what is at work, how far caps are used, what went wrong.

Nothing that a person, a model or a tool wrote is in here: no question, no title, no answer, no text of a failure.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from platform import python_version
from time import monotonic
from typing import Literal

import sqlalchemy as sql

from agent.application.chat_runs import ChatRuns
from agent.application.services import Services
from agent.application.setup import default_choice
from agent.application.site.known_people import KnownPeople
from agent.application.site.person import Person, is_owner
from agent.application.site.roll_call import RollCall, UpProcess
from agent.application.spending.budget import EVERYBODY, Used
from agent.events import Failed, FailedReason, load
from agent.settings import VERSION
from agent.store.migrations import MIGRATIONS
from agent.store.runs import NotWaiting
from agent.store.schema import CONVERSATIONS, EVENTS, RUNS, Now
from agent.upcasters import NotAnEvent

RunState = Literal["queued", "working", "waiting"]
_ORDER: tuple[RunState, ...] = ("working", "queued", "waiting")
MOST_ROWS = 50
_ERROR_SECONDS = 7 * 24 * 60 * 60.0
# What a person did is no error, nor what a cap of the owner's refused.
_NO_ERRORS = ("cancelled", "budget")
_ALL_EVENTS = 1 << 30  # more than any run has: nothing but its end is waited for
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Who:
    """A visitor: what they are ``called`` where they have signed in, else "", and a short id that says nothing."""

    short: str
    called: str = ""


@dataclass(frozen=True, slots=True)
class VisitorUse:
    """What a visitor has used today: ``questions`` and ``tokens`` of all models, ``paid`` of the owner's key alone."""

    who: Who
    questions: int
    tokens: int
    paid: Used


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that has not ended; ``seconds`` since it was asked, ``process`` is who works on it, "" for nobody yet."""

    run: str
    who: Who
    state: RunState
    seconds: float
    process: str


@dataclass(frozen=True, slots=True)
class RecentError:
    """A run that failed; ``reference`` finds the traceback in the log, where it was a fault of ours."""

    run: str
    who: Who
    when: float
    reason: FailedReason
    reference: str


@dataclass(frozen=True, slots=True)
class Cap:
    """The most of something in a day, and how much of it all visitors together have used; money in US dollars."""

    kind: Literal["messages", "money"]
    used: float
    most: float


@dataclass(frozen=True, slots=True)
class Overview:
    """One look at the site. ``left_out`` are the visitors and runs beyond those that are listed."""

    visitors: tuple[VisitorUse, ...]
    visitors_left_out: int
    runs: tuple[OpenRun, ...]
    runs_left_out: int
    counts: dict[RunState, int]
    caps: tuple[Cap, ...]
    used: Used
    errors: tuple[RecentError, ...]
    processes: tuple[UpProcess, ...]
    versions: tuple[tuple[str, str], ...]


class SiteOffice:
    """What an owner may do; made by ``site_office`` alone. Every method raises ``StoreFailed``."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._database = services.store.database
        self._people = KnownPeople(self._database)

    def look(self) -> Overview:
        """All of it, as it is now."""
        used = self._services.budget.used_today()
        uses, runs, errors = self._uses(used), self._open_runs(), self._errors()
        visitors = [each[0] for each in uses] + [each[0] for each in runs] + [each[0] for each in errors]
        people = self._people.called(visitors)

        def who(visitor: str) -> Who:
            return Who(short_id(visitor), people.get(visitor, ""))

        states = [state for _, _, state, _, _ in runs]
        counts: dict[RunState, int] = {name: states.count(name) for name in _ORDER}
        return Overview(
            tuple(VisitorUse(who(visitor), asked, tokens, paid) for visitor, asked, tokens, paid in uses[:MOST_ROWS]),
            max(0, len(uses) - MOST_ROWS),
            tuple(
                OpenRun(run, who(visitor), state, seconds, process)
                for visitor, run, state, seconds, process in runs[:MOST_ROWS]
            ),
            max(0, len(runs) - MOST_ROWS),
            counts,
            self._caps(used.get(EVERYBODY, Used())),
            used.get(EVERYBODY, Used()),
            tuple(
                RecentError(run, who(visitor), when, reason, reference)
                for visitor, run, when, reason, reference in errors
            ),
            tuple(RollCall(self._database, "").up()),
            self._versions(),
        )

    def stop(self, run: str) -> None:
        """Stop a run, whoever's it is, and wait a little for its end; nothing happens where it has ended."""
        row = self._services.store.run(run)
        its = self._services.store.conversation(row.conversation) if row else None
        if row is None or its is None or row.ended:
            return
        try:
            ChatRuns(self._services, its.visitor, "", default_choice(self._services.settings)).stop(run)
        except NotWaiting:  # it has ended meanwhile
            return
        ends = monotonic() + _END_SECONDS
        while monotonic() < ends and not self._services.runs.follow(run, _ALL_EVENTS, ends - monotonic()).done:
            pass

    def _uses(self, used: dict[str, Used]) -> list[tuple[str, int, int, Used]]:
        """Of each visitor of today: questions, tokens, and what they have used of the owner's key; the most first."""
        tokens = sql.func.coalesce(sql.func.sum(RUNS.c.input + RUNS.c.output), 0)
        asked = sql.select(CONVERSATIONS.c.visitor, sql.func.count(), tokens).join_from(RUNS, CONVERSATIONS)
        today = asked.where(RUNS.c.created >= self._services.budget.day_began).group_by(CONVERSATIONS.c.visitor)
        found = {visitor: (count, int(sum)) for visitor, count, sum in self._database.rows(today)}
        paid = {visitor: each for visitor, each in used.items() if visitor not in ("", EVERYBODY)}
        uses = [(visitor, *found.get(visitor, (0, 0)), paid.get(visitor, Used())) for visitor in {**found, **paid}]
        return sorted(uses, key=lambda use: (-use[3].money, -use[1], -use[2], use[0]))

    def _open_runs(self) -> list[tuple[str, str, RunState, float, str]]:
        """Of each unended run: visitor, id, state, seconds since it was asked, process; those at work first."""
        since = Now() - RUNS.c.created
        chosen = sql.select(CONVERSATIONS.c.visitor, RUNS.c.id, RUNS.c.waiting, since, RUNS.c.process)
        rows = self._database.rows(chosen.join_from(RUNS, CONVERSATIONS).where(RUNS.c.ended == ""))
        runs: list[tuple[str, str, RunState, float, str]] = [
            (visitor, run, _state(bool(waits), process), max(0.0, float(seconds)), process)
            for visitor, run, waits, seconds, process in rows
        ]
        return sorted(runs, key=lambda run: (_ORDER.index(run[2]), -run[3], run[1]))

    def _errors(self) -> list[tuple[str, str, float, FailedReason, str]]:
        """Of the latest runs that failed: visitor, id, when they were asked, reason, reference."""
        chosen = (
            sql.select(CONVERSATIONS.c.visitor, RUNS.c.id, RUNS.c.created, EVENTS.c.body)
            .join_from(RUNS, CONVERSATIONS)
            .join(EVENTS, sql.and_(EVENTS.c.run == RUNS.c.id, EVENTS.c.kind == "Failed"))
            .where(RUNS.c.ended == "Failed", RUNS.c.created > Now() - _ERROR_SECONDS)
            .order_by(RUNS.c.created.desc(), RUNS.c.id)
            .limit(4 * MOST_ROWS)
        )
        found: list[tuple[str, str, float, FailedReason, str]] = []
        for visitor, run, when, body in self._database.rows(chosen):
            failed = _failed(body)
            if failed and failed.reason not in _NO_ERRORS:
                found.append((visitor, run, when, failed.reason, failed.reference))
        return found[:MOST_ROWS]

    def _caps(self, used: Used) -> tuple[Cap, ...]:
        settings = self._services.settings
        caps = (Cap("messages", used.messages, settings.day_messages), Cap("money", used.money, settings.day_money))
        return tuple(cap for cap in caps if cap.most)

    def _versions(self) -> tuple[tuple[str, str], ...]:
        return (
            ("Glassbox", VERSION),
            ("Store", f"{len(MIGRATIONS)}, {self._database.version}"),
            ("Streamlit", version("streamlit")),
            ("Python", python_version()),
        )


def site_office(services: Services, person: Person | None) -> SiteOffice | None:
    """The office, for an owner of the site; ``None`` for everybody else."""
    return SiteOffice(services) if is_owner(person, services.settings.owners) else None


def short_id(visitor: str) -> str:
    """What tells visitors apart for a reader, and is of no use anywhere else."""
    return sha256(f"shown {visitor}".encode()).hexdigest()[:6]


def _state(waits: bool, process: str) -> RunState:
    if waits:
        return "waiting"
    return "working" if process else "queued"


def _failed(body: str) -> Failed | None:
    try:
        event = load(body)
    except NotAnEvent:
        return None
    return event if isinstance(event, Failed) else None
