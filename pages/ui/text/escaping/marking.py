"""Puts the marks of evidence into an answer: links around words of its safe Markdown, which is otherwise unchanged.

One character stands for each start and end of a mark while the text is made safe. A line that is read otherwise with
them than without them gets no marks. Code gets none either, and what is in a link has its mark behind the link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple
from unicodedata import category

from agent.text.characters import readable
from agent.text.regex import regex
from pages.ui.text.escaping.blocks import Cleaned, cleaned_lines, joined
from pages.ui.text.escaping.characters import JOINER

# Starts and ends of marks: no text needs those planes.
_FIRST, _LAST, _TO_END = 0xF0000, 0xFFFFD, 0x10000
_PLACES = "\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_PLACE = regex(f"[{_PLACES}]")
_TOKEN = regex(
    rf"[{_PLACES}]|\\[^{_PLACES}]|\\|`+|\[|\](?:\([^\s(){_PLACES}]*\))?|[*_~]+|\||\$|[^\\`\[\]*_~|${_PLACES}]+"
)
_SPLIT_ENTITY = regex(rf"&[#\w]*[{_PLACES}][#\w{_PLACES}]*;")
# The host behind a link that does not say it.
_HOST = regex(r" \((?:\\.|[^\\()\s])+\)")
# What makes a line a quote, an item, a task or a heading.
_PREFIX = regex(r"(?:[ \t>]+|(?:[-+*]|\d{1,9}[.)]|#{1,6})(?=[ \t]|$)|\[[ xX]\](?=[ \t]))*")
_ENTITIES = {code: f"&#{code};" for code in range(128) if not (chr(code).isalnum() or chr(code) == " ")}
_ITEM = regex(r"[ >]{0,6}(?:[-+*]|\d{1,9}[.)])[ \t]")
_EMPHASIS = ("*", "_", "~")
_APART = (*_EMPHASIS, "|")
# What ends the words that can be in one link.
_BREAKS = (*_EMPHASIS, "`", "[", "]", "|")


class Marking(NamedTuple):
    """Characters ``start`` to ``end`` of the answer are to lead to ``target`` (what follows ``#``, letters and dashes).

    ``title`` is its hint. With ``behind`` the mark stands behind the place, without words in it. Where there is no
    ``target``, the place is lit up and leads nowhere.
    """

    start: int
    end: int
    target: str
    title: str
    behind: bool = False


@dataclass(slots=True)
class _Piece:
    """Words of a mark between which Markdown has nothing to say. A mark may have several; the last has its sign."""

    mark: int
    text: str
    last: bool = False


_Part = str | _Piece


def marked(text: str, markings: Sequence[Marking]) -> str:
    """``markdown(text)`` with a link for each marking that can be drawn; they are in order, none over another."""
    reader = _Reader(text, markings)
    plain = cleaned_lines(readable(text))
    placed = cleaned_lines(readable(reader.placed))
    if len(plain) != len(placed):
        return joined(plain)
    lines = [reader.line(*both) for both in zip(plain, placed, strict=True)]
    last = {part.mark: part for line in lines for part in line if isinstance(part, _Piece) and _says_something(part)}
    for part in last.values():
        part.last = True
    written = [line._replace(text=_written(parts, markings)) for line, parts in zip(plain, lines, strict=True)]
    return joined(written)


class _Reader:
    """Reads lines one after the other, for a mark may go over several."""

    def __init__(self, text: str, markings: Sequence[Marking]) -> None:
        taken = set(_PLACE.findall(text))
        codes = (code for code in range(_FIRST, _LAST) if not taken & {chr(code), chr(code + _TO_END)})
        free = list(islice(codes, len(markings)))
        self._markings = markings
        self._starts = {chr(code): number for number, code in enumerate(free)}
        self._ends = {chr(code + _TO_END): number for number, code in enumerate(free)}
        self._without = str.maketrans(dict.fromkeys([*self._starts, *self._ends], ""))
        self._open: int | None = None
        self._parts: list[_Part] = []
        # Marks in the link that is being read, and whether there is one; the backticks of the code that is.
        self._behind: list[int] | None = None
        self._code, self._formula = "", False
        # Marks that wait for the end of a link's host, and where that is.
        self._waiting: list[int] = []
        self._host_ends = 0
        self._items = False
        self.placed = self._with_places(text)

    def _with_places(self, text: str) -> str:
        """The text with a character at each start and end of a mark."""
        done, pieces = 0, list[str]()
        for marking, start, end in zip(self._markings, self._starts, self._ends, strict=False):
            first = marking.end if marking.behind else marking.start
            if done <= first <= marking.end <= len(text):
                pieces += [text[done:first], start, text[first : marking.end], end]
                done = marking.end
        return "".join([*pieces, text[done:]])

    def line(self, plain: Cleaned, placed: Cleaned) -> list[_Part]:
        """The parts of a line: text, and the pieces of its marks."""
        if self._open is None and placed.text == plain.text:
            self._items |= plain.prose and _ITEM.match(plain.text) is not None
            return [plain.text]
        changed = placed.text.translate(self._without) != plain.text
        if changed or not plain.prose or _SPLIT_ENTITY.search(placed.text):
            self._places(placed.text)
            return [plain.text]
        found = _PREFIX.match(plain.text)
        prefix = found[0] if found else ""
        if not self._is_certain(prefix):
            self._places(placed.text)
            return [plain.text]
        words, position, said = len(prefix), 0, False
        self._parts, self._behind, self._code, self._formula, self._host_ends = [], None, "", False, 0
        for token in _TOKEN.findall(placed.text):
            if position >= self._host_ends:
                self._signs()
            if token in self._starts or token in self._ends:
                self._mark(token, said)
            else:
                self._token(token, position < words)
                said = (
                    token[0] not in _APART
                    and not token[-1].isspace()
                    and (said or (position >= words and any(map(str.isalnum, token))))
                )
                position += len(token)
                if token[0] == "]":
                    host = _HOST.match(plain.text, position)
                    self._host_ends = host.end() if host else position
        self._signs()
        return self._parts

    def _signs(self) -> None:
        """The marks that stand behind a link and its host."""
        self._parts += [_Piece(number, JOINER) for number in self._waiting]
        self._waiting = []

    def _is_certain(self, prefix: str) -> bool:
        """Whether a line that begins so is no code: one that is far from the margin must be an item of a list."""
        item = any(character in "-+*.)" for character in prefix)
        far = "    " in prefix or "\t" in prefix
        certain = not far or (item and self._items)
        self._items |= item and certain
        return certain

    def _places(self, text: str) -> None:
        """Open and close the marks of a text that has none drawn."""
        for place in _PLACE.findall(text):
            self._place(place)

    def _place(self, place: str) -> None:
        self._open = self._starts.get(place) if place in self._starts else None

    def _mark(self, place: str, after_words: bool) -> None:
        self._place(place)
        if self._open is None or self._code:
            return
        if self._behind is not None:
            self._behind.append(self._open)
        elif self._markings[self._open].behind and after_words:
            self._waiting.append(self._open)

    def _token(self, token: str, prefix: bool) -> None:
        if self._code or token[0] == "`":
            self._parts.append(token)
            self._code = "" if token == self._code else self._code or token
        elif token == "$":
            # All other dollars are escaped.
            self._parts.append(token)
            self._formula = not self._formula
            self._enclose(self._formula)
        elif self._formula or prefix:
            self._parts.append(token)
        elif token == "[":
            self._parts.append(token)
            self._enclose(True)
        elif token[0] == "]":
            self._parts.append(token)
            self._enclose(False)
        else:
            self._words(token)

    def _enclose(self, begins: bool) -> None:
        """What a mark cannot be within begins or ends: a link's words, a formula."""
        if begins:
            self._behind = [] if self._open is None else [self._open]
        else:
            self._waiting += self._behind or ()
            self._behind = None

    def _words(self, token: str) -> None:
        last = self._parts[-1] if self._parts else ""
        if self._open is None or self._behind is not None or token[0] in _BREAKS or token == "\\":
            self._parts.append(token)
        elif isinstance(last, _Piece) and last.mark == self._open and last.text != JOINER:
            last.text += token
        else:
            self._parts.append(_Piece(self._open, token))


def _written(parts: Sequence[_Part], markings: Sequence[Marking]) -> str:
    # A link is no letter, but who stands beyond it should take it for one.
    around = ["", "", *(part if isinstance(part, str) else "a" for part in parts), "", ""]
    return "".join(
        part if isinstance(part, str) else _link(part, markings[part.mark], around[index : index + 5])
        for index, part in enumerate(parts)
    )


def _link(piece: _Piece, marking: Marking, around: Sequence[str]) -> str:
    """The link of a piece; ``around`` are the two parts before it, itself, and the two behind it."""
    words = piece.text.strip()
    if not _says_something(piece):
        return piece.text
    start = piece.text.index(words)
    left, right = piece.text[:start], piece.text[start + len(words) :]
    beyond, before, _, after, further = around
    first, last = (words[0], words[-1]) if words != JOINER else ("", before[-1:])
    opening = JOINER if not left and _needs_a_letter(first, before, beyond[-1:], before == after) else ""
    closing = JOINER if not right and _needs_a_letter(last, after, further[:1], before == after) else ""
    if not marking.target:
        return f"{left}{opening or JOINER * before.endswith(':')}:orange-background[{words}]{closing}{right}"
    kind = "claim" if piece.last else "part"
    return f'{left}{opening}[{words}](#{kind}-{marking.target} "{_title(marking.title)}"){closing}{right}'


def _needs_a_letter(edge: str, neighbour: str, beyond: str, around: bool) -> bool:
    """Whether the end of a link must look like the letter it ends with: before an emphasis's marks and what is beyond.

    Where a bracket stands in place of a letter, marks between it and another letter would be no emphasis any more, and
    marks between it and a sign might be one, but for those that stand ``around`` the link and find each other.
    """
    if not (neighbour.startswith(_EMPHASIS) and _is_letter(edge)):
        return False
    return _is_letter(beyond) or not (around or (len(set(neighbour)) == 1 and not beyond.strip()))


def _says_something(piece: _Piece) -> bool:
    return piece.text == JOINER or any(character.isalnum() for character in piece.text)


def _is_letter(character: str) -> bool:
    """Whether Markdown takes it neither for punctuation nor for a space."""
    return character != "" and category(character)[0] not in "PSZ" and not character.isspace()


def _title(text: str) -> str:
    """A hint in which Markdown finds nothing, between double quotes."""
    return readable(text).translate(_ENTITIES)
