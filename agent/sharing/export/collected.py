"""The content of an export, read from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sql

from agent.errors import BadRequest, RunUnreadable
from agent.events import Asked, Event, MadeRoom, Observed, Prepared, dump, load
from agent.inner_runs import all_events
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.text.regex import regex

# What the title of an imported conversation ends with. It is no part of an export.
IMPORTED = "(imported)"
# A NUL as JSON writes it, after any number of whole escaped backslashes.
_NUL = regex(r"(?<!\\)((?:\\\\)*)\\u0000")


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """One run. ``follows`` is the ``id`` of an earlier run of the export, or "".

    ``verdict`` is the reader's thumb: 1 good, 0 bad, ``None`` none; ``comment`` what was written to it.
    ``artifacts`` are contents by their SHA-256 hash, as far as they are kept.
    """

    id: str
    follows: str
    events: tuple[Event, ...]
    verdict: int | None = None
    comment: str = ""
    artifacts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class Exported:
    """Runs of one conversation, each after the one it follows or branches from.

    ``unreadable`` counts the runs that were left out because they cannot be read here.
    """

    title: str
    runs: tuple[ExportedRun, ...]
    unreadable: int = field(default=0, compare=False)


def take(store: Store, visitor: str, conversation: str, only: Sequence[str] = ()) -> Exported:
    """The ended runs of a visitor's conversation, the oldest first; of these, those named by ``only`` if it is given.

    Runs are called by their place (``1``, ``2``, …), in ``Asked.parent`` too, so that a file says nothing about the
    store and an import of it exports to the same bytes. What follows a run that is left out follows the run before.

    Raises ``BadRequest`` where the visitor has no such conversation or nothing of it has ended, ``RunUnreadable`` where
    nothing of it can be read.
    """
    found = store.conversation(conversation)
    if found is None or found.visitor != visitor:
        raise BadRequest.because("This chat is not there any more, so it cannot be exported.")
    chosen = sql.select(RUNS).where(RUNS.c.conversation == conversation).order_by(RUNS.c.created, RUNS.c.id)
    with store.database.begin() as connection:
        rows: list[Mapping[str, Any]] = [dict(row) for row in connection.execute(chosen).mappings()]
    before = {str(row["id"]): str(row["follows"]) for row in rows}
    names: dict[str, str] = {}
    runs: list[ExportedRun] = []
    unreadable: list[RunUnreadable] = []
    for row in rows:
        if (only and row["id"] not in only) or not row["ended"]:
            continue
        try:
            events = without_nul(store.events(row["id"]))
        except RunUnreadable as error:
            unreadable.append(error)
            continue
        if not isinstance(next(iter(events), None), Asked):
            continue  # its process died before it had stored the question
        names[row["id"]] = str(len(names) + 1)
        runs.append(
            ExportedRun(
                id=names[row["id"]],
                follows=nearest(row["follows"], before, names),
                events=tuple(renamed(event, names) for event in events),
                verdict=row["verdict"],
                comment=str(row.get("comment") or ""),
                artifacts=_contents(store, row["id"], events),
            )
        )
    if unreadable and not runs:
        raise unreadable[0]
    if not runs:
        raise BadRequest.because("There is nothing to export yet: no question of this chat has been answered.")
    return Exported(found.title.removesuffix(IMPORTED).rstrip(), tuple(runs), len(unreadable))


def without_nul(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with NUL characters, which no import takes, as U+FFFD."""
    lines = [dump(event) for event in events]
    return tuple(
        load(_NUL.sub("\\1\ufffd", line)) if "\\u0000" in line else event
        for event, line in zip(events, lines, strict=True)
    )


def artifact_hashes(events: Sequence[Event]) -> list[str]:
    """The hashes of all artifacts that the events name, each once, in their order."""
    named = (
        artifact.hash
        for event in all_events(events)
        if isinstance(event, Asked | Observed)
        for artifact in event.artifacts
    )
    return list(dict.fromkeys(named))


def nearest(follows: str, before: Mapping[str, str], names: Mapping[str, str]) -> str:
    """The name of the nearest run that is part of the export: ``follows``, or one ``before`` it."""
    seen: set[str] = set()
    while follows and follows not in names and follows not in seen:
        seen.add(follows)
        follows = before.get(follows, "")
    return names.get(follows, "")


def renamed(event: Event, names: Mapping[str, str]) -> Event:
    """The event with the runs that it names called by their new ``names``; one that has none is called ""."""
    if isinstance(event, Asked) and event.parent:
        parent = names.get(event.parent, "")
        return replace(event, parent=parent, at=event.at if parent else None)
    if isinstance(event, Prepared | MadeRoom) and event.turns:
        return replace(event, turns=tuple(replace(turn, run=names.get(turn.run, "")) for turn in event.turns))
    return event


def _contents(store: Store, run: str, events: Sequence[Event]) -> Mapping[str, bytes]:
    contents = ((hash, store.artifact(run, hash)) for hash in artifact_hashes(events))
    return {hash: content for hash, content in contents if content is not None}
