"""The button with the model's name under the question box: one click picks a preset, or another model that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from agent.application.evaluation.card_shelf import CardScores, card_scores
from agent.application.known_models import MOST_LISTED, is_chosen, switching, to_switch, with_used
from agent.application.preferences import LISTED
from agent.application.setup import DEMO, Alternative, Choice
from agent.demo.model import NAME as DEMO_NAME
from agent.web.endpoint import origin
from pages.ui.choices import card_table
from pages.ui.session import state
from pages.ui.teams import preset_choice
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

_ANOTHER = "another"
_KEY = "model"
_SERVERS = "used-servers"


def draw() -> None:
    """A menu of the models known, or, where that is the built-in one alone, the way to connect another."""
    choice = state.choice()
    if state.key_missing():
        _connect(f"{label(choice.model, 40)} · {say('Enter your key again')}")
        return
    servers = with_used(state.draft(_SERVERS, {}), choice)
    state.draft(_SERVERS, {}).update(servers)
    known = to_switch(state.services().settings, choice, servers, listed())
    presets = preset_choice.offered()
    if len(known) < 2 and not presets:
        _connect(_name(choice))
        return
    st.menu_button(
        preset_choice.prefix(presets) + _name(choice, connect=False),
        [*presets, *map(str, range(len(known))), _ANOTHER],
        key=_KEY,
        type="tertiary",
        icon=":material/neurology:",
        help=say("Which model answers. Click to switch."),
        format_func=partial(_option, choice, known, presets, card_scores(state.services(), state.visitor())),
        on_click=partial(_switch, known, presets),
    )


def used() -> Mapping[str, Mapping[str, Any]]:
    """The servers that were connected in this session, with what was chosen for each model, and the keys."""
    return with_used(state.draft(_SERVERS, {}), state.choice())


def listed() -> dict[str, Sequence[str]]:
    """The models that servers named, by address: in this session, and the chosen one on an earlier visit."""
    known, endpoint = state.draft("known", {}), state.choice().endpoint
    if before := state.kept_now().get("choice", {}).get(LISTED):
        known.setdefault(endpoint, before)
    return known


def remembered(address: str) -> dict[str, Sequence[str]]:
    """What of these is kept with the choice of that server."""
    return {LISTED: tuple(listed().get(address, ()))[:MOST_LISTED]}


def forget() -> None:
    """Forget the servers that were connected in this session, and their keys."""
    state.drop_draft(_SERVERS)


def _connect(name: str) -> None:
    st.button(
        name,
        key=_KEY,
        type="tertiary",
        icon=":material/neurology:",
        help=say("Which model answers. Click to connect another."),
        on_click=state.open_dialog,
        args=("connect",),
    )


def _switch(known: Sequence[Alternative], presets: Mapping[str, str]) -> None:
    picked = str(state.widget(_KEY))
    if picked in presets:
        preset_choice.pick(picked, used())
    elif picked == _ANOTHER:
        state.open_dialog("connect")
    elif picked.isdecimal():
        one = known[int(picked)]
        state.choose(**switching(one, state.draft(_SERVERS, {})), **remembered(one.endpoint))


def _option(
    choice: Choice, known: Sequence[Alternative], presets: Mapping[str, str], scores: CardScores, picked: str
) -> str:
    """A preset; or a model with its server where two have that name, and how its card stands where it has one."""
    if picked in presets:
        return preset_choice.option(picked, presets[picked])
    if picked == _ANOTHER:
        return f":material/add: {say('Connect another…')}"
    one = known[int(picked)]
    icon = "check" if is_chosen(choice, one) else "neurology"
    # A name that two servers have is told with its server.
    alike = sum(one.model == other.model for other in known) > 1
    server = f" · {label(origin(one.endpoint).partition('://')[2], 40)}" if alike else ""
    name = told(DEMO_NAME) if one.endpoint == DEMO else f"{label(one.model, 60)}{server}"
    return f":material/{icon}: {name}{card_table.beside(scores.of(one))}"


def _name(choice: Choice, connect: bool = True) -> str:
    """What answers now, and where there is no other: what to do."""
    more = f" · {say('Connect a model')}" if connect else ""
    if choice.endpoint == DEMO:
        return f"{told(DEMO_NAME)}{more}"
    return label(choice.model, 40) or f"{say('No model chosen')} · {say('Connect a model')}"
