"""Whether what two values of different years come to is of the years that a sentence says: "from 2021 to 2022"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.sources import Sources, Spotted
from agent.evidence.tables.table_model import YEAR_LIKE
from agent.text.regex import regex

_YEAR = regex(r"(?<![0-9.,$€£¥])(?:1[5-9]|20|21)[0-9]{2}(?![0-9%]|[.,][0-9])")
_MONTHS = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|mär)[a-zä]*\.?"
_DAY = regex(rf"\b{_MONTHS} [0-9]{{1,2}}\b(?!,?[0-9.])|\b[0-9]{{1,2}}\.? {_MONTHS}|[0-9]{{1,2}}月(?:[0-9]{{1,2}}日)?")
_NUMBER = regex(r"[0-9][0-9.,]*")
# Before the year that a change starts from, or behind it.
_SINCE = regex(
    r"\b(?:from|since|than|over|after|against|versus|vs\.?|compared (?:with|to)|relative to|ahead of|behind|above|"
    r"below|on|seit|von|gegenüber|als|vergl(?:ichen|eich) (?:mit|zu)|depuis|par rapport (?:à|au)|desde|"
    r"respecto (?:a|de)|frente a|rispetto al?|que|en|of (?:those|that|its|the))\b[^0-9.;]{0,30}$"
)
_SINCE_JA = regex(r"年?度?[^0-9。、]{0,6}(?:比|から|より|対)")


def of_told_years(sources: Sources, claim: FigureClaim, spots: Sequence[Spotted]) -> bool:
    """Whether two values of different years are of those told nearest to the figure; or none are told."""
    one, other = (_years(sources, spot) for spot in spots)
    if not one or not other or one & other:
        return True
    said, told = _told(claim)
    if len(told) == 1:
        (year,) = told
        first, last = (one, other) if max(one) < max(other) else (other, one)
        return year in last or (year in first and _starts_at(said, year))
    pairs = ((a, b) for a in one for b in other)
    return not told or any(told <= {a, b} if len(told) == 2 else {a, b} <= told for a, b in pairs)


def _told(claim: FigureClaim) -> tuple[str, frozenset[str]]:
    """The years behind a figure up to the next value, else those before it, else all; with the text they stand in."""
    size = claim.figure.end - claim.figure.start
    said, before, behind = claim.said, claim.said[: claim.at], claim.said[claim.at + size :]
    blank = _DAY.sub(lambda match: " " * len(match[0]), said)
    values = [match.span() for match in _NUMBER.finditer(blank) if _YEAR.match(blank, match.start()) is None]
    stop = min((start for start, _ in values if start >= claim.at + size), default=len(said)) - claim.at - size
    left = max((end for _, end in values if end <= claim.at), default=0)
    for text in (behind[:stop], before[left:], said, claim.asked):
        if years := frozenset(_YEAR.findall(text)):
            return text, years
    return said, frozenset()


def _starts_at(said: str, year: str) -> bool:
    at = said.find(year)
    return _SINCE.search(said, 0, at) is not None or _SINCE_JA.match(said, at + len(year)) is not None


def _years(sources: Sources, spot: Spotted) -> frozenset[str]:
    """The years in the head of a cell's column, or else in the label of its row."""
    number, start, _ = spot
    if (at := sources.texts[number].page.cell_at(start)) is None:
        return frozenset()
    subjects, cell = at
    heads, label = subjects.table.column_heads, subjects.table.rows[cell.row][0].text
    years = _YEAR.findall(heads[cell.column]) if cell.column < len(heads) else []
    return frozenset(years or (_YEAR.findall(label) if YEAR_LIKE.match(label) else ()))
