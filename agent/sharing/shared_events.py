"""What readers of a shared chat see of its events: all of them, but for notes, keys and private addresses.

Each letter of these is a star, so that places in the texts stay what they are, and one sees that something was there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast
from urllib.parse import urlsplit

from agent.events import Event, Inner, Prepared, dump, load
from agent.evidence import Claim, Evidence, Place
from agent.evidence.marks import Behind, behind
from agent.inner_runs import all_events
from agent.interface_text import Text
from agent.models.presets import PRESETS
from agent.text.concealment import masked, stars
from agent.views.fold import fold
from agent.wire.observation import fence

_SHORTEST = 6  # characters of an owner's key that is looked for
_FREE = ("arguments", "cards", "parameters")  # what is in these may have any names


def for_readers(events: Sequence[Event], told: Iterable[Sequence[Event]], secrets: Iterable[str]) -> list[Event]:
    """The events of a run. ``told`` are those of the runs before it, whose notes its prompts may have.

    ``secrets`` are the owner's keys; what else looks like one is starred out, too.
    """
    prepared = [event for run in (*told, events) for event in all_events(run) if isinstance(event, Prepared)]
    notes = frozenset(line for event in prepared if event.facts for line in _lines(event.facts.notes))
    notes -= {"", "- ", "<data>", "</data>"}
    hidden = {secret for secret in secrets if len(secret) >= _SHORTEST}
    hidden |= {part for event in prepared for part in _private(event.endpoint)}
    return [_masked(_prepared_for_readers(event, notes), hidden) for event in events]


def content_for_readers(content: bytes, secrets: Iterable[str]) -> bytes:
    """What a step made, without keys; a picture stays as it is."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    return masked(text, (secret for secret in secrets if len(secret) >= _SHORTEST)).encode()


def evidence_for_readers(
    evidence: Evidence, events: Sequence[Event], shown: Sequence[Event], secrets: Iterable[str]
) -> Evidence:
    """The evidence of a run whose ``events`` readers are ``shown`` with stars: what it repeats of them has them."""
    hidden = [secret for secret in secrets if len(secret) >= _SHORTEST]
    answer, theirs = fold(events).answer, fold(shown).answer
    texts, seen = behind(events), behind(shown)

    def starred(text: str) -> str:
        return text.changed(starred) if isinstance(text, Text) else masked(text, hidden)

    def told(claim: Claim) -> Claim:
        part = theirs[claim.start : claim.end]
        text = starred(claim.text) if part == answer[claim.start : claim.end] else part
        # What was seen instead, or worked out with, may be a part of what has stars.
        plain = all(_at(place, texts) == _at(place, seen) for place in claim.places)
        return replace(claim, text=text, note=starred(claim.note) if plain else "")

    claims = tuple(map(told, evidence.claims))
    said = (replace(one, said=starred(one.said), now=starred(one.now)) for one in evidence.contradictions)
    return replace(evidence, claims=claims, contradictions=tuple(said))


def _at(place: Place, texts: Behind) -> str:
    return texts.text(place)[place.start : place.end]


def _private(endpoint: str) -> tuple[str, ...]:
    """A model server's address, and its beginning as failures name it, but of the well-known public ones."""
    if "://" not in endpoint or endpoint in _public():
        return ()
    parts = urlsplit(endpoint)
    return endpoint, f"{parts.scheme}://{parts.netloc}"


@cache
def _public() -> frozenset[str]:
    return frozenset(preset.endpoint for preset in PRESETS if not preset.local)


def _prepared_for_readers(event: Event, notes: frozenset[str]) -> Event:
    """Of the address the scheme stays: it says that the call went over the network."""
    if isinstance(event, Inner):
        return replace(event, event=_prepared_for_readers(event.event, notes))
    if not isinstance(event, Prepared):
        return event
    scheme, mark, rest = event.endpoint.partition("://")
    endpoint = f"{scheme}{mark}{stars(rest)}" if _private(event.endpoint) else event.endpoint
    facts = event.facts
    told = replace(facts, notes=tuple(stars(note) for note in facts.notes)) if facts else None
    system, news = _starred(event.system, notes), _starred(event.news, notes)
    # A short note is soon guessed by its hash.
    parts = {name: stars(hash) if name == "notes" else hash for name, hash in event.parts.items()}
    return replace(event, endpoint=endpoint, system=system, news=news, facts=told, parts=parts)


def _lines(notes: Sequence[str]) -> Iterable[str]:
    """The lines in which a prompt tells the notes."""
    return fence("\n".join(f"- {note}" for note in notes)).split("\n")


def _starred(text: str, notes: frozenset[str]) -> str:
    """A note is told in a line of its own."""
    return "\n".join(line[:2] + stars(line[2:]) if line in notes else line for line in text.split("\n"))


def _masked(event: Event, hidden: set[str]) -> Event:
    kept = json.loads(dump(event))
    shown = _walked(kept, hidden)
    return event if shown == kept else load(json.dumps(shown))


def _walked(value: Any, hidden: set[str], free: bool = False) -> Any:
    """The value with stars; where it is ``free``, its names may be keys, too."""
    if isinstance(value, str):
        return masked(value, hidden)
    if isinstance(value, list):
        return [_walked(each, hidden, free) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {
            masked(name, hidden) if free else name: _walked(each, hidden, free or name in _FREE)
            for name, each in cast("dict[str, Any]", value).items()
        }
    return value
