"""A question becomes a run: merge, prepare, loop, store. The one place where errors become ``Failed``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Event as Flag
from time import monotonic, time
from typing import Any
from uuid import uuid4

from pydantic import JsonValue

from agent.data.tables.card_texts import named
from agent.endings import partial, standing
from agent.errors import BadRequest, ForTheOperator, ForTheUser, GlassboxError, ToolsRefused
from agent.events import (
    Asked,
    Event,
    Failed,
    FailedReason,
    Merged,
    Prepared,
    Replied,
    StyleName,
    TextDelta,
    Waiting,
    WireName,
)
from agent.evidence import Earlier
from agent.interface_text import Text
from agent.loop.approval import NO_POLICY, Policy
from agent.loop.limits import limits_left, with_more
from agent.loop.loop import NO_PRICES
from agent.loop.merge import Turn, merge
from agent.models.prices import Prices
from agent.models.protocol import Model
from agent.prompts import render
from agent.runs.insist import Rounds, earlier_turns, insist
from agent.settings import Limits, WireChoice
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.views.fold import fold
from agent.views.timeline import seconds_taken
from agent.wire.outcomes import Action
from agent.wire.prompt import system_prompt

log = logging.getLogger(__name__)
MOST_QUESTION_CHARACTERS = 20_000
# Merging looks at the latest turns only, within its own budget of characters.
_TURNS_OF_HISTORY = 12


@dataclass(frozen=True, slots=True)
class Setup:
    """With what a question is answered. ``parameters`` go to the model as they are (temperature, max_tokens).

    ``insist``: an answer with claims that nothing stands behind is sent back to the model once. ``cards`` are of the
    loaded tables, which the prompt ends with; ``databases`` gives those of the connected databases, which takes time.
    ``style`` is that of the text wire, ``prompts`` are own templates. ``policy`` says which calls ask the person first.
    """

    model: Model
    tools: Toolbox
    wire: WireChoice = "auto"
    language: str = "en"
    limits: Limits = Limits()
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    prices: Prices = NO_PRICES
    insist: bool = False
    cards: tuple[Mapping[str, Any], ...] = ()
    style: StyleName = "react"
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    databases: Callable[[], tuple[Mapping[str, Any], ...]] = tuple
    policy: Policy = NO_POLICY


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the text as typed, and where it stands.

    ``history`` are the turns before it; ``parent`` and ``at`` as in ``Asked``; ``merging`` is false where the words
    are to be taken as they are. ``so_far`` are the stored events after ``Asked`` of the run that this one goes on from
    (see ``runs.rewind``), ``first`` are actions to take before the model is asked again. ``earlier`` are the turns
    before it with their claims, where ``Setup.insist`` needs them; ``ask`` finds them in the store.
    """

    text: str
    history: tuple[Turn, ...] = ()
    parent: str = ""
    at: int | None = None
    merging: bool = True
    so_far: tuple[Event, ...] = ()
    first: tuple[Action, ...] = ()
    earlier: tuple[Earlier, ...] = ()


def ask(store: Store, run: str, question: Question, setup: Setup, cancel: Flag) -> Iterator[Event]:
    """The run's events, each stored before it is yielded.

    The last one is a ``Waiting`` where the run waits for the person: it is theirs then, and no process's. Raises
    ``StoreFailed`` where storing fails, ``RunEnded`` where somebody else has ended the run.
    """
    question = replace(question, earlier=_earlier(store, run, setup))
    yield from _stored(store, run, answer(question, setup, cancel))


def take_up(store: Store, run: str, setup: Setup, cancel: Flag) -> Iterator[Event]:
    """As ``ask``: the further events of a run whose last stored event is a ``Decided``."""
    yield from _stored(store, run, go_on(store.events(run), setup, cancel, _earlier(store, run, setup)))


def _earlier(store: Store, run: str, setup: Setup) -> tuple[Earlier, ...]:
    row = store.run(run) if setup.insist else None
    return earlier_turns(_past(store, row.conversation, row.follows)) if row else ()


def _stored(store: Store, run: str, events: Iterator[Event]) -> Iterator[Event]:
    held: list[Event] = []
    for event in events:
        if isinstance(event, TextDelta):
            yield event
            continue
        held.append(event)
        # What a reply led to comes at once, and is stored with it. With a Waiting as the last, the run waits.
        if not isinstance(event, Replied | Waiting):
            store.append(run, held)
            yield from held
            held = []
    if held:
        store.append(run, held)
        yield from held


def answer(question: Question, setup: Setup, cancel: Flag) -> Iterator[Event]:
    """The events of a run, from ``Asked`` to exactly one ``Answered`` or ``Failed``; errors of every kind included.

    Where it waits for the person, the last one is a ``Waiting``; ``go_on`` has what follows.
    """
    return _to_its_end(_story(question, setup, cancel), setup, [])


def go_on(so_far: Sequence[Event], setup: Setup, cancel: Flag, earlier: tuple[Earlier, ...] = ()) -> Iterator[Event]:
    """As ``answer``: what follows ``so_far``, all the events of a run, of which the last is a ``Decided``."""
    return _to_its_end(_further(so_far, setup, cancel, earlier), setup, list(so_far))


def _to_its_end(story: Iterator[Event], setup: Setup, seen: list[Event]) -> Iterator[Event]:
    """The story, and what it fails with, after ``seen``."""
    for event in _mended(story, setup, seen):
        ended = standing(event, seen) if isinstance(event, Failed) else event
        seen.append(ended)
        yield ended


