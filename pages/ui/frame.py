"""What every page shares: page settings and the sidebar."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agent.errors import GlassboxError
from agent.models.demo import NAME as DEMO_NAME
from agent.models.presets import PRESETS
from agent.setup import DEMO
from pages.ui import render, state
from pages.ui.escape import label

_STYLE = Path(__file__).parent / "style.css"
_CUSTOM_LABEL = "Another address"


def open_page(title: str) -> None:
    st.set_page_config(page_title=f"{title} · Glassbox", page_icon=render.LOGO, layout="centered")
    st.html(_STYLE)
    st.logo(render.LOGO, size="large")
    try:
        state.services()
    except GlassboxError as error:
        st.error(label(str(error), 600), icon=":material/error:")
        st.stop()
    with st.sidebar:
        if st.button("New chat", icon=":material/edit_square:", width="stretch"):
            state.open_conversation("")
            st.rerun()
        _connect()


def _connect() -> None:
    """Choose the model: the demo, the owner's, a local server that answers, a preset, or any address."""
    places = _places()
    chosen = state.choice()
    labels = list(places)
    now = next((name for name, address in places.items() if address == chosen.endpoint), _CUSTOM_LABEL)
    st.subheader("Connect a model")
    picked = st.selectbox("Model server", labels, index=labels.index(now), key="server")
    if picked == _CUSTOM_LABEL:
        address = st.text_input("Address", key="address", placeholder="http://localhost:8000/v1")
    else:
        address = places[picked]
    if address and address != chosen.endpoint:
        state.choose(endpoint=address)
        chosen = state.choice()
    if picked == _CUSTOM_LABEL and not address:
        st.caption("Type the address of any OpenAI-compatible server.")
    elif state.is_demo(chosen):
        st.caption("Works out sums, conversions and dates and looks things up, by rules. It is no AI.")
    else:
        _key_and_model()


def _places() -> dict[str, str]:
    """Label → address of every server on offer; the custom one has none."""
    settings = state.services().settings
    places = {DEMO_NAME: DEMO}
    if settings.owner_model:
        places["This site's model"] = settings.base_url
    places |= {f"{name} (found here)": address for name, address in state.local_servers()}
    known = set(places.values())
    places |= {preset.label: preset.endpoint for preset in PRESETS if preset.endpoint and preset.endpoint not in known}
    return places | {_CUSTOM_LABEL: ""}


def _key_and_model() -> None:
    chosen = state.choice()
    # Both fields belong to one address: what was typed for another server must not be sent to this one.
    key = st.text_input(
        "Key", type="password", key=f"key-{chosen.endpoint}", help="Kept in this browser tab's session only."
    )
    if key != chosen.key.reveal():
        state.choose(key=key)
    names, problem = state.models_on_offer()
    if chosen.model and chosen.model not in names:
        names.insert(0, chosen.model)
    model = st.selectbox(
        "Model",
        names,
        index=names.index(chosen.model) if chosen.model else None,
        key=f"model-{chosen.endpoint}",
        accept_new_options=True,
        placeholder="Pick one or type its name",
    )
    if model and model != chosen.model:
        state.choose(model=model)
    if problem:
        st.caption(label(problem, 400))
