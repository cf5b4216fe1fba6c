"""What fills the model's window: the parts of a prompt in tokens, and how much each of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

from agent.context.room import FULL, measured
from agent.context.turns import History, Past, next_request, turn_messages, turns_told
from agent.events import Asked, Event, MadeRoom, Prepared, Replied
from agent.messages import Message, Told, estimate_tokens, message_tokens
from agent.so_far import since_prepared
from agent.views.fold import fold
from agent.wire.instructions import PARTS, PartOfInstructions, notes_part
from agent.wire.prompt import Manner, asked_with, last_room, pictures_of, results_told, steps_messages

PartName: TypeAlias = PartOfInstructions | Literal["tools", "turn", "question"]
CallTold: TypeAlias = Literal["full", "shortened", "none"]


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens that a part takes of the prompt, and how many of them were ``cached``.

    A ``turn`` has its place in the conversation as ``number``, from 1.
    """

    name: PartName
    tokens: int
    number: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class MappedTurn:
    """An earlier turn: its ``run``, the question as typed, how it is ``told``, in how many tokens, some ``cached``."""

    number: int
    run: str
    question: str
    told: Told
    tokens: int
    cached: int = 0


@dataclass(frozen=True, slots=True)
class MappedCall:
    """A call of a turn: in which ``step``, what it was, and how the prompt tells what came of it.

    By its ``handle`` the model can ``recall`` that; it is "" where nothing came of it, or the turn is left out.
    """

    step: int
    tool: str
    about: str
    handle: str
    told: CallTold


@dataclass(frozen=True, slots=True)
class ContextMap:
    """A prompt within the model's ``window``, in tokens as its server counts them, as far as that is known.

    ``parts`` stand in the order of the prompt. ``cached`` is how much of its beginning the server knew already.
    ``sent`` says whether it has been replied to; else it comes next.
    """

    window: int
    parts: tuple[Part, ...]
    turns: tuple[MappedTurn, ...]
    cached: int
    sent: bool

    @property
    def tokens(self) -> int:
        """Tokens of the whole prompt."""
        return sum(part.tokens for part in self.parts)

    @property
    def free(self) -> int:
        """Tokens that the prompt can still grow by before room is made."""
        return max(0, round(self.window * FULL) - self.tokens)

    @property
    def reply(self) -> int:
        """Tokens of the window that are kept for the reply."""
        return max(0, self.window - self.tokens - self.free)

    def share(self, tokens: int) -> float:
        """The part of the window that so many tokens take."""
        return tokens / self.window


def context_map(events: Sequence[Event], history: History, window: int) -> ContextMap | None:
    """What fills the ``window`` of tokens in the last prompt of the run with ``events``, or before any in its first.

    ``history`` has the earlier runs of its conversation. ``None`` where the run was not prepared yet.
    """
    if not any(isinstance(event, Prepared) for event in events):
        return None
    history = Past(history)
    so_far, reply = _last_prompt(events)
    seen = [*so_far, reply] if reply else so_far
    asked = next_request(so_far, history)
    window = min([window, *(event.window for event in since_prepared(so_far)[1] if isinstance(event, MadeRoom))])
    parts = list(_parts(so_far, history))
    total = round(asked.tokens * measured(seen, history))
    tokens = _shared_out(total, [part.tokens for part in parts])
    cached = min(total, reply.usage.cached) if reply else 0
    begins = accumulate(tokens, initial=0)
    parts = [
        Part(part.name, own, part.number, max(0, min(own, cached - begin)))
        for part, own, begin in zip(parts, tokens, begins, strict=False)
    ]
    taken = {part.number: (part.tokens, part.cached) for part in parts if part.name == "turn"}
    turns = tuple(
        MappedTurn(number, turn.run, question_of(history.get(turn.run, ())), turn.told, *taken[number])
        for number, turn in enumerate(turns_told(so_far, history), 1)
    )
    return ContextMap(window, tuple(part for part in parts if part.tokens), turns, cached, reply is not None)


