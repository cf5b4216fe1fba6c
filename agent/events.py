"""The closed union of events a run is made of, and its one (de)serialiser.

A run is ``Asked → Merged? → Prepared → (MadeRoom? → TextDelta* → Replied → (ToolCalled → (Waiting → Decided)? →
Observed)*)* → Answered | Failed``. One that ends in ``Waiting`` has not ended: it goes on from there once the person
has ``Decided``. Where the process that worked on a run was gone, a ``Resumed`` stands, anywhere.
An ``Observed`` without a call of its own (empty ``call_id``) is the loop speaking to the model: a reply that could not
be read (``format``), a limit that was reached (``limit``), an answer that is to be checked (``insist``).
An ``Inner`` may stand between a call and what came of it.
``Prepared`` comes a second time where a server turns out to take no tool schemas; later prompts are computed from the
last one.

Times are seconds; ``Asked.time`` is seconds since the epoch.

Each kind has a version, see ``agent.upcasters``. An event says under ``v`` in which it was written; nothing there means
1, which is all that a kind without the field has had. It is written again in the version in which it was read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Literal, TypeAlias, cast, get_args

from pydantic import Field, JsonValue, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from agent.interruptions import Decided, Resumed, Waiting
from agent.messages import (
    Artifact,
    EarlierTurn,
    Facts,
    Keyed,
    Limits,
    Message,
    Money,
    Opaque,
    Source,
    Texts,
    ToolSchema,
    Usage,
    Value,
    is_empty,
    is_none,
)
from agent.upcasters import NotAnEvent, unknown, up_to_date

WireName = Literal["react", "native"]
StyleName = Literal["react", "conversational"]
LimitName = Literal["steps", "seconds", "tokens", "money", "unreadable", "repeats", "asked"]
FailedReason = Literal["model", "limit", "budget", "cancelled", "interrupted", "error"]


@dataclass(frozen=True, slots=True)
class Asked(Value):
    """The question as typed. ``attachments`` name what came with it: each table, its file and columns.

    ``artifacts`` are the pictures that the person attached: PNG or JPEG, written anew within bounds. ``parent`` and
    ``at`` say which run this one branches from, after how many events. ``compares`` says that it was asked again to
    compare its answer with that of ``parent``; not written where it was not. ``imported`` says that the run came from a
    file or from somebody else's chat, or goes on from such a one: all of it is other people's text. ``refused`` has a
    line on each file that came with it and could not be loaded, as a model is told it.
    """

    question: str
    time: float
    attachments: tuple[str, ...] = ()
    parent: str = ""
    at: int | None = None
    artifacts: Annotated[tuple[Artifact, ...], Field(exclude_if=is_empty)] = ()
    compares: Annotated[bool, Field(exclude_if=is_empty)] = False
    imported: Annotated[bool, Field(exclude_if=is_empty)] = False
    refused: Annotated[tuple[str, ...], Field(exclude_if=is_empty)] = ()
    type: Literal["Asked"] = "Asked"


@dataclass(frozen=True, slots=True)
class Merged(Keyed):
    """The standalone question made of the history and a follow-up.

    ``error`` says why merging failed; ``question`` is then the question as typed. ``left_out`` as in ``Replied``.
    """

    question: str
    request: tuple[Message, ...]
    reply: str
    usage: Usage
    seconds: float
    price: Money | None = None
    error: str = ""
    left_out: tuple[str, ...] = ()
    texts: Texts = ()
    type: Literal["Merged"] = "Merged"


def _is_first(version: object) -> bool:
    return version == 1


@dataclass(frozen=True, slots=True)
class Prepared(Value):
    """All that the prompts of this run are computed from, beside the events that follow and those of earlier ``turns``.

    ``turns`` are the earlier turns of the conversation, oldest first; none where all of them, so many as ``carried``,
    are told as the run before told them, and it as it told itself. ``system`` is that of the first turn since room was
    made: what has changed since then is told as ``news`` before the question. ``parts`` has a hash of each part of the
    instructions that hold now, by name, and the date under ``today``; ``sizes`` the characters that each part takes of
    ``system``, in the order they are told. ``prompt_cache_key`` is as in ``Request``.

    ``limits`` are those of the whole run; ``None``, which is not written, in runs of before they were kept.
    ``prompts`` are a person's own templates, by name, with which the run is told; not written where there are none.
    ``facts`` are what ``system`` tells, as values; ``None``, which is not written, in runs of before they were kept.
    ``lead`` stands right before the question in a short prompt: the tools that it most likely needs, and a label.
    ``after_results`` is said behind each result of a tool. ``relabelled`` says that earlier turns of the other wire are
    told as this one writes them; otherwise their replies are told as they came, with or without labels. What is
    ``imported`` was prepared elsewhere, and instructs no other run.
    """

    question: str
    system: str
    tools: tuple[ToolSchema, ...]
    wire: WireName
    model: str
    endpoint: str
    language: str = "en"
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    limits: Annotated[Limits | None, Field(exclude_if=is_none)] = None
    prompts: Annotated[Mapping[str, str], Field(exclude_if=is_empty)] = field(default_factory=dict[str, str])
    facts: Annotated[Facts | None, Field(exclude_if=is_none)] = None
    turns: Annotated[tuple[EarlierTurn, ...], Field(exclude_if=is_empty)] = ()
    news: Annotated[str, Field(exclude_if=is_empty)] = ""
    parts: Annotated[Mapping[str, str], Field(exclude_if=is_empty)] = field(default_factory=dict[str, str])
    sizes: Annotated[Mapping[str, int], Field(exclude_if=is_empty)] = field(default_factory=dict[str, int])
    carried: Annotated[int, Field(exclude_if=is_empty)] = 0
    prompt_cache_key: Annotated[str, Field(exclude_if=is_empty)] = ""
    lead: Annotated[str, Field(exclude_if=is_empty)] = ""
    after_results: Annotated[str, Field(exclude_if=is_empty)] = ""
    relabelled: Annotated[bool, Field(exclude_if=is_empty)] = False
    imported: Annotated[bool, Field(exclude_if=is_empty)] = False
    v: Annotated[Literal[1, 2, 3], Field(exclude_if=_is_first)] = 3
    type: Literal["Prepared"] = "Prepared"

    @property
    def before(self) -> int:
        """How many earlier turns there are."""
        return len(self.turns) or self.carried


@dataclass(frozen=True, slots=True)
class MadeRoom(Value):
    """Less of the conversation is told from here on: its prompt had become too long for the model's window.

    ``turns`` stand in place of those of ``Prepared``; the first ``masked`` long observations of this run are shortened,
    too. ``before`` and ``after`` are tokens of the prompt as we estimate them, of a ``window`` of tokens. With
    ``refused``, the server had refused the prompt as too long.
    """

    turns: tuple[EarlierTurn, ...]
    before: int
    after: int
    window: int
    masked: int = 0
    refused: bool = False
    type: Literal["MadeRoom"] = "MadeRoom"


@dataclass(frozen=True, slots=True)
class TextDelta(Value):
    """Text as it streams; live only: it is no event of a stored run."""

    channel: Literal["thought", "answer"]
    text: str
    type: Literal["TextDelta"] = "TextDelta"


@dataclass(frozen=True, slots=True)
class Replied(Keyed):
    """One reply of the model.

    ``text`` is the reply up to the cut and ``cut`` what came after it before the stream was closed; ``text + cut`` is
    what the server sent as content. ``dropped`` is an answer that was not the last word: it lost against a call in the
    same reply, or the model was then asked to check it. ``notes`` are things to tell the user about the call (a refused
    parameter, a truncated prompt). ``unfinished`` marks a reply that was stopped or broke off. ``left_out`` are the
    request's fields that were not sent, as the server refuses them (with a value where it is only that one), and with
    a ``+`` what was sent because it insists on it (see ``agent.models.refusals.lessons``). ``edited`` marks a reply
    that a person wrote. ``opaque`` goes back to the model that sent it.
    """

    text: str
    thought: str
    usage: Usage
    seconds: float
    first_token: float
    reasoning: str = ""
    cut: str = ""
    dropped: str = ""
    repairs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    finish: str = ""
    price: Money | None = None
    unfinished: bool = False
    left_out: tuple[str, ...] = ()
    edited: bool = False
    opaque: Opaque = ""
    texts: Texts = ()
    type: Literal["Replied"] = "Replied"


@dataclass(frozen=True, slots=True)
class ToolCalled(Keyed):
    """A call about to be made. ``input`` is the model's text; ``arguments`` are the validated values, as JSON.

    ``arguments`` is ``None`` where the call could not be made: its ``Observed`` says why. ``own`` is the tool's own
    name, not written where the model was told of it by that name. ``opaque`` is as in ``Replied``.
    """

    call_id: str
    tool: str
    input: str
    arguments: Mapping[str, JsonValue] | None
    repairs: tuple[str, ...] = ()
    own: Annotated[str, Field(exclude_if=is_empty)] = ""
    opaque: Opaque = ""
    texts: Texts = ()
    type: Literal["ToolCalled"] = "ToolCalled"

    @property
    def own_name(self) -> str:
        return self.own or self.tool


@dataclass(frozen=True, slots=True)
class Observed(Keyed):
    """What came of a call. ``text`` is what the model is shown; ``error`` is a kind of ``agent.errors`` or empty.

    ``edited`` marks an observation that a person wrote in place of the tool's. ``limit`` is the one that the model was
    told of (``error`` is then ``limit``; ``None`` where version 1 did not keep it). ``claims`` counts those that it was
    asked to check (``error`` is then ``insist``). ``repairs`` says what the tool changed of what it was given.
    """

    call_id: str
    text: str
    seconds: float = 0.0
    error: str = ""
    artifacts: tuple[Artifact, ...] = ()
    sources: tuple[Source, ...] = ()
    cached: bool = False
    edited: bool = False
    limit: Annotated[LimitName | None, Field(exclude_if=is_none)] = None
    claims: Annotated[int, Field(exclude_if=is_empty)] = 0
    repairs: tuple[str, ...] = ()
    texts: Texts = ()
    v: Annotated[Literal[1, 2, 3], Field(exclude_if=_is_first)] = 3
    type: Literal["Observed"] = "Observed"


@dataclass(frozen=True, slots=True)
class Answered(Value):
    """The end of a run that has an answer.

    ``reason``: ``final_answer`` (labelled), ``plain`` (prose without a label), ``stop`` (native), ``length`` (cut by
    the server at its length limit), ``limit``, or ``direct`` (the result of a tool, as it is).
    """

    text: str
    next_questions: tuple[str, ...] = ()
    reason: str = "final_answer"
    type: Literal["Answered"] = "Answered"


@dataclass(frozen=True, slots=True)
class Failed(Keyed):
    """The end of a run without a full answer. ``reference`` finds the traceback of our own bug in the log."""

    reason: FailedReason
    message: str
    partial: str = ""
    reference: str = ""
    texts: Texts = ()
    type: Literal["Failed"] = "Failed"


@dataclass(frozen=True, slots=True)
class Inner(Value):
    """An event of the run of an agent that is the tool of the open call ``call_id``, within the run that called it.

    Together they are a run from ``Prepared`` to ``Answered`` or ``Failed``, without the person's part, and without
    ``TextDelta``.
    """

    call_id: str
    event: Annotated[Event, Field(discriminator="type")]
    type: Literal["Inner"] = "Inner"


Event: TypeAlias = (
    Asked | Merged | Prepared | MadeRoom | TextDelta | Replied | ToolCalled | Waiting | Decided | Inner | Observed
    | Answered | Failed | Resumed
)  # fmt: skip
EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def dump(event: Event) -> str:
    """One line of JSON with the event's name under ``type``; ``load`` gives the equal event back.

    Halves of characters, which no text that is kept can have, are replaced.
    """
    try:
        return _adapter(type(event)).dump_json(event, exclude=unknown(event)).decode()
    except PydanticSerializationError:
        told = _adapter(type(event)).dump_python(event, mode="json", exclude=unknown(event))
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def load(line: str | bytes) -> Event:
    """Read ``dump``'s line, of this version or an earlier one.

    Raises ``NotAnEvent`` for anything that is not exactly an event: an unknown type or version, a missing or unknown
    field, a value of the wrong type.
    """
    try:
        return _union().validate_json(up_to_date(line), strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise NotAnEvent(place or "line", first["type"]) from None


_adapter = cast("Callable[[type[Event]], TypeAdapter[Event]]", cache(TypeAdapter))


@cache
def _union() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="type")])
