"""Stories and accounts of figures in the order in which their readers are tried."""

from __future__ import annotations

from collections.abc import Callable

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_percent import percent_sum
from agent.text.problems.story_sums import story_sum
from agent.text.problems.story_totals import StorySum
from agent.text.sums.phrases import Language
from agent.text.told_sums.all_but import all_but
from agent.text.told_sums.better_buys import better_buy
from agent.text.told_sums.bills import bill
from agent.text.told_sums.compared_counts import compared_count, times_as
from agent.text.told_sums.kind_prices import kind_prices
from agent.text.told_sums.listed_figures import listed
from agent.text.told_sums.number_kinds import number_kind
from agent.text.told_sums.rest_shares import left_of_rest
from agent.text.told_sums.shared_work import shared_work
from agent.text.told_sums.trades import trade
from agent.text.told_sums.unit_fits import fits

_ACCOUNTS = (listed, left_of_rest, bill, fits, all_but, shared_work, compared_count, times_as, trade)
_OF_BOTH_LANGUAGES = (number_kind, kind_prices, better_buy)


def told_story(text: str, language: Language) -> StorySum | None:
    """The sum of the first reader that knows the story which ``text``, the whole of it, tells."""
    readers = (percent_sum, story_sum) if language == "en" else _japanese_stories()
    return next((found for read in readers if (found := read(text))), None)


def _japanese_stories() -> tuple[Callable[[str], StorySum | None], ...]:
    from agent.text.in_japanese.japanese_percent import japanese_percent_sum, japanese_rest, japanese_sorts
    from agent.text.in_japanese.japanese_story import japanese_sum

    return japanese_percent_sum, japanese_rest, japanese_sorts, japanese_sum


def told_account(text: str, language: Language = "en") -> Problem | None:
    """The problem of the first reader that knows the account."""
    several = (found for read in _OF_BOTH_LANGUAGES if (found := read(text, language)))
    english = (found for read in _ACCOUNTS if language == "en" and (found := read(text)))
    return next(several, None) or next(english, None)
