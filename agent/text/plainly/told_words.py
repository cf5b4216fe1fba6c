"""Figures, spans and words that turn a sum, for the readers beside it."""

from __future__ import annotations

import re

from agent.text.regex import regex

FIGURE = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"


FIGURES = regex(FIGURE)


PRICE_TURNS = regex(
    r"\b(?:not|never|no|except|without|half|twice|double|triple|first|second|third|last"
    r"|each way|return|back|left|remain\w*|rest|change|difference"
    r"|already|still|if|unless|instead|free|or|than|between|shared?|split|other|others|another"
    r"|again|only|more|less|cheaper|dearer|save[ds]?|saving"
    r"|overtime|bonus|weekends?|weekdays?|unpaid|net|off sick|holidays?|voucher|coupon|but"
    r"|then|until|since|ago|average|every (?:other|second)|rais\w+|rise|rose|every|both"
    r"|alternate)\b|n['’]t\b",
    re.I,
)


def figures_in(text: str) -> list[str]:
    return FIGURES.findall(text)


AMOUNT = regex(rf"(?<![\w.,:/-])[$€£]?({FIGURE})(?!\.?\d|[:/]\d)")


PERCENT_TOLD = regex(r"(?<![\d.])(?P<p>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)(?! of \d)", re.I)


ASKING = regex(
    r"\b(?:how (?:much|many)|by how much|what|whats|what's|(?:new|selling|sale|final"
    r"|reduced) (?:price|rent|salary|total)|total)\b(?:[^?.!]|\.(?=\d))*[?.! ]*$"
)


SHARE_TURNS = regex(
    r"\b(?:not|never|no|except|without|half|twice|double|triple|second|third|another|other"
    r"|others|again|rest|remain\w*|original\w*|already|before|after|was reduced to"
    r"|reduced to|down to|up to|incl\w*|each|per|every|apiece|if not|unless|or|than|between"
    r"|split|shared?|years|compound\w*|interest|monthly payments?|first|last|then"
    r"|points?|used to|both|also|difference|more expensive|average|until|since|ago|times"
    r"|voucher|coupon|left over|loss|profit|commission and|whole|full|out of|of which|of them"
    r"|of these|of whom)\b|n['’]t\b"
)


def sign_of(text: str) -> str:
    signs = (("$", r"\$|\bdollars?\b|\bbucks\b"), ("€", r"€|\beuros?\b"), ("£", r"£|\bpounds?\b|\bquid\b"))
    return next((sign for sign, pattern in signs if re.search(pattern, text)), "")


SPANS_TOLD = regex(r"\b(?:an?|per|each|every|the|this|one) (day|week|month|year|hour)\b")


EACH_ASKED = regex(
    r"\b(?:each|per (?:person|head|child|guest)|apiece|everyone|everybody|every one of|one person|one of (?:us|them))\b"
)


AFTER_TAX = regex(
    r"\b(?:after|before) tax\b|\btake[- ]home\b|\bon (?:black friday|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday)\b|\bnow(?= \d)|\bthis (?:week|month|year)\b"
)


_PART_TOLD = regex(r"(?<=\.) The (?:tip|tax|vat|discount|service) is [^ ]+\.$", re.I)


def whole_told(answer: str) -> str:
    """The answer without the part that it tells beside the whole: "The tip is 5."."""
    return _PART_TOLD.sub("", answer)
