"""Whether a text begins a call of a declared tool: decided by its name, long before the call is whole."""

from __future__ import annotations

from typing import TypeAlias

from agent.text.regex import regex
from agent.wire.dialects.call_forms import (
    ARGUMENT_KEYS,
    BELOW,
    BESIDE_KEYS,
    LIST_KEYS,
    NAME_KEYS,
)
from agent.wire.dialects.call_values import NAMESPACES, Declared, declared
from agent.wire.dialects.openers import BETWEEN_STARTS, NOISE, SEPARATOR, STARTS, WORD_STARTS, starts_of
from agent.wire.dialects.tag_forms import HEAD, HEAD_NAME, NAMED

# ``None`` while it is undecided. A text that goes on changes no other verdict.
Verdict: TypeAlias = bool | None

_OPEN_CALL, _SEP = "<|open|>call ", "<|sep|>"
_LEADS = ("call:", "print(")
_CHANNELS = ("commentary to=", "analysis to=", "assistant to=", "to=functions.")
_STARTS = STARTS | WORD_STARTS | BETWEEN_STARTS
_CHANNEL_STARTS = starts_of(_CHANNELS)
# What may stand before a name, in order, and how each may begin.
_BEFORE_NAMES = tuple((words, starts_of(words)) for words in (_LEADS, NAMESPACES))
_NAME = regex(r"[\w.-]{1,100}+")
_NAMED_SO_FAR = regex(r"<(?:tool_)?name>\s{0,99}+[\w.-]{0,100}+\s{0,99}+(?:</?+[a-z_]{0,9}+)?+\Z")
_BRACKETS = regex(r"(?:[\[{]\s{0,99}+){1,3}+")
_KEY = regex(r"[\"']([^\"'\\]{1,40}+)[\"']\s{0,9}+:\s{0,99}+")
_TEXT = regex(r"[\"']([^\"'\\]{0,100}+)[\"']")
_SCALAR = regex(r"(?:[\"'][^\"'\\]{0,200}+[\"']|[\w.-]{1,40}+)\s{0,9}+,\s{0,99}+")
_IN_PYTHON, _MOST_FENCE = "```pythontool_call(", 60  # without blanks, and its characters with them
# In so many characters a call says which tool it is of. What has not done so by then may be one.
MOST_HEAD = 400


def call_begins(text: str, at: int, tools: Declared) -> Verdict:
    """Whether the opener at ``at`` goes on as a call does."""
    if head := HEAD_NAME.match(text, at):
        return bool(declared(head["named"], tools))
    if text.startswith("<", at) and text.find(">", at) < 0:  # a tag that goes on
        return None if len(text) - at < MOST_HEAD else False
    whole = len(text) - at < 2 * MOST_HEAD
    text = text[at : at + 2 * MOST_HEAD].removeprefix(SEPARATOR[1:]).replace(SEPARATOR, "")
    begun = next((size for size in range(len(SEPARATOR) - 1, 0, -1) if text.endswith(SEPARATOR[:size])), 0)
    if whole and begun and _head(text[:-begun], tools, whole) is None:
        return None  # a separator may come of its end, which says nothing
    return _head(text, tools, whole)


def _head(text: str, tools: Declared, whole: bool) -> Verdict:
    """Whether what begins a text may be of a call; ``whole`` says that there is no more of it yet."""
    noise = NOISE.match(text)
    end = noise.end() if noise else 0
    rest = text[end:]
    if end > MOST_HEAD:
        return True
    if not rest or rest in _STARTS:
        return None if whole else True
    if rest[0] in "{[":
        return _json(rest, tools, marked=True)
    if rest[0] == "<":
        return _tag(rest, tools)
    return _word(rest, tools)


def tag_end(text: str, at: int) -> str:
    """What ends the tag at ``at``, where it is open; "" where none is."""
    if text.find(">", at) < 0:
        return ">" if text[at] == "<" else ""
    return _SEP if text.startswith(_OPEN_CALL, at) and _SEP not in text[at:] else ""


