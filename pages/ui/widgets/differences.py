"""A text of each of two runs beside the other, as HTML: what differs has a sign, a line and a tint."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from agent.views.compare import Piece, word_differences
from pages.ui.text.escape import highlighted
from pages.ui.text.words import say, told

_NAMES = "A", "B"
_TAGS = "del", "ins"


def texts(name: str, left: str | None, right: str | None) -> None:
    """The same part of A and B (``None`` where there is no such step), beside each other, or once where it is the same.

    What only one of them has is marked word by word.
    """
    if not (left or right):
        return
    name = told(name)
    if left == right:
        both = _cell(f"{say('A and B')} · {name}", highlighted(left or "", ()))
        st.html(f'<div class="glassbox-pair">{both}</div>')
        return
    if left is None or right is None:
        which, text = ("A", left) if right is None else ("B", right)
        st.html(f'<div class="glassbox-pair">{_cell(f"{which} · {name}", highlighted(text or "", ()))}</div>')
        return
    both = zip(_NAMES, _TAGS, word_differences(left, right), strict=True)
    cells = "".join(_cell(f"{which} · {name}", _marked(pieces, tag)) for which, tag, pieces in both)
    st.html(f'<div class="glassbox-pair">{cells}</div>')


def _cell(name: str, inside: str) -> str:
    return (
        f'<section aria-label="{escape(name)}"><h6>{escape(name)}</h6><div dir="auto">{inside or "–"}</div></section>'
    )


def _marked(pieces: Sequence[Piece], tag: str) -> str:
    """The pieces as HTML, each that differs in a ``tag``."""
    places: list[tuple[int, int]] = []
    at = 0
    for piece in pieces:
        if piece.mark == "differs":
            places.append((at, at + len(piece.text)))
        at += len(piece.text)
    # The text itself is escaped, so these tags are its own.
    inside = highlighted("".join(piece.text for piece in pieces), places)
    return inside.replace("<mark>", f"<{tag}>").replace("</mark>", f"</{tag}>")
