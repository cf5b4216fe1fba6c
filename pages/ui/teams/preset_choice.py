"""The presets that the owner keeps for all, each picked by one click: in the menu of models, on the first screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from agent.application.preferences import OWN
from agent.application.teams.preset_picking import going_back, picked
from pages.ui.session import asking, state
from pages.ui.text.escape import label
from pages.ui.text.words import say

_MOST_ON_SCREEN = 8
_BACK = "own"  # in the place of a preset's id


def offered() -> dict[str, str]:
    """The names of the presets by their ids; where one is picked, the way back to what was chosen before, too."""
    presets = dict(state.services().presets.named())
    return presets | ({_BACK: say("Back to my own choice")} if asking.preset() and _chosen().get(OWN) else {})


def _chosen() -> Mapping[str, Any]:
    return state.kept_now().get("choice", {})


def pick(id: str, servers: Mapping[str, Mapping[str, Any]]) -> None:
    """Have questions answered as a preset says; ``servers`` are those that this session has keys for.

    Where it was changed meanwhile, nothing is picked: the page shows those that there are.
    """
    services = state.services()
    if id == _BACK:
        state.choose(**going_back(services.settings, _chosen(), servers))
    elif preset := services.presets.of(id):
        state.choose(**picked(services.settings, _chosen(), preset, servers))


def prefix(presets: Mapping[str, str]) -> str:
    """What stands before the name of the model while a preset is picked."""
    name = presets.get(asking.preset(), "")
    return f"{label(name, 30)} · " if name else ""


def option(id: str, name: str) -> str:
    """A preset in a menu."""
    return f"{_icon(id)} {label(name, 60)}"


def _icon(id: str) -> str:
    if id == _BACK:
        return ":material/undo:"
    return f":material/{'check' if id == asking.preset() else 'bookmark'}:"


def row(servers: Mapping[str, Mapping[str, Any]], place: str = "") -> None:
    """Where one chooses: what a chat can begin with; nothing where the owner keeps none.

    ``place`` tells the row on the first screen from others that may be drawn beside it.
    """
    presets = offered()
    if not presets:
        return
    back = [_BACK] if _BACK in presets else []
    shown = [id for id in presets if id != _BACK][:_MOST_ON_SCREEN]
    centered = "left" if place else "center"
    with st.container(
        horizontal=True, horizontal_alignment=centered, vertical_alignment="center", key=f"{place}presets"
    ):
        st.caption(say("Begin with a preset:"), width="content")
        for id in (*shown, *back):
            st.button(
                label(presets[id], 60),
                key=f"{place}preset-{id}",
                icon=_icon(id),
                type="tertiary",
                on_click=pick,
                args=(id, servers),
            )
