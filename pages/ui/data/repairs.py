"""What was put right in a table: a line each, with a click that undoes it or does it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from agent.data.tables.chat_tables import ConversationTables, LoadedTable
from agent.data.tables.repair_texts import repair_offers, repair_told
from agent.errors import BadRequest
from agent.interface_text import packed, unpacked
from pages.ui.session import open_chat, state
from pages.ui.text.escape import label
from pages.ui.text.words import told
from pages.ui.widgets import problems

_NOTICE = "table-notice"
_MOST = 12


def draw(table: LoadedTable, where: str) -> None:
    """The lines, and why the last click on one did nothing; ``where`` tells places of one page apart."""
    about, said = state.widget(_NOTICE) or ("", None)
    if about == table.id:
        problems.tell(unpacked(said))
    repairs = list(table.card.get("repairs", ()))[:_MOST]
    if repairs:
        with st.container(gap=None, key=f"repairs-{where}-{table.id}"):
            for place, repair in enumerate(repairs):
                _line(table, place, repair, where)


def _line(table: LoadedTable, place: int, repair: Mapping[str, Any], where: str) -> None:
    key = f"repair-{where}-{table.id}-{place}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        icon = ":material/check:" if repair["on"] and repair["sure"] else ":material/info:"
        st.caption(f"{icon} {label(told(repair_told(repair)), 200)}", width="content")
        for words, to in repair_offers(repair):
            named = f"{key}-{to}-{table.file}"
            st.button(told(words), key=named, type="tertiary", on_click=_repair, args=(table.id, place, to))


def _repair(table: str, place: int, to: str) -> None:
    _act(table, lambda chat: chat.repair(table, place, to))


def retype(table: str, column: str, to: str) -> None:
    """Read a column as another type."""
    _act(table, lambda chat: chat.retype(table, column, to))


def _act(table: str, act: Callable[[ConversationTables], object]) -> None:
    """What a click does; why it did nothing is kept, to be told by the lines of the table."""
    chat, notice = open_chat.tables(), None
    try:
        if chat:
            act(chat)
    except BadRequest as error:
        notice = table, packed(error.text)
    state.put(_NOTICE, notice)
