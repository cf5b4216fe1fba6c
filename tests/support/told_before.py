"""The tables of ``tests/context``: follow-ups that need what was said before, and conversations with right answers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

FOLDER = Path(__file__).parents[1] / "context"
KINDS = ("pronoun", "ellipsis", "instruction", "comparison", "second_thought", "tool")
SetName = Literal["open", "unseen"]
# Between the digits of a figure and three more: a comma, a (narrow, no-break or thin) space, or LaTeX's {,}.
_THOUSANDS = re.compile(r"(?<=\d)(?:[, \u00a0\u202f\u2009]|\{,\}|\\,)(?=\d{3}(?!\d))")

_LONG, _END = 400, 240  # characters of an answer


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn that was; ``tool``, ``input`` and ``observation`` are "" where nothing was called."""

    question: str
    answer: str
    tool: str = ""
    input: str = ""
    observation: str = ""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that means nothing without ``turns``, oldest first.

    ``figure`` is what one of kind ``tool`` asks for: it stands in the observation of the turn before the last one, and
    in no answer; "" for other kinds.
    """

    language: str
    kind: str
    turns: tuple[Earlier, ...]
    follow_up: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A follow-up and the regular expressions of which one fits a right answer."""

    question: str
    right: tuple[str, ...]

    def answered_by(self, answer: str) -> bool:
        """Of a long answer its end counts: on the way there, many a figure comes by."""
        plain = _THOUSANDS.sub("", answer)
        plain = plain if len(plain) <= _LONG else plain[-_END:]
        return any(re.search(pattern, plain, re.I) for pattern in self.right)


@dataclass(frozen=True, slots=True)
class Conversation:
    set: SetName
    language: str
    first: str
    then: tuple[Asked, ...]


def follow_ups() -> Iterator[FollowUp]:
    for language, rows in _read("follow_ups.toml").items():
        for row in rows:
            turns = tuple(Earlier(*turn) for turn in row["turns"])
            yield FollowUp(language, row["kind"], turns, row["follow_up"], row.get("figure", ""))


def conversations() -> Iterator[Conversation]:
    for row in _read("conversations.toml")["conversation"]:
        then = tuple(Asked(each["ask"], tuple(each["right"])) for each in row["then"])
        yield Conversation(row["set"], row["language"], row["first"], then)


def _read(name: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
