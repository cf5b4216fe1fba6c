"""The events of a run: by kind, by words, page by page; each can be opened as it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil

import streamlit as st

from agent.events import Observed
from agent.inner_runs import innermost
from agent.interface_text import Text
from agent.views.event_list import EventLine, exact, kinds, lines
from pages.ui.session import reading, state
from pages.ui.text.escape import label, unformatted
from pages.ui.text.words import say, told
from pages.ui.widgets import artifacts
from pages.ui.widgets.figures import seconds, tokens

_ON_A_PAGE = 25
_ABOUT_CHARACTERS = 72
_ICONS = {
    "Asked": "person",
    "Merged": "merge",
    "Prepared": "tune",
    "Replied": "neurology",
    "ToolCalled": "build",
    "Waiting": "front_hand",
    "Decided": "how_to_reg",
    "Inner": "smart_toy",
    "Observed": "visibility",
    "Answered": "check_circle",
    "Failed": "error",
}
_NAMES = {
    "Asked": Text("Asked"),
    "Merged": Text("Rewritten"),
    "Prepared": Text("Prompt prepared"),
    "Replied": Text("Model replied"),
    "ToolCalled": Text("Tool called"),
    "Waiting": Text("Waiting"),
    "Decided": Text("Decided"),
    "Inner": Text("Within a tool"),
    "Observed": Text("Result"),
    "Answered": Text("Answered"),
    "Failed": Text("Failed"),
}


@st.fragment
def draw(run: str) -> None:
    """The list of a run; a click in it draws the list anew, not the page."""
    reader = reading.reader()
    row = reader.run(run)
    if row is None:  # deleted, or shared no more
        return
    events = reader.events(row)
    counts = kinds(events)
    words = st.text_input(
        say("Search all texts of this run"),
        key=f"words-{run}",
        placeholder=say("Search all texts"),
        icon=":material/search:",
    )
    chosen = st.pills(
        say("Kinds of entries"),
        list(counts),
        selection_mode="multi",
        format_func=lambda kind: f"{_name(kind)} {counts[kind]}",
        key=f"kinds-{run}",
        label_visibility="collapsed",
    )
    found = lines(events, chosen, words)
    st.caption(_found(found, len(events), words))
    pages = max(1, ceil(len(found) / _ON_A_PAGE))
    page = 1
    place = st.container(gap=None, key="events")
    if pages > 1:
        page = st.pagination(pages, key=f"page-{run}-{pages}")
    with place:
        for line in found[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]:
            _row(run, line, partial(reader.artifact, row))


def _name(kind: str) -> str:
    return told(_NAMES.get(kind, kind))


def _found(found: Sequence[EventLine], all_events: int, words: str) -> str:
    if len(found) < all_events:
        events = Text("{found:,} of {all:,} entries", found=len(found), all=all_events)
    else:
        events = Text("{n:,} entry", "{n:,} entries", n=all_events)
    if not words.strip():
        return told(events)
    return say("{n:,} hit in {events}", "{n:,} hits in {events}", n=sum(line.hits for line in found), events=events)


def _row(run: str, line: EventLine, read: artifacts.ReadArtifact) -> None:
    took = [seconds(line.seconds)] if line.seconds is not None else []
    took += [say("{count} tokens", count=tokens(line.usage))] if line.usage else []
    took += [say("{n:,} hit", "{n:,} hits", n=line.hits)] if line.hits else []
    quiet = f" :small[:gray[{label(' · '.join(took))}]]" if took else ""
    kind = _name(line.kind)
    title = f"**{line.number} {kind}** {label(told(line.about), _ABOUT_CHARACTERS)}{quiet}"
    icon = f":material/{_ICONS.get(line.kind, 'radio_button_unchecked')}:"
    opened = st.expander(title, icon=icon, type="compact", key=f"event-{run}-{line.number}", on_change="rerun")
    with opened:
        st.empty()
        if not opened.open:
            return
        st.code(unformatted(exact(line.event)), language="json", wrap_lines=True)
        if isinstance(seen := innermost(line.event), Observed):
            artifacts.draw(f"{run}-{line.number}", seen.artifacts, read)
        if line.step >= 0:
            about = f"{run}:{line.step}"
            if st.button(say("See the exact call"), f"call-{about}", icon=":material/manage_search:", type="tertiary"):
                state.open_dialog("call", about)
                st.rerun()
