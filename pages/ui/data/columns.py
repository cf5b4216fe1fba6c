"""What the columns of a table hold: a line each with a small histogram, and another type if it was read wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from agent.data.tables.chat_tables import LoadedTable
from agent.data.tables.columns import CHOICES, plain_type
from agent.data.tables.headings import names_not_amounts
from agent.data.tables.questions.observed import grouped
from agent.data.tables.repair_texts import type_word
from pages.ui.data import repairs
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, told

_AT_ONCE = 20
_BARS = 4
Column = Mapping[str, Any]


def draw(table: LoadedTable) -> None:
    """The columns, some at a time."""
    described = table.card["columns"]
    pages = max(1, -(-len(described) // _AT_ONCE))
    slot = st.container()
    page = st.pagination(pages, key=f"columns-{table.id}-{pages}") if pages > 1 else 1
    with slot:
        for number, column in enumerate(described[(page - 1) * _AT_ONCE : page * _AT_ONCE]):
            with st.container(border=True, key=f"column-{table.id}-{page}-{number}"):
                _column(table, column, f"{table.id}-{page}-{number}")


def _column(table: LoadedTable, column: Column, key: str) -> None:
    left, right = st.columns([3, 2])
    kind = plain_type(str(column["type"]))
    with left:
        with st.container(horizontal=True, vertical_alignment="center"):
            held = f"{told(type_word(kind))} · {label(str(column['type']), 60)}"
            st.markdown(f"**{label(str(column['name']), 60)}** :gray[{held}]", width="stretch")
            with (
                st.popover(say("Change type"), type="tertiary", key=f"retype-{key}"),
                st.form(f"types-{key}", border=False),
            ):
                index = list(CHOICES).index(kind if kind in CHOICES else "text")
                to = st.selectbox(say("Read it as"), list(CHOICES), index=index, format_func=saying(type_word))
                if st.form_submit_button(say("Change"), type="primary"):
                    repairs.retype(table.id, str(column["name"]), to)
                    st.rerun()
        if str(column.get("label") or column["name"]).casefold().replace(" ", "_") != str(column["name"]).casefold():
            st.caption(say("Headed “{label}”", label=label(str(column["label"]), 100)))
        st.caption(_said(column))
    with right:
        _histogram(column)


def _said(column: Column) -> str:
    count = int(column.get("distinct") or 0)
    exact = column.get("exact", True)
    parts = [say("{count:,} different", count=count) if exact else say("about {count:,} different", count=count)]
    if column.get("nulls"):
        parts.append(say("{nulls:,} empty", nulls=int(column["nulls"])))
    if column.get("min") is not None:
        parts.append(say("{low} to {high}", **ends(column, column["min"], column["max"])))
    if isinstance(column.get("mean"), int | float):
        parts.append(say("mean {value}", value=f"{column['mean']:,.6g}"))
    if column.get("unit"):
        parts.append(say("in {unit}", unit=label(str(column["unit"]), 20)))
    return " · ".join(parts)


def ends(column: Column, low: Any, high: Any) -> dict[str, str]:
    """As people read them: amounts with marks between thousands, years and ids as they are."""
    amounts = plain_type(str(column["type"])) in ("whole number", "number")
    if amounts and not names_not_amounts(str(column["name"]), (column.get("min"), column.get("max"))):
        low, high = grouped(str(low)), grouped(str(high))
    return {"low": label(str(low), 40), "high": label(str(high), 40)}


def _histogram(column: Column) -> None:
    drawn = column.get("histogram") or {}
    if drawn.get("kind") == "bins":
        counts = [int(count) for count in drawn["counts"]]
        values = [{"bin": number, "rows": count} for number, count in enumerate(counts)]
        axes = {"x": {"field": "bin", "type": "ordinal", "axis": None}, "y": {"field": "rows", "type": "quantitative"}}
        axes["y"]["axis"] = None
        spec = {"mark": "bar", "data": {"values": values}, "encoding": axes, "height": 60}
        about = say("From {low} to {high}", **ends(column, drawn["from"], drawn["to"]))
        st.vega_lite_chart(spec=spec, width="stretch", height=70, alt=say("Histogram. {about}", about=about))
        st.caption(about)
    elif drawn.get("kind") == "values":
        total = sum(drawn["counts"]) + int(drawn.get("others", 0)) or 1
        for value, count in list(zip(drawn["values"], drawn["counts"], strict=True))[:_BARS]:
            st.progress(min(1.0, count / total), text=f"{label(str(value), 40)} :small[:gray[{int(count):,}]]")
        if rest := int(column.get("distinct") or 0) - min(_BARS, len(drawn["values"])):
            st.caption(say("and {rest:,} more", rest=rest))
