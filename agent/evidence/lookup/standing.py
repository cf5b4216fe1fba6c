"""Whether a value that was found stands with the subject that the answer gives it to, or elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources, Spotted
from agent.evidence.tables.digits import figures, size
from agent.evidence.tables.meant_columns import (
    alone,
    is_total,
    of_another_group,
    of_another_short_head,
    of_another_unit,
    of_no_column,
    of_no_row,
)
from agent.evidence.tables.subjects import Fit, Subjects, token_places, tokens
from agent.evidence.tables.table_model import Cell, is_section
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import Unit

_BEFORE = 300  # characters before a sentence that may name what it speaks of


@dataclass(frozen=True)
class Words:
    """What an answer says around a claim.

    In its ``sentence``; in its clause (``near``, the ``names`` of it those with a capital) and up to the next numbers
    there (``close``); right behind other numbers (``counted``); before the sentence or in the question (``wide``).
    ``told`` stand before the claim in its clause, ``noun`` stands right behind it and its unit, ``behind`` are the
    first words behind its digits as they stand, ``head`` is the noun that it is the number of ("a majority of 540").
    ``whole`` tells whether it is said to be all ("96 of the 212", "a career record of"), ``of_all`` as in the first.
    """

    sentence: frozenset[str]
    near: frozenset[str]
    close: frozenset[str]
    counted: frozenset[str]
    wide: frozenset[str]
    names: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    noun: frozenset[str] = frozenset()
    behind: tuple[str, ...] = ()
    head: frozenset[str] = frozenset()
    whole: bool = False
    of_all: bool = False


@dataclass(frozen=True)
class Standings:
    """Settles where the found values of an answer stand; ``whole`` is the answer with its headings."""

    answer: Answer
    whole: str
    question: str
    sources: Sources

    @cached_property
    def _places(self) -> tuple[list[int], list[tuple[int, frozenset[str]]]]:
        found = token_places(self.whole)
        return [start for start, _, _ in found], [(end, words) for _, end, words in found]

    @cached_property
    def _asked(self) -> frozenset[str]:
        return tokens(self.question)

    @cached_property
    def _counted(self) -> list[tuple[int, int, int]]:
        """Where numbers start, and the words right behind them, years apart."""
        return [(match.start(), *match.span(1)) for match in _COUNTED.finditer(self.whole)]

    def _counted_between(self, start: int, end: int) -> list[tuple[int, int, int]]:
        return self._counted[bisect_left(self._counted, (start,)) : bisect_left(self._counted, (end,))]

    def _between(self, start: int, end: int) -> frozenset[str]:
        starts, rest = self._places
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        return frozenset(word for _, words in rest[first:last] for word in words)

    @cached_property
    def _said(self) -> dict[tuple[int, int], Words]:
        return {}

    def words(self, start: int, end: int) -> Words:
        """The words around a claim, kept for whoever asks again."""
        if (start, end) not in self._said:
            self._said[start, end] = self._words(start, end)
        return self._said[start, end]

    def _words(self, start: int, end: int) -> Words:
        left, right = self.answer.sentence(start)
        left, right = max(left, start - _BEFORE), min(right, end + _BEFORE)
        sentence = self._between(left, start) | self._between(end, right)
        begin, stop = _clause(self.whole, start, end, left, right)
        told = self._between(begin, start)
        near, close = told | self._between(end, stop), self._close(start, end, begin, stop)
        names = frozenset(
            word for match in _NAME.finditer(self.whole, begin, stop) for word in self._between(*match.span())
        )
        counted = frozenset(
            word
            for number, first, last in self._counted_between(left, right)
            if not start <= number < end
            for word in self._between(first, last)
        )
        wide = self._between(max(0, left - _BEFORE), left) | self._asked
        after = _BEHIND.match(self.whole, start)
        behind = tuple(after[1].lower().split()) if after is not None else ()
        of = _NUMBER_OF.search(self.whole[left:start])
        head = tokens(of[1].lower()) if of is not None else frozenset[str]()
        word = _NOUN.match(self.whole, end)
        noun = tokens(word[1].lower()) if word is not None else frozenset[str]()
        of_all = _OF_ALL.search(self.whole[left:start]) is not None
        whole = of_all or bool(near & _WHOLE)
        return Words(
            sentence, near, close, counted - close, wide, names & near, told, noun, behind, head, whole, of_all
        )

    def _close(self, start: int, end: int, begin: int, stop: int) -> frozenset[str]:
        """The words of the clause that stand between the numbers next to the claim."""
        before = max((match.end() for match in _NUMBER.finditer(self.whole, begin, start)), default=begin)
        after = _DIGIT.search(self.whole, end, stop)
        return self._between(before, start) | self._between(end, after.start() if after is not None else stop)

    def settle(self, finding: Finding, start: int, end: int, figure: Figure | None = None) -> Finding:
        """A finding with the places of its own subject first; ``elsewhere`` where there are none."""
        if finding.verdict != "seen" or not finding.spots:
            return finding
        own: list[tuple[float, Spotted]] = []
        others: list[tuple[Spotted, Subjects, Cell]] = []
        cells = [self.sources.texts[spot[0]].cell_at(spot[1]) for spot in finding.spots]
        if not any(cells):
            return finding
        words, unit = self.words(start, end), figure.unit if figure is not None else None
        for spot, at in zip(finding.spots, cells, strict=True):
            if at is None or fits(*at, words, unit):
                own.append((at[0].named_well(at[1], words.near) if at is not None and len(cells) > 1 else 0.0, spot))
            else:
                others.append((spot, *at))
        own.sort(key=lambda one: -one[0])
        spots = [spot for _, spot in own]
        if not spots and figure is not None:
            spots = list(self._same_in_named_rows(others, words, figure))
        if spots:
            return Finding("seen" if self._observed(spots) else finding.verdict, tuple(spots), finding.note)
        spot, subjects, cell = others[0]
        return Finding("elsewhere", tuple(spot for spot, _, _ in others), where(subjects, cell))

    def stranger(self, finding: Finding) -> Finding | None:
        """``elsewhere`` for a value that stands in the sources, though none of its sentence's words stand near it."""
        for spot in finding.spots[:1]:
            at = self.sources.texts[spot[0]].cell_at(spot[1])
            note = where(*at) if at is not None else Text("It stands in another place")
            return Finding("elsewhere", finding.spots, note)
        return None

    def _same_in_named_rows(
        self, others: list[tuple[Spotted, Subjects, Cell]], words: Words, figure: Figure
    ) -> Iterator[Spotted]:
        """The cells with the same figure in the row found, and in the rows that the sentence names.

        Of a figure that stands in many rows ("24 rows") only the first places are looked at before.
        """
        low, high = figure.edges
        for spot, subjects, found in others[:1]:
            for row in (found.row, *subjects.rows_named(words.sentence, -2)):
                for cell in subjects.table.rows[row]:
                    said = figures(cell.text)
                    if said and low <= size(said) <= high and fits(subjects, cell, words, figure.unit):
                        yield spot[0], cell.start, cell.end

    def _observed(self, spots: list[Spotted]) -> bool:
        return any(self.sources.texts[spot[0]].origin != "given" for spot in spots)


