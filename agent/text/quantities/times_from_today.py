"""Years, months and days that a text names by their distance from today: "last year", 「先月」, "gestern", 「10月」."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.quantities.dates import NEAR
from agent.text.regex import regex

_YEARS = {
    -1: "last year|previous year|(?:letztes|vergangenes|voriges) jahr|vorjahr|l'an(?:née)? (?:dernière?|passée?)"
    "|el año pasado|去年|昨年",
    0: "this year|dieses jahr|cette année|este año|今年|本年",
    1: "next year|nächstes jahr|l'an(?:née)? prochaine?|el (?:próximo año|año que viene)|来年",
}
_MONTHS = {
    -1: "last month|previous month|letzten monat|le mois dernier|el mes pasado|先月|前月",
    0: "this month|diesen monat|ce mois-ci|este mes|今月|当月",
    1: "next month|nächsten monat|le mois prochain|el próximo mes|来月",
}
_MONTH_ALONE = regex(r"(?<![0-9年])(?P<month>1[0-2]|[1-9])月(?!間)")  # of this year
_DAYS = {away: "|".join(said for said, days in NEAR.items() if days == away) for away in set(NEAR.values())}


def times_named(text: str, today: date) -> Iterator[str]:
    """Each as it is written out: "2025", "2026-10", "2026-11-20". ``text`` is in lower case."""
    for away, words in _YEARS.items():
        if _said(words).search(text) and date.min.year <= today.year + away <= date.max.year:
            yield str(today.year + away)
    for away, words in _MONTHS.items():
        if _said(words).search(text):
            year, month = divmod(today.year * 12 + today.month - 1 + away, 12)
            yield f"{year:04}-{month + 1:02}"
    yield from (f"{today.year:04}-{int(month['month']):02}" for month in _MONTH_ALONE.finditer(text))
    for away, words in _DAYS.items():
        if _said(words).search(text):
            yield (today + timedelta(days=away)).isoformat()


def _said(words: str) -> re.Pattern[str]:
    return regex(rf"(?<![a-zà-ÿ])(?:{words})(?:['’]?s)?(?![a-zà-ÿ])")  # "tomorrow's", "last years"
