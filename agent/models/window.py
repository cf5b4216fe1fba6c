"""How many tokens a model can be sent at once, where that is known from, and how a server has read a prompt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from pydantic_core import to_json

from agent.events import ToolSchema
from agent.interface_text import Text
from agent.messages import Message, Usage, estimate_tokens
from agent.text.regex import regex
from agent.web.endpoint import is_private

# Values in servers' lists below this are no windows.
SMALLEST = 1_024
_LARGEST = 100_000_000
# Servers on one's own machine run most models with a few thousand tokens, whatever the models could do.
_GUESS, _PRIVATE_GUESS = 128_000, 8_000
_LONGEST_TEXT = 4_000

# Where a row of a list of models tells its window: what runs goes before what the model could do. Limits of replies
# (max_tokens, max_completion_tokens, max_output_tokens) are none of these.
_PLACES = (
    ("loaded_context_length",),  # LM Studio
    ("top_provider", "context_length"),  # OpenRouter
    ("context_length",),  # OpenRouter, Together, Kimi
    ("max_model_len",),  # vLLM, SGLang
    ("context_window",),  # Groq
    ("max_input_tokens",),  # Anthropic, LiteLLM
    ("max_context_length",),  # Mistral
    ("inputTokenLimit",),  # Gemini's own list
    ("meta", "n_ctx"),  # llama.cpp, for each slot
    ("model_info", "max_input_tokens"),  # LiteLLM
    ("model_info", "context_length"),
    ("model_info", "context_window"),
)
_N = r"(\d[\d,]{0,11})"
# The limit in a refusal, as servers word it; never the size of what was sent, which most of them name as well.
_LIMITS = tuple(
    regex(pattern, re.I)
    for pattern in (
        rf"maximum (?:context|model|prompt|input) length(?: is| of|:) {_N}",  # OpenAI, DeepSeek, OpenRouter, vLLM, xAI
        rf"with {_N} maximum context length",  # Mistral
        rf"maximum number of (?:input )?tokens allowed \({_N}",  # Gemini
        rf"> {_N} maximum",  # Anthropic
        rf"exceed context limit: \d{{1,9}} \+ \d{{1,9}} > {_N}",  # Anthropic, with the reply counted in
        # SGLang "context length (4096 tokens)", LM Studio "… of only 4096 tokens", llama.cpp "context size (4096 …)".
        rf"context (?:length|size|window)(?: is| of)?(?: only)? \(?{_N}",
        rf"model token limit: {_N}",  # Kimi
        rf"\bn_ctx[\"']?(?: ?[:=(] ?| ){_N}",  # LM Studio, llama.cpp
        rf"tokens \+ \W?max_new_tokens\W{{1,3}}must be <= {_N}",  # TGI: the prompt and its reply
        rf"inputs\W{{1,3}}must have less than {_N} tokens",  # TGI
        rf"exceeds? the (?:configured )?limit of {_N}",  # Copilot, OpenAI
        rf"input length should be \[\d{{1,9}}, ?{_N}\]",  # DashScope
    )
)

Source = Literal["server", "table", "refusal", "setting", "guess"]


_SHORTEST = 1_500  # tokens of a prompt: whether a smaller one was cut cannot be told
_RUN = regex(r"(.)\1{2,}", re.S)
# Tokens of a character, at least.
_ASCII, _OTHER, _IDEOGRAPHS = 0.15, 0.2, 0.45


@dataclass(frozen=True, slots=True)
class Window:
    """The most ``tokens`` of a prompt, its reply counted in where the server counts both together.

    ``source`` says who knows: the ``server`` told or showed it, the ``table`` of known models has it, a ``refusal``
    named it, it is a ``setting`` of a person's or the owner's, or it is a ``guess``.
    """

    tokens: int
    source: Source


def guessed(endpoint: str) -> Window:
    """What to go by where nothing is known. ``endpoint`` is normalised, or a word for a model without an address."""
    return Window(_PRIVATE_GUESS if is_private(endpoint) else _GUESS, "guess")


def row_window(row: Mapping[str, Any]) -> Window | None:
    """The window that a model's row of any server's list tells, if any.

    LM Studio's rows of models that are not loaded tell what the model could do, not with what it will be loaded.
    """
    if row.get("state") == "not-loaded":
        return None
    found = (tokens_in(row, *place) for place in _PLACES)
    return next((Window(tokens, "server") for tokens in found if tokens), None)


def tokens_in(value: object, *place: str) -> int:
    """The number of tokens at a ``place``, keys from the outside in; 0 where there is none that can be a window."""
    for key in place:
        value = cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None
    return tokens_of(value)


def tokens_of(value: object) -> int:
    """A number of tokens, written as a number or in digits; 0 for what cannot be a window."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if SMALLEST <= value <= _LARGEST else 0


