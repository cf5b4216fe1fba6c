"""The expectations of a test in a form: each can be switched, and its word or number typed anew."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.evals.expectations import Expectation
from agent.evals.typed_expectations import TYPED, editable, edited, typed
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, told


def draw(key: str, expectations: Sequence[Expectation]) -> list[tuple[Expectation, bool, str | None]]:
    """What each is to be: itself, on or off, and what was typed for it, ``None`` where nothing can be."""
    drawn: list[tuple[Expectation, bool, str | None]] = []
    for number, each in enumerate(expectations):
        name, text = label(told(each.said), 120), editable(each)
        with st.container(horizontal=True, vertical_alignment="center", key=f"expected-{key}-{number}"):
            on = st.checkbox(name, each.on, key=f"on-{key}-{number}", width="stretch")
            if text is not None:
                text = st.text_input(
                    name, text, key=f"typed-{key}-{number}", label_visibility="collapsed", width=150, max_chars=500
                )
        drawn.append((each, on, text))
    return drawn


def add(key: str) -> tuple[str, str]:
    """What is to be expected beside them: its kind, and the word or number of it; nothing where the kind is ""."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"more-{key}"):
        kind = st.selectbox(
            say("Expect this, too"),
            ["", *TYPED],
            key=f"kind-{key}",
            format_func=saying(lambda kind: TYPED.get(kind, "–")),
        )
        text = st.text_input(say("Word or number"), key=f"word-{key}", max_chars=500)
    return kind or "", text


def taken(drawn: Sequence[tuple[Expectation, bool, str | None]], more: tuple[str, str]) -> list[Expectation]:
    """The expectations as they were changed. Raises ``BadRequest`` for what cannot be judged."""
    kept = [edited(each, on, text) for each, on, text in drawn]
    return [*kept, typed(*more)] if more[0] else kept
