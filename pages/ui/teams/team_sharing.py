"""Share a chat with people who sign in: with whom, what they may do, what they see, and taking it back."""

from __future__ import annotations

import streamlit as st

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sharing.shared_files import SharedFiles
from agent.sharing.team_shares import MOST_PEOPLE, Audience, TeamShare, read_circle
from agent.text.mail_addresses import MOST_CHARACTERS
from pages.ui.session import again, people, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, told
from pages.ui.widgets import problems

_NAMED = 10  # of the files of a chat
_MAY = {False: Text("read it"), True: Text("read it, and go on in a chat of their own")}
_NOT_CONFIRMED = Text(
    "The way you signed in does not confirm your address. They see the name that you have there, and that it is not "
    "confirmed."
)


def fields(conversation: str, audience: Audience, share: TeamShare | None) -> None:
    """With whom the chat is shared, and what they may do; ``share`` is what there is already."""
    circle = share.circle if share else None
    with st.form(f"circle-{audience}", border=False):
        typed = _addresses("\n".join(circle.addresses) if circle else "") if audience == "people" else ""
        branching = st.radio(
            say("They may"),
            list(_MAY),
            index=int(bool(circle and circle.branching)),
            format_func=saying(_MAY.get),
            key=f"share-may-{audience}",
            help=say(
                "A chat of their own begins with what is shared here, and has copies of the tables and documents that "
                "are in it now. Yours is never changed by it."
            ),
        )
        somebody = people.person()
        if somebody and not somebody.address:
            st.caption(told(_NOT_CONFIRMED))
        name = say("Save") if share else say("Share it")
        icon = None if share else ":material/group_add:"
        sent = st.form_submit_button(name, key=f"share-{audience}", type="primary", icon=icon)
    if sent:
        _save(conversation, audience, typed, bool(branching), share)


def _addresses(typed: str) -> str:
    return (
        st.text_area(
            say("Their addresses, one a line"),
            typed,
            max_chars=MOST_PEOPLE * MOST_CHARACTERS,
            placeholder=say("ann@example.com"),
            key="share-addresses",
            help=say("An address counts where whoever signs in has it confirmed by their provider."),
        )
        or ""
    )


def _save(conversation: str, audience: Audience, typed: str, branching: bool, share: TeamShare | None) -> None:
    owner, shares = people.teammate(), state.services().team_shares
    with problems.telling(BadRequest):
        circle = read_circle(audience, typed, branching)
        if owner and not (share and shares.change(owner.visitor, conversation, circle)):
            shares.make(owner, conversation, circle, state.picks())
        again.dialog()


def copied(files: SharedFiles) -> str:
    """What a person is told who shares a chat with these; "" for none."""
    return say("Who goes on gets a copy of these: {names}.", names=_named(files)) if files.names else ""


def along(files: SharedFiles) -> str:
    """What a person is told who may go on; "" for nothing."""
    return say("These come along: {names}.", names=_named(files)) if files.names else ""


def _named(files: SharedFiles) -> str:
    names = ", ".join(label(name, 60) for name in files.names[:_NAMED])
    more = len(files.names) - _NAMED
    if more > 0:
        names = say("{names} and {n:,} more", "{names} and {n:,} more", names=names, n=more)
    return names


def told_circle(share: TeamShare) -> str:
    """Whom it is shared with, and what they may do."""
    count = len(share.circle.addresses)
    if share.circle.audience == "site":
        who = say("Everyone who signs in here")
    else:
        who = say("{n} person by name", "{n} people by name", n=count)
    return f"{who} · {say('may go on in a chat of their own')}" if share.circle.branching else who
