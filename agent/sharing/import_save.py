"""An imported conversation, written into the store."""

from __future__ import annotations

from dataclasses import replace
from time import time
from typing import Any, TypeAlias
from uuid import uuid4

import sqlalchemy as sql

from agent.events import Asked, Event, Prepared, dump
from agent.sharing.export.collected import IMPORTED, Exported, ExportedRun, renamed
from agent.store.runs import Store
from agent.store.schema import ARTIFACTS, CONVERSATIONS, EVENTS, RUNS, TEXTS
from agent.store.search import fold, said
from agent.store.unanswered import short_title

Rows: TypeAlias = dict[sql.Table, list[dict[str, Any]]]
# Apart enough for a clock in seconds, so that the runs keep their order.
_BETWEEN_RUNS = 1e-4


def save_import(store: Store, visitor: str, exported: Exported, mark: str = IMPORTED, own: bool = False) -> str:
    """The id of a new conversation of the visitor with the runs that ``read_import`` gave, under new ids.

    Its title ends with ``mark``. Its runs are marked as somebody else's, unless they are the visitor's ``own``. All is
    written or nothing: raises ``StoreFailed`` where the store does.
    """
    conversation, now = uuid4().hex, time()
    short = short_title(exported.title)
    title = f"{short} {mark}".strip()
    ids = {run.id: uuid4().hex for run in exported.runs}
    text = {"part": conversation, "conversation": conversation, "body": fold(title)}
    rows: Rows = {RUNS: [], EVENTS: [], ARTIFACTS: [], TEXTS: [text]}
    for place, run in enumerate(exported.runs):
        events = run.events if own else tuple(map(_foreign, run.events))
        _add(rows, replace(run, events=events), ids, conversation, now + place * _BETWEEN_RUNS)
    with store.database.begin() as connection:
        row = {"id": conversation, "visitor": visitor, "title": title, "created": now, "updated": now}
        connection.execute(sql.insert(CONVERSATIONS), row)
        for table, values in rows.items():
            if values:
                connection.execute(sql.insert(table), values)
    return conversation


def _foreign(event: Event) -> Event:
    return replace(event, imported=True) if isinstance(event, Asked | Prepared) else event


def _add(rows: Rows, run: ExportedRun, ids: dict[str, str], conversation: str, created: float) -> None:
    """Add the rows of one run. It belongs to no process, and has ended."""
    known = ids[run.id]
    row = {"id": known, "conversation": conversation, "follows": ids.get(run.follows, ""), "created": created}
    row |= {"process": "", "alive": 0.0, "ended": run.events[-1].type}
    rows[RUNS].append(row | {"verdict": run.verdict, "comment": run.comment})
    bodies = [dump(renamed(event, ids)) for event in run.events]
    rows[EVENTS].extend(
        {"run": known, "number": number, "body": body, "kind": event.type}
        for number, (event, body) in enumerate(zip(run.events, bodies, strict=True), 1)
    )
    rows[ARTIFACTS].extend({"run": known, "hash": hash, "content": content} for hash, content in run.artifacts.items())
    rows[TEXTS].append({"part": known, "conversation": conversation, "body": said(bodies)})
