"""The only file that touches session state, query parameters, cookies, secrets and caches."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from threading import Thread
from time import time
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from agent.application import preferences
from agent.application.recovery import keep_resuming
from agent.application.services import Services, open_services
from agent.application.setup import Choice, default_choice
from agent.application.setup import on_owners_key as owner_pays
from agent.application.warming import warm
from agent.settings.misspelt import refuse_unreadable
from agent.store.runs import ConversationRow, RunRow

COOKIE = "glassbox_visitor"
TURNS = 6
CHAT = "Chat"
_MORE_TURNS = 20
_IN_PLACE = ("editing", "commenting", "box-notice", "box-returned", "unfolded")
Kept: TypeAlias = Mapping[Any, Any]


@st.cache_resource(show_spinner=False)
def services() -> Services:
    opened = open_services(os.environ, _secrets())
    _opened().append(opened)
    keep_resuming(opened)
    return opened


@st.cache_resource(show_spinner=False)
def _opened() -> list[Services]:
    return []


def end_runs() -> None:
    """End what is at work here: the server's signal is not heard by ``atexit``."""
    for opened in _opened():
        opened.end()


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Do what the first question would wait for, once, while somebody reads the page."""
    Thread(target=warm, args=(bool(services().settings.owner_model),), name="warm up", daemon=True).start()


@st.cache_resource(show_spinner=False)
def _secrets() -> dict[str, Any]:
    """The owner's secrets, read once: where there is no file, Streamlit looks for one at every call, one at a time."""
    found = st.secrets.load_if_toml_exists() or refuse_unreadable(st.get_option("secrets.files"))
    return st.secrets.to_dict() if found else {}


def kept_now() -> Kept:
    """All that this session remembers, as it is now.

    Streamlit may end a script wherever that reads or writes a single key, or a part of the address: what must not be
    lost is done with this, and with ``address_sent``, before any of that.
    """
    return dict(st.session_state.to_dict())


def address_sent() -> str:
    """``conversation_id``, as the browser sent it."""
    context = get_script_run_ctx()
    return parse_qs(context.query_string if context else "").get("c", [""])[-1]


# Who is looking.


def _browser_id(kept: Kept = st.session_state) -> str:
    """What this browser is known by: what its cookie says, else something new that the page asks it to keep."""
    known = kept.get("cookie", "")
    if not known:
        ids, sent = services().visitor_ids, st.context.cookies.get(COOKIE, "")
        known = ids.read(sent) or (sent if ids.is_older(sent, _visitor_of_browser(sent)) else ids.new())
        st.session_state["cookie"] = known
    return known


def cookie() -> str:
    """What the browser is to keep, or "" where it has that, or where somebody has signed in."""
    if signed_in_as() or services().visitor_ids.read(st.context.cookies.get(COOKIE, "")) == _browser_id():
        return ""
    return services().visitor_ids.signed(_browser_id())


def _visitor_of_browser(browser: str) -> str:
    return sha256(f"browser {browser}".encode()).hexdigest()[:32]


def signing_in() -> bool:
    """Whether the owner has set up signing in."""
    return "auth" in _secrets()


def signed_in_as() -> str:
    """The name or address of the person signed in, or ""."""
    signed_in = signing_in() and st.user.is_logged_in
    return str(st.user.get("email") or st.user.get("name") or "you") if signed_in else ""


def visitor(kept: Kept = st.session_state) -> str:
    """Whose conversations to show. The store never sees the cookie itself, only what follows from it."""
    if not signed_in_as():
        return _visitor_of_browser(_browser_id(kept))
    return sha256(f"user {st.user.get('iss')} {st.user.get('sub')}".encode()).hexdigest()[:32]


def seal() -> str:
    """What no store has, and this visitor's browser or this site's secrets have: their shares are sealed with it."""
    if not signed_in_as():
        return _browser_id()
    return f"{_secrets()['auth'].get('cookie_secret', '')} {st.user.get('iss')} {st.user.get('sub')}"


def site_address() -> str:
    """The address of the chat page, as the browser has it, with a slash at its end."""
    return f"{str(st.context.url or '').rstrip('/')}/"


# Which conversation is open, and what is going on with it.


def conversation_id() -> str:
    """The conversation in the address bar, or "" for a new one."""
    return st.query_params.get("c", "")


def conversation() -> ConversationRow | None:
    """The open conversation, if there is one and it is the visitor's own."""
    row = services().store.conversation(conversation_id()) if conversation_id() else None
    return row if row and row.visitor == visitor() else None


def open_address() -> dict[str, str]:
    """What leads to the open conversation in an address, if there is one."""
    mine = conversation()
    return {"c": mine.id} if mine else {}


def own_run(run: str) -> RunRow | None:
    """The run of that id, if it is in a conversation of the visitor's own."""
    row = services().store.run(run)
    its = services().store.conversation(row.conversation) if row else None
    return row if its and its.visitor == visitor(kept_now()) else None


def open_conversation(conversation: str) -> None:
    """Open a conversation, a new one where it is ""; from another page than the chat, as soon as that is drawn."""
    if page() != CHAT:
        st.session_state["going"] = conversation
        return
    for what in _IN_PLACE:
        if (st.session_state.get(what) or (conversation,))[0] != conversation:
            st.session_state.pop(what)
    if conversation and conversation != conversation_id():
        st.query_params["c"] = conversation
    elif not conversation:
        st.query_params.clear()


