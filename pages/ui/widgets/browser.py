"""What only the browser can do: the cookie, the draft, the clipboard, the focus, keys, the marks of answers."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from agent.interface_text import Text
from pages.ui.session import reading, state
from pages.ui.text.words import say, spoken, told
from pages.ui.widgets.documents import FILE_TYPES

_SCRIPT, _BOX, _MARKS, _SELECTION, _SHORTCUTS = (
    (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
    for name in ("browser", "box", "marks", "selection", "shortcuts")
)
# A passage that is drawn later than this is waited for, a few seconds at most.
_SIGHT = """
export default function ({ data }) {
  let looks = 40;
  const look = () => {
    const found = document.querySelector(data.selector);
    if (found) found.scrollIntoView({ block: "center" });
    else if (looks--) window.setTimeout(look, 100);
  };
  look();
}
"""
# What a number may be, by the bounds that its field has. The browser fills them in.
_BOUNDS = {
    "leastmost": Text("From {least} to {most}", least="{least}", most="{most}"),
    "least": Text("{least} or more", least="{least}"),
    "most": Text("{most} or less", most="{most}"),
}
# What Streamlit calls its own controls for screen readers.
_NAMES = (
    *(Text("Send message"), Text("Upload files"), Text("file upload"), Text("Close"), Text("Clear value")),
    *(Text("Sidebar"), Text("Collapse sidebar"), Text("Expand sidebar"), Text("Open"), Text("Help")),
    *(Text("Feedback rating"), Text("Thumbs up"), Text("Thumbs down"), Text("Increment"), Text("Decrement")),
    *(Text("Pagination"), Text("Previous page"), Text("Next page"), Text("Navigate to home page")),
    *(Text("Show password"), Text("Hide password"), Text("Copy to clipboard"), Text("Show/hide columns")),
    *(Text("Download as CSV"), Text("Search"), Text("Fullscreen"), Text("Close fullscreen")),
)
ERASED = "erased-drafts"  # where a session keeps a mark of its own once drafts are to go
_MARKS_KEY, _SELECTION_KEY, _KEYS_KEY = "marks-component", "selection-component", "shortcuts-component"


def attend(
    working: bool, about: str = "", last: str = "", grows: bool = False, given_back: tuple[str, str] = ("", "")
) -> None:
    """Keep cookie and draft, give the focus back when ``working`` ends, open marks and notes, heed the keys, name the
    page's language.

    A conversation ``grows`` on the page: its end is kept in sight, and comes into sight with each run that begins
    here. ``about`` is what else does. ``last`` is the last run shown: another one says that the server has what was
    sent. ``given_back`` is a mark and the text that the box is to have again, once.
    """
    shared = bool(reading.token())
    data = {
        # Who reads a shared chat is not kept, and search engines are told not to.
        "visitor": "" if shared else state.cookie(),
        "unlisted": shared,
        "conversation": about or state.conversation_id(),
        "working": working,
        "begun": state.set_off(),
        "grows": grows or bool(about),
        "language": spoken(),
        "bounds": {by: told(said) for by, said in _BOUNDS.items()},
        "names": {str(name): told(name) for name in _NAMES if told(name) != name},
    }
    of_box = {
        "conversation": data["conversation"],
        "working": working,
        "last": last,
        "erased": str(state.widget(ERASED) or ""),
        "returned": {"mark": given_back[0], "text": given_back[1]},
        "until": {
            "files": say("It is sent as soon as its files are there."),
            "chat": say("It is sent as soon as the chat is open."),
            "offline": say("No connection. What you send waits here until it is back."),
            "online": say("No connection. It is sent as soon as it is back."),
            "known": say("{name} is of no kind that can be read here. Take it out, then send.", name="{name}"),
            "tried": say(
                "{name} did not get through, or is too large. Click it to try again, or take it out.", name="{name}"
            ),
        },
        "types": FILE_TYPES,
    }
    component = v2.component("glassbox_browser", js=_SCRIPT)
    box = v2.component("glassbox_box", js=_BOX)
    marks = v2.component("glassbox_marks", js=_MARKS)
    selection = v2.component("glassbox_selection", js=_SELECTION)
    shortcuts = v2.component("glassbox_shortcuts", js=_SHORTCUTS)
    with st.container(key="browser"):
        component(key="browser-component", data=data)
        box(key="box-component", data=of_box)
        marks(key=_MARKS_KEY, on_claim_change=_open_claim)
        if not shared:
            selection(key=_SELECTION_KEY, data={"label": say("Remember this")}, on_text_change=_remember)
            shortcuts(key=_KEYS_KEY, on_asked_change=_list_keys)


def _open_claim() -> None:
    """A mark of an answer was clicked."""
    picked = state.widget(_MARKS_KEY)
    state.open_dialog("evidence", str(picked["claim"]) if picked else "")


def _remember() -> None:
    """A text was selected that is to be a note."""
    picked = state.widget(_SELECTION_KEY)
    state.open_dialog("remember", str(picked["text"]) if picked else "")


def _list_keys() -> None:
    """The list of keys was asked for."""
    state.open_dialog("shortcuts")


def bring_into_sight(selector: str) -> None:
    """Scroll to the first element that the CSS selector names, once it is there."""
    component = v2.component("glassbox_sight", js=_SIGHT)
    with st.container(key="sight"):
        component(key="sight-component", data={"selector": selector})


def copy(
    text: str = "", conversation: str = "", label: str = Text("Copy"), icon: str = "content_copy", hint: str = ""
) -> None:
    """A button that copies ``text``, or the address of ``conversation``; ``hint`` is said before and after."""
    done, failed = told(hint) if hint else say("Copied"), say("Copying is not allowed here")
    words = {"label": told(label), "done": done, "failed": failed}
    carried = {"text": text, "conversation": conversation, "icon": icon, **words}
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in carried.items())
    st.html(
        f'<button type="button" class="glassbox-copy" title="{escape(told(hint))}" {attributes}>'
        f'<span class="icon" aria-hidden="true">{escape(icon)}</span> <span class="text">{escape(told(label))}</span>'
        "</button>",
        width="content",
    )