_WHOLE = tokens("total overall career record altogether combined")
_OF_ALL = re.compile(r"[0-9] (?:out )?of (?:the|its|their|all|a total of) $")
_UNIT_WORDS = {"%": frozenset(("percen",))}
_DIGIT = re.compile(r"[0-9]")
_BEHIND = re.compile(r"[0-9][0-9.,]{0,20}[ \u00a0-]?((?:[^\W\d_]{1,40} ?){0,3})")
_NOUN = re.compile(r"[ \u00a0-]([^\W\d_]{1,40})")
_NUMBER_OF = re.compile(r"([^\W\d_]{4,40}) of (?:(?:only|just|about|nearly|over) )?[$€£¥]?$")
_NUMBER = re.compile(r"(?<![0-9.,])[0-9][0-9.,]{0,20}(?:[ \u00a0-]?[^\W\d_]{1,40}[²³]?|[ ]?%)?")
_COUNTED = re.compile(r"(?<![0-9.,])(?!(?:1[5-9]|20)[0-9]{2}(?![0-9]))[0-9][0-9.,]{0,20}[ \u00a0-]?([^\W\d_]{1,40})")
_PART = re.compile(r"[;:()（）\n、。；]|,(?![0-9])| (?:and|while|but|whereas|versus|vs\.?|compared|und|et|y|e) ")
_NEXT = re.compile(  # "68.5% of the vote to Lund's 31.3%", "540 votes against Lund's 310"
    _PART.pattern + r"| to (?=[^\W\d_][^0-9.]{2,40}[0-9])|(?<= )[^\W\d_]+['’]s? (?=[$€£¥]?[0-9])"
)
_TITLE = re.compile(r"(?<!\w)[\"“„«](?! )[^\"“”„«»\n]{1,80}(?<! )[\"”“»](?!\w)")
_NAME = re.compile(r"(?<![^\W_])[A-ZÀ-ÖØ-ÞΑ-ΩА-Я][^\W\d_]*")


