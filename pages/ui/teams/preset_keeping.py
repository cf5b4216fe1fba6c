"""On the page Site: what the owner keeps for all to begin with; kept, changed, removed, taken out, brought in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from agent.application.preferences import read_back
from agent.application.setup import DEMO
from agent.application.teams.preset_office import (
    MOST_FILE_BYTES,
    MOST_FILES,
    MOST_IMPORT_BYTES,
    MOST_NAME,
    PresetOffice,
    preset_office,
)
from agent.demo.model import NAME as DEMO_NAME
from agent.errors import BadRequest
from agent.interface_text import Text, packed, unpacked
from agent.store.site_presets import SampleFile, SitePreset
from agent.web.endpoint import origin
from pages.ui.session import people, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets.buttons import button

_NOTICE, _IMPORTED = "presets-notice", "presets-imported"
_MEGABYTE = 1_000_000
_WHAT = Text(
    "A preset has the model, the way tools are called, the tools and the prompts that you have chosen now; a key is "
    "never in it. Visitors pick it by one click; chats that began with one stay as they are when it is changed or "
    "removed."
)


def draw() -> None:
    office = _office()
    if office is None:
        return
    st.subheader(say("Presets for all"), anchor=False)
    st.caption(told(_WHAT))
    if said := state.widget(_NOTICE):
        st.warning(label(told(unpacked(said)), 500), icon=":material/error:")
    presets = office.all()
    if not presets:
        st.caption(say("There is none yet. Choose model, tools and prompts as ever, then keep them here."))
    for preset in presets:
        _row(preset)
    _keep_form()
    _files(office, presets)


def _office() -> PresetOffice | None:
    """Asked for anew by every click: whoever is no owner any more has none."""
    return preset_office(state.services(), people.person())


def _row(preset: SitePreset) -> None:
    with st.container(border=True, gap="small", key=f"preset-row-{preset.id}"):
        st.markdown(f"**{label(preset.name, 60)}**")
        st.caption(_summary(read_back(preset.body), preset.files))
        with st.container(horizontal=True, vertical_alignment="center"):
            change = partial(PresetOffice.change, name=preset.name, choice=_chosen())
            remove = partial(PresetOffice.remove, name=preset.name)
            name = Text("Change to what I have chosen now")
            button(name, f"preset-change-{preset.id}", "sync", _click, change, quiet=True)
            button(Text("Remove"), f"preset-remove-{preset.id}", "delete", _click, remove, quiet=True)


def _keep_form() -> None:
    with st.form("preset-keep", clear_on_submit=True):
        now = _summary(_plain_choice(), ())
        st.caption(say("What you have chosen now: {summary}", summary=now))
        name = st.text_input(say("Name"), max_chars=MOST_NAME, key="preset-name")
        sent = st.file_uploader(
            say("Sample files that are loaded into its chats (at most {most})", most=MOST_FILES),
            accept_multiple_files=True,
            max_upload_size=MOST_FILE_BYTES // _MEGABYTE,
            key="preset-files",
        )
        kept = st.form_submit_button(say("Keep as a preset"), key="preset-kept", icon=":material/bookmark_add:")
    if kept:
        files = [SampleFile(file.name, file.getvalue()) for file in sent or ()]
        _click(partial(PresetOffice.keep, name=name or "", choice=_chosen(), files=files))
        st.rerun()


def _files(office: PresetOffice, presets: Sequence[SitePreset]) -> None:
    with st.expander(say("Take them out, bring them in"), icon=":material/import_export:", key="presets-files"):
        if presets:
            st.download_button(
                say("All presets as JSON"),
                office.exported,
                "glassbox-presets.json",
                "application/json",
                key="presets-export",
                icon=":material/download:",
                on_click="ignore",
            )
        sent = st.file_uploader(
            say("A file of presets; one of the same name is replaced"),
            type=["json"],
            max_upload_size=MOST_IMPORT_BYTES // _MEGABYTE,
            key="presets-import",
        )
        if sent is not None and state.widget(_IMPORTED) != sent.file_id:
            state.put(_IMPORTED, sent.file_id)
            data = sent.getvalue()
            _click(lambda its: its.imported(data))
            st.rerun()


def _click(act: Callable[[PresetOffice], Any]) -> None:
    """What an owner's click does; nothing where they are none any more."""
    office = _office()
    state.put(_NOTICE, None)
    if office is None:
        return
    try:
        act(office)
    except BadRequest as error:
        state.put(_NOTICE, packed(error.text))


def _chosen() -> dict[str, Any]:
    """The owner's own choice, as ``preferences`` has it."""
    return dict(state.kept_now().get("choice", {}))


def _plain_choice() -> dict[str, Any]:
    choice = state.choice()
    return {name: getattr(choice, name) for name in ("endpoint", "model", "tools", "prompts")}


def _summary(kept: dict[str, Any], files: Sequence[str]) -> str:
    """What of it a person knows it by: the model and its server, tools, own prompts, files."""
    endpoint, tools = str(kept.get("endpoint", "")), kept.get("tools")
    server = f" · {label(origin(endpoint).partition('://')[2], 60)}" if endpoint not in ("", DEMO) else ""
    parts = [told(DEMO_NAME) if endpoint == DEMO else label(str(kept.get("model", "")), 60) + server]
    parts.append(say("the usual tools") if tools is None else say("{n} tool", "{n} tools", n=len(tools)))
    if prompts := kept.get("prompts"):
        parts.append(say("{n} own prompt", "{n} own prompts", n=len(prompts)))
    return " · ".join((*parts, *(label(file, 40) for file in files)))