def _mended(story: Iterator[Event], setup: Setup, seen: Sequence[Event]) -> Iterator[Event]:
    """The story, and what it fails with; ``seen`` grows by each event."""
    try:
        yield from story
    except ForTheUser as error:
        yield Failed("model", error.text, partial=partial(seen))
    except ForTheOperator as error:
        yield Failed("error", error.text, partial=partial(seen))
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("run failed, reference %s", reference)
        message = Text(
            "Something went wrong in Glassbox itself. The log has it under reference {reference}.", reference=reference
        )
        yield Failed("error", message, partial=partial(seen), reference=reference)
    finally:
        setup.model.close()


def refuse(store: Store, run: str, question: Question, error: GlassboxError, reason: FailedReason = "model") -> None:
    """End a run that cannot even begin (no model chosen, nothing left of a budget); the question is kept with it."""
    asked = Asked(question.text.strip(), time(), parent=question.parent, at=question.at)
    store.append(run, [asked, Failed(reason, error.text)])


def history(store: Store, conversation: str, last: str) -> tuple[Turn, ...]:
    """The latest turns of a conversation up to and with the run ``last``; none where it is ""."""
    return tuple(turn(events) for events in _past(store, conversation, last))


def _past(store: Store, conversation: str, last: str) -> Iterator[list[Event]]:
    """The events of the latest runs up to and with ``last``, oldest first, without those that cannot be read."""
    for row in store.path(conversation, last)[-_TURNS_OF_HISTORY:] if last else ():
        if events := store.readable(row.id):
            yield events


def turn(events: Sequence[Event]) -> Turn:
    view = fold(events)
    return Turn(view.understood or view.question, view.answer)


def _story(question: Question, setup: Setup, cancel: Flag) -> Iterator[Event]:
    text = question.text.strip()
    asked = Asked(text, time(), tuple(map(named, setup.cards)), parent=question.parent, at=question.at)
    yield asked
    if not text:
        raise BadRequest(Text("There was no question. Type one and send it again."))
    if len(text) > MOST_QUESTION_CHARACTERS:
        raise BadRequest(
            Text(
                "A question may have {most:,} characters; this one has {count:,}.",
                most=MOST_QUESTION_CHARACTERS,
                count=len(text),
            )
        )
    prepared = next((event for event in reversed(question.so_far) if isinstance(event, Prepared)), None)
    if prepared:
        kept = [event for event in question.so_far if isinstance(event, Merged)]
        yield from kept
        yield from _on_some_wire([asked, *kept], prepared.question, setup, cancel, question)
        return
    merged = None
    if question.merging:
        merged = merge(text, question.history, setup.model, setup.language, setup.prompts)
    if not merged:
        yield from _on_some_wire([asked], text, setup, cancel, question)
        return
    merged = replace(merged, price=setup.prices.of(setup.model.endpoint, setup.model.name, merged.usage))
    yield merged
    yield from _on_some_wire([asked, merged], merged.question, setup, cancel, question)


def _on_some_wire(
    opening: Sequence[Event], standalone: str, setup: Setup, cancel: Flag, question: Question
) -> Iterator[Event]:
    """The chosen wire; where the choice is ``auto``, the native one, and the other if the server takes no tools."""
    native = setup.model.takes_tools and setup.wire != "react"
    try:
        yield from _run(opening, standalone, setup, "native" if native else "react", cancel, question)
    except ToolsRefused:
        if setup.wire != "auto":
            raise
        yield from _run(opening, standalone, setup, "react", cancel, question)


def _run(
    opening: Sequence[Event], standalone: str, setup: Setup, wire: WireName, cancel: Flag, question: Question
) -> Iterator[Event]:
    """Prepare and loop; the steps of ``so_far`` are taken over, told as this wire tells them.

    ``opening`` are the events of this run so far.
    """
    begun = max((n for n, event in enumerate(question.so_far) if isinstance(event, Prepared)), default=-1)
    steps = question.so_far[begun + 1 :]
    before = [*(event for event in question.so_far if isinstance(event, Merged)), *steps]
    limits = with_more(setup.limits, before)
    tools = setup.tools.schemas(thought=render(setup.language, "thought")) if wire == "native" else ()
    prepared = Prepared(
        question=standalone,
        system=system_prompt(
            setup.tools,
            wire,
            setup.language,
            date.today().isoformat(),
            setup.cards,
            setup.databases(),
            setup.style,
            setup.prompts,
        ),
        tools=tools,
        wire=wire,
        model=setup.model.name,
        endpoint=setup.model.endpoint,
        language=setup.language,
        parameters=dict(setup.parameters),
        limits=limits,
        prompts=dict(setup.prompts),
    )
    yield prepared
    yield from steps
    rounds = Rounds(setup.model, setup.tools, limits, cancel, setup.prices, setup.policy)
    yield from _rounds(rounds, setup, [*opening, prepared, *steps], question.earlier, question.first)


def _rounds(
    rounds: Rounds,
    setup: Setup,
    events: Sequence[Event],
    earlier: Sequence[Earlier],
    first: Sequence[Action] = (),
) -> Iterator[Event]:
    return insist(rounds, events, earlier, first) if setup.insist else rounds.run(events, first)


def _further(so_far: Sequence[Event], setup: Setup, cancel: Flag, earlier: Sequence[Earlier]) -> Iterator[Event]:
    """The loop taken up; the limits are the whole run's, and the person's time is not counted."""
    limits = limits_left(so_far, setup.limits)
    started = monotonic() - seconds_taken(so_far)
    rounds = Rounds(setup.model, setup.tools, limits, cancel, setup.prices, setup.policy, started)
    yield from _rounds(rounds, setup, so_far, earlier)
