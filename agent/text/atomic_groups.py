"""Possessive quantifiers written as atomic groups, for the Python before 3.11.5.

There ``re`` gives a group that is repeated possessively a wrong match where the group could have gone back (CPython's
issue 106052); ``(?>(?:…)*)`` says what ``(?:…)*+`` says, and is right there. Debian 12 has such a Python.
"""

from __future__ import annotations

import re

# One piece of a pattern: what is escaped, a class of characters, a group's opening or end, a quantifier, a character.
_PIECE = re.compile(
    r"(?P<escaped>\\.)|(?P<class>\[\^?\]?(?:[^\]\\]|\\.)*\])|(?P<open>\((?:\?(?:P<\w+>|<?[=!:]|>|[aiLmsux-]+:))?)"
    r"|(?P<close>\))|(?P<quantifier>(?:[*+?]|\{\d*,?\d*\})[+?]?)|.",
    re.DOTALL,
)
_POSSESSIVE = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def with_atomic_groups(pattern: str) -> str:
    """``pattern``, which is not verbose, with each group that is repeated possessively put into an atomic group."""
    if not _POSSESSIVE.search(pattern):
        return pattern
    written: list[str] = []
    opened: list[int] = []  # where the groups begin in ``written`` that have not ended yet
    ended = -1  # where the group begins that has just ended
    for piece in _PIECE.finditer(pattern):
        kind, said = piece.lastgroup, piece.group()
        if kind == "quantifier" and ended >= 0 and said[-1] == "+" and len(said) > 1:
            written.insert(ended, "(?>")
            said = f"{said[:-1]})"
        if kind == "open":
            opened.append(len(written))
        ended = opened.pop() if kind == "close" else -1
        written.append(said)
    return "".join(written)
