"""What went wrong, told where it went wrong."""

from __future__ import annotations

import streamlit as st

from pages.ui.text.escape import label
from pages.ui.text.words import say


def tell(problem: object, most: int = 400) -> None:
    """An error or a sentence in the language of the person, at most that many characters of it."""
    st.error(label(say(str(problem)), most), icon=":material/error:")
