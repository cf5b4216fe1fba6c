"""A button: its text in the language of the person, its icon by the name that Material Symbols has."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.ui.text.words import told


def button(
    name: str, key: str, icon: str, act: Callable[..., None], *args: object, quiet: bool = False, help: str = ""
) -> None:
    """A click calls ``act`` with ``args``; a ``quiet`` one has no border."""
    kind = "tertiary" if quiet else "secondary"
    hint = told(help) if help else None
    st.button(told(name), key=key, icon=f":material/{icon}:", type=kind, help=hint, on_click=act, args=args)
