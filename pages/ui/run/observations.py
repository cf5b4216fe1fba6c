"""What came of a call, inside its step: sources, the text the model was shown, and what is to be said about it."""

from __future__ import annotations

import streamlit as st

from agent.data.documents.document_places import place_at
from agent.text.injection import POINTED_OUT
from agent.views.fold import CallView
from pages.ui.text.escape import label, link
from pages.ui.text.words import say, told
from pages.ui.widgets import documents


def draw(call: CallView) -> None:
    """The observation of a call that has one."""
    failed = say("failed") if call.error and call.error != "denied" else ""
    edited = say("edited by you") if call.edited else ""
    st.caption(" · ".join(filter(None, (say("Observation"), failed, edited))))
    if call.sources:
        outside = [number for number, source in enumerate(call.sources) if place_at(source.url) is None]
        if outside:
            st.markdown("\n".join(_source(number, call) for number in outside))
        documents.links(call.sources)
    if call.sources or any(made.kind == "table" for made in call.artifacts):
        with st.expander(say("As the model was shown it"), type="compact"):
            st.code(call.observation or say("(nothing)"), language=None, wrap_lines=True)
    else:
        st.code(call.observation or say("(nothing)"), language=None, wrap_lines=True)
    if call.instructions:
        st.caption(f":orange[:material/shield:] {told(POINTED_OUT)}")
        st.markdown("\n".join(f"> {label(passage, 300)}  " for passage in call.instructions))
    if call.cached:
        st.caption(say("From this conversation's earlier searches."))


def page(call: CallView, address: str) -> str:
    """The page that was read, by its title and host; by its address while it is being read."""
    if not call.sources:
        return label(address.partition("://")[2] or address, 70)
    source = call.sources[0]
    host = source.url.partition("://")[2].partition("/")[0].removeprefix("www.")
    return f"‘{label(source.title, 60)}’ · {label(host, 40)}" if source.title != host else label(host, 60)


def _source(index: int, call: CallView) -> str:
    source = call.sources[index]
    about = " · ".join(part for part in (label(source.date, 40), label(source.snippet, 160)) if part)
    return f"{source.number}. {link(source.title or source.url, source.url)}" + (f"  \n   {about}" if about else "")
