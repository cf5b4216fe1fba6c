"""A message that is nothing but one call with labels, ``Action: …`` and ``Action Input: …``, or a thought and one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.text.lenient_json import read as read_json
from agent.text.regex import regex
from agent.wire.outcomes import Action
from agent.wire.react import reader as react
from agent.wire.react.patterns import FENCE_SO_FAR, LABEL, LABEL_SO_FAR, OPENING, TAG_SO_FAR, Part, label_of

_BLANK_LINE = regex(r"\n[^\S\n]*+\n")
_MOST_THOUGHTS = 4
_MOST_BEFORE = 1_000  # characters that are looked at for the action
_MOST_NAME = 100
_MOST_OBJECT = 300  # characters of an object in a fence that are looked at for the tool's name
_WORD = regex(r"[\W_]+")


class Beginning:
    """Judges whether a message may be such a call, by as much of it as there is; ``tools`` are the names of the tools.

    A text that begins with the last one that was judged is looked at from there on.
    """

    def __init__(self, tools: Sequence[str]) -> None:
        self._tools = tools
        self._text = ""
        self._thoughts = 0
        self._label: re.Match[str] | None = None  # the last one

    def __call__(self, text: str) -> bool | None:
        """``None`` while it is undecided."""
        if text[:1] == "<":  # before a label may stand a tag
            return None if TAG_SO_FAR.match(text) else False
        if not (self._label and text.startswith(self._text)):
            self._text, self._thoughts, self._label = "", 0, OPENING.match(text)
        if not self._label:
            return _may_open(text)
        looked, self._text = len(self._text), text
        while self._label and self._thoughts < _MOST_THOUGHTS and _part(self._label) is Part.THOUGHT:
            # One that begins in a line that was looked at is over with it, or with the line break behind it.
            line = text.rfind("\n", 0, max(0, text.rfind("\n", 0, looked)))
            label = LABEL.search(text, max(self._label.end(), line), _MOST_BEFORE)
            if not label and self._thoughts < _MOST_THOUGHTS - 1:
                return True if len(text) > _MOST_BEFORE else None
            self._thoughts, self._label = self._thoughts + 1, label
        if not self._label or _part(self._label) is not Part.ACTION:
            return False
        return _names(text[self._label.end() :].lstrip(), self._tools)


def _may_open(text: str) -> bool | None:
    """Whether a text that begins with no label may still become one that does."""
    fence = FENCE_SO_FAR.match(text)
    line = fence.end() if fence else 0
    return None if line == len(text) or LABEL_SO_FAR.match(text, line) else False


def _names(line: str, tools: Sequence[str]) -> bool | None:
    """Whether the line of an action, or the object in a fence behind its label, names one of the tools."""
    fenced = line.startswith("```")
    line, most, end = (line[3:], _MOST_OBJECT, "```") if fenced else (line, _MOST_NAME, "\n")
    name, ended, _ = line[:most].partition(end)
    if not ended and len(line) < most:
        return None
    return any(_folded(tool) in _folded(name) for tool in tools)


def read(text: str, tools: Sequence[str], seen: Sequence[str] = ()) -> Action | None:
    """The call of a declared tool that a message is; prose behind it makes it a text about a call.

    So it is where one of the observations ``seen`` has it word for word.
    """
    if Beginning(tools)(f"{text}\n") is not True:
        return None
    reading = react.read(text, tools, seen)
    if not isinstance(reading, Action) or reading.tool not in tools or reading.dropped:
        return None
    given = read_json(reading.input)
    alone = given.rest == "" if given and reading.input[:1] in "{[" else not _BLANK_LINE.search(reading.input.rstrip())
    return reading if alone else None


def _part(label: re.Match[str]) -> Part:
    return label_of(label["word"])[0]


def _folded(name: str) -> str:
    return _WORD.sub("", name).casefold()
