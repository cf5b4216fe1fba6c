"""The thought that a model's text begins with, in tags of its own."""

from __future__ import annotations

import re

from agent.text.regex import regex

_NAME = "(?:think|thinking|thought|reasoning)"
_AROUND = regex(rf"<{_NAME}>(?P<thought>.*?)(?:</{_NAME}>|\Z)", re.I | re.S)
_CLOSED = regex(rf"(?P<thought>[^<`]*)</{_NAME}>(?![\"'`)])", re.I)


def without_thought(text: str) -> str:
    """A reply's text without the thought that it begins with, which is for the model that had it."""
    return apart(text.strip())[1] if "</" in text else text


def apart(content: str) -> tuple[str, str]:
    """The thought that a text without outer blanks begins with, and the answer behind it, which stays as it is.

    A thought has its tags around it, or only the closing one, where the server's template has opened it already.
    """
    found = _AROUND.match(content) or _CLOSED.match(content)
    return (found["thought"].strip(), content[found.end() :].strip()) if found else ("", content)
