"""A question becomes a run: merge, prepare, loop, store. The one place where errors become ``Failed``."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event as Flag
from time import monotonic, time
from typing import TYPE_CHECKING, Any, TypeAlias

from agent.context.room import nearly_full
from agent.context.turns import NO_HISTORY, History, Past, same_model, turns_told
from agent.data.tables.card_texts import named
from agent.endings import as_failed, partial, standing
from agent.errors import BadRequest, ToolsRefused
from agent.events import (
    Asked,
    Event,
    Failed,
    MadeRoom,
    Merged,
    Prepared,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
    Waiting,
    WireName,
)
from agent.loop import loop
from agent.loop.agent import Agent, Before, prepare
from agent.loop.limits import limits_left, with_more
from agent.loop.loop import Start, Told
from agent.loop.merge import Turn, merge
from agent.messages import Artifact, EarlierTurn
from agent.runs.rewind import with_pictures
from agent.toolkit.base import Toolbox
from agent.wire.opening_thought import without_thought
from agent.wire.outcomes import Action

if TYPE_CHECKING:
    # Only those who store something wait for SQLAlchemy, which takes half a second to import.
    from agent.store.runs import Store

Keep: TypeAlias = Callable[[Sequence[Event]], None]
# Those in a tuple are stored together.
_Story: TypeAlias = Generator[Told | tuple[Event, ...]]
MOST_QUESTION_CHARACTERS = 20_000
# Merging looks at the latest turns only.
_LATEST_TURNS = 12


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the text as typed, and where it stands.

    ``before`` is the conversation so far. ``ask`` finds it in the store, by the ids of its runs where the ``past``
    that the page remembers ends in the run that this one follows. ``parent``, ``at``, ``compares`` are as in
    ``Asked``. ``merging`` says whether it is to be merged with what came before, ``None`` that it is for the agent
    to say. ``so_far`` are the stored events after ``Asked`` of the run that this one goes on from (see
    ``runs.rewind``), ``first`` are actions to take before the model is asked again. ``images`` are the pictures
    that come with it, with their contents. ``asked`` is the event that the run began with, where that is stored
    already. ``refused`` are lines on the files that were dropped for it and could not be loaded.
    """

    text: str
    before: Before = field(default_factory=Before)
    parent: str = ""
    at: int | None = None
    merging: bool | None = None
    so_far: tuple[Event, ...] = ()
    first: tuple[Action, ...] = ()
    past: tuple[str, ...] = ()
    images: tuple[Artifact, ...] = ()
    asked: Asked | None = None
    compares: bool = False
    refused: tuple[str, ...] = ()


def ask(
    store: Store, run: str, question: Question, agent: Agent, cancel: Flag, keep: Keep | None = None
) -> Iterator[Event]:
    """The run's events, each stored before it is yielded; those that follow ``question.asked`` where it has that.

    ``keep`` stores them where it is given, and may do so later.

    The last one is a ``Waiting`` where the run waits for the person: it is theirs then, and no process's. Raises
    ``StoreFailed`` where storing fails, ``RunEnded`` where somebody else has ended the run.
    """
    row = None if question.before.history else store.run(run)
    if row:
        known = question.past[-1:] == (row.follows,)
        past = store.past(row.conversation, question.past) if known else history(store, row.conversation, row.follows)
        past = {run: with_pictures(store, run, events) for run, events in past.items()}
        question = replace(question, before=replace(question.before, history=past))
    seen: list[Event] = [question.asked] if question.asked else []
    return _to_its_end(_story(question, agent, cancel, seen), seen, keep or with_run(store, run))


def take_up(
    store: Store,
    run: str,
    agent: Agent,
    cancel: Flag,
    pinned: frozenset[str] = frozenset(),
    keep: Keep | None = None,
    out: frozenset[str] = frozenset(),
) -> Iterator[Event]:
    """As ``ask``: the further events of a run whose last stored event is a ``Decided`` or a ``Resumed``.

    ``pinned`` and ``out`` are as in ``Before``.
    """
    so_far, row = with_pictures(store, run, store.events(run)), store.run(run)
    past = history(store, row.conversation, row.follows) if row else NO_HISTORY
    before = Before({run: with_pictures(store, run, events) for run, events in past.items()}, pinned, out)
    seen = list(so_far)
    return _to_its_end(_further(so_far, agent, cancel, before, seen), seen, keep or with_run(store, run))


