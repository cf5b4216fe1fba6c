"""Prices of several things at once: "3 pens for 2.40 and 4 pads for 6" costs 8.40, however many there are."""

from __future__ import annotations

from agent.text.regex import regex

_LUMP = regex(
    r"\b\d+ (?P<thing>(?!(?:hours?|minutes?|mins?|days?|nights?|weeks?|months?|years?|people|adults?|children|of)\b)"
    r"[a-z]+(?: of [a-z]+| [a-z]+)?) for (?P<price>[£$€]?\d+(?:\.\d+)?)(?=[,;?!]|\.(?!\d)| (?:and|plus|then)\b|$)"
)
_ASKS_ALL = regex(
    r"\b(?:in all|in total|altogether|all together|total|spend|spent|pay|cost|change|back|come to|bill|owe)\b[^\d]*$"
)
_OF_ONE = regex(
    r"\b(?:each|apiece|a piece|per|every|one|same|how many|cheaper|better|deal|offer|free|less|more|off)\b|%"
)


def lumps_alone(text: str) -> str:
    """A told sum without how many things each price is for, where only the prices are put together."""
    if not _ASKS_ALL.search(text) or _OF_ONE.search(text):
        return text
    return _LUMP.sub(r"the \g<thing> for \g<price>", text)
