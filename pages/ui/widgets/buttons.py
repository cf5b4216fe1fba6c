"""Buttons and choices, with their texts in the language of the person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from agent.interface_text import Text
from pages.ui.session import state
from pages.ui.text.words import say, saying, told

T = TypeVar("T")


def button(
    name: str, key: str, icon: str, act: Callable[..., None], *args: object, quiet: bool = False, help: str = ""
) -> None:
    """A click calls ``act`` with ``args``; a ``quiet`` one has no border. Material Symbols has icons by their names."""
    kind = "tertiary" if quiet else "secondary"
    hint = told(help) if help else None
    st.button(told(name), key=key, icon=f":material/{icon}:", type=kind, help=hint, on_click=act, args=args)


def removal(key: str, said: str, act: Callable[..., None], *args: object) -> None:
    """Removes something that cannot be brought back: the first click only asks, and ``said`` is what will be."""
    asked = f"asked-{key}"
    if not state.widget(asked):
        button(Text("Remove"), key, "delete", state.put, asked, True)
        return
    st.caption(told(said))
    with st.container(horizontal=True):
        st.button(say("Remove it"), key=f"{key}-now", type="primary", on_click=act, args=args)
        button(Text("Keep it"), f"{key}-not", "undo", state.put, asked, False)


def show_more(key: str, kept_as: str, next: int) -> None:
    """The way to see more of a long list, ``next`` rows from then on: so many are kept under that name."""
    st.button(say("Show more"), key=key, type="tertiary", on_click=state.put, args=(kept_as, next))


def pick(name: str, names: Mapping[T, str], now: T, help: str = "", place: Any = st) -> T:
    """One of several, each by its name; the one that is chosen ``now`` at first."""
    index, hint = list(names).index(now), told(help) if help else None
    return place.selectbox(told(name), list(names), index, format_func=saying(names.get), help=hint)
