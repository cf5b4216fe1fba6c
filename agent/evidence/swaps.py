"""Values that stand in a source, but with another subject: Tokyo's figure given to Osaka.

A figure is doubted only where the sources say otherwise outright: its own subject never stands with its value, and
stands with another value of the same kind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.evidence.context import Answer, is_json, is_row, line_bounds, region, segments, stems
from agent.evidence.findings import Finding
from agent.evidence.sources import Source, Sources

_NEXT = 5  # a figure is compared with so many of its kind that follow
_MOST_SPOTS = 4


@dataclass(frozen=True, slots=True)
class Stated:
    """A traced figure of the answer: ``group`` is the same for values that could be taken for each other."""

    start: int
    end: int
    group: str
    finding: Finding


@dataclass(frozen=True)
class Subjects:
    """Which words of the answer go with which figure, and what stands around the places of each."""

    answer: Answer
    sources: Sources
    stated: Sequence[Stated]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """For each figure the words that are nearer to it than to others of its group."""
        found: list[frozenset[str]] = [frozenset()] * len(self.stated)
        for members in self.groups.values():
            pieces = segments(self.answer.lower, [(self.stated[one].start, self.stated[one].end) for one in members])
            for one, piece in zip(members, pieces, strict=True):
                found[one] = frozenset(stems(piece))
        return found

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for index, one in enumerate(self.stated):
            groups.setdefault(one.group, []).append(index)
        return groups

    def around(self, index: int) -> list[tuple[int, int, int, str]]:
        """The places of a figure with the text that belongs to each."""
        return [
            (*spot, self._region(self.sources.texts[spot[0]], *spot[1:]))
            for spot in self.stated[index].finding.spots[:_MOST_SPOTS]
            if self.sources.texts[spot[0]].origin == "seen"
        ]

    def _region(self, source: Source, start: int, end: int) -> str:
        left, right = line_bounds(source.lower, start, end)
        line = source.lower[left:right]
        if is_json(source.lower) or is_row(line):
            return region(source, start, end)
        spans = [(token.start, token.end) for token in _tokens(source, left, right)]
        if not any(span[0] <= start < span[1] for span in spans):
            return line
        spans = [span for span in spans if span[0] >= start or span[1] <= start or span[0] <= start < span[1]]
        index = next(number for number, span in enumerate(spans) if span[0] <= start < span[1])
        return segments(line, [(span[0] - left, span[1] - left) for span in spans])[index]


def _tokens(source: Source, left: int, right: int) -> list[_Span]:
    numbers = source.scan.numbers
    first = bisect_left(numbers, left, key=lambda token: token.start)
    found: list[_Span] = []
    for token in numbers[first:]:
        if token.start >= right:
            break
        found.append(_Span(token.start, token.end))
    return found


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


def swapped(answer: Answer, sources: Sources, stated: Sequence[Stated]) -> dict[int, int]:
    """Which of the figures have changed places with which other, by their index."""
    subjects = Subjects(answer, sources, stated)
    found: dict[int, int] = {}
    for members in subjects.groups.values():
        for position, one in enumerate(members):
            for other in members[position + 1 : position + 1 + _NEXT]:
                if one not in found and other not in found and _exchanged(subjects, one, other):
                    found[one], found[other] = other, one
    return found


def _exchanged(subjects: Subjects, one: int, other: int) -> bool:
    first, second = subjects.words[one] - subjects.words[other], subjects.words[other] - subjects.words[one]
    if not (first or second):
        return False
    here, there = subjects.around(one), subjects.around(other)
    if not here or not there or {spot[:3] for spot in here} & {spot[:3] for spot in there}:
        return False
    near = "\n".join(place[3] for place in here)
    far = "\n".join(place[3] for place in there)
    straight = crossed = 0
    for words, own, others in ((first, near, far), (second, far, near)):
        straight += sum(word in own and word not in others for word in words)
        crossed += sum(word in others and word not in own for word in words)
    return straight == 0 and crossed > 0
