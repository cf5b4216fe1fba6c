"""A loan at simple interest, told before what it comes to is asked."""

from __future__ import annotations

from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import MONEY, PERCENT
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import said, telling

_MONTHS = 12
# "At 4.25% a year": that is what the rate is of, and not what is asked for.
_YEARLY_RATE = regex(
    r"(?<=\d) ?(?:%|percent\b|per cent\b)(?: (?:simple|interest|rate))*"
    r" (?:(?:a|per|each|every|in a) year|annually|yearly|per annum|p\.?a\.?)"
)


def simple_interest(text: str) -> Problem | None:
    """ "I've borrowed 6000 at 4.5% simple interest over 3 years. How much do I pay back in total?"."""
    told = telling(text)
    if told is None or "simple interest" not in told.text or told.says("not_simple"):
        return None
    asked = _YEARLY_RATE.sub("%", told.asked).replace("simple interest", "interest")
    yearly = said(asked, "asks_yearly") is not None
    if len(told.parts) != 3 or (said(asked, "asks_per") and not yearly):
        return None
    spans = [part for part in told.parts if "@month" in part.names]
    sums = [part for part in told.parts if part.names == MONEY or not (part.measure or part.names == PERCENT)]
    if len(told.percents) != 1 or len(spans) != 1 or len(sums) != 1 or spans[0].unit not in ("months", "years"):
        return None
    alone, paid = (said(asked, name) is not None for name in ("interest_alone", "interest_paid"))
    if not (alone or paid) or (yearly and not alone):
        return None
    years = spans[0].amount / (_MONTHS if spans[0].unit == "months" else 1)
    capital, percent, unit = figure_of(sums[0].amount), figure_of(told.percents[0].amount), sums[0].unit
    interest = f"{capital} * {percent} / 100 * {figure_of(years)}"
    span = f"{figure_of(spans[0].amount)} {spans[0].unit if spans[0].amount != Fraction(1) else spans[0].unit[:-1]}"
    called = f"{unit}{capital} at {percent}% simple interest a year for {span}"
    if yearly:
        yearly_interest = f"{capital} * {percent} / 100"
        return Problem("simple_interest", yearly_interest, f"the interest of each year on {called}", unit)
    if alone:
        return Problem("simple_interest", interest, f"the interest on {called}", unit)
    return Problem("simple_interest", f"{capital} + {interest}", f"{called}, with the interest,", unit)