def rows_of(answer: object) -> list[dict[str, Any]] | None:
    """The rows of a list of models: OpenAI's form (``data``), Ollama's (``models``) or a bare list; else ``None``."""
    if isinstance(answer, dict):
        sent = cast("dict[str, Any]", answer)
        answer = sent.get("data") if "data" in sent else sent.get("models")
        if answer is None and sent.get("object") == "list":
            # Ollama without any model: "data": null.
            return []
    if not isinstance(answer, list):
        return None
    return [cast("dict[str, Any]", row) for row in cast("Sequence[object]", answer) if isinstance(row, dict)]


def row_name(row: Mapping[str, Any]) -> str:
    """The name of the model in its row. Gemini lists "models/gemini-…" and takes both."""
    return str(row.get("id") or row.get("name") or "").removeprefix("models/")


def number_in(text: str) -> int | None:
    """The limit that the ``text`` of a refused length names, in tokens; ``None`` where it names none."""
    head = text[:_LONGEST_TEXT]
    found = (pattern.search(head) for pattern in _LIMITS)
    numbers = (int(match[1].replace(",", "")) for match in found if match)
    return next((number for number in numbers if 0 < number <= _LARGEST), None)


def truncation(messages: Sequence[Message], usage: Usage) -> str:
    """A sentence for the user where the server read far less than was sent, else ``""``.

    Ollama answers a prompt that is longer than its window with 200 OK, drops the front of it (the instructions) and
    keeps as little as half a window; ``prompt_tokens`` is the only sign. It is compared with the fewest tokens any
    current tokeniser makes of the text, so that sparse text (tables, rulers, Cyrillic) raises no false alarm.
    """
    if not usage.input:
        return ""
    texts = [message.content for message in messages]
    texts += [call.arguments for message in messages for call in message.requests]
    most = estimate_tokens("".join(texts)) + len(texts)
    if most <= _SHORTEST or usage.input >= 0.6 * most:
        return ""  # no estimate of them one by one is higher, and that of most prompts need not be known
    estimate = sum(map(estimate_tokens, texts))
    if estimate <= _SHORTEST or usage.input >= 0.6 * estimate:
        return ""
    if usage.input >= sum(map(_fewest, texts)):
        return ""
    return Text(
        "The server read only about {read:,} of {sent:,} tokens: its context window is too small, and the beginning of "
        "the conversation was dropped. Raise num_ctx (for Ollama: OLLAMA_CONTEXT_LENGTH), or choose another model.",
        read=usage.input,
        sent=estimate,
    )


def _fewest(text: str) -> float:
    """Fewer tokens than real ones: runs of one character count as two; 6.7 ASCII letters, 2.2 ideographs a token."""
    dense = _RUN.sub(r"\1\1", text)
    if dense.isascii():
        return len(dense) * _ASCII
    return sum(_ASCII if c < "\x80" else _IDEOGRAPHS if c >= "\u2e80" else _OTHER for c in dense)


def drops_tools(messages: Sequence[Message], tools: Sequence[ToolSchema], usage: Usage) -> bool:
    """Whether the server's count is that of the messages alone: its chat template has no place for tools.

    Only told where the tools make up so much of the prompt that no tokeniser's ways explain the difference, and not of
    a count that is far below the messages, too: that one leaves out what a cache had.
    """
    said = sum(estimate_tokens(message.content) for message in messages)
    schemas = sum(estimate_tokens(to_json(asdict(tool)).decode()) for tool in tools)
    telling = schemas > 0.7 * said and not usage.estimated
    return telling and 0.5 * said < usage.input < 1.1 * said + 0.15 * schemas
