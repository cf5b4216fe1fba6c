"""Keeps a prompt within the model's window: rarely, in big steps, the oldest first.

Where a prompt fills three quarters of the window, room is made down to a half: the long observations of the oldest
turns are shortened, then turns are told by question and answer, then by their question. The last two turns come last,
and so do the observations of the run itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.context.turns import History, Past, last_reply, next_request, turn_messages, turns_told
from agent.events import Event, MadeRoom, Observed, Prepared, Replied
from agent.messages import EarlierTurn, Told, estimate_tokens, message_tokens
from agent.models.protocol import Request
from agent.so_far import of_kind, since_prepared
from agent.wire.observation import LONG
from agent.wire.prompt import last_room

FULL, ROOMY = 0.75, 0.5  # of the window: from where on room is made, and down to where
# Questions are dropped where more than the first share would be left; in a big step, too.
_TIGHT, _TIGHTER = 0.65, 0.55
_UNMEASURED = 1.2  # tokens of a server for one of ours, where none was measured
_OF_NOTES = 10  # a window holds so many times what notes take at most
_LEAST, _MOST = 0.4, 3.0
_NEVER_FIRST = 2  # the last turns, which are told whole as long as anything else can be shortened
_STAGES: tuple[Told, ...] = ("shortened", "answer", "question", "recall")
_ORDER: dict[Told, int] = {"full": 0, "shortened": 1, "answer": 2, "question": 3, "recall": 4, "out": 5}


def notes_told(notes: Sequence[str], window: int) -> tuple[str, ...]:
    """The notes that are told within a window of so many tokens, in their order: the newest, in a tenth of it."""
    kept: list[str] = []
    left = window // _OF_NOTES
    for note in reversed(notes):
        left -= estimate_tokens(note) + 1
        if left < 0:
            break
        kept.append(note)
    return tuple(reversed(kept))


def nearly_full(prepared: Prepared, history: History, window: int) -> bool:
    """Whether the first prompt of a run takes so much of the window that room may have to be made while it goes on."""
    if not prepared.before:
        return False
    asked = next_request([prepared], history).tokens
    if asked * _MOST <= window * ROOMY:
        return False
    return asked * measured([prepared], history) > window * ROOMY


def measured(events: Sequence[Event], history: History) -> float:
    """How many tokens the server counts for one that we estimate, by the last reply that has a count; else a guess."""
    found = _scale(events, history)
    if found is None and isinstance(history, Past):
        if history.scale is None:
            history.scale = _measured_before(history)
        found = history.scale
    return _measured_before(history) if found is None else found


def _measured_before(history: History) -> float:
    """As ``measured``, by the earlier turns."""
    scales = (_scale(run, history) for run in reversed([*history.values()]))
    return next((scale for scale in scales if scale is not None), _UNMEASURED)


def _scale(run: Sequence[Event], history: History) -> float | None:
    """As ``measured``, by one run; ``None`` where none of its replies has a count."""
    place = last_reply(run)
    reply = run[place] if place >= 0 else None
    so_far = run[: max(0, place)]
    if not isinstance(reply, Replied) or not any(isinstance(event, Prepared) for event in so_far):
        return None
    ours = next_request(so_far, history).tokens
    return min(_MOST, max(_LEAST, reply.usage.input / max(1, ours)))


@dataclass(frozen=True, slots=True)
class _Excess:
    """A prompt's ``tokens``, and those that the ``window`` has; both as we count them."""

    tokens: int
    window: float

    def over(self, share: float) -> float:
        """Tokens to save so that the prompt fills that share of the window."""
        return self.tokens - self.window * share


@dataclass(frozen=True, slots=True)
class Room:
    """What decides how much is told: the model's ``window``, and ``pinned`` turns, which are told as they are."""

    window: int
    pinned: frozenset[str] = frozenset()

    def made(
        self, events: Sequence[Event], history: History, asked: Request, refused: int | None = None
    ) -> MadeRoom | None:
        """The room to make before the next call of the run that has ``events``; ``None`` where none is needed or left.

        ``asked`` is that call as it stands; ``refused`` is what the server takes at most, where it has refused the
        prompt; 0 where it did not say.
        """
        ours = asked.tokens
        prepared, since = since_prepared(events)
        window = min([self.window, *(room.window for room in of_kind(since, MadeRoom))])
        if refused is None and ours * _MOST <= window * FULL:
            return None  # however the server counts, and most prompts are
        scale = measured(events, history)
        size = round(ours * scale)
        window = window if refused is None else refused or min(window, round(size * FULL))
        if refused is None and size <= window * FULL:
            return None
        excess = _Excess(ours, window / scale)
        told = turns_told(events, history)
        turns, saved = self._reduced(prepared, told, history, excess)
        before = last_room(since)
        was = before.masked if before else 0
        masked = max(was, _maskable(since)) if saved < excess.over(FULL) else was
        if turns == told and masked == was:
            return None
        room = MadeRoom(turns, size, 0, window, masked, refused is not None)
        smaller = [*events, room]
        after = next_request(smaller, history).tokens
        return replace(room, after=round(after * scale))

    def _reduced(
        self, prepared: Prepared, turns: Sequence[EarlierTurn], history: History, excess: _Excess
    ) -> tuple[tuple[EarlierTurn, ...], float]:
        """The turns told so that the window has room, as far as that can be; and the tokens of ours that were saved.

        Questions are dropped, and the last two turns told by less, only where it would not have enough otherwise.
        """
        told = list(turns)
        places = [place for place, turn in enumerate(turns) if turn.run not in self.pinned]
        oldest = [place for place in places if place < len(turns) - _NEVER_FIRST]
        latest = [place for place in places if place >= len(turns) - _NEVER_FIRST]
        saved = 0.0

        def cost(place: int) -> int:
            return message_tokens(turn_messages(prepared, told[place], place + 1, history))

        for stage in _STAGES[:-1]:
            saved += _lower(told, oldest, stage, cost, excess.over(ROOMY) - saved)
        if saved < excess.over(_TIGHT):
            saved += _lower(told, oldest, _STAGES[-1], cost, excess.over(_TIGHTER) - saved)
            for stage in _STAGES[:2]:
                saved += _lower(told, latest, stage, cost, excess.over(_TIGHTER) - saved)
        return tuple(told), saved


def _lower(
    told: list[EarlierTurn], places: Sequence[int], stage: Told, cost: Callable[[int], int], wanted: float
) -> float:
    """Tell those turns no longer than ``stage``, oldest first, until ``wanted`` tokens are saved; those saved."""
    saved = 0.0
    for place in places:
        if saved >= wanted:
            break
        turn = told[place]
        if _ORDER[turn.told] < _ORDER[stage] or (stage == "shortened" and turn.masked):
            before = cost(place)
            told[place] = replace(turn, told=stage, masked=0)
            after = cost(place)
            if after < before or stage != "shortened":
                saved += before - after
            else:
                told[place] = turn  # nothing in it is long: it is told whole
    return saved


def _maskable(since: Sequence[Event]) -> int:
    """How many long observations this run has but for those of its last step."""
    last = max((place for place, event in enumerate(since) if isinstance(event, Replied)), default=0)
    return sum(isinstance(event, Observed) and bool(event.call_id) and len(event.text) > LONG for event in since[:last])
