"""A part of an amount in percent, told in any words: a price without its tax, how many that is, the whole of a part."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.free_sums.free_items import MARK, Item, Told, says, without
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_TWO = 2
_TAX = r"(?:vat|gst|(?:sales )?tax|service(?: charge)?)"
_INCLUDED = regex(
    rf"\b(?:includ\w+|inclusive(?: of)?|incl?\.?)(?: the| an?)? {MARK} {_TAX}\b"
    rf"|(?:with )?{MARK} {_TAX} (?:is |was )?(?:(?:already )?(?:included|inside|incl?\b|in it|in that|in the price))"
    rf"|\b(?:if )?{_TAX} (?:is|at|of) {MARK}[^{MARK}]{{1,40}}\b(?:with|including|inc|after)(?: the)? {_TAX}"
    rf"|\b(?:includ\w+|inclusive(?: of)?|incl?\.?)(?: the)? {_TAX},?(?: which is| that's|,? at| of)? {MARK}"
)
_WITHOUT = regex(
    rf"\b(?:before|without|ex|excl\w*|not counting|minus|less|net of)(?: (?:the|any"
    rf"|that))?(?: {_TAX})?(?: (?:was|is|were) (?:added|put on))?"
    r"|\b(?:base|net|basic|pre-tax|pre tax) (?:price|amount|cost|value|figure)|\bnet\b"
)
_THE_TAX = regex(
    rf"\b(?:how much (?:of (?:that|it|this|the [a-z]+) )?(?:is|was)|what(?:'s| is| was)"
    rf"|how much) (?:the )?{_TAX}(?: in it| part)?$"
)
_THAT_MANY = regex(
    r"\bhow (?:many|much) (?:(?P<thing>[a-z]+) )?(?:is|are|was|were|would|does"
    r"|did) (?:that|it|this|those)(?: be| make)?$"
)
_DID = regex(r"\bhow many (?:(?:of them|[a-z]+) )?(?P<did>[a-z]+)$")
_DOES = regex(r"\bhow much (?:does|do|will) (?:[a-z]+ ){1,2}(?P<did>pay|get|keep|take|give|owe)$")
_PERIODS = ("", "day", "week", "month", "year")
_CHANGED = regex(
    r"\b(?:off|discount|more|less|up|down|rise\w*|rose|rais\w+|fell|drop\w*|increas\w*"
    r"|decreas\w*|tip|vat|gst|tax|interest|on top|extra"
    r"|added?|plus|minus|cheaper|sale|reduc\w+|commission|fee|service|left|rest|deposit)\b"
)
_WHOLE = regex(
    rf"{MARK},?(?: (?:which|that))? (?:is|was|makes|are|makes up|covers?) {MARK} of (?:the"
    rf"|my|our|his|her|all (?:the|my)?) ?(?P<of>[a-z]+)"
)
_THE_WHOLE = regex(
    r"\b(?:full|whole|total|entire|complete|all of the|all the)\b|\bhow (?:much|many|big) (?:is|was|are|were)\b"
)
_TAKEN = regex(r"\b(?:deduct\w*|tds|withh\w+|taken off|tax|knocked off|discount|fees?|commission)\b")
_ON_IT = regex(rf"{MARK} (?:back|cashback|commission|interest|cash back) on (?:the |a |my )?{MARK}")
_AFTER_CHANGE = regex(
    rf"\bafter (?:an? |the |a pay )?{MARK} (?:(?P<up>rise|increase|raise|pay rise|hike)|off"
    rf"|discount|reduction|cut|drop)\b"
)
_WAS = regex(r"\bwas (?:it|that|the [a-z]+)\b|\b(?:before|original\w*)\b")
_AFTER_IT = regex(
    r"\b(?:take home|keep|in hand)\b"
    r"|\b(?:after|less|minus)(?: (?:the|that|this|all))?(?: (?:deductions?|tax|discount"
    r"|commission|fees?|tds|it|that))\b"
)


def part_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """What an amount and one percentage come to, and the same told without the words that this was read by."""
    percents = [item for item in told.items if item.kind == "percent"]
    others = [item for item in told.items if item.kind in ("money", "bare", "count") and item.per in _PERIODS]
    if len(told.items) != _TWO or len(percents) != 1 or len(others) != 1 or MARK in told.asked:
        return
    (share,), (whole,) = percents, others
    for read in (_of_tax, _of_whole, _before_it, _after_it, _of_it):
        if found := read(told, whole, share):
            made, *said = found
            yield made.replace(_IT, f"{whole.unit}{whole.said}"), without(told, *said)
            return


_IT = "{it}"
_Read = tuple[str, ...] | None  # the sum, and the words that may not turn it


def _of_tax(told: Told, whole: Item, share: Item) -> _Read:
    """A price without the tax that it has, or that tax."""
    included = _INCLUDED.search(told.text)
    up = figure_of(1 + share.amount / 100)
    if included and _THE_TAX.search(told.asked):
        return f"what is {_IT} - {_IT} / {up}", included[0]
    without = _WITHOUT.search(told.asked) if included else None
    return (f"what is {_IT} / {up}", included[0], without[0]) if included and without else None


def _of_whole(told: Told, whole: Item, share: Item) -> _Read:
    of = _WHOLE.search(told.text) if whole.start < share.start and share.amount else None
    if of is None or not _THE_WHOLE.search(told.asked):
        return None
    asks = of["of"] in told.asked or says(told.asked, "money_asked")
    return (f"what is {_IT} / {figure_of(share.amount / 100)}", "if", of[0], "before") if asks else None


_SAVED = regex(r"\bsav(?:ed?|es|ings?)\b", re.I)


def _before_it(told: Told, whole: Item, share: Item) -> _Read:
    """ "After a 10% rise the rent is 880, what was it"."""
    fits = _WAS.search(told.asked) and 0 < share.amount < 100 and not _SAVED.search(told.text)  # which is no price
    of = _AFTER_CHANGE.search(told.text) if fits else None
    way = 1 if of and of["up"] else -1
    return (f"what is {_IT} / {figure_of(1 + way * share.amount / 100)}", of[0], "before") if of else None


def _after_it(told: Told, whole: Item, share: Item) -> _Read:
    """What is left of it, or what it has become."""
    after = _AFTER_IT.search(told.asked) if _TAKEN.search(told.text) else None
    if after and share.amount < 100:
        return f"what is {_IT} * {figure_of(1 - share.amount / 100)}", after[0]
    way = _way(share)
    if not way or not _NEW.search(told.asked):
        return None
    spans = (one[0] for one in _SPAN.finditer(told.text))
    return f"what is {_IT} * {figure_of(1 + way * share.amount / 100)}", *spans, "after"


def _of_it(told: Told, whole: Item, share: Item) -> _Read:
    """So many percent of it."""
    on, does = _ON_IT.search(told.text), _DOES.search(told.asked)
    if on and _THAT_MANY.search(told.asked):
        return f"what is {share.said}% of {_IT}", on[0]
    first = whole.start < share.start
    paid = does is not None and re.search(rf"\b{does['did']}s$", share.before) is not None
    put_down = _DEPOSIT.search(told.text) and _PUT_DOWN.search(told.asked)
    fits = put_down or (first and (paid or _asks_part(told, whole, share)))
    return (f"what is {share.said}% of {_IT}",) if fits else None


_UP = regex(
    r"\b(?:gains?|gained|grows?|grew|rises?|rose|goes up|went up|going up|pay ?rise|raise"
    r"|increas\w+|hikes?|hiked|up|more)\b"
)
_DOWN = regex(
    r"\b(?:loses?|lost|drops?|dropped|falls?|fell|goes down|went down|going down"
    r"|depreciat\w+|shrinks?|decreas\w+|cut)\b"
)
_NEW = regex(
    r"\b(?:new|worth (?:now|then|after\w*)|(?:is|are|am) (?:it|they|i|that) (?:now|on now"
    r"|then)|will (?:it|they|that|i) (?:be|cost|pay|get)|now)\b"
)
_REPEATED = regex(
    r"^[^,.;]{0,25}\b(?:each|every|per|an?) (?:year|month|week"
    r"|day)\b(?<!in a year)(?<!in a month)(?<!in a week)(?<!in a day)|\byearly|\bmonthly"
)
_SPAN = regex(r"\b(?:in|after|over) (?:(?:a|one|the|first) )?(?:year|month|week)\b(?:'s time)?")
_DEPOSIT, _PUT_DOWN = (
    regex(rf"{MARK} deposit\b|deposit (?:of|is) {MARK}"),
    regex(r"\b(?:put down|the deposit|pay (?:now|up front|upfront)|down)\b"),
)


def _way(share: Item) -> int:
    """1 where the amount goes up by the percentage, -1 where it goes down, 0 where neither is sure."""
    up, down = (way.search(f"{share.before} {MARK} {share.after}") is not None for way in (_UP, _DOWN))
    by = not re.search(r"\b(?:to|from)$", share.before) and not _REPEATED.search(share.after)
    return (up - down) if by else 0


def _asks_part(told: Told, whole: Item, share: Item) -> bool:
    """Whether it is asked how many do what that percentage of all do."""
    behind = re.sub(
        r"^(?:of (?:them|those|these|us|the [a-z]+) )?(?:(?:have|had|are|were|was|is|has|did|do) )?", "", share.after
    )
    if _CHANGED.search(told.text) or not behind:
        return False
    if many := _THAT_MANY.search(told.asked):
        return not many["thing"] or many["thing"] not in told.text.removesuffix(told.asked) or whole.kind != "money"
    did = _DID.search(told.asked)
    return did is not None and behind.split()[0] == did["did"]
