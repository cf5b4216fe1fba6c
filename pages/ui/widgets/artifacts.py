"""What a step made: tables, charts and pictures as they are, the rest as text when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from agent.data.tables.chat_tables import ConversationTables
from agent.data.tables.table_artifacts import ShownTable, is_picture, read_chart_artifact, read_table_artifact
from agent.errors import BadRequest
from agent.events import Artifact
from agent.interface_text import Text
from agent.views.fold import RunView
from pages.ui.session import open_chat, reading
from pages.ui.text.escape import chart_ok, label
from pages.ui.text.words import say, told
from pages.ui.widgets import cards

ReadArtifact = Callable[[str], bytes | None]
_MOST_PICTURES = 4
_GONE = Text("It is no longer kept.")
_UNSAFE = Text("This chart is not drawn, because it could fetch something from elsewhere. Its data is in the table.")
_NOT_IN_A_NAME = re.compile(r"[^\w -]+")
_TALLEST = 400  # pixels


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
    """The charts that the steps of a run drew, under its answer: the last ones."""
    calls = [call for step in view.steps for call in step.calls]
    drawn = {
        artifact.hash: artifact for call in calls for artifact in call.artifacts if artifact.kind in ("chart", "png")
    }
    for artifact in list(drawn.values())[-_MOST_PICTURES:]:
        _picture(artifact, read(artifact.hash), f"picture-{run}-{artifact.hash[:8]}")


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
            st.vega_lite_chart(spec=spec, width="stretch", key=key, alt=label(artifact.name))


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


def rows(made: ShownTable, key: str) -> None:
    """The rows alone."""
    # Streamlit imports pandas for it, which nobody waits for who opens no table.
    from pandas import DataFrame

    frame = DataFrame(list(made.rows), columns=list(made.columns))
    st.dataframe(frame, hide_index=True, key=key, height="auto" if len(made.rows) < 10 else _TALLEST, placeholder="–")


def table(name: str, made: ShownTable, key: str) -> None:
    """A table under its name, to sort, to search and to download."""
    shown, total = len(made.rows), max(made.total, len(made.rows))
    count = Text("{n:,} row", "{n:,} rows", n=total)
    if made.at_least:
        count = Text("more than {n:,} row", "more than {n:,} rows", n=shown)
    if not made.whole:
        count = Text("{count}, the first {shown:,} of them here", count=count, shown=shown)
    st.caption(f"{label(told(name))} · {told(count)}")
    rows(made, key)
    _download(
        Text("Download CSV"),
        partial(_csv, made, None if reading.token() else open_chat.tables()),
        f"{_file_name(name)}.csv",
        "text/csv",
        f"csv-{key}",
    )


def _file_name(name: str) -> str:
    return _NOT_IN_A_NAME.sub("_", name)[:60]


def _download(name: str, content: bytes | Callable[[], bytes], file: str, mime: str, key: str) -> None:
    icon = ":material/download:"
    st.download_button(told(name), content, file, mime, key=key, icon=icon, type="tertiary", on_click="ignore")


def _csv(table: ShownTable, chat: ConversationTables | None) -> bytes:
    """The whole table: asked again where only its first rows were kept, else those."""
    if table.whole or not table.sql or chat is None:
        return table.csv()
    try:
        return chat.export(table.sql)
    except BadRequest:
        return table.csv()


def _text(artifact: Artifact, content: bytes | None) -> None:
    if content is None:
        st.caption(told(_GONE))
    elif artifact.kind == "json":
        st.json(content.decode("utf-8", "replace"), expanded=1)
    else:
        st.code(content.decode("utf-8", "replace"), language=None, wrap_lines=True)
