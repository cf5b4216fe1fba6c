"""The documents of a conversation as the ``documents`` tool takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.data.documents.passages import Passage
from agent.tools.own_data.documents_tool import InDocument, Named, Shelf

if TYPE_CHECKING:
    # It brings SQLAlchemy, which takes half a second to import: only a chat that is stored has documents.
    from agent.data.documents.chat_documents import ConversationDocuments


def shelf_of(library: ConversationDocuments) -> Shelf:
    """What there is now; a document that is loaded later is not on it."""
    known = {one.id: one for one in library.loaded()}

    def search(question: str, among: Sequence[Named], most: int) -> Sequence[InDocument]:
        return library.search(question, tuple(known[one.id] for one in among), most)

    def page(document: Named, number: int) -> Sequence[Passage]:
        return library.page(known[document.id], number)

    return Shelf(library.conversation, tuple(known.values()), search, page)
