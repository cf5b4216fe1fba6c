"""Time travel: from a run's events, what a new run takes over that goes on from some point, edited or not.

Nothing is ever overwritten: each function gives the beginning of a new run, ``Question.so_far``, and leaves the old
one as it is. What a person changed is marked for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.events import (
    Answered,
    Asked,
    Decided,
    Event,
    Failed,
    Inner,
    Observed,
    Prepared,
    Replied,
    ToolCalled,
    Waiting,
)
from agent.loop.limits import for_the_model
from agent.messages import Artifact, Usage
from agent.prompts.labels import LABELS
from agent.settings import Limits
from agent.wire.outcomes import Action

if TYPE_CHECKING:
    from agent.store.runs import Store


def resumed(events: Sequence[Event]) -> tuple[Event, ...]:
    """All up to the last call that was answered.

    What a limit led to is left behind, and so is a reply whose calls were not all answered.
    """
    kept: list[Event] = []
    whole = 0
    waiting: set[str] = set()
    for event in events:
        if isinstance(event, Asked):
            continue
        if isinstance(event, Answered | Failed) or (isinstance(event, Observed) and event.error == "limit"):
            break
        kept.append(event)
        if isinstance(event, ToolCalled):
            waiting.add(event.call_id)
        elif isinstance(event, Observed):
            waiting.discard(event.call_id)
        if not waiting and not isinstance(event, Replied):
            whole = len(kept)
    return tuple(kept[:whole])


def before(events: Sequence[Event], step: int) -> tuple[Event, ...]:
    """All up to the reply that began ``step`` (from 1): the model is asked once more. Raises ``BadRequest``."""
    replies = [index for index, event in enumerate(events) if isinstance(event, Replied)]
    if not 0 < step <= len(replies):
        raise BadRequest.because("This step is not there any more.")
    return tuple(event for event in events[: replies[step - 1]] if not isinstance(event, Asked))


def with_action(
    events: Sequence[Event], step: int, thought: str, tool: str, text: str
) -> tuple[tuple[Event, ...], Action]:
    """All up to ``step``, whose reply is now the person's; and the action to take before the model is asked again."""
    kept = before(events, step)
    prepared = _prepared(kept)
    labels = LABELS[prepared.language]
    written = f"{labels.thought}: {thought}\n{labels.action}: {tool}\n{labels.action_input}: {text}"
    said = thought if prepared.wire == "native" else written
    return (*kept, Replied(said, thought, Usage(), 0.0, 0.0, edited=True)), Action(tool=tool, input=text)


def with_observation(events: Sequence[Event], call_id: str, text: str) -> tuple[Event, ...]:
    """All up to the step of that call, with its observation replaced. Raises ``BadRequest``."""
    place = next((i for i, event in enumerate(events) if isinstance(event, Observed) and event.call_id == call_id), -1)
    if place < 0 or not call_id:
        raise BadRequest.because("This observation is not there any more.")
    end = place + 1
    while end < len(events) and isinstance(events[end], Observed | Waiting | Decided | Inner):
        end += 1
    mine = Observed(call_id, text, edited=True)
    return _closed([*events[:place], mine, *events[place + 1 : end]])


def before_decision(events: Sequence[Event], call_id: str) -> tuple[Event, ...]:
    """All up to where the run waited for the person about that call: they decide anew. Raises ``BadRequest``."""
    for place in reversed(range(len(events))):
        asked = events[place]
        if isinstance(asked, Waiting) and asked.call_id == call_id:
            kept = (event for event in events[:place] if not isinstance(event, Asked))
            return (*kept, replace(asked, time=time()))
    raise BadRequest.because("This decision is not there any more.")


def _closed(events: Sequence[Event]) -> tuple[Event, ...]:
    """Without the calls of the last step that came to nothing: a run that goes on from here must not make them."""
    last = max((place for place, event in enumerate(events) if isinstance(event, Replied)), default=0)
    seen = {event.call_id for event in events[last:] if isinstance(event, Observed)}
    return tuple(
        event
        for place, event in enumerate(events)
        if not isinstance(event, Asked)
        and not (
            place > last and isinstance(event, ToolCalled | Waiting | Decided | Inner) and event.call_id not in seen
        )
    )


def answering_now(events: Sequence[Event]) -> tuple[Event, ...]:
    """All that was observed, and the word that no more tools can be used."""
    kept = resumed(events)
    if not any(isinstance(event, Prepared) for event in kept):
        return kept
    prepared = _prepared(kept)
    # Whoever made what was brought in instructs no model here.
    own: Mapping[str, str] = {} if prepared.imported else prepared.prompts
    told = for_the_model("asked", Limits(), prepared.language, own)
    return (*kept, Observed("", told, error="limit", limit="asked"))


def with_contents(store: Store, run: str, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with the contents of their artifacts, as the new run must keep them itself."""
    return tuple(_whole(store, run, event) for event in events)


def with_pictures(store: Store, run: str, events: Sequence[Event]) -> Sequence[Event]:
    """The events of a run, the pictures of its question with their contents."""
    if not events or not isinstance(events[0], Asked) or not events[0].artifacts:
        return events
    return [_whole(store, run, events[0]), *events[1:]]


def pictures_of_run(store: Store, run: str) -> tuple[Artifact, ...]:
    """The pictures of the question of a run with their contents, for a run that branches from it."""
    asked = next(iter(with_pictures(store, run, store.readable(run))), None)
    return asked.artifacts if isinstance(asked, Asked) else ()


def _whole(store: Store, run: str, event: Event) -> Event:
    if isinstance(event, Inner):
        return replace(event, event=_whole(store, run, event.event))
    if not (isinstance(event, Asked | Observed) and event.artifacts):
        return event
    kept = ((artifact, store.artifact(run, artifact.hash)) for artifact in event.artifacts)
    return replace(event, artifacts=tuple(replace(artifact, content=content or b"") for artifact, content in kept))


def _prepared(events: Sequence[Event]) -> Prepared:
    found = next((event for event in reversed(events) if isinstance(event, Prepared)), None)
    if found is None:
        raise BadRequest.because("This run had not begun to ask the model, so there is nothing to go on from.")
    return found
