"""Picking a preset: what of a visitor's choice changes by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.application.known_models import Servers, switching
from agent.application.preferences import KEYED, OF_A_PRESET, OWN, PRESET, chosen, read_back, write_down
from agent.application.setup import DEMO, Alternative, Choice, default_choice
from agent.settings import Settings
from agent.store.site_presets import SitePreset


def picking(settings: Settings, preset: SitePreset, servers: Servers) -> dict[str, Any]:
    """What changes in a choice; ``servers`` are those that the visitor connected, with the key typed for each.

    A preset without an address is one of the owner's own server. Where it wants a key, the visitor's own is asked for.
    """
    kept = {**_usual(), **read_back(preset.body)}
    endpoint = kept.get("endpoint") or settings.base_url or DEMO
    model = "" if endpoint == DEMO else str(kept.get("model", ""))
    changes = {name: kept[name] for name in OF_A_PRESET if name in kept}
    known = switching(Alternative(endpoint, model), servers)
    if not known["key"]:
        del known["key"]  # what was typed for the server in use now stays with it
    wanting = {KEYED: True} if kept.get(KEYED) and "key" not in known else {}
    return {**known, **changes, "endpoint": endpoint, "model": model, PRESET: preset.id, **wanting}


def picked(settings: Settings, kept: Mapping[str, Any], preset: SitePreset, servers: Servers) -> dict[str, Any]:
    """As ``picking``; what was chosen in place of any preset, own prompts and all, is kept for ``going_back``."""
    changes = picking(settings, preset, servers)
    if not kept.get(PRESET):
        choice = chosen(kept, default_choice(settings))
        values = {name: getattr(choice, name) for name in OF_A_PRESET}
        keyed = bool(choice.key) or bool(kept.get(KEYED))
        changes[OWN] = write_down({**values, KEYED: keyed}, settings.base_url)
    return changes


def going_back(settings: Settings, kept: Mapping[str, Any], servers: Servers) -> dict[str, Any]:
    """What changes in a choice where a person goes back to what they had chosen before they picked a preset."""
    before = SitePreset("", "", str(kept.get(OWN, "")))
    return picking(settings, before, servers) | {OWN: ""}


def _usual() -> dict[str, Any]:
    """What a preset says of which it says nothing: it is picked whole, whatever was chosen before."""
    usual = Choice()
    return {name: getattr(usual, name) for name in ("wire", "tools", "language", "style", "prompts")}
