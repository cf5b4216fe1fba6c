"""A native call as far as its fragments have come: whether they are one call or two, and whether it is whole.

Each fragment is looked at once, however many there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from agent.models.protocol import CallDelta
from agent.text.lenient_json import is_object
from agent.text.regex import regex

_MOST_NAME = 200  # characters: more than any tool's name has
_IN_TEXT = regex(r"[^\"\\]*+(?:\\.[^\"\\]*+)*+", re.DOTALL)
_TEXT = regex(rf'\\.|"{_IN_TEXT.pattern}"', re.DOTALL)  # where no text is open, no backslash hides a quote


class CallPieces:
    """One call: ``add`` what comes of it after its first fragment. Servers differ in how they number and name those."""

    def __init__(self, first: CallDelta) -> None:
        self.id = first.id
        self._name = [first.name]
        self._name_size = len(first.name)
        self.opaque = ""
        self._arguments: list[str] = []
        self._size = 0
        self._blank = True
        self._object = _Object()
        self._take(first)

    @property
    def name(self) -> str:
        if len(self._name) > 1:
            self._name[:] = ["".join(self._name)]
        return self._name[0]

    @property
    def arguments(self) -> str:
        return "".join(self._arguments)

    def add(self, fragment: CallDelta, tools: Collection[str]) -> None:
        self.id = self.id or fragment.id
        if fragment.name:
            self._add_name(fragment.name, tools)
        self._take(fragment)

    def is_told_by(self, fragment: CallDelta) -> bool:
        """Whether the fragment is this whole call once more."""
        if not fragment.id or fragment.id != self.id or len(fragment.arguments) != self._size:
            return False
        return fragment.name == self.name and self._complete and fragment.arguments == self.arguments

    def ends_before(self, fragment: CallDelta) -> bool:
        """Whether a fragment on the same index is of a new call: some servers give every call the index 0.

        Others give a new id to every fragment of one call, the same to all calls, or repeat id and name in each.
        """
        if not fragment.name or not self._name_size:
            return False
        if fragment.id and self.id and fragment.id != self.id:
            return fragment.name != self.name or self._blank or self._complete
        if not self._size:
            return False
        begins = fragment.name != self.name or fragment.arguments.lstrip().startswith("{")
        return begins and self._complete

    @property
    def _complete(self) -> bool:
        """Whether the arguments are an object that nothing can be added to."""
        return self._object.is_whole(self._arguments)

    def _take(self, fragment: CallDelta) -> None:
        self.opaque = fragment.opaque or self.opaque
        if fragment.arguments:
            self._arguments.append(fragment.arguments)
            self._size += len(fragment.arguments)
            self._blank = self._blank and fragment.arguments.isspace()

    def _add_name(self, name: str, tools: Collection[str]) -> None:
        """Take the next piece of the name, or the same whole name once more; what is too long is not looked up."""
        size = self._name_size
        known = "" if len(name) < size > _MOST_NAME else self.name
        goes_on = not size or (size + len(name) <= _MOST_NAME and known + name in tools)
        if known and not goes_on and name.startswith(known):
            self._name, self._name_size = [name], len(name)
        elif goes_on or not (self._size or (size <= _MOST_NAME and known in tools)):
            self._name.append(name)
            self._name_size += len(name)


def calls_of(fragments: Iterable[CallDelta], tools: Collection[str]) -> list[CallDelta | CallPieces]:
    """The calls of all fragments of a reply, in the order in which they began; one of a single fragment is that."""
    calls: list[CallDelta | CallPieces] = []
    at: dict[int, int] = {}  # the place of the last call of each index
    for fragment in fragments:
        place = at.get(fragment.index, -1)
        if place < 0 or _ends(calls, place, fragment, tools):
            at[fragment.index] = len(calls)
            calls.append(fragment)
    return calls


def _ends(calls: list[CallDelta | CallPieces], place: int, fragment: CallDelta, tools: Collection[str]) -> bool:
    """Whether the call in a place is over before a fragment on its index; else it takes that, unless it has it."""
    call = calls[place]
    if isinstance(call, CallDelta):
        if _is_next(fragment, call):
            return True
        call = calls[place] = CallPieces(call)
    if not call.is_told_by(fragment):
        if call.ends_before(fragment):
            return True
        call.add(fragment, tools)
    return False


def _is_next(fragment: CallDelta, whole: CallDelta) -> bool:
    """A glance that spares a call its pieces: whether a fragment begins the next call behind a whole one."""
    if not (fragment.name and whole.name) or (fragment.id and fragment.id == whole.id):
        return False
    begins = (fragment.id and whole.id) or fragment.arguments.startswith("{")
    return bool(begins) and is_object(whole.arguments)


class _Object:
    """Whether a text that grows is a JSON object as it should be: read once, when its first bracket may be closed."""

    def __init__(self) -> None:
        self._seen = 0  # pieces of the text
        self._depth = 0
        self._in_text = False
        self._half = ""  # a backslash at the end
        self._whole: bool | None = None  # once it is known

    def is_whole(self, pieces: list[str]) -> bool:
        more, self._seen = "".join(pieces[self._seen :]), len(pieces)
        if self._whole is not None:
            self._whole = self._whole and not more.strip()  # nothing may follow an object
        elif self._closes(self._half + more):
            self._whole = is_object("".join(pieces))
        return bool(self._whole)

    def _closes(self, more: str) -> bool:
        """Whether as many brackets were closed as were opened, or more."""
        if self._in_text:
            end = _inside(more)
            self._half, self._in_text = more[end:], more[end : end + 1] != '"'
            if self._in_text:
                return False
            more = more[end + 1 :]
        more = _TEXT.sub("", more)
        plain, quote, inside = more.partition('"')
        self._in_text, self._half = bool(quote), inside[_inside(inside) :]
        closed = plain.count("}")
        self._depth += plain.count("{") - closed
        return closed > 0 and self._depth <= 0 and not self._in_text


def _inside(text: str) -> int:
    """How much of a text stands before the quote that ends it, or before a backslash at its end."""
    found = _IN_TEXT.match(text)
    return found.end() if found else 0
