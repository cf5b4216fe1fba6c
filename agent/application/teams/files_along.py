"""Tables and documents of a shared chat, copied into the folder of a chat that goes on with it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, BinaryIO, TypeAlias
from uuid import uuid4

from agent.application.backup.site_files import SiteFiles
from agent.application.services import Services
from agent.data.card_rows import Card, Loaded
from agent.data.documents.chat_documents import passages_file
from agent.data.kept_files.file_store import FilesFailed, parts_of
from agent.errors import BadRequest
from agent.sharing.shares import SharedChat

MOST_BYTES = 200_000_000  # of all files that come along
_Put: TypeAlias = Callable[[str, str, str, IO[bytes]], None]
log = logging.getLogger(__name__)


def bring_files(services: Services, shared: SharedChat, conversation: str) -> tuple[str, ...]:
    """Copy what was shared with a chat into a new one; the names of what could not be had any more, or is too large.

    What is copied is the new chat's own: it stays when the share is taken back, and goes with its chat.
    Raises ``StoreFailed``.
    """
    bringing = _Bringing(services, shared, conversation)
    tables, documents = services.tables.rows, services.documents.rows
    return (
        *bringing.all_of(shared.files.tables, tables.of(shared.conversation), bringing.table),
        *bringing.all_of(shared.files.documents, documents.of(shared.conversation), bringing.document),
    )


class _Bringing:
    def __init__(self, services: Services, shared: SharedChat, conversation: str) -> None:
        self._tables, self._documents = services.tables.rows, services.documents.rows
        self._files = SiteFiles(services.tables, services.documents)
        self._from, self._to = shared.conversation, conversation
        self._left = MOST_BYTES

    def all_of(
        self, shared: Mapping[str, str], there: Iterable[Loaded], bring: Callable[[Loaded], bool]
    ) -> Iterator[str]:
        """Bring what was ``shared``, as far as it is ``there``; the names of what did not come along."""
        found = {one.id: one for one in there}
        for id, name in shared.items():
            left, came = self._left, False
            try:
                came = id in found and bring(found[id])
            except (BadRequest, OSError) as error:  # the chat begins without it
                log.warning("a file of a shared chat did not come along: %s", type(error).__name__)
            if not came:
                self._left = left
                yield name

    def table(self, found: Loaded) -> bool:
        with self._files.putting() as put:
            row = {"id": found.id, "conversation": self._from, "card": json.dumps(found.card)}
            now = self._files.table(row, self._adding(put), max(1, self._left))
            if now is None:
                return False
            card: Card = json.loads(now["card"])
            self._tables.add(self._to, {uuid4().hex: card})
        return True

    def document(self, found: Loaded) -> bool:
        id = uuid4().hex
        with self._files.putting() as put:
            row = {"id": found.id, "conversation": self._from}
            if not self._files.document(row, self._adding(put, passages_file(id))):
                return False
            self._documents.add(self._to, {id: found.card})
        return True

    def _adding(self, put: _Put, name: str = "") -> Callable[[str, BinaryIO], None]:
        """What puts a file into the new chat, under its own name or another."""

        def add(key: str, source: BinaryIO) -> None:
            self._left -= source.seek(0, 2)
            source.seek(0)
            parts = parts_of(key)
            if self._left < 0 or parts is None:
                raise FilesFailed("large")
            put(parts[0], self._to, name or parts[2], source)

        return add
