"""What the chosen model costs: where its price is from, and a price of one's own in its place."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import streamlit as st

from agent.application.setup import DEMO, own_price, prices_for, with_own_price
from agent.interface_text import Text
from agent.models.prices import VISITOR, Listed, Price, typed_price
from pages.ui.session import state
from pages.ui.text.escape import label, link
from pages.ui.text.words import say, told
from pages.ui.widgets.buttons import button

_MOST = 10_000.0


def line() -> None:
    """The price of the chosen model on one line, and the way to change it."""
    chosen = state.choice()
    if chosen.endpoint == DEMO or not chosen.model:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="price-line"):
        st.caption(_said(_counting()), width="stretch")
        button(Text("Change the price"), "price", "payments", state.open_dialog, "preferences", "price", quiet=True)


def draw() -> None:
    """The price of the chosen model, to be read and changed."""
    chosen, counting, mine = state.choice(), _counting(), own_price(state.choice())
    listed = state.services().prices.listed(chosen.endpoint, chosen.model)
    st.markdown(say("**Price of {model}**", model=label(chosen.model, 80)))
    if counting:
        figures = say("{figures}, US dollars per million tokens.", figures=_figures(counting.price))
        st.caption(f"{figures} {_source(counting)}")
    else:
        st.caption(_said(None))
    if state.on_owners_key():
        st.caption(say("It is used on this site's own key: what its owner pays is counted."))
        _back()
        return
    start = listed.price if listed else None
    with st.form("price", border=False):
        places = st.columns(3)
        input = _field(places[0], Text("Input"), mine and mine.input, start and start.input)
        cached = _field(places[1], Text("Cached input"), mine and mine.cached, start and start.cached, Text("as input"))
        output = _field(places[2], Text("Output"), mine and mine.output, start and start.output)
        st.caption(
            say(
                "US dollars per million tokens, for this model at this address. Earlier answers keep the "
                "price they had."
            )
        )
        save, clear = st.columns(2)
        saved = save.form_submit_button(say("Use my price"), type="primary", width="stretch")
        cleared = clear.form_submit_button(
            (say("Back to the listed price") if listed else say("Back to no price")),
            width="stretch",
            disabled=mine is None,
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
        return say("No price is known for {name}: answers show their tokens and “no price”.", name=name)
    whose = Text("Your price") if counting.source == VISITOR else Text("Price of {name}", name=name)
    figures = _figures(counting.price)
    return say("{whose}: {figures} (US dollars per million tokens).", whose=whose, figures=figures)


def _figures(price: Price) -> str:
    amounts = {"input": price.input, "cached": price.cached, "output": price.output}
    shown = {name: _dollars(amount) for name, amount in amounts.items()}
    return label(say("{input} in, {cached} cached, {output} out", **shown))


def _source(counting: Listed) -> str:
    """When and where from; and what long calls cost, where that is more."""
    price, source = counting.price, link(counting.source, counting.source)
    if counting.noted:
        said = say("Noted on {date}, from {source}.", date=f"{counting.noted:%Y-%m-%d}", source=source)
    else:
        said = say("From {source}.", source=source)
    if price.long:
        long = say(
            "Calls with more than {tokens:,} tokens: {figures}.", tokens=price.above, figures=_figures(price.long)
        )
        said = f"{said} {long}"
    return said


def _field(
    place: Any, name: str, mine: Decimal | None, start: Decimal | None, empty: str = Text("none")
) -> float | None:
    value = None if mine is None else float(mine)
    placeholder = told(empty) if start is None else f"{start:f}"
    return place.number_input(told(name), 0.0, _MOST, value, step=0.05, format="%.6g", placeholder=placeholder)


def _dollars(amount: Decimal) -> str:
    """With cents, and with further places where there are some."""
    text = f"{amount.normalize():f}"
    whole, _, places = text.partition(".")
    return f"${whole}.{places:0<2}"


def _back() -> None:
    button(Text("All settings"), "price-back", "arrow_back", state.open_dialog, "preferences", quiet=True)


def _keep(price: Price | None) -> None:
    state.choose(prices=with_own_price(state.choice(), price))
    state.open_dialog("preferences")
    st.rerun()
