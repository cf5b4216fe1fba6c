"""Share a chat as a read-only page, bring that up to date, take it back; and the list of what is shared."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import streamlit as st

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sharing.shares import Share
from pages.ui.session import again, reading, state
from pages.ui.text.escape import label
from pages.ui.text.words import moment, say, titled_dialog, told
from pages.ui.widgets import browser, problems

_WHO = Text("Anyone who has the link can read this chat as it is now. Nobody can ask or change anything there.")
_WITH = Text("On the page: every question, step, exact call, result, picture and answer.")
_WITHOUT = Text("Not on it: keys, your notes, your model’s address, and files, but for what the steps show of them.")
_STAYS = Text("What is asked later is not on the page until you update it.")


@titled_dialog("Share this chat", icon=":material/share:", on_dismiss=state.close_dialog)
def dialog() -> None:
    conversation = state.dialog_about()
    shares = _mine()
    share = next((each for each in shares if each.conversation == conversation), None)
    if share:
        _shared(share)
    else:
        _offer(conversation)
    others = len(shares) - bool(share)
    if others:
        st.button(
            say("{n} other chat is shared", "{n} other chats are shared", n=others),
            key="shares-list",
            type="tertiary",
            icon=":material/list:",
            on_click=state.open_dialog,
            args=("preferences", "shares"),
        )


def _offer(conversation: str) -> None:
    st.write(told(_WHO))
    st.caption(f"{told(_WITH)} {told(_WITHOUT)}")
    if st.button(say("Make a link"), key="make-share", type="primary", icon=":material/link:"):
        try:
            _make(conversation)
        except BadRequest as error:
            problems.tell(error)
        else:
            again.dialog()


def _make(conversation: str) -> None:
    state.services().shares.make(state.visitor(), conversation, state.picks(), state.seal())


def _shared(share: Share) -> None:
    if share.token:
        address = reading.link(share.token)
        st.code(address, language=None, wrap_lines=True)
    else:
        st.caption(say("Its link cannot be shown in this browser. Take it back, and make a new one."))
        address = ""
    now = state.services().shares.turns(share.conversation, state.picks())
    st.caption(f"{_readers_see(share)} {_since(share, now) or told(_STAYS)}")
    with st.container(horizontal=True, vertical_alignment="center", key="share-acts"):
        if now != share.turns:
            st.button(
                say("Update the link"),
                key="update-share",
                type="primary",
                icon=":material/sync:",
                on_click=_make,
                args=(share.conversation,),
            )
        if address:
            _look(address)
        _take_back(share)


def _taken_back(conversation: str) -> None:
    state.services().shares.take_back(state.visitor(), conversation)


def _take_back(share: Share) -> None:
    st.button(
        say("Take it back"),
        key=f"take-back-{share.conversation}",
        type="tertiary",
        icon=":material/link_off:",
        help=say("At once: the link then opens nothing."),
        on_click=_taken_back,
        args=(share.conversation,),
    )


def _look(address: str) -> None:
    browser.copy(address, label=Text("Copy this link"), icon="content_copy")
    st.link_button(say("Open it"), address, type="tertiary", icon=":material/open_in_new:")


def _readers_see(share: Share) -> str:
    count = Text("{n} question", "{n} questions", n=len(share.turns))
    return say(
        "Anyone who has this link can read the chat as it was on {moment}: {questions}.",
        moment=told_moment(share.updated),
        questions=count,
    )


def _since(share: Share, now: tuple[str, ...]) -> str:
    """What has happened to the chat since then, "" for nothing."""
    if now == share.turns:
        return ""
    more = len(now) - len(share.turns)
    if more > 0 and now[: len(share.turns)] == share.turns:
        return say("{n} more was asked since.", "{n} more were asked since.", n=more)
    return say("The chat has changed since.")


def told_moment(seconds: float) -> str:
    """By the reader's own clock."""
    zone = timezone(-timedelta(minutes=st.context.timezone_offset or 0))
    return moment(datetime.fromtimestamp(seconds, zone))


def line() -> None:
    """How many chats are shared, and the way to them; nothing where none is."""
    count = len(_mine())
    if not count:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="shares-line"):
        st.caption(say("{n} chat is shared.", "{n} chats are shared.", n=count), width="stretch")
        st.button(
            say("Shared chats"),
            key="shares",
            type="tertiary",
            icon=":material/share:",
            on_click=state.open_dialog,
            args=("preferences", "shares"),
        )


def draw() -> None:
    """All shared chats, each to be looked at and taken back."""
    st.markdown(f"**{say('Shared chats')}**")
    shares = _mine()
    if not shares:
        st.caption(say("No chat is shared."))
    for share in shares:
        with st.container(border=True, key=f"share-{share.conversation}", gap="small"):
            st.markdown(f"**{label(share.title, 80)}**")
            st.caption(_readers_see(share))
            with st.container(horizontal=True, vertical_alignment="center", key=f"share-acts-{share.conversation}"):
                if share.token:
                    _look(reading.link(share.token))
                _take_back(share)
    st.button(say("Back to settings"), type="tertiary", on_click=state.open_dialog, args=("preferences",))


def _mine() -> list[Share]:
    return state.services().shares.of(state.visitor(), state.seal())
