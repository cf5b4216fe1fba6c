"""The table of ``tests/context``: follow-ups that need what was said before."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "context"
KINDS = ("pronoun", "ellipsis", "instruction", "comparison", "second_thought", "tool")


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


def follow_ups() -> Iterator[FollowUp]:
    for language, rows in _read("follow_ups.toml").items():
        for row in rows:
            turns = tuple(Earlier(*turn) for turn in row["turns"])
            yield FollowUp(language, row["kind"], turns, row["follow_up"], row.get("figure", ""))


def _read(name: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