def answer(question: Question, agent: Agent, cancel: Flag) -> Iterator[Event]:
    """The events of a run, from ``Asked`` to exactly one ``Answered`` or ``Failed``; errors of every kind included.

    Where it waits for the person, the last one is a ``Waiting``; ``go_on`` has what follows.
    """
    seen: list[Event] = []
    return _to_its_end(_story(question, agent, cancel, seen), seen)


def go_on(so_far: Sequence[Event], agent: Agent, cancel: Flag, before: History = NO_HISTORY) -> Iterator[Event]:
    """As ``answer``: what follows ``so_far``, all the events of a run, the last a ``Decided`` or ``Resumed``."""
    seen = list(so_far)
    return _to_its_end(_further(so_far, agent, cancel, Before(before), seen), seen)


def with_run(store: Store, run: str) -> Keep:
    """What stores events of the run at once, or raises."""
    return lambda events: store.append(run, events)


def _not_kept(events: Sequence[Event]) -> None:
    """For a run that is stored nowhere."""


def _to_its_end(story: _Story, seen: list[Event], keep: Keep = _not_kept) -> Iterator[Event]:
    """The events of ``story`` and what it fails with, each given to ``keep`` before it is yielded.

    A reply is kept together with what it led to, and a call with what came of it, unless ``None`` stands between them.
    ``seen`` are the events of the run before.
    """
    held: list[Event] = []
    with closing(story):
        while True:
            try:
                event = next(story)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001 - the edge at which a bug becomes ``Failed``
                held.append(standing(as_failed(error, partial(seen)), seen))
                break
            if isinstance(event, TextDelta):
                seen.append(event)
                yield event
                continue
            events = event if isinstance(event, tuple) else (event,) if event else ()
            told = [standing(each, seen) if isinstance(each, Failed) else each for each in events]
            seen += told
            held += told
            last = event[-1] if isinstance(event, tuple) else event
            if held and not isinstance(last, Replied | ToolCalled | Waiting):
                keep(held)
                yield from held
                held = []
    if held:
        keep(held)
        yield from held


def first_event(question: Question, tables: Iterable[Mapping[str, Any]] = ()) -> Asked:
    """What a run of the question begins with; ``tables`` are the cards of those that come with it."""
    names = tuple(map(named, tables))
    place = question.parent, question.at
    imported = any(isinstance(event, Prepared) and event.imported for event in question.so_far)
    asked = Asked(question.text.strip(), time(), names, *place, question.images, question.compares, imported)
    return replace(asked, refused=question.refused)


def check_length(text: str) -> None:
    """Raises ``BadRequest`` where a question of that text is too long to be asked."""
    if len(text) > MOST_QUESTION_CHARACTERS:
        most, count = MOST_QUESTION_CHARACTERS, len(text)
        raise BadRequest.because(
            "A question may have {most:,} characters; this one has {count:,}.", most=most, count=count
        )


def history(store: Store, conversation: str, last: str) -> History:
    """The runs of a conversation up to and with the run ``last``, none where it is ""; only those that can be read."""
    return store.past(conversation, [row.id for row in store.path(conversation, last)]) if last else {}


def turn(events: Sequence[Event]) -> Turn:
    from agent.views.fold import fold  # a first question does not wait for it

    view = fold(events)
    return Turn(view.understood or view.question, view.answer)


def _story(question: Question, agent: Agent, cancel: Flag, seen: Sequence[Event]) -> _Story:
    """Ask, understand, prepare, and take the steps of ``so_far`` over; then the loop.

    ``seen`` grows by each event that is told.
    """
    resumed = [event for event in seen if isinstance(event, Resumed)]
    started = monotonic() - sum(event.seconds for event in resumed)
    asked = question.asked
    if asked is None:
        asked = first_event(question, agent.cards)
        yield asked
    text = asked.question
    if not text:
        raise BadRequest.because("There was no question. Type one and send it again.")
    check_length(text)
    merged: Sequence[Merged] = [event for event in seen if isinstance(event, Merged)]
    if merged:  # before its process was gone
        understood = merged[-1].question
    else:
        understood, merged = _understood(question, text, agent)
        yield from merged
    begun = max((n for n, event in enumerate(question.so_far) if isinstance(event, Prepared)), default=-1)
    steps = question.so_far[begun + 1 :]
    taken_over = [event for event in question.so_far if isinstance(event, Merged)]
    agent = replace(agent, limits=with_more(agent.limits, [*taken_over, *steps]))
    before = replace(question.before, history=Past(question.before.history), refused=asked.refused)
    start = Start(question.first, before.history, before.pinned, started=started)
    taken = question.so_far[begun] if begun >= 0 else None
    for wire in (wires := agent.wires):
        agent, prepared, room = _prepared(agent, understood, wire, before, seen)
        same = isinstance(taken, Prepared) and same_model(taken, prepared)
        begun_with = [prepared, *([room] if room else []), *(steps if same else map(_plain, steps))]
        yield tuple(begun_with)
        try:
            yield from loop.run(agent, [asked, *resumed, *merged, *begun_with], cancel, start)
            return
        except ToolsRefused:
            if wire == wires[-1]:
                raise


