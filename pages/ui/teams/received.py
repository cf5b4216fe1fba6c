"""What others share with whoever has signed in: the list in the sidebar, and who shared what."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.sharing.shares import Sharer
from agent.sharing.team_shares import Received
from pages.ui.session import people, reading, state
from pages.ui.text.escape import label
from pages.ui.text.words import say
from pages.ui.widgets.buttons import show_more

_ROWS, _SHOWN = 5, "received-rows"


def listed() -> list[Received] | None:
    """What is shared with them, as far as it is shown, and one more where there is more; ``None`` where nothing can be.

    That is: for a visitor who has not signed in, and where the owner has sharing off.
    """
    reader, shares = people.teammate(), state.services().team_shares
    return None if reader is None or shares.off else shares.received(reader, _shown() + 1)


def draw(found: Sequence[Received]) -> None:
    """The list in the sidebar."""
    st.caption(say("Shared with me"))
    if not found:
        st.caption(say("Nothing yet. What others share with you stands here."))
        return
    with st.container(gap=None, key="all-received"):
        for each in found[: _shown()]:
            _row(each)
    if len(found) > _shown():
        show_more("more-received", _SHOWN, _shown() + 4 * _ROWS)


def _row(each: Received) -> None:
    title = label(each.title, 60) or say("Shared chat")
    current = "current-" if reading.with_people() and reading.token() == each.id else ""
    with st.container(gap=None, key=f"received-{current}{each.id}"):
        st.page_link(
            "pages/shared.py",
            label=f"{say('New')} · {title}" if each.unread else title,
            icon=":material/mark_chat_unread:" if each.unread else ":material/group:",
            query_params=reading.page_of(each.id),
            width="stretch",
        )
        st.caption(sharer_name(each.sharer))


def _shown() -> int:
    return state.widget(_SHOWN) or _ROWS


def shared_by(sharer: Sharer) -> str:
    """Who shared a chat, as a sentence."""
    return say("Shared by {name}", name=sharer_name(sharer))


def sharer_name(sharer: Sharer) -> str:
    """An address that is confirmed, or a name that anybody may have given themselves."""
    name = label(sharer.name, 60)
    return name if sharer.confirmed else say("{name} (not confirmed)", name=name or "?")
