"""Who reads this page: the visitor their own chats, or whoever has its address a shared chat, read only."""

from __future__ import annotations

from agent.application.readership import Readership
from agent.sharing.shares import SharedChat
from pages.ui.session import state

PAGE = "Shared chat"
_PAGES = PAGE, "Run", "Context"
_TOKEN = "s"
_NOTHING = SharedChat("", "", (), (), 0.0)


def token() -> str:
    """What the address bar names of a shared chat, "" where it names none: the page is then the visitor's own."""
    return state.named(_TOKEN) if state.page() in _PAGES else ""


def shared() -> SharedChat | None:
    """The shared chat that the address bar names, if there is one."""
    return state.services().shares.open(token())


def reader() -> Readership:
    """What may be read here; of a page that is shared no more, nothing."""
    services = state.services()
    if token():
        return Readership(services, "", shared() or _NOTHING)
    return Readership(services, state.visitor(state.kept_now()))


def address(**values: str) -> dict[str, str]:
    """What a link to another page about what is read here has in its address."""
    return values | ({_TOKEN: token()} if token() else {})


def link(shared_as: str) -> str:
    """The whole address of the shared chat that is called so."""
    return f"{state.site_address()}shared?{_TOKEN}={shared_as}"
