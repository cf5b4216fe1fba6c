"""Drawing anew what is being drawn, with the clicks that came meanwhile."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st
from streamlit.errors import StreamlitAPIException


def dialog() -> NoReturn:
    """Draw the open dialog anew: alone where it is drawn alone, with the page where that is being drawn whole.

    A click that is waiting joins in what is asked for here: by asking for the whole page, a click in the dialog would
    become one in which the dialog cannot be drawn alone.
    """
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:
        st.rerun()
