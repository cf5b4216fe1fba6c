"""A figure that says the one right before it in another way: "33 seats (66%)", "305 a month, or 3,660 a year"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.arithmetic_steps import Result
from agent.evidence.derivation.steps.chance import surest
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, Traced
from agent.evidence.derivation.steps.pools import Pool
from agent.evidence.derivation.steps.wholes import says_share
from agent.evidence.derivation.worked.series import share_of_column
from agent.evidence.kept import kept
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.units import PERCENT, POINTS, alike
from agent.text.regex import regex

_LONGEST = 60  # characters between the two
_AGAIN = regex(
    r"[(（]|\b(?:or|ie|that is|that's|which is|which makes|making|equal to|meaning|namely|das sind|dh|oder|also|"
    r"soit|ou|ovvero|cioè|es decir)\b|[=≈—–→、]|、?つまり"
)
_SHORT = regex(r"\bi\. ?e\.|\bd\. ?h\.")  # whose points end nothing
_ENDED = regex(r"[.;:!?。](?:\s|$)|\n")
_EACH = "a|per|in a|over a|each|every|je|pro|im|am|in der|par|al|alla"
_SAID = (  # each period as it follows such a word, as an adverb, in Japanese
    ("year", "year|yr|annum|jahr|an|año|anno", "annual|annually|yearly|jährlich|annuel|anual", "年間|毎年|1年|年額"),
    ("quarter", "quarter|quartal|trimestre", "quarterly|vierteljährlich", "四半期"),
    (
        "month",
        "month|monat|mois|mes|mese",
        "monthly|monatlich|mensuel|mensual",
        "毎月|月額|月々|1[かカヶ]月|ひと月",
    ),
    ("week", "week|woche|semaine|semana|settimana", "weekly|wöchentlich", "毎週|週に|1週"),
    ("day", "day|tag|jour|día|giorno", "daily|täglich", "毎日|1日|一日"),
)
_PERIODS: Sequence[tuple[str, re.Pattern[str]]] = [
    (
        name,
        regex(
            rf"(?:\b(?:{_EACH}) (?:{words})\b|/ ?(?:{words})\b|\b(?:{adverbs})\b|"
            rf"(?:{kanji})(?:に|あたり|当たり|額|々|間)?)"
        ),
    )
    for name, words, adverbs, kanji in _SAID
]
_ANY = regex("|".join(said for _, *several in _SAID for said in several))  # most texts say none
# How many of one period are said to be in another.
_IN = {
    ("quarter", "year"): (4,),
    ("month", "year"): (12,),
    ("week", "year"): (52,),
    ("day", "year"): (365, 366, 360),
    ("month", "quarter"): (3,),
    ("week", "quarter"): (13,),
    ("week", "month"): (Fraction(52, 12), Fraction(4)),
    ("day", "month"): (30, 31, Fraction(365, 12)),
    ("day", "week"): (7,),
}
_OF_YEAR = regex(r"\b(?:last|this|the|a) year\b|\bannual|\bjahr\b|année|年間")
_ENDS = frozenset(".;:!?。")
_NEAR = 24  # characters behind a figure, or before it, that say its period
_OVER = regex(r"[^\W\d_]* ?(?:per|for each|for every|each|a|je|pro|par|por|al)\b|[^\W\d_]{0,4}あたり|\bon average\b")


_FAR = 1_500  # characters before a figure whose values it may say again
_MOST = 14  # of these


@dataclass(frozen=True)
class Restated:
    """The figures of an answer that were found, for those right behind that say them again."""

    sources: Sources
    answer: Answer
    traced: tuple[Traced, ...]
    said: Callable[[int], Known]
    body: Callable[[int, Subjects], Body]
    of_values: Callable[[FigureClaim, Pool], Finding | None]

    def finding(self, claim: FigureClaim, shares: bool) -> Finding | None:
        """A share of all, a value for another period or each row; ``shares``: of values further before, too."""
        start = claim.figure.start
        last = bisect_left(self.traced, (start,)) - 1
        if last < 0 or self.traced[last].start < start - _FAR:
            return None
        again = _is_restated(self.answer.lower[self.traced[last].end : start])
        part = self.said(last)
        is_share = claim.is_share or claim.figure.unit is POINTS
        if part.operand.dated:
            return None
        if claim.figure.unit is POINTS:
            claim = replace(claim, figure=replace(claim.figure, unit=PERCENT))
        if is_share and (again or (shares and says_share(claim.said))):
            return self._share(claim, part, last if again else 0)
        found = self._in_period(claim, last)
        return found or (self._for_each(claim, part) if again else None)

    def _share(self, claim: FigureClaim, part: Known, last: int) -> Finding | None:
        """A share of what the column of the part comes to, or of the largest of the ``last`` values before."""
        number, start, _ = part.operand.spot
        at = self.sources.texts[number].page.cell_at(start)
        columns = share_of_column(self.body(number, at[0]), at[1].column, part) if at is not None else iter(())
        before = map(self.said, range(max(0, last - _MOST), last))
        larger = (one for one in before if one.size > part.size and _alike_in_unit(one, part))
        whole = max(larger, key=lambda one: one.size, default=None)
        return surest(self.of_values(claim, Pool(one)) for one in chain(columns, [[part, whole]] if whole else ()))

    def _in_period(self, claim: FigureClaim, last: int) -> Finding | None:
        """A value that is said for one period, said for another: 305 a month for 3,660 a year."""
        lower = self.answer.lower
        wanted = self._period_of(claim.figure.start, claim.figure.end)
        for index in range(last, max(-1, last - _MOST), -1) if wanted else ():
            one = self.traced[index]
            if one.start < claim.figure.start - _FAR:
                return None
            of_year = index == last and _OF_YEAR.search(lower, max(0, one.start - _FAR), one.start) is not None
            period = self._period(index) or ("year" if of_year else "")
            for count, times in _steps(period, wanted):
                if (found := _times(claim, self.said(index), count, times)) is not None:
                    return found
        return None

    @kept
    def _period(self, index: int) -> str:
        """The period of a figure that was found, which several may be said again of."""
        return self._period_of(self.traced[index].start, self.traced[index].end)

    @cached_property
    def _ends(self) -> list[int]:
        """Where its sentences and their parts end, with the blank behind."""
        return [match.end() for match in _ENDED.finditer(self.answer.lower)]

    def _period_of(self, start: int, end: int) -> str:
        """The period that a figure is said to be of: "month" of "305 a month"; "" for none.

        It stands near the figure, or at the start of its sentence: "Per month, Basic brings in €11,160".
        """
        lower = self.answer.lower
        behind, before = lower[end : end + _NEAR], lower[max(0, start - _NEAR) : start]
        if _ANY.search(behind) is not None:
            found = [(match.start(), name) for name, words in _PERIODS if (match := words.search(behind)) is not None]
            if found:
                return min(found)[1]
        found = [name for name, words in _PERIODS if words.search(before)] if _ANY.search(before) is not None else []
        if not found and lower[max(0, start - 1) : start] not in _ENDS:
            index = bisect_right(self._ends, start)
            opening = lower[max(self._ends[index - 1] if index else 0, start - _FAR) : start].lstrip()[:_NEAR]
            meant = _PERIODS if _ANY.search(opening) is not None else ()
            found = [name for name, words in meant if words.match(opening)]
        return min(found, default="")

    def _for_each(self, claim: FigureClaim, part: Known) -> Finding | None:
        """A value over the rows of its table: "449.7 million, or 89.9 million per film"."""
        number, start, _ = part.operand.spot
        at = self.sources.texts[number].page.cell_at(start)
        behind = self.answer.lower[claim.figure.end : claim.figure.end + _NEAR].lstrip()
        if at is None or _OVER.match(behind) is None:
            return None
        return _times(claim, part, Fraction(len(self.body(number, at[0]).labels) or 1), False)


def _alike_in_unit(one: Known, other: Known) -> bool:
    """Whether two values can be of one unit."""
    units = one.operand.unit, other.operand.unit
    return units[0] is None or units[1] is None or alike(units[0], units[1])


def _is_restated(between: str) -> bool:
    """Whether the words between two figures, in lower case, lead from one to the same said otherwise."""
    if len(between) > _LONGEST or any(map(str.isdigit, between)):
        return False
    between = _SHORT.sub("ie", between)
    return _AGAIN.search(between) is not None and _ENDED.search(between) is None


def _steps(period: str, wanted: str) -> Iterator[tuple[Fraction, bool]]:
    """How many times a value is taken, or divided by (``False``), from one period to another."""
    yield from ((Fraction(count), True) for count in _IN.get((period, wanted), ()))
    yield from ((Fraction(count), False) for count in _IN.get((wanted, period), ()))


def _times(claim: FigureClaim, value: Known, count: Fraction, times: bool) -> Finding | None:
    """The finding where a value times or over a count comes to the figure."""
    operand, sign = value.operand, "×" if times else "÷"
    result = Fraction(operand.value) * count if times else Fraction(operand.value) / count
    filling = {"one": operand, "n": f"{float(count):g}"}
    step = Result("product", result, operand.unit, (operand.spot,), f"{{one}} {sign} {{n}}", filling)
    return replace(claim, kinds=claim.kinds | {"product"}).fits(step, (value,))
