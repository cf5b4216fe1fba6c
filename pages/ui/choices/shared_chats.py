"""Share a chat as a read-only page, by a link or with people, bring that up to date, take it back; and the list of what
is shared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import streamlit as st

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sharing.shares import Share
from agent.sharing.team_shares import TeamShare
from pages.ui.session import again, people, reading, state
from pages.ui.teams import team_sharing
from pages.ui.text.escape import label
from pages.ui.text.words import moment, say, saying, titled_dialog, told
from pages.ui.widgets import browser, problems
from pages.ui.widgets.buttons import button

_WHO = Text("Anyone who has the link can read this chat as it is now. Nobody can ask or change anything there.")
_WITH = Text("On the page: every question, step, exact call, result, picture and answer.")
_WITHOUT = Text("Not on it: keys, your notes, your model’s address, and files, but for what the steps show of them.")
_STAYS = Text("What is asked later is not on the page until you update it.")


_WITH_PEOPLE = Text("They find it under “Shared with me” once they have signed in here, as it is now.")
_Way: TypeAlias = Literal["link", "people", "site"]
_WAYS: dict[_Way, Text] = {
    "link": Text("Only who has the link"),
    "people": Text("Named people"),
    "site": Text("Everyone who signs in here"),
}


@titled_dialog("Share this chat", icon=":material/share:", on_dismiss=state.close_dialog)
def dialog() -> None:
    conversation = state.dialog_about()
    links, circles = _mine(), _with_people()
    link = next((each for each in links if each.conversation == conversation), None)
    circle = next((each for each in circles if each.conversation == conversation), None)
    way = _way(circle) if people.person() else "link"
    if way == "link":
        if circle:
            st.caption(say("With a link, it is shared with people by name no more."))
        if link:
            _shared(link)
        else:
            _offer(conversation)
    else:
        _shared_with(conversation, way, link, circle)
    others = len(links) + len(circles) - bool(link) - bool(circle)
    if others:
        button(
            Text("{n} other chat is shared", "{n} other chats are shared", n=others),
            "shares-list",
            "list",
            state.open_dialog,
            "preferences",
            "shares",
            quiet=True,
        )


def _way(circle: TeamShare | None) -> _Way:
    """In which way the chat is to be shared."""
    ways = list(_WAYS)
    kept = ways.index(circle.circle.audience) if circle else 0
    return st.radio(say("Who can read it"), ways, kept, format_func=saying(_WAYS.get), key="share-way") or "link"


def _shared_with(
    conversation: str, way: Literal["people", "site"], link: Share | None, circle: TeamShare | None
) -> None:
    if circle is None:
        st.write(told(_WITH_PEOPLE))
        st.caption(f"{told(_WITH)} {told(_WITHOUT)}")
        if copied := team_sharing.copied(state.services().team_shares.files(conversation)):
            st.caption(copied)
    if link:
        st.caption(say("The link of this chat then opens nothing any more."))
    team_sharing.fields(conversation, way, circle)
    if circle:
        _circle_acts(circle)


def _circle_acts(share: TeamShare) -> None:
    """What is seen of a chat that is shared with people, and what can be done about it."""
    now = state.services().shares.turns(share.conversation, state.picks())
    st.caption(f"{_they_see(share)} {_since(share.turns, now) or told(_STAYS)}")
    new_files = share.circle.branching and state.services().team_shares.files(share.conversation) != share.files
    if share.circle.branching and (copied := team_sharing.copied(share.files)):
        st.caption(copied)
    if new_files:
        st.caption(say("Its tables and documents have changed since then."))
    with st.container(horizontal=True, vertical_alignment="center", key="share-acts"):
        if now != share.turns or new_files:
            _button_to_update(Text("Show them what is new"), partial(_bring_up_to_date, share.conversation))
        _look(reading.people_link(share.id))
        _take_back(share.conversation)


def _bring_up_to_date(conversation: str) -> None:
    state.services().team_shares.update(state.visitor(), conversation, state.picks())


def _offer(conversation: str) -> None:
    st.write(told(_WHO))
    st.caption(f"{told(_WITH)} {told(_WITHOUT)}")
    if st.button(say("Make a link"), key="make-share", type="primary", icon=":material/link:"):
        with problems.telling(BadRequest):
            _make(conversation)
            again.dialog()


def _make(conversation: str) -> None:
    state.services().shares.make(state.visitor(), conversation, state.picks(), state.seal())


def _shared(share: Share) -> None:
    if share.token:
        address = reading.link(share.token)
        with st.container(key="share-link"):
            st.code(address, language=None, wrap_lines=True)
    else:
        st.caption(say("Its link cannot be shown in this browser. Take it back, and make a new one."))
        address = ""
    now = state.services().shares.turns(share.conversation, state.picks())
    st.caption(f"{_readers_see(share)} {_since(share.turns, now) or told(_STAYS)}")
    with st.container(horizontal=True, vertical_alignment="center", key="share-acts"):
        if now != share.turns:
            _button_to_update(Text("Update the link"), partial(_make, share.conversation))
        if address:
            _look(address)
        _take_back(share.conversation)


def _button_to_update(name: str, update: Callable[[], None]) -> None:
    st.button(told(name), key="update-share", type="primary", icon=":material/sync:", on_click=update)


def _taken_back(conversation: str) -> None:
    services, visitor = state.services(), state.visitor()
    services.shares.take_back(visitor, conversation)
    services.team_shares.take_back(visitor, conversation)


def _take_back(conversation: str) -> None:
    button(
        Text("Take it back"),
        f"take-back-{conversation}",
        "link_off",
        _taken_back,
        conversation,
        quiet=True,
        help=Text("At once: the link then opens nothing."),
    )


def _look(address: str) -> None:
    browser.copy(address, label=Text("Copy this link"), icon="content_copy")
    st.link_button(say("Open it"), address, type="tertiary", icon=":material/open_in_new:")


def _readers_see(share: Share) -> str:
    count = Text("{n} question", "{n} questions", n=len(share.turns))
    return say(
        "Anyone who has this link can read the chat as it was on {moment}: {questions}.",
        moment=moment(share.updated),
        questions=count,
    )


def _they_see(share: TeamShare) -> str:
    count = Text("{n} question", "{n} questions", n=len(share.turns))
    return say("They see the chat as it was on {moment}: {questions}.", moment=moment(share.updated), questions=count)


def _since(turns: tuple[str, ...], now: tuple[str, ...]) -> str:
    """What has happened to the chat since it had these ``turns``, "" for nothing."""
    if now == turns:
        return ""
    more = len(now) - len(turns)
    if more > 0 and now[: len(turns)] == turns:
        return say("{n} more was asked since.", "{n} more were asked since.", n=more)
    return say("The chat has changed since.")


def line() -> None:
    """How many chats are shared, and the way to them; nothing where none is."""
    count = len(_mine()) + len(_with_people())
    if not count:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="shares-line"):
        st.caption(say("{n} chat is shared.", "{n} chats are shared.", n=count), width="stretch")
        button(Text("Shared chats"), "shares", "share", state.open_dialog, "preferences", "shares", quiet=True)


def draw() -> None:
    """All shared chats, each to be looked at and taken back."""
    st.markdown(f"**{say('Shared chats')}**")
    links, circles = _mine(), _with_people()
    if not links and not circles:
        st.caption(say("No chat is shared."))
    for share in links:
        _listed(share, _readers_see(share), reading.link(share.token) if share.token else "")
    for circle in circles:
        seen = f"{team_sharing.told_circle(circle)}. {_they_see(circle)}"
        _listed(circle, seen, reading.people_link(circle.id))
    st.button(say("Back to settings"), type="tertiary", on_click=state.open_dialog, args=("preferences",))


def _listed(share: Share | TeamShare, seen: str, address: str) -> None:
    with st.container(border=True, key=f"share-{share.conversation}", gap="small"):
        st.markdown(f"**{label(share.title, 80)}**")
        st.caption(seen)
        with st.container(horizontal=True, vertical_alignment="center", key=f"share-acts-{share.conversation}"):
            if address:
                _look(address)
            _take_back(share.conversation)


def _with_people() -> list[TeamShare]:
    return state.services().team_shares.of(state.visitor()) if people.person() else []


def _mine() -> list[Share]:
    return state.services().shares.of(state.visitor(), state.seal())
