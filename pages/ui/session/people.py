"""Who has signed in, and what is theirs alone where they are an owner of the site."""

from __future__ import annotations

import streamlit as st

from agent.application.site.known_people import KnownPeople
from agent.application.site.overview import SiteOffice, site_office
from agent.application.site.person import Person, is_owner, read_person
from agent.sharing.team_shares import Teammate
from pages.ui.session import state

_NOTED = "person-noted"


def person() -> Person | None:
    """Whoever has signed in, as their provider says; ``None`` for a visitor."""
    return read_person(st.user.to_dict()) if state.signed_in_as() else None


def teammate() -> Teammate | None:
    """Whoever has signed in, as chats are shared with them; ``None`` for a visitor."""
    somebody = person()
    return Teammate(state.visitor(), somebody.address, somebody.called) if somebody else None


def note() -> None:
    """Keep what whoever has signed in is called, once in a session: the owner is shown who uses how much."""
    somebody = person()
    if somebody and state.widget(_NOTED) != somebody.called:
        KnownPeople(state.services().store.database).note(state.visitor(), somebody)
        state.put(_NOTED, somebody.called)


def owns_site() -> bool:
    return is_owner(person(), state.services().settings.owners)


def office() -> SiteOffice | None:
    """What an owner may do, asked for anew by every click; ``None`` for everybody else."""
    return site_office(state.services(), person())
