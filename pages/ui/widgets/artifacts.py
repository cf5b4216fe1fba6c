"""What a step made: tables, charts and pictures as they are, the rest as text when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from agent.data.tables.chat_tables import ConversationTables
from agent.data.tables.headings import ROWS_USED, Described, heading_of
from agent.data.tables.table_artifacts import (
    CUT,
    Cell,
    Numbers,
    ShownTable,
    is_picture,
    read_chart_artifact,
    read_table_artifact,
)
from agent.errors import BadRequest
from agent.events import Artifact
from agent.interface_text import Text
from agent.text.regex import regex
from agent.views.fold import RunView
from pages.ui.session import open_chat, reading
from pages.ui.text.escape import chart_ok, label, unformatted
from pages.ui.text.words import say, told
from pages.ui.widgets import cards, problems

ReadArtifact = Callable[[str], bytes | None]
_MOST_PICTURES = 4
_LEAST_ROWS, _TOLD_ROWS, _TOLD_COLUMNS = 2, 10, 3
_GONE = Text("It is no longer kept.")
_UNSAFE = Text("This chart is not drawn, because it could fetch something from elsewhere. Its data is in the table.")
_NOT_IN_A_NAME = regex(r"[^\w -]+")
_ROW = regex(r"^\|(?!\s*:?-).*\|\s*$", re.MULTILINE)
_TALLEST = 400  # pixels
_MOST_PLACES = 4
_GREYS = {"light": "#5B6168", "dark": "#A2A9B0"}  # ``grayTextColor`` of ``.streamlit/config.toml``


def draw(key: str, made: Sequence[Artifact], read: ReadArtifact) -> None:
    """Cards, tables and pictures at once, each other content when it is asked for by its name."""
    for artifact in made:
        name = f"{key}-{artifact.hash[:8]}"
        if artifact.kind in ("chart", "png"):
            _picture(artifact, read(artifact.hash), name)
        elif artifact.kind == "table":
            _table(artifact, read(artifact.hash), name)
        elif artifact.kind == "cards":
            cards.draw(read(artifact.hash) or b"")
        elif st.toggle(say("Show {name}", name=label(told(artifact.name))), key=name):
            _text(artifact, read(artifact.hash))


def pictures(run: str, view: RunView, read: ReadArtifact) -> None:
    """The charts that the steps of a run drew, the last ones, each with what it was drawn from to download."""
    calls = [call for step in view.steps for call in step.calls]
    drawn = {made.hash: (made, call) for call in calls for made in call.artifacts if made.kind in ("chart", "png")}
    for artifact, call in list(drawn.values())[-_MOST_PICTURES:]:
        key = f"picture-{run}-{artifact.hash[:8]}"
        _picture(artifact, read(artifact.hash), key)
        data = next((made for made in call.artifacts if made.kind == "table"), None)
        if artifact.kind == "chart" and data is not None:
            made = read_table_artifact(read(data.hash) or b"")
            if made is not None:
                _download_csv(artifact.name, made, key)


def result(run: str, view: RunView, read: ReadArtifact) -> None:
    """The last table that a step of a run made, where it has several rows: open where an answer can hardly tell all,
    and no chart shows it.

    Not where a table in the answer tells all of it.
    """
    calls = [call for step in view.steps for call in step.calls]
    plain = [call for call in calls if not any(made.kind == "chart" for made in call.artifacts)]
    found = [made for call in plain for made in call.artifacts if made.kind == "table"]
    made = read_table_artifact(read(found[-1].hash) or b"") if found else None
    if made is None or len(made.rows) < _LEAST_ROWS:
        return
    if len(made.rows) <= _TOLD_ROWS and len(_ROW.findall(view.answer)) > len(made.rows):
        return
    title = say("Result as a table · {count}", count=_count(made))
    key = f"result-{run}-{found[-1].hash[:8]}"
    drawn = len(plain) < len(calls)  # what a chart shows already
    expanded = not drawn and (len(made.rows) > _TOLD_ROWS or len(made.columns) > _TOLD_COLUMNS)
    with st.expander(title, type="compact", expanded=expanded, key=key, on_change="rerun") as opened:
        if opened.open:
            _drawn(found[-1].name, made, f"{key}-rows")


def _picture(artifact: Artifact, content: bytes | None, key: str) -> None:
    if content is None:
        st.caption(told(_GONE))
    elif artifact.kind == "png":
        _image(artifact, content, key)
    else:
        spec = read_chart_artifact(content)
        if spec is None or not chart_ok(spec):
            st.caption(told(_UNSAFE))
        else:
            st.vega_lite_chart(spec=readable(spec), width="stretch", key=key, alt=label(artifact.name))


def readable(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The chart with the words at its marks in the grey of the person's theme; the kept one has one grey for both."""
    grey = _GREYS.get(st.context.theme.type or "")
    if grey is None or "layer" not in spec:
        return dict(spec)
    return {**spec, "layer": [_in_grey(layer, grey) for layer in spec["layer"]]}


def _in_grey(layer: Any, grey: str) -> Any:
    mark = layer.get("mark") if isinstance(layer, dict) else None
    return (
        {**layer, "mark": {**mark, "color": grey}} if isinstance(mark, dict) and mark.get("type") == "text" else layer
    )


