"""Since when a run knows private data, and which addresses were seen: typed by the person, or shown by the public web.

An address is itself a message to whoever runs the server: what a model writes into one leaves the house. So where a
run has seen private data, an address goes out in the spelling that was seen, and one that was not seen is for the
person to decide on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import unquote, urlsplit

from pydantic import JsonValue

from agent.events import Asked, Decided, Event, Observed, Prepared, ToolCalled
from agent.text.regex import regex
from agent.toolkit.base import Tool, Toolbox

_ADDRESS = regex(r"https?://[^\s<>\"'`|\\^{}（）「」、。]+", re.I)
_ENDS = ".,;:!?)]}*_~>&"
_MOST_ADDRESSES = 5_000
_PRIVATE_PARTS = {"notes", "databases", "tables"}  # of the instructions
_NO_RESULT = ("denied", "calls")


@dataclass(frozen=True)
class Told:
    """What a call comes after: the ``events`` of its run before it, and those of the ``earlier`` turns.

    ``tools`` are those of the run; of a tool that is not there any more nothing is taken to be public. What it tells is
    worked out once: the events must not change as long as it is used.
    """

    events: Sequence[Event]
    earlier: Sequence[Event]
    tools: Toolbox

    def tool(self, own_name: str) -> Tool | None:
        return next((tool for tool in self.tools.tools if tool.own_name == own_name), None)

    def is_public(self, own_name: str) -> bool:
        """Whether the results of the tool are from the public world."""
        tool = self.tool(own_name)
        return tool is not None and tool.public

    def shows(self, own_name: str) -> bool:
        """Whether the results of the tool are from the public world, and not what the model wrote into the call."""
        tool = self.tool(own_name)
        return tool is not None and tool.public and not tool.repeats

    @cached_property
    def private_from(self) -> int | None:
        """How many events of the run there were when the model knew private data; ``None`` where it knows none.

        Private are tables, databases, notes and pictures of the person's, and all results but those of the public web.
        """
        called = calls_of(self.earlier)
        if any(self._is_private(event, called) for event in self.earlier):
            return 0
        called = calls_of(self.events)
        return next((place for place, event in enumerate(self.events) if self._is_private(event, called)), None)

    @cached_property
    def addresses(self) -> Addresses:
        """The addresses of the person's questions and answers, and of the results of the public web.

        A result does not make an address known that the model had written into a call before (a server that repeats
        what it was given would launder it), nor does a failed one; except that what was read may be read again.
        """
        spellings: dict[str, list[str]] = {}
        _learn(self.earlier, self, spellings)
        return Addresses(spellings, frozenset(_learn(self.events, self, spellings)))

    def _is_private(self, event: Event, called: Mapping[str, str]) -> bool:
        match event:
            case Asked():
                return bool(event.artifacts)
            case Prepared(facts=facts):
                return bool((facts and (facts.cards or facts.notes)) or _PRIVATE_PARTS & event.parts.keys())
            case Observed():
                name = called.get(event.call_id)
                return name is not None and event.error not in _NO_RESULT and not self.is_public(name)
            case _:
                return False


def known_tools(boxes: Iterable[Toolbox]) -> Toolbox:
    """The tools of several boxes and of the agents among them, by their own names.

    Where several are of one name, nothing that is not said of all of them holds.
    """
    known: dict[str, Tool] = {}
    waiting = [tool for box in boxes for tool in box.tools]
    while waiting:
        tool = waiting.pop(0)
        waiting += tool.within
        other = known.get(tool.own_name)
        same = other is None or other.function is tool.function
        public, repeats = (tool.public and same), (tool.repeats or not same)
        untrusted = tool.untrusted or not same
        known[tool.own_name] = replace(
            tool, name=tool.own_name, own="", public=public, repeats=repeats, untrusted=untrusted, within=()
        )
    return Toolbox(list(known.values()))


def calls_of(events: Iterable[Event]) -> dict[str, str]:
    """The own name of the tool of each call: the model may have been told of it by another."""
    return {event.call_id: event.own_name for event in events if isinstance(event, ToolCalled)}


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses that were seen: by their normal form, each spelling. ``typed`` are those of the person's words."""

    spellings: Mapping[str, Sequence[str]]
    typed: frozenset[str]

    def seen_as(self, url: str) -> str:
        """The spelling in which an address was seen: as it is written here if it was, else the first; "" for none.

        Scheme, "www.", fragment, escapes, case of the host, a last slash and an empty query make no difference.
        """
        spellings = self.spellings.get(normal(url), [])
        return url if url in spellings else next(iter(spellings), "")

    def is_typed(self, url: str) -> bool:
        """Whether the person wrote the address in this run."""
        return normal(url) in self.typed

    def __len__(self) -> int:
        return sum(map(len, self.spellings.values()))


def _learn(events: Sequence[Event], told: Told, spellings: dict[str, list[str]]) -> set[str]:
    """Adds what ``events`` show; gives back the normal forms of what the person wrote."""
    called, typed, written = calls_of(events), set[str](), set[str]()
    for event in events:
        match event:
            case Asked(question=text) | Observed(text=text, edited=True):
                typed |= _add([text], spellings)
            case Decided():
                typed |= _add([event.text, *map(str, (event.arguments or {}).values())], spellings)
            case ToolCalled():
                written |= {normal(form) for form in _forms(event.input)} - spellings.keys()
            case Observed(error="") if told.shows(name := called.get(event.call_id, "")):
                reads = told.tool(name)
                shown = [event.text, *(source.url for source in event.sources)]
                _add(shown, spellings, () if reads and reads.address else written)
            case _:
                pass
    return typed


def _add(texts: Iterable[str], spellings: dict[str, list[str]], but: Collection[str] = ()) -> set[str]:
    """Adds the addresses in ``texts`` whose normal forms are not among the others; gives back their normal forms."""
    found = {form: normal(form) for text in texts for form in _forms(text)}
    for form, compared in found.items():
        if compared not in but and form not in (known := spellings.setdefault(compared, [])):
            known.append(form)
    return set(found.values())


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


def as_seen(tool: Tool, arguments: Mapping[str, JsonValue], told: Told) -> str:
    """The seen spelling of the address that a call names, where it is another than was written; "" where it is not.

    Once private data were seen: the spelling is the model's choice, too.
    """
    written = str(arguments.get(tool.address, "")) if tool.address else ""
    if not written or told.private_from is None:
        return ""
    seen = told.addresses.seen_as(written)
    return seen if seen != written else ""


def _forms(text: str) -> Iterator[str]:
    """Each address in a text, as it stands, without what may be the text's own signs after it, and its host alone."""
    for count, found in enumerate(_ADDRESS.finditer(text)):
        if count == _MOST_ADDRESSES:
            return
        address = found[0]
        yield address
        for end in (address.rstrip(_ENDS), address.partition(")")[0], address.partition("](")[0]):
            if end != address:
                yield end
        scheme, _, rest = address.partition("://")
        host = re.split(r"[/?#)\]]", rest, maxsplit=1)[0]
        yield f"{scheme}://{host}/"
