"""What an error answer of a model's server teaches: a field not to send, one to send, messages to be shaped otherwise.

A lesson is a name, as ``Replied.left_out`` has it: of a field that is not sent (``stop``), with a value where only that
value is refused (``reasoning_effort="minimal"``), or with ``INSISTS`` before it of what the server insists on. Signs
that are fields (status, code, parameter) go before words; words are each server's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_json

from agent.interface_text import Text
from agent.models.opaque import OF_A_CALL, OF_A_MESSAGE
from agent.models.refusals.problems import CONTEXT, Problem
from agent.text.regex import regex

INSISTS = "+"
# Lessons that are no field of the request; the shapes of messages are made in ``message_shapes``.
TURNS, FILLED, NINE, FORTY, WORDS = "+turns", "+content", "+ids_9", "+ids_40", "+ids_word"
# The server has no Responses API for the model; it has nothing else for it, or with tools.
ABSENT, DEMANDED = "responses", "+responses"
# The model writes its calls as text, or its server drops the tools without a word.
AS_TEXT = "+text_calls"
# The model has few parameters: its prompt is a short one.
SMALL = "+short_prompt"
OF_THE_PROMPT = frozenset({AS_TEXT, SMALL})  # nothing else of the request changes by these
NO_SYSTEM, NO_PARTS, NO_IMAGES, NO_OPAQUE = "system", "content", "images", "opaque"

# DeepSeek, Kimi; Gemini; Gemini at OpenRouter; OpenAI's gpt-5.5 and later; DashScope without a stream.
_INSISTED = {
    "+reasoning_content": regex(
        r"reasoning_content.{0,60}(?:must be (?:passed|sent|included|provided)|is (?:missing|required))|"
        r"missing.{0,30}reasoning_content",
        re.I | re.S,
    ),
    "+thought_signature": regex(r"(?:missing|requires?) an? .?thought_?\s?signature", re.I),
    "+reasoning_details": regex(r"reasoning details to be preserved", re.I),
    "+reasoning_effort": regex(r"set .?reasoning_effort.? to .?none", re.I),
    "+enable_thinking": regex(r"enable_thinking.{0,10} (?:must be set to false|only supports? stream)", re.I),
}
# How messages have to be: chat templates (llama.cpp, LM Studio, vLLM) and Mistral; Anthropic and Bedrock; Mistral,
# OpenAI and Anthropic of the ids of calls; templates without a system role.
_SHAPED = {
    TURNS: regex(
        r"(?:roles|conversation|messages) must alternate|system message must be|\bafter role '?tool|"
        r"unexpected role '\w+' after role|2 or more assistant messages at the end",
        re.I,
    ),
    FILLED: regex(r"must have non-empty content|content blocks must be non-empty|contains? empty content", re.I),
    NINE: regex(r"\b3280\b|call id .{0,90}with a length of 9", re.I | re.S),
    FORTY: regex(r"(?:tool_call_id|tool_calls\[\d{1,4}\]\.id)'?: string too long", re.I),
    WORDS: regex(r"(?:tool_use_id|tool_use\.id|tool_call_id)'?: string should match pattern", re.I),
    NO_SYSTEM: regex(r"system role (?:is )?not supported|role'? does not support '?system", re.I),
}
# A picture that is broken, too large or of a wrong format is refused in other words.
_IMAGES = regex(
    r"\bimages?(?:_url|[ _]input|[ _]content)?\W{0,3}(?: type)?\W{0,2}(?:is|are) (?:not|only) "
    r"(?:currently |yet )?(?:supported|enabled|available|allowed)|"
    r"(?:\bnot|n't|cannot|endpoints found that) (?:support|accept|take|process)\w*[^.]{0,30}?"
    r"\b(?:image|vision|multi-?modal)|\bunknown variant .?(?:image_url|input_image)|\bnot an? (?:multi-?modal|vision)|"
    r"\bat most 0 image|missing data required for image",
    re.I,
)
_SEQUENCE = regex(r"invalid type: sequence, expected a string|content.{0,30}(?:must be|expected) a string", re.I)
# What was sent back is not, or is no longer, what this server can read.
_FOREIGN = regex(
    r"invalid_encrypted_content|corrupted thought signature|invalid .?signature|thinking\.signature|"
    r"blocks? in the latest assistant message cannot be modified",
    re.I,
)

_UNSUPPORTED = regex(
    r"unsupported|deprecated for|"
    r"(?:not|n't|only|no)(?: [\w.]+){0,3} (?:support|accept|allow|permit|implement|recogni)|unrecogni[sz]ed|"
    r"(?:unknown|unexpected|extra) (?:name|field|param|arg|key|input|propert)|unknown_parameter|extra_forbidden|"
    r"cannot find field|additional propert|must be verified|cannot use |\(allowed: |invalid reasoning value",
    re.I,
)
# The field is not known, or not taken with any value.
_UNKNOWN = regex(r"unknown|unexpected|extra|unrecogni|propert|unsupported.param|cannot find field", re.I)
_TOO_MANY = regex(r"array_above_max_length|the number of stop_sequences must not", re.I)
# What follows is a field to send instead, or one that was not meant.
_INSTEAD = regex(r"did you mean .*|\buse ['\"`].*|[;.,] (?:please )?use .*|\bwith tools\b", re.I | re.S)
# Ollama, OpenAI, DeepSeek: "… does not support tools / function calling"; vLLM: "… tool choice requires --enable-…";
# llama.cpp (status 500): "tools param requires --jinja flag", "Unsupported param: tools"; OpenRouter (status 404):
# "No endpoints found that support tool use"; Gemini: "Function calling is not enabled for …".
_TOOLS = regex(
    r"(?:support|unsupported|requires?|enabled?|allow|permit|available|accept)\b.{0,60}?\b(?:tools?|tool.choice|function.?call\w*)\b|"
    r"\b(?:tools?|tool.?(?:use|call\w*|choice)|function.?call\w*|functions?)\b.{0,60}?"
    r"(?:support|unsupported|requires? --|not enabled|not allowed|not permitted|not available)",
    re.I | re.S,
)
# What is wrong with a call that was made before tells nothing of tools.
_OF_A_CALL = regex(r"thought.?signature|reasoning.(?:content|details)", re.I)
_TOOL_CHOICE = regex(r"tool[_ ]choice", re.I)
_TOOL_FIELDS = ("tools", "tool_choice", "functions")
_SPELLINGS = {
    "stop": r"stop(?:[_ ]?(?:sequence|word)s?)?",
    "stream_options": r"stream[_ ]options|include_usage",
    "stream": r"stream(?:ing)?",
    "reasoning_effort": r"reasoning[_. ]?(?:effort|value)",
}
# 200 is an error inside a reply that names no status.
_REFUSING = (200, 400, 404, 422, 500, 501)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What to do otherwise from now on; where it is not ``kept``, in this call alone."""

    name: str
    kept: bool = True


