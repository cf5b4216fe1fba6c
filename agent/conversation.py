"""A question becomes a run: merge, prepare, loop, store. The one place where errors become ``Failed``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Event as Flag
from time import time
from typing import Any
from uuid import uuid4

from pydantic import JsonValue

from agent.data.card_texts import named
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
    WireName,
)
from agent.evidence import Earlier
from agent.insisting import Rounds, earlier_turns, insist
from agent.loop import NO_PRICES
from agent.merge import Turn, merge
from agent.models.base import Model
from agent.models.prices import Prices
from agent.prompts import render
from agent.settings import Limits, WireChoice
from agent.store import Store
from agent.tools.base import Toolbox
from agent.view import fold
from agent.wire.prompt import system_prompt
from agent.wire.reading import Action

log = logging.getLogger(__name__)
MOST_QUESTION_CHARACTERS = 20_000
# Merging looks at the latest turns only, within its own budget of characters.
_TURNS_OF_HISTORY = 12


@dataclass(frozen=True, slots=True)
class Setup:
    """With what a question is answered. ``parameters`` go to the model as they are (temperature, max_tokens).

    ``insist``: an answer with claims that nothing stands behind is sent back to the model once. ``cards`` are of the
    loaded tables, which the prompt ends with; ``databases`` gives those of the connected databases, which takes time.
    ``style`` is that of the text wire, ``prompts`` are own templates.
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


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the text as typed, and where it stands.

    ``history`` are the turns before it; ``parent`` and ``at`` as in ``Asked``; ``merging`` is false where the words
    are to be taken as they are. ``so_far`` are the stored events after ``Asked`` of the run that this one goes on from
    (see ``agent.rewind``), ``first`` are actions to take before the model is asked again. ``earlier`` are the turns
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

    Raises ``StoreFailed`` where storing fails, ``RunEnded`` where somebody else has ended the run.
    """
    replied: list[Event] = []
    row = store.run(run) if setup.insist else None
    if row:
        question = replace(question, earlier=earlier_turns(_past(store, row.conversation, row.follows)))
    for event in answer(question, setup, cancel):
        if isinstance(event, TextDelta):
            yield event
        elif isinstance(event, Replied):
            replied.append(event)  # what it led to comes at once, and is stored with it
        else:
            together = [*replied, event]
            store.append(run, together)
            replied.clear()
            yield from together


def answer(question: Question, setup: Setup, cancel: Flag) -> Iterator[Event]:
    """The events of a run, from ``Asked`` to exactly one ``Answered`` or ``Failed``; errors of every kind included."""
    seen: list[Event] = []
    for event in _to_its_end(question, setup, cancel, seen):
        ended = standing(event, seen) if isinstance(event, Failed) else event
        seen.append(ended)
        yield ended


def _to_its_end(question: Question, setup: Setup, cancel: Flag, seen: Sequence[Event]) -> Iterator[Event]:
    """The story, and what it fails with; ``seen`` grows by each event."""
    try:
        yield from _story(question, setup, cancel)
    except ForTheUser as error:
        yield Failed("model", str(error), partial=partial(seen))
    except ForTheOperator as error:
        yield Failed("error", str(error), partial=partial(seen))
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("run failed, reference %s", reference)
        message = f"Something went wrong in Glassbox itself. The log has it under reference {reference}."
        yield Failed("error", message, partial=partial(seen), reference=reference)
    finally:
        setup.model.close()


def refuse(store: Store, run: str, question: Question, error: GlassboxError, reason: FailedReason = "model") -> None:
    """End a run that cannot even begin (no model chosen, nothing left of a budget); the question is kept with it."""
    asked = Asked(question.text.strip(), time(), parent=question.parent, at=question.at)
    store.append(run, [asked, Failed(reason, str(error))])


def history(store: Store, conversation: str, last: str) -> tuple[Turn, ...]:
    """The latest turns of a conversation up to and with the run ``last``; none where it is ""."""
    return tuple(turn(events) for events in _past(store, conversation, last))


def _past(store: Store, conversation: str, last: str) -> Iterator[list[Event]]:
    """The events of the latest runs up to and with ``last``, oldest first."""
    for row in store.path(conversation, last)[-_TURNS_OF_HISTORY:] if last else ():
        yield store.events(row.id)


def turn(events: Sequence[Event]) -> Turn:
    view = fold(events)
    return Turn(view.understood or view.question, view.answer)


def _story(question: Question, setup: Setup, cancel: Flag) -> Iterator[Event]:
    text = question.text.strip()
    asked = Asked(text, time(), tuple(map(named, setup.cards)), parent=question.parent, at=question.at)
    yield asked
    if not text:
        raise BadRequest("There was no question. Type one and send it again.")
    if len(text) > MOST_QUESTION_CHARACTERS:
        raise BadRequest(f"A question may have {MOST_QUESTION_CHARACTERS:,} characters; this one has {len(text):,}.")
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


def _more(limits: Limits, so_far: Sequence[Event]) -> Limits:
    """The limits of a run that goes on: what went before does not count against them."""
    calls = [event for event in so_far if isinstance(event, Merged | Replied)]
    tokens = sum(call.usage.total for call in calls)
    money = float(sum(call.price.amount for call in calls if call.price))
    return replace(
        limits,
        steps=limits.steps and limits.steps + sum(isinstance(call, Replied) for call in calls),
        tokens=limits.tokens and limits.tokens + tokens,
        money=limits.money and limits.money + money,
    )


def _run(
    opening: Sequence[Event], standalone: str, setup: Setup, wire: WireName, cancel: Flag, question: Question
) -> Iterator[Event]:
    """Prepare and loop; the steps of ``so_far`` are taken over, told as this wire tells them.

    ``opening`` are the events of this run so far.
    """
    begun = max((n for n, event in enumerate(question.so_far) if isinstance(event, Prepared)), default=-1)
    steps = question.so_far[begun + 1 :]
    before = [*(event for event in question.so_far if isinstance(event, Merged)), *steps]
    limits = _more(setup.limits, before)
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
    rounds = Rounds(setup.model, setup.tools, limits, cancel, setup.prices)
    events = [*opening, prepared, *steps]
    if setup.insist:
        yield from insist(rounds, events, question.earlier, question.first)
    else:
        yield from rounds.run(events, question.first)
