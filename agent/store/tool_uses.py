"""When a visitor's runs used a tool last, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sql

from agent.events import Event, Observed, ToolCalled, load
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS, EVENTS, RUNS
from agent.upcasters import NotAnEvent

_MOST_RUNS = 60
# "" where version 0.1 wrote the event.
_KINDS = (ToolCalled.__name__, Observed.__name__, "")


@dataclass(frozen=True, slots=True)
class Use:
    """A call in a run. ``asked`` is when the run began, in seconds since the epoch; ``error`` a kind or ""."""

    run: str
    asked: float
    input: str
    seconds: float
    error: str


def last_uses(database: Database, visitor: str, own_name: str, most: int = 5) -> list[Use]:
    """The latest first, from the visitor's latest runs. Raises ``StoreFailed``."""
    if not visitor:
        return []
    runs = (
        sql.select(RUNS.c.id, RUNS.c.created)
        .join(CONVERSATIONS, CONVERSATIONS.c.id == RUNS.c.conversation)
        .where(CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.deleted == 0)
        .order_by(RUNS.c.created.desc())
        .limit(_MOST_RUNS)
    )
    with database.begin() as connection:
        created = {run: float(at) for run, at in connection.execute(runs)}
        bodies = (
            sql.select(EVENTS.c.run, EVENTS.c.body)
            .where(EVENTS.c.run.in_(list(created)))
            .where(EVENTS.c.kind.in_(_KINDS))
            .order_by(EVENTS.c.run, EVENTS.c.number)
        )
        found = connection.execute(bodies).all()
    by_run: dict[str, list[Event]] = {}
    for run, body in found:
        with suppress(NotAnEvent):
            by_run.setdefault(run, []).append(load(body))
    uses = [use for run, at in created.items() for use in reversed(_uses(run, at, by_run.get(run, ()), own_name))]
    return _once(uses)[:most]


def _uses(run: str, asked: float, events: Iterable[Event], own_name: str) -> list[Use]:
    calls: dict[str, str] = {}
    uses: list[Use] = []
    for event in events:
        if isinstance(event, ToolCalled) and event.own_name == own_name:
            calls[event.call_id] = event.input
        elif isinstance(event, Observed) and event.call_id in calls:
            uses.append(Use(run, asked, calls.pop(event.call_id), event.seconds, event.error))
    return uses


def _once(uses: Iterable[Use]) -> list[Use]:
    """Without the steps that a branch took over from another run: the same call that took the very same time."""
    each: dict[tuple[str, float, str], Use] = {}
    for use in reversed(list(uses)):
        each.setdefault((use.input, use.seconds, use.error), use)
    return [*each.values()][::-1]
