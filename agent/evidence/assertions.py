"""What an answer says with each of its figures: the value, the words of its clause and of its sentence."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from agent.evidence.kept import kept
from agent.evidence.masking import links_in, masked
from agent.evidence.tables.stems import stems_of
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from agent.text.characters import lowered
from agent.text.quantities.claim_words import STOP, several
from agent.text.quantities.day_mentions import Day, dates_in
from agent.text.quantities.figures import Figure, figures_in, is_claim
from agent.text.quantities.scanning import plain, scan
from agent.text.quantities.spelled_words import small_words
from agent.text.regex import regex

_MOST_CHARACTERS = 8_000  # of an answer that are read
_MOST_SAID = 90  # characters of a clause that are shown
# Words that stand everywhere and still make another thing of what is counted.
_TELLING = frozenset(several("not nicht more most least before after under over between each other both per value"))
_WORD = regex(r"[0-9]+(?:[.,][0-9]+)*|[\u3400-\u9fff々]+|[\u30a0-\u30ff]+|[\uac00-\ud7af]+|[^\W\d_\u3040-\u309f]+")
_APART = regex(
    # "Length (km): 6,650" is one piece.
    r"[;、。；!?！？|]|[(（](?![^()（）\n]{0,30}[)）]\s?[:：])|[)）](?!\s?[:：])|,(?![0-9])|\.(?=\s|$)"
    r"| (?:and|while|but|whereas|versus|vs\.?|compared|und|während|et|tandis|y|e|mientras|mentre) "
)
_SENTENCE = regex(r"[.!?](?=\s|$)|[。！？\n]")
_LISTED = regex(r"\s*(?:[-*+•]|[0-9]{1,3}[.)])[ \t]")
_MARKUP = regex(r"\\([!-/:-@\[-`{-~])|[*_`#>|]+|\s+")  # also a sign that is escaped, and so none of markup
_CAPITAL = regex(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A figure or a date of an answer, characters ``start`` to ``end``, with the words that say what it is of.

    ``clause`` are the words nearest to it, in a table those of its row's and its column's heads; ``sentence`` are all
    of its sentence, ``names`` those of them that have a capital inside of the sentence. ``said`` is the clause as
    written, on one line.
    """

    start: int
    end: int
    thing: Figure | Day
    clause: frozenset[str]
    sentence: frozenset[str]
    names: frozenset[str]
    said: str


def words_in(text: str) -> frozenset[str]:
    """What a text says: stems of its words without the small ones, its numbers, pairs of Han."""
    return frozenset(word for match in _WORD.finditer(lowered(text)) for word in _stems(match[0]))


def names_in_text(text: str) -> frozenset[str]:
    """The stems of words with a capital that no sentence starts with."""
    found: set[str] = set()
    for match in _CAPITAL.finditer(text):
        opens = not text[: match.start()].rstrip(" *_\"'“„«(¿¡-") or text[: match.start()].rstrip()[-1:] in ".!?:\n"
        if match[0][0].isupper() and not opens:
            found.update(_stems(match[0].lower()))
    return frozenset(found)


@cache
def _small() -> frozenset[str]:
    """The words that stand everywhere and tell nothing apart."""
    return (STOP | small_words()) - _TELLING


def _stems(word: str) -> tuple[str, ...]:
    return stems_of(word, _small())


def statements_in(answer: str) -> list[Statement]:
    """The statements of an answer in its order."""
    return list(_Reader(plain(answer[:_MOST_CHARACTERS])).statements())


