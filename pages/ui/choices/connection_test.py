"""The test of a connection in the dialog: its lines as they come, what it waits for, and a way out."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import streamlit as st

from agent.application.setup import allowed_endpoint, api_for
from agent.interface_text import Text, packed, unpacked
from pages.ui.session import again, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets import problems

if TYPE_CHECKING:
    from agent.application.connection_test.checks import LiveCheck

_LOOK_SECONDS = 0.5
_STATES = {
    "works": (":material/check_circle:", "green", Text("works")),
    "fails": (":material/cancel:", "red", Text("does not work")),
    "without": (":material/do_not_disturb_on:", "orange", Text("not taken")),
    "unknown": (":material/help:", "gray", Text("cannot be told")),
}
# Glassbox does without these.
_OPTIONAL = ("streaming", "tools", "stop")
_NAMES = {
    "reachable": Text("Server reachable"),
    "key": Text("Key"),
    "model": Text("Model"),
    "streaming": Text("Streaming"),
    "tools": Text("Tool calls"),
    "stop": Text("Stop words"),
}
_WAITING_FOR = {
    "reachable": Text("waiting for the server's list of models"),
    "key": Text("waiting for a first reply"),
    "model": Text("waiting for a first reply"),
    "streaming": Text("waiting for a first reply"),
    "tools": Text("waiting for a tool call"),
    "stop": Text("waiting for a reply with a stop word"),
}


def draw(typed: dict[str, Any], tested: bool) -> None:
    """What a test found, line by line as it comes; it stays until something else is tested.

    A script waits for half a second at most and then starts anew: while one runs, no click in a dialog is heard.
    """
    about = (typed["address"], typed["model"], typed["key"])
    if tested:
        _give_up(typed)
        with problems.telling():
            _start(typed, about)
    live = state.services().tests.get(typed.get("test", ""))
    if live and typed["tested"] != about:
        _give_up(typed)
        live = None
    for finding in typed.get("findings", []):
        _finding(*finding)
    if live:
        _wait(typed, live)


def _start(typed: dict[str, Any], about: tuple[str, str, str]) -> None:
    from agent.application.connection_test.checks import LiveCheck, check

    services, (endpoint, model, key) = state.services(), about
    address = allowed_endpoint(services.settings, endpoint)
    services.capabilities.forget(address, model)
    learned, preset = services.capabilities, typed["server"]
    typed.update(test=uuid4().hex, tested=about, began=monotonic(), findings=[])
    api = api_for(services.settings, address)
    testing = check(address, model, key, capabilities=learned, preset=preset, api=api)
    services.tests.keep(typed["test"], LiveCheck(testing))


def _wait(typed: dict[str, Any], live: LiveCheck) -> None:
    known = {name for name, *_ in typed["findings"]}
    doing = next((_WAITING_FOR[name] for name in _NAMES if name not in known), Text("done"))
    with st.container(horizontal=True, vertical_alignment="center", key="testing"):
        st.caption(
            f"{say('Testing: {doing}', doing=doing)} · {monotonic() - typed['began']:.0f} s",
            width="content",
        )
        st.button(say("Cancel the test"), key="cancel-test", type="tertiary", on_click=_give_up, args=(typed,))
    found = live.next(_LOOK_SECONDS)
    if found:
        typed["findings"].append((found.name, found.state, packed(found.detail), packed(found.fix)))
    if live.done:
        _give_up(typed)
    again.dialog()


def _give_up(typed: dict[str, Any]) -> None:
    live = state.services().tests.take(typed.get("test", ""))
    if live:
        live.give_up()


def _finding(name: str, result: str, detail: str, fix: str) -> None:
    icon, colour, words = _STATES["without" if result == "fails" and name in _OPTIONAL else result]
    st.markdown(
        f":{colour}[{icon}] **{told(_NAMES[name])}** {told(words)}"
        + (f" · {label(told(unpacked(detail)), 300)}" if detail else "")
    )
    if fix:
        st.caption(f"↳ {label(told(unpacked(fix)), 400)}")
