"""The tables of a chat: their rows by the page, what each column holds, other types and names, SQL of one's own."""

from __future__ import annotations

from functools import partial

import streamlit as st

from agent.data.tables.chat_tables import ConversationTables, LoadedTable
from agent.data.tables.table_artifacts import ShownTable, read_table
from agent.errors import BadRequest
from agent.interface_text import unpacked
from pages.ui.data import columns, databases, repairs, tables
from pages.ui.frame import frame
from pages.ui.session import open_chat
from pages.ui.text.escape import label, unformatted
from pages.ui.text.words import say, told
from pages.ui.widgets import artifacts, browser, problems

_ON_A_PAGE = 100
_MOST_SIDE_BY_SIDE = 8


def main() -> None:
    frame.open_page("Data", wide=True)
    browser.attend(False)
    _tables()
    databases.section()


def _tables() -> None:
    chat = open_chat.tables()
    loaded = chat.loaded() if chat else ()
    if chat is None or not loaded:
        how = say("Drop files into the question box of a chat, and they are its tables.")
        frame.nothing_here(say("No tables here"), how, chat.conversation if chat else "")
        return
    frame.to_chat(chat.conversation)
    by_id = {table.id: table for table in loaded}
    table = by_id[_chosen({id: one.name for id, one in by_id.items()})]
    _header(chat, table)
    rows, profile, sql = st.tabs([say("Rows"), say("Columns"), say("SQL")], key="data-tabs", on_change="rerun")
    if rows.open:
        with rows:
            _rows(chat, table)
    if profile.open:
        with profile:
            columns.draw(table)
    if sql.open:
        with sql:
            _sql(chat, table)


def _chosen(names: dict[str, str]) -> str:
    """The id of the table to show: out of a few by a click, out of many from a list."""
    first = next(iter(names))
    if len(names) == 1:
        return first
    if len(names) > _MOST_SIDE_BY_SIDE:
        return st.selectbox(
            say("Table"), list(names), format_func=lambda id: unformatted(names[id]), key="table-chosen"
        )
    chosen = st.segmented_control(
        say("Table"),
        list(names),
        default=first,
        format_func=lambda id: label(names[id], 40),
        key="table-shown",
        required=True,
        label_visibility="collapsed",
    )
    return chosen if chosen in names else first


def _header(chat: ConversationTables, table: LoadedTable) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="table-bar"):
        st.header(label(table.name), anchor=False, width="stretch")
        # One for each table and name: else what is open would stay open, and offer to delete the next table.
        renamed, removed = f"to-rename-{table.id}-{table.name}", f"to-delete-{table.id}"
        with (
            st.popover(say("Rename"), icon=":material/edit:", type="tertiary", key=renamed),
            st.form(f"rename-{table.id}", border=False),
        ):
            name = st.text_input(say("Name in SQL"), table.name, max_chars=60)
            if st.form_submit_button(say("Save"), type="primary"):
                _act(partial(chat.rename, table.id, name))
        with st.popover(say("Delete"), icon=":material/delete:", type="tertiary", key=removed):
            st.write(say("The table is removed from this chat for good."))
            if st.button(say("Delete it"), key=f"delete-{table.id}", type="primary"):
                _act(partial(chat.remove, table.id))
    st.caption(tables.described(table))
    for note in table.card.get("notes", ())[:10]:
        problems.remark(note)
    repairs.draw(table, "page")
    if table.card.get("bad_rows"):
        with st.expander(tables.bad_lines(table), type="compact"):
            for line in chat.bad_rows(table.id)[:50]:
                number, problem = str(line.get("line", "")), told(unpacked(line.get("problem", "")))
                st.caption(say("Line {number}: {problem}", number=label(number, 20), problem=label(problem, 200)))
                st.code(str(line.get("text", ""))[:500], language=None)


def _rows(chat: ConversationTables, table: LoadedTable) -> None:
    names = [str(column["name"]) for column in table.card["columns"]]
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    order = left.selectbox(
        say("Order by"), names, index=None, placeholder=say("as in the file"), key=f"order-{table.id}"
    )
    falling = right.toggle(say("Descending"), key=f"falling-{table.id}", disabled=order is None)
    pages = max(1, -(-table.rows // _ON_A_PAGE))
    slot = st.container()
    page = st.pagination(pages, key=f"rows-{table.id}-{table.file}") if pages > 1 else 1
    shown = read_table(chat.preview(table.id, (page - 1) * _ON_A_PAGE, _ON_A_PAGE, order or "", falling))
    with slot:
        described = table.card["columns"]
        artifacts.rows(shown or ShownTable((), (), 0), f"preview-{table.id}-{page}", described)


def _sql(chat: ConversationTables, table: LoadedTable) -> None:
    with st.form("own-sql", border=False):
        sql = st.text_area(
            say("One SELECT over the tables of this chat"), f"SELECT * FROM {table.name}", key="own-sql-text"
        )
        st.form_submit_button(say("Run"), type="primary", icon=":material/play_arrow:")
    try:
        answer = chat.query(sql)
    except BadRequest as error:
        problems.tell(error, 600)
        return
    for repair in answer["repairs"]:
        problems.remark(repair, 400)
    shown = read_table(answer)
    if shown:
        artifacts.table(say("Result"), shown, "own-sql-result")


def _act(act: partial[object]) -> None:
    with problems.telling(BadRequest):
        act()
        st.rerun()


frame.page(main)
