"""What arrives of a reply, and replies that run away: by repeating themselves, by more text or calls than needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from agent.events import Replied
from agent.interface_text import Text
from agent.loop.limits import cut_for_money
from agent.messages import Limits, Usage
from agent.models.protocol import Delta, Request, estimated_usage
from agent.text.characters import whole
from agent.wire.outcomes import Calls, Outcome, Reading

_CUT_BY_THE_SERVER = Text("The server ended this reply at its length limit, so it may be incomplete.")
_REPEATED_ITSELF = Text("The reply repeated itself without end and was cut. What had come is counted by its length.")
_TOO_LONG = Text("The reply had no end within the limits and was cut. What had come is counted by its length.")
_MOST_CALLS = 64  # of one reply
_LOOK_EVERY = 500  # characters
_REPEATED = 3_000  # characters of nothing but repeats from which on a reply goes round in circles
_TIMES = 8
_ANCHOR = 24  # the last characters, looked for before themselves
_LONGEST = 1_000_000  # characters of a reply under no limit on tokens
_SHORTEST = 4_000
_CHARACTERS = 4  # of a token, about


def ran_away(notes: Sequence[str]) -> bool:
    """Whether a reply was cut because it repeated itself, or had no end."""
    return any(getattr(note, "key", "") in (_REPEATED_ITSELF.key, _TOO_LONG.key) for note in notes)


@dataclass(slots=True)
class Runaway:
    """Watches one stream of text: ``take`` its pieces; how it is cut into pieces changes nothing.

    ``end`` is set once the text has run away: to the offset behind the first of the repeats, or to ``most`` characters;
    ``size`` is how much of it was looked at until then.
    """

    most: int = _LONGEST
    end: int | None = None
    repeats: bool = False
    size: int = 0
    _tail: str = ""
    _pieces: list[str] = field(default_factory=list[str])

    def take(self, text: str) -> bool:
        """Look at the next piece; true where there is no need for more."""
        while self.end is None and text:
            step = _LOOK_EVERY - self.size % _LOOK_EVERY
            self._pieces.append(text[:step])
            self.size += len(text[:step])
            text = text[step:]
            if self.size % _LOOK_EVERY == 0:
                self._look()
        return self.end is not None

    def _look(self) -> None:
        self._tail = (self._tail + "".join(self._pieces))[-2 * _REPEATED :]
        self._pieces.clear()
        if repeated := _repeated(self._tail):
            self.end, self.repeats = self.size - repeated, True
        elif self.size >= self.most:
            self.end = self.size


def _repeated(text: str) -> int:
    """How many characters at the end of a text are repeats of those before them; 0 for too few."""
    before = text.rfind(text[-_ANCHOR:], 0, len(text) - 1)
    period = len(text) - _ANCHOR - before
    if before < 0 or text[-_REPEATED:] != text[-_REPEATED - period : -period]:
        return 0
    size = _REPEATED
    while size + period < len(text) and text[-size - 1] == text[-size - 1 - period]:
        size += 1
    return size if size >= _TIMES * period else 0


def most_characters(limits: Limits, spent: int) -> int:
    """The longest reply that a run's limit on tokens leaves room for, of which ``spent`` are used; in characters."""
    if not limits.tokens:
        return _LONGEST
    return max(_SHORTEST, min(_LONGEST, _CHARACTERS * (limits.tokens - spent)))


def bounded(replied: Replied, outcome: Outcome) -> tuple[Replied, Outcome]:
    """The same where a reply asks for no more calls than can be needed at once; else the first of them, and a note."""
    if not isinstance(outcome, Calls) or len(outcome.actions) <= _MOST_CALLS:
        return replied, outcome
    asked, made = len(outcome.actions), outcome.actions[:_MOST_CALLS]
    note = Text("The reply asked for {asked:,} calls at once. The first {made} were made.", asked=asked, made=len(made))
    return replace(replied, notes=(*replied.notes, note)), replace(outcome, actions=made)


@dataclass(slots=True)
class Arriving:
    """What has arrived of a reply so far."""

    started: float
    written: Runaway
    thought: Runaway  # with the arguments of calls
    first: float = 0.0
    text: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])
    arguments: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    usage: Usage | None = None
    finish: str = ""
    left_out: tuple[str, ...] = ()
    opaque: str = ""

    @property
    def first_token(self) -> float:
        """Seconds to the first token, so far."""
        return (self.first or monotonic()) - self.started

    def add(self, delta: Delta) -> bool:
        """Take a piece; true where the reply has run away and no more of it is wanted."""
        if delta.text:
            self.text.append(delta.text)
        if delta.reasoning:
            self.reasoning.append(delta.reasoning)
        if delta.calls:
            self.arguments.extend(call.arguments for call in delta.calls)
        if not self.first and (delta.text or delta.reasoning or delta.calls):
            self.first = monotonic()
        if delta.note:
            self.notes.append(delta.note)
        self.usage = delta.usage or self.usage
        self.finish = delta.finish or self.finish
        self.left_out = delta.left_out or self.left_out
        self.opaque = delta.opaque or self.opaque
        rest = delta.reasoning + "".join(call.arguments for call in delta.calls)
        return self.written.take(delta.text) or self.thought.take(rest)

    def replied(self, reading: Reading, request: Request, unfinished: bool) -> Replied:
        text, reasoning = "".join(self.text), whole("".join(self.reasoning))
        if self.written.end is not None:
            text = text[: self.written.size]
        end = len(text) if self.written.end is None else self.written.end
        cut = end if reading.cut is None else reading.cut
        cut_by_the_server = self.finish == "length" and not cut_for_money(self.notes)
        notes = [_CUT_BY_THE_SERVER] if cut_by_the_server else []
        if away := next((watched for watched in (self.written, self.thought) if watched.end is not None), None):
            notes = [_REPEATED_ITSELF if away.repeats else _TOO_LONG]
        return Replied(
            text=whole(text[:cut]),
            thought=whole(reading.thought),
            usage=self.usage or estimated_usage(request, text + reasoning + "".join(self.arguments)),
            seconds=monotonic() - self.started,
            first_token=self.first_token,
            reasoning=reasoning,
            cut=whole(text[cut:]),
            dropped=whole(reading.dropped),
            repairs=reading.repairs,
            notes=(*self.notes, *notes),
            finish=self.finish,
            unfinished=unfinished,
            left_out=self.left_out,
            opaque="" if unfinished else self.opaque,
        )
