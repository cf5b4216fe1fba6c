"""Who reads this page: the visitor their own chats, or others a shared chat, read only: whoever has its address, or
whoever it is shared with and has signed in.
"""

from __future__ import annotations

from agent.application.readership import Readership
from agent.sharing.shares import SharedChat
from agent.store.runs import RunRow
from pages.ui.session import people, state

PAGE = "Shared chat"
_PAGES = PAGE, "Run", "Context"
_TOKEN, _SHARE = "s", "w"
_READ = "team-read"
_NOTHING = SharedChat("", "", (), (), 0.0)


def token() -> str:
    """What the address bar names of a shared chat, "" where it names none: the page is then the visitor's own."""
    return state.named(_TOKEN) or state.named(_SHARE) if state.page() in _PAGES else ""


def with_people() -> bool:
    """Whether the address bar names a chat that is shared with people who sign in."""
    return bool(token()) and not state.named(_TOKEN)


def as_guest() -> bool:
    """Whether nobody is at home on this page: it shows a shared chat, to whoever has not signed in for it."""
    if with_people():
        return not state.signed_in_as()
    return bool(token()) or state.page() == PAGE


def shared() -> SharedChat | None:
    """The shared chat that the address bar names, if there is one for whoever reads."""
    services = state.services()
    if with_people():
        return services.team_shares.open(token(), people.teammate())
    return services.shares.open(token())


def note_read() -> None:
    """What is shared with people was opened by whoever has signed in: once for each time it was brought up to date."""
    reader = people.teammate() if state.page() == PAGE and with_people() else None
    opened = shared() if reader else None
    if reader and opened and state.widget(_READ) != (token(), opened.updated):
        state.services().team_shares.note_read(reader, opened)
        state.put(_READ, (token(), opened.updated))


def reader() -> Readership:
    """What may be read here; of a page that is shared no more, nothing."""
    services = state.services()
    if token():
        return Readership(services, "", shared() or _NOTHING)
    return Readership(services, state.visitor(state.kept_now()))


def lead_back_to(row: RunRow) -> None:
    """Have the way back to one's own chat lead to the branch that this run is on."""
    for place in () if token() else state.services().store.path(row.conversation, row.id):
        state.pick(place.follows, place.id)


def address(**values: str) -> dict[str, str]:
    """What a link to another page about what is read here has in its address."""
    return values | ({_SHARE if with_people() else _TOKEN: token()} if token() else {})


def link(shared_as: str) -> str:
    """The whole address of the shared chat that is called so."""
    return f"{state.site_address()}shared?{_TOKEN}={shared_as}"


def page_of(share: str) -> dict[str, str]:
    """What a link to the page of a chat that is shared with people has in its address."""
    return {_SHARE: share}


def people_link(share: str) -> str:
    """The whole address of that page: of no use to whoever it is not shared with."""
    return f"{state.site_address()}shared?{_SHARE}={share}"
