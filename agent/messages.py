"""What passes between the agent, a model and tools: messages, calls, results, token counts, money, limits."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cache, partial
from operator import attrgetter, is_, not_
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field, JsonValue

from agent.interface_text import Text

Role = Literal["system", "user", "assistant", "tool"]
Told = Literal["full", "shortened", "answer", "question", "recall", "out"]


class Value:
    """A frozen value that is written to and read from JSON; reading refuses fields it does not know."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


class Keyed(Value):
    """A value with sentences for people among its fields.

    A sentence is written in English; ``texts`` has the key and the values that each of ours was filled from, so that
    it comes back as a ``Text`` when the value is read. It is not written where there are none.
    """

    __slots__ = ()
    texts: tuple[Text, ...]

    def __post_init__(self) -> None:
        names, single, several = _sentences(type(self))
        # A glance, without a loop of Python's own: most of what is made has no sentence, and each event is asked.
        if not self.texts and Text not in map(type, single(self)) and not any(several(self)):
            return
        mine: dict[str, str | tuple[str, ...]] = {name: getattr(self, name) for name in names}
        found = [each for value in mine.values() for each in (value if isinstance(value, tuple) else (value,))]
        known = {str(text): text for text in (*self.texts, *found) if isinstance(text, Text)}
        object.__setattr__(self, "texts", tuple(dict.fromkeys(known[each] for each in found if each in known)))
        for name, value in mine.items():
            told = tuple(map(known.get, value, value)) if isinstance(value, tuple) else known.get(value, value)
            object.__setattr__(self, name, told)


@cache
def _sentences(kind: type) -> tuple[list[str], attrgetter[Any], attrgetter[Any]]:
    """The names of the fields that may hold sentences; what reads those of a string, and those of several.

    Both read ``texts``, too, so that they give a tuple however few fields there are.
    """
    names = [each.name for each in fields(kind) if each.type in ("str", "tuple[str, ...]")]
    single = [each.name for each in fields(kind) if each.type == "str"]
    return names, attrgetter("texts", *single), attrgetter("texts", *sorted({*names} - {*single}))


# Which fields are not written; a function of Python's own would take a third of the time of writing an event.
is_empty: Callable[[object], bool] = not_
is_none: Callable[[object], bool] = partial(is_, None)


Texts: TypeAlias = Annotated[tuple[Text, ...], Field(exclude_if=is_empty)]


# What a server sent beside what we read (a signature, its reasoning): a JSON object, kept and sent back unread.
Opaque: TypeAlias = Annotated[str, Field(exclude_if=is_empty)]


@dataclass(frozen=True, slots=True)
class ToolRequest(Value):
    """A call as the model asked for it; ``arguments`` is its text, unread."""

    id: str
    name: str
    arguments: str
    opaque: Opaque = ""


@dataclass(frozen=True, slots=True)
class Artifact(Keyed):
    """Something a step made, kept by the hash of its content.

    ``kind`` is ``text``, ``json``, ``table``, ``cards``, ``chart`` or ``image``. ``content`` travels live to the store
    and is not part of the event: a stored event has only the SHA-256 ``hash`` (hex) and the ``size`` in bytes.
    """

    kind: str
    name: str
    hash: str
    size: int
    content: Annotated[bytes, Field(exclude=True)] = field(default=b"", compare=False, repr=False)
    texts: Texts = ()

    @property
    def data_url(self) -> str:
        """The content of a picture, a PNG or a JPEG, as a data URL (RFC 2397); where it is not here, three dots."""
        if not self.content:
            return f"data:image/…;base64,… ({self.size} bytes)"
        kind = "png" if self.content.startswith(b"\x89PNG") else "jpeg"
        return f"data:image/{kind};base64,{b64encode(self.content).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class Message(Value):
    """One chat message. ``requests`` only with role ``assistant``, ``call_id`` only with role ``tool``.

    ``images`` are the pictures of a question, with their contents where they are to be sent.
    """

    role: Role
    content: str
    requests: tuple[ToolRequest, ...] = ()
    call_id: str = ""
    opaque: Opaque = ""
    images: Annotated[tuple[Artifact, ...], Field(exclude_if=is_empty)] = ()


