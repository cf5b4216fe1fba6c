"""What somebody may read: runs of their own, or those of a shared chat, as its readers are shown them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.application.services import Services
from agent.application.setup import Choice, default_choice
from agent.context.turns import History
from agent.errors import RunUnreadable
from agent.events import Event
from agent.evidence import Earlier, Evidence
from agent.settings import owner_secrets
from agent.sharing.shared_events import content_for_readers, evidence_for_readers, for_readers
from agent.sharing.shares import SharedChat
from agent.store.runs import RunRow


@dataclass(frozen=True, slots=True)
class Readership:
    """A person who reads: the ``visitor``, or whoever has the address of a ``shared`` chat, and may do nothing else.

    Methods that take a row are for rows that ``run`` gave. They raise ``RunUnreadable`` and ``StoreFailed``.
    """

    services: Services
    visitor: str
    shared: SharedChat | None = None

    def run(self, run: str) -> RunRow | None:
        """The run of that id, if it may be read."""
        if self.shared:
            return self.shared.run(run)
        row = self.services.store.run(run)
        its = self.services.store.conversation(row.conversation) if row else None
        return row if its and its.visitor == self.visitor else None

    def events(self, row: RunRow) -> list[Event]:
        store = self.services.store
        events = store.whole(row) if row.ended else store.events(row.id)
        if not self.shared:
            return events
        return for_readers(events, self._past(row).values(), owner_secrets(self.services.settings))

    def readable(self, row: RunRow) -> list[Event]:
        """As ``events``; none where the run cannot be read."""
        try:
            return self.events(row)
        except RunUnreadable:
            return []

    def before(self, row: RunRow) -> History:
        """The runs that lead to this one, oldest first; only those that can be read."""
        past = self._past(row)
        if not self.shared:
            return past
        told: list[Sequence[Event]] = []
        shown: dict[str, Sequence[Event]] = {}
        for run, events in past.items():
            shown[run] = for_readers(events, told, owner_secrets(self.services.settings))
            told.append(events)
        return shown

    def _past(self, row: RunRow) -> dict[str, list[Event]]:
        store = self.services.store
        *earlier, _ = store.path(row.conversation, row.id)
        return store.past(row.conversation, [place.id for place in earlier])

    def artifact(self, row: RunRow, hash: str) -> bytes | None:
        content = self.services.store.artifact(row.id, hash)
        if content is None or not self.shared:
            return content
        return content_for_readers(content, owner_secrets(self.services.settings))

    def evidence(self, row: RunRow, earlier: Sequence[Earlier]) -> Evidence:
        """What stands behind the answer, notes among it: what is shown of them has the same places."""
        store = self.services.store
        events = store.whole(row) if row.ended else store.events(row.id)
        known = self.services.evidence(row.id, events, earlier, shared=self.shared is not None)
        if not self.shared:
            return known
        return evidence_for_readers(known, events, self.events(row), owner_secrets(self.services.settings))

    def choice(self, own: Choice) -> Choice:
        """With what prices and windows are looked up: a reader's own choice says nothing of another's chat."""
        return default_choice(self.services.settings) if self.shared else own
