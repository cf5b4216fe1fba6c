"""What falls due until a time: "within 5 years" of columns or rows for less than 1, 1 to 3, 3 to 5 and more years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.arithmetic_steps import OF_VALUES, Result
from agent.evidence.derivation.steps.known_values import Known, value_of
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import YEAR
from agent.evidence.tables.meant_columns import columns_named
from agent.evidence.tables.table_model import Cell, called_total
from agent.text.quantities.claim_words import SPELLED
from agent.text.regex import regex

_MOST_ROWS, _MOST_COLUMNS = 2, 6
_TIME = r"[ -]?(?P<{unit}>year|month|yr)s?\b"
_N = r"(?P<{name}>[0-9]{{1,2}})"
_UNTIL = r"\b(?:less than|under|within|in|up to|until|(?:not|no) later than|no more than|at most)|[<≤]"
_SINCE = r"\b(?:more than|after|over|later than|beyond|greater than|longer than|exceeding)|[>≥]"


def _filled(pattern: str) -> re.Pattern[str]:
    low, high = _N.format(name="low"), _N.format(name="high")
    unit, first = _TIME.format(unit="unit"), rf"(?:{_TIME.format(unit='first')})?"
    return regex(pattern.format(low=low, high=high, unit=unit, first=first, until=_UNTIL, since=_SINCE))


_TERM = (
    _filled(r"{low}{first} ?(?:to|through|and|up to|but|[-–—])(?: (?:{until}))? ?{high}{unit}"),
    _filled(r"{high}{unit} (?:or|and) (?:less|below|under|earlier|sooner)"),
    _filled(r"{low}{unit} (?:(?:or|and) (?:more|over|above|later|longer)|\+)"),
    _filled(r"(?:{since}) ?{low}{unit}"),
    _filled(r"(?:{until}) ?{high}{unit}"),
)
_MONTH = r"(?:[a-z]{3,9}\.? (?:[0-9]{1,2},? )?)?"
_YEAR_SAID = regex(
    rf"\b(?:due|payable|matur\w+|expir\w+|fall\w*|remaining)\b[^.;0-9]{{0,30}}?\b(?:"
    rf"(?:by|until|through|up to|(?:not|no) later than) (?:the end of )?{_MONTH}(?P<until>20[0-9]{{2}})|"
    rf"before {_MONTH}(?P<before>20[0-9]{{2}})|(?:after|beyond|later than) {_MONTH}(?P<after>20[0-9]{{2}}))(?![0-9])"
)
_LATER = regex(r"thereafter|(?:and )?(?:there)?after(?:wards)?|later(?: years)?|beyond|subsequent years")
_SPELLED = regex(rf"\b(?:{'|'.join(word for word, number in SPELLED.items() if number < 21)})\b")
_Term = tuple[float, float]


def _terms(lower: str) -> list[_Term]:
    """The times that a text in lower case tells, in years from now: 1 to 3 for "between one and three years"."""
    if "year" not in lower and "month" not in lower and "yr" not in lower:
        return []
    said, found = _SPELLED.sub(lambda word: str(SPELLED[word[0]]), lower), list[_Term]()
    for pattern in _TERM:
        for match in pattern.finditer(said):
            parts = match.groupdict()
            of_year = 12 if parts["unit"] == "month" else 1
            first = {"month": 12, None: of_year}.get(parts.get("first"), 1)
            low = int(parts["low"]) / first if parts.get("low") else 0
            found.append((low, int(parts["high"]) / of_year if parts.get("high") else inf))
        said = pattern.sub(" ", said)
    return [(low, high) for low, high in found if low < high]


def _parts(said: Sequence[_Term], texts: Mapping[int, str]) -> Iterator[tuple[list[int], list[int]]]:
    """The rows or columns whose ``texts`` are parts of a time that is ``said``, two at least; and all with a time."""
    found = {number: terms for number, text in texts.items() if said and (terms := _terms(text))}
    terms = {number: terms[0] for number, terms in found.items() if len(terms) == 1}
    for low, high in said:
        inside = sorted((term, number) for number, term in terms.items() if low <= term[0] and term[1] <= high)
        ends = [low, *(term[1] for term, _ in inside)]
        if len(inside) > 1 and [term[0] for term, _ in inside] == ends[:-1] and ends[-1] == high:
            yield [number for _, number in inside], list(terms)


def _until_years(said: str) -> list[_Term]:
    """Up to which year something falls due, or after which: 0 to 2026 for "due by May 2026"."""
    found = ((match.lastgroup, int(match[match.lastgroup or 0])) for match in _YEAR_SAID.finditer(said))
    return [(0, year - (way == "before")) if way != "after" else (year, inf) for way, year in found]


def _parts_by_year(said: Sequence[_Term], texts: Mapping[int, str]) -> Iterator[tuple[list[int], list[int]]]:
    """The rows or columns that are of a year in a time that is ``said``, or of all later ones; and those of any."""
    groups: dict[str, dict[int, int]] = {}
    for number, text in texts.items() if said else ():
        if len(years := set(YEAR.findall(text))) == 1:
            kind = " ".join(sorted(_letters(text)))
            groups.setdefault(kind, {})[number] = int(years.pop())
    of_years = max(groups.values(), key=len, default=dict[int, int]())
    later = [number for number, text in texts.items() if of_years and _LATER.fullmatch(text.strip())]
    for low, high in said:
        parts = [number for number, year in of_years.items() if low < year <= high]
        parts += later if high == inf else []
        if 1 < len(parts) < len(of_years) + len(later):
            yield parts, [*of_years, *later]


def _letters(text: str) -> frozenset[str]:
    """The words of a text that are no numbers, months or units."""
    return frozenset(word for word in tokens(text) if word.isalpha() and word != "percen")


def sums_of_terms(
    body: Body, rows: Sequence[int], said: str, words: frozenset[str]
) -> Iterator[tuple[Result, tuple[Known]]]:
    """What the parts of a time that is ``said`` come to: of columns in some ``rows``, or of rows in columns."""
    for part, _, cells in _sums(body, rows, said, words):
        one, spots = part.operand, tuple((body.number, cell.start, cell.end) for cell in cells)
        yield Result("subtotal", one.value, one.unit, spots, OF_VALUES["sum"], {"n": len(cells)}), (part,)


def shares_of_terms(body: Body, rows: Sequence[int], said: str, words: frozenset[str]) -> Iterator[list[Known]]:
    """The same, each with what falls due at any time."""
    yield from ([part, whole] for part, whole, _ in _sums(body, rows, said, words) if whole is not None)


def _sums(
    body: Body, rows: Sequence[int], said: str, words: frozenset[str]
) -> Iterator[tuple[Known, Known | None, list[Cell]]]:
    """What falls due until a time, what does at all, and the cells of the first."""
    meant, years = _terms(said), _until_years(said)
    if not meant and not years:
        return
    table = body.subjects.table
    columns, labels = dict(enumerate(table.column_heads)), {row[0].row: row[0].text.lower() for row in table.body}
    called = {row: label for row, label in labels.items() if _letters(label) <= words}
    across = [*_parts(meant, columns), *_parts_by_year(years, columns)]
    below = [*_parts(meant, labels), *_parts_by_year(years, called)]
    wholes = [column for column in table.numeric_columns if table.column_heads[column].endswith("total")]
    totals = [row for row, label in labels.items() if called_total(label)]
    groups = [
        ({cell.column: cell for cell in table.rows[row]}, parts, wholes or every)
        for parts, every in across
        for row in rows[:_MOST_ROWS]
    ]
    groups += [
        ({row[column].row: row[column] for row in table.body if column < len(row)}, parts, totals[-1:] or every)
        for parts, every in below
        for column in columns_named(body.subjects, words)[:_MOST_COLUMNS]
    ]
    for cells, parts, all_parts in groups:
        part, whole = (_sum(body, [cells[one] for one in among if one in cells]) for among in (parts, all_parts))
        if part is not None:
            yield part, whole, [cells[one] for one in parts if one in cells]


def _sum(body: Body, cells: Sequence[Cell]) -> Known | None:
    """What some cells come to, where all of them that are filled are numbers."""
    filled = [cell for cell in cells if cell.text.strip(" $€£¥-–—")]
    if not filled or not all(cell.numeric for cell in filled):
        return None
    values = [value_of(body.source, body.number, body.subjects, cell) for cell in filled]
    total, spot = sum(Fraction(one.operand.value) for one in values), (body.number, filled[0].start, filled[-1].end)
    return replace(values[0], operand=replace(values[0].operand, value=total, spot=spot, year=False))
