"""Connect a model: pick a server, give a key, pick a model, test it, use it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from agent.application.evaluation.card_shelf import card_scores
from agent.application.setup import DEMO, Alternative, allowed_endpoint, forget_lessons, lessons_of, window_for
from agent.demo.model import NAME as DEMO_NAME
from agent.errors import GlassboxError
from agent.interface_text import Text, joined, packed
from agent.models.openai_chat import usable_key
from agent.models.presets import PRESETS, Preset
from agent.models.window import SMALLEST, Window
from agent.text.pasted_keys import plain_key
from agent.web.endpoint import normalise_endpoint
from pages.ui.choices import card_table, model_card, model_menu
from pages.ui.choices import connection_test as testing
from pages.ui.session import again, state
from pages.ui.text.escape import label, link, one_line
from pages.ui.text.words import say, saying, titled_dialog, told
from pages.ui.widgets import problems

_LIST_SECONDS = 4.0
_OWNERS = "owner"
_CUSTOM = "custom"
_MOST_TOKENS = 100_000_000
# How a window is known.
SOURCES = {
    "server": Text("from the server"),
    "table": Text("from the table of known models"),
    "refusal": Text("from what the server refused"),
    "setting": Text("set by this site's owner"),
    "guess": Text("a guess"),
}
_THINKING = {
    "default": Text("As the model does by itself"),
    "off": Text("Off"),
    "low": Text("Low"),
    "medium": Text("Medium"),
    "high": Text("High"),
}


@titled_dialog("Connect a model", width="medium", on_dismiss=state.close_dialog)
def dialog() -> None:
    typed = state.draft("connect", _start())
    _cards(typed)
    if typed["server"] == DEMO:
        st.caption(
            say("Works out sums, conversions and dates and looks things up, by rules. It is no AI and needs no key.")
        )
        if st.button(say("Use the demo"), type="primary"):
            _use(endpoint=DEMO, model="", key="")
        typed.update(address=DEMO, key="")
        model_card.draw(typed, DEMO, "", "")
    elif typed["server"] == _OWNERS:
        _owners_model(typed)
    else:
        _server(typed)


def _start() -> dict[str, Any]:
    """What the dialog opens with: what is in use now."""
    chosen = state.choice()
    if chosen.endpoint == DEMO or state.on_owners_key():
        server = DEMO if chosen.endpoint == DEMO else _OWNERS
    else:
        server = next((preset.name for preset in PRESETS if preset.endpoint == chosen.endpoint), _CUSTOM)
    return {
        "server": server,
        "address": chosen.endpoint,
        "key": chosen.key.reveal(),
        "model": chosen.model,
        "fields": 0,
        "preset": 0,
        "listed": None,
        "names": [],
        "problem": "",
        "asked_to": False,
    }


def _cards(typed: dict[str, Any]) -> None:
    settings = state.services().settings
    found = {address for _, address in state.local_servers()} if settings.private_addresses else set()
    cards: list[tuple[str, str, str]] = [(DEMO, DEMO_NAME, Text("No key, no network"))]
    if settings.owner_model:
        cards.append((_OWNERS, Text("This site's model"), Text("Nothing to set up")))
    for preset in PRESETS:
        if preset.local and not settings.private_addresses:
            continue
        cards.append((preset.name, preset.label, Text("Running here") if preset.endpoint in found else preset.hint))
    with st.container(horizontal=True, gap="small", key="cards"):
        for name, title, hint in cards:
            # By a type of its own the chosen one would be another element of the page, and lose the focus.
            st.button(
                f"**{told(title)}**  \n:small[{told(hint)}]",
                key=f"card-{name}",
                icon=":material/check:" if name == typed["server"] else None,
                on_click=_pick,
                args=(typed, name),
            )


def _pick(typed: dict[str, Any], name: str) -> None:
    preset = _preset(name)
    address = preset.endpoint if preset else ""
    typed.update(server=name, address=address, key="", model=preset.model if preset else "", findings=[])
    typed.update(asked_to=False, card="")


def _move(typed: dict[str, Any], address: str) -> None:
    """A key belongs to the address it was typed for; new fields, but not for a first address: one may type on."""
    if typed["address"]:
        typed.update(key="", model="", fields=typed["fields"] + 1)
    typed.update(address=address, findings=[])


def _preset(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)


def _owners_model(typed: dict[str, Any]) -> None:
    settings = state.services().settings
    names = list(settings.allowed_models or (settings.model,))
    scores = card_scores(state.services(), state.visitor())
    model = st.selectbox(
        say("Model"),
        names,
        index=names.index(typed["model"]) if typed["model"] in names else 0,
        format_func=lambda name: (
            f"{one_line(name, 60)}{card_table.beside(scores.of(Alternative(settings.base_url, name)))}"
        ),
    )
    st.caption(_known(_window_of(settings.base_url, model)))
    _learned(settings.base_url, model)
    if st.button(say("Use this model"), type="primary"):
        _use(endpoint=settings.base_url, model=model, key="")
    typed.update(address=settings.base_url, key="")
    model_card.draw(typed, settings.base_url, model, "")


def _server(typed: dict[str, Any]) -> None:
    preset = _preset(typed["server"])
    address: str = typed["address"]
    address = st.text_input(
        say("Address"), address, key=f"address-{typed['server']}", placeholder="http://localhost:8000/v1"
    ).strip()
    if address != typed["address"]:
        _move(typed, address)
    key: str = typed["key"]  # a key typed for one address is not that of another
    pasted = st.text_input(
        say("Key"),
        key,
        type="password",
        key=f"key-{typed['server']}-{typed['fields']}",
        placeholder="" if preset and preset.needs_key else say("Only if the server asks for one"),
        help=say("Kept in this browser tab's session only, and sent to this address only."),
    )
    typed["key"] = plain_key(pasted)
    if state.key_missing() and typed["address"] == state.choice().endpoint and not typed["key"]:
        st.caption(
            f":material/key: {say('Your key was not kept, keys never are. Enter it again to go on with this server.')}"
        )
    if preset and preset.key_url:
        st.caption(say("Get a key: {link}", link=link(preset.key_url.removeprefix("https://"), preset.key_url)))
    asked = _to_ask(typed, preset)
    _model(typed, asking=bool(asked))
    window, thinking = 0, "default"
    if typed["model"]:
        window = _window(typed["address"], typed["model"], key=_model_key(typed))
        thinking = _thinking(typed["address"], typed["model"], key=_model_key(typed))
    _learned(typed["address"], typed["model"])
    if typed["problem"]:
        problems.remark(typed["problem"], 400)
        if preset and preset.local:
            st.caption(label(told(preset.start), 300))
    tested = _buttons(typed, preset, window, thinking)
    testing.draw(typed, tested)
    if asked:
        _list(typed, asked)
        again.dialog()
    if not _lacking(typed, preset):
        model_card.draw(typed, typed["address"], typed["model"], typed["key"])


def _buttons(typed: dict[str, Any], preset: Preset | None, window: int, thinking: str) -> bool:
    """What uses the model, or says what it lacks; whether it is to be tested."""
    lacks = _lacking(typed, preset)
    with st.container(horizontal=True):
        if st.button(say("Use this model"), type="primary"):
            if not lacks:
                own = {"window": window, "thinking": thinking}
                _use(endpoint=typed["address"], model=typed["model"], key=typed["key"], **own)
            typed["asked_to"] = True
        tested = st.button(say("Test"), icon=":material/network_check:", disabled=not typed["address"])
    if lacks and typed["asked_to"]:
        st.markdown(f":orange[:material/arrow_upward:] {told(lacks)}")
    return tested


def _lacking(typed: dict[str, Any], preset: Preset | None) -> str:
    """What is to be given before the model can be used, "" for nothing."""
    if not typed["address"]:
        return Text("Enter the server's address first.")
    try:
        normalise_endpoint(typed["address"])
        usable_key(typed["key"])
    except GlassboxError as error:
        return error.text
    if preset and preset.needs_key and not typed["key"]:
        return Text("Enter your key first.")
    if typed["model"]:
        return ""
    if count := len(typed["names"]):
        return Text("Pick one of the {count} models first.", count=count)
    return Text("Type the name of a model first.")


def _model(typed: dict[str, Any], asking: bool) -> None:
    """The field of the model. While the server is asked for its models, nothing can be typed that would be lost."""
    names = [] if asking else list(typed["names"])
    typed["model"] = state.widget(_model_key(typed)) or typed["model"]
    if len(names) == 1 and not typed["model"]:
        typed.update(model=names[0], preset=typed["preset"] + 1)
    if typed["model"] and typed["model"] not in names:
        names = [typed["model"], *names]
    picked = st.selectbox(
        say("Model"),
        names,
        index=names.index(typed["model"]) if typed["model"] in names else None,
        key=_model_key(typed),
        accept_new_options=True,
        placeholder=(say("Asking the server for its models…") if asking else say("Pick one or type its name")),
        disabled=asking,
    )
    typed["model"] = picked or ""


def _window(address: str, model: str, key: str) -> int:
    """The field in which a person says how many tokens the model can be sent at once; 0 where it is left empty."""
    chosen = state.choice()
    own = chosen.window if (address, model) == (chosen.endpoint, chosen.model) else 0
    typed = st.number_input(
        say("Context window"),
        SMALLEST,
        _MOST_TOKENS,
        own or None,
        step=1_024,
        key=f"window-{key}-{model}",
        placeholder=_known(_window_of(address, model)),
        help=say("The most tokens of a prompt. Earlier turns are shortened where a prompt would be longer."),
    )
    return typed or 0


def _thinking(address: str, model: str, key: str) -> str:
    """The field in which a person says how much the model is to think."""
    chosen = state.choice()
    own = chosen.thinking if (address, model) == (chosen.endpoint, chosen.model) else "default"
    return st.selectbox(
        say("Thinking"),
        list(_THINKING),
        list(_THINKING).index(own),
        key=f"thinking-{key}-{model}",
        format_func=saying(_THINKING.get),
        help=say(
            "How much the model thinks before it answers. A server that cannot be told is asked without, "
            "and the run says so."
        ),
    )


def _window_of(address: str, model: str) -> Window:
    """What is known of the model's window without the person."""
    services = state.services()
    choice = replace(state.choice(), endpoint=address, model=model, window=0)
    return window_for(services.settings, choice, services.capabilities, services.prices)


