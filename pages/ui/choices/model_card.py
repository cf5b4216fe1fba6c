"""The card of a model: what it can do here, measured from the dialog that connects one, and kept beside its name."""

from __future__ import annotations

from dataclasses import replace
from time import sleep
from typing import Any

import streamlit as st

from agent.application.evaluation.card_runs import CardRun, card_run, measure, wires_for
from agent.application.evaluation.card_shelf import card_of_model
from agent.application.evaluation.evaluation_run import resume, stop
from agent.application.setup import allowed_endpoint, prices_for
from agent.evals.model_card.card_cost import expected
from agent.interface_text import Text
from agent.settings import Secret
from pages.ui.choices import card_import, card_table
from pages.ui.session import again, asking, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button

_LOOK_SECONDS = 0.5
_PART_OF_PLACES = 8  # of all places for runs, one evaluation takes an eighth
_HINT = Text("Forty small questions of ours, which need no web: sums, dates, tables, several steps, and more.")


def draw(typed: dict[str, Any], endpoint: str, model: str, key: str) -> None:
    """The card of a model, the offer to measure it, or how far that is; ``typed`` is the draft of the dialog."""
    found = card_run(state.services(), state.visitor(), endpoint, model)
    shown = card_of_model(state.services(), state.visitor(), endpoint, model)
    # Emptied first: what it said before would stay below while it is at work, since that draws the dialog anew.
    with st.empty().container(key="model-card", gap="small"):
        st.markdown(f"**{say('What it can do here')}**")
        if found and found.row.working:
            _working(typed, found)
            return
        if shown:
            card_table.draw(shown, "connect")
        elif typed.get("card") != "asked":
            st.caption(told(_HINT))
        if found and not found.whole:
            _stopped(typed, found)
        if typed.get("card") == "asked":
            _offer(typed, endpoint, model, key)
        else:
            again_name = say("Measure again") if found and found.card.done else say("Measure it")
            with st.container(horizontal=True):
                st.button(
                    again_name,
                    key="measure-card",
                    icon=":material/checklist:",
                    on_click=typed.update,
                    kwargs={"card": "asked"},
                )
                with st.popover(say("Import a card"), icon=":material/upload_file:"):
                    card_import.draw("connect")


def _offer(typed: dict[str, Any], endpoint: str, model: str, key: str) -> None:
    """What it will take, and the click that begins."""
    services = state.services()
    will = expected(wires_for(endpoint))
    choice = replace(state.choice(), endpoint=endpoint, model=model, key=Secret(key))
    money = will.money(prices_for(services.settings, choice, services.prices).price(endpoint, model))
    minutes = will.minutes(max(1, services.settings.runs // _PART_OF_PLACES))
    said = say(
        "{answers} answers: about {replies} replies and {tokens} tokens, {money}, in about {minutes} min where a reply "
        "takes three seconds. Questions in chats are answered beside it.",
        answers=will.questions * will.wires,
        replies=will.replies,
        tokens=f"{round(will.tokens, -3):,}",
        money=Text("at a price that is not known here") if money is None else Text("${amount}", amount=f"{money:.2f}"),
        minutes=minutes,
    )
    st.caption(label(said, 500))
    with st.container(horizontal=True):
        if st.button(say("Begin"), key="begin-card", type="primary", icon=":material/play_arrow:"):
            _begin(typed, endpoint, model, key)
        st.button(say("Not now"), key="no-card", type="tertiary", on_click=typed.update, kwargs={"card": ""})


def _begin(typed: dict[str, Any], endpoint: str, model: str, key: str) -> None:
    with problems.telling():
        address = endpoint if not model else allowed_endpoint(state.services().settings, endpoint)
        choice = replace(state.choice(), endpoint=address, model=model, key=Secret(key))
        with st.spinner(say("Preparing the questions")):
            measure(replace(asking.runs(), choice=choice, key_missing=False))
        typed["card"] = ""
        again.dialog()


def _working(typed: dict[str, Any], found: CardRun) -> None:
    """How far it is, and the way to stop it. Draws the dialog anew."""
    card = found.card
    with st.container(horizontal=True, vertical_alignment="center", key="card-progress"):
        st.progress(min(1.0, card.done / card.of), text=_progress(found))
        button(Text("Stop"), "stop-card", "stop_circle", stop, asking.runs(), found.row.id)
    st.caption(say("You can close this: it goes on by itself."))
    sleep(_LOOK_SECONDS)
    again.dialog()


def _progress(found: CardRun) -> str:
    card = found.card
    said = say("{done:,} of {of:,} answers", done=card.done, of=card.of)
    if not card.done:
        return said
    at_once = max(1, state.services().settings.runs // _PART_OF_PLACES)
    left = card.seconds / card.done * (card.of - card.done) / at_once / 60
    return f"{said} · {say('about {n} minute left', 'about {n} minutes left', n=max(1, round(left)))}"


def _stopped(typed: dict[str, Any], found: CardRun) -> None:
    """The way to go on with what was stopped."""
    spent = found.row.state == "spent"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            say("It was stopped as there was no money left for it. What has a result is not run again.")
            if spent
            else say("It was stopped before it was done. What has a result is not run again."),
            width="stretch",
        )
        if st.button(say("Resume"), key="resume-card", icon=":material/play_arrow:"):
            with problems.telling():
                choice = replace(state.choice(), endpoint=typed.get("address", ""), key=Secret(typed.get("key", "")))
                resume(replace(asking.runs(), choice=choice), found.row)
                again.dialog()
