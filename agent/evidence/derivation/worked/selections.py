"""Rows that a sentence picks by their values: those beyond a bound, the largest few; and prices times numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import ge, gt, le, lt

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.arithmetic_steps import Result
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_ratios import columns_meant
from agent.evidence.derivation.steps.wholes import says_share
from agent.evidence.sources import Spotted
from agent.evidence.tables.periods import in_period
from agent.interface_text import keyed
from agent.text.characters import lowered
from agent.text.quantities.claim_words import SPELLED
from agent.text.quantities.number_words import exact
from agent.text.quantities.spelled_words import languages_of, spelled_numbers
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_SIGNS = {"most": ("≤", le), "least": ("≥", ge), "more": (">", gt), "less": ("<", lt)}
_SCALES = "thousand|million|billion|tsd|mio|mrd|[万億千]"
_VALUE = rf"[$€£¥]?(?<![0-9.,])(?P<value>[0-9][0-9.,]{{0,18}}+)(?! ?(?:{_SCALES}))"
_BOUND = regex(
    r"\b(?:(?P<most>at most|no more than|höchstens|au plus)|"
    r"(?P<least>at least|no (?:fewer|less) than|mindestens|au moins)|"
    r"(?P<more>(?:more|greater|higher|larger|longer) than|over|above|exceed(?:s|ed|ing)?|mehr als|über|plus de)|"
    rf"(?P<less>(?:fewer|less|lower|smaller|shorter) than|under|below|weniger als|unter|moins de)) {_VALUE}"
)
_BOUND_JA = regex(rf"{_VALUE}[^\W\d_]{{0,3}}?(?:(?P<least>以上)|(?P<most>以下)|(?P<more>超|を超え)|(?P<less>未満))")
_COUNT = regex(r"(?<![0-9.,])[0-9]{1,2}(?![0-9]|[.,][0-9])")
_APART = regex(r"[0-9,;、]|\b(?:and|und|et|y)\b")
_EQUALS = regex(r":|\b(?:is|are|was|were|beträgt|ist)\b|[はが]")  # before a count
_WITHIN = regex(r"\b(?:in|after|within|during|for|by|over|nach)(?: the)? $")  # "in 3 events they won over 50 medals"
_FEW = "|".join(word for word, number in SPELLED.items() if 2 <= number < 10)
_ENDS = r"(?P<largest>top|largest|biggest|highest|best|leading)|(?P<smallest>smallest|lowest|bottom)"
_PICKED = regex(rf"\b(?:(?P<before>{_FEW}|[2-9]) )?(?:{_ENDS})\b(?: (?P<behind>{_FEW}|[2-9])\b)?")
_WORTH = regex(r"worth|value|revenue|sales|turnover|total|cost|\bwert|umsatz|valeur|合計|総額|価値|売上")
_PRICE = regex(r"price|cost|rate\b|\bfee|wage|preis|prix|単価|価格|料金")
_HAVING = regex(r"[^0-9.,;:]{1,40}?\b(?:have|has|with|without|lack|miss|haben|hat|mit|ohne)\b(?: [^\W\d_]+)?")
_NONE = regex(r" (?:no|without|missing|lack|miss|empty|kein\w*|ohne)\b")
_FEWEST_DIGITS = 3
_BEYOND = keyed("count of the {n} rows with {column} {sign} {bound}")
_LARGEST = keyed("sum of the {n} largest of {column}")
_SMALLEST = keyed("sum of the {n} smallest of {column}")
_FILLED = keyed("count of the {n} rows with a value in {column}")
_EMPTY = keyed("count of the {n} rows without a value in {column}")
_PRODUCTS = keyed("sum of {one} × {other}")


def picked(body: Body, claim: FigureClaim, words: frozenset[str], whole: str) -> Iterator[Result]:
    """Steps over the rows that a claim's sentence picks; ``words`` are its words, ``whole`` is the answer unmasked.

    A bound is worked out like the count of the rows beyond it: "3 countries have more than 50 medals".
    """
    for column in meant if len(meant := columns_meant(body.subjects, words)) == 1 else ():
        yield from _beyond(body, claim, column)
        yield from _extremes(body, claim, column, whole)
    if claim.figure.unit is None and claim.figure.digits < _FEWEST_DIGITS:
        yield from _filled(body, claim, words)
    if claim.figure.digits >= _FEWEST_DIGITS and _WORTH.search(claim.said) is not None:
        yield from _products(body, words)


def _beyond(body: Body, claim: FigureClaim, column: int) -> Iterator[Result]:
    head, figure = body.subjects.table.column_heads[column], claim.figure
    for match in (*_BOUND.finditer(claim.said), *_BOUND_JA.finditer(claim.said)):
        is_bound = match.start("value") <= claim.at < match.end("value")
        counts = _counts(claim.said, match.span("value")) if is_bound else {figure.value}
        if not counts or not (is_bound or (figure.digits < _FEWEST_DIGITS and _is_of_rows(body, claim, match))):
            continue
        sign, is_beyond = next(_SIGNS[kind] for kind in _SIGNS if match[kind])
        said = match["value"].rstrip(".,")
        bound = exact(said, body.source.scan.continental)[0]
        rows = [row for row, value in body.values(column).items() if is_beyond(value, bound)]
        if rows and len(rows) in counts:
            filling = {"n": len(rows), "column": head, "sign": sign, "bound": said}
            value, kind = (bound, "subtotal") if is_bound else (len(rows), "count")
            yield Result(kind, Fraction(value), figure.unit, _spots(body, rows, column), _BEYOND, filling)


def _filled(body: Body, claim: FigureClaim, words: frozenset[str]) -> Iterator[Result]:
    """Counts of the rows that have a value in the column that is named, or none: "2 people have no score"."""
    table = body.subjects.table
    named = [column for column in range(table.width) if body.subjects.heads[column] & words]
    said = _HAVING.match(claim.said, claim.at + claim.figure.end - claim.figure.start)
    none = said is not None and _NONE.search(said[0]) is not None
    for column in named if len(named) == 1 and said is not None else ():
        cells = [row[column] for row in table.body if row[0].row in body.labels and column < len(row)]
        meant = [cell for cell in cells if (cell.text.strip(" -–—") == "") is none]
        if meant and len(meant) < len(cells):
            spots = tuple((body.number, cell.start, cell.end) for cell in meant)
            filling = {"n": len(meant), "column": table.column_heads[column]}
            yield Result("count", len(meant), claim.figure.unit, spots, _EMPTY if none else _FILLED, filling)


def _is_of_rows(body: Body, claim: FigureClaim, bound: re.Match[str]) -> bool:
    """Whether a figure counts what is beyond a bound: no "3 gold and more than 50 medals"."""
    noun, table = claim.figure.noun, body.subjects.table
    if noun and any(noun in table.column_heads[column] for column in table.numeric_columns):
        return False
    after = claim.at + claim.figure.end - claim.figure.start
    if after > bound.start():
        between = claim.said[bound.end() : claim.at]
        return _APART.search(between) is None and _EQUALS.search(between) is not None
    if _WITHIN.search(claim.said, max(0, claim.at - 12), claim.at) is not None:
        return False
    return _APART.search(claim.said, after, bound.start()) is None


def _counts(said: str, bound: tuple[int, int]) -> set[Fraction]:
    """The small numbers of a sentence, in figures or words, but for the bound."""
    found = {Fraction(match[0]) for match in _COUNT.finditer(said) if not bound[0] <= match.start() < bound[1]}
    return found | {one.value for one in spelled_numbers(said, languages_of(said) or ("en",))}


def _extremes(body: Body, claim: FigureClaim, column: int, whole: str) -> Iterator[Result]:
    """What the largest or smallest few of a column come to: "the top three together"."""
    begin = claim.figure.start - claim.at
    meant = claim.is_share or "sum" in claim.kinds
    said = lowered(whole[begin : begin + len(claim.said)]) if meant and claim.figure.digits > 1 else ""
    for match in _PICKED.finditer(said):
        few = match["before"] or match["behind"]
        count = int(few) if few and few.isdigit() else SPELLED.get(few or "", 0)
        values = body.values(column)
        rows = sorted(values, key=lambda row: values[row], reverse=match["largest"] is not None)[:count]
        if 1 < count == len(rows):
            total, of_all = (sum((values[row] for row in some), Fraction(0)) for some in (rows, values))
            formula = _LARGEST if match["largest"] else _SMALLEST
            filling = {"n": count, "column": body.subjects.table.column_heads[column]}
            one = Result("subtotal", total, None, _spots(body, rows, column), formula, filling)
            yield one
            if claim.is_share and of_all and len(values) > count and says_share(claim.said):
                yield one._replace(kind="percent", value=total / of_all * 100, unit=PERCENT)


def _products(body: Body, words: frozenset[str]) -> Iterator[Result]:
    """What a price comes to times the number beside it, over the rows that words call by label, else all."""
    table = body.subjects.table
    named = in_period(body.subjects.periods, table.called(words), words)
    for price in (one for one in table.numeric_columns if _PRICE.search(table.column_heads[one])):
        prices = body.values(price)
        for other in (one for one in table.numeric_columns if one != price):
            numbers = body.values(other)
            rows = [row for row in prices if row in numbers and (row in named or len(named) < 2)]
            if len(rows) > 1:
                total = sum((prices[row] * numbers[row] for row in rows), Fraction(0))
                filling = {"one": table.column_heads[price], "other": table.column_heads[other]}
                yield Result("subtotal", total, None, _spots(body, rows, price), _PRODUCTS, filling)


def _spots(body: Body, rows: Iterable[int], column: int) -> tuple[Spotted, ...]:
    cells = (body.subjects.table.rows[row][column] for row in rows)
    return tuple((body.number, cell.start, cell.end) for cell in cells)
