"""What calls tell: a bound or a day that one asked for ("over 500", 「60以上」), a text that rows had to have, and
figures in a failed one's message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding, Source, Sources
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.regex import regex

_BEFORE = regex(
    r"(?:[=<>≤≥]|\b(?:over|under|above|below|at least|at most|(?:more|less|fewer|later|earlier) than|since|until|before"
    r"|after|from|up to|as of))\s?[“\"'$€£]?$",
    re.I,
)
_BEHIND = regex(r"[^\W\d_]{0,3}\s?(?:以上|以下|以降|以前|以内|未満|まで|より|を超え|を上回|を下回)")
_DAYS_OF_QUARTER = {1: ("01-01", "03-31"), 2: ("04-01", "06-30"), 3: ("07-01", "09-30"), 4: ("10-01", "12-31")}
_LONGEST = 14  # characters of the words before


def as_calls_tell(draft: Draft, text: str, sources: Sources, failed: Sequence[Source]) -> Finding:
    """What was found; where that is nothing, ``seen`` in what ``failed`` calls said, ``given`` for a bound of one."""
    if draft.finding.verdict != "not_found":
        return draft.finding
    wanted = text[draft.start : draft.end].strip()
    if any(re.search(rf"(?<![0-9.]){re.escape(wanted)}(?![0-9])", source.text) for source in failed):
        return Finding("seen", (), Text("In a failed tool's message."))
    if draft.finding.spots:
        return draft.finding
    as_day = _as_day(draft.thing, sources) if isinstance(draft.thing, Day) else None
    return as_day or _as_literal(wanted, sources) or _as_bound(draft, text, sources)


def _as_day(day: Day, sources: Sources) -> Finding | None:
    """A day, a month or a quarter that a call asked for, maybe as the day before its end: "start=2025-05-05"."""
    wanted = _DAYS_OF_QUARTER.get(day.quarter or 0, ()) if day.month is None else (f"{day.month:02}",)
    year = day.year if day.year is not None else "[0-9]{4}"
    if not wanted or (day.year is None and day.day is None):
        return None
    dated = [
        f"{year}-{one}" + (f"-{day.day:02}" if day.day is not None and day.month is not None else "") for one in wanted
    ]
    literals = [regex(rf"(?<![0-9-]){one}(?![0-9])") for one in dated]
    if day.whole is not None:
        literals.append(regex(rf"< ?'?{(day.whole + timedelta(days=1)).isoformat()}"))
    for source in sources.texts:
        found = [one.search(source.asked) is not None for one in literals] if source.asked else [False]
        if all(found) if day.month is None else any(found):
            return Finding("given", (), Text("Asked for in step {step}.", step=source.step))
    return None


def name_as_calls_tell(name: str, finding: Finding, sources: Sources) -> Finding:
    """What was found of a name; where that is nothing, ``given`` for a text that a call asked for."""
    return finding if finding.verdict != "not_found" else _as_literal(name, sources) or finding


def _as_literal(wanted: str, sources: Sources) -> Finding | None:
    """A text in quotes behind an equals sign of a query that found something."""
    literal = regex(rf"[=(,]\s*'{re.escape(wanted.lower())}'")
    step = next((one.step for one in sources.texts if one.asked and one.tables and literal.search(one.asked)), None)
    return Finding("given", (), Text("Asked for in step {step}.", step=step)) if step is not None else None


def _as_bound(draft: Draft, text: str, sources: Sources) -> Finding:
    start, end = draft.figure.number if draft.figure else (draft.start, draft.end)
    before = _BEFORE.search(text, max(0, draft.start - _LONGEST), draft.start)
    if before is None and _BEHIND.match(text, end) is None:
        return draft.finding
    said = text[start:end].lower()
    literal = regex(rf"[=<>(,'\s]{re.escape(said.replace(',', '') if draft.figure else said)}(?![\w.:-])")
    step = next((source.step for source in sources.texts if source.asked and literal.search(source.asked)), None)
    if step is None:
        return draft.finding
    return Finding("given", (), Text("A bound that step {step} asked for.", step=step))
