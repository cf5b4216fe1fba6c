"""A document of a chat, page by page, with the passage that a source names marked in it."""

from __future__ import annotations

import streamlit as st

from agent.data.documents.chat_documents import ConversationDocuments, LoadedDocument
from agent.errors import BadRequest
from pages.ui.frame import frame
from pages.ui.session import open_chat, state
from pages.ui.text.escape import label, one_line
from pages.ui.text.words import say
from pages.ui.widgets import browser, documents, problems


def main() -> None:
    frame.open_page("Documents")
    browser.attend(False)
    chat = open_chat.documents()
    loaded = chat.loaded() if chat else ()
    if chat is None or not loaded:
        how = say("Drop a PDF, Word, Markdown, HTML or text file into the question box of a chat, then ask about it.")
        frame.nothing_here(say("No documents here"), how, chat.conversation if chat else "")
        return
    frame.to_chat(chat.conversation)
    named = state.named("d")
    if named and not chat.find(named):
        st.info(say("This document was removed from its chat."), icon=":material/info:")
    document = _chosen(loaded, named)
    st.header(label(document.name), anchor=False)
    st.caption(documents.described(document))
    for note in document.card.get("notes", ())[:10]:
        problems.remark(note)
    _page(chat, document, int(state.named("p")) if state.named("p").isdecimal() and named == document.id else 0)


def _chosen(loaded: tuple[LoadedDocument, ...], named: str) -> LoadedDocument:
    by_id = {document.id: document for document in loaded}
    first = by_id.get(named, loaded[0])
    if len(loaded) == 1:
        return first
    chosen = st.selectbox(
        say("Document"),
        list(by_id),
        index=list(by_id).index(first.id),
        format_func=lambda id: one_line(by_id[id].name, 60),
        key=f"document-shown-{named}",
    )
    return by_id.get(chosen or "", first)


def _page(chat: ConversationDocuments, document: LoadedDocument, passage: int) -> None:
    try:
        start = (chat.page_of(document, passage) if passage else 1) or 1
        page = start
        if document.pages > 1:
            page = st.pagination(document.pages, default=start, key=f"page-{document.id}-{passage}")
        found = chat.shown(document, page)
    except BadRequest as error:
        problems.tell(error)
        return
    place = {"page": page, "all": document.pages}
    st.caption(say("Page {page:,} of {all:,}", **place) if document.paged else say("Part {page:,} of {all:,}", **place))
    if not found:
        st.write(say("There is no text on this page; it may be a picture."))
        return
    documents.page_text(found, passage)
    browser.bring_into_sight(".glassbox-page mark")


frame.page(main)
