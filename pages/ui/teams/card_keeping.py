"""On the page Site: the cards of models that everybody is shown, each taken back by a click."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.card_shelf import Score
from agent.application.teams.card_office import card_office
from pages.ui.choices import card_table
from pages.ui.session import people, state
from pages.ui.text.escape import label
from pages.ui.text.words import say


def draw() -> None:
    office = card_office(state.services(), people.person())
    if office is None:
        return
    st.subheader(say("Cards of models for all"), anchor=False)
    given = office.all()
    if not given:
        st.caption(say("There is none yet. Open a card on the page Tests, and give it to everybody."))
    for place, each in enumerate(given):
        with st.container(horizontal=True, vertical_alignment="center", key=f"site-card-{place}"):
            score = Score("site", each.passed, each.runs, each.measured, each.app)
            st.markdown(f"**{label(each.model, 60)}**{card_table.beside(score)}", width="stretch")
            card_table.take_back_button(each.model, f"site-{place}")
