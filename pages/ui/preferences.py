"""The settings dialog: tools, limits, temperature, language of the prompt, wire."""

from __future__ import annotations

import streamlit as st

from agent.prompts import LANGUAGES
from agent.settings import Limits
from agent.setup import TOOLS, default_choice
from pages.ui import state

_WIRES = {
    "auto": "Automatic",
    "native": "Native tool calls",
    "react": "Text (Thought, Action, Observation)",
}
_LANGUAGES = {"en": "English", "ja": "日本語"}
_MOST_STEPS, _MOST_SECONDS, _MOST_TOKENS = 100, 3600, 2_000_000


@st.dialog("Settings", on_dismiss=state.close_dialog)
def dialog() -> None:
    chosen = state.choice()
    st.caption("They hold for your next question, and are kept for your next visit: all but a key.")
    with st.form("preferences", border=False):
        tools = st.pills(
            "Tools",
            TOOLS,
            selection_mode="multi",
            default=[name for name in TOOLS if chosen.tools is None or name in chosen.tools],
            help="What the agent may use.",
        )
        left, right = st.columns(2)
        steps = left.number_input("Most steps", 1, _MOST_STEPS, chosen.limits.steps or _MOST_STEPS)
        seconds = right.number_input("Most seconds", 5, _MOST_SECONDS, int(chosen.limits.seconds or _MOST_SECONDS))
        tokens = left.number_input(
            "Most tokens", 1_000, _MOST_TOKENS, chosen.limits.tokens or _MOST_TOKENS, step=10_000
        )
        temperature = right.number_input(
            "Temperature", 0.0, 2.0, chosen.temperature, step=0.1, placeholder="the model's own"
        )
        wire = st.selectbox(
            "How tools are called", list(_WIRES), list(_WIRES).index(chosen.wire), format_func=_WIRES.get
        )
        language = st.selectbox(
            "Language of the prompt", LANGUAGES, LANGUAGES.index(chosen.language), format_func=_LANGUAGES.get
        )
        if state.on_owners_key():
            st.caption("On this site's own model, its owner's limits are the most you can have.")
        save, reset = st.columns(2)
        saved = save.form_submit_button("Save", type="primary", width="stretch")
        back = reset.form_submit_button("Back to defaults", width="stretch")
    if saved:
        limits = Limits(steps, float(seconds), tokens, chosen.limits.money)
        state.choose(tools=tuple(tools), temperature=temperature, wire=wire, language=language, limits=limits)
    if back:
        state.back_to_defaults()
    if saved or back:
        state.close_dialog()
        st.rerun()
