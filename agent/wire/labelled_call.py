"""A message that is nothing but one call with labels, ``Action: …`` and ``Action Input: …``, or a thought and one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.text.lenient_json import read as read_json
from agent.wire.outcomes import Action
from agent.wire.react import reader as react
from agent.wire.react.patterns import FENCE_SO_FAR, LABEL, LABEL_SO_FAR, OPENING, Part, label_of

_PARAGRAPH = re.compile(r"\n[^\S\n]*+\n\s*+\S")
_MOST_THOUGHTS = 4
_MOST_BEFORE = 1_000  # characters that are looked at for the action
_MOST_NAME = 100
_MOST_OBJECT = 300  # characters of an object in a fence that are looked at for the tool's name
_WORD = re.compile(r"[\W_]+")


def begins(text: str, tools: Sequence[str]) -> bool | None:
    """Whether a message that begins with ``text`` may be such a call; ``None`` while that is undecided."""
    label = OPENING.match(text)
    if not label:
        if text[:1].isdigit():  # a number before a label is a list, which is no call
            return False
        fence = FENCE_SO_FAR.match(text)
        line = fence.end() if fence else 0
        return None if line == len(text) or LABEL_SO_FAR.match(text, line) else False
    for _ in range(_MOST_THOUGHTS):
        if not label:
            return True if len(text) > _MOST_BEFORE else None
        if _part(label) is not Part.THOUGHT:
            break
        label = LABEL.search(text, label.end(), _MOST_BEFORE)
    return _names(text[label.end() :].lstrip(), tools) if label and _part(label) is Part.ACTION else False


def _names(line: str, tools: Sequence[str]) -> bool | None:
    """Whether the line of an action, or the object in a fence behind its label, names one of the tools."""
    fenced = line.startswith("```")
    most, end = (_MOST_OBJECT, "\n```") if fenced else (_MOST_NAME, "\n")
    name, ended, _ = line[:most].partition(end)
    if not ended and len(line) < most:
        return None
    return any(_folded(tool) in _folded(name) for tool in tools)


def read(text: str, tools: Sequence[str], seen: Sequence[str] = ()) -> Action | None:
    """The call of a declared tool that a message is; prose behind it makes it a text about a call.

    So it is where one of the observations ``seen`` has it word for word.
    """
    if begins(f"{text}\n", tools) is not True:
        return None
    reading = react.read(text, tools, seen)
    if not isinstance(reading, Action) or reading.tool not in tools or reading.dropped:
        return None
    given = read_json(reading.input)
    alone = given.rest == "" if given and reading.input[:1] in "{[" else not _PARAGRAPH.search(reading.input)
    return reading if alone else None


def _part(label: re.Match[str]) -> Part:
    return label_of(label["word"])[0]


def _folded(name: str) -> str:
    return _WORD.sub("", name).casefold()
