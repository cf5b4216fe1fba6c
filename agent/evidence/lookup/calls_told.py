"""What calls tell: a bound or a day that one asked for ("over 500", 「60以上」), a text that rows had to have, and
figures in a failed one's message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
    """A day or a month that a call asked for: "start=2025-05-05" of 5 May 2025."""
    if day.year is None or day.month is None:
        return None
    wanted = f"{day.year}-{day.month:02}" + (f"-{day.day:02}" if day.day is not None else "")
    literal = regex(rf"(?<![0-9-]){wanted}(?![0-9])")
    step = next((source.step for source in sources.texts if source.asked and literal.search(source.asked)), None)
    return Finding("given", (), Text("Asked for in step {step}.", step=step)) if step is not None else None


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
