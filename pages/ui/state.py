"""The only file that touches session state, query parameters, secrets and caches."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import streamlit as st

from agent.errors import GlassboxError
from agent.models.capabilities import Capabilities
from agent.models.endpoint import normalise_endpoint
from agent.runs import Runs
from agent.settings import Secret, Settings, read_settings
from agent.setup import DEMO, Choice, default_choice, key_for
from agent.store import Store
from agent.tools.search import SearchCache

_MOST_CACHES = 256
_LIST_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Services:
    """What all visitors share: nothing in here belongs to one of them."""

    settings: Settings
    store: Store
    runs: Runs
    capabilities: Capabilities
    searches: dict[str, SearchCache]

    def search_cache(self, conversation: str) -> SearchCache:
        """The conversation's own cache of searches; the oldest caches are dropped."""
        while len(self.searches) >= _MOST_CACHES and conversation not in self.searches:
            self.searches.pop(next(iter(self.searches)))
        return self.searches.setdefault(conversation, SearchCache())


@st.cache_resource(show_spinner=False)
def services() -> Services:
    settings = read_settings(os.environ, _secrets())
    store = Store(settings.database)
    return Services(settings, store, Runs(store, settings.runs), Capabilities(), {})


def _secrets() -> dict[str, Any]:
    return st.secrets.to_dict() if st.secrets.load_if_toml_exists() else {}


def conversation_id() -> str:
    """The conversation in the address bar, or "" for a new one."""
    return st.query_params.get("c", "")


def open_conversation(conversation: str) -> None:
    if conversation:
        st.query_params["c"] = conversation
    else:
        st.query_params.clear()


def choice() -> Choice:
    """The visitor's choice of model; the key never leaves this session's memory."""
    kept: dict[str, Any] = st.session_state.get("choice", {})
    default = default_choice(services().settings)
    return Choice(
        endpoint=kept.get("endpoint", default.endpoint),
        model=kept.get("model", default.model),
        key=Secret(kept.get("key", "")),
        wire=kept.get("wire", default.wire),
    )


def choose(**changes: str) -> None:
    """Change parts of the choice. A key is kept only for the address that it was typed for."""
    kept: dict[str, Any] = st.session_state.setdefault("choice", {})
    if changes.get("endpoint", kept.get("endpoint")) != kept.get("endpoint"):
        kept.pop("key", None)
        kept.pop("model", None)
    kept.update(changes)


def asked() -> str:
    """A question that a button asked for, once."""
    return st.session_state.pop("asked", "")


def ask_next(question: str) -> None:
    st.session_state["asked"] = question


@st.cache_data(ttl=30, max_entries=64, show_spinner=False)
def local_servers() -> list[tuple[str, str]]:
    """Label and address of the model servers that answer on this machine's usual ports now."""
    from agent.models.presets import local_servers as look

    return [(preset.label, preset.endpoint) for preset in look()]


def models_on_offer() -> tuple[list[str], str]:
    """The names of the chosen server's models, or a sentence why there are none; asked for once a choice."""
    from agent.models.presets import list_models

    chosen = choice()
    key = key_for(services().settings, chosen).reveal()
    kept: dict[str, Any] = st.session_state.get("models", {})
    if kept.get("of") != [chosen.endpoint, key]:
        kept = {"of": [chosen.endpoint, key], "names": [], "problem": ""}
        try:
            kept["names"] = list(list_models(normalise_endpoint(chosen.endpoint), key, _LIST_SECONDS))
        except GlassboxError as error:
            kept["problem"] = str(error)
        st.session_state["models"] = kept
    return kept["names"], kept["problem"]


def is_demo(chosen: Choice) -> bool:
    return chosen.endpoint == DEMO
