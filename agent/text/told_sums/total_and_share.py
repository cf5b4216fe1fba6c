"""Two amounts asked for at once: the total of a bill and each share, so much of something and its price.

"135 plus 20% VAT, split 3 ways: the total, and each?", "how much diesel do I need, and what is that at 1.52 a litre?".
"""

from __future__ import annotations

import re

from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_LONGEST = 200  # characters
_US = r"(?: (?:ways|of us|people|persons|friends|flatmates|guests|colleagues|of them|parts|equal parts))?"
_SPLIT = regex(
    r"(?:^|,? (?:and |then |but )*(?:we |i |to |is |was |gets? )*)"
    r"(?:(?:split|shared?|divided?)(?: (?:it|that|this|up|the bill|equally|evenly))*"
    rf"(?: (?:between|among|amongst|by|into|in|over))?(?: the)? (?P<n>\d{{1,2}}){_US}"
    r"|(?:there (?:are|were)|there's|we are|we're|for) (?P<m>\d{1,2}) of us)"
    r"(?=[ ]*(?:[.,;:?!-]|$|and\b|what|how|tell|give|total))",
    re.I,
)
_ASKS = regex(r"(?:^|[.,;:?!-] *|\band | )(?P<asked>\b(?:what|how much|tell me|give me|(?:the )?total\b)[^\d]*)$", re.I)
_TOTAL = (
    r"\b(?:total|(?:full|whole|entire) (?:bill|price|amount|sum|thing|cost)|sum|bill (?:altogether|in total)"
    r"|grand total)\b"
)
_SHARE = r"\b(?:each|apiece|per (?:person|head)|everyone|everybody|share)\b"
_BOTH = regex(rf"{_TOTAL}[^?]*(?:,|\?|\band\b)[^?]*{_SHARE}|{_SHARE}[^?]*(?:,|\?|\band\b)[^?]*{_TOTAL}", re.I)
_OF_EACH, _OF_ALL = regex(_SHARE, re.I), regex(_TOTAL, re.I)
_FOR_ONE = regex(r"\b(?:each|apiece|an? head|(?:per|a|an) (?:person|head)|everyone)\b", re.I)
_OTHER = regex(r"\b(?:tip|tax|vat|change|left|save|before|after|without|average|difference|per cent|percent)\b|%", re.I)


def total_and_share(text: str) -> tuple[str, ...]:
    """The question for the total and, where it is asked for, that for each share, or for so much and for its price."""
    if both := amount_and_price(text):
        return both
    said = in_digits(" ".join(text.replace("’", "'").split()))
    asks = _ASKS.search(said) if len(text) <= _LONGEST else None
    if asks is None or not _OF_ALL.search(asks["asked"]) or _OTHER.search(asks["asked"]):
        return ()
    told = said[: asks.start("asked")]
    splits = list(_SPLIT.finditer(told))
    both = _BOTH.search(asks["asked"])
    if (
        len(splits) != 1
        or _FOR_ONE.search(told)
        or (splits[0]["m"] and not both)
        or (not both and _OF_EACH.search(asks["asked"]))
    ):
        return ()
    (split,) = splits
    bill = re.sub(r"[ .,;:?!-]+$|[ ,]+and[ ,]*$", "", told[: split.start()] + told[split.end() :])
    if not re.search(r"\d", bill):
        return ()
    total = f"{bill}. What's the total?"
    return (total, f"split that between {split['n'] or split['m']}") if both else (total,)


_AT_PRICE = regex(
    r"(?P<first>.*\bhow (?:much|many) [^.?!]*?)(?:,? and|[,?;])? (?:so |then )?(?:what|how much) "
    r"(?:(?:does|will|would|is|do|should|'s) (?:that|it|this|they|the [a-z]+|i|we)) ?(?:cost|costs|be|come to|pay)?"
    r"(?: (?:me|us|for (?:it|that)))?(?: (?:if|when) [a-z]+ (?:is|costs))? ?(?:at )?"
    r"(?P<price>[$€£]?\d+(?:\.\d+)?p?(?: (?:euros?|dollars?|pounds?|pence|cents))? (?:an?|per|each|for each) [a-z]+)",
    re.I,
)


def amount_and_price(text: str) -> tuple[str, ...]:
    """The question for so much, and that for its price, which is told there; none where it asks for one."""
    said = _AT_PRICE.fullmatch(" ".join(text.split()).rstrip(" ?.!")) if len(text) <= _LONGEST else None
    if said is None or not re.search(r"\d", said["first"]):
        return ()
    return f"{said['first']}?", f"what is that at {said['price']}?"