@dataclass(frozen=True, slots=True)
class Usage(Value):
    """Tokens of one or more calls. ``cached`` is part of ``input``, ``reasoning`` is part of ``output``.

    ``estimated`` says that the server sent no figures and these are ours (see ``estimate_tokens``).
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output

    @property
    def new(self) -> int:
        """Tokens that no call before had sent: a long conversation, which a server keeps, is not counted anew."""
        return self.input - self.cached + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Money(Value):
    """An amount in whole units of ``currency`` (ISO 4217)."""

    amount: Decimal
    currency: str = "USD"


@dataclass(frozen=True, slots=True)
class Limits(Value):
    """When a run is asked to come to an end: model calls, seconds, tokens in and out, US dollars; 0 means no limit."""

    steps: int = 15
    seconds: float = 300.0
    tokens: int = 200_000
    money: float = 0.0


_OF_A_MESSAGE = 4  # tokens that a chat template puts around one
PICTURE_TOKENS = 1_000  # a rough count for one; servers take from 85 to 1,600


def estimate_tokens(text: str) -> int:
    """A rough token count: four Latin characters a token, one token for a character outside ASCII.

    Meant for comparing with a server's own count and for budgets, never for a bill.
    """
    ascii_characters = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return ascii_characters // 4 + (len(text) - ascii_characters) + 1 if text else 0


def message_tokens(messages: Iterable[Message], tools: Iterable[ToolSchema] = ()) -> int:
    """A rough token count of a prompt: texts, pictures, calls, what is kept for the server, and schemas of tools."""
    tokens = 0
    for message in messages:
        tokens += _OF_A_MESSAGE + PICTURE_TOKENS * len(message.images) + estimate_tokens(message.content)
        if message.opaque:
            tokens += estimate_tokens(message.opaque)
        for call in message.requests:
            tokens += sum(map(estimate_tokens, (call.name, call.arguments, call.opaque)))
    for tool in tools:
        tokens += estimate_tokens(tool.name + tool.description) + estimate_tokens(json.dumps(dict(tool.parameters)))
    return tokens


@dataclass(frozen=True, slots=True)
class Facts(Value):
    """What the instructions of a run tell in prose, as values, for a model that works by rules and reads no prose.

    ``today`` is an ISO date, ``tools`` are the names of those that may be called, ``cards`` are of the loaded tables;
    ``documents`` says whether the person has documents beside the handbook, ``notes`` are what they had remembered.
    """

    today: str = ""
    tools: tuple[str, ...] = ()
    cards: tuple[Mapping[str, JsonValue], ...] = ()
    documents: bool = False
    notes: Annotated[tuple[str, ...], Field(exclude_if=is_empty)] = ()


@dataclass(frozen=True, slots=True)
class EarlierTurn(Value):
    """An earlier turn of the conversation, and how much of it a prompt tells.

    ``run`` is the id of its run. It is told in ``full``; ``shortened``, with its first ``masked`` long observations
    (all of them where that is 0) as their beginnings; by question and ``answer``; by its ``question`` alone; only to
    who asks ``recall``; or, as the person wants it, not at all (``out``). ``at`` is how many events the run had where
    it had not ended yet.
    """

    run: str
    told: Told = "full"
    masked: Annotated[int, Field(exclude_if=is_empty)] = 0
    at: Annotated[int | None, Field(exclude_if=is_none)] = None


@dataclass(frozen=True, slots=True)
class Source(Value):
    """Where an observation comes from. ``number`` is the one the model sees, as in ``[1]``."""

    number: int
    title: str
    url: str
    snippet: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class ToolSchema(Value):
    """A tool as a model is told of it; ``parameters`` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
