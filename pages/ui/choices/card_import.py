"""Taking a file with cards of models in, and what is said of it."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.card_shelf import take_in
from agent.errors import GlassboxError
from agent.evals.model_card.card_file import MOST_BYTES
from agent.interface_text import packed, unpacked
from pages.ui.session import again, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

_SEEN, _SAID, _PROBLEM = "card-file-seen", "card-import-said", "card-import-problem"


def draw(key: str) -> None:
    """The place to drop a file on, in a dialog."""
    st.caption(say("A file that was downloaded here, or made by python -m agent eval --card --out card.jsonl."))
    sent = st.file_uploader(
        say("File with cards"), ["jsonl"], key=f"card-file-{key}", max_upload_size=MOST_BYTES // 1_000_000
    )
    if sent is not None and state.widget(_SEEN) != sent.file_id:
        state.put(_SEEN, sent.file_id)
        try:
            take(sent.getvalue())
        except GlassboxError as error:
            state.put(_PROBLEM, packed(error.text))
        again.dialog()
    said()


def take(data: bytes) -> None:
    """Keep the cards of a file, and say so where ``said`` draws. Raises ``GlassboxError``."""
    state.put(_SAID, take_in(state.services(), state.visitor(), data))


def said(where: str = "") -> None:
    """What came of the file that was taken in last, once; ``where`` its cards are found."""
    if problem := state.widget(_PROBLEM):
        st.error(label(told(unpacked(problem)), 400), icon=":material/error:")
    if found := state.widget(_SAID):
        names = ", ".join(label(name, 60) for name in found[:5])
        here = say("{n} card is here: {names}.", "{n} cards are here: {names}.", n=len(found), names=names)
        st.success(f"{here} {where}", icon=":material/check:")
    state.put(_SAID, None)
    state.put(_PROBLEM, None)
