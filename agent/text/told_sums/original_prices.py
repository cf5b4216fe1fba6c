"""The price before a reduction: "paid £68 for a coat after 15% off, what was the original price?", with slips, too."""

from __future__ import annotations

import re

from agent.text.problems.story_totals import StorySum
from agent.text.regex import regex

_ORIGINAL = regex(
    r"\borr?ig+[a-z]*n?[a-z]*\b|\b(?:full|list|usual|normal|regular|old) price\b|\bbefore (?:the |that |any"
    r" )?(?:discount"
    r"|sale|reduction|offer|money off|[a-z]+ off)\b|\b(?:cost|it|price) before\b|\bwithout the (?:discount"
    r"|reduction)\b",
    re.I,
)
_ASKED = regex(r"\b(?:what|whats|what's|how much|original price)\b[^\d%]*$", re.I)
_REDUCED = regex(
    r"\b(?:after|with|at|for|got|had|in|has|is|was)? ?(?:an? |the )?(?P<p>\d{1,2}(?:\.\d+)?) ?(?:%|percent|per"
    r" cent) ?"
    r"(?:off|discount|reduction|less|cheaper|sale)\b",
    re.I,
)
_PAID = regex(r"(?<![\d.,])(?P<sign>[$€£]?)(?P<n>\d[\d,]*(?:\.\d+)?)(?![.,]?\d| ?%)", re.I)
_OTHER = regex(
    r"\b(?:not|no|another|further|extra|then|vat|tax|tip|each|both|two|twice|half|save|saved|delivery|more|plus|minus"
    r"|voucher|coupon|cheaper|dearer|originally (?:cost|was|were|priced))\b|n't\b",
    re.I,
)
_ADDED = regex(r"\b(?:vat|tax|gst|tip|service|added|up|increase[sd]?|rise|rose|raised)\b", re.I)
_BEFORE = regex(r"\bbefore\b", re.I)
_LONGEST = 160  # characters


def asks_original(text: str) -> bool:
    """Whether what is asked for is the price before a reduction: no part taken off what is told answers that."""
    asked = _ASKED.search(text)
    return asked is not None and _ORIGINAL.search(asked[0]) is not None and "%" in text and not _ADDED.search(text)


def original_price(text: str) -> StorySum | None:
    """The sum for the price before the one reduction that is told; ``None`` where anything else is told, too."""
    text = text.replace("’", "'")
    reduced, asked = list(_REDUCED.finditer(text)), _ASKED.search(text)
    if len(text) > _LONGEST or len(reduced) != 1 or asked is None or not _ORIGINAL.search(asked[0]):
        return None
    told = _REDUCED.sub(" ", text)
    paid = list(_PAID.finditer(told))
    lead = text[: asked.start()]
    if len(paid) != 1 or _OTHER.search(told) or _ORIGINAL.search(lead) or _BEFORE.search(lead):
        return None
    return StorySum(f"{paid[0]['n'].replace(',', '')} / (1 - {reduced[0]['p']} / 100)", paid[0]["sign"])
