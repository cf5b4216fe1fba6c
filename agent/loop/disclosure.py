"""What a call would tell the outside of private data, and whether so little that the person need not be asked.

Everything that a model writes after it has seen private data may carry some of it: words taken from them, words of its
own that stand for them, which of many pages it opens. The first ask; the others are counted in bits, as many as whoever
receives them could learn at most, and ask where a run has too many of them. The words that the person wrote in the run
are theirs and count nothing. ``docs/security.md`` says this for readers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache, cached_property
from math import log2
from typing import cast
from unicodedata import normalize

from pydantic import JsonValue

from agent.events import Asked, Decided, Event, Observed, Prepared, ToolCalled, Waiting
from agent.interface_text import Text
from agent.loop.provenance import Told, calls_of
from agent.text.regex import regex
from agent.text.vocabulary import TOKEN, WIDE, Words, digits_of, folded_text, squeezed_text
from agent.toolkit.arguments.signature import Schema, properties
from agent.toolkit.base import Tool

# Bits that go unasked in a run: to services that the owner set up, and to anybody else (pages, tool servers).
SERVICE_BITS = 512.0
STRANGER_BITS = 16.0
_OF_A_KNOWN_WORD = 16.0  # bits: one among 65,536 that anybody may know
_OF_A_CHOICE = 8.0  # bits: a value of a list, a day near today
_OF_A_CALL = 4.0  # bits: that a tool server is called at all, and with which of the person's words
_BYTE = 8.0  # bits
_NEAR_DAYS = 16
_YEARS = range(1900, 2101)
_SHOWN_WORDS = 5
_LEAST_LETTERS, _LEAST_DIGITS, _LEAST_INSIDE = 3, 3, 6  # of what is recognised in private data
_HIRAGANA = regex(r"[\u3040-\u309f]+")
_CENTS = regex(r"[.,]\d{1,2}$")

_COMPOSED = Text(
    "This address is neither in your question nor in a result from the web: the agent put it together or has it from "
    "your data, and it could carry away what the agent has read here. Look at it before you allow it."
)
_CHOSEN = Text(
    "The agent chose this page among many, after it had seen your data, and which pages it opens can tell something, "
    "too. Look at the address before you allow it."
)


def disclosure(called: ToolCalled, tool: Tool, told: Told) -> str:
    """Why a call would tell more of private data than may go unasked, in a sentence for the person; "" where not."""
    limit = _limit(tool)
    begun = told.private_from if limit else None
    if begun is None:
        return ""
    measure = _Measure(told)
    if tool.address and not told.addresses.seen_as(_url(called, tool)):
        return _COMPOSED
    bits, words = measure.of(called, tool)
    where = Text("the tool server {name}", name=tool.hints.server) if tool.hints.server else tool.name
    if words:
        return Text(
            "It would send “{words}” to {where}, which you did not write, and which the agent may have from your data. "
            "Look at all of it before you allow it.",
            words=", ".join(words[:_SHOWN_WORDS]),
            where=where,
        )
    for call in _unasked(told.events[begun:]) if bits or tool.effect == "acts" else ():
        made = told.tool(call.own_name)
        if made and _limit(made) == limit and not (tool.address and _url(call, made) == _url(called, tool)):
            bits += measure.of(call, made)[0]
    if bits <= limit:
        return ""
    if tool.address:
        return _CHOSEN
    return Text(
        "It would send more words of the agent's own to {where} than go out unasked once it has seen your data. Look "
        "at them before you allow it.",
        where=where,
    )


def _limit(tool: Tool) -> float:
    """Bits that go unasked in a run to where the tool sends its arguments; 0 where it sends them nowhere."""
    if tool.address or tool.effect == "acts":
        return STRANGER_BITS
    return SERVICE_BITS if tool.effect == "reaches" else 0.0


def _url(called: ToolCalled, tool: Tool) -> str:
    return str((called.arguments or {}).get(tool.address, "")).strip() if tool.address else ""


def _unasked(events: Sequence[Event]) -> list[ToolCalled]:
    """The calls that were made, or will be, without the person's word."""
    others = {event.call_id for event in events if isinstance(event, Waiting)}
    others |= {event.call_id for event in events if isinstance(event, Observed) and event.error in ("repeat", "calls")}
    calls = (event for event in events if isinstance(event, ToolCalled))
    return [call for call in calls if call.arguments is not None and call.call_id not in others]


