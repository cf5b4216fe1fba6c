"""Picking a preset: what of a visitor's choice changes by it."""

from __future__ import annotations

from typing import Any

from agent.application.known_models import Servers, switching
from agent.application.preferences import KEYED, OF_A_PRESET, PRESET, read_back
from agent.application.setup import DEMO, Alternative, Choice
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


def _usual() -> dict[str, Any]:
    """What a preset says of which it says nothing: it is picked whole, whatever was chosen before."""
    usual = Choice()
    return {name: getattr(usual, name) for name in ("wire", "tools", "language", "style", "prompts")}
