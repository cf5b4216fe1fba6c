"""Whether a value that was found stands with the subject that the answer gives it to, or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import TypeAlias

from agent.evidence.lookup.agreement import unit_of_span
from agent.evidence.lookup.cells_told import where
from agent.evidence.lookup.clauses import NO_WORDS, Clauses, Words
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Source, Sources, Spotted
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import figures, is_year, size
from agent.evidence.tables.meant_columns import (
    Said,
    alone,
    in_its_unit,
    is_key,
    is_named,
    is_share,
    is_total,
    of_another_column,
    of_another_unit,
    of_no_row,
)
from agent.evidence.tables.subjects import Fit, Subjects
from agent.evidence.tables.table_model import Cell, is_label, is_section
from agent.evidence.tables.year_columns import is_counted, is_dated, is_of_years, of_another_year, says_nothing_of
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import Unit
from agent.text.regex import regex

_At: TypeAlias = tuple[Subjects, Cell]
_Placed: TypeAlias = tuple[Spotted, _At | None]
_SHORT = 2  # digits: such a figure stands in prose and in tables by chance
_CODE = regex(r"\b[A-Za-z]{1,4}-?[0-9]")  # of a label: "RX-7", "web-01"
_NUMBERED = regex(r"[^\W\d_]{3,} [0-9]{1,3}$")  # a name: "Division 1" counts no matches
_MARK = regex(r"[.)][ \t]+\S")
_ENOUGH = 4  # places of its own subject: no more are shown or worked with
_NONE = frozenset[str]()


@dataclass(frozen=True)
class Standings:
    """Settles where the found values of an answer stand; ``whole`` is the answer with its headings."""

    answer: Answer
    whole: str
    question: str
    sources: Sources
    days: tuple[Day, ...] = ()

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses(self.answer, self.whole, self.question, self.sources, self.days)

    def words(self, start: int, end: int) -> Words:
        """The words around a claim."""
        return self._clauses.words(start, end)

    def settle(self, finding: Finding, start: int, end: int, figure: Figure | None = None) -> Finding:
        """A finding with the places of its own subject first; ``elsewhere`` where there are none.

        Prose says nothing of a figure that a table of the same text gives to another row or column.
        """
        if finding.verdict != "seen" or not finding.spots:
            return finding
        unit = (figure.unit or unit_of_span(self.whole, end)) if figure is not None else self._of_length(finding.spots)
        strangers = self.answer.strangers(start, self.sources)
        at_home = [spot for spot in finding.spots if spot[0] not in strangers]
        if not at_home:
            return self.stranger(finding) or finding
        placed = [(spot, self.sources.texts[spot[0]].page.cell_at(spot[1])) for spot in at_home]
        words = self.words(start, end) if any([at for _, at in placed]) else NO_WORDS
        spots: list[Spotted] = []
        others: dict[Spotted, _At] = {}
        known: dict[tuple[int, int], bool] = {}  # the same page may have been read twice
        for spot, at in placed if words is NO_WORDS else _best_named(placed, words.near):
            if at is None:
                spots += [spot] if figure is None or self._in_prose(spot, start, end, unit) else []
            elif self._is_label_said(at[1], spot, start) or _fits_once(at, words, unit, known):
                spots.append(spot)
            else:
                others[spot] = at
            if len(spots) == _ENOUGH:
                break
        if figure is not None:
            spots = self._of_its_table(spots, others, figure) or list(self._same_in_named_rows(others, words, figure))
        if spots:
            settled = tuple(spots)
            return finding if settled == finding.spots else Finding("seen", settled, finding.note)
        if not others:
            return Finding("elsewhere", finding.spots, Text("It stands in another place"))
        places = tuple(spot for spot in finding.spots if spot in others)
        return Finding("elsewhere", places, where(*others[places[0]]))

    def _of_length(self, spots: Sequence[Spotted]) -> Unit | None:
        """The unit of time that the first of some places is told in: minutes of "95 min", in an answer 1:35."""
        number, start, end = spots[0]
        unit = self.sources.texts[number].page.unit_at(start, end)[0]
        return unit if unit is not None and unit.dimension == "time" else None

    def _is_label_said(self, cell: Cell, spot: Spotted, start: int) -> bool:
        """Whether the answer says all of the label that a number is a part of, as it stands, "Line 4", or an hour."""
        source, left = self.sources.texts[spot[0]].text, max(0, start - (spot[1] - cell.start))
        label, said = source[cell.start : cell.end].lower(), self.whole[left : left + cell.end - cell.start + 1].lower()
        whole = said.startswith(label) and not said[len(label) :].isalnum()
        return whole and ((label[:1].isalpha() and is_label(cell)) or said[len(label) :] == ":")

    def _of_its_table(self, spots: list[Spotted], others: dict[Spotted, _At], figure: Figure) -> list[Spotted]:
        """The places without those in prose whose text has a table that gives the figure to another row or column."""
        told = {number for number, _, _ in others} if figure.digits > _SHORT else set[int]()
        texts = self.sources.texts
        return [spot for spot in spots if spot[0] not in told or texts[spot[0]].page.cell_at(spot[1]) is not None]

    def _in_prose(self, spot: Spotted, start: int, end: int, unit: Unit | None) -> bool:
        """Whether prose can say a value of what the claim is of: in one of its sentence's years, in its unit.

        A year that is said twice in a clause is no value.
        """
        source = self.sources.texts[spot[0]]
        if source.origin != "seen":
            return True
        if _marks_line(source, spot[1], spot[2]):
            return False
        text = self.whole[start:end]
        if is_year(text[:4]):
            return text not in self.words(start, end).told
        if unit is None and source.text[spot[2] : spot[2] + 1] == "%" and text[-1:].isdigit():
            return False
        years = self._clauses.years(start)
        said = source.page.years_around(spot[1]) - {source.text[spot[1] : spot[2]]} if years else _NONE
        return not said or not said.isdisjoint(years)

    def stranger(self, finding: Finding) -> Finding | None:
        """``elsewhere`` for a value that stands in the sources, though none of its sentence's words stand near it."""
        for spot in finding.spots[:1]:
            at = self.sources.texts[spot[0]].page.cell_at(spot[1])
            note = where(*at) if at is not None else Text("It stands in another place")
            return Finding("elsewhere", finding.spots, note)
        return None

    def _same_in_named_rows(self, others: dict[Spotted, _At], words: Words, figure: Figure) -> Iterator[Spotted]:
        """The cells with the same figure in the row found first, and in the rows that the sentence names.

        Of a figure that stands in many rows ("24 rows") only the first places are looked at before.
        """
        low, high = figure.edges
        for spot, (subjects, found) in islice(others.items(), 1):
            page = self.sources.texts[spot[0]].page
            for row in (found.row, *subjects.rows_named(words.sentence, -2)):
                cells = subjects.table.rows[row]
                for cell in cells if row == found.row or not is_section(cells) else ():
                    if not (said := figures(cell.text)) or not low <= size(said) <= high:
                        continue
                    whole = cell.numeric or page.day_at(cell.start) is None
                    if whole and fits(subjects, cell, words, figure.unit):
                        yield spot[0], cell.start, cell.end


