"""The events at which a run stands still and is taken further: for the person, or as its process was gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from agent.messages import Keyed, Money, Texts, Usage, Value, is_empty, is_none

WaitingKind = Literal["question", "approval"]
Decision = Literal["answered", "skipped", "allowed", "always", "edited", "denied"]


@dataclass(frozen=True, slots=True)
class Waiting(Keyed):
    """A call waits for the person, since ``time``, in seconds since the epoch.

    Of a ``question``, ``text`` is what the agent asks and ``choices`` are answers to pick from. Of an ``approval``,
    ``text`` says why it is asked for, and ``choices`` are the decisions to pick from. With ``again``, which is written
    only then, the process that made the call was gone, and nobody knows whether it was made.
    """

    call_id: str
    kind: WaitingKind
    text: str
    choices: tuple[str, ...] = ()
    time: float = 0.0
    texts: Texts = ()
    again: Annotated[bool, Field(exclude_if=is_empty)] = False
    type: Literal["Waiting"] = "Waiting"


@dataclass(frozen=True, slots=True)
class Decided(Value):
    """What the person said to a call that waited, after ``seconds``.

    A question is ``answered`` by ``text`` or ``skipped``. A call is ``allowed`` this once or ``always`` in this chat,
    made with the person's ``arguments`` (``edited``), or ``denied``, with the reason as ``text``. The model is told
    by the ``Observed`` that follows, and by nothing else.
    """

    call_id: str
    decision: Decision
    text: str = ""
    arguments: Mapping[str, JsonValue] | None = None
    seconds: float = 0.0
    type: Literal["Decided"] = "Decided"


@dataclass(frozen=True, slots=True)
class Resumed(Value):
    """The process that worked on the run was gone; the run was taken up from here, at ``time``.

    A reply in flight is asked for again: what it had used is told as ``usage``, an estimate, and ``price``; no tokens
    where none was in flight. ``seconds`` are those of what was in flight; the time until the run was taken up does not
    count. A call in flight is made again if that changes nothing, else the run waits for the person.
    """

    time: float
    usage: Usage
    seconds: float = 0.0
    price: Annotated[Money | None, Field(exclude_if=is_none)] = None
    type: Literal["Resumed"] = "Resumed"
