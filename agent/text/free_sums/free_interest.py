"""Interest on a sum told in any words: what it comes to, what is to be paid back, and each monthly payment."""

from __future__ import annotations

from collections.abc import Iterator

from agent.text.free_sums.free_items import Item, Told, without
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_THREE, _MONTHS = 3, 12
_YEAR = r"(?:a year|per year|per annum|p\.?a\.?|every year|each year|yearly|annually|annual|a yr|once a year)"
_SIMPLE = regex(r"\b(?:simple|flat)(?:[ -]rate)?(?: of)? interest\b|\bflat rate\b")
_COMPOUND = regex(rf"\bcompound(?:ed|ing|s)?(?: interest)?(?: {_YEAR})?")
_OFTENER = regex(
    r"\b(?:compound\w*|interest)[a-z ]* (?:monthly|quarterly|daily|weekly|every (?:month|quarter|day|half))"
    r"|\bhalf[- ]year"
)
_NO_YEAR = regex(r"\b(?:quarter\w*|month(?:ly)?|week(?:ly)?|day|daily)\b")
_OTHER_SPAN = regex(
    r"\b(?:after|in) (?:an?|one|the)\b|\b(?:first|last|second|final|each|every|per|a) year\b|\bso far\b|\bhalf\b"
)
_PAYMENT = r"(?:re)?(?:payments?|instal\w+)"
_MONTHLY = regex(
    rf"\b(?:monthly|(?:the|my|each|every|equal) {_PAYMENT}|(?:is|are|be) each(?: one| of them)?"
    r"|(?:a|per|each|every) month)\b"
)
# Without it the interest may be paid alone.
_IN_EQUAL_PARTS = regex(
    r"\bequal\b.*\bmonth|\bmonth.*\bequal\b|\bmonthly instal"
    r"|\b(?:pay|paid|paying|repaid|repay)(?: (?:it|that|this|all|back))* (?:monthly|every month|each month)"
)
_INTEREST = regex(
    r"\b(?:how much (?:simple |compound |total )*|is (?:the )?"
    r"|what(?:'s|s| is| will be)? the (?:total |simple |compound )?)interest\b"
    r"|\binterest (?:will|do|would|have|has|is|on)\b"
)
_WHOLE = regex(
    r"\b(?:worth|owe|pay back|repay|back|end up|altogether|in total|total|balance|grow(?:n)? to|in (?:the|my) account"
    r"|there|be after|have (?:after|in|at|by|then|now)|left|become|amount to|come to|do i (?:have|get)"
    r"|will (?:it|i|there) be|got)\b"
)
_SAID = regex(
    rf"\b(?:interest(?: rate)?|lent|borrow(?:ed|ing|s)?|loan|{_YEAR}|equal|{_PAYMENT}|monthly|rate of|a month|back"
    r"|(?:each|per|every) month|after|earns?|earned|each|end of|over|in equal|paid? (?:it )?back|the end|simple|at the"
    r"|left|altogether|total|if(?= (?:i|we|you|it)\b)|amounts?)\b"
)
_LENDER = regex(r"\bmy [a-z]+ (?=(?:has |have |is |wants to )?(?:lent|lend|lending|gave|giv|loaned|put|borrow)\w*)")


def interest_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """The sum of a capital, a yearly rate and a time, and the same told without the words it was read by."""
    if len(told.items) != _THREE or _OFTENER.search(told.text):
        return
    rates = [item for item in told.items if item.kind == "percent"]
    spans = [item for item in told.items if item.kind in ("month", "time") or item.names & {"year", "month"}]
    sums = [item for item in told.items if item.kind in ("money", "bare") and not item.per]
    simple, compound = (pattern.search(told.text) is not None for pattern in (_SIMPLE, _COMPOUND))
    if not len(rates) == len(spans) == len(sums) == 1 or simple == compound or _OTHER_SPAN.search(told.asked):
        return
    if _NO_YEAR.search(rates[0].after) or _NO_YEAR.search(sums[0].after):
        return
    years = _years(spans[0])
    found = _sum(told, sums[0], figure_of(rates[0].amount), years, simple) if years else None
    if found:
        words = [one[0] for pattern in (_SIMPLE, _COMPOUND, _LENDER, _SAID) for one in pattern.finditer(told.text)]
        yield found, without(told, *words)


def _years(span: Item) -> str:
    word = span.unit or next(iter(span.names))
    if not word.startswith(("year", "month")):
        return ""
    return figure_of(span.amount / (_MONTHS if word.startswith("month") else 1))


def _sum(told: Told, capital: Item, rate: str, years: str, simple: bool) -> str | None:
    amount = f"{capital.unit}{capital.said}"
    whole = f"{amount} * (1 + {rate} / 100 * {years})" if simple else f"{amount} * (1 + {rate} / 100)^{years}"
    if _MONTHLY.search(told.asked):
        in_parts = simple and _IN_EQUAL_PARTS.search(told.text.replace(told.asked, ""))
        return f"what is {whole} / ({years} * {_MONTHS})" if in_parts else None
    if _INTEREST.search(told.asked):
        return f"what is {amount} * {rate} / 100 * {years}" if simple else f"what is {whole} - {amount}"
    whole = f"{amount} + {amount} * {rate} / 100 * {years}" if simple else whole
    return f"what is {whole}" if _WHOLE.search(told.asked) else None