def _marks_line(source: Source, start: int, end: int) -> bool:
    """Whether a number is the mark of a line of a list, and counts nothing: "2. Heron: 28 days"."""
    if source.text[end : end + 1] not in (".", ")") or _MARK.match(source.text, end) is None:
        return False
    return not source.text[source.text.rfind("\n", 0, start) + 1 : start].strip(" \t(")


def _best_named(placed: list[_Placed], words: frozenset[str]) -> list[_Placed]:
    """The places, those of the rows that words say most of first.

    One in a row that names a section is none where there are others: "1935–1940" above 1935.
    """
    in_rows = [(spot, at) for spot, at in placed if at is None or not is_section(at[0].table.rows[at[1].row])]
    kept = in_rows if any([at for _, at in in_rows]) else placed
    if len(kept) < 2:
        return kept
    return sorted(kept, key=lambda one: -one[1][0].named_well(one[1][1], words) if one[1] is not None else 0.0)


_MEASURES = {
    "long": tokens("length"), "wide": tokens("width"), "deep": tokens("depth"), "high": tokens("height"),
    "tall": tokens("height"), "old": tokens("age"), "sold": tokens("sales"),
    "people": tokens("staff employees workers"), "point": tokens("score"), "averag": tokens("mean avg"),
}  # fmt: skip
_UNIT_WORDS = {"%": frozenset(("percen",))}


