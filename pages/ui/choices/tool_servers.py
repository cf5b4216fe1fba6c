"""The connected tool servers: how each is doing, what it has, and a form to connect another one."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from agent.errors import BadRequest, ToolFailed
from agent.extensions.mcp.described import ServerState
from agent.interface_text import Text, packed, unpacked
from agent.toolkit.base import Hints
from pages.ui.session import asking, state
from pages.ui.text.escape import label, unformatted
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button

_LOOK_SECONDS, _LOOKS = 0.5, 60
_STATES = {
    "connecting": (":gray[:material/pending:]", Text("Connecting")),
    "ready": (":green[:material/check_circle:]", Text("Connected")),
    "lost": (":red[:material/cancel:]", Text("Gone")),
    "failed": (":red[:material/cancel:]", Text("Not connected")),
}
_OWN_WORD = Text("In the server's own words. Nobody has checked them.")
_KEY_HELP = Text("Sent to this server only, as a bearer token; kept in this browser tab's session only.")


@titled_dialog("Tool servers", width="medium", on_dismiss=state.close_dialog)
def dialog() -> None:
    draw()


def draw() -> None:
    """All servers, and the form. While one is being connected the list waits for it; any click ends the wait."""
    servers = state.services().servers
    st.caption(say("Tools of other programs (Model Context Protocol). They are offered to the model beside ours."))
    slot = st.container()
    if servers.visitors_allowed:
        _form()
    with slot:
        waiting = st.empty()
        known, looks = servers.states(asking.session()), 0
        while looks < _LOOKS and (on_way := [one.server.name for one in known if one.kind == "connecting"]):
            waiting.caption(
                f"{say('Connecting {names}', names=label(', '.join(on_way)))} · {looks * _LOOK_SECONDS:.0f} s"
            )
            known, looks = servers.states(asking.session(), _LOOK_SECONDS), looks + 1
        waiting.empty()
        if not known:
            st.caption(say("None is connected."))
        for one in known:
            _server(one)


def section() -> None:
    """The servers in a line each, and the way to the dialog; nothing is waited for."""
    servers = state.services().servers
    known = servers.states(asking.session())
    st.subheader(say("Tool servers"), anchor=False)
    if not known:
        st.markdown(say("Other programs can bring tools of their own (Model Context Protocol). None is connected."))
    with st.container(gap="xsmall", key="tool-servers"):
        for one in known:
            st.markdown(" · ".join(filter(None, (_heading(one), _short(one)))))
    if known or servers.visitors_allowed:
        name = Text("Look closer") if known else Text("Connect a server")
        button(name, "all-servers", "extension", state.open_dialog, "servers")


def _heading(one: ServerState) -> str:
    icon, word = _STATES[one.kind]
    return f"{icon} **{label(one.server.name)}** · {told(word)}"


def _short(one: ServerState) -> str:
    """How many tools it has, or what is wrong with it."""
    if one.kind != "ready":
        return label(told(one.sentence), 200)
    return " · ".join([_count(one), *([say("changed since it was connected")] if one.changed else [])])


def _count(one: ServerState) -> str:
    return say("{n} tool", "{n} tools", n=len(one.tools))


def _server(one: ServerState) -> None:
    name, own, servers = one.server.name, not one.server.owners, state.services().servers
    with st.container(border=True, key=f"server-{name}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            where = label(one.address) if own else say("For everybody on this site")
            st.markdown(f"{_heading(one)}  \n:small[:gray[{where}]]", width="stretch")
            if one.kind in ("lost", "failed"):
                button(Text("Try again"), f"again-{name}", "refresh", servers.again, asking.session(), name)
            if own:
                button(Text("Disconnect"), f"off-{name}", "link_off", servers.disconnect, asking.session(), name)
        if one.sentence:
            st.markdown(label(told(one.sentence), 400))
        for sentence in one.told:
            st.caption(label(told(sentence), 300))
        if one.kind == "ready":
            _changed(one, own)
            _tools(one)
            _prompts(one)


def _changed(one: ServerState, own: bool) -> None:
    """A server that says something else of its tools than at first may be up to something."""
    if not one.changed:
        return
    names = label(", ".join(one.changed), 300)
    st.warning(
        say(
            "Changed since it was connected: {names}. They are held back until you agree. Read what it says now.",
            names=names,
        )
        if own
        else say("Changed since it was connected: {names}. Read what it says now.", names=names),
        icon=":material/warning:",
    )
    if own:
        agree = partial(state.services().servers.accept, asking.session(), one.server.name)
        st.button(say("Use them as they are now"), key=f"accept-{one.server.name}", on_click=agree)


def _tools(one: ServerState) -> None:
    count = len(one.resources)
    more = f" · {say('{n} resource to read', '{n} resources to read', n=count)}" if count else ""
    with st.expander(_count(one) + more, key=f"tools-of-{one.server.name}"):
        st.caption(told(_OWN_WORD))
        for tool in one.tools:
            said = tool.description.partition(": ")[2] or say("It says nothing of it.")
            st.markdown(f"**{label(tool.name)}**{_hints(tool.hints)}  \n{label(said, 400)}")


def _hints(hints: Hints) -> str:
    if hints.read_only:
        return f" :gray-badge[{say('says it only reads')}]"
    return f" :orange-badge[{say('says it may destroy')}]" if hints.destructive else ""


def _prompts(one: ServerState) -> None:
    """Questions that the server offers; each is shown before it is asked."""
    titles = {prompt.name: label(prompt.title, 60) for prompt in one.prompts}
    if not titles:
        return
    name = one.server.name
    picked = st.pills(say("Questions it offers"), list(titles), format_func=titles.__getitem__, key=f"prompts-{name}")
    if picked is None:
        return
    try:
        question = state.services().servers.question(asking.session(), name, picked)
    except ToolFailed as error:
        problems.tell(error)
        return
    st.code(unformatted(question), language=None, wrap_lines=True)
    if st.button(say("Ask this"), key=f"ask-{name}", disabled=not question):
        asking.ask(question)
        state.close_dialog()
        st.rerun()


def _form() -> None:
    typed = state.draft("connect-server", {"fields": 0, "problem": ""})
    name_key, address_key, key_key = _fields(typed["fields"])
    with st.form("connect-server", border=False):
        left, right = st.columns([1, 2])
        left.text_input(say("Name"), key=name_key, placeholder="weather", max_chars=24)
        right.text_input(say("Address"), key=address_key, placeholder="https://example.com/mcp", max_chars=500)
        hint = Text("Only if the server asks for one")
        st.text_input(say("Key"), key=key_key, type="password", placeholder=told(hint), help=told(_KEY_HELP))
        st.form_submit_button(
            say("Connect"), type="primary", icon=":material/add_link:", on_click=_connect, args=(typed,)
        )
    if typed["problem"]:
        problems.tell(unpacked(typed["problem"]))


def _fields(number: int) -> list[str]:
    """New fields for each server: a key does not stay in the page."""
    return [f"server-{field}-{number}" for field in ("name", "address", "key")]


def _connect(typed: dict[str, Any]) -> None:
    name, address, key = (str(state.widget(field) or "") for field in _fields(typed["fields"]))
    try:
        state.services().servers.connect(asking.session(), name, address, key)
    except BadRequest as error:
        typed["problem"] = packed(error.text)
    else:
        typed.update(fields=typed["fields"] + 1, problem="")
