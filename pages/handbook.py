"""The app's own handbook: its chapters, and a search over them."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from agent.data.documents import handbook
from agent.data.documents.handbook import Chapter
from agent.data.documents.passages import Passage
from pages.ui.frame import frame
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import LANGUAGES, say, spoken
from pages.ui.widgets import browser

_PAGE = "pages/handbook.py"
_MOST_FOUND = 6


def main() -> None:
    frame.open_page("Handbook")
    browser.attend(False)
    # A link within a page opens what it names, but Streamlit leaves the address bar as it was.
    state.name(**{name: state.named(name) for name in ("c", "chapter", "p", "view") if state.named(name)})
    chapter = handbook.chapter(state.named("chapter"))
    _ways(chapter)
    if not chapter:
        st.title(say("Handbook"), anchor=False)
    words = st.text_input(
        say("Search the handbook"),
        # Whoever follows a link of what was found is to see that, not the search again.
        key=f"handbook-search-{state.named('chapter')}-{state.named('p')}",
        placeholder=say("Search the handbook"),
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if words.strip():
        _found(words[:500])
    elif chapter:
        around, text = st.columns([2, 5], gap="large")
        with around:
            _beside(chapter)
        with text:
            _chapter(chapter)
    else:
        _contents(_chapters(_language()))


def _ways(chapter: Chapter | None) -> None:
    """Back to the chat, to the contents, and to the same in another language."""
    with st.container(horizontal=True, key="handbook-ways"):
        frame.way_back()
        if chapter:
            st.page_link(
                _PAGE, label=say("All chapters"), icon=":material/toc:", query_params=_to(view=chapter.language)
            )
        st.space("stretch")
        for language, name in LANGUAGES.items():
            if language != (chapter.language if chapter else _language()):
                same = handbook.chapter(f"{language}-{chapter.id[3:]}") if chapter else None
                address = _to(chapter=same.id) if same else _to(view=language)
                st.page_link(_PAGE, label=name, icon=":material/translate:", query_params=address)


def _language() -> str:
    """That of the contents: as the address says, or the person's own."""
    return state.named("view") if state.named("view") in LANGUAGES else spoken()


def _chapters(language: str) -> list[Chapter]:
    return [one for one in handbook.chapters() if one.language == language]


def _to(**place: str) -> dict[str, str]:
    """An address in the handbook, from which the way back is to the same chat."""
    return state.open_address() | place


def _contents(chapters: list[Chapter]) -> None:
    with st.container(key="handbook-contents"):
        for chapter in chapters:
            with st.container(gap=None, key=f"handbook-{chapter.id}"):
                st.page_link(_PAGE, label=chapter.title, query_params=_to(chapter=chapter.id), width="stretch")
                headings = dict.fromkeys(_under(passage) for passage in handbook.sections(chapter))
                # No line begins with the mark between two.
                st.caption("\u00a0· ".join(filter(None, headings)))


def _beside(here: Chapter) -> None:
    """The chapters beside the one that is read; only that one is marked."""
    with st.container(gap=None, key="handbook-beside"):
        for chapter in _chapters(here.language):
            if chapter == here:
                st.markdown(f"**{chapter.title}**")
            else:
                st.page_link(_PAGE, label=chapter.title, query_params=_to(chapter=chapter.id), width="stretch")


def _found(words: str) -> None:
    hits = handbook.search(words, _MOST_FOUND)
    if not hits:
        st.write(say("The handbook has nothing about this. Try other words."))
    for hit in hits:
        chapter = handbook.chapter(hit.document)
        if chapter:
            place = _to(chapter=chapter.id, p=str(hit.passage.number))
            name = " › ".join(filter(None, (chapter.title, _under(hit.passage))))
            with st.container(gap=None, key=f"handbook-hit-{chapter.id}-{hit.passage.number}"):
                st.page_link(_PAGE, label=name, query_params=place, icon=":material/menu_book:", width="stretch")
                st.caption(label(handbook.plain(hit.passage), 200))


def _chapter(chapter: Chapter) -> None:
    st.title(chapter.title, anchor=False)
    wanted = state.named("p")
    for heading, passages in groupby(handbook.sections(chapter), key=_under):
        several = list(passages)
        marked = any(str(passage.number) == wanted for passage in several)
        with st.container(key=f"section-{'found' if marked else several[0].number}"):
            if heading:
                st.subheader(heading, anchor=False)
            _text("\n\n".join(passage.text for passage in several))
    _neighbours(chapter)
    browser.bring_into_sight(".st-key-section-found")


def _text(text: str) -> None:
    """Code without colours, which are too faint to read on their ground, and wrapped, so that nothing scrolls."""
    for place, part in enumerate(text.split("```")):
        if place % 2:
            st.code(part.partition("\n")[2].rstrip(), language=None, wrap_lines=True)
        elif part.strip():
            st.markdown(part.strip())


def _neighbours(chapter: Chapter) -> None:
    same = _chapters(chapter.language)
    place = same.index(chapter)
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute", key="handbook-neighbours"):
        for other, icon in ((place - 1, "arrow_back"), (place + 1, "arrow_forward")):
            if 0 <= other < len(same):
                address = _to(chapter=same[other].id)
                side = "left" if icon == "arrow_back" else "right"
                title = same[other].title
                st.page_link(_PAGE, label=title, icon=f":material/{icon}:", icon_position=side, query_params=address)


def _under(passage: Passage) -> str:
    """The heading below the chapter's own."""
    return passage.heading.partition(" › ")[2]


frame.page(main)