def calls_told(events: Sequence[Event], number: int, history: History) -> tuple[MappedCall, ...]:
    """The calls of the turn of that ``number`` (from 1) as the prompt of ``context_map`` tells them; or of the run."""
    so_far, _ = _last_prompt(events)
    prepared, since = since_prepared(so_far)
    turns = turns_told(so_far, history)
    if number <= len(turns):
        turn = turns[number - 1]
        own = history.get(turn.run, ())[: turn.at]
        masked = (turn.masked or -1) if turn.told == "shortened" else 0
        how = turn.told
    else:
        own, how = events, "full"
        room = last_room(since)
        masked = room.masked if room else 0
    if not any(isinstance(event, Prepared) for event in own):
        return ()
    steps = since_prepared(own)[1]
    told = results_told(steps, Manner(prepared.wire, prepared.language, number, masked))
    return tuple(
        MappedCall(step.number, call.own_name, call.about, *_how(told.get(call.call_id), how))
        for step in fold(own).steps
        for call in step.calls
    )


def _how(result: tuple[str, bool] | None, turn: Told) -> tuple[str, CallTold]:
    """The handle of a call's ``result``, "" where there is none to recall, and how it is told in a turn told so."""
    if result is None or turn == "out":
        return "", "none"
    handle, whole = result
    return handle, ("full" if whole else "shortened") if turn in ("full", "shortened") else "none"


def question_of(events: Sequence[Event]) -> str:
    """The question of a run as it was typed."""
    return next((event.question for event in events if isinstance(event, Asked)), "")


def _last_prompt(events: Sequence[Event]) -> tuple[Sequence[Event], Replied | None]:
    """The events that the last prompt was computed from, and its reply; all events where none was replied to."""
    for place in reversed(range(len(events))):
        event = events[place]
        if isinstance(event, Replied) and any(isinstance(before, Prepared) for before in events[:place]):
            return events[:place], event
        if isinstance(event, Prepared):
            break
    return events, None


def _parts(events: Sequence[Event], history: History) -> Iterator[Part]:
    """The parts of a prompt, with the tokens of each alone as we estimate them."""
    prepared, since = since_prepared(events)
    sizes = [prepared.sizes.get(name, 0) for name in PARTS] if prepared.sizes else [len(prepared.system)]
    ends = [*accumulate(size + len("\n\n") if size else 0 for size in sizes)]
    told = dict(zip(PARTS, map(slice, [0, *ends], ends), strict=False))
    yield Part("rules", estimate_tokens(prepared.system[told.pop("rules")]))
    yield Part("tools", message_tokens((), prepared.tools))
    for name, place in told.items():
        yield Part(name, estimate_tokens(prepared.system[place]))
    notes = notes_part(prepared.language, prepared.facts.notes) if prepared.facts and prepared.facts.notes else ""
    for number, turn in enumerate(turns_told(events, history), 1):
        yield from _apart("turn", turn_messages(prepared, turn, number, history), notes, number)
    room = last_room(since)
    masked = room.masked if room else 0
    manner = Manner(prepared.wire, prepared.language, prepared.before + 1, masked, reminder=prepared.after_results)
    asked = Message("user", asked_with(prepared.news, prepared.question, prepared.lead), images=pictures_of(events))
    yield from _apart("question", [asked, *steps_messages(since, manner)], notes)


def _apart(name: PartName, told: Sequence[Message], notes: str, number: int = 0) -> Iterator[Part]:
    """The tokens of messages as a part; those of the ``notes`` that they tell as news as a part of its own."""
    tokens = message_tokens(told)
    if notes and any(notes in message.content for message in told):
        yield Part("notes", taken := min(tokens, estimate_tokens(notes)))
        tokens -= taken
    yield Part(name, tokens, number)


def _shared_out(total: int, weights: Sequence[int]) -> list[int]:
    """``total`` shared out in whole numbers by ``weights``, which are not all 0; a weight of 0 has none."""
    edges = [round(total * edge / sum(weights)) for edge in accumulate(weights)]
    return [edge - before for before, edge in zip([0, *edges], edges, strict=False)]
