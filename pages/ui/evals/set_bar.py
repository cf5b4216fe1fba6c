"""Which set of tests is shown, and what can be done with it: make one, take one in or out, delete it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from agent.evals.formats.test_lines import write_lines
from agent.evals.kept_test import KeptSet
from agent.evals.model_card.card_file import is_card
from agent.store.evaluations import SetRow
from pages.ui.choices import card_import
from pages.ui.evals.keep_dialog import shelf
from pages.ui.session import state
from pages.ui.text.escape import one_line
from pages.ui.text.words import say
from pages.ui.widgets import problems

_KEY, _MADE, _TAKEN = "test-set", "tests-sets-made", "tests-files-taken"
_LAST = "last-test-set"  # shown again when the page is come back to, by a link that names none
FILE_TYPES = ["jsonl", "yaml", "yml", "csv"]


def draw() -> SetRow | None:
    """The bar; the set that is shown, ``None`` where there is none."""
    sets = state.services().evaluations.sets(state.visitor())
    by_id = {each.id: each for each in sets}
    last = str(state.widget(_LAST) or "")
    shown = by_id.get(state.named("s")) or by_id.get(last) or (sets[0] if sets else None)
    with st.container(horizontal=True, vertical_alignment="bottom", key="set-bar"):
        if shown:
            state.put(_KEY, shown.id)
            state.put(_LAST, shown.id)
            st.selectbox(
                say("Set"), list(by_id), format_func=lambda id: _titled(by_id[id]), key=_KEY, on_change=_picked
            )
        made, taken = _count(_MADE), _count(_TAKEN)  # a new one after each set and file: it is closed, its field empty
        with st.popover(say("New set"), icon=":material/add:", key=f"tests-new-{made}"):
            _new(made)
        with st.popover(say("Import"), icon=":material/upload:", key=f"tests-import-{taken}"):
            _import(taken)
        if shown:
            _out(shown)
    card_import.said(say("It stands at the end of this page, under Cards of models."))
    return shown


def _titled(row: SetRow) -> str:
    return f"{one_line(row.name, 60)} · {say('{n} test', '{n} tests', n=row.tests)}"


def _picked() -> None:
    state.name(s=str(state.widget(_KEY)))


def _count(key: str) -> int:
    return int(state.widget(key) or 0)


def _new(made: int) -> None:
    with st.form(f"new-set-{made}", border=False):
        name = st.text_input(say("Name"), max_chars=80)
        if st.form_submit_button(say("Make it"), type="primary"):
            with problems.telling():
                state.name(s=state.services().evaluations.add_set(state.visitor(), name.strip()))
                state.put(_MADE, made + 1)
                st.rerun()


def _import(taken: int) -> None:
    st.caption(say("JSON lines, YAML of pydantic-evals, a CSV of questions and answers, or cards of models."))
    file = st.file_uploader(say("File with tests"), FILE_TYPES, key=f"tests-file-{taken}", max_upload_size=10)
    if file and st.button(say("Import it"), type="primary"):
        with problems.telling():
            with st.spinner(say("Importing")):
                _take(file.name, file.getvalue())
            state.put(_TAKEN, taken + 1)
            st.rerun()


def _take(name: str, data: bytes) -> None:
    """Take a file in: cards of models, or tests. Raises ``GlassboxError``."""
    if is_card(data):
        card_import.take(data)
    else:
        state.name(s=shelf().import_file(name, data))


def _out(shown: SetRow) -> None:
    export = partial(shelf().export, shown.id)  # the file is written outside this script, where nobody knows who looks
    with st.popover(say("Export"), icon=":material/download:"):
        st.caption(say("JSON lines have everything, the recorded runs, too. YAML opens in pydantic-evals."))
        st.download_button(say("As JSON lines"), lambda: write_lines(export()), "tests.jsonl", "application/jsonl")
        st.download_button(say("As YAML"), lambda: _yaml(export()), "tests.yaml", "application/yaml")
    # One for each set: else it would stay open, and offer to delete the next.
    with st.popover(say("Delete"), icon=":material/delete:", key=f"to-delete-{shown.id}"):
        st.write(say("The set goes with its tests, their runs and their results."))
        if st.button(say("Delete the set"), type="primary", key="delete-set"):
            state.services().evaluations.remove_set(state.visitor(), shown.id)
            state.name(s="")
            st.rerun()


def _yaml(kept: KeptSet) -> str:
    from agent.evals.formats.pydantic_yaml import write_yaml  # only who wants it waits for it

    return write_yaml(kept)
