"""Whether the values of an event can be: what the type of a field does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from agent.data.documents.document_places import place_at
from agent.events import Artifact, Asked, Decided, Event, Merged, Observed, Prepared, Replied, Source, Waiting
from agent.messages import Limits, Money, Usage
from agent.text.plain import link

# The last second of the year 9999, behind which there is no date to show.
_LAST_TIME = 253_402_300_799
_MOST_SECONDS = 1e9
_MOST_COUNT = 10**12
_MOST_MONEY = 10**9
_HASH = re.compile(r"[0-9a-f]{64}")
_CURRENCY = re.compile(r"[A-Z]{3}")
# The models that are built in have a word for an address.
_BUILT_IN = re.compile(r"[a-z]{0,20}")
_NUMBER = "has a number that cannot be"


def absurdity(event: Event) -> str:
    """The first thing in the event that cannot be, as the end of a sentence about it, or ""."""
    return next(filter(None, _faults(event)), "")


def _faults(event: Event) -> Iterator[str]:
    match event:
        case Asked() | Waiting():
            yield _number(event.time, _LAST_TIME)
        case Decided():
            yield _number(event.seconds, _LAST_TIME)
        case Merged():
            yield from _call(event, event.seconds)
        case Replied():
            yield from _call(event, event.seconds, event.first_token)
        case Prepared():
            known = _BUILT_IN.fullmatch(event.endpoint) or link(event.endpoint)
            yield "" if known else "names a model's server by something that is no web address"
            yield from (_number(getattr(event.limits, name), _MOST_COUNT) for name in Limits.__slots__ if event.limits)
        case Observed():
            yield _number(event.seconds, _MOST_SECONDS)
            yield from chain(map(_source, event.sources), map(_artifact, event.artifacts))
        case _:
            pass


def _call(event: Merged | Replied, *seconds: float) -> Iterator[str]:
    yield from (_number(value, _MOST_SECONDS) for value in seconds)
    yield from _usage(event.usage)
    yield _price(event.price)


def _usage(usage: Usage) -> Iterator[str]:
    for count in (usage.input, usage.cached, usage.output, usage.reasoning):
        yield _number(count, _MOST_COUNT)


def _price(price: Money | None) -> str:
    if price is None:
        return ""
    # Sums of amounts stay within what decimal arithmetic takes.
    exponent = price.amount.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -60 or not 0 <= price.amount <= _MOST_MONEY:
        return _NUMBER
    return "" if _CURRENCY.fullmatch(price.currency) else "has a currency that is none"


def _source(source: Source) -> str:
    if source.url and not link(source.url) and place_at(source.url) is None:
        return "has a link that is no web address"
    return _number(source.number, _MOST_COUNT)


def _artifact(artifact: Artifact) -> str:
    if artifact.content:
        return "has an artifact with its content, which has a line of its own"
    if not _HASH.fullmatch(artifact.hash):
        return "names an artifact by something that is no hash"
    return _number(artifact.size, _MOST_COUNT)


def _number(value: float, most: float) -> str:
    return "" if 0 <= value <= most else _NUMBER
