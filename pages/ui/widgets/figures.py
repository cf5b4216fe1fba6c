"""Figures in words, and a row of them."""

from __future__ import annotations

import streamlit as st

from agent.application.setup import DEMO
from agent.demo.model import NAME as DEMO_NAME
from agent.interface_text import Text
from agent.messages import Money, Usage
from agent.views.fold import RunView
from pages.ui.text.escape import label
from pages.ui.text.escaping.characters import JOINER
from pages.ui.text.words import say, told

_NO_BREAK_SPACE = "\u00a0"
_STATES = {
    "final_answer": Text("Answered"),
    "plain": Text("Answered"),
    "stop": Text("Answered"),
    "direct": Text("Answered by a tool"),
    "length": Text("Answered, cut off"),
    "cancelled": Text("Stopped"),
    "interrupted": Text("Interrupted"),
    "budget": Text("Budget reached"),
}


def figure(name: str, value: str, note: str = "") -> None:
    with st.container(gap=None, width="content"):
        st.caption(told(name))
        st.markdown(f"**{label(told(value))}**")
        if note:
            st.caption(told(note))


def model(view: RunView) -> str:
    """What the model of a run is called, "" where none is known yet."""
    return told(DEMO_NAME) if view.endpoint == DEMO else view.model


def interval(low: float, high: float) -> str:
    """The interval of a share, in brackets, from 0 to 1 each: it is not broken behind its dash."""
    return f"({low:.0%}–{JOINER}{high:.0%})"


def ended(view: RunView) -> str:
    """How a run has ended, in a word or two, in the language of the person."""
    return told(_ended(view))


def _ended(view: RunView) -> str:
    if view.waiting:
        return Text("Waiting for you")
    if view.state == "running":
        return Text("At work")
    if view.reason == "limit":
        return Text("Answered at a limit") if view.state == "answered" else Text("Limit reached")
    return _STATES.get(view.reason, Text("Answered") if view.state == "answered" else Text("Failed"))


def tokens(usage: Usage) -> str:
    total = f"{usage.total:,}"
    return say("about {count}", count=total) if usage.estimated else total


def money(price: Money | None) -> str:
    if price is None:
        return say("no price")
    amount = f"{price.amount:.5f}" if price.amount < 1 else f"{price.amount:.2f}"
    return f"${amount}" if price.currency == "USD" else f"{amount} {price.currency}"


def dollars(amount: float, most: float = 0.0) -> str:
    """With cents, and with further places where it is small, or the ``most`` that it counts towards is."""
    scale = most or amount
    places = 2 if scale >= 0.1 or not scale else 4 if scale >= 0.01 else 6
    whole, _, part = f"{amount:.{places}f}".partition(".")
    return f"{whole}.{part[:2]}{part[2:].rstrip('0')}"


def seconds(count: float) -> str:
    """Short ones with the digits that tell them apart."""
    if count >= 1 or not count:
        return f"{count:.1f} s"
    return f"{count:.2f} s" if count >= 0.01 else f"{count * 1000:.1f} ms"


def seconds_taken(count: float) -> str:
    """In tenths, as they are told beside what was done; figure and unit stay on one line."""
    return "< 0.1 s".replace(" ", _NO_BREAK_SPACE) if count < 0.05 else f"{count:.1f}{_NO_BREAK_SPACE}s"
