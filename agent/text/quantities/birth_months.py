"""The year, or the month of a year, in which somebody was born."""

from __future__ import annotations

import re
from datetime import date

from agent.text.quantities.dates import MONTH, month_number
from agent.text.quantities.eras import era_year
from agent.text.regex import regex

_ENGLISH = regex(rf"(?:(?P<month>{MONTH}),? )?(?P<year>\d{{4}})", re.I)
_JAPANESE = regex(r"(?P<year>[^\d]{0,2}(?:\d{1,4}|元)年)(?:(?P<month>1[0-2]|[1-9])月)?")


def born_in(text: str, today: date | None) -> tuple[int, str]:
    """The year that ``text``, the whole of it, tells, and whether the birthday of this year is over.

    The second is "_over", "_ahead", or "" where the day of birth decides. The year is 0 where none is told, or where
    the month has not come yet.
    """
    said = _ENGLISH.fullmatch(text) or _JAPANESE.fullmatch(text)
    if said is None:
        return 0, ""
    figures = said["year"].removesuffix("年")
    year = int(figures) if re.fullmatch(r"\d{4}", figures) else era_year(said["year"]) or 0
    month = 0
    if said["month"]:
        month = int(said["month"]) if said["month"].isdigit() else month_number(said["month"])
    if today is None or month in (0, today.month):
        return year, ""
    if year == today.year and month > today.month:
        return 0, ""
    return year, "_over" if month < today.month else "_ahead"