def entered(page: str) -> str | None:
    """Say which page is drawn: the conversation to leave it for ("" for a new one), or ``None`` to stay."""
    st.session_state["page"] = page
    st.session_state.setdefault("opened", time())
    going: str | None = st.session_state.pop("going", None)
    context, asked, named = get_script_run_ctx(), conversation_id(), st.session_state.get("named")
    # A link from chat to chat leaves the address bar as it was. Told later, that may come when Back has led elsewhere.
    if page == CHAT and asked and named not in (None, asked) and not (context and context.is_history_navigation):
        st.query_params["c"] = asked
    st.session_state["named"] = asked if page == CHAT else None
    return None if page == CHAT else going


def page() -> str:
    """The title of the page that is drawn."""
    return str(st.session_state.get("page", CHAT))


def named(name: str) -> str:
    """What the address bar says under that name, or ""."""
    return st.query_params.get(name, "")


def name(**values: str) -> None:
    """Put these into the address bar."""
    st.query_params.update(values)


def picks(kept: Kept = st.session_state) -> dict[str, str]:
    """Which branch to show after a run ("" for the start), where another than the newest was picked."""
    return dict(kept.get("picks", {}))


def pick(follows: str, run: str) -> None:
    st.session_state["picks"] = {**picks(), follows: run}


def turns_shown(conversation: str) -> int:
    """How many of the last turns are drawn."""
    return st.session_state.get("turns", {}).get(conversation, TURNS)


def show_earlier(conversation: str) -> None:
    st.session_state["turns"] = {conversation: turns_shown(conversation) + _MORE_TURNS}


def deleted(conversation: str = "", title: str = "") -> list[tuple[str, str]]:
    """The last conversations deleted in this session, id and title: they can be brought back. Adds one if given."""
    if conversation:
        st.session_state["deleted"] = [*deleted(), (conversation, title)][-3:]
    return st.session_state.get("deleted", [])


def slot_of_list(rows: list[str]) -> int:
    """0 or 1, by turns: another one than last time where the sidebar lists something else."""
    before, slot = st.session_state.get("listed", ([], 0))
    slot = slot if rows == before else 1 - slot
    st.session_state["listed"] = (rows, slot)
    return slot


def set_off(run: str = "") -> str:
    """The run that this session began last, or had go on. Sets it if given: nothing has been seen of it yet."""
    if run:
        st.session_state["set-off"], st.session_state["followed"] = run, ""
    return st.session_state.get("set-off", "")


def follow_ended(run: str) -> None:
    st.session_state["followed"] = run


def was_followed(run: str) -> bool:
    """Whether this session saw that run end: its answer is then news to be said aloud."""
    return st.session_state.get("followed") == run


def unseen(run: str) -> bool:
    """Whether this session set that run off and did not see it end, or ask something."""
    return st.session_state.get("set-off") == run and not was_followed(run)


def widget(key: str) -> Any:
    """What a widget says now: for its own callback."""
    return st.session_state.get(key)


def put(key: str, value: object) -> None:
    """What a widget that is not drawn yet is to say; or what a page remembers."""
    st.session_state[key] = value


def open_in_place(what: str, run: str = "") -> None:
    """Open a form in its place at a run, or close it. It is closed, too, when another conversation is opened."""
    st.session_state[what] = (conversation_id(), run)


def opened_in_place(what: str) -> str:
    """The run that it is open at, or ""."""
    return st.session_state.get(what, ("", ""))[1]


# Which dialog is open: while one is, runs are not followed, for a dialog answers only when the page is at rest.


def dialog() -> str:
    return st.session_state.get("dialog", ("", ""))[0]


def dialog_about() -> str:
    """The id of what the open dialog is about."""
    return st.session_state.get("dialog", ("", ""))[1]


def open_dialog(name: str, about: str = "") -> None:
    st.session_state["dialog"] = (name, about)


def close_dialog() -> None:
    st.session_state.pop("dialog", None)


# With what questions are answered.


def choice(kept: Kept = st.session_state) -> Choice:
    """The visitor's choice of model; the key never leaves this session's memory."""
    return preferences.chosen(_chosen(kept), default_choice(services().settings))


def _chosen(kept: Kept = st.session_state) -> dict[str, Any]:
    """What was chosen in this session, else what was kept of an earlier one."""
    if "choice" in kept:
        return kept["choice"]
    chosen = preferences.read_back(services().chats.preferences(visitor(kept)))
    st.session_state["choice"] = chosen
    return chosen


def choose(**changes: Any) -> None:
    """Change parts of the choice, and keep it for the next visit, without the key."""
    kept = preferences.changed(_chosen(), changes)
    st.session_state["choice"] = kept
    services().chats.prefer(visitor(), preferences.write_down(kept, services().settings.base_url))


def back_to_defaults() -> None:
    """Forget all that was chosen, the key included, here and for the next visit."""
    st.session_state["choice"] = {}
    services().chats.prefer(visitor(), "")


def key_missing(kept: Kept = st.session_state) -> bool:
    """Whether the chosen server was given a key in an earlier session: keys are not kept."""
    return preferences.key_missing(_chosen(kept))


def on_owners_key() -> bool:
    return not key_missing() and owner_pays(services().settings, choice())


def draft(name: str, start: dict[str, Any]) -> dict[str, Any]:
    """What is typed into a dialog before it is taken over; begins with ``start``."""
    return st.session_state.setdefault(f"draft-{name}", dict(start))


def drop_draft(name: str) -> None:
    st.session_state.pop(f"draft-{name}", None)


@st.cache_resource(ttl=30, max_entries=1, show_spinner=False)
def local_servers() -> tuple[tuple[str, str], ...]:
    """Label and address of the model servers that answer on this machine's usual ports now."""
    from agent.models.presets import local_servers as look

    return tuple((preset.label, preset.endpoint) for preset in look())
