"""A table where it was dropped: its first rows, the type of each column with a way to change it, what was put right."""

from __future__ import annotations

import streamlit as st

from agent.data.tables.chat_tables import ConversationTables, LoadedTable
from agent.data.tables.columns import plain_type, type_choices
from agent.data.tables.headings import heading_of
from agent.data.tables.repair_texts import type_word
from agent.data.tables.table_artifacts import read_table
from agent.errors import BadRequest
from agent.interface_text import Text, unpacked
from pages.ui.data import repairs
from pages.ui.session import open_chat, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, titled_dialog, told
from pages.ui.widgets import artifacts, problems

_ROWS = 5
_MOST_COLUMNS = 24
_MOST_REASONS = 3


def draw(chat: ConversationTables, table: LoadedTable, where: str, folded: bool = False) -> None:
    """What was put right, and the rest in an expander, which is open but where it is ``folded``."""
    repairs.draw(table, where)
    named = say("First rows and types")
    with st.expander(named, type="compact", expanded=not folded, key=f"first-rows-{where}-{table.id}"):
        _rows(chat, table, where)
        _types(table, where)
        _kept_as_text(table)


def _rows(chat: ConversationTables, table: LoadedTable, where: str) -> None:
    with problems.telling(BadRequest):
        shown = read_table(chat.preview(table.id, 0, _ROWS))
        if shown:
            artifacts.rows(shown, f"first-{where}-{table.id}-{table.file}", table.card["columns"])


def _types(table: LoadedTable, where: str) -> None:
    described = table.card["columns"]
    with st.container(horizontal=True, key=f"types-{where}-{table.id}"):
        for place, column in enumerate(described[:_MOST_COLUMNS]):
            name, kind = str(column["name"]), plain_type(str(column["type"]))
            shown = f"{label(str(heading_of(name, described)), 40)} · {told(type_word(kind))}"
            key = f"{where}-{table.id}-{place}-{table.file}"
            with st.popover(shown, type="tertiary", key=f"type-{key}"):
                options = type_choices(kind)
                st.radio(
                    say("Read it as"),
                    options,
                    index=options.index(kind) if kind in options else None,
                    format_func=saying(type_word),
                    key=f"retype-{key}",
                    on_change=_chosen,
                    args=(table.id, name, f"retype-{key}"),
                )
    if len(described) > _MOST_COLUMNS:
        st.page_link(
            "pages/data.py",
            label=say("All {count} columns", count=len(described)),
            query_params={"c": state.conversation_id()},
        )


def _kept_as_text(table: LoadedTable) -> None:
    """Why columns that look like more are text."""
    described = table.card["columns"]
    kept = [column for column in described if column.get("note") and plain_type(str(column["type"])) == "text"]
    for column in kept[:_MOST_REASONS]:
        named = str(heading_of(str(column["name"]), described))
        problems.remark(Text("{column}: {note}", column=named, note=unpacked(column["note"])))


def _chosen(table: str, column: str, key: str) -> None:
    repairs.retype(table, column, str(state.widget(key)))


@titled_dialog("Table", width="large", on_dismiss=state.close_dialog)
def dialog() -> None:
    chat = open_chat.tables()
    table = chat.find(state.dialog_about()) if chat else None
    if chat is None or table is None:
        st.caption(say("This table is gone."))
        return
    st.subheader(label(table.name), anchor=False)
    draw(chat, table, "dialog")
