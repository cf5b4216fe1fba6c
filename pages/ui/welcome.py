"""The first screen: what this is, which model is on, and questions that work as set up now."""

from __future__ import annotations

import streamlit as st

from pages.ui import state

_EXAMPLES = (
    (":material/calculate:", "What is 15% of $84.50, and the rest?", "Work out"),
    (":material/swap_horiz:", "Convert 72 °F to Celsius", "Convert"),
    (":material/event:", "How many days are there between 2024-01-01 and 2024-12-25?", "Count days"),
    (":material/function:", "What is the square root of 25? And its cube?", "Step by step"),
    (":material/search:", "Who wrote Pride and Prejudice?", "Look up"),
    (":material/translate:", "100の15%はいくつですか？", "日本語"),
)


def draw() -> None:
    with st.container(key="welcome", horizontal_alignment="center"):
        st.title("What shall we *find out*?", text_alignment="center", anchor=False)
        st.caption("Glassbox answers by reasoning and using tools, and shows you every step.", text_alignment="center")
        with st.container(key="examples", horizontal=True):
            for icon, question, name in _EXAMPLES:
                st.button(
                    f"**{name}** {question}".replace("$", "\\$"),
                    key=f"example-{name}",
                    icon=icon,
                    on_click=state.ask_next,
                    args=(question,),
                )
