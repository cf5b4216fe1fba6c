"""The earlier turns of a conversation as messages: a pure function of what ``Prepared`` says and of their events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from agent.events import Answered, Asked, Event, Failed, Prepared, Replied
from agent.messages import EarlierTurn, Message
from agent.models.protocol import Request
from agent.prompts import render
from agent.prompts.labels import LABELS
from agent.so_far import since_prepared
from agent.wire.prompt import (
    Manner,
    Steps,
    asked_with,
    last_room,
    pictures_of,
    request,
    steps_messages,
)

# The events of the earlier runs of a conversation by the run's id, oldest first.
History: TypeAlias = Mapping[str, Sequence[Event]]

NO_HISTORY: History = {}
LISTED = 200  # characters of a question that is told without its answer


class Past(dict[str, Sequence[Event]]):
    """A history for as long as one question takes: the messages of a turn, of all, and of a new step are made once.

    They are kept by all that they follow from beside the events, which do not change: those of a ``turn``, and those of
    ``all`` by the identity of the turns, which are kept with them. ``own`` is what a turn was prepared with; ``scale``
    is what its replies tell of the server's count (see ``agent.context.room.measured``); ``steps`` are those of the run
    that was asked for last.
    """

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.carried: dict[int, tuple[EarlierTurn, ...]] = {}
        self.own: dict[tuple[str, int | None], Prepared | None] = {}
        self.scale: float | None = None
        self.steps = Steps()
        self.turn: dict[tuple[object, ...], list[Message]] = {}
        self.all: dict[tuple[object, ...], tuple[Sequence[EarlierTurn], list[Message]]] = {}


def turns_told(events: Sequence[Event], history: History) -> tuple[EarlierTurn, ...]:
    """How the earlier turns are told in the next call of a run; ``history`` begins with them."""
    return _turns_told(*since_prepared(events), history)


def _turns_told(prepared: Prepared, since: Sequence[Event], history: History) -> tuple[EarlierTurn, ...]:
    room = last_room(since)
    told = room.turns if room else prepared.turns
    return carried(history, prepared.carried) if prepared.carried and not told else told


def carried(history: History, count: int | None = None) -> tuple[EarlierTurn, ...]:
    """The first ``count`` turns of ``history`` as the last of these told those before it, and it as it told itself.

    Where that run was given other turns, or was told of none, all before the next one are told whole.
    """
    count = len(history) if count is None else count
    if not isinstance(history, Past):
        return _carried(history, count)
    if count not in history.carried:
        history.carried[count] = _carried(history, count)
    return history.carried[count]


def _carried(history: History, count: int) -> tuple[EarlierTurn, ...]:
    runs = [*history][:count]
    since: list[EarlierTurn] = []  # the last first
    for place in reversed(range(len(runs))):
        events = history[runs[place]]
        prepared = next((event for event in reversed(events) if isinstance(event, Prepared)), None)
        if prepared is None:
            since.append(EarlierTurn(runs[place], at=open_at(events)))
            continue
        room = last_room(since_prepared(events)[1])
        masked = room.masked if room else 0
        own = EarlierTurn(runs[place], "shortened" if masked else "full", masked, open_at(events))
        told = room.turns if room else prepared.turns
        if prepared.carried and not told:
            since.append(own)
            continue
        if [turn.run for turn in told] == runs[:place]:
            return (*told, own, *reversed(since))
        whole = (EarlierTurn(run, at=open_at(history[run])) for run in runs[: place + 1])
        return (*whole, *reversed(since))
    return tuple(reversed(since))


def open_at(events: Sequence[Event]) -> int | None:
    """How many events a run has that has not ended; ``None`` where it has."""
    return None if events and isinstance(events[-1], Answered | Failed) else len(events)


def next_request(events: Sequence[Event], history: History) -> Request:
    """The model call that comes next in the run that has ``events``, with the turns before it."""
    steps = history.steps if isinstance(history, Past) else None
    return request(events, earlier_messages(events, history), steps)


def earlier_messages(events: Sequence[Event], history: History) -> list[Message]:
    """The messages before this turn's question in the next call of the run that has ``events``."""
    prepared, since = since_prepared(events)
    turns = _turns_told(prepared, since, history)
    if not isinstance(history, Past):
        return list(_messages(prepared, turns, history))
    about = id(turns), prepared.endpoint, prepared.model, *_manner_of(prepared), prepared.system
    if about not in history.all:
        history.all[about] = turns, list(_messages(prepared, turns, history))
    return history.all[about][1]


def _messages(prepared: Prepared, turns: Sequence[EarlierTurn], history: History) -> Iterator[Message]:
    unanswered: list[EarlierTurn | Message] = []
    for number, turn in enumerate(turns, 1):
        told = turn_messages(prepared, turn, number, history)
        if turn.told in ("question", "recall", "out"):
            unanswered += [*told, turn]
        else:
            if unanswered:
                yield from _listed(unanswered, prepared.language)
                unanswered = []
            yield from told
    yield from _listed(unanswered, prepared.language)


def _listed(unanswered: Sequence[EarlierTurn | Message], language: str) -> Iterator[Message]:
    """The turns that are told without an answer, as one message: their news and questions, a line each."""
    lines = [each.content for each in unanswered if isinstance(each, Message)]
    more = sum(isinstance(each, EarlierTurn) and each.told == "recall" for each in unanswered)
    if more:
        lines.insert(0, render(language, "earlier_more", count=f"{more:,}"))
    if lines:
        yield Message("user", render(language, "earlier_questions", questions="\n".join(lines)))


