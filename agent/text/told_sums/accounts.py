"""Stories and accounts of figures in the order in which their readers are tried."""

from __future__ import annotations

from collections.abc import Callable

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_percent import percent_sum
from agent.text.problems.story_sums import story_sum
from agent.text.problems.story_totals import StorySum
from agent.text.sums.phrases import Language
from agent.text.told_sums.all_but import all_but
from agent.text.told_sums.asked_units import in_asked_unit
from agent.text.told_sums.begin_times import cooking_time
from agent.text.told_sums.better_buys import better_buy
from agent.text.told_sums.compared_counts import compared_count, times_as
from agent.text.told_sums.flow_rates import flow
from agent.text.told_sums.kind_prices import kind_prices
from agent.text.told_sums.listed_figures import listed
from agent.text.told_sums.number_kinds import number_kind
from agent.text.told_sums.original_prices import asks_original, original_price
from agent.text.told_sums.paces import pace
from agent.text.told_sums.plain_counts import plain_count
from agent.text.told_sums.rest_shares import left_of_rest
from agent.text.told_sums.scaled_amounts import scaled
from agent.text.told_sums.shared_work import shared_work
from agent.text.told_sums.span_sums import span_sum
from agent.text.told_sums.spendings import left_of_money
from agent.text.told_sums.tallies import kinds_together, tally
from agent.text.told_sums.telling import in_digits
from agent.text.told_sums.text_counts import text_count
from agent.text.told_sums.trades import trade

_ACCOUNTS = (
    cooking_time,
    plain_count,
    tally,
    kinds_together,
    listed,
    left_of_rest,
    flow,
    scaled,
    left_of_money,
    all_but,
    shared_work,
    trade,
)
_OF_PERSONS = (compared_count, times_as)  # by names, which begin with a capital
_OF_BOTH_LANGUAGES = (pace, number_kind, kind_prices, better_buy, span_sum, text_count)


def told_story(text: str, language: Language) -> StorySum | None:
    """The sum of the first reader that knows the story which ``text``, the whole of it, tells."""
    if language == "en" and asks_original(text):
        return original_price(text)
    readers = (percent_sum, story_sum) if language == "en" else _japanese_stories()
    told = next((found for read in readers if (found := read(text))), None)
    return in_asked_unit(text, told) if told and language == "en" else told


def _japanese_stories() -> tuple[Callable[[str], StorySum | None], ...]:
    from agent.text.in_japanese.japanese_percent import japanese_percent_sum, japanese_rest, japanese_sorts
    from agent.text.in_japanese.japanese_products import japanese_product
    from agent.text.in_japanese.japanese_recipe import recipe
    from agent.text.in_japanese.japanese_story import japanese_sum

    return recipe, japanese_percent_sum, japanese_rest, japanese_sorts, japanese_sum, japanese_product


def told_account(text: str, language: Language = "en") -> Problem | None:
    """The problem of the first reader that knows the account."""
    several = (found for read in _OF_BOTH_LANGUAGES if (found := read(text, language)))
    if language != "en":
        return next(several, None)
    low = text.lower()
    ways = [text] if (plain := in_digits(low)) == low else [text, plain]
    english = (found for read in _ACCOUNTS for way in ways if (found := read(way)))
    persons = (found for read in _OF_PERSONS if (found := read(text)))
    return next(several, None) or next(english, None) or next(persons, None)