def lesson(problem: Problem, body: Mapping[str, Any], learned: Collection[str]) -> Lesson | None:
    """What the refusal of ``body`` teaches beside what is ``learned`` already; ``None`` for nothing new."""
    if problem.status not in _REFUSING or CONTEXT.search(problem.text) or problem.is_unreadable_call:
        return None
    if problem.is_of_a_minute:
        return None
    found = _of_messages(problem, body)
    if found is None:
        sent = [field for field in body if field not in ("model", "messages")]
        name = refused_parameter(problem, [*sent, *sorted(_echoed(body))])
        found = Lesson(_with_value(problem, name, body)) if name else None
    # What a server insists on and then refuses is no lesson, nor is what it refuses although it was not sent.
    return None if found is None or {found.name, f"{INSISTS}{found.name}"} & {*learned} else found


def _of_messages(problem: Problem, body: Mapping[str, Any]) -> Lesson | None:
    """What the server insists on, or refuses in the messages."""
    for name, words in (_INSISTED | _SHAPED).items():
        if words.search(problem.text):
            return Lesson(name)
    parts = [part for message in body["messages"] for part in _parts(message)]
    no_list = bool(_SEQUENCE.search(problem.words))
    if is_of_images(problem) and any(part.get("type") == "image_url" for part in parts):
        return Lesson(NO_IMAGES)
    if no_list and parts:
        return Lesson(NO_PARTS)
    if _FOREIGN.search(problem.text) and (_echoed(body) or parts):
        return Lesson(NO_OPAQUE, kept=False)
    return None


def is_of_images(problem: Problem) -> bool:
    """Whether the model takes no pictures at all, or its server no content in parts, of which pictures are one."""
    return refuses_images(problem) or bool(_SEQUENCE.search(problem.words))


def refuses_images(problem: Problem) -> bool:
    """Whether the error says that the model takes no pictures."""
    return bool(_IMAGES.search(problem.words))


