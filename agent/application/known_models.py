"""The models that a person can switch to by a click: the built-in one, the owner's, those of connected servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from agent.application.setup import DEMO, Alternative, Choice, alternatives, comparable
from agent.settings import Settings

# Servers that were connected in this session, by address: the ``key`` typed for it, and in ``used`` what was chosen for
# each model. Plain values: they stay in the session and are kept in no other place.
Servers: TypeAlias = Mapping[str, Mapping[str, Any]]
MOST_LISTED = 12  # of one server's models, beside those that were used


def to_switch(
    settings: Settings, choice: Choice, servers: Servers, listed: Mapping[str, Sequence[str]]
) -> tuple[Alternative, ...]:
    """The models known, each once: the servers' in the order they were connected, the owner's, the built-in one.

    ``listed`` are the models that servers named, by address. Where there are many, the first of them are here.
    """
    found = [Alternative(address, name) for address in servers for name in _names(servers, listed, address)]
    if choice.endpoint != DEMO and choice.model:
        found.append(Alternative(choice.endpoint, choice.model))
    builtin, *owners = alternatives(settings, Choice())
    each: dict[tuple[str, str], Alternative] = {}
    for one in (*found, *owners, builtin):
        each.setdefault((comparable(one.endpoint), one.model), one)
    return tuple(each.values())


def _names(servers: Servers, listed: Mapping[str, Sequence[str]], address: str) -> Sequence[str]:
    names = (*listed.get(address, ())[:MOST_LISTED], *servers[address]["used"])
    return [name for name in dict.fromkeys(names) if name]


def is_chosen(choice: Choice, one: Alternative) -> bool:
    """Whether questions are answered by this model now."""
    same = comparable(choice.endpoint) == comparable(one.endpoint)
    return same and (one.endpoint == DEMO or choice.model == one.model)


def switching(one: Alternative, servers: Servers) -> dict[str, Any]:
    """What changes in the choice with the switch to a model: the key of its server, and what was chosen for it before.

    A key goes to the address that it was typed for, and to no other.
    """
    server = servers.get(one.endpoint, {"key": "", "used": {}})
    return {"endpoint": one.endpoint, "model": one.model, "key": server["key"], **server["used"].get(one.model, {})}


def with_used(servers: Servers, choice: Choice) -> dict[str, Mapping[str, Any]]:
    """The servers with what is in use now, so that there is a way back to it; the built-in model needs none."""
    if choice.endpoint == DEMO or not choice.model:
        return dict(servers)
    before = servers.get(choice.endpoint, {"used": {}})["used"]
    used = {**before, choice.model: {"window": choice.window, "thinking": choice.thinking}}
    return {**servers, choice.endpoint: {"key": choice.key.reveal(), "used": used}}
