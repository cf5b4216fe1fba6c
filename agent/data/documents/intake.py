"""Files dropped into a chat: each goes to its tables or to its documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from agent.data.documents.chat_documents import ConversationDocuments
from agent.data.documents.document_kinds import HEAD, is_document
from agent.data.tables.chat_tables import ConversationTables
from agent.data.tables.loading.progress import Progress


@dataclass(frozen=True, slots=True)
class Intake:
    tables: ConversationTables
    documents: ConversationDocuments

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[str, ...]]:
        """The cards of what it became, and notes on how it was read. Raises ``BadRequest``."""
        head = source.read(HEAD)
        source.seek(0)
        chosen = self.documents if is_document(name, head) else self.tables
        return chosen.load(name, source, progress)
