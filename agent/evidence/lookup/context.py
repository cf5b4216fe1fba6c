"""What is said around a figure, in the answer and where it was seen: the words that both must share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.evidence.kept import kept
from agent.evidence.pages import SENTENCE
from agent.evidence.sources import Source, Sources
from agent.evidence.verdicts import EARLIER, TABLES
from agent.text.quantities.claim_words import STOP
from agent.text.regex import regex

MOST_STEMS = 14
NAME = regex(r"(?<![^\W_])(?<!°)[A-ZÀ-ÖØ-ÞΑ-ΩА-Я][^\W\d_]*")
_NONE = frozenset[int]()
_FEW = 3  # texts: one observation, the question and the notes
_SHORT_NAME = 3  # letters
_LONG = 300  # characters
AROUND = 120  # characters to either side of a figure in prose
_LINE = 400  # characters of a row or record at most to either side

ITEM = regex(r"[ \t]*(?:[-*+•]|[0-9]{1,2}[.)])[ \t]+")  # what a line of a list begins with
_LABEL = regex(rf"(?:{ITEM.pattern}|[ \t]*)\*\*([^*\n]{{2,60}})\*\*")
_MOST_READ = 1_000  # characters of a text whose words are all read at once
_WORD = regex(r"[a-zà-ÿ]{3,}|[\u30a0-\u30ff\u3400-\u9fff]{2,}")
_PARTS = regex(r"[,;:、。；|()（）\n]|[.!?](?=\s|$)| (?:and|while|but|than|versus|vs\.?|whereas|compared) ")
_ENDS = (".", "!", "?", "。")
_ASIDE = regex(r" ?[(（][^()（）\n]{1,80}[)）]")
_SENTENCE_END = regex(r"[.!?](?=\s)|[。\n]")


def stems(lower: str) -> tuple[str, ...]:
    """Stems of the words that say something, at most ``MOST_STEMS``: five Latin letters, or two characters of CJK."""
    found: dict[str, None] = {}
    for word in _WORD.findall(lower) if len(lower) < _MOST_READ else (match[0] for match in _WORD.finditer(lower)):
        if word[0] < "\u3000":
            if word not in STOP:
                found[word[:5]] = None
        else:
            for index in range(len(word) - 1):
                found[word[index : index + 2]] = None
        if len(found) >= MOST_STEMS:
            break
    return tuple(found)


def shared(words: Sequence[str], region: str) -> int:
    """How many of the stems stand in the region."""
    return sum([word in region for word in words])


def window(source: Source, start: int, end: int) -> str:
    return source.lower[max(0, start - AROUND) : end + AROUND]


def line_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """The line around a place, at most 400 characters to either side."""
    low, high = max(0, start - _LINE), min(len(text), end + _LINE)
    left, right = text.rfind("\n", low, start), text.find("\n", end, high)
    return (left + 1 if left >= 0 else low), (right if right >= 0 else high)


def label_before(text: str, left: int, start: int) -> tuple[int, int]:
    """Where the words in bold stand that begin the paragraph around ``left``, if they end before ``start``."""
    label = _LABEL.match(text, text.rfind("\n", 0, left + 1) + 1)
    return label.span(1) if label is not None and label.end() <= start else (left, left)


@dataclass(frozen=True)
class Answer:
    """The answer with what claims nothing blanked out, and its sentences."""

    text: str
    lower: str
    ends: tuple[int, ...]
    question: tuple[str, ...]

    @kept
    def sentence(self, position: int) -> tuple[int, int]:
        index = bisect_right(self.ends, position)
        start = self.ends[index - 1] if index else 0
        return start, self.ends[index] if index < len(self.ends) else len(self.text)

    @kept
    def words(self, start: int, end: int) -> tuple[str, ...]:
        """Stems of the sentence around a claim (300 characters to either side); few ones with the question's."""
        left, right = self.sentence(start)
        return self._stems(max(left, start // 200 * 200 - 200), min(right, end // 200 * 200 + 400))

    @kept
    def _stems(self, left: int, right: int) -> tuple[str, ...]:
        found = stems(self.lower[left:right])
        return found if len(found) >= 3 else (*found, *self.question)

    @kept
    def _known(self, left: int, right: int, sources: Sources) -> tuple[frozenset[int], frozenset[int]]:
        """The homes and the strangers of a sentence, found once for all of its claims."""
        names = {match[0].lower() for match in NAME.finditer(self.text, left, right)}
        return _homes([name for name in names if len(name) > _SHORT_NAME], sources)

    def homes(self, position: int, sources: Sources) -> frozenset[int]:
        """The texts that have most of the names that the sentence around a place says; none where all or none have."""
        return self._known(*self.sentence(position), sources)[0]

    def strangers(self, position: int, sources: Sources) -> frozenset[int]:
        """The texts that have none of the names of the sentence around a place, while other texts have."""
        return self._known(*self.sentence(position), sources)[1]


def _homes(names: Sequence[str], sources: Sources) -> tuple[frozenset[int], frozenset[int]]:
    """The texts that have most of some names, and the strangers.

    A short result, of a sum or a conversion, need not say what it is of; nor need one that was asked for by name.
    """
    texts = sources.texts
    about = [source.call_id != TABLES for source in texts]  # the heads of the tables are no text about anything
    if not names or sum(about) <= _FEW:
        return _NONE, _NONE
    counts = [sum(said) if each else 0 for each, *said in zip(about, *map(sources.that_say, names), strict=True)]
    if not (most := max(counts)):
        return _NONE, _NONE
    strange = [
        number
        for number, source in enumerate(texts)
        if not counts[number] and source.origin == "seen" and source.call_id != EARLIER
        if len(source.lower) >= _LONG and not any(name in source.asked for name in names)
    ]
    return frozenset(number for number, count in enumerate(counts) if count == most), frozenset(strange)


def answer_of(masked: str, lower: str, question: str) -> Answer:
    ends = tuple(match.end() for match in SENTENCE.finditer(masked))
    return Answer(masked, lower, ends, stems(question))


def segments(lower: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """For each span of a text the words that belong to it and to no other span."""
    cuts: list[tuple[int, int]] = [(0, 0)]
    for (first, end), (start, _) in pairwise(spans):
        cut = _cut(lower, end, max(start, end))
        ended = lower[cut[0] : cut[0] + 1] in _ENDS  # "It fell to 12. Debt rose to 80."
        if cut[0] - end <= 1 and not ended and _says_nothing(lower, max(cuts[-1][1], first - AROUND), first):
            cut = _cut(lower, cut[1], max(start, cut[1]))  # "At 640 m, Grey Tor is lower than Storhorn (1,080 m)"
        cuts.append(cut)
    cuts.append((len(lower), len(lower)))
    found: list[str] = []
    for index, (start, end) in enumerate(spans):
        left, right = max(cuts[index][1], start - AROUND), min(cuts[index + 1][0], end + AROUND)
        first, last = line_bounds(lower, start, end)
        found.append(f"{lower[max(left, first) : start]} {lower[end : min(right, last)]}")
    return found


def _says_nothing(lower: str, start: int, end: int) -> bool:
    return all(match[0] in STOP for match in _WORD.finditer(lower, start, end))


def nearest_words(lower: str, before: int, span: tuple[int, int], after: int) -> str:
    """What ``segments`` gives for one span in prose, between the end of the one before and the start of the next."""
    start, end = span
    left = _cut(lower, before, start)[1] if before < start else start
    right = _cut(lower, end, after)[0] if after > end else end
    return f"{lower[left:start]} {lower[end:right]}"


def _cut(lower: str, start: int, end: int) -> tuple[int, int]:
    """Where the words between two figures part: where sentences end, else at the first comma or other sign; else all go
    to the second. What stands in brackets right behind the first is of it.
    """
    if (aside := _ASIDE.match(lower, start, end)) is not None:
        start = aside.end()
    ends = [*_SENTENCE_END.finditer(lower, start, min(end, start + 2 * AROUND))]
    if ends:
        return ends[0].start(), ends[-1].end()
    gap = _PARTS.search(lower, start, min(end, start + 2 * AROUND))
    return (gap.start(), gap.end()) if gap is not None else (start, start)


def same_script(words: Sequence[str], source: Source) -> bool:
    """Whether words in Latin letters (or in CJK) can be expected in a text at all."""
    latin, other = source.page.begins_in
    return any([latin if word[0] < "\u3000" else other for word in words])