@cache
def _of_the_handbook() -> Words:
    from agent.data.documents.handbook import chapters  # read only by who asks for it

    return Words(chapter.text for chapter in chapters())


class _Measure:
    """How much a call tells, by whose words it has: the person's, anybody's, those of private data, the model's own."""

    def __init__(self, told: Told) -> None:
        self._told = told

    def of(self, called: ToolCalled, tool: Tool) -> tuple[float, list[str]]:
        """Bits that the arguments can tell, and the words in them that private data have and nobody else wrote."""
        if tool.address:
            url = _url(called, tool)
            return (0.0 if self._told.addresses.is_typed(url) else max(1.0, log2(len(self._told.addresses) or 1))), []
        told: dict[str, JsonValue] = {"type": "object", "properties": cast("JsonValue", properties(tool.parameters))}
        names = frozenset(re.findall(r'"(\w+)":', json.dumps(told, ensure_ascii=False)))
        own = Words(self._of_the_person(tool))
        bits, words = 0.0, list[str]()
        for name, value in (called.arguments or {}).items():
            for leaf in _leaves(value, properties(tool.parameters).get(name), names):
                more, found = self._of_text(leaf, own) if isinstance(leaf, str) else (leaf, [])
                bits += more
                words += found
        return max(bits, _OF_A_CALL if tool.effect == "acts" else 0.0), list(dict.fromkeys(words))

    def _of_the_person(self, tool: Tool) -> Iterator[str]:
        """What they wrote in this run, and what they let this tool be sent before."""
        allowed: set[str] = set()
        for event in self._told.events:
            if isinstance(event, Asked):
                yield event.question
            elif isinstance(event, Decided):
                yield event.text
                yield json.dumps(dict(event.arguments or {}), ensure_ascii=False)
                allowed |= {event.call_id} if event.decision in ("allowed", "always") else set()
        for event in self._told.events:
            if isinstance(event, ToolCalled) and event.call_id in allowed and event.own_name == tool.own_name:
                yield json.dumps(dict(event.arguments or {}), ensure_ascii=False)

    @cached_property
    def _anybodys(self) -> Words:
        """Words that tell little of private data: those of earlier questions, the public web, the instructions."""
        prepared = self._prepared
        rules = prepared.system[: prepared.sizes.get("rules", 0)] if prepared else ""
        asked = [event.question for event in self._told.earlier if isinstance(event, Asked)]
        return Words([rules, *asked, *(text for text, shown in self._results if shown)])

    @cached_property
    def _private(self) -> Words:
        prepared, facts = self._prepared, self._prepared.facts if self._prepared else None
        texts = [text for text, shown in self._results if not shown]
        if prepared:
            texts += [prepared.system[prepared.sizes.get("rules", len(prepared.system)) :], prepared.news]
        if facts:
            texts += [json.dumps([dict(card) for card in facts.cards], ensure_ascii=False, default=str), *facts.notes]
        return Words(texts)

    @cached_property
    def _pictured(self) -> bool:
        """Whether the model has seen a picture of the person's: it may have any word from there."""
        events = (*self._told.earlier, *self._told.events)
        return any(isinstance(event, Asked) and event.artifacts for event in events)

    @property
    def _prepared(self) -> Prepared | None:
        return next((event for event in reversed(self._told.events) if isinstance(event, Prepared)), None)

    @cached_property
    def _results(self) -> list[tuple[str, bool]]:
        """What tools gave, and whether that is the public world's word; not that of public ones that repeat."""
        found: list[tuple[str, bool]] = []
        for events in (self._told.earlier, self._told.events):
            called = calls_of(events)
            for event in events:
                name = called.get(event.call_id) if isinstance(event, Observed) else None
                if isinstance(event, Observed) and name is not None:
                    shows = self._told.shows(name) and not event.error
                    if shows or not self._told.is_public(name):
                        found.append((event.text, shows))
        return found

    def _of_text(self, text: str, own: Words) -> tuple[float, list[str]]:
        text = normalize("NFKC", text)
        bits, words, end, last = 0.0, list[str](), 0, ""
        for found in TOKEN.finditer(text):
            token, between = found[0], text[end : found.start()]
            if between not in ("", " ") and folded_text(last + between + token) not in own.text:
                bits += _BYTE * len(between.encode())
            more, private = self._of_token(token, own)
            bits += more
            words += private
            end, last = found.end(), token
        bits += _BYTE * len(text[end:].encode())
        squeezed = squeezed_text(folded_text(text))
        if bits and not words and len(squeezed) >= _LEAST_INSIDE and self._inside(squeezed, own):
            words.append(text)
        return bits, words

    def _inside(self, squeezed: str, own: Words) -> bool:
        """Whether private data have these letters in a row, and no other text that the model knows."""
        others = (own, self._anybodys, _of_the_handbook())
        return squeezed in self._private.squeezed and not any(squeezed in known.squeezed for known in others)

    def _of_token(self, token: str, own: Words) -> tuple[float, list[str]]:
        if WIDE.fullmatch(token):
            return self._of_wide(token, own)
        return self._of_number(token, own) if token[0].isdigit() else self._of_word(token, own)

    def _of_word(self, word: str, own: Words) -> tuple[float, list[str]]:
        folded, raw = folded_text(word), _BYTE * len(word.encode())
        usual = word in own.exact or word in (word.lower(), word.upper(), word.capitalize())
        if own.has(folded):
            return (0.0 if usual else raw), []
        if _of_the_handbook().has(folded) or self._anybodys.has(folded):
            return (min(raw, _OF_A_KNOWN_WORD) if usual else raw), []
        private = len(folded) >= _LEAST_LETTERS and (self._pictured or self._private.has(folded))
        private = private or (len(folded) >= _LEAST_INSIDE and self._inside(folded, own))
        return raw, [word] if private else []

    def _of_number(self, number: str, own: Words) -> tuple[float, list[str]]:
        digits = digits_of(number)
        dated = _is_date(number)
        if number in own.text if dated else own.has_number(digits):
            return 0.0, []
        if dated:
            near = abs((date.fromisoformat(number) - self._today).days) <= _NEAR_DAYS
            return (_OF_A_CHOICE if near else _OF_A_KNOWN_WORD), []
        if digits == number and len(digits) == 4 and int(digits) in _YEARS:
            return _OF_A_KNOWN_WORD, []
        whole = {digits, digits_of(_CENTS.sub("", number))}
        long = [each for each in whole if len(each) >= _LEAST_DIGITS]
        known = any(self._pictured or self._private.has_number(each) for each in long)
        return _BYTE * len(number.encode()), [number] if known else []

    @property
    def _today(self) -> date:
        facts = self._prepared.facts if self._prepared else None
        return date.fromisoformat(facts.today) if facts and facts.today else date.today()

    def _of_wide(self, run: str, own: Words) -> tuple[float, list[str]]:
        """Of a script without spaces: covered from the left by the longest pieces that somebody else wrote."""
        folded, bits, words, place = folded_text(run), 0.0, list[str](), 0
        while place < len(folded):
            rest = folded[place:]
            if mine := _longest(rest, (own.text,)) or (folded if len(folded) == 1 and folded in own.text else ""):
                place += len(mine)
                continue
            known = _longest(rest, (self._anybodys.text, _of_the_handbook().text))
            private = _longest(rest, (self._private.text,))
            if len(private) > len(known) and not _HIRAGANA.fullmatch(private):
                words.append(private)
            bits += _OF_A_KNOWN_WORD
            place += len(max(private, known, key=len)) or 1
        return bits, words


def _longest(text: str, known: Sequence[str]) -> str:
    """The longest beginning of ``text``, from two characters on, that one of the ``known`` texts has; "" for none."""
    found = ""
    for end in range(2, len(text) + 1):
        if not any(text[:end] in each for each in known):
            break
        found = text[:end]
    return found


def _is_date(number: str) -> bool:
    try:
        date.fromisoformat(number)
    except ValueError:
        return False
    return "-" in number


def _leaves(value: JsonValue, field: JsonValue, names: frozenset[str]) -> Iterator[str | float]:
    """The texts in a value of an argument, and the bits of what is chosen from a list; nothing for what is the default.

    ``names`` are those that the tool's schema has.
    """
    schema = cast("Schema", field if isinstance(field, dict) else {})
    if value is None or ("default" in schema and value == schema["default"]):
        return
    if isinstance(value, bool):
        yield 1.0
    elif isinstance(value, dict):
        for name, each in value.items():
            if name not in names:
                yield name
            yield from _leaves(each, None, names)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, schema.get("items"), names)
    else:
        listed = schema.get("enum")
        yield _OF_A_CHOICE if isinstance(listed, list) and value in listed else str(value)
