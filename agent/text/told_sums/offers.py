"""What so many pieces cost on an offer: "3 for 2 at 14.50 a tin", "buy one get one free", "1.20 each or 3 for £3"."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.text.problems.story_parts import stem
from agent.text.problems.story_totals import StorySum
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_LONGEST = 200  # characters
_DEAL = r"(?: (?:deals?|offers?|promotions?|sale))?"
_PIECES = r"(?P<a>[2-9]|1\d)"
_NO_MORE = r"(?![.,]\d|\d| ?(?:%|percent|people|persons|of us|guests|euros?|pounds?|dollars?|pence|p\b|quid))"
# So many are paid of as many as are taken.
_FEWER = regex(
    rf"(?<![\d.,$€£])(?:buy |take )?{_PIECES},? (?:for|(?P<pay>pay)(?: only)?(?: for)?) (?:the )?(?P<whole>price of )?"
    rf"(?P<b>[1-9]){_NO_MORE}{_DEAL}"
)
_FREE = regex(
    r"\b(?:buy |get )?(?P<a>[1-9]),? (?:and )?get (?:the )?(?P<b>[1-9]|other|another|next|second)(?: one)?"
    rf" (?:(?P<free>(?:for )?free|for nothing)|(?:at |for )?half[ -](?:the )?price){_DEAL}"
)
_ONE_FREE = regex(rf"\bbogof?f?\b{_DEAL}")
_FOR_MONEY = regex(
    rf"(?<![\d.,$€£]){_PIECES} for (?:(?P<sign>[$€£])(?P<m>\d+(?:\.\d\d)?)"
    r"|(?P<n>\d+\.\d\d|\d+(?= (?:euros?|pounds?|dollars?|quid))))"
    r"(?![.,]?\d|%)(?: (?:euros?|pounds?|dollars?|quid))?"
)
_PRICE = regex(
    r"(?:\b(?:cost|costs|costing|is|are|at|they're|it's|for|price|priced|normally|usually|just|only) )*"
    r"(?<![\d.,])(?P<sign>[$€£])?(?P<p>\d+(?:\.\d\d?)?)(?![.,]?\d| ?%)(?: (?:euros?|pounds?|dollars?|quid))?"
    r"(?: (?:each|apiece)\b| (?:an?|per) (?P<of>[a-z]+)| for (?:one|1)\b)?"
)
_COUNT = regex(
    r"(?<![\d.,$€£])(?P<n>\d{1,3})(?![.,]?\d| ?[%€]| (?:euros?|pounds?|dollars?|quid)\b)(?: (?P<of>[a-z]+))?"
)
_TAKES = regex(
    r"\b(?:for|need|want|buy|buying|get|getting|take|taking|of|do|does|would|will|have|having|order|bought|got) $"
)
_MARKED = regex(r"\b(?:each|apiece|an? [a-z]+|per [a-z]+|for (?:one|1))$")
_AT = regex(r"^(?:cost|costs|costing|is|are|at|they're|it's|price|priced)\b")
_ASKED = regex(
    r"\b(?:how much|what)\b(?![^?.!]*\b(?:each|apiece|one|cheaper|saving)\b(?! free))"
    r"|\b(?:total|price|cost)\b(?: (?:of|for) (?!each\b|one\b)[a-z0-9 ]+)?[ ?.!]*$"
)
_REFUSED = regex(
    r"\b(?:not|no|never|except|without|half|twice|double|second|third|others?|another|extra|more|less|than|both|free"
    r"|save|saved|saving|change|left|afford|if not|unless|instead|first|before|after|until|but|off|discount|tax|vat|tip"
    r"|voucher|coupon|delivery|postage|split|share|plus|minus|normally|people|of us|percent|how many|still|already|last"
    r"|now|were|week|day|month|year|and (?:an?|the|some|one|\d+))\b|%|n't\b|:"
)
_NO_THING = regex(
    r"and|how|what|i|we|do|does|would|will|is|are|for|at|costs?|me|us|in|on|to|please|total|altogether|so"
)


@lru_cache(maxsize=64)  # asked by several abilities
def offer_sum(text: str) -> StorySum | None:
    """The sum that ``text``, the whole of it, asks for; ``None`` where it is not surely that of one offer."""
    text = in_digits(re.sub(r"\bone\b(?=,? (?:and )?get\b)|(?<=\bget )one\b", "1", text.lower().replace("’", "'")))
    offer = _offered(text)
    if offer is None or len(text) > _LONGEST:
        return None
    rest = f"{text[: offer.start()]}、{text[offer.end() :]}"
    if _offered(rest) or not _ASKED.search(rest) or _REFUSED.search(rest):
        return None
    found = _price_and_count(rest)
    if found is None:
        return None
    price, count, sign = found
    paid = _paid(offer, count)
    signs = {one for one in (sign, offer.groupdict().get("sign") or "") if one}
    if len(signs) > 1 or not paid:
        return None
    return StorySum(paid.format(n=count, p=price), next(iter(signs), ""))


def names_offer(text: str) -> bool:
    """Whether pieces are offered for fewer or for nothing: what only ``offer_sum`` reads."""
    offer = _offered(in_digits(text.lower()))
    return offer is not None and not _is_for_money(offer)


def _offered(text: str) -> re.Match[str] | None:
    fewer = _FEWER.search(text)
    if fewer and int(fewer["b"]) < int(fewer["a"]):
        return fewer
    return _FREE.search(text) or _ONE_FREE.search(text) or _FOR_MONEY.search(text)


def _is_for_money(offer: re.Match[str]) -> bool:
    return "m" in offer.groupdict()


def _price_and_count(rest: str) -> tuple[str, int, str] | None:
    """The price of one, how many are taken, and the sign of the currency."""
    priced = [one for one in _PRICE.finditer(rest) if one["sign"] or "." in one["p"] or _is_price(one)]
    if len(priced) != 1:
        return None
    (price,) = priced
    others = f"{rest[: price.start()]}、{rest[price.end() :]}"
    counts = list(_COUNT.finditer(others))
    if len(counts) != 1 or len(re.findall(r"\d[\d.]*", others)) != 1 or int(counts[0]["n"]) == 0:
        return None
    (count,) = counts
    thing = count["of"] if count["of"] and not _NO_THING.fullmatch(count["of"]) else ""
    if not (thing or _TAKES.search(others[: count.start()])):
        return None
    alike = not (thing and price["of"]) or stem(thing) == stem(price["of"]) or price["of"] in ("piece", "item")
    return (price["p"], int(count["n"]), price["sign"] or "") if alike else None


def _is_price(one: re.Match[str]) -> bool:
    return _MARKED.search(one[0]) is not None or _AT.match(one[0]) is not None


def _paid(offer: re.Match[str], count: int) -> str:
    """The sum, with the price of one as ``p`` and the pieces as ``n``; "" where the offer leaves it open."""
    if _is_for_money(offer):
        several, money = int(offer["a"]), offer["m"] or offer["n"]
        return f"floor({{n}} / {several}) * {money} + ({{n}} - floor({{n}} / {several}) * {several}) * {{p}}"
    if "whole" in offer.groupdict():
        taken, free, share = int(offer["a"]), int(offer["a"]) - int(offer["b"]), ""
    elif "free" in offer.groupdict():
        free = int(offer["b"]) if offer["b"].isdigit() else 1
        taken, share = int(offer["a"]) + free, "" if offer["free"] else " * 0.5"
    else:
        taken, free, share = 2, 1, ""
    if (free > 1 and count % taken > taken - free) or (offer.groupdict().get("pay") and count % taken):
        return ""  # some of those that go with an offer, but not all
    saved = f"floor({{n}} / {taken})" + (f" * {free}" if free > 1 else "") + share
    return f"({{n}} - {saved}) * {{p}}"
