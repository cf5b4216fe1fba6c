"""What a reply was read as: calls, an answer, or something to be repaired. Both wires end in these values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from agent.events import TextDelta
from agent.models.protocol import Delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What every reading has.

    ``cut`` is the offset in the reply's text from which nothing was believed (an invented observation, a second
    step), or ``None``. ``dropped`` is an answer that lost against a call in the same reply. ``repairs`` names, in
    words for a person, what had to be guessed.
    """

    thought: str = ""
    cut: int | None = None
    dropped: str = ""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action(Reading):
    """One call: the tool as resolved among those known (else as written) and the input's text, verbatim.

    ``opaque`` is as in ``ToolCalled``.
    """

    tool: str
    input: str
    id: str = ""
    opaque: str = ""

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self,)


@dataclass(frozen=True, slots=True)
class Calls(Reading):
    """Several calls of one reply, in the order in which they were asked for; ``written`` where they came as text."""

    actions: tuple[Action, ...]
    written: bool = False


@dataclass(frozen=True, slots=True)
class Answer(Reading):
    """The end. ``reason`` as in ``Answered``."""

    text: str
    next_questions: tuple[str, ...] = ()
    reason: str = "final_answer"


@dataclass(frozen=True, slots=True)
class Malformed(Reading):
    """Neither. ``problem`` is a sentence that tells the model what to do."""

    problem: str


Outcome: TypeAlias = Action | Calls | Answer | Malformed


class Reader(Protocol):
    """A push parser of one reply: ``feed`` deltas, stop early once ``done``, then ``close`` once."""

    @property
    def done(self) -> bool:
        """True when no later text can change the reading: the stream may be closed."""
        ...

    def feed(self, delta: Delta) -> Sequence[TextDelta]: ...

    def close(self) -> Outcome: ...
