"""Instructions to the agent in what a tool brought: pointed out to the person, by rules.

An observation is data whatever it says (it is fenced, and its labels are marked, see ``agent.wire.observation``). This
only says where somebody tried. It is neither complete nor a protection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.interface_text import Text
from agent.text.injection.disguises import folded, undisguised
from agent.text.injection.rules import LABELS, Rule, matching, rules

POINTED_OUT = Text("This result holds instructions to the agent; they are treated as data.")
_MOST_TEXT = 20_000
_MOST_FINDINGS = 5
_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*#>|•]|\d+[.)])\s)|(?<=\s\|)(?=\s)")
_LONGEST = 700
_OVERLAP = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """``text[start:end]`` reads as an instruction to the agent; ``kind`` is the rule's name."""

    start: int
    end: int
    kind: str


@lru_cache(maxsize=256)  # a page that is drawn again asks again
def suspicious(text: str) -> tuple[Finding, ...]:
    """The first passages of ``text`` that address the model, in their order; at most five, which do not overlap."""
    text = text[:_MOST_TEXT]
    found = [Finding(match.start(), match.end(), "label") for match in LABELS.finditer(text)]
    near = [rule for rule in rules() if rule.may_fit(folded(text))]
    for start, end in _segments(text):
        if kind := _kind(text[start:end], near):
            found.append(Finding(start, end, kind))
    chosen: list[Finding] = []
    for finding in sorted(found, key=lambda finding: finding.start):
        if not chosen or finding.start >= chosen[-1].end:
            chosen.append(finding)
    return tuple(chosen[:_MOST_FINDINGS])


def passages(text: str) -> tuple[str, ...]:
    """The words of ``suspicious(text)``."""
    return tuple(text[found.start : found.end] for found in suspicious(text))


def _kind(sentence: str, near: Sequence[Rule]) -> str:
    """The kind of rule that a sentence fits as it stands (only those ``near`` can), or once a disguise is taken off."""
    plain = folded(sentence)
    if kind := matching(plain, near):
        return kind
    return next((kind for undone in undisguised(sentence, plain) if (kind := matching(undone, rules()))), "")


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, trimmed. Line breaks within a sentence do not end it; long ones overlap."""
    start = 0
    for match in _BREAK.finditer(text):
        yield from _pieces(text, start, match.start())
        start = match.end()
    yield from _pieces(text, start, len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        yield start, start + _LONGEST
        start += _LONGEST - _OVERLAP
    if end > start:
        yield start, end
