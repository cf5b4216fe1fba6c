"""The test of a connection in the dialog: its lines as they come, what it waits for, and a way out."""

from __future__ import annotations

from time import monotonic
from typing import Any

import streamlit as st

from agent.errors import GlassboxError
from agent.setup import allowed_endpoint
from pages.ui import state
from pages.ui.escape import label

_LOOK_SECONDS = 0.25
_STATES = {
    "works": (":material/check_circle:", "green", "works"),
    "fails": (":material/cancel:", "red", "does not work"),
    "without": (":material/do_not_disturb_on:", "orange", "not taken"),
    "unknown": (":material/help:", "gray", "cannot be told"),
}
# Glassbox does without these.
_OPTIONAL = ("streaming", "tools", "stop")
_NAMES = {
    "reachable": "Server reachable",
    "key": "Key",
    "model": "Model",
    "streaming": "Streaming",
    "tools": "Tool calls",
    "stop": "Stop words",
}
_WAITING_FOR = {
    "reachable": "waiting for the server's list of models",
    "key": "waiting for a first reply",
    "model": "waiting for a first reply",
    "streaming": "waiting for a first reply",
    "tools": "waiting for a tool call",
    "stop": "waiting for a reply with a stop word",
}


def draw(typed: dict[str, Any], tested: bool) -> None:
    """What a test found, line by line as it comes; it stays until something else is tested."""
    if tested:
        typed["findings"] = []
    for finding in typed.get("findings", []):
        _finding(*finding)
    if tested:
        try:
            _test(typed)
        except GlassboxError as error:
            st.error(label(str(error), 400), icon=":material/error:")


def _test(typed: dict[str, Any]) -> None:
    """Any click ends this script at its next look, and the test with it."""
    from agent.models.check import check
    from agent.models.check_live import LiveCheck

    services = state.services()
    address = allowed_endpoint(services.settings, typed["address"])
    lines, waiting = st.container(), st.empty()
    with waiting.container(horizontal=True, vertical_alignment="center", key="testing"):
        doing = st.empty()
        st.button("Cancel the test", key="cancel-test", type="tertiary")
    services.capabilities.forget(address, typed["model"])
    learned, preset, began = services.capabilities, typed["server"], monotonic()
    live = LiveCheck(check(address, typed["model"], typed["key"], capabilities=learned, preset=preset))
    try:
        while not live.done:
            left = [name for name in _NAMES if name not in {known for known, *_ in typed["findings"]}]
            doing.caption(f"Testing: {_WAITING_FOR[left[0]] if left else 'done'} · {monotonic() - began:.0f} s")
            found = live.next(_LOOK_SECONDS)
            if found:
                typed["findings"].append((found.name, found.state, found.detail, found.fix))
                with lines:
                    _finding(*typed["findings"][-1])
    finally:
        live.give_up()
    waiting.empty()


def _finding(name: str, result: str, detail: str, fix: str) -> None:
    icon, colour, words = _STATES["without" if result == "fails" and name in _OPTIONAL else result]
    st.markdown(f":{colour}[{icon}] **{_NAMES[name]}** {words}" + (f" · {label(detail, 300)}" if detail else ""))
    if fix:
        st.caption(f"↳ {label(fix, 400)}")
