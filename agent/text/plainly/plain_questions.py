"""The plainer questions that an English one may come to, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.text.free_days.free_day import free_days
from agent.text.free_sums.free_sum import free_sums, in_figures
from agent.text.plainly.asides import pared
from agent.text.plainly.asked_amounts import of_conversion, of_list, of_share
from agent.text.plainly.daily_wordings import of_every_day
from agent.text.plainly.free_conversion import free_conversion
from agent.text.plainly.lead_times import of_lead_times
from agent.text.plainly.one_date import of_one_date, without_today
from agent.text.plainly.short_accounts import of_short
from agent.text.plainly.told_begins import of_told_begin
from agent.text.plainly.two_places import of_two_places
from agent.text.plainly.usual_wordings import of_usual
from agent.text.problems.said_days import in_full
from agent.text.told_sums.errands import tellings

_LONGEST = 300  # characters


def plain_questions(text: str, today: date | None) -> Iterator[str]:
    """Those by quantities, dates and places first, which use all figures; then the question without its asides."""
    if len(text) > _LONGEST:
        return
    yield from of_every_day(text, today)
    yield from free_conversion(text)
    bare = without_today(text, today) if today else text
    ways = [*([bare] if bare != text else []), *pared(bare)]
    told = {text}
    for way in (*ways[-2:-1], text, *ways[:1]):
        for made in _made(way, today):
            if made and made not in told:
                told.add(made)
                yield made
    yield from ways
    yield from in_figures(text)
    yield from free_sums(text)
    if (typed := in_full(text)) != text:
        yield from free_sums(typed)
    if today:
        yield from free_days(text, today)


def _made(text: str, today: date | None) -> Iterator[str]:
    for read in (
        of_list,
        of_share,
        of_conversion,
        tellings,
        of_lead_times,
        of_usual,
        of_short,
    ):
        yield from read(text)
    if today:
        yield from of_two_places(text, today)
        yield from of_one_date(text, today)
        yield from of_told_begin(text, today)