@dataclass(frozen=True)
class _Reader:
    """An answer being read; ``text`` is plain (see ``scanning``)."""

    text: str

    @cached_property
    def _bare(self) -> str:
        return masked(self.text, links_in(self.text))

    @cached_property
    def _ends(self) -> list[int]:
        return [match.end() for match in _SENTENCE.finditer(self.text)]

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        return tuple(tables_in(self.text)) if "|" in self.text else ()

    @cached_property
    def _things(self) -> list[Figure | Day]:
        bare = self._bare
        lower, scanned = lowered(bare), scan(bare)
        days = dates_in(bare, lower, scanned)
        figures = figures_in(bare, lower, scanned, days, scanned.continental)
        found = [figure for figure in figures if is_claim(figure)]
        return sorted([*found, *days], key=lambda thing: thing.start)

    def statements(self) -> Iterator[Statement]:
        for thing in self._things:
            in_table = self._in_table(thing)
            yield in_table if in_table is not None else self._in_prose(thing)

    def _in_table(self, thing: Figure | Day) -> Statement | None:
        """The figure of a cell, with its row's first cell and the head of its column."""
        for table in self._tables:
            cell = table.cell_at(thing.start) if table.start <= thing.start < table.end else None
            if cell is None or cell.row < table.heads:
                continue
            label = table.rows[cell.row][0]
            head = table.column_heads[cell.column] if cell.column < len(table.column_heads) else ""
            row = label.text if label is not cell else ""
            words = words_in(f"{row} {head}")
            said = _one_line(f"{row}: {cell.text}" if row else cell.text)
            return Statement(thing.start, thing.end, thing, words, words, frozenset(), said)
        return None

    def _in_prose(self, thing: Figure | Day) -> Statement:
        left, right = self._sentence(thing)
        begin, end = self._clause(thing, left, right)
        intro, noun = self._intro(left), words_in(self.text[thing.end - 1 : thing.end])  # 人 of "3人"
        clause = self._words(begin, thing.start) | self._words(thing.end, end)
        for one, other in self._pieces(left, right):
            if self._is_bare(one, other) and not one <= thing.start < other:
                clause |= self._words(one, other)
        sentence = self._words(left, right, thing)
        names = self._names(left, right)
        said = _one_line(self.text[begin:end])
        return Statement(thing.start, thing.end, thing, (intro | clause) - noun, (intro | sentence) - noun, names, said)

    @cached_property
    def _places(self) -> tuple[list[int], list[tuple[int, frozenset[str]]]]:
        """Where each word starts; where it ends, and its stems."""
        found = [(*match.span(), frozenset(_stems(match[0]))) for match in _WORD.finditer(lowered(self.text))]
        return [start for start, _, _ in found], [(end, stems) for _, end, stems in found]

    @cached_property
    def _in_figures(self) -> dict[int, Figure | Day]:
        """The words, by where they start, that belong to a figure, a year, or a date."""
        starts, _ = self._places
        return {
            starts[index]: thing
            for thing in self._things
            for index in range(bisect_left(starts, thing.start), bisect_left(starts, thing.end))
        }

    def _words(self, begin: int, end: int, but: Figure | Day | None = None) -> frozenset[str]:
        """The words between two places; with ``but`` without it and without all figures that are no years and days."""
        starts, rest = self._places
        found: set[str] = set()
        for index in range(bisect_left(starts, begin), bisect_left(starts, end)):
            thing = self._in_figures.get(starts[index]) if but is not None else None
            if thing is None or (thing is not but and _is_time(thing)):
                found.update(rest[index][1])
        return frozenset(found)

    @kept
    def _names(self, left: int, right: int) -> frozenset[str]:
        return names_in_text(self.text[left:right])

    @cached_property
    def _intros(self) -> tuple[list[int], list[frozenset[str]]]:
        """Where each line starts, and the words of what introduces a list there."""
        starts, intros = [0], [frozenset[str]()]
        for whole in self.text.splitlines(keepends=True):
            intros.append(_introduced(whole.splitlines()[0], intros[-1]))
            starts.append(starts[-1] + len(whole))
        return starts, intros

    def _intro(self, left: int) -> frozenset[str]:
        """The words of the line that introduces the list that a line is in."""
        if _LISTED.match(self.text, left) is None:
            return frozenset()
        starts, intros = self._intros
        index = bisect_right(starts, left) - 1
        return _introduced(self.text[starts[index] : left], intros[index])

    def _sentence(self, thing: Figure | Day) -> tuple[int, int]:
        index = bisect_right(self._ends, thing.start)
        left = self._ends[index - 1] if index else 0
        after = bisect_right(self._ends, thing.end - 1)
        return left, self._ends[after] if after < len(self._ends) else len(self.text)

    def _clause(self, thing: Figure | Day, left: int, right: int) -> tuple[int, int]:
        """The piece of a sentence around a figure; one that says nothing has the piece before it, too."""
        pieces = self._pieces(left, right)
        index = next((n for n, (begin, end) in enumerate(pieces) if begin <= thing.start < max(end, begin + 1)), 0)
        begin, end = pieces[index]
        while index and not (self._words(begin, thing.start) or self._words(thing.end, end)):
            index -= 1
            begin = pieces[index][0]
        return begin, end

    @kept
    def _pieces(self, left: int, right: int) -> list[tuple[int, int]]:
        """The pieces of a sentence between its signs and linking words, those inside of figures apart."""
        cuts = [(left, left)]
        inside = [(thing.start, thing.end) for thing in self._between(left, right)]
        for match in _APART.finditer(self.text, left, right):
            if not any(start <= match.start() < end for start, end in inside):
                cuts.append(match.span())
        cuts.append((right, right))
        return [(one[1], other[0]) for one, other in pairwise(cuts)]

    @cached_property
    def _starts(self) -> list[int]:
        return [thing.start for thing in self._things]

    def _between(self, left: int, right: int) -> list[Figure | Day]:
        return self._things[bisect_left(self._starts, left) : bisect_left(self._starts, right)]

    def _is_bare(self, begin: int, end: int) -> bool:
        """Whether a piece has no figure but years and days, and so speaks of those beside it."""
        return all(map(_is_time, self._between(begin, end)))


def _introduced(line: str, before: frozenset[str]) -> frozenset[str]:
    """The words of a line that introduces what follows, a heading or one that ends with a colon; else none.

    Blank lines and those of a list leave what stood ``before`` them.
    """
    if not line.strip() or _LISTED.match(line) is not None:
        return before
    heads = line.rstrip(" *").endswith((":", "：")) or line.lstrip().startswith(("#", "**"))
    return words_in(line) if heads else frozenset()


def _is_time(thing: Figure | Day) -> bool:
    """Whether it may be a year or a day, which say what other figures are of."""
    return isinstance(thing, Day) or (thing.digits == 4 and thing.step == 1 and not (thing.unit or thing.spelled))


def _one_line(text: str) -> str:
    said = " ".join(_MARKUP.sub(lambda found: found[1] or " ", text).split()).strip(" .,;:。、-•")
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID].rstrip()}…"
