"""The year that a figure is said of, against the years of the columns that it may have been worked out from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.evidence.derivation.spans.told_pairs import of_told_years
from agent.evidence.derivation.steps.arithmetic_steps import Result
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.lookup.clauses import Words
from agent.evidence.sources import Finding, Sources, Spotted
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import YEAR, is_year
from agent.text.quantities.number_words import as_float
from agent.text.regex import regex

_IN_BRACKETS = regex(rf"[^\W\d_]{{0,12}} ?[(（]{YEAR.pattern}[年度]*[)）]")
_TWO_YEARS = regex(rf"{YEAR.pattern}[^0-9.,:;()、。]{{1,6}}{YEAR.pattern}")  # "2022 and 2023"
_NONE = frozenset[str]()


def in_its_year(
    sources: Sources, claim: FigureClaim, found: Finding, words: Words, others: Iterable[Result] = ()
) -> Finding:
    """``elsewhere`` for what comes from columns of other years than the one that the words around the figure say.

    The words nearest to it that say a year of a head decide, unless they also say one of the ``others`` (what the same
    step comes to in other columns) that is of that year: "In 2023 the total was 62. It was 56 the year before."
    """
    if found.verdict == "worked_out" and len(found.spots) == 2 and not of_told_years(sources, claim, found.spots):
        return replace(found, verdict="elsewhere")
    own = _years_of(sources, found.spots)
    at = sources.texts[found.spots[0][0]].page.cell_at(found.spots[0][1]) if own else None
    if at is None or found.verdict != "worked_out":
        return found
    every = frozenset(filter(is_year, _NONE.union(*at[0].heads))) | at[0].table.other_years
    behind = _IN_BRACKETS.match(claim.text, claim.figure.end)
    year = frozenset(behind.groups()) if behind is not None else words.years if len(words.years) == 1 else _NONE
    around = words.sentence | words.wide
    for said in (tokens(claim.head), year, words.near, words.back, words.sentence, around):
        if meant := every & said:
            joined = [pair for pair in map(set, _TWO_YEARS.findall(claim.said)) if not pair.isdisjoint(meant)]
            taken = (_is_said(other, said) for other in others if meant & _years_of(sources, other.spots))
            right = not own.isdisjoint(meant.union(*joined)) or any(taken)
            return found if right else replace(found, verdict="elsewhere")
    return found


def _years_of(sources: Sources, spots: Sequence[Spotted]) -> frozenset[str]:
    """The years in the heads of the columns of some cells; none where a column has none."""
    cells = [sources.texts[number].page.cell_at(start) for number, start, _ in spots]
    heads = [at[0].heads[at[1].column : at[1].column + 1] if at is not None else () for at in cells]
    years = [frozenset(filter(is_year, _NONE.union(*head))) for head in heads]
    return _NONE.union(*years) if all(years) else _NONE


def _is_said(result: Result, words: frozenset[str]) -> bool:
    """Whether words have the digits of a result."""
    digits = {word.replace(",", "").replace(".", "") for word in words}
    return not digits.isdisjoint(f"{as_float(result.value):.{places}f}".replace(".", "") for places in range(3))
