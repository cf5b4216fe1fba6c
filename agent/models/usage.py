"""Token counts as servers send them, and what they give away about a prompt that was cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from agent.messages import Message, Usage, estimate_tokens

_SMALLEST = 1_500
_RUN = re.compile(r"(.)\1{2,}", re.S)
_ASCII, _OTHER, _IDEOGRAPHS = 0.15, 0.2, 0.45


def read_usage(value: object) -> Usage | None:
    """Usage of a chat completion, or ``None`` where there is none.

    ``prompt_tokens`` counts cached tokens and ``completion_tokens`` reasoning tokens, as OpenAI defines them. Cached
    tokens are OpenAI's ``prompt_tokens_details.cached_tokens``, DeepSeek's ``prompt_cache_hit_tokens`` or Moonshot's
    ``cached_tokens``.
    """
    if not isinstance(value, dict):
        return None
    sent = cast("dict[str, Any]", value)
    cached = (
        _count(_inner(sent, "prompt_tokens_details").get("cached_tokens"))
        or _count(sent.get("prompt_cache_hit_tokens"))
        or _count(sent.get("cached_tokens"))
    )
    usage = Usage(
        _count(sent.get("prompt_tokens")),
        cached,
        _count(sent.get("completion_tokens")),
        _count(_inner(sent, "completion_tokens_details").get("reasoning_tokens")),
    )
    return usage if usage.total else None


def truncation(messages: Sequence[Message], usage: Usage) -> str:
    """A sentence for the user where the server read far less than was sent, else ``""``.

    Ollama answers a prompt that is longer than its window with 200 OK, drops the front of it (the instructions) and
    keeps as little as half a window; ``prompt_tokens`` is the only sign. It is compared with the fewest tokens any
    current tokeniser makes of the text, so that sparse text (tables, rulers, Cyrillic) raises no false alarm.
    """
    texts = [message.content for message in messages]
    texts += [call.arguments for message in messages for call in message.requests]
    estimate = sum(map(estimate_tokens, texts))
    if not usage.input or estimate <= _SMALLEST or usage.input >= 0.6 * estimate:
        return ""
    if usage.input >= sum(map(_fewest, texts)):
        return ""
    return (
        f"The server read only about {usage.input:,} of {estimate:,} tokens: its context window is too small, and the "
        "beginning of the conversation was dropped. Raise num_ctx (for Ollama: OLLAMA_CONTEXT_LENGTH), or choose "
        "another model."
    )


def _fewest(text: str) -> float:
    """Fewer tokens than real ones: runs of one character count as two; 6.7 ASCII letters, 2.2 ideographs a token."""
    dense = _RUN.sub(r"\1\1", text)
    if dense.isascii():
        return len(dense) * _ASCII
    return sum(_ASCII if c < "\x80" else _IDEOGRAPHS if c >= "\u2e80" else _OTHER for c in dense)


def _inner(value: dict[str, Any], name: str) -> dict[str, Any]:
    held = value.get(name)
    return cast("dict[str, Any]", held) if isinstance(held, dict) else {}


def _count(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) and 0 < value < 1e12 else 0
