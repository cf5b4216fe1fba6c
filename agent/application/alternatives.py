"""Other models to put a question to, for this once: which there are, and with whose key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.application.setup import DEMO, Choice
from agent.errors import BadRequest
from agent.settings import Secret, Settings
from agent.web.endpoint import normalise_endpoint


@dataclass(frozen=True, slots=True)
class Alternative:
    """A model at an address; the built-in one at ``DEMO``, without a name."""

    endpoint: str
    model: str = ""


def alternatives(settings: Settings, choice: Choice, known: Sequence[str] = ()) -> tuple[Alternative, ...]:
    """The chosen model first, then the others ``known`` of its server, the owner's, and the built-in one; each once."""
    found = [Alternative(choice.endpoint, choice.model if choice.endpoint != DEMO else "")]
    if choice.endpoint != DEMO:
        found += [Alternative(choice.endpoint, name) for name in known]
    if settings.owner_model:
        found += [Alternative(settings.base_url, name) for name in settings.allowed_models or (settings.model,)]
    found.append(Alternative(DEMO))
    each: dict[tuple[str, str], Alternative] = {}
    for one in found:
        if one.model or one.endpoint == DEMO:
            each.setdefault((_address(one.endpoint), one.model), one)
    return tuple(each.values())


def of_name(settings: Settings, choice: Choice, name: str) -> Alternative:
    """The model of that name on the chosen server, or on the owner's where the built-in one is chosen."""
    return Alternative(settings.base_url or DEMO if choice.endpoint == DEMO else choice.endpoint, name)


def one_off(choice: Choice, other: Alternative, **changes: Any) -> Choice:
    """The choice with another model and other ``changes``. A key goes to the address it was typed for, and no other."""
    same = _address(choice.endpoint) == _address(other.endpoint)
    key = choice.key if same else Secret()
    return replace(choice, endpoint=other.endpoint, model=other.model, key=key, **changes)


def _address(endpoint: str) -> str:
    if endpoint == DEMO:
        return DEMO
    try:
        return normalise_endpoint(endpoint)
    except BadRequest:
        return endpoint
