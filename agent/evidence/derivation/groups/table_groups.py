"""Which rows of a table a text names: those of a value ("Manila", "Tech in Manila"), of a time, and all the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, takewhile
from typing import NamedTuple

from agent.evidence.derivation.groups.said_spans import Span, span_of, spans_said
from agent.evidence.kept import kept
from agent.evidence.sources import places
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.claim_words import STOP
from agent.text.regex import regex

_MOST_GROUPS = 6
_MOST_VALUES = 60  # of a column that has groups
_MOST_COLUMNS = 8
_BEHIND = 100  # a name behind a figure is as far as one so many characters before
_ASCII_WORD = regex(r"[a-z0-9]")
_ENDING = regex(r"(?:['’]?e?r?s|e?n|e)?(?![a-z0-9])")
_WORD = regex(r"[^\W\d_]{3,}|[\u30a0-\u30ff\u3400-\u9fff]{2,}")
_JOINED = regex(r"[\s,/&+*、・]*(?:and|und|et|y|e|plus|と|や)?[\s,/*]*")
OTHERS = regex(  # than those that are named
    r"\b(?:vs|versus|against|gegenüber|contre|frente a|others?|rest|remaining|excluding|except|without|apart from|"
    r"ohne|übrig\w*|restlich\w*|ander\w*|außer|autres?|"
    r"sans|sauf|reste|demás|otros|sin)\b|以外|を除|その他|ほか|残り"
)


class Group(NamedTuple):
    """Rows, and the words that name them; "" for all of them. ``when``: their place in time, where they are of one."""

    rows: tuple[int, ...]
    said: str
    when: float | None = None


class _Hit(NamedTuple):
    away: int
    start: int
    end: int
    column: int
    rows: frozenset[int]
    said: str
    when: float | None = None


@dataclass(frozen=True)
class Groups:
    """Of one table."""

    subjects: Subjects

    @cached_property
    def every(self) -> Group:
        """All rows that are no totals and have numbers."""
        rows = self.subjects.table.rows
        return Group(
            tuple(sorted(row for row in self.subjects.table.parts if any(one.numeric for one in rows[row]))), ""
        )

    def before(self, group: Group) -> Sequence[Group]:
        """The rows of the time before that of a group, and of the first time."""
        times = self.times
        at = next((place for place, one in enumerate(times) if one.rows == group.rows), 0)
        return [*dict.fromkeys((times[at - 1], times[0]))] if at else ()

    @kept
    def named(self, text: str, at: int, others: bool) -> Sequence[Group]:
        """The groups that a text in lower case names, those where two of them meet first, then the nearest to ``at``.

        Where it speaks of ``others``, all the other rows are one, too.
        """
        hits = sorted([one._replace(away=_away(one.start, at)) for one in self._hits(text)])
        met = (
            _Hit(
                one.away,
                one.start,
                one.end,
                -1,
                one.rows & other.rows,
                f"{one.said}, {other.said}",
                one.when or other.when,
            )
            for one, other in combinations(hits[:_MOST_GROUPS], 2)
            if one.column != other.column and (one.end <= other.start or other.end <= one.start)
        )
        found = [*met, *_joined(text, hits), *hits]
        every = frozenset(self.every.rows)
        if others:
            left = [one._replace(rows=every - one.rows, said=f"≠ {one.said}", when=None) for one in found]
            found = [one for pair in zip(found, left, strict=True) for one in pair]
        groups: dict[frozenset[int], Group] = {}
        for one in found:
            if one.rows and one.rows != every:
                groups.setdefault(one.rows, Group(tuple(sorted(one.rows)), one.said, one.when))
        return [*groups.values()][:_MOST_GROUPS]

    @property
    def ends(self) -> Sequence[Group]:
        """The rows of the last time and those of the first one, which "from 12 to 15" speaks of."""
        return [*self.times[-1:], *self.times[:1]]

    @cached_property
    def times(self) -> Sequence[Group]:
        """The rows of each time, the earliest first."""
        if not self._times:
            return ()
        column, times = self._times
        found: dict[Span, list[int]] = {}
        for row in self.every.rows:
            if row in times:
                found.setdefault(times[row], []).append(row)
        rows = self.subjects.table.rows
        said = [Group(tuple(several), rows[several[0]][column].text, span.order) for span, several in found.items()]
        return sorted(said, key=lambda one: one.when or 0)

    @kept
    def _hits(self, text: str) -> Sequence[_Hit]:
        """All that a text names, read once for the figures in it; how far they are away is not told yet."""
        return [*self._values_in(text), *self._times_in(text)]

    def _values_in(self, text: str) -> Iterable[_Hit]:
        for column, values in self._values.items():
            for value, rows in values.items():
                for start in places(text, value, len(text)) if value in text else ():
                    end = start + len(value)
                    if value[0] >= "\u3000" or (
                        _ASCII_WORD.match(text[start - 1 : start] if start else "") is None and _ENDING.match(text, end)
                    ):
                        yield _Hit(0, start, end, column, rows, value)

    def _times_in(self, text: str) -> Iterable[_Hit]:
        column, times = self._times or (-1, dict[int, Span]())
        for said in spans_said(text) if times else ():
            rows = frozenset(row for row, span in times.items() if said.span.covers(span))
            if rows:
                name, when = text[said.start : said.end], min(times[row].order for row in rows)
                yield _Hit(0, said.start, said.end, column, rows, name, when)

    @cached_property
    def _times(self) -> tuple[int, dict[int, Span]] | tuple[()]:
        """The first column whose cells all say a month or a year, with what they say."""
        table = self.subjects.table
        for column in range(min(table.width, _MOST_COLUMNS)):
            cells = [cell for cell in table.column(column) if cell.row in table.parts and cell.text]
            said = ((cell.row, span_of(cell.text.lower())) for cell in cells)
            found = takewhile(lambda one: one[1] is not None and not one[1][0], said)  # most columns have no times
            times = {row: one[1] for row, one in found if one is not None}
            if len(times) > 1 and len(times) == len({cell.row for cell in cells}):
                return column, times
        return ()

    @cached_property
    def _values(self) -> dict[int, dict[str, frozenset[int]]]:
        """For each column of texts its values, and their words, with the rows that have them."""
        found: dict[int, dict[str, frozenset[int]]] = {}
        table = self.subjects.table
        times = self._times[0] if self._times else -1
        for column in range(min(table.width, _MOST_COLUMNS)):
            if column in table.numeric_columns or column == times:
                continue
            rows: dict[str, set[int]] = {}
            for cell in table.column(column):
                if cell.row in table.parts and len(cell.text) > 1:
                    rows.setdefault(cell.text.lower(), set()).add(cell.row)
            if 1 < len(rows) <= _MOST_VALUES:
                found[column] = _with_words(rows)
        return found


def _with_words(rows: dict[str, set[int]]) -> dict[str, frozenset[int]]:
    """The rows of each value, and of the words that more than one value, or a single one, begins with or has."""
    words: dict[str, set[int]] = {}
    for value, of_value in rows.items():
        for word in {match[0] for match in _WORD.finditer(value)} - {value}:
            if word not in STOP:
                words.setdefault(word, set()).update(of_value)
    every = set[int]().union(*rows.values())
    return {text: frozenset(several) for text, several in {**words, **rows}.items() if several != every}


def _joined(text: str, hits: Sequence[_Hit]) -> Iterable[_Hit]:
    """Values of one column that stand side by side: "coal and gas"."""
    chain: list[_Hit] = []
    for one in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if chain and one.start < chain[-1].end:
            continue
        if chain and (one.column != chain[-1].column or _JOINED.fullmatch(text, chain[-1].end, one.start) is None):
            yield from _union(chain)
            chain = []
        chain.append(one)
    yield from _union(chain)


def _union(chain: Sequence[_Hit]) -> Iterable[_Hit]:
    if len(chain) > 1:
        rows = frozenset[int]().union(*(one.rows for one in chain))
        yield chain[0]._replace(rows=rows, said=", ".join(one.said for one in chain), end=chain[-1].end, when=None)


def _away(place: int, at: int) -> int:
    return at - place if place < at else _BEHIND + place - at
