"""The one shape every model has: a request goes in, deltas come out."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from pydantic import JsonValue

from agent.events import ToolSchema
from agent.messages import Facts, Message, Usage, estimate_tokens, message_tokens

# Seconds: a small machine reads ten tokens of a prompt in one.
LONGEST_SILENCE = 300.0


@dataclass(frozen=True, slots=True)
class Request:
    """One model call, as the wire made it; how it is put on the network is the model's business.

    ``tools`` is empty on the text wire. ``may_call`` is false where the model must answer without calling a tool.
    ``stop`` is a wish: a model may ignore it or have no such parameter. ``purpose`` says what the call is for.
    ``language`` is that of the instructions and their labels, ``facts`` what they tell; ``None`` where it was not kept.
    ``question`` is the one to be answered; the messages of its turn begin in ``messages[since]``.
    ``prompt_cache_key`` is one for all prompts of a conversation, where the server takes such a thing, else "".
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    may_call: bool = True
    stop: tuple[str, ...] = ()
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    purpose: Literal["step", "merge"] = "step"
    language: str = "en"
    facts: Facts | None = None
    question: str = ""
    since: int = 0
    prompt_cache_key: str = ""

    @property
    def tokens(self) -> int:
        """A rough count of what is sent."""
        return message_tokens(self.messages, self.tools)


def estimated_usage(request: Request, reply: str) -> Usage:
    """A rough count of what a call took whose server told none; ``reply`` is all that came, thoughts and calls too."""
    return Usage(input=request.tokens, output=estimate_tokens(reply), estimated=True)


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A fragment of a native tool call; fragments of one call share ``index`` and their ``arguments`` are joined."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""
    opaque: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """One chunk of a reply. ``note`` is a sentence for the user about this call; ``usage`` replaces earlier usage.

    ``left_out`` are as in ``Replied``. ``opaque`` is what else the message or the call has, as in ``Replied``, whole.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[CallDelta, ...] = ()
    usage: Usage | None = None
    finish: str = ""
    note: str = ""
    left_out: tuple[str, ...] = ()
    opaque: str = ""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for: seconds to ``connect``, and of ``silence`` after that.

    An error answer is read for ``telling`` seconds at most. After one that may pass the server is asked up to
    ``retries`` times more, unless it wants a pause of more than ``longest_wait`` seconds.
    """

    connect: float = 5.0
    silence: float = LONGEST_SILENCE
    retries: int = 2
    longest_wait: float = 20.0
    telling: float = 5.0


class Model(Protocol):
    """A language model, or something that plays one.

    ``stream`` yields the reply and raises ``ModelFailed`` where there is none or it breaks off; ``ToolsRefused``
    where the server takes no tool schemas. Closing the iterator closes the connection.
    """

    @property
    def name(self) -> str:
        """The model's name as its server knows it."""
        ...

    @property
    def endpoint(self) -> str:
        """The server's address, or a word for a model that has none. Never holds a key."""
        ...

    @property
    def takes_tools(self) -> bool:
        """Whether native tool calls are worth trying."""
        ...

    def stream(self, request: Request) -> Generator[Delta]: ...

    def close(self) -> None:
        """Give back what is kept between calls (connections); a later call takes it anew."""
        ...


@runtime_checkable
class Taught(Protocol):
    """A model that can learn that its native calls are lost, or come as text: ``takes_tools`` is false from then on."""

    def prefer_text(self) -> None: ...
