"""Cards that a tool made: a title, a figure to be seen first, facts, and a few lines of text."""

from __future__ import annotations

import streamlit as st

from agent.web.services.result_cards import Card, read_cards
from pages.ui.text.escape import label, plain
from pages.ui.text.words import say


def draw(content: bytes) -> None:
    """All of them, one below the other; a sentence where the bytes hold none."""
    cards = read_cards(content)
    if not cards:
        st.caption(say("This cannot be shown."))
    for card in cards:
        with st.container(border=True, gap="xsmall"):
            _card(card)


def _card(card: Card) -> None:
    figure = f" :small[:gray-badge[{label(card.figure, 60)}]]" if card.figure and not card.about else ""
    st.markdown(f"**{label(card.title, 200)}**{figure}")
    if card.about:
        st.caption(label(card.about, 300))
    if card.figure and card.about:
        st.markdown(f"## {label(card.figure, 60)}")
    if card.text:
        st.markdown(plain(card.text))
    if card.facts:
        st.markdown(" · ".join(f":gray[{label(name, 60)}] {label(value, 200)}" for name, value in card.facts))
