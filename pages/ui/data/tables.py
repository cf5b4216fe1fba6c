"""The tables of a chat: files on their way into it, the row above its box, what to ask first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import streamlit as st

from agent.data.tables.chat_tables import LoadedTable
from agent.data.tables.columns import plain_type
from agent.data.tables.questions.naming import opening as questions
from agent.data.tables.repair_texts import type_word
from agent.data.tables.uploads import Loading
from agent.interface_text import Text
from pages.ui.data import databases, first_rows, repairs
from pages.ui.session import asking, open_chat, state
from pages.ui.text.escape import label, one_line
from pages.ui.text.words import say, spoken, told
from pages.ui.widgets import problems, welcome
from pages.ui.widgets.buttons import button, removal

_FOLDER = Path(__file__).parents[3] / "samples"
_SAMPLES = {Text("Planets"): "planets.csv", Text("Apollo flights"): "apollo_flights.csv"}
_MOST_CHIPS = 4
_MOST_CARDS = 3
_MOST_NOTES = 5
_MOST_COLUMNS = 40
_MOST_REFUSED = 5
_SECONDS_BETWEEN = 0.5


def most_megabytes() -> int:
    """What one file may have: the owner's limit, or that of the server it runs in."""
    return min(state.services().settings.table_megabytes, int(st.get_option("server.maxUploadSize")))


def samples() -> None:
    """Tables to try, for somebody who has none at hand."""
    with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center", key="samples"):
        st.caption(say("Drop a table into the box below, or try one:"), width="content")
        for name, file in _SAMPLES.items():
            if st.button(told(name), key=f"sample-{file}", icon=":material/table:", type="tertiary"):
                asking.load([(file, BytesIO((_FOLDER / file).read_bytes()))])
                st.rerun()
        databases.connect_button("connect-database-first")


def at_work() -> Loading | None:
    """The files that are being loaded into the open conversation."""
    loading = _loading()
    return loading if loading and not loading.done else None


def follow(loading: Loading, announce: Callable[[str], object]) -> None:
    """Show how far the files are, and draw the page anew when all are there.

    A click ends this script, not the loading; the next one goes on from here. While a dialog is open it stands still.
    """
    slot, shown = st.empty(), None
    stop = asking.stop_loading, state.conversation_id(), loading
    button(Text("Stop loading"), "stop-loading", "stop_circle", *stop, quiet=True)
    while current := loading.current:
        if shown is None or shown.name != current.name:
            announce(say("Loading {name}", name=one_line(current.name, 100)))
        if current != shown:
            slot.progress(min(1.0, max(0.0, current.progress.done)), text=label(told(current.sentence), 160))
        shown = current
        if state.dialog():
            return
        loading.wait(_SECONDS_BETWEEN)
    asking.loaded(state.conversation_id())
    st.rerun()


def row() -> None:
    """What could not be loaded, and the tables there are."""
    chat, loading = open_chat.tables(), _loading()
    if chat and loading and loading.refused:
        with st.container(horizontal=True, vertical_alignment="top", key="refused"):
            st.warning(_listed(loading.refused), icon=":material/error:")
            if loading.done:
                forget = state.services().forget_loading
                button(Text("Dismiss"), "dismiss", "close", forget, chat.conversation, quiet=True, help=Text("Dismiss"))
    loaded = chat.loaded() if chat else ()
    if loaded:
        # Until somebody asks, it has started.
        state.services().tables.sandbox.start()
    if loaded or databases.connections():
        with st.container(horizontal=True, vertical_alignment="center", key="tables-row"):
            for table in loaded[:_MOST_CHIPS]:
                _chip(table)
            databases.chips()
            address = {"c": chat.conversation} if chat else None
            many = len(loaded) > _MOST_CHIPS
            more = say("All {count} tables", count=len(loaded)) if many else say("Data")
            st.page_link("pages/data.py", label=more, icon=":material/database:", query_params=address)


