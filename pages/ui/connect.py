"""Connect a model: pick a server, give a key, pick a model, test it, use it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agent.errors import GlassboxError
from agent.models.demo import NAME as DEMO_NAME
from agent.models.presets import PRESETS, Preset
from agent.setup import DEMO, allowed_endpoint
from pages.ui import state
from pages.ui.escape import label, link

_LIST_SECONDS = 4.0
_OWNERS = "owner"
_CUSTOM = "custom"
_STATES = {
    "works": (":material/check_circle:", "green", "works"),
    "fails": (":material/cancel:", "red", "does not work"),
    "without": (":material/do_not_disturb_on:", "orange", "not taken"),
    "unknown": (":material/help:", "gray", "cannot be told"),
}
# Glassbox does without these.
_OPTIONAL = ("streaming", "tools", "stop")
_NAMES = {
    "reachable": "Server reachable",
    "key": "Key",
    "model": "Model",
    "streaming": "Streaming",
    "tools": "Tool calls",
    "stop": "Stop words",
}


@st.dialog("Connect a model", width="medium", on_dismiss=state.close_dialog)
def dialog() -> None:
    typed = state.draft("connect", _start())
    _cards(typed)
    if typed["server"] == DEMO:
        st.caption("Works out sums, conversions and dates and looks things up, by rules. It is no AI and needs no key.")
        if st.button("Use the demo", type="primary"):
            _use(endpoint=DEMO, model="", key="")
    elif typed["server"] == _OWNERS:
        _owners_model(typed)
    else:
        _server(typed)


def _start() -> dict[str, Any]:
    """What the dialog opens with: what is in use now."""
    chosen = state.choice()
    if state.is_demo(chosen) or state.on_owners_key():
        server = DEMO if state.is_demo(chosen) else _OWNERS
    else:
        server = next((preset.name for preset in PRESETS if preset.endpoint == chosen.endpoint), _CUSTOM)
    return {
        "server": server,
        "address": chosen.endpoint,
        "key": chosen.key.reveal(),
        "model": chosen.model,
        "fields": 0,
        "lists": 0,
    }


def _cards(typed: dict[str, Any]) -> None:
    settings = state.services().settings
    found = {address for _, address in state.local_servers()} if settings.private_addresses else set()
    cards = [(DEMO, DEMO_NAME, "No key, no network")]
    if settings.owner_model:
        cards.append((_OWNERS, "This site's model", "Nothing to set up"))
    for preset in PRESETS:
        if preset.local and not settings.private_addresses:
            continue
        cards.append((preset.name, preset.label, "Running here" if preset.endpoint in found else preset.hint))
    with st.container(horizontal=True, gap="small", key="cards"):
        for name, title, hint in cards:
            st.button(
                f"**{title}**  \n:small[{hint}]",
                key=f"card-{name}",
                type="primary" if name == typed["server"] else "secondary",
                on_click=_pick,
                args=(typed, name),
            )


def _pick(typed: dict[str, Any], name: str) -> None:
    preset = _preset(name)
    address = preset.endpoint if preset else ""
    typed.update(server=name, address=address, key="", model=preset.model if preset else "", findings=[])


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
    model = st.selectbox("Model", names, index=names.index(typed["model"]) if typed["model"] in names else 0)
    if st.button("Use this model", type="primary"):
        _use(endpoint=settings.base_url, model=model, key="")


def _server(typed: dict[str, Any]) -> None:
    preset = _preset(typed["server"])
    address = st.text_input(
        "Address", typed["address"], key=f"address-{typed['server']}", placeholder="http://localhost:8000/v1"
    ).strip()
    if address != typed["address"]:
        _move(typed, address)
    typed["key"] = st.text_input(
        "Key",
        typed["key"],
        type="password",
        key=f"key-{typed['server']}-{typed['fields']}",
        placeholder="" if preset and preset.needs_key else "Only if the server asks for one",
        help="Kept in this browser tab's session only, and sent to this address only.",
    ).strip()
    if preset and preset.key_url:
        st.caption(f"Get a key: {link(preset.key_url.removeprefix('https://'), preset.key_url)}")
    names, problem = _models(typed, preset)
    if len(names) == 1:
        typed["model"] = typed["model"] or names[0]
    if typed["model"] and typed["model"] not in names:
        names = [typed["model"], *names]
    typed["model"] = (
        st.selectbox(
            "Model",
            names,
            index=names.index(typed["model"]) if typed["model"] in names else None,
            key=f"model-{typed['server']}-{typed['fields']}-{typed['lists']}",
            accept_new_options=True,
            placeholder="Pick one or type its name",
        )
        or ""
    )
    if problem:
        st.caption(f":material/info: {label(problem, 400)}")
        if preset and preset.local:
            st.caption(label(preset.start, 300))
    with st.container(horizontal=True):
        if st.button("Use this model", type="primary", disabled=not (typed["address"] and typed["model"])):
            _use(endpoint=typed["address"], model=typed["model"], key=typed["key"])
        tested = st.button("Test", icon=":material/network_check:", disabled=not typed["address"])
    _findings(typed, tested)


def _models(typed: dict[str, Any], preset: Preset | None) -> tuple[list[str], str]:
    """The names of the server's models, or a sentence why there are none; asked for once an address and key."""
    if not typed["address"] or (preset and preset.needs_key and not typed["key"]):
        return [], ""
    asked = (typed["address"], typed["key"])
    if typed.get("listed") != asked:
        from agent.models.presets import list_models

        typed.update(listed=asked, names=[], problem="", lists=typed["lists"] + 1)
        try:
            with st.spinner("Asking the server for its models…"):
                address = allowed_endpoint(state.services().settings, typed["address"])
                typed["names"] = list(list_models(address, typed["key"], _LIST_SECONDS))
        except GlassboxError as error:
            typed["problem"] = str(error)
    return typed["names"], typed["problem"]


def _findings(typed: dict[str, Any], tested: bool) -> None:
    """What a test found, line by line as it comes; it stays until something else is tested."""
    if tested:
        typed["findings"] = []
    for finding in typed.get("findings", []):
        _finding(*finding)
    if not tested:
        return
    from agent.models.check import check

    services = state.services()
    waiting = st.empty()
    waiting.caption("Testing…")
    try:
        address = allowed_endpoint(services.settings, typed["address"])
        services.capabilities.forget(address, typed["model"])
        learned, preset = services.capabilities, typed["server"]
        for found in check(address, typed["model"], typed["key"], capabilities=learned, preset=preset):
            typed["findings"].append((found.name, found.state, found.detail, found.fix))
            _finding(*typed["findings"][-1])
    except GlassboxError as error:
        st.error(label(str(error), 400), icon=":material/error:")
    waiting.empty()


def _finding(name: str, result: str, detail: str, fix: str) -> None:
    icon, colour, words = _STATES["without" if result == "fails" and name in _OPTIONAL else result]
    st.markdown(f":{colour}[{icon}] **{_NAMES[name]}** {words}" + (f" · {label(detail, 300)}" if detail else ""))
    if fix:
        st.caption(f"↳ {label(fix, 400)}")


def _use(endpoint: str, model: str, key: str) -> None:
    state.choose(endpoint=endpoint, model=model, key=key)
    state.drop_draft("connect")
    state.close_dialog()
    st.rerun()