def fits(subjects: Subjects, cell: Cell, words: Words, unit: Unit | None = None) -> bool:
    """Whether the sentence can speak of a cell: neither another row nor another column is named better."""
    if cell.row < subjects.table.heads:
        return _is_head_said(subjects, cell, words, unit)
    if is_section(subjects.table.rows[cell.row]):
        return True
    if subjects.is_said_whole(cell, words.sentence):
        # "One" of "One Harbor Plaza" counts nothing.
        return (
            not cell.text.istitle() or bool(figures(cell.text)) or not words.noun.isdisjoint(tokens(cell.text.lower()))
        )
    stated = words.stated
    if _of_another_kind(subjects, cell, words, stated, unit):
        return False
    said_of = (subjects.column_fits(cell, one, _NONE, None) for one in (words.noun, words.told))
    if is_key(subjects, cell, stated) and "other" not in said_of:
        return True
    if _of_another_row(subjects, cell, words, stated, unit) or of_another_year(subjects, cell, words.years, stated):
        return False
    in_unit = _UNIT_WORDS.get(unit.name if unit is not None else "", _NONE)
    in_unit |= _NONE.union(*(_MEASURES[word] for word in words.close & _MEASURES.keys()))
    near, sentence = (words.near - words.counted) | in_unit, (words.sentence - words.counted) | in_unit
    among = in_its_unit(subjects, cell, unit)  # those that words beyond the clause may mean instead
    among = frozenset[int]() if is_label(cell) and not subjects.heads[0] else among
    fits_column = partial(subjects.column_fits, cell)
    label = fits_column(words.label, stated, among)
    fit = _first(
        lambda: fits_column(words.noun, _NONE, None),
        lambda: fits_column(words.close | in_unit, _NONE, None),
        lambda: fits_column(near, words.stated_near, None),
        lambda: label,
        lambda: fits_column(sentence if label == "none" else _NONE, stated, among),
        lambda: fits_column(_NONE if is_label(cell) or label != "none" else words.wide, stated, among),
    )
    if fit in ("own", "other"):
        return fit == "own"
    if is_label(cell) or among == _NONE:
        return True
    if unit is None and not words.noun and says_nothing_of(subjects, cell, words.close, words.when, stated):
        return False
    said = Said(sentence | words.label, words.sentence | words.wide, stated, words.behind, words.noun, unit)
    return not of_another_column(subjects, cell, said)


def _of_another_kind(subjects: Subjects, cell: Cell, words: Words, stated: frozenset[str], unit: Unit | None) -> bool:
    """Whether a figure is of another kind than what stands in a cell: another unit, a count of a year, a code."""
    if of_another_unit(subjects, cell, unit) or (words.counts and is_of_years(subjects, cell)):
        return True
    if not words.dated and is_counted(subjects, cell, words.noun | words.close, stated, unit):
        return True
    if words.head and is_counted(subjects, cell, words.head, stated, None):
        return True
    if unit is None and words.noun and is_share(subjects, cell, words.near):
        return True
    if words.when and not words.noun and is_dated(subjects, cell, words.close, True, stated):
        return True
    code = _CODE if is_label(cell) else _NUMBERED if words.noun and not cell.numeric else None
    if code is None or len(subjects.heads) <= cell.column or code.search(cell.text) is None:
        return False
    own = tokens(cell.text.lower())
    letters = frozenset(filter(_in_letters, own))
    return bool(letters) and not any(map(is_year, own)) and letters.isdisjoint(words.sentence | words.wide)