def _image(artifact: Artifact, content: bytes, key: str) -> None:
    caption = label(artifact.name) if artifact.name != "Chart" else None
    try:
        shown = is_picture(content) and bool(st.image(content, caption=caption))
    except (OSError, SyntaxError, ValueError):  # as Pillow calls what begins as a picture and is none
        shown = False
    if shown:
        _download(Text("Download PNG"), content, f"{_file_name(artifact.name)}.png", "image/png", f"png-{key}")
    else:
        st.caption(say("This picture cannot be shown."))


def _table(artifact: Artifact, content: bytes | None, key: str) -> None:
    made = None if content is None else read_table_artifact(content)
    if made is None:
        st.caption(told(_GONE) if content is None else say("This table cannot be shown."))
        return
    table(artifact.name, made, key)


def rows(made: ShownTable, key: str, described: Described = ()) -> None:
    """The rows alone. ``described`` are the columns of the card of a table, where they are its rows."""
    # Streamlit imports pandas for it, which nobody waits for who opens no table.
    from pandas import DataFrame

    frame = DataFrame(list(made.rows), columns=list(made.columns))
    headings = [str(heading_of(name, described)) for name in made.columns] if described else headings_of(made)
    cells = zip(*made.rows, strict=True) if made.rows else (() for _ in made.columns)
    shown = zip(made.columns, headings, made.numbers, cells, strict=True)
    st.dataframe(
        frame,
        hide_index=True,
        key=key,
        height="auto" if len(made.rows) < 10 else _TALLEST,
        placeholder="–",
        column_config={name: _column(heading, how, given) for name, heading, how, given in shown},
    )


def headings_of(made: ShownTable) -> list[str]:
    """What stands above the columns. Of how many rows a figure is, which a query tells by itself, is no word of the
    person's, so it is said in their language.
    """
    headings = zip(made.columns, made.headings or made.columns, strict=True)
    return [say("Rows used") if _counted(name, made.sql) else heading for name, heading in headings]


def _counted(name: str, sql: str) -> bool:
    return name.rstrip("_") == ROWS_USED and f'") AS "{name}"' in sql


def _column(heading: str, how: Numbers, cells: Sequence[Cell]) -> ColumnConfig:
    """The column of a table: amounts with marks between thousands as the browser's language has them and with the same
    number of decimals, whole numbers that name things (years, ids) as they are.

    Streamlit's own "plain" draws 2015 as 2014.9999999999998.
    """
    title = unformatted(heading)
    if how == "none":
        return st.column_config.Column(title)
    if how == "names":
        return st.column_config.NumberColumn(title, format="%d")
    places = max((_places(cell) for cell in cells), default=0)
    step = 10**-places if 0 < places <= _MOST_PLACES else None
    return st.column_config.NumberColumn(title, format="localized", step=step)


def _places(cell: Cell) -> int:
    """How many decimals a number is written with; more than are drawn where a power of ten is in it."""
    written = repr(cell) if isinstance(cell, float) and not cell.is_integer() else ""
    return len(written.partition(".")[2]) if "e" not in written else _MOST_PLACES + 1


def table(name: str, made: ShownTable, key: str) -> None:
    """A table under its name, to sort, to search and to download."""
    st.caption(f"{label(told(name))} · {told(_count(made))}")
    _drawn(name, made, key)


def _count(made: ShownTable) -> str:
    shown, total = len(made.rows), max(made.total, len(made.rows))
    count = Text("{n:,} row", "{n:,} rows", n=total)
    if made.at_least:
        count = Text("more than {n:,} row", "more than {n:,} rows", n=shown)
    return count if made.whole else Text("{count}, the first {shown:,} of them here", count=count, shown=shown)


def _drawn(name: str, made: ShownTable, key: str) -> None:
    rows(made, key)
    for note in made.notes:
        problems.remark(note)
    _download_csv(name, made, key)


def _download_csv(name: str, made: ShownTable, key: str) -> None:
    content = partial(_csv, made, None if reading.token() else open_chat.tables(), told(CUT))
    _download(Text("Download CSV"), content, f"{_file_name(name)}.csv", "text/csv", f"csv-{key}")


def _file_name(name: str) -> str:
    return _NOT_IN_A_NAME.sub("_", name)[:60]


def _download(name: str, content: bytes | Callable[[], bytes], file: str, mime: str, key: str) -> None:
    icon = ":material/download:"
    st.download_button(told(name), content, file, mime, key=key, icon=icon, type="tertiary", on_click="ignore")


def _csv(table: ShownTable, chat: ConversationTables | None, cut: str) -> bytes:
    """The whole table: asked again where only its first rows were kept, else those. ``cut`` ends it where it is cut."""
    if table.whole or not table.sql or chat is None:
        return table.csv(cut)
    try:
        return chat.export(table.sql, cut)
    except BadRequest:
        return table.csv(cut)


def _text(artifact: Artifact, content: bytes | None) -> None:
    if content is None:
        st.caption(told(_GONE))
    elif artifact.kind == "json":
        st.json(content.decode("utf-8", "replace"), expanded=1)
    else:
        st.code(content.decode("utf-8", "replace"), language=None, wrap_lines=True)