def turn_messages(prepared: Prepared, turn: EarlierTurn, number: int, history: History) -> list[Message]:
    """One turn as a run with ``prepared`` tells it; ``number`` is its place in the conversation, from 1."""
    events = history.get(turn.run, ())
    events = events if turn.at is None else events[: turn.at]
    if not isinstance(history, Past):
        return _turn_messages(prepared, turn, number, events, _last_prepared(events))
    place = turn.run, turn.at
    if place not in history.own:
        history.own[place] = _last_prepared(events)
    own = history.own[place]
    if turn.told in ("recall", "out"):  # as most are in a long chat
        return _news_alone(own, prepared)
    like = own and same_model(own, prepared), own and _news(own, prepared)
    about = turn.run, turn.told, turn.masked, turn.at, number, *_manner_of(prepared), *like
    if about not in history.turn:
        history.turn[about] = _turn_messages(prepared, turn, number, events, own)
    return history.turn[about]


def _manner_of(prepared: Prepared) -> tuple[object, ...]:
    """How a run tells every turn before it, whichever it is."""
    return prepared.wire, prepared.language, prepared.relabelled, bool(prepared.lead)


def _last_prepared(events: Sequence[Event]) -> Prepared | None:
    for event in reversed(events):
        if isinstance(event, Prepared):
            return event
    return None


def _news(own: Prepared, prepared: Prepared) -> str:
    """What was new to a run, for one that is instructed as it was; but not what instructed a run elsewhere."""
    return own.news if own.system == prepared.system and _instructs(own, prepared) else ""


def _instructs(own: Prepared, prepared: Prepared) -> bool:
    """Whether what instructed one run may be told to another: not where the first alone came from elsewhere."""
    return prepared.imported or not own.imported


def _news_alone(own: Prepared | None, prepared: Prepared) -> list[Message]:
    """A turn of which nothing is told but its news, that one which was prepared with ``own``."""
    news = _news(own, prepared) if own else ""
    return [Message("user", news)] if news else []


def _turn_messages(
    prepared: Prepared, turn: EarlierTurn, number: int, events: Sequence[Event], own: Prepared | None
) -> list[Message]:
    """As ``turn_messages``; ``events`` are those of the turn, ``own`` what it was prepared with."""
    asked = own.question if own else next((event.question for event in events if isinstance(event, Asked)), "")
    if not asked or turn.told in ("recall", "out"):
        return _news_alone(own, prepared)
    news = _news(own, prepared) if own else ""
    if turn.told == "question":
        line = " ".join(asked.split())
        return [Message("user", asked_with(news, f"{number}. {line[:LISTED]}{'…' if len(line) > LISTED else ''}"))]
    pictures = pictures_of(events)
    if pictures and (turn.told != "full" or not own):
        asked += "\n\n" + render(prepared.language, "turn_pictures", count=str(len(pictures)))
        pictures = ()
    led = own and prepared.lead and turn.told in ("full", "shortened") and _instructs(own, prepared)
    question = Message("user", asked_with(news, asked, own.lead if own and led else ""), images=pictures)
    if turn.told == "answer" or not own:
        return [question, _answer(events, prepared)]
    masked = (turn.masked or -1) if turn.told == "shortened" else 0
    foreign = prepared.relabelled and own.wire != prepared.wire
    same, reminder = same_model(own, prepared), own.after_results if _instructs(own, prepared) else ""
    manner = Manner(prepared.wire, prepared.language, number, masked, same, foreign, reminder)
    steps = steps_messages(since_prepared(events)[1], manner)
    return [question, *steps, *_ending(events, prepared)]


def same_model(one: Prepared, other: Prepared) -> bool:
    """Whether two runs are answered by the same model of the same server, in the same manner."""
    return (one.endpoint, one.model, one.wire) == (other.endpoint, other.model, other.wire)


def _ending(events: Sequence[Event], prepared: Prepared) -> list[Message]:
    """What a turn ends with beside its steps: an answer that no reply gave, or that it has none."""
    last = events[-1]
    if isinstance(last, Answered) and last.reason != "direct":
        return []
    return [_answer(events, prepared)]


def _answer(events: Sequence[Event], prepared: Prepared) -> Message:
    """The answer of a turn in one message, or what became of it."""
    last, language = events[-1], prepared.language
    if isinstance(last, Answered):
        label = "" if prepared.wire == "native" else f"{LABELS[language].final_answer}: "
        return Message("assistant", f"{label}{last.text}")
    if not isinstance(last, Failed):
        return Message("assistant", render(language, "turn_open"))
    if last.partial:
        return Message("assistant", render(language, "turn_partial", answer=last.partial))
    stopped = last.reason in ("cancelled", "interrupted")
    return Message("assistant", render(language, "turn_stopped" if stopped else "turn_failed"))


def last_reply(events: Sequence[Event]) -> int:
    """The place of the last finished reply of which the server told the tokens; -1 where there is none."""
    return next(
        (
            place
            for place in reversed(range(len(events)))
            if isinstance(event := events[place], Replied) and not event.unfinished and not event.usage.estimated
        ),
        -1,
    )