def _parts(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    for part in cast("list[object]", content) if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield cast("dict[str, Any]", part)


def _echoed(body: Mapping[str, Any]) -> set[str]:
    """The fields of messages and calls that the server gets back unread."""
    said = [message for message in body["messages"] if message["role"] == "assistant"]
    calls = [call for message in said for call in message.get("tool_calls") or ()]
    return {field for each in (*said, *calls) for field in each} - OF_A_MESSAGE - OF_A_CALL


def refused_parameter(problem: Problem, sent: Collection[str]) -> str:
    """Which of the body fields ``sent`` the server's error says it does not take, or ``""``.

    A field is only meant where the error says that it is unsupported or unknown: a value out of range, a prompt that
    is too long or a tool call the server could not read are none of that.
    """
    text = problem.text
    if problem.status not in _REFUSING or CONTEXT.search(text) or problem.is_unreadable_call:
        return ""
    unsupported = problem.status < 500 and bool(_UNSUPPORTED.search(text))
    if "stop" in sent and _TOO_MANY.search(text):
        return "stop"
    if problem.param and problem.param not in (*sent, "messages", "input", *_TOOL_FIELDS):
        return ""
    if problem.param in sent and unsupported:
        return problem.param
    if "tool_choice" in sent and _TOOL_CHOICE.search(text):
        return "tool_choice"
    of_one = is_of_one_tool(problem) or _OF_A_CALL.search(text)
    if "tools" in sent and not of_one and (problem.param == "functions" or _TOOLS.search(text)):
        return "tools"
    return _named(_INSTEAD.sub("", problem.words), sent) if unsupported else ""


def is_of_one_tool(problem: Problem) -> bool:
    """Whether the error is about the name or the schema of a tool: that tells nothing of what the model takes."""
    inside = problem.path.startswith(("tools[", "tools.", "functions[", "functions."))
    return problem.status in _REFUSING and (inside or bool(re.match(r"tools\.\d", problem.message)))


def _named(message: str, sent: Collection[str]) -> str:
    """The field that is named first; ``presencePenalty`` and ``presence penalty`` are ``presence_penalty``."""
    places = [
        (found.start(), name)
        for name in sent
        if (found := re.search(rf"(?<!\w)(?:{_SPELLINGS.get(name, _spelling(name))})(?!\w)", message, re.I))
    ]
    return min(places)[1] if places else ""


def _spelling(name: str) -> str:
    return "[_ ]?".join(map(re.escape, name.split("_")))


def _with_value(problem: Problem, name: str, body: Mapping[str, Any]) -> str:
    """The name, with the value that was sent where the error is about that one: others may be taken."""
    if _UNKNOWN.search(problem.text):
        return name
    value: object = body.get(name)
    words = cast("dict[str, object]", value).values() if isinstance(value, dict) else (value,)
    if any(isinstance(word, str) and re.search(rf"\b{re.escape(word)}\b", problem.words) for word in words if word):
        return _valued(name, cast("object", value))
    return name


def is_refused(name: str, value: object, learned: Collection[str]) -> bool:
    """Whether the field, or this value of it, is not to be sent."""
    if name in learned:
        return True
    return any(each.startswith(f"{name}=") for each in learned) and _valued(name, value) in learned


def opposite(name: str) -> str:
    """The lesson that cannot hold beside this one."""
    return name.removeprefix(INSISTS) if name.startswith(INSISTS) else f"{INSISTS}{name}"


def _valued(name: str, value: object) -> str:
    return f"{name}={to_json(value).decode()}"


def note(name: str) -> Text:
    """The sentence that tells a person what was learned."""
    if name in _NOTES:
        return _NOTES[name]
    if name.startswith(INSISTS):
        return Text("This model insists on ‘{name}’; sent with it.", name=name.removeprefix(INSISTS))
    return Text("This server takes no ‘{name}’; sent without it.", name=name)


_IDS = Text("This server wants the ids of calls in a form of its own; sent in that form.")
_NOTES = {
    AS_TEXT: Text("Calls of tools are lost or come as text here; tools are called in plain text."),
    SMALL: Text("This model is a small one: its prompt is short, and “Automatic” calls tools in plain text."),
    DEMANDED: Text("This server wants this model to be asked over its Responses API; asked there."),
    ABSENT: Text("This server has no Responses API for this model; asked over chat completions."),
    "stream": Text("This server does not stream this model; the reply comes whole."),
    "tools": Text("This server takes no tools for this model; they are called in plain text."),
    "tool_choice": Text("This server takes no ‘tool_choice’; asked for the answer without tools."),
    "max_tokens": Text("This server takes no ‘max_tokens’; sent as ‘max_completion_tokens’."),
    TURNS: Text("This model wants the person and the assistant to take turns; the messages were sent so."),
    FILLED: Text("This server takes no empty messages; sent without them."),
    NINE: _IDS,
    FORTY: _IDS,
    WORDS: _IDS,
    NO_SYSTEM: Text("This model takes no system message; sent with the first question."),
    NO_PARTS: Text("This server takes texts only, no lists of parts; sent so."),
    NO_IMAGES: Text("This model takes no images; sent without them."),
    NO_OPAQUE: Text("The server could not read again what it had sent with its replies; sent without that."),
}
