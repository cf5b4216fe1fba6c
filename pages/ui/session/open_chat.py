"""What the open conversation has of its own, where it is the visitor's: its tables, its documents, its shell."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event as Flag
from typing import TypeVar

from agent.data.documents.chat_documents import ConversationDocuments
from agent.data.tables.chat_tables import ConversationTables
from agent.errors import BadRequest
from agent.shell.chat_shell import ConversationShell
from pages.ui.session import state

T = TypeVar("T")


def tables(cancel: Flag | None = None) -> ConversationTables | None:
    """Its tables; work for them ends when ``cancel`` is set."""
    return _of_visitor(state.services().tables.open, cancel)


def documents() -> ConversationDocuments | None:
    return _of_visitor(state.services().documents.open, None)


def shell(cancel: Flag | None) -> ConversationShell | None:
    """Its shell, whose command ends when ``cancel`` is set."""
    return _of_visitor(state.services().shells.open, cancel)


def _of_visitor(open_one: Callable[[str, str, Flag | None], T], cancel: Flag | None) -> T | None:
    conversation = state.conversation_id()
    try:
        return open_one(state.visitor(), conversation, cancel) if conversation else None
    except BadRequest:
        return None
