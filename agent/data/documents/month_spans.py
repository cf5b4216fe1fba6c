"""The months that a sentence names by the first and the last of them: "from October to March"."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator

from agent.data.documents.index import folded
from agent.text.quantities.dates import MONTH, month_number
from agent.text.regex import regex

_NAMES = tuple(month_name[number].lower() for number in range(1, 13))
_SPAN = regex(
    rf"\b(?:from |between )?(?P<first>{MONTH})\b(?: ?[-–—] ?| to | until | till | through | and | up to )"
    rf"(?:the end of )?(?P<last>{MONTH})\b"
)
_PAIR = regex(rf"\b(?:in|during|for) (?:(?:{MONTH})) and (?:(?:{MONTH}))\b")


def months_between(text: str) -> str:
    """The names of all months of the spans that ``text`` tells; "" where it tells none."""
    bare = _PAIR.sub(" ", folded(text))
    return " ".join(name for span in _SPAN.finditer(bare) for name in _months(span["first"], span["last"]))


def _months(first: str, last: str) -> Iterator[str]:
    begin, end = month_number(first) - 1, month_number(last) - 1
    for step in range((end - begin) % 12 + 1):
        yield _NAMES[(begin + step) % 12]
