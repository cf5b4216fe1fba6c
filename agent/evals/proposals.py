"""What can be expected of an answer, taken from the events of the run that gave it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil

from agent.evals.expectations import (
    AtMost,
    CannotBeKnown,
    Expectation,
    FigureStands,
    Mentions,
    NoError,
    OnlyTools,
    Speaks,
    Traced,
    UsesTool,
)
from agent.evals.gold import calls_of, figures_of, gold_of, signed
from agent.evals.languages import language_of
from agent.evals.unknowns import says_unknown
from agent.events import Event, Observed
from agent.evidence import Claim, Earlier, check
from agent.inner_runs import all_events
from agent.text.quantities.figures import Figure
from agent.views.fold import fold

_MOST_FIGURES, _MOST_NAMES = 12, 6
_ROOM = 2.0  # more tokens, money and seconds than the recorded run took are still well


def proposed(events: Sequence[Event], earlier: Sequence[Earlier] = ()) -> tuple[Expectation, ...]:
    """The expectations that a run fulfils, the weightier ones first; the looser ones are off.

    Artifacts of the events have their contents, else a figure of a table has no program.
    """
    view = fold(events)
    evidence = check(events, earlier)
    errors = [seen.error for seen in all_events(events) if isinstance(seen, Observed) and seen.error != "insist"]
    found: list[Expectation] = [NoError(calls=not any(errors))]
    figures = _figures(events, view.answer, evidence.claims)
    found += figures
    names = [claim.text for claim in evidence.claims if claim.kind == "name" and claim.verdict == "seen"]
    names += _row_names(figures, view.answer)
    found += [Mentions(name) for name in [*dict.fromkeys(names)][:_MOST_NAMES]]
    links = [claim.text for claim in evidence.claims if claim.kind == "link" and claim.traced]
    found += [Mentions(link, on=False) for link in [*dict.fromkeys(links)][:_MOST_NAMES]]
    doubtful = sum(claim.doubtful for claim in evidence.claims)
    if evidence.looked_up or not doubtful:
        found.append(Traced(doubtful))
    if says_unknown(view.answer) and not any(claim.kind == "number" for claim in evidence.claims):
        found.append(CannotBeKnown())
    used = {called.own_name: None for called, seen in calls_of(events) if not seen.error}
    found += [UsesTool(name) for name in used]
    called = dict.fromkeys(called.own_name for called, _ in calls_of(events))
    found.append(OnlyTools(tuple(called), on=not called))
    if language := language_of(view.answer):
        found.append(Speaks(language))
    found.append(AtMost("steps", max(2, view.replies + 1)))
    found.append(AtMost("tokens", _rounded(view.usage.total * _ROOM), on=False))
    found.append(AtMost("seconds", max(5.0, _rounded(view.seconds * _ROOM)), on=False))
    if view.price and view.price.amount:
        found.append(AtMost("money", float(f"{float(view.price.amount) * _ROOM:.2g}"), on=False))
    return tuple(found)


def _rounded(amount: float) -> float:
    """Up to two digits, so that a person can read it."""
    if amount <= 0:
        return 1.0
    step = 10.0 ** max(0, len(str(int(amount))) - 2)
    return ceil(amount / step) * step


def _figures(events: Sequence[Event], answer: str, claims: Sequence[Claim]) -> list[FigureStands]:
    """The figures that stand on something, each value once."""
    by_start = {figure.start: figure for figure in figures_of(answer)}
    asked = {written(figure) for figure in figures_of(fold(events).question)}
    made = {called.call_id: (called, seen) for called, seen in calls_of(events)}
    found: dict[tuple[str, str], FigureStands] = {}
    for claim in claims:
        figure = by_start.get(claim.start)
        if figure is None or claim.verdict not in ("seen", "worked_out"):
            continue
        value, within = written(figure)
        if (value, within) in asked:  # the question has it
            continue
        near = Fraction(within) if within else figure.step / 2
        golds: Iterator[tuple[str, Fraction]] = ((place.call_id, near) for place in claim.places)
        programs = (gold_of(signed(figure), near, *made[call], answer) for call, near in golds if call in made)
        gold = next(filter(None, programs), None) if claim.verdict == "seen" else None
        unit = figure.unit.name if figure.unit else ""
        if claim.kind != "number" and not gold:  # a year
            continue
        found.setdefault((value, unit), FigureStands(value, unit, within, gold))
    return [*found.values()][:_MOST_FIGURES]


def _row_names(figures: Sequence[FigureStands], answer: str) -> Iterator[str]:
    """What the rows are called in which the figures stand, where the answer calls them so, too."""
    for figure in figures:
        for cell in figure.gold.row.values() if figure.gold else ():
            if isinstance(cell, str) and 1 < len(cell) < 80 and cell.lower() in answer.lower():
                yield cell


def written(figure: Figure) -> tuple[str, str]:
    """The figure's value in digits, and how exactly it is meant where the digits do not say so."""
    value = signed(figure)
    places = 0
    while places < 12 and (figure.step * 10**places).denominator != 1:
        places += 1
    number = Decimal(value.numerator) / Decimal(value.denominator)
    within = f"{float(figure.step / 2):g}" if figure.step > 1 else ""
    return f"{number:.{places}f}", within
