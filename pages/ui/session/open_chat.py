"""What the open conversation has of its own, where it is the visitor's: its tables and its documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from agent.data.documents.chat_documents import ConversationDocuments
from agent.data.tables.chat_tables import ConversationTables
from agent.errors import BadRequest
from pages.ui.session import state

T = TypeVar("T")


def tables() -> ConversationTables | None:
    return _of_visitor(state.services().tables.open)


def documents() -> ConversationDocuments | None:
    return _of_visitor(state.services().documents.open)


def _of_visitor(open_one: Callable[[str, str], T]) -> T | None:
    conversation = state.conversation_id()
    try:
        return open_one(state.visitor(), conversation) if conversation else None
    except BadRequest:
        return None
