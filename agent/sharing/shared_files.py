"""The tables and documents that come along where somebody goes on with a shared chat: those that it had then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from pydantic import TypeAdapter, ValidationError

from agent.data.documents.chat_documents import document_rows
from agent.data.tables.chat_tables import table_rows
from agent.store.database import Database


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """By id what each was called when the chat was shared."""

    tables: Mapping[str, str] = field(default_factory=dict[str, str])
    documents: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.tables.values(), *self.documents.values())

    def written(self) -> str:
        """As ``read_shared_files`` reads it; "" for none."""
        return _adapter().dump_json(self).decode() if self.names else ""


NO_FILES = SharedFiles()


def read_shared_files(body: str) -> SharedFiles:
    """What ``SharedFiles.written`` wrote; a share of before files went along has none."""
    try:
        return _adapter().validate_json(body, strict=True) if body else NO_FILES
    except ValidationError:
        return NO_FILES


def files_now(database: Database, conversation: str) -> SharedFiles:
    """Those of a conversation. Raises ``StoreFailed``."""
    tables, documents = (rows(database).of(conversation) for rows in (table_rows, document_rows))
    return SharedFiles({one.id: one.name for one in tables}, {one.id: one.name for one in documents})


@cache
def _adapter() -> TypeAdapter[SharedFiles]:
    return TypeAdapter(SharedFiles)
