"""The cards of models, on the page Tests: those measured here, taken in from files, or given to all by the owner."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.card_shelf import Score, card_of_model, card_scores
from agent.application.setup import DEMO, Alternative
from agent.demo.model import NAME as DEMO_NAME
from agent.web.endpoint import origin
from pages.ui.choices import card_table
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets.buttons import show_more

_SHOWN = 20


def draw() -> None:
    """A row for each, which opens; nothing where there is none."""
    entries = card_scores(state.services(), state.visitor()).entries
    if not entries:
        return
    st.subheader(say("Cards of models"), anchor=False, help=say("What a model can do here, by forty small questions."))
    most = int(state.widget("cards-shown") or _SHOWN)
    with st.container(gap="xsmall", key="model-cards"):
        for place, (one, score) in enumerate(entries[:most]):
            _row(place, one, score)
    if len(entries) > most:
        show_more("more-cards", "cards-shown", most + _SHOWN)


def _row(place: int, one: Alternative, score: Score) -> None:
    name = told(DEMO_NAME) if DEMO in (one.endpoint, one.model) else label(one.model, 60)
    server = "" if one.endpoint in ("", DEMO) else f" · {label(origin(one.endpoint).partition('://')[2], 40)}"
    title = f"{name}{server}{card_table.beside(score)}"
    with st.expander(title, key=f"card-row-{place}-{one.model}", icon=":material/badge:", on_change="rerun") as opened:
        if not opened.open:
            return
        shown = card_of_model(state.services(), state.visitor(), one.endpoint, one.model)
        if shown:
            card_table.draw(shown, f"list-{place}")
        else:
            st.caption(say("This card is about questions that this version does not ask any more."))
