"""Which columns of a table a text speaks of, alone or several of one kind together: "adm_jan" to "adm_mar" in Q1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from agent.evidence.derivation.groups.said_spans import SaidSpan, Span, span_of, spans_said
from agent.evidence.kept import kept
from agent.evidence.tables.cell_words import token_places, tokens
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.units import Unit, named_in
from agent.text.regex import regex

_PARTS = spans_said("q1 . q2 . q3 . q4 . h1 . h2")
_MOST_COLUMNS = 24
_FAR = 60  # characters: a word so far from the figure tells half as much
_OF_WIDE = 0.25  # what a word around tells of what one beside the figure does
_OF_UNIT, _OF_SPAN, _OF_SHORT = 0.4, 0.3, 0.8  # what a unit, a time, a part of a word tell of what a word does
_FEW_SERIES = 3
_MOST_OF_FAMILY = 4
_SHORTEST = 3  # letters of what is short for a word
_RATE = regex(
    r"avg|average|mean|median|mittel|schnitt|pct|percent|proz|%|rate|ratio|quote|share|score|(?:^| )per(?: |$)|"
    r"price|preis|fare\b|temp|nps|csat|precio|prezzo|prix|taux|tasa|index|rank|rating|age\b|平均|率|単価|価格|歳|度$"
)
_PERCENT = regex(r"pct|percent|proz|%|rate\b|quote|share|率")
_SCALE = regex(r"\b(?:k|m|mn|bn|meur|musd|keur|kusd|tsd|mio)\b|[千万億]")
_UNIT_OF_SCALE = regex(r"\b(?:kg|kt|kwh|mwh|gwh|mw|g|t|mm|km|ms|ml)\b")


class Measure(NamedTuple):
    """Columns that are added up, mostly one; ``base`` is what their heads say besides their time ``span``."""

    columns: tuple[int, ...]
    name: str
    base: str
    span: Span | None
    power: int
    units: tuple[Unit, ...]

    @property
    def rate(self) -> bool:
        """Whether its values are no amounts that come to something together."""
        return _is_rate(self.base)

    @property
    def percent(self) -> bool:
        return _PERCENT.search(self.base) is not None

    def scaled(self, unit: Unit | None) -> bool:
        """Whether a figure of that unit may be given in larger or smaller ones than its head says."""
        in_other = unit not in self.units and _UNIT_OF_SCALE.search(self.base) is not None
        return in_other or _SCALE.search(self.base) is not None

    @property
    def when(self) -> float | None:
        return self.span.order if self.span is not None else None


@lru_cache(maxsize=256)
def _is_rate(base: str) -> bool:
    return _RATE.search(base) is not None


@dataclass(frozen=True)
class Measures:
    """Of one table; ``power`` gives the power of ten of a column."""

    subjects: Subjects
    power: Callable[[int], int]

    @cached_property
    def single(self) -> Sequence[Measure]:
        """Each column of numbers."""
        table = self.subjects.table
        heads = table.column_heads
        found: list[Measure] = []
        for column in table.numeric_columns[:_MOST_COLUMNS]:
            head = heads[column] if column < len(heads) else ""
            if column in table.year_columns or not head:
                continue
            base, span = span_of(head) or (head.replace("_", " "), None)
            found.append(Measure((column,), head, base, span, self.power(column), self.subjects.head_units[column]))
        return found

    @cached_property
    def _series(self) -> dict[tuple[str, int], list[Measure]]:
        """The columns of one kind that are of months or quarters of one year."""
        found: dict[tuple[str, int], list[Measure]] = {}
        for one in self.single:
            if one.span is not None and len(one.span.months) < 12:
                found.setdefault((one.base, one.span.year), []).append(one)
        return {key: several for key, several in found.items() if len(several) >= _FEW_SERIES}

    @cached_property
    def whole(self) -> Sequence[Measure]:
        """Each column, those of a series together."""
        together = {one.columns for several in self._series.values() for one in several}
        return [*map(_together, self._series.values()), *(one for one in self.single if one.columns not in together)]

    def like(self, measure: Measure) -> list[Measure]:
        """The measures of the same kind at other times: the column of another year, or as many months."""
        if measure.span is None:
            return []
        others = self.single if len(measure.columns) == 1 else [*self._meant(_PARTS)]
        return [
            one
            for one in others
            if one.base == measure.base and one.span is not None and len(one.columns) == len(measure.columns)
            if one.columns != measure.columns and len(one.span.months) == len(measure.span.months)
        ]

    @kept
    def said(
        self, near: str, at: int, wide: tuple[str, ...], unit: Unit | None = None
    ) -> Sequence[tuple[float, Measure]]:
        """The measures that a text names, with how well, the best first; texts ``wide`` of it say less than ``near``.

        A head that has the ``unit`` of the figure, or one that is said, is named by this, too.
        """
        said = _Said(near, at, wide)
        units = [*named_in(near), *((unit,) if unit is not None and unit.dimension != "share" else ())]
        found: list[tuple[float, Measure]] = []
        for one in self._meant(said.spans):
            in_unit = (
                _OF_UNIT if any(first.dimension == second.dimension for first in one.units for second in units) else 0.0
            )
            found.append((said.score(one, self._words, in_unit), one))
        return sorted((each for each in found if each[0] > 0), key=lambda each: -each[0])

    def _meant(self, spans: Sequence[SaidSpan]) -> Iterable[Measure]:
        for several in self._series.values():
            parts = [tuple(one for one in several if one.span and said.span.covers(one.span)) for said in spans]
            yield from map(_together, dict.fromkeys(part for part in (*parts, tuple(several)) if part))
        together = {one.columns for several in self._series.values() for one in several}
        yield from (one for one in self.single if one.columns not in together)
        yield from self.families

    @cached_property
    def families(self) -> Sequence[Measure]:
        """Amounts of one time and unit whose heads share a word, together: "trips" of "day_trips", "night_trips"."""
        found: dict[tuple[str, Span | None], list[Measure]] = {}
        for one in self.single:
            for word in tokens(one.base) if not one.rate else ():
                found.setdefault((word, one.span), []).append(one)
        return [
            Measure(
                tuple(one.columns[0] for one in several),
                " + ".join(one.name for one in several),
                word,
                span,
                several[0].power,
                several[0].units,
            )
            for (word, span), several in found.items()
            if 1 < len(several) <= _MOST_OF_FAMILY and len({one.units for one in several}) == 1
        ]

    @cached_property
    def _words(self) -> dict[str, float]:
        """What each word of the heads tells: less where many kinds of columns have it."""
        bases = {one.base for one in self.single}
        counts: dict[str, int] = {}
        for base in bases:
            for word in tokens(base):
                counts[word] = counts.get(word, 0) + 1
        return {word: 1 / count for word, count in counts.items()}


class _Said:
    """What a text says near and around a figure, for how well it names a measure."""

    def __init__(self, near: str, at: int, wide: tuple[str, ...]) -> None:
        self._near_spans = spans_said(near)
        self.spans = (*self._near_spans, *(span for text in wide for span in spans_said(text)))
        self._words: dict[str, float] = {word: _OF_WIDE for text in wide for word in _words_of(text)}
        for start, end, words in token_places(near):
            away = at - end if end <= at else start - at + _FAR
            for word in words:
                self._words[word] = max(self._words.get(word, 0.0), _OF_WIDE + 1 / (1 + max(away, 0) / _FAR))

    def score(self, one: Measure, weights: dict[str, float], more: float) -> float:
        """Nought where no word of its head is said; less for another time than the one that is said."""
        words = tokens(one.base)
        score = more + sum(weights.get(word, 1.0) * self._told(word) for word in words) - 0.02 * len(words)
        if (
            one.span is not None
            and len(one.span.months) < 12
            and any(one.span.months == each.span.months for each in self._near_spans)
        ):
            score += _OF_SPAN
        if score <= 0 or one.span is None:
            return score
        spans = self._near_spans or self.spans
        if spans and len(one.span.months) < 12:
            return score * (1.0 if any(said.span.months == one.span.months for said in spans) else 0.5)
        years = {said.span.year for said in spans} - {0}
        return score * (1.0 if one.span.year in years or (not years and not one.span.year) else 0.7)

    def _told(self, word: str) -> float:
        """How well a word is said; one that is short for another one, too."""
        if (told := self._words.get(word)) is not None:
            return told
        if len(word) < _SHORTEST or not word.isascii():
            return 0.0
        return _OF_SHORT * max((told for said, told in self._words.items() if _begins(said, word)), default=0.0)


@lru_cache(maxsize=64)
def _words_of(text: str) -> tuple[str, ...]:
    """What a text says, read once for all figures that it stands around."""
    return tuple(dict.fromkeys(word for _, _, words in token_places(text) for word in words))


def _begins(said: str, word: str) -> bool:
    """Whether one of two words is the start of the other: "adm" of "admissions", "churn" of "churned"."""
    return said.startswith(word) or (len(said) > _SHORTEST and word.startswith(said))


def _together(several: Sequence[Measure]) -> Measure:
    """Columns of a series as one measure."""
    if len(several) == 1:
        return several[0]
    spans = [one.span for one in several if one.span is not None]
    span = Span(frozenset[int]().union(*(one.months for one in spans)), spans[0].year)
    columns = tuple(column for one in several for column in one.columns)
    return several[0]._replace(columns=columns, name=f"{several[0].name} … {several[-1].name}", span=span)
