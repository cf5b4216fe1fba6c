"""Whether an address came from the person or from a result, or was put together by the model.

An address is itself a message to whoever runs the server: what a model writes into one leaves the house. So where a
run has seen private data, an address that nobody but the model wrote is for the person to decide on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from agent.events import Asked, Event, Observed, ToolCalled

Provenance = Literal["known", "composed"]
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}（）「」、。]+", re.I)
_ENDS = ".,;:!?)]}*_~>&"
_MOST_ADDRESSES = 5_000


@dataclass(frozen=True, slots=True)
class KnownTools:
    """What is known of tools, by their own names.

    The results of ``public`` ones are from the public world; what any other tool shows may be the visitor's own. Tools
    that ``repeats`` give back what the model made with them: an address in their result is as the model wrote it.
    ``reading`` is the tool that reads addresses.
    """

    public: Collection[str] = ()
    repeats: Collection[str] = ()
    reading: str = ""


def provenance(url: str, events: Sequence[Event], tools: KnownTools, earlier: Sequence[Event] = ()) -> Provenance:
    """``known`` where the person typed the address, or a result, its sources or a link in it showed it.

    ``events`` are those of the run so far, ``earlier`` those of the runs before it in the conversation. Scheme, "www.",
    fragment, escapes and a last slash make no difference. A result does not make an address known that the model had
    written into a call before (a tool that repeats what it was given would launder it), nor does a failed result, nor
    that of one of the ``tools`` that repeats; except that what was read may be read again.
    """
    return "known" if normal(url) in _known((earlier, events), tools) else "composed"


def has_private_data(events: Sequence[Event], tools: KnownTools) -> bool:
    """Whether a tool has shown the model what is not from the public world: tables, documents, other services."""
    called = _called(events)
    shown = {called[event.call_id] for event in events if isinstance(event, Observed) and event.call_id in called}
    return not shown <= set(tools.public)


def carries_data(url: str, events: Sequence[Event], tools: KnownTools, earlier: Sequence[Event] = ()) -> bool:
    """Whether an address could say something: it has a path or a query, or a host that nobody named before."""
    address = normal(url)
    if "/" in address or "?" in address:
        return True
    known = _known((earlier, events), tools)
    return not any(re.split(r"[/?]", seen, maxsplit=1)[0] == address for seen in known)


def normal(url: str) -> str:
    """An address in the form in which two are compared; for "http://A.example/b%20c/#d" it is "a.example/b c"."""
    try:
        parts = urlsplit(url.strip())
        netloc = (parts.netloc or "").lower().removeprefix("www.")
    except ValueError:
        return url.strip()
    netloc = re.sub(r":(?:80|443)$", "", netloc)
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"{netloc}{unquote(parts.path).rstrip('/')}{query}"


def _known(parts: Iterable[Sequence[Event]], tools: KnownTools) -> set[str]:
    known: set[str] = set()
    for events in parts:
        _learn(events, known, tools)
    return known


def _learn(events: Sequence[Event], known: set[str], tools: KnownTools) -> None:
    called = _called(events)
    written: set[str] = set()
    for event in events:
        if isinstance(event, Asked):
            known.update(_addresses([event.question]))
        elif isinstance(event, ToolCalled):
            written.update(_addresses([event.input]) - known)
        elif isinstance(event, Observed):
            name = called.get(event.call_id, "")
            if event.edited:
                known.update(_addresses([event.text]))
            elif name and not event.error and name not in tools.repeats:
                shown = _addresses([event.text, *(source.url for source in event.sources)])
                known.update(shown if name == tools.reading else shown - written)


def _addresses(texts: Iterable[str]) -> set[str]:
    return {form for text in texts for form in _forms(text)}


def _forms(text: str) -> Iterator[str]:
    """Each address in a text, as it stands and without what may be the text's own signs after it."""
    for count, found in enumerate(_ADDRESS.finditer(text)):
        if count == _MOST_ADDRESSES:
            return
        address = found[0]
        yield normal(address)
        for end in (address.rstrip(_ENDS), address.partition(")")[0], address.partition("](")[0]):
            if end != address:
                yield normal(end)


def _called(events: Sequence[Event]) -> dict[str, str]:
    """The own name of the tool of each call: the model may have been told of it by another."""
    return {event.call_id: event.own_name for event in events if isinstance(event, ToolCalled)}
