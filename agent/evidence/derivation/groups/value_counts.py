"""How many rows have a value that a line is labelled with: "- IT: 2 of 3 (one late)", "- Grade C: 4".

Also of tables without any number, as lists of tasks and of people are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.evidence.lookup.context import line_bounds
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding
from agent.evidence.tables.cell_words import stems_in
from agent.evidence.tables.subjects import Subjects
from agent.evidence.verdicts import Verdict
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_MOST_ROWS, _MOST_VALUES = 400, 20
_BEFORE, _BEHIND = 24, 40  # characters
_LABEL = regex(
    r"[ \t]*(?:(?:[-*+•]|[0-9]{1,2}[.)])[ \t]+)?[*_]{0,2}(?P<said>[^:：*_\n]{1,40}?)[*_]{0,2}[:：–—][*_]{0,2}[ \t]"
)
_OF = r"[*_]{0,2}[ \u00a0](?:of|out of|von|sur|de)[ \u00a0](?:the |all |den |las |los |les )?[*_]{0,2}"
_OF_BEFORE, _OF_BEHIND = regex(rf"{_OF}$"), regex(rf"{_OF}[0-9a-z]")
_NOUN = regex(r"[- \u00a0*_]{1,4}[^\W\d_]{3,}")
_FEWEST = 5  # rows of a table that are counted without a word of it
_STOP = regex(r"[0-9;:,.()（）\n、。]")
_WORD = regex(r"[^\W\d_]+")


@dataclass(frozen=True)
class ValueCounts:
    """Of one answer."""

    standings: Standings

    def finding(self, figure: Figure) -> Finding | None:
        """``worked_out`` for such a count; ``None`` where no rows come to it."""
        if figure.unit is not None or figure.step != 1 or figure.ordinal or figure.loose or figure.negative:
            return None
        text = self.standings.whole
        left, _ = line_bounds(text, figure.start, figure.end)
        label = _LABEL.match(text, left, figure.start)
        of_several = _OF_BEHIND.match(text, figure.end) is not None
        is_whole = _OF_BEFORE.search(text, max(0, figure.start - _BEFORE), figure.start) is not None
        if label is None and not of_several and (every := self._all_rows(figure, is_whole)) is not None:
            return every
        for number, subjects, groups in self._tables:
            rows = groups.get(label["said"].lower().strip()) if label is not None else None
            if rows is None and (label is not None or not (of_several or is_whole)):
                continue
            rows = frozenset[int]().union(*groups.values()) if rows is None else rows
            meant = [rows] if is_whole or (label is not None and not of_several) else []
            meant += [rows & groups[value] for value in self._named(figure, groups, of_several, label is not None)]
            if (counted := next((one for one in meant if len(one) == figure.value), None)) is not None:
                return count_of_rows("worked_out", number, subjects, sorted(counted))
        return None

    def _all_rows(self, figure: Figure, is_whole: bool) -> Finding | None:
        """ "Nine of the 14", "the 13-man roster", or "12 cities" in the first sentence: all rows of the one table."""
        noun = _NOUN.match(self.standings.whole, figure.end)
        first = figure.start < self.standings.answer.sentence(0)[1]
        tables = [
            (number, subjects)
            for number, source in enumerate(self.standings.sources.texts if noun is not None else ())
            for subjects in (source.tables if source.origin == "seen" else ())
        ]
        said = is_whole or (figure.value >= _FEWEST and (first or (noun is not None and noun[0][0] == "-")))
        if noun is None or len(tables) != 1 or not said:
            return None
        number, subjects = tables[0]
        rows = sorted(subjects.table.parts.difference(subjects.table.last_totals))
        return count_of_rows("possible", number, subjects, rows) if len(rows) == figure.value else None

    def _named(
        self, figure: Figure, groups: Mapping[str, frozenset[int]], of_several: bool, labelled: bool
    ) -> Iterator[str]:
        """The values named right behind a figure; of "2 of 3" also in the first sentence and the question.

        Where no label stands before it, in its own sentence, too.
        """
        answer = self.standings.answer
        stop = _STOP.search(answer.lower, figure.end, figure.end + _BEHIND)
        texts = [answer.lower[figure.end : stop.start() if stop is not None else figure.end + _BEHIND]]
        if of_several:
            texts += [] if labelled else [answer.lower[slice(*answer.sentence(figure.start))]]
            texts += [answer.lower[slice(*answer.sentence(0))], self.standings.question]
        for text in texts:
            said = _stems(text)
            yield from (value for value in groups if (stems := _stems(value)) and stems <= said)

    @cached_property
    def _tables(self) -> list[tuple[int, Subjects, dict[str, frozenset[int]]]]:
        """The observed tables with the rows of each value that several rows can have."""
        found: list[tuple[int, Subjects, dict[str, frozenset[int]]]] = []
        for number, source in enumerate(self.standings.sources.texts):
            for subjects in source.tables if source.origin == "seen" else ():
                if groups := _groups(subjects):
                    found.append((number, subjects, groups))
        return found


def count_of_rows(verdict: Verdict, number: int, subjects: Subjects, rows: Sequence[int], column: int = 0) -> Finding:
    """A count of rows of a table in the text of that number, with their cells of a column."""
    cells = [subjects.table.rows[row][column] for row in rows]
    spots = tuple((number, cell.start, cell.end) for cell in cells)
    return Finding(verdict, spots, Text("count of {n} rows", n=len(rows)))


def _groups(subjects: Subjects) -> dict[str, frozenset[int]]:
    table = subjects.table
    rows = sorted(table.parts.difference(table.last_totals))[:_MOST_ROWS]
    found: dict[str, frozenset[int]] = {}
    for column in range(table.width):
        if column in table.numeric_columns:
            continue
        values: dict[str, list[int]] = {}
        for row in rows:
            cells = table.rows[row]
            if column < len(cells) and cells[column].text:
                values.setdefault(cells[column].text.lower().strip(), []).append(row)
        if 1 < len(values) <= _MOST_VALUES and len(values) < len(rows):
            for value, having in values.items():
                found.setdefault(value, frozenset(having))
    return found


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in _WORD.findall(text) for stem in stems_in(word))