def _clause(text: str, start: int, end: int, left: int, right: int) -> tuple[int, int]:
    """The piece of a sentence between the signs and linking words next to a claim."""
    begin = left  # a comma within a title parts nothing
    titles = [match.span() for match in _TITLE.finditer(text, left, right)]
    for match in _PART.finditer(text, left, start - (text[start - 1 : start] in "((（")):
        if not any(first < match.start() < last for first, last in titles):
            begin = match.end()
    parts = (match.start() for match in _NEXT.finditer(text, end, right))
    return begin, next((part for part in parts if not any(first < part < last for first, last in titles)), right)


def fits(subjects: Subjects, cell: Cell, words: Words, unit: Unit | None = None) -> bool:
    """Whether the sentence can speak of a cell: neither another row nor another column is named better."""
    if cell.row < subjects.table.heads:  # "In 2019 they were 2019."
        return figures(cell.text) not in words.told
    if is_section(subjects.table.rows[cell.row]):
        return True
    if of_another_unit(subjects, cell, unit):
        return False
    stated = frozenset(word for word in words.sentence if word[:1].isdigit())
    none = frozenset[str]()
    heads = subjects.heads[cell.column] if cell.column < len(subjects.heads) else none
    own = heads & tokens(" ".join(words.behind))  # "540 votes": of a column, and of no row
    if _of_another_row(subjects, cell, words, own, stated, heads, unit):
        return False
    close = words.close | _UNIT_WORDS.get(unit.name if unit is not None else "", none)
    near, sentence = words.near - words.counted, words.sentence - words.counted
    columns = ((words.noun, none), (close, none), (near, stated), (sentence, stated), (words.wide, stated))
    fit = _first((subjects.column_fits(cell, *said) for said in columns), len(columns))
    if fit in ("own", "other"):
        return fit == "own"
    return not (
        of_another_group(subjects, cell, words.sentence, stated)
        or of_another_short_head(subjects, cell, words.behind)
        or of_no_column(subjects, cell, words.sentence | words.wide, stated, words.behind, unit)
    )


def _of_another_row(
    subjects: Subjects,
    cell: Cell,
    words: Words,
    own: frozenset[str],
    stated: frozenset[str],
    heads: frozenset[str],
    unit: Unit | None,
) -> bool:
    """Whether another row is named better, or none is and others could hold the value just as well."""
    if (words.whole and is_total(subjects, cell)) or (unit is not None and alone(subjects, cell, unit)):
        return False
    none = frozenset[str]()
    rows = (
        (words.head - heads, none, False),
        (words.near - own, none, True),
        (words.sentence - own, stated, False),
        (words.wide - own, stated, False),
    )
    fit = _first((subjects.row_fits(cell, *said) for said in rows), len(rows))
    if fit == "other" or subjects.of_another_name(cell, words.names - own, words.near - own):
        return True
    if fit == "alike" and words.of_all and cell.numeric and subjects.totals and cell.row not in subjects.totals:
        return True
    return fit == "none" and of_no_row(subjects, cell)


def _first(judged: Iterable[Fit], most: int) -> Fit:
    """What the first words that tell rows apart say; the last, widest ones only where no row is named before."""
    alike = False
    for number, fit in enumerate(judged, 1):
        if number == most and alike:
            break
        if fit in ("own", "other"):
            return fit
        alike = alike or fit == "alike"
    return "alike" if alike else "none"


def where(subjects: Subjects, cell: Cell) -> Text:
    """The row that a cell stands in, and its column."""
    row = next((one.text for one in subjects.table.rows[cell.row] if one.text and one is not cell), "")
    column = _head(subjects, cell)
    if row and column:
        return Text("It stands in the row {row}, column {column}", row=row[:60], column=column[:60])
    return Text("It stands in the row {row}", row=row[:60]) if row else Text("It stands in another place")


_TYPE = re.compile(
    r" (?:(?:BIG|SMALL|TINY|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|REAL|NUMERIC|DECIMAL|VARCHAR|TEXT|BOOLEAN|DATE|TIMESTAMP)"
    r"(?:\([0-9, ]+\))?$"
)


def _head(subjects: Subjects, cell: Cell) -> str:
    """The head of a cell's column, without the type that a query's result says behind it."""
    table = subjects.table
    if cell.column >= len(table.column_heads):
        return ""
    head = " ".join(table.column_heads[cell.column].split())
    last = table.rows[table.heads - 1] if table.heads else ()
    said = _TYPE.search(last[cell.column].text) if cell.column < len(last) else None
    return head.removesuffix(said[0].lower()) if said is not None else head