def _known(window: Window) -> str:
    return say("{tokens:,} tokens — {source}", tokens=window.tokens, source=SOURCES[window.source])


def _learned(address: str, model: str) -> None:
    """What the model's server refused, and a button to find that out anew."""
    capabilities = state.services().capabilities
    lessons = lessons_of(capabilities, address, model) if address and model else ()
    if not lessons:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="learned"):
        st.caption(
            label(say("Learned about this server: {lessons}", lessons=joined(" ", lessons)), 600), width="stretch"
        )
        st.button(
            say("Forget"),
            key="forget-learned",
            type="tertiary",
            help=say("Forget what was learned, so that the next question finds it out anew."),
            on_click=forget_lessons,
            args=(capabilities, address, model),
        )


def _model_key(typed: dict[str, Any]) -> str:
    """What was typed before a list came stays in its field; only what is chosen for a person needs a new one."""
    return f"model-{typed['server']}-{typed['fields']}-{typed['preset']}"


def _to_ask(typed: dict[str, Any], preset: Preset | None) -> tuple[str, str] | None:
    """Address and key to ask for a list of models with, where that was not done yet."""
    asked = (typed["address"], typed["key"])
    if not typed["address"] or (preset and preset.needs_key and not typed["key"]):
        typed.update(listed=None, names=[], problem="")
        return None
    return asked if typed["listed"] != asked else None


def _list(typed: dict[str, Any], asked: tuple[str, str]) -> None:
    """Ask the server for its models, of which there are none, and a sentence why, where it does not tell."""
    from agent.models.presets import list_models

    names, problem = list[str](), ""
    try:
        address = allowed_endpoint(state.services().settings, asked[0])
        names = list(list_models(address, asked[1], _LIST_SECONDS, state.services().capabilities))
        problem = "" if names else packed(Text("This server lists no models. Load one there, or type its name."))
    except GlassboxError as error:
        problem = packed(error.text)
    # All at once: a click may end this script at the next line that draws.
    typed.update(listed=asked, names=names, problem=problem)
    model_menu.listed()[asked[0]] = names


def _use(endpoint: str, model: str, key: str, window: int = 0, **more: Any) -> None:
    state.choose(endpoint=endpoint, model=model, key=key, window=window, **more, **model_menu.remembered(endpoint))
    state.drop_draft("connect")
    state.close_dialog()
    st.rerun()