def _tag(text: str, tools: Declared) -> Verdict:
    """Whether a tag names a declared tool, or may be of a call."""
    if text.startswith(("<|channel|>", "<|start|>")):
        return True
    if own := _own_tag(text, tools):
        return own
    if named := NAMED.match(text):
        return bool(declared(named["name"], tools))
    if named := HEAD_NAME.match(text):
        return bool(declared(named["named"], tools))
    if head := HEAD.match(text):
        return bool(declared(head["bare"] or head["named"] or head["kimi"], tools))
    if _NAMED_SO_FAR.match(text):
        return None
    end = _SEP if text.startswith("<|open|>") else ">"
    return None if end not in text and len(text) < MOST_HEAD else False


def _own_tag(text: str, tools: Declared) -> Verdict:
    """Whether a tag has the name of a declared tool."""
    name = _NAME.match(text, 1)
    if len(text) == 1 or (name and name.end() == len(text)):
        return None if _may_be_name(text[1:], tools) else False
    return bool(name and text[name.end()] in " \t\n/>" and declared(name[0], tools))


def _word(text: str, tools: Declared) -> Verdict:
    """Whether the name of a declared tool begins a text, behind what may stand before one."""
    lead = _lead(text)
    name = _NAME.match(text, len(lead))
    if name and name.end() < len(text):
        return bool(declared(name[0], tools))
    return None if _may_be_name(text, tools) else False


def _lead(text: str) -> str:
    """What stands before the name of a call: one of ``_LEADS``, or nothing."""
    return next(lead for lead in _LEADS if text.startswith(lead)) if text.startswith(_LEADS) else ""


def _may_be_name(text: str, tools: Declared) -> bool:
    """Whether the name of a declared tool may still become of a text."""
    for words, starts in _BEFORE_NAMES:
        if not text or text in starts:
            return True
        if text.startswith(words):
            text = next(text.removeprefix(word) for word in words if text.startswith(word))
    return any([f"{name}.call".startswith(text) for name in tools])


def bare_begins(text: str, tools: Declared) -> Verdict:
    """Whether a message that has no mark begins as nothing but a call does."""
    if not text:
        return None
    if text[0] in "{[":
        return _json(text, tools, marked=False)
    if text[0] == "<":
        return _own_tag(text, tools)
    if text in _CHANNEL_STARTS or text.startswith(_CHANNELS):
        return True if len(text) > max(map(len, _CHANNELS)) else None
    lead = _lead(text)
    name = _NAME.match(text, len(lead))
    if name and name.end() < len(text):
        if not lead and (below := BELOW.match(text, name.end())) and declared(name[0], tools):
            return _below(text[below.end() :])
        return text[name.end()] == ("{" if lead == "call:" else "(") and bool(declared(name[0], tools))
    if not (name or lead):
        return False
    return None if _may_be_name(text, tools) else False


def _below(text: str) -> Verdict:
    """Whether what stands under the name of a tool begins its arguments."""
    if text.startswith("{"):
        return True
    begun = "".join(text[:_MOST_FENCE].split())
    return begun.startswith(_IN_PYTHON) or (None if _IN_PYTHON.startswith(begun) and len(text) < _MOST_FENCE else False)


def _json(text: str, tools: Declared, *, marked: bool) -> Verdict:
    """Whether JSON, or a list in Python, begins a call of a declared tool. What is not decided in time may be one."""
    brackets = _BRACKETS.match(text)
    at = brackets.end() if brackets else 0
    while at < min(len(text), MOST_HEAD):
        if text[at] not in "\"'":
            return _list_item(text, at, tools)
        key = _KEY.match(text, at)
        if not key:
            return None if _undecided(text, at) else False
        at = key.end()
        if at == len(text):
            return None
        if key[1] in NAME_KEYS and text[at] in "\"'":
            name = _TEXT.match(text, at)
            return bool(declared(name[1], tools)) if name else None if _undecided(text, at) else False
        if key[1] in LIST_KEYS and (inner := _BRACKETS.match(text, at)):
            at = inner.end()
            continue
        if key[1] not in BESIDE_KEYS:
            return marked or key[1] in (*LIST_KEYS, *ARGUMENT_KEYS)
        value = _SCALAR.match(text, at)
        if not value:
            return None if _undecided(text, at) else True
        at = value.end()
    return None if len(text) < MOST_HEAD else True


def _list_item(text: str, at: int, tools: Declared) -> Verdict:
    if text[0] != "[" or "{" in text[:at]:
        return False
    return bare_begins(text[at:], tools) if text[at] not in "{[" else False


def _undecided(text: str, at: int) -> bool:
    return len(text) - at < MOST_HEAD
