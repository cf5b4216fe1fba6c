"""The documents of a chat: chips above its box, links to passages, the text of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from agent.data.documents.chat_documents import LoadedDocument
from agent.data.documents.document_places import place_at
from agent.data.documents.intake import FILE_TYPES as DOCUMENT_TYPES
from agent.data.documents.passages import Passage
from agent.data.pictures import FILE_TYPES as PICTURE_TYPES
from agent.data.tables.chat_tables import FILE_TYPES as TABLE_TYPES
from agent.events import Source
from agent.interface_text import Text
from agent.views.fold import RunView
from pages.ui.session import open_chat, reading, state
from pages.ui.text.escape import highlighted, label
from pages.ui.text.words import say, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import removal

FILE_TYPES = tuple(dict.fromkeys((*TABLE_TYPES, *DOCUMENT_TYPES, *PICTURE_TYPES)))
_MOST_CHIPS = 12
_MOST_LINKS = 4
_HANDBOOK = "pages/handbook.py"
_PAGES = {"documents": "pages/documents.py", "handbook": _HANDBOOK}
_ICONS = {"PDF": "picture_as_pdf", "Word": "description", "HTML": "language"}


def row() -> None:
    """The documents there are, each a chip with what is known of it."""
    chat = open_chat.documents()
    loaded = chat.loaded() if chat else ()
    if chat is None or not loaded:
        return
    # Until somebody asks, it has started.
    state.services().documents.sandbox.start()
    with st.container(horizontal=True, vertical_alignment="center", key="documents-row"):
        for document in loaded[:_MOST_CHIPS]:
            _chip(document, chat.conversation)
        if len(loaded) > _MOST_CHIPS:
            address = {"c": chat.conversation}
            st.page_link(
                _PAGES["documents"], label=say("All {count} documents", count=len(loaded)), query_params=address
            )


def icon(document: LoadedDocument) -> str:
    return f":material/{_ICONS.get(str(document.card['kind']), 'article')}:"


def _chip(document: LoadedDocument, conversation: str) -> None:
    name = f"{label(document.name, 30)} · {told(document.length)}"
    with st.popover(name, icon=icon(document), type="tertiary", key=f"document-{document.id}"):
        st.caption(described(document))
        for note in document.card.get("notes", ())[:5]:
            problems.remark(note)
        address = {"c": conversation, "d": document.id}
        st.page_link(_PAGES["documents"], label=say("Read it"), icon=":material/menu_book:", query_params=address)
        gone = Text("The document is removed from this chat for good.")
        removal(f"remove-document-{document.id}", gone, _remove, document.id)


def _remove(document: str) -> None:
    chat = open_chat.documents()
    if chat:
        chat.remove(document)


def described(document: LoadedDocument) -> str:
    """Its kind and length, in the language of the person."""
    kind = label(str(document.card["kind"]), 20)
    characters = say("{characters:,} characters", characters=int(document.card["characters"]))
    return f"{kind} · {told(document.length)} · {characters}"


def links(sources: Iterable[Source]) -> None:
    """A link for each source that is a passage within the app."""
    for source in sources:
        if place := place_at(source.url):
            # A chapter or a document: by its picture it is told apart from the web.
            picture = ":material/menu_book:" if place.page == "handbook" else ":material/article:"
            name = f"{source.number}. {label(source.title, 90)}"
            if reading.token() and place.page != "handbook":
                # Files are not shared: what was read of this one stands in its step.
                st.caption(f"{picture} {name}", width="content")
                continue
            # From the handbook, too, the way back is to the chat that names it.
            chat = {"c": state.conversation_id()} if state.conversation_id() else {}
            st.page_link(_PAGES[place.page], label=name, icon=picture, query_params=chat | place.values)


def under_answer(run: str, view: RunView) -> None:
    """Under an answer, the passages it names by their number; all of the last search where it names none.

    In a chat with documents of its own, passages of the handbook that no answer names were found by chance.
    """
    calls = [call for step in view.steps for call in step.calls if any(place_at(one.url) for one in call.sources)]
    found = calls[-1].sources if calls and view.answer else ()
    named = [source for source in found if f"[{source.number}]" in view.answer]
    chat = open_chat.documents()
    if not named and chat and chat.loaded():
        found = [source for source in found if (place := place_at(source.url)) and place.page != "handbook"]
    if found:
        with st.container(horizontal=True, key=f"passages-{run}"):
            links((named or list(found))[:_MOST_LINKS])


def page_text(passages: Sequence[Passage], wanted: int) -> None:
    """The text of a page, as it is; the passage of that number is marked."""
    text, places = "", list[tuple[int, int]]()
    for passage in passages:
        text += "\n\n" if text else ""
        if passage.number == wanted:
            places.append((len(text), len(text) + len(passage.text)))
        text += passage.text
    name = escape(say("Text of the page"))
    region = f'tabindex="0" role="region" aria-label="{name}" dir="auto"'
    st.html(f'<div class="glassbox-page" {region}>{highlighted(text, places)}</div>')
