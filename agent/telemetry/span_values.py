"""What is told of a run: spans as plain values, and what the semantic conventions call the parts of them.

Names of attributes are those of the semantic conventions of OpenTelemetry for generative AI, version 1.41 (the last one
before they moved to a repository of their own), as the pinned ``opentelemetry-semantic-conventions`` has them; what
they have no name for begins with ``glassbox.``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from agent.messages import Usage

SpanKind: TypeAlias = Literal["run", "model", "tool"]
Attribute: TypeAlias = str | int | float | bool | tuple[str, ...]
SECOND = 1_000_000_000  # nanoseconds
LONGEST_NAME = 100  # characters of a name that a person or a server chose
# Of every span of a run that an evaluation asked; of one whose model's replies were recorded before, so that nobody was
# asked and nothing was paid.
PURPOSE, REPLAYED = "glassbox.run.purpose", "glassbox.replayed"
_DEMO = "demo"
# How the registry of the conventions calls the servers it knows; others speak OpenAI's language.
_PROVIDERS = {
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gcp.gemini",
    "api.mistral.ai": "mistral_ai",
    "api.groq.com": "groq",
    "api.deepseek.com": "deepseek",
    "api.x.ai": "x_ai",
    "api.perplexity.ai": "perplexity",
    "api.cohere.ai": "cohere",
}


@dataclass(frozen=True, slots=True)
class RunSpan:
    """What is told of a run or a call. Times are nanoseconds since the epoch; ``parent`` is 0 for the root.

    ``error`` is a kind of failure, or "". ``money`` is in US dollars, ``None`` where no price is known.
    """

    kind: SpanKind
    name: str
    trace: int
    id: int
    parent: int
    start: int
    end: int
    attributes: Mapping[str, Attribute]
    error: str = ""
    money: float | None = None

    @property
    def seconds(self) -> float:
        return (self.end - self.start) / SECOND


@dataclass(frozen=True, slots=True)
class Subject:
    """What a run is known by outside: ids that name nobody, and the model it begins with.

    ``shown`` gives of a text of the person, the model or a tool what may be told; ``None`` to tell none. ``tested``
    says that an evaluation asked; ``replayed`` that no model did, as its replies were recorded before.
    """

    run: str
    conversation: str
    model: str
    endpoint: str
    shown: Callable[[str], str] | None = None
    tested: bool = False
    replayed: bool = False

    @property
    def trace(self) -> int:
        """The id of the run's trace. Evenly spread over all ids, as samplers want it."""
        return int.from_bytes(sha256(f"trace {self.run}".encode()).digest()[:16]) or 1

    def span(self, name: str) -> int:
        return int.from_bytes(sha256(f"span {self.run} {name}".encode()).digest()[:8]) or 1


def trace_id(run: str) -> str:
    """The id of a run's trace, as 32 hexadecimal digits."""
    return f"{Subject(run, '', '', '').trace:032x}"


def provider(endpoint: str) -> str:
    """How the conventions call whose server it is."""
    host = urlsplit(endpoint).hostname or ""
    if endpoint == _DEMO:
        return "glassbox.demo"
    return "azure.ai.openai" if host.endswith(".openai.azure.com") else _PROVIDERS.get(host, "openai")


def of_model(endpoint: str, model: str, conversation: str) -> dict[str, Attribute]:
    """Which model is asked, where, for which conversation."""
    told: dict[str, Attribute] = {
        "gen_ai.provider.name": provider(endpoint),
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": conversation,
    }
    parts = urlsplit(endpoint)
    if parts.hostname:
        told["server.address"] = parts.hostname
        told["server.port"] = parts.port or (80 if parts.scheme == "http" else 443)
    return told


def model_name(endpoint: str, model: str) -> str:
    return _DEMO if endpoint == _DEMO else str(model)[:LONGEST_NAME]


def of_usage(usage: Usage) -> dict[str, Attribute]:
    told: dict[str, Attribute] = {
        "gen_ai.usage.input_tokens": usage.input,
        "gen_ai.usage.output_tokens": usage.output,
        "gen_ai.usage.cache_read.input_tokens": usage.cached,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
    }
    return {**told, "glassbox.usage.estimated": True} if usage.estimated else told
