"""A chat of one's own that begins with what somebody shared: their events, as readers are shown them.

The original is read and never changed. What is the sharer's alone does not come along: notes, keys and private
addresses are starred out as for every reader, what their model sent unread and how they instructed it stays behind, and
so do verdicts and comments. Tables and documents come along that the chat had when it was shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from agent.application.readership import Readership
from agent.application.services import Services
from agent.application.teams.beginning import BEGINNING, Beginning
from agent.application.teams.files_along import bring_files
from agent.errors import BadRequest, RunUnreadable
from agent.events import Answered, Asked, Event, Failed, Inner, Prepared, Replied, ToolCalled, dump
from agent.sharing.export.collected import Exported, ExportedRun, artifact_hashes, nearest
from agent.sharing.import_save import save_import
from agent.sharing.shares import SharedChat
from agent.store.runs import RunRow

MOST_BYTES = 50_000_000  # of events and of what steps made
_MOST_RUNS = 500


def branch(services: Services, visitor: str, shared: SharedChat) -> str:
    """The id of the new chat of the visitor, to whom ``shared`` was opened.

    Raises ``BadRequest`` where that may only be read, is too large, or cannot be read; ``StoreFailed``.
    """
    if not shared.branching or shared.sharer is None or not visitor:
        raise BadRequest.because("This chat may only be read.")
    before = {row.id: row.follows for row in services.store.runs(shared.conversation)}
    runs = tuple(_runs(Readership(services, "", shared), shared, before))
    if not any(run.id in {row.id for row in shared.turns} for run in runs):
        raise BadRequest.because("Nothing of this chat can be read here, so it cannot be gone on with.")
    conversation = save_import(services.store, visitor, Exported(shared.title, runs), mark="")
    left = bring_files(services, shared, conversation)
    began = Beginning(sharer=shared.sharer.name, confirmed=shared.sharer.confirmed, left=left)
    services.chats.choose(visitor, conversation, BEGINNING, began.written())
    return conversation


def _runs(reader: Readership, shared: SharedChat, before: Mapping[str, str]) -> Iterator[ExportedRun]:
    """The runs that come along, the oldest first; none that cannot be read."""
    there, left = [row for row in (*shared.beside, *shared.turns) if row.id in before], MOST_BYTES
    names: dict[str, str] = {}
    for row in sorted(there, key=lambda row: row.created):
        try:
            events = tuple(map(_taken_along, reader.events(row)))
        except RunUnreadable:
            continue
        if row.id in names or not _is_whole(events):
            continue
        names[row.id] = row.id
        contents = _contents(reader, row, events)
        left -= sum(len(dump(event)) for event in events) + sum(map(len, contents.values()))
        if left < 0 or len(names) > _MOST_RUNS:
            raise BadRequest.because("This chat is too large to go on with in another: it can be read here.")
        yield ExportedRun(row.id, nearest(row.follows, before, names), events, artifacts=contents)


def _is_whole(events: tuple[Event, ...]) -> bool:
    return bool(events) and isinstance(events[0], Asked) and isinstance(events[-1], Answered | Failed)


def _taken_along(event: Event) -> Event:
    """The event without what is of use to the sharer's own server alone, or tells a model what to do.

    A run that follows one without ``parts`` is instructed anew, as its own person has it.
    """
    match event:
        case Prepared():
            return replace(event, parts={}, prompts={}, prompt_cache_key="", lead="", after_results="")
        case Replied() | ToolCalled():
            return replace(event, opaque="")
        case Inner():
            return replace(event, event=_taken_along(event.event))
        case _:
            return event


def _contents(reader: Readership, row: RunRow, events: Sequence[Event]) -> dict[str, bytes]:
    """By their hash; what a key was taken from is not what its event names any more, and stays behind."""
    found = ((hash, reader.artifact(row, hash)) for hash in artifact_hashes(events))
    return {hash: content for hash, content in found if content is not None and sha256(content).hexdigest() == hash}
