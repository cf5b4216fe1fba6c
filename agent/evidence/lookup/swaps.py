"""Values that stand in the prose of a source, but with another subject: Tokyo's figure given to Osaka.

Cells of tables are settled by their row and column (``standing``). A figure is doubted only where the sources say
otherwise outright: its own subject never stands with its value, and stands with another value of the same kind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.evidence.kept import kept
from agent.evidence.lookup.context import Answer, line_bounds, nearest_words, segments, stems
from agent.evidence.openings import opens
from agent.evidence.sources import Finding, Source, Sources
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from agent.text.quantities.claim_words import CALENDAR, STARTERS
from agent.text.regex import regex

_CAPITAL = regex(r"(?<![^\W_])[A-ZÀ-Þ][^\W\d_]{2,}")
_FAR = 100.0  # times as large, and nobody takes one value for the other
_APART, _YEARS_APART = 4, 12  # characters: not the ends of "6–12 °C", of "between 2018 and 2019"
_NEXT = 4  # a figure is compared with so many of its kind that follow
_MOST_SPOTS = 4
_BEFORE = 16  # characters
_SHARE = regex(r" ?[%％]")
_RANGE = regex(r"\s*[-–—]\s*")
_OF = regex(r"\W*(?:out of|of|von|sur|de|di|of the|of all)\W*")  # a part and its whole
_END = regex(r"\b(from|to) (?:about |around |nearly )?[$€£¥]?$")


@dataclass(frozen=True, slots=True)
class Stated:
    """A traced figure of the answer: ``group`` is the same for values that could be taken for each other.

    Figures of different nouns ("8 guides", "12 halls") could not.
    """

    start: int
    end: int
    group: str
    finding: Finding
    noun: str = ""
    value: float = 0.0

    @property
    def places(self) -> int:
        return len(set(self.finding.spots))


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
                found[one] = frozenset(stems(self._row_of_answer(self.stated[one].start) or piece))
        return found

    @cached_property
    def _tables_of_answer(self) -> list[Table]:
        return tables_in(self.answer.lower)

    def _row_of_answer(self, position: int) -> str:
        """The row of a table of the answer that a position is in; "" in prose."""
        for table in self._tables_of_answer:
            if table.start <= position < table.end:
                row = table.rows[table.row_at(position)]
                return self.answer.lower[row[0].start : row[-1].end]
        return ""

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of the capitalised words, but those that only open sentences: they tell the subjects apart."""
        text, sources = self.answer.text, self.sources.texts
        found = {match[0]: opens(text, match.start()) for match in _CAPITAL.finditer(text)}
        words = {word.lower() for word in found if not found[word] or any(word in source.text for source in sources)}
        return frozenset(word[:5] for word in words - STARTERS - CALENDAR)

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for index, one in enumerate(self.stated):
            groups.setdefault(one.group, []).append(index)
        return groups

    def turns(self, one: int, other: int) -> bool:
        """Whether the answer says the later end of a range first: "born in 1992, died in 1923" of "(1923 – 1992)"."""
        (at, start, _), (there, _, end) = (self.stated[number].finding.spots[0] for number in (one, other))
        return at == there and _RANGE.fullmatch(self.sources.texts[at].lower[end:start]) is not None

    @kept
    def around(self, index: int) -> str:
        """What stands with a figure at its places, in lower case; "" where it was not observed."""
        texts, spots = self.sources.texts, self.stated[index].finding.spots[:_MOST_SPOTS]
        seen = [(texts[spot[0]], *spot[1:]) for spot in spots if texts[spot[0]].origin == "seen"]
        return "\n".join(self._region(*place) for place in seen)

    def _region(self, source: Source, start: int, end: int) -> str:
        """The words of the line of a place that are nearer to it than to other numbers."""
        left, right = line_bounds(source.lower, start, end)
        numbers = source.scan.numbers
        index = bisect_left(numbers, start, key=lambda token: token.start)
        last = bisect_left(numbers, end, key=lambda token: token.start)
        if not _SHARE.match(source.lower, end):  # a share between says how a value changed
            while index and _SHARE.match(source.lower, numbers[index - 1].end):
                index -= 1
        before = max(left, numbers[index - 1].end) if index else left
        after = min(right, numbers[last].start) if last < len(numbers) else right
        text = source.lower
        if before == left:  # the first number of its line has all that stands before it
            return text[left:start] + nearest_words(text, start, (start, end), after)
        if after == right:
            return nearest_words(text, before, (start, end), end) + text[end:right]
        return nearest_words(text, before, (start, end), after)


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


def _alike(one: Stated, other: Stated) -> bool:
    """Whether one value could be taken for the other: not of another noun or size, not the ends of a range."""
    small, large = sorted((one.value, other.value))
    nouns = not one.noun or not other.noun or one.noun == other.noun
    if one.places > 1 or other.places > 1:
        return False  # which of them is meant cannot be told
    apart = _YEARS_APART if one.group.startswith("date") else _APART
    return nouns and small * _FAR >= large and other.start - one.end >= apart


def _keeps_its_end(subjects: Subjects, index: int) -> bool:
    """Whether a figure is an end of a change, and the same in its source: "from 8 to 12", "to 12 from 8"."""
    stated, texts = subjects.stated[index], subjects.sources.texts
    said = _END.search(subjects.answer.lower, max(0, stated.start - _BEFORE), stated.start)
    seen = (_END.search(texts[at].lower, max(0, start - _BEFORE), start) for at, start, _ in stated.finding.spots[:1])
    return said is not None and any(one is not None and one[1] == said[1] for one in seen)


def _exchanged(subjects: Subjects, one: int, other: int) -> bool:
    said, names = subjects.words, subjects.names
    apart = said[one] ^ said[other]
    if said[one] <= said[other] or said[other] <= said[one]:
        return False  # nothing is said of one alone
    between = subjects.answer.lower[subjects.stated[one].end : subjects.stated[other].start]
    if not _alike(subjects.stated[one], subjects.stated[other]) or _OF.fullmatch(between):
        return False
    near, far = subjects.around(one), subjects.around(other)
    if not near or not far or near == far:
        return False
    crossed = {one: False, other: False}
    told = apart & names
    for word in told if told & said[one] and told & said[other] else apart:
        index, own, others = (one, near, far) if word in said[one] else (other, far, near)
        if word in own:
            if word not in others:
                return False
        elif word in others:
            crossed[index] = True
    if not (any if subjects.turns(one, other) else all)(crossed.values()):
        return False
    return not (_keeps_its_end(subjects, one) and _keeps_its_end(subjects, other))