def _is_head_said(subjects: Subjects, cell: Cell, words: Words, unit: Unit | None) -> bool:
    """Whether a number of a head is said as that: a year once, any other with all that stands beside it.

    "18 %" is no "18–34", "300 km" no "Model 300"; "In 2019 they were 2019." says the year twice.
    """
    own = tokens(cell.text.lower())
    if words.counts or not own.isdisjoint(filter(is_year, words.told)):
        return False
    if any(map(is_year, own)):
        return True
    letters = frozenset(filter(_in_letters, own))
    if len(own - words.sentence) > 1 and letters.isdisjoint(words.near):
        return False
    if unit is None or unit.dimension == "month" or not own.isdisjoint(tokens(unit.name)):
        return True
    return is_named(cell.text.replace("-", " "), unit)


def _fits_once(at: _At, words: Words, unit: Unit | None, known: dict[tuple[int, int], bool]) -> bool:
    """What ``fits`` says of a cell, asked once for the places that have the same text.

    Of one column no row has a name, and what was asked for is in all of them.
    """
    cell = id(at[0]), at[1].start
    if cell not in known:
        known[cell] = fits(*at, words, unit) if at[0].table.width > 1 else not of_another_unit(*at, unit)
    return known[cell]


def _in_letters(word: str) -> bool:
    return word[0].isalpha() and not word.startswith("month ")


def _of_another_row(subjects: Subjects, cell: Cell, words: Words, stated: frozenset[str], unit: Unit | None) -> bool:
    """Whether another row is named better, or none is and others could hold the value just as well."""
    if (words.whole and is_total(subjects, cell, words.of_all)) or (unit is not None and alone(subjects, cell, unit)):
        return False
    heads = subjects.heads[cell.column] if cell.column < len(subjects.heads) else _NONE
    own = heads & tokens(" ".join(words.behind))  # "540 votes": of a column, and of no row
    own |= words.shared | (frozenset(filter(_in_letters, tokens(cell.text.lower()))) if cell.numeric else _NONE)
    picked = words.picks and not subjects.says(words.picks)
    label, fits_row = is_label(cell), partial(subjects.row_fits, cell)
    fit = _first(
        lambda: fits_row(words.head - heads, _NONE, False),
        lambda: fits_row(words.noun - heads, _NONE, True),  # "214,302 Hungarians"
        lambda: fits_row(words.near - own, _NONE, True),
        lambda: fits_row(words.aside - own, stated, True),
        lambda: fits_row(words.back - heads, stated, True),
        lambda: fits_row(
            frozenset(filter(_in_letters, words.sentence)) if label else words.sentence - own, stated, False
        ),
        lambda: fits_row(_NONE if picked and not cell.numeric else words.wide - own, stated, False),
    )
    of_total = words.of_all and subjects.table.totals and cell.row not in subjects.table.totals
    if cell.numeric and ((fit == "alike" and cell.column and not picked) or of_total):  # the first column labels rows
        return True
    if fit == "own" and subjects.by_numbers_alone(cell, words.sentence - words.counted, words.sentence_names):
        return True
    if fit == "other" or subjects.of_another_name(cell, words.names - own, words.near - own):
        return True
    return fit == "none" and of_no_row(subjects, cell)


def _first(*judges: Callable[[], Fit]) -> Fit:
    """What the first words that tell rows apart say; the last, widest ones only where no row is named before."""
    alike = False
    for judge in judges:
        if alike and judge is judges[-1]:
            break
        if (fit := judge()) in ("own", "other"):
            return fit
        alike = alike or fit == "alike"
    return "alike" if alike else "none"
