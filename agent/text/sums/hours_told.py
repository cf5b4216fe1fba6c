"""A length of time in hours and minutes, as the question told its parts: 290 minutes as "4 h 50 min"."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.regex import regex
from agent.text.sums.phrases import Language, Value, either

_HOURS = regex(r"\d ?h(?:(?:ou)?rs?)?(?![a-z])|\d時間", re.I)
_MINUTES = regex(r"\d ?min(?:ute)?s?\b|\d ?h ?\d\d?(?![\d.])|時間半|\d分", re.I)
_IN_ONE_UNIT = regex(
    r"\bhow many (?:minutes|mins|hours(?! and))|\b(?:in|to|as) (?:minutes|mins|(?:decimal )?hours(?! and))\b"
    r"|何分|何時間(?!何分)",
    re.I,
)
_HOUR, _QUARTER, _EXACT = 60, 15, Decimal("0.001")  # minutes; 2.25 hours are told so


def with_hours(asked: str, value: Value, language: Language, figure: str) -> str:
    """ "4 h 50 min (290 minutes)" where ``asked`` tells hours and minutes and wishes no unit, else ``figure``."""
    if value.unit not in ("minutes", "hours") or "e" in value.amount or _IN_ONE_UNIT.search(asked):
        return figure
    exact = Decimal(value.amount) * (_HOUR if value.unit == "hours" else 1)
    minutes = round(exact)
    bare = abs(exact - minutes) > _EXACT or minutes < _HOUR or (value.unit == "hours" and minutes % _QUARTER == 0)
    if bare or not (_HOURS.search(asked) and _MINUTES.search(asked)):
        return figure
    hours, rest = divmod(minutes, _HOUR)
    english = f"{hours} h {rest} min ({figure})" if rest else f"{hours} h ({figure})"
    return either(language, english, f"{hours}時間{rest}分({figure})" if rest else f"{hours}時間({figure})")
