"""The app's own handbook: its chapters, and a search over them."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from agent.data.documents import handbook
from agent.data.documents.handbook import Chapter
from agent.data.documents.passages import Passage
from agent.errors import GlassboxError
from pages.ui.frame import frame
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import LANGUAGES, say, spoken
from pages.ui.widgets import browser

_PAGE = "pages/handbook.py"
_MOST_FOUND = 6


def main() -> None:
    frame.open_page("Handbook")
    # A link within a page opens what it names, but Streamlit leaves the address bar as it was.
    state.name(**{name: state.named(name) for name in ("chapter", "p", "view") if state.named(name)})
    chapter = handbook.chapter(state.named("chapter"))
    if chapter:
        st.page_link(_PAGE, label=say("All chapters"), icon=":material/arrow_back:", query_params={"view": "all"})
    else:
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
        _chapter(chapter)
    else:
        _contents()


def _contents() -> None:
    with st.container(key="handbook-contents", gap="small"):
        # Those in the language of the person come first.
        for language, name in sorted(LANGUAGES.items(), key=lambda one: one[0] != spoken()):
            st.subheader(name, anchor=False)
            for chapter in handbook.chapters():
                if chapter.language == language:
                    st.page_link(_PAGE, label=f"**{chapter.title}**", query_params={"chapter": chapter.id})
                    headings = dict.fromkeys(_under(passage) for passage in handbook.sections(chapter))
                    st.caption(" · ".join(filter(None, headings)))


def _found(words: str) -> None:
    hits = handbook.search(words, _MOST_FOUND)
    if not hits:
        st.write(say("The handbook has nothing about this. Try other words."))
    for hit in hits:
        chapter = handbook.chapter(hit.document)
        if chapter:
            place = {"chapter": chapter.id, "p": str(hit.passage.number)}
            name = " › ".join(filter(None, (chapter.title, _under(hit.passage))))
            st.page_link(_PAGE, label=f"**{name}**", query_params=place, icon=":material/menu_book:")
            st.caption(label(hit.passage.text, 200))


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
    same = [one for one in handbook.chapters() if one.language == chapter.language]
    place = same.index(chapter)
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute", key="handbook-neighbours"):
        for other, icon in ((place - 1, "arrow_back"), (place + 1, "arrow_forward")):
            if 0 <= other < len(same):
                address = {"chapter": same[other].id}
                side = "left" if icon == "arrow_back" else "right"
                title = same[other].title
                st.page_link(_PAGE, label=title, icon=f":material/{icon}:", icon_position=side, query_params=address)


def _under(passage: Passage) -> str:
    """The heading below the chapter's own."""
    return passage.heading.partition(" › ")[2]


try:
    main()
except GlassboxError as error:
    frame.broken(error)
