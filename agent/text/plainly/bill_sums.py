"""Bills, change, wages by the hour and day, and a fixed cost beside prices, told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from agent.text.plainly.told_words import (
    AFTER_TAX,
    AMOUNT,
    ASKING,
    EACH_ASKED,
    FIGURE,
    PERCENT_TOLD,
    SHARE_TURNS,
    SPANS_TOLD,
    sign_of,
)
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_AT = regex(
    rf"(?<![\w.,$€£])(?P<n>\d+) (?:[a-z]+ ){{1,3}}?(?:at|for|costing"
    rf"|@) [$€£]?(?P<p>{FIGURE})(?: (?:euros?|dollars?|pounds?|quid))?(?: each| apiece| a piece"
    r"| per [a-z]+)?"
)


_HAS = regex(
    rf"\b(?:have|has|had|got|with|budget of|note|from)\b(?: [a-z]+){{0,2}}? "
    rf"[$€£]?(?P<m>{FIGURE})\b|[$€£]?(?P<k>{FIGURE})(?: ?(?:euro|dollar|pound|quid))? note\b"
)


_LEFT = regex(r"\b(?:left|change|remain\w*|get back)\b")


_NO_BILL = regex(
    r"\b(?:not|except|without|half|twice|double|tip|tax|vat|off|discount|another|other|already"
    r"|if|or|than|minus|share|split|free|third|second|first|deal|offer|voucher|coupon|only"
    r"|return\w*|refund\w*|shared|everyone|rest|pays|treats|spent|lost|gave|owe\w*|borrow\w*|more|less)\b|n['’]t\b|%"
)


def _change(text: str) -> Iterator[str]:
    """ "I've got 20. Two pints at 5.40 each, what's left?"."""
    items, asked = list(_AT.finditer(text)), ASKING.search(text)
    rest = _AT.sub(" § ", text)
    has = list(_HAS.finditer(rest))
    if len(has) != 1 or not 1 <= len(items) <= 3 or asked is None or len(AMOUNT.findall(rest)) != 1:
        return
    if not _LEFT.search(asked[0]) or _NO_BILL.search(rest):
        return
    money = has[0]["m"] or has[0]["k"]
    total = sum(Decimal(one["n"]) * Decimal(one["p"]) for one in items)
    if Decimal(money) >= total:
        spent = " - ".join(f"{one['n']} * {sign_of(text)}{one['p']}" for one in items)
        yield f"what is {sign_of(text)}{money} - {spent}"


_EACH_PRICE = regex(
    rf"[$€£]?(?P<p>{FIGURE})(?: (?:euros?|dollars?|pounds?|quid))? (?:each|apiece|a head"
    r"|per (?:person|head|child|pupil|guest|ticket|adult|kid|student|player))\b|\b(?:tickets?"
    rf"|entry|admission) (?:is|are|costs?|at) [$€£]?(?P<k>{FIGURE})"
)


_FIXED = regex(
    r"\b(?:plus|and|on top of)(?: there(?:'s| is))? (?:an?|the|for the"
    rf"|for a)? ?(?:[a-z]+ (?:of|for|is|costs|at) )?[$€£]?(?P<f>{FIGURE})(?: ?(?:euro|dollar"
    r"|pound|quid|€|£)s?)?(?! (?:each|per|apiece|[a-z]+ at|people|of us|guests|kids|children"
    r"|friends|persons)\b)"
)


_TOTAL = regex(r"\b(?:total|altogether|in all|cost|costs|pay|come to|bill|all together)\b")


def _with_fixed(text: str) -> Iterator[str]:
    """ "28 pupils, entry is 6.50 each, plus a 90 euro coach. What is the total?"."""
    each, asked, figures = list(_EACH_PRICE.finditer(text)), ASKING.search(text), AMOUNT.findall(text)
    if len(each) != 1 or len(figures) != 3 or asked is None or not _TOTAL.search(asked[0]) or _NO_BILL.search(text):
        return
    if (
        EACH_ASKED.search(asked[0])
        or re.search(r"\b(?:pa(?:y|id) with|for \d+ (?:people|of us|guests))\b", text)
        or re.search(
            r"\b(?:an? (?:hour|day|night|week|month)|per (?:hour|day|night|week|month)|hours|days|nights|weeks)\b", text
        )
    ):
        return
    price = each[0]["p"] or each[0]["k"]
    fixed = [one for one in _FIXED.finditer(_EACH_PRICE.sub(" § ", text))]
    if len(fixed) != 1:
        return
    counts = [one for one in figures if one not in (price, fixed[0]["f"])]
    if len(counts) == 1 and counts[0].isdigit():
        yield f"what is {counts[0]} * {sign_of(text)}{price} + {sign_of(text)}{fixed[0]['f']}"


_PER_SPAN = regex(
    rf"[$€£]?(?P<m>{FIGURE})(?: ?(?:euros?|dollars?|pounds?|quid|€|£))? ?(?:an?|per|each|every"
    rf"|/) ?(?P<u>day|week|month|year|night|hour)\b|[$€£]?(?P<k>{FIGURE})(?: ?(?:euros?"
    r"|dollars?|pounds?|quid))? (?P<often>daily|weekly|monthly|yearly|annually|nightly"
    r"|hourly)\b"
)


_SO_MANY = regex(r"(?<![\w.])(?P<n>\d+)[ -](?P<u>day|week|month|year|night|hour)s?\b(?! old)")


_OFTEN = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
    "nightly": "night",
    "hourly": "hour",
}


_FACTORS = {("month", "year"): 12, ("week", "year"): 52, ("day", "week"): 7}


def _spans(text: str) -> Iterator[str]:
    """ "The plan is 18.99 monthly for 24 months, total cost?"."""
    rates, asked = list(_PER_SPAN.finditer(text)), ASKING.search(text)
    rest = _PER_SPAN.sub(" ", text)
    spans = list(_SO_MANY.finditer(rest))
    if (
        len(rates) != 1
        or len(spans) != 1
        or asked is None
        or len(AMOUNT.findall(rest)) != 1
        or _NO_BILL.search(text)
        or SHARE_TURNS.search(_TOTAL.sub(" ", rest))
    ):
        return
    if not re.search(r"\bhow much\b|\btotal\b|\bwhat\b.*\b(?:cost|pay|come|total|spend|earn|make)\b", asked[0]):
        return
    one = rates[0]["u"] or _OFTEN[rates[0]["often"]]
    factor = 1 if one == spans[0]["u"] else _FACTORS.get((one, spans[0]["u"]), 0)
    amount = rates[0]["m"] or rates[0]["k"]
    if factor:
        yield f"what is {sign_of(text)}{amount} * {int(spans[0]['n']) * factor}"


_LINK = regex(
    rf"(?<![\w.,])[$€£]?(?P<n>{FIGURE})(?: ?(?P<of>[a-z]+))??(?: ?(?:an?|per|each|every"
    r"|/) ?)(?P<by>hour|day|week|month|year|minute|session|lesson|shift|trip|visit)\b"
)


_RATE_END = regex(
    r"(?<![\w.])(?P<n>\d+) (?P<of>hours|days|weeks|months|years|minutes|sessions|lessons|shifts|trips|visits)\b"
)


_AMOUNT_ASKED = regex(r"\bhow (?:much|many|far)\b|\bwhat(?:'s| is)\b|\bwhat do(?:es)?\b|\bpay\b|\btotal\b")


def _chain(text: str) -> Iterator[str]:
    """ "13.20 an hour, 6 hours a day, 5 days a week. What's my weekly pay?": each by what the next counts."""
    links, asked = list(_LINK.finditer(text)), ASKING.search(text)
    rest = _LINK.sub(" ", text)
    ends = list(_RATE_END.finditer(rest))
    if (
        not 2 <= len(links) + len(ends) <= 4
        or len(links) < 2
        or len(ends) > 1
        or asked is None
        or PERCENT_TOLD.search(text)
    ):
        return
    if (
        len(AMOUNT.findall(rest)) != len(ends)
        or not _AMOUNT_ASKED.search(text)
        or _NO_BILL.search(text)
        or SHARE_TURNS.search(_PER_WORDS.sub(" ", text))
    ):
        return
    for before, after in pairwise(links):
        if (after["of"] or "").rstrip("s") != before["by"]:
            return
    last = links[-1]["by"]
    if ends and ends[0]["of"].rstrip("s") != last:
        return
    wanted = {*SPANS_TOLD.findall(asked[0]), *(_OFTEN[word] for word in _OFTEN if word in asked[0])}
    factor = 1
    if wanted and not ends and wanted != {last}:
        factor = _FACTORS.get((last, next(iter(wanted))), 0) if len(wanted) == 1 else 0
    figures = [link["n"] for link in links] + [end["n"] for end in ends] + ([str(factor)] if factor != 1 else [])
    if factor and (wanted or ends):
        yield f"what is {sign_of(text)}{' * '.join(figures)}"


_PER_WORDS = regex(r"\b(?:each|per|every)\b")


_DELIVERY = regex(
    r"\b(?:delivery|shipping|postage|booking fee|handling|installation|deposit|call-?out fee"
    r"|entry|parking)(?: (?:fee|charge|cost))?(?:,? (?:is|costs?|of|at|for|comes to"
    rf"|a flat))*:? [$€£]?(?P<f>{FIGURE})|[$€£]?(?P<g>{FIGURE})(?: (?:euros?|dollars?|pounds?"
    r"|quid))? (?:for )?(?:the )?(?:delivery|shipping|postage|handling|parking|installation)\b"
)


_UNIT_PRICE = regex(rf"\b(?:cost|costs|are|is|at|for|priced at) [$€£]?(?P<p>{FIGURE})\b")


def _delivered(text: str) -> Iterator[str]:
    """ "Chairs cost 24.90, we need 12, delivery is 30 flat. Total bill?"."""
    fixed, asked = list(_DELIVERY.finditer(text)), ASKING.search(text)
    rest = _DELIVERY.sub(" ", text)
    prices, figures = list(_UNIT_PRICE.finditer(rest)), AMOUNT.findall(rest)
    if (
        len(fixed) != 1
        or len(prices) != 1
        or len(figures) != 2
        or asked is None
        or not _TOTAL.search(asked[0])
        or _NO_BILL.search(text)
    ):
        return
    counts = [one for one in figures if one != prices[0]["p"]]
    if (
        len(counts) == 1
        and counts[0].isdigit()
        and not re.search(r"\b(?:each way|an? (?:hour|day|night|week|month)|for (?:all|the lot)|together)\b", text)
    ):
        yield f"what is {counts[0]} * {sign_of(text)}{prices[0]['p']} + {sign_of(text)}{fixed[0]['f'] or fixed[0]['g']}"


_EACH_PAYS = regex(
    r"\b(?:each|every one|all|everyone|everybody)(?: of (?:them|us))?(?: [a-z]+)? (?:pays?"
    r"|gives?|puts? in|saves?|brings?|donates?|contributes?|earns?|eats?|drinks?"
    rf"|uses?) [$€£]?(?P<m>{FIGURE})(?: [a-z]+)? (?:an?|per|each|every) (?P<u>day|week|month"
    r"|year)\b"
)


def _each_pays(text: str) -> Iterator[str]:
    """ "38 singers, each pays 15 a month. What comes in over a year?"."""
    said, asked, figures = _EACH_PAYS.search(text), ASKING.search(text), AMOUNT.findall(text)
    if (
        said is None
        or asked is None
        or len(figures) != 2
        or _NO_BILL.search(_EACH_PAYS.sub(" ", text))
        or EACH_ASKED.search(asked[0])
    ):
        return
    counts = [one for one in figures if one != said["m"]]
    wanted = set(SPANS_TOLD.findall(asked[0])) | {_OFTEN[word] for word in _OFTEN if word in asked[0]}
    factor = 1 if wanted <= {said["u"]} else _FACTORS.get((said["u"], next(iter(wanted))), 0) if len(wanted) == 1 else 0
    if len(counts) == 1 and counts[0].isdigit() and factor and wanted:
        yield f"what is {sign_of(text)}{counts[0]} * {said['m']} * {factor}"


def of_bills(text: str) -> Iterator[str]:
    """The plain questions that the telling of a bill or of wages may come to."""
    plain = in_digits(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()))
    plain = AFTER_TAX.sub(" ", plain)
    for read in (_chain, _delivered, _each_pays, _change, _with_fixed, _spans):
        yield from read(plain)