def opening() -> None:
    """The tables of a chat in which nothing was asked yet, with questions for each."""
    chat = open_chat.tables()
    loaded = chat.loaded() if chat else ()
    if chat is None or not loaded:
        welcome.draw()
        return
    language = "ja" if spoken() == "ja" else "en"
    for table in loaded[-_MOST_CARDS:]:
        st.subheader(label(table.name), anchor=False)
        with st.container(gap=None, key=f"read-{table.id}"):
            st.caption(described(table))
            _notes(table)
        first_rows.draw(chat, table, "opening", folded=len(loaded) > 1)
        with st.container(key=f"examples-{table.id}", horizontal=True):
            for number, question in enumerate(questions(table.card, language=language)):
                key = f"example-{table.id}-{number}"
                named = question.replace(f" in the table “{table.name}”", "")
                st.button(label(named, 200), key=key, on_click=asking.ask, args=(question,))


def arrived(asked: float) -> None:
    """The tables of files that were dropped into the chat since something was ``asked`` last, a time of Unix."""
    chat, loading = open_chat.tables(), _loading()
    if chat is None or loading is None or not loading.done or loading.ended < asked:
        return
    names = {name for file in loading.files for name in file.tables}
    for table in [table for table in chat.loaded() if table.name in names][-_MOST_CARDS:]:
        with st.container(border=True, key=f"arrived-{table.id}"):
            st.caption(f"**{label(table.name)}** · {described(table)}")
            _notes(table)
            first_rows.draw(chat, table, "arrived")


def are_gone(names: Collection[str]) -> bool:
    """Whether the open chat has not all tables of these names any more."""
    chat = open_chat.tables() if names else None
    return not {table.name for table in chat.loaded()}.issuperset(names) if chat else False


def _listed(sentences: Sequence[str]) -> str:
    """One as it is, several as a list; not so many that they hide the page."""
    shown = [label(told(sentence), 500) for sentence in sentences[:_MOST_REFUSED]]
    if len(sentences) > len(shown):
        shown.append(say("And {count} more files.", count=len(sentences) - len(shown)))
    return shown[0] if len(shown) == 1 else "\n".join(f"- {sentence}" for sentence in shown)


def _loading() -> Loading | None:
    loading = state.services().loading(state.conversation_id())
    # The address bar may say anybody's conversation.
    return loading if loading and open_chat.tables() else None


def _chip(table: LoadedTable) -> None:
    name = f"{label(table.name, 30)} · {told(_rows(table))}"
    # Another one while the dialog is open, so that this one is closed.
    key = f"table-{table.id}{'-behind' if state.dialog() == 'table' else ''}"
    with st.popover(name, icon=":material/table:", type="tertiary", key=key):
        with st.container(gap=None, key=f"told-of-{table.id}"):
            st.caption(described(table))
            _notes(table)
        repairs.draw(table, "chip")
        st.markdown(_columns(table))
        button(Text("First rows and types"), f"look-{table.id}", "table_view", state.open_dialog, "table", table.id)
        gone = Text("The table is removed from this chat for good.")
        removal(f"remove-{table.id}", gone, _remove, table.id)


def _notes(table: LoadedTable) -> None:
    for note in table.card.get("notes", ())[:_MOST_NOTES]:
        problems.remark(note)


def _remove(table: str) -> None:
    chat = open_chat.tables()
    if chat:
        chat.remove(table)


def _rows(table: LoadedTable) -> str:
    return Text("{n:,} row", "{n:,} rows", n=table.rows)


def described(table: LoadedTable) -> str:
    """How large it is, where it is from, and how much of it could not be read, in the language of the person."""
    size = say(
        "{rows} and {columns}, from {source}",
        rows=_rows(table),
        columns=Text("{n:,} column", "{n:,} columns", n=len(table.card["columns"])),
        source=label(table.source, 80),
    )
    return f"{size} · {bad_lines(table)}" if table.card.get("bad_rows") else size


def bad_lines(table: LoadedTable) -> str:
    """How many lines could not be read, in the language of the person."""
    count = int(table.card.get("bad_rows", 0))
    if count < 0:
        return say("many lines could not be read")
    return say("{n:,} line could not be read", "{n:,} lines could not be read", n=count)


def _columns(table: LoadedTable) -> str:
    columns = table.card["columns"]
    named = " · ".join(map(_headed, columns[:_MOST_COLUMNS]))
    more = len(columns) - _MOST_COLUMNS
    return f"{named} {say('and {more} more', more=more)}" if more > 0 else named


def _headed(column: Mapping[str, Any]) -> str:
    """A column by its header, and what is in it."""
    kind = told(type_word(plain_type(str(column["type"]))))
    return f"**{label(str(column.get('label') or column['name']), 60)}** {kind}"
