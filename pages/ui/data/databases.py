"""The databases of a chat: connecting one by its URL, the chips above the box, the list on the Data page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from agent.data.databases.connected import ConversationDatabases
from agent.data.databases.database_urls import Connection
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.tools import catalogue
from agent.tools.own_data import query_database
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button

_MOST_TABLES = 30
_MOST_CHIPS = 8
_EXAMPLE = "postgresql://user:password@host:5432/name"


def opened() -> ConversationDatabases:
    """Those of the open conversation, or of a new one."""
    return state.services().databases.open(state.visitor(), state.conversation_id())


def offered() -> bool:
    """Whether databases can be asked on this site."""
    return catalogue.offered(query_database.SPEC, state.services().settings)


def connections() -> dict[str, Connection]:
    return opened().connections() if offered() else {}


def connect_button(key: str) -> None:
    if offered():
        button(Text("Connect a database"), key, "database", state.open_dialog, "database", quiet=True)


@titled_dialog("Connect a database", width="medium", on_dismiss=state.close_dialog)
def dialog() -> None:
    st.caption(
        say(
            "PostgreSQL, MySQL or MariaDB. It is only read, one SELECT at a time; best with an account "
            "that may do no more."
        )
    )
    with st.form("database", border=False):
        name = st.text_input(say("Name"), key="database-name", max_chars=40, placeholder="sales")
        url = st.text_input(
            say("URL"),
            key="database-url",
            type="password",
            placeholder=_EXAMPLE,
            help=say("Kept in this server's memory for this chat only: not stored, not shown, not told to the model."),
        )
        with st.container(horizontal=True):
            connect = st.form_submit_button(say("Connect"), type="primary")
            test = st.form_submit_button(say("Test"), icon=":material/network_check:")
    if not (connect or test):
        return
    with problems.telling(BadRequest):
        with st.spinner(say("Asking the database what is in it…")):
            _, card = opened().test(name or "database", url) if test else (None, _connect(name, url))
        if test:
            st.success(say("It answers: {sentence}", sentence=_sentence(card)), icon=":material/check_circle:")
            return
        state.close_dialog()
        st.rerun()


def _connect(name: str, url: str) -> Mapping[str, Any]:
    """Connect it to the open conversation; where there is none yet, to a new one."""
    services, visitor = state.services(), state.visitor()
    here = opened()
    if not here.conversation:
        card = here.test(name, url)[1]
        here = services.databases.open(
            visitor, services.store.add_conversation(visitor, say("About {strip}", strip=name.strip()))
        )
        here.connect(name, url)
        state.open_conversation(here.conversation)
        return card
    if state.conversation() is None:
        raise BadRequest.because("There is no such conversation here.")
    return here.connect(name, url)


def chips() -> None:
    """A chip for each database, where the tables have theirs."""
    for connection in list(connections().values())[:_MOST_CHIPS]:
        name = f"{label(connection.name, 30)} · {label(connection.title, 20)}"
        with st.popover(name, icon=":material/database:", type="tertiary", key=f"database-{connection.name}"):
            st.caption(_about(connection))
            _tables(connection)
            _disconnect(connection, "chip")


def section() -> None:
    """The databases of the open conversation, on the Data page."""
    if not offered():
        return
    there = connections()
    with st.container(horizontal=True, vertical_alignment="center", key="databases-bar"):
        st.subheader(say("Databases"), anchor=False, width="stretch")
        connect_button("connect-database")
    if not there:
        st.caption(say("None is connected to this chat. The agent asks a connected one by SQL, and never changes it."))
    for connection in there.values():
        with st.container(border=True, key=f"connected-{connection.name}"):
            with st.container(horizontal=True, vertical_alignment="center", key=f"connected-bar-{connection.name}"):
                st.markdown(f"**{label(connection.name, 40)}** · {label(connection.title, 20)}", width="stretch")
                tested = st.button(
                    say("Test"), key=f"test-{connection.name}", icon=":material/network_check:", type="tertiary"
                )
                _disconnect(connection, "page")
            if tested:
                _test(connection)
            else:
                st.caption(_about(connection))
            _tables(connection)


def _test(connection: Connection) -> None:
    with st.spinner(say("Asking the database what is in it…")):
        card = opened().card(connection.name, fresh=True)
    if card.get("problem"):
        problems.tell(card["problem"])
    else:
        st.success(say("It answers: {sentence}", sentence=_sentence(card)), icon=":material/check_circle:")


def _sentence(card: Mapping[str, Any]) -> str:
    count = int(card["count"])
    version = label(str(card["version"]), 60)
    if not count:
        return say("{version} with no table that can be read.", version=version)
    return say("{version} with {n:,} table.", "{version} with {n:,} tables.", version=version, n=count)


def _about(connection: Connection) -> str:
    card = opened().known(connection.name)
    if card and not card.get("problem"):
        found = _sentence(card)
        return (
            say("Connected by you, for this chat: {found}", found=found)
            if connection.own
            else say("Given by this site: {found}", found=found)
        )
    whose = say("Connected by you, for this chat.") if connection.own else say("Given by this site.")
    problem = label(told(card["problem"]), 300) if card else say("What is in it is looked up with the first question.")
    return f"{whose} {problem}"


def _tables(connection: Connection) -> None:
    card = opened().known(connection.name)
    tables: Sequence[Mapping[str, Any]] = card.get("tables", ()) if card else ()
    lines = [f"**{label(str(table['name']), 60)}** {_columns(table)}" for table in tables[:_MOST_TABLES]]
    if len(tables) > len(lines):
        lines.append(say("and {count:,} more", count=len(tables) - len(lines)))
    if lines:
        st.markdown("  \n".join(lines))


def _columns(table: Mapping[str, Any]) -> str:
    return f":small[:gray[{label(', '.join(str(name) for name, _ in table['columns']), 160)}]]"


def _disconnect(connection: Connection, where: str) -> None:
    if connection.own:
        button(
            Text("Disconnect"),
            f"disconnect-{where}-{connection.name}",
            "link_off",
            opened().disconnect,
            connection.name,
            quiet=True,
        )
