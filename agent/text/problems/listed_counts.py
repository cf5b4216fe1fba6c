"""How many things there are, where the price of each of them is listed: the list says it already."""

from __future__ import annotations

import re

from agent.text.quantities.claim_words import SPELLED
from agent.text.regex import regex

_MONEY = r"[$€£]?\d+(?:\.\d+)?(?: (?:euros?|pounds?|dollars?|quid))?"
_LISTED = regex(
    r"\b(?P<n>\d|two|three|four|five|six|seven|eight|nine) (?P<things>(?:[a-z]+ ){0,2}[a-z]+s,? "
    r"(?:(?:that|which|they) )?(?:costs?|costing|priced(?: at)?|at|were|are|worth):? )"
    rf"(?P<list>{_MONEY}(?:,? (?:and )?{_MONEY})+)(?=\s*(?:[.,;?!](?!\d)|$))",
    re.I,
)
_FIGURE = regex(r"\d+(?:\.\d+)?")


def without_listed_count(text: str) -> str:
    """ "Two things that cost 18.35 and 6.80" as "things that cost 18.35 and 6.80"."""
    return _LISTED.sub(_once, text)


def _once(found: re.Match[str]) -> str:
    said = found["n"].lower()
    count = int(said) if said.isdigit() else SPELLED[said]
    prices = len(_FIGURE.findall(found["list"]))
    return f"{found['things']}{found['list']}" if count == prices else found[0]
