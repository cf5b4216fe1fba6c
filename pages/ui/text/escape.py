"""Text of a model, a tool, a page or a person, made safe to hand to Streamlit (1.67).

| where it is shown | function |
|---|---|
| an answer or a thought, as Markdown | ``markdown``, ``marked`` |
| an observation with places in it, as HTML | ``highlighted`` |
| what a person typed, as Markdown | ``plain`` |
| any label, caption, error, toast, help, tab, metric, progress text | ``label`` |
| a cell or a column name of ``st.table`` | ``table_cell``, ``column_names`` |
| a source | ``link`` |
| what takes text as it is: ``st.code``, ``st.text``, options, page titles | ``unformatted``, ``one_line`` |
| a Vega-Lite chart | ``chart_ok`` before it is drawn |

None of them lets the page fetch anything without a click.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from agent.text.characters import one_line, readable
from agent.text.regex import regex
from pages.ui.text.escaping.addresses import web_address
from pages.ui.text.escaping.blocks import blocks
from pages.ui.text.escaping.characters import JOINER, inert
from pages.ui.text.escaping.charts import chart_ok
from pages.ui.text.escaping.inline import Inline, link_to
from pages.ui.text.escaping.marking import Marking, marked

__all__ = [
    "JOINER",
    "Marking",
    "chart_ok",
    "column_names",
    "highlighted",
    "label",
    "link",
    "markdown",
    "marked",
    "one_line",
    "plain",
    "table_cell",
    "unformatted",
]

_ADDRESS = regex(r"(https?://[^\s<>\"`|\\^{}\[\]]+)", re.I)
_INDENT = regex(r"^[ \t]+", re.M)
_NO_BREAK_SPACE = "\u00a0"


def markdown(text: str) -> str:
    """``text`` as Markdown: good Markdown stays, images become links, links say their real host.

    LaTeX, HTML, Streamlit's directives, emoji names and footnotes are shown as they were written; code is untouched.
    """
    return blocks(readable(text))


def plain(text: str) -> str:
    """``text`` as it was typed, line breaks and indentation included; addresses in it can be clicked."""
    parts = _ADDRESS.split(_INDENT.sub(_unbroken, readable(text)))
    parts[::2] = [inert(part) for part in parts[::2]]
    parts[1::2] = [Inline(part, {}, table=False).text for part in parts[1::2]]
    return "".join(parts).replace("\n", "  \n")


def label(text: str, most: int = 100) -> str:
    """``text`` on one line of at most ``most`` characters, with nothing in it that Markdown would act on."""
    return inert(one_line(text, most))


def link(title: str, url: str, most: int = 100) -> str:
    """A Markdown link with the real host behind its title; the title alone where ``url`` is no web address."""
    address = web_address(url)
    if address is None:
        return label(title or url, most)
    name = one_line(title, most)
    return link_to(label(name, most), address, name) if name else link_to(label(address.host), address, address.host)


def table_cell(value: object, most: int = 500) -> str:
    """A value for a cell of ``st.table``, which reads Markdown (``st.dataframe`` does not)."""
    return "" if value is None else label(str(value), most)


def column_names(names: Iterable[object]) -> list[str]:
    """Column names for ``st.table``: inert, and each only once."""
    taken: set[str] = set()
    columns: list[str] = []
    for name in names:
        base = table_cell(name, 80)
        column, number = base, 2
        while column in taken:
            column, number = f"{base} {number}", number + 1
        taken.add(column)
        columns.append(column)
    return columns


def unformatted(text: str) -> str:
    """``text`` for a place that shows it as it is, without characters that hide or reorder it."""
    return readable(text)


def highlighted(text: str, places: Sequence[tuple[int, int]]) -> str:
    """``text`` as HTML (escaped: nothing in it is a tag) with a ``mark`` around each place, which must not overlap."""
    done, pieces = 0, list[str]()
    for start, end in sorted(places):
        pieces.append(escape(readable(text[done:start])))
        pieces.append(f"<mark>{escape(readable(text[start:end]))}</mark>")
        done = end
    return "".join([*pieces, escape(readable(text[done:]))])


def _unbroken(indent: re.Match[str]) -> str:
    return _NO_BREAK_SPACE * len(indent.group().expandtabs(4))