def _plain(event: Event) -> Event:
    """A step for another model than the one that took it: without what only that one can read."""
    if isinstance(event, Replied):
        return replace(event, opaque="", text=without_thought(event.text))
    return replace(event, opaque="") if isinstance(event, ToolCalled) else event


def _prepared(
    agent: Agent, question: str, wire: WireName, before: Before, seen: Sequence[Event]
) -> tuple[Agent, Prepared, MadeRoom | None]:
    """What the run is prepared with; the agent can ``recall`` where not all of the conversation is told any more."""
    cards = agent.databases()  # which takes time, and a run may be prepared twice
    agent = replace(agent, databases=lambda: cards)
    turns = before.turns()
    if any(turn.told not in ("full", "out") for turn in turns):
        agent = _recalling(agent, turns, before.history, seen)
        return agent, *prepare(agent, question, wire, agent.limits, before)
    prepared, room = prepare(agent, question, wire, agent.limits, before)
    if room or nearly_full(prepared, before.history, agent.window_tokens):
        agent = _recalling(agent, turns, before.history, seen)
        prepared, room = prepare(agent, question, wire, agent.limits, before)
    return agent, prepared, room


def _recalling(agent: Agent, turns: Sequence[EarlierTurn], history: History, seen: Sequence[Event]) -> Agent:
    """The agent with ``recall`` among its tools; what the person leaves out cannot be recalled."""
    from agent.tools.recall import recall_tool

    def told() -> list[Sequence[Event]]:
        return [*(() if turn.told == "out" else history.get(turn.run, ())[: turn.at] for turn in turns), list(seen)]

    tools = [each for each in agent.tools.tools if each.name != "recall"]
    return replace(agent, tools=Toolbox([*tools, recall_tool(told)]))


def _understood(question: Question, text: str, agent: Agent) -> tuple[str, Sequence[Merged]]:
    """The question as it stands alone, and how it came to that where a run that it goes on from or the model says."""
    prepared = next((event for event in reversed(question.so_far) if isinstance(event, Prepared)), None)
    if prepared:
        return prepared.question, [event for event in question.so_far if isinstance(event, Merged)]
    merged = None
    if agent.merges if question.merging is None else question.merging:
        turns = [turn(events) for events in [*question.before.history.values()][-_LATEST_TURNS:]]
        merged = merge(text, turns, agent.model, agent.language, agent.prompts, agent.parameters)
    if not merged:
        return text, ()
    price = agent.prices.of(agent.model.endpoint, agent.model.name, merged.usage)
    return merged.question, (replace(merged, price=price),)


def _further(so_far: Sequence[Event], agent: Agent, cancel: Flag, before: Before, seen: Sequence[Event]) -> _Story:
    """The loop taken up; the limits are the whole run's, and the person's time is not counted.

    A run that was not prepared is, and so is one whose server takes no tool schemas.
    """
    asked = so_far[0]
    prepared = max((place for place, event in enumerate(so_far) if isinstance(event, Prepared)), default=-1)
    if prepared < 0 and isinstance(asked, Asked):
        yield from _story(Question(asked.question, before, asked=asked), agent, cancel, seen)
        return
    past = Past(before.history)
    if turns := turns_told(so_far, past):
        agent = _recalling(agent, turns, past, seen)
    agent = replace(agent, limits=limits_left(so_far, agent.limits))
    from agent.views.timeline import seconds_taken

    begun = monotonic() - seconds_taken(so_far)
    start = Start((), past, before.pinned, started=begun)
    try:
        yield from loop.run(agent, so_far, cancel, start)
    except ToolsRefused:
        replied = any(isinstance(event, Replied) for event in so_far[prepared:])
        if replied or len(agent.wires) == 1 or not isinstance(asked, Asked):
            raise
        question = Question(asked.question, before, merging=False, asked=asked)
        yield from _story(question, replace(agent, wire=agent.wires[-1]), cancel, seen)
