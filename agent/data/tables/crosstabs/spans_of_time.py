"""Periods as heads of columns and questions name them: "2019", "FY19", "30 June 2019", 「2024年3月期」."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.text.quantities.dates import MONTH, month_number
from agent.text.regex import regex

_CENTURY = 2000
_ERAS = {"令和": 2018, "平成": 1988}
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_PERIOD = regex(
    rf"(?P<era>令和|平成)(?P<era_year>\d+|元)年(?:度|(?P<era_month>\d{{1,2}})月期?)?"
    rf"|(?P<ja_year>(?:19|20)\d\d)年度?(?:(?P<ja_month>\d{{1,2}})月(?:(?P<ja_day>\d{{1,2}})日|期)?)?"
    rf"|(?P<month>\b(?:{MONTH})\b)\.? {_DAY.format('day')},? ?(?P<year1>(?:19|20)\d\d)(?!\d)"
    rf"|\b{_DAY.format('day2')} (?P<month2>(?:{MONTH})\b)\.?,? ?(?P<year2>(?:19|20)\d\d)(?!\d)"
    rf"|(?P<month3>\b(?:{MONTH})\b)\.?,? ?(?P<year3>(?:19|20)\d\d)(?!\d)"
    rf"|\b(?:Q(?P<quarter>[1-4])|H(?P<half>[12])) ?(?:FY|of )?(?:(?P<year4>(?:19|20)\d\d)|['’]?(?P<short4>\d\d))(?!\d)"
    rf"|(?P<year6>(?:19|20)\d\d) ?(?:Q(?P<quarter6>[1-4])|H(?P<half6>[12]))(?!\d)"
    rf"|(?<![\w.,])(?P<from>(?:19|20)\d\d) ?[-–/] ?(?P<to>(?:19|20)?\d\d)(?![\w.,]\d|\d)"
    rf"|(?<![\d.,$€£¥])(?:\b(?:FY|CY|F) ?)?(?P<year>(?:19|20)\d\d)(?![\d%]|[.,]\d)"
    rf"|\b(?:FY|CY|F) ?['’]?(?P<short>\d\d)(?!\d)",
    re.I,
)
# What stands around a period without saying more: "the year ended …", "as at …".
_AROUND = (
    r"(?:(?:for|in|during|at|as of|as at|as on|on|of) )?(?:the )?"
    r"(?:(?:(?:full|whole|financial|fiscal|calendar|reporting|first|second|third|fourth) )?(?:fiscal |financial )?"
    r"(?:years?|quarters?|periods?|months?|weeks?|year[- ]ends?|fiscal|calendar)"
    r"(?: (?:ended|ending|end))?(?: (?:on|as of|at|in|of))?|(?:ended|ending))? ?"
)
BEFORE = regex(rf"(?:{_AROUND})$", re.I)


@dataclass(frozen=True, slots=True)
class Span:
    """``year`` and what more is told, 0 where it is not; ``until`` is the last year of several."""

    year: int
    month: int = 0
    day: int = 0
    quarter: int = 0
    half: int = 0
    until: int = 0

    def fits(self, head: Span) -> bool:
        """Whether a head of this span may be meant: what both tell is the same."""
        pairs = ((self.month, head.month), (self.day, head.day), (self.quarter, head.quarter), (self.half, head.half))
        same = self.year == head.year and self.until == head.until
        return same and all(mine == theirs or not (mine and theirs) for mine, theirs in pairs)

    @property
    def order(self) -> tuple[int, ...]:
        return (self.year, self.quarter, self.half, self.month, self.day)


@dataclass(frozen=True, slots=True)
class Mention:
    """A period in a text, from ``start`` to ``end``."""

    start: int
    end: int
    span: Span


def mentions(text: str) -> Iterator[Mention]:
    """The periods that a text names, in their order."""
    for found in _PERIOD.finditer(text):
        span = _span({name: value for name, value in found.groupdict().items() if value})
        if span:
            yield Mention(found.start(), found.end(), span)


def _span(told: dict[str, str]) -> Span | None:
    if "era" in told:
        year = _ERAS[told["era"]] + (1 if told["era_year"] == "元" else int(told["era_year"]))
        return Span(year, int(told.get("era_month", 0)))
    if "from" in told:
        first, last = int(told["from"]), told["to"]
        until = int(last) if len(last) > len("19") else first // 100 * 100 + int(last)
        return Span(first, until=until) if first < until <= first + 9 else None
    year = next((int(told[name]) for name in told if name.startswith(("year", "ja_year"))), 0)
    short = next((int(told[name]) for name in told if name.startswith("short")), 0)
    month = next((month_number(told[name]) for name in told if re.fullmatch(r"month\d?", name)), 0)
    return Span(
        year or _CENTURY + short,
        month or int(told.get("ja_month", 0)),
        int(told.get("day") or told.get("day2") or told.get("ja_day") or 0),
        int(told.get("quarter") or told.get("quarter6") or 0),
        int(told.get("half") or told.get("half6") or 0),
    )


def span_of(head: str) -> tuple[Span | None, str]:
    """The one period that a head names, and the rest of its words; none where it names two or none."""
    found = list(mentions(head))
    if len(found) != 1:
        return None, head
    (one,) = found
    before = BEFORE.sub(" ", head[: one.start])
    return one.span, f"{before} {head[one.end :]}".strip()


def same_kind(spans: Sequence[Span]) -> bool:
    """Whether they are periods of one length that follow one another: years, or quarters."""
    kinds = {(bool(one.quarter), bool(one.half), bool(one.until)) for one in spans}
    return len(kinds) == 1 and len({one.order for one in spans}) == len(spans)
