"""What went wrong, in a box of its own."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st

from agent.errors import GlassboxError
from agent.interface_text import unpacked
from pages.ui.text.escape import label
from pages.ui.text.words import told


def remark(said: object, most: int = 300) -> None:
    """What is to be known of something, in a quiet line."""
    st.caption(f":material/info: {label(told(unpacked(said)), most)}")


def tell(problem: GlassboxError | str, most: int = 400) -> None:
    """Show a problem in the language of the person; ``most`` is its longest sentence, in characters."""
    text = problem.text if isinstance(problem, GlassboxError) else problem
    st.error(label(told(text), most), icon=":material/error:")


@contextmanager
def telling(kind: type[GlassboxError] = GlassboxError) -> Generator[None]:
    """Tells a problem of that ``kind`` in the place of what the block had still to do."""
    try:
        yield
    except kind as error:
        tell(error)
