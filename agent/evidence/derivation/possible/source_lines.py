"""What follows from the numbers of one line or sentence of the sources: the sum of "salary 3,240; benefit 255", how
much more a value is than the one told beside it, and the share of "132 of 1520".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.direction import turned
from agent.evidence.drafts import TO_WORK_WITH, Draft
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources, Spotted
from agent.evidence.tables.digits import is_year
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exactly
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_LINE = regex(r"[^\n]+")
_COLUMNS = regex(r"\||\S {2,}\S|\t|^[^:]*,[^:]*,[^:]*$")  # a row of a table
_OUT_OF = regex(r"[^\W\d_]* ?(?:of|/|out of|von|sur|de) ?$")
_MORE = regex(r"[*_]* (?:more|less|fewer|higher|lower|up|down|mehr|weniger|de plus|de moins)\b")
_FEWEST = 4  # digits of a sum: a line comes to shorter ones by chance
_MOST_LINES, _MOST_NUMBERS, _MOST_TOGETHER = 120, 12, 4
_MOST_BEFORE = 3  # figures of a sentence


class _Number(NamedTuple):
    value: Fraction
    spot: Spotted


@dataclass(frozen=True)
class SourceLines:
    """Of one answer over its sources."""

    answer: Answer
    sources: Sources

    def findings(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> Iterator[tuple[int, Finding]]:
        """``possible`` for those of some figures, by their places in ``drafts``, that such a step comes to."""
        for number in numbers:
            figure = drafts[number].figure
            if figure is None or drafts[number].kind != "number" or figure.ordinal or not figure.value:
                continue
            found = self._share(figure, drafts) if figure.unit is PERCENT else self._sum(figure)
            if found is not None:
                yield number, found

    def _sum(self, figure: Figure) -> Finding | None:
        """What a line, or a few lines below one another, come to."""
        if figure.digits < _FEWEST or figure.loose:
            return None
        for line in self._lines:
            total = Fraction(0)
            for values in islice(line, _MOST_TOGETHER):
                total += sum((one.value for one in values), Fraction(0))
                if figure.holds(float(total)):
                    count = sum(map(len, line[: line.index(values) + 1]))
                    note = Text("sum of the {n} values", n=count)
                    return Finding("possible", (line[0][0].spot, values[-1].spot), note)
        return None

    @cached_property
    def _lines(self) -> list[list[list[_Number]]]:
        """The amounts of each line that has several, with those of the lines right below it."""
        found: list[list[list[_Number]]] = []
        for number, source in enumerate(self.sources.texts):
            every = islice(_LINE.finditer(source.text), _MOST_LINES) if source.origin == "seen" else ()
            lines = [[] if _COLUMNS.search(one[0]) else self._numbers(number, *one.span()) for one in every]
            for index, values in enumerate(lines):
                if 1 < len(values) <= _MOST_NUMBERS:
                    below = lines[index : index + _MOST_TOGETHER]
                    found.append([one for one in below if one])
        return found

    def _numbers(self, number: int, left: int, right: int) -> list[_Number]:
        source = self.sources.texts[number]
        tokens = source.page.numbers_between(left, right)
        said = [(source.text[one.start : one.end], one) for one in tokens]
        return [
            _Number(exactly(one.value, raw, source.scan.continental), (number, one.start, one.end))
            for raw, one in said
            if not is_year(raw)
        ]

    def _share(self, figure: Figure, drafts: Sequence[Draft]) -> Finding | None:
        """How much more a value of the sentence is than another one of its source's sentence, or its share of that."""
        left, right = self.answer.sentence(figure.start)
        before = [one for one in drafts if left <= one.start < figure.start and one.kind == "number" and one.figure]
        usable = [one for one in before if one.finding.verdict in TO_WORK_WITH and one.finding.spots]
        compared = _MORE.match(self.answer.lower, figure.end) is not None
        said = self.answer.lower[left:right]
        for one in usable[-_MOST_BEFORE:]:
            number, start, _ = one.finding.spots[0]
            source = self.sources.texts[number]
            if source.origin != "seen" or source.page.cell_at(start) is not None or one.figure is None:
                continue
            for other in self._numbers(number, *source.page.sentence(start)):
                if other.spot[1] == start or not other.value or other.value == one.figure.value:
                    continue
                part = _OUT_OF.search(source.text, start, other.spot[1]) if start < other.spot[1] else None
                if part is not None and figure.holds(float(one.figure.value / other.value * 100)):
                    return _told(f"{written(one.figure.value)} ÷ {written(other.value)} × 100", one, other, figure)
                change = (one.figure.value - other.value) / other.value * 100
                goes = not turned(said, figure.start - left, figure.negative, 1 if change > 0 else -1)
                if compared and goes and figure.holds(abs(float(change))):
                    base = written(other.value)
                    return _told(f"({written(one.figure.value)} − {base}) ÷ {base} × 100", one, other, figure)
        return None


def _told(steps: str, one: Draft, other: _Number, figure: Figure) -> Finding:
    note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, figure.unit))
    return Finding("possible", (one.finding.spots[0], other.spot), note)
