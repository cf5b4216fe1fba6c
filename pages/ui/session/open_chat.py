"""What the open conversation has of its own, where it is the visitor's: its tables and its documents."""

from __future__ import annotations

from agent.data.documents.chat_documents import ConversationDocuments
from agent.data.tables.chat_tables import ConversationTables
from agent.errors import BadRequest
from pages.ui.session import state


def tables() -> ConversationTables | None:
    try:
        return state.services().tables.open(state.visitor(), state.conversation_id())
    except BadRequest:
        return None


def documents() -> ConversationDocuments | None:
    try:
        return state.services().documents.open(state.visitor(), state.conversation_id())
    except BadRequest:
        return None
