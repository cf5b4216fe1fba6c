"""What the chosen model costs: where its price is from, and a price of one's own in its place."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import streamlit as st

from agent.application.setup import DEMO, own_price, prices_for, with_own_price
from agent.models.prices import VISITOR, Listed, Price, typed_price
from pages.ui.session import state
from pages.ui.text.escape import label, link
from pages.ui.text.words import say

_MOST = 10_000.0
_UNIT = "US dollars per million tokens"


def line() -> None:
    """The price of the chosen model on one line, and the way to change it."""
    chosen = state.choice()
    if chosen.endpoint == DEMO or not chosen.model:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="price-line"):
        st.caption(say(_said(_counting())), width="stretch")
        st.button(
            say("Change the price"),
            key="price",
            type="tertiary",
            icon=":material/payments:",
            on_click=state.open_dialog,
            args=("preferences", "price"),
        )


def draw() -> None:
    """The price of the chosen model, to be read and changed."""
    chosen, counting, mine = state.choice(), _counting(), own_price(state.choice())
    listed = state.services().prices.listed(chosen.endpoint, chosen.model)
    st.markdown(say(f"**Price of {label(chosen.model, 80)}**"))
    if counting:
        st.caption(f"{say(f'{_figures(counting.price)}, {_UNIT}.')} {say(_source(counting))}")
    else:
        st.caption(say(_said(None)))
    if state.on_owners_key():
        st.caption(say("It is used on this site's own key: what its owner pays is counted."))
        _back()
        return
    start = listed.price if listed else None
    with st.form("price", border=False):
        places = st.columns(3)
        input = _field(places[0], "Input", mine and mine.input, start and start.input)
        cached = _field(places[1], "Cached input", mine and mine.cached, start and start.cached, "as input")
        output = _field(places[2], "Output", mine and mine.output, start and start.output)
        st.caption(say(f"{_UNIT}, for this model at this address. Earlier answers keep the price they had."))
        save, clear = st.columns(2)
        saved = save.form_submit_button(say("Use my price"), type="primary", width="stretch")
        cleared = clear.form_submit_button(
            say("Back to the listed price" if listed else "Back to no price"), width="stretch", disabled=mine is None
        )
    _back()
    if cleared:
        _keep(None)
    if saved and input is not None and output is not None:
        _keep(typed_price(str(input), str(input if cached is None else cached), str(output)))
    elif saved:
        st.error(say("A price needs input and output at least."), icon=":material/error:")


def _counting() -> Listed | None:
    """The price that the next answer is counted with."""
    chosen, services = state.choice(), state.services()
    return prices_for(services.settings, chosen, services.prices).listed(chosen.endpoint, chosen.model)


def _said(counting: Listed | None) -> str:
    name = label(state.choice().model, 60)
    if counting is None:
        return f"No price is known for {name}: answers show their tokens and “no price”."
    whose = "Your price" if counting.source == VISITOR else f"Price of {name}"
    return f"{whose}: {_figures(counting.price)} ({_UNIT})."


def _figures(price: Price) -> str:
    return label(f"{_dollars(price.input)} in, {_dollars(price.cached)} cached, {_dollars(price.output)} out")


def _source(counting: Listed) -> str:
    """When and where from; and what long calls cost, where that is more."""
    price = counting.price
    when = f"Noted on {counting.noted:%Y-%m-%d}, from " if counting.noted else "From "
    more = f" Calls with more than {price.above:,} tokens: {_figures(price.long)}." if price.long else ""
    return f"{when}{link(counting.source, counting.source)}.{more}"


def _field(place: Any, name: str, mine: Decimal | None, start: Decimal | None, empty: str = "none") -> float | None:
    value = None if mine is None else float(mine)
    placeholder = say(empty) if start is None else f"{start:f}"
    return place.number_input(say(name), 0.0, _MOST, value, step=0.05, format="%.6g", placeholder=placeholder)


def _dollars(amount: Decimal) -> str:
    """With cents, and with further places where there are some."""
    text = f"{amount.normalize():f}"
    whole, _, places = text.partition(".")
    return f"${whole}.{places:0<2}"


def _back() -> None:
    st.button(
        say("All settings"),
        key="price-back",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=state.open_dialog,
        args=("preferences",),
    )


def _keep(price: Price | None) -> None:
    state.choose(prices=with_own_price(state.choice(), price))
    state.open_dialog("preferences")
    st.rerun()
