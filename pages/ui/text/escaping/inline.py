"""Reads one line of prose as Markdown does, and writes it so that it can be read in no other way.

Emphasis, code spans, headings and links stay. An image becomes a link that says so. All other marks are escaped, and
backticks that open no code span on their own line. So what Markdown makes of the result does not depend on the lines
around it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple
from unicodedata import category

from agent.text.characters import one_line
from agent.text.mathematics import formula_at
from agent.text.regex import regex
from pages.ui.text.escaping.addresses import Address, names, web_address
from pages.ui.text.escaping.characters import JOINER, SHORTCODE, inert, with_marks

_TOKEN = regex(
    r"\\[!-/:-@\[-`{-~]?|`+|!+\[?|\[|\]|(?<!\S)(?:<->|<-|->|--|[<>~]=)(?!\S)|<+|\$+|~+"
    r"|:+|&(?=#?\w{1,32};)"
    r"|(?i:https?://|(?<![^\W_])www\.)"
)
_RESOURCE = regex(
    r"\([ \t]*(?:<((?:[^<>\\]|\\.)*)>|((?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.)*\))*))"
    r"(?:[ \t]+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*\)"
)
_REFERENCE = regex(r"\[([^\[\]]{0,200})\]")
_AUTOLINK = regex(r"<(https?://[^\s<>]+)>", re.I)
# The last two planes are for private use: marks stand there while the text is made safe, and end an address.
_BARE = regex(rf"(?:https?://|www\.)[^\s<>\"`|\\^{{}}\[\]{JOINER}。、，）」』】！？；：\U000f0000-\U0010ffff]+", re.I)
_ESCAPE = regex(r"\\([!-/:-@\[-`{-~])")
_TASK = regex(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ xX]\](?=[ \t])")
_LONGEST_LABEL = 200
_MOST_ALT = 80


class _Opened(NamedTuple):
    """A bracket that waits for its end: its piece, the place after it in the line, whether it may be an image."""

    piece: int
    start: int
    image: bool


def folded(name: str) -> str:
    """The name of a reference, as Markdown compares them."""
    return " ".join(name.split()).casefold()


class Inline:
    """``Inline(line, definitions, table).text``; ``used`` are the definitions that were.

    ``definitions`` has the addresses of ``[name]: address`` lines under their ``folded`` names. ``table`` says that
    the line may be a table's row, where a ``|`` ends a cell even in code.
    """

    def __init__(self, line: str, definitions: Mapping[str, str], table: bool) -> None:
        self._line = line
        self._definitions = definitions
        self._table = table
        self.used: set[str] = set()
        # The same pieces twice: as they are, and as they are inside a link, which can hold no other link.
        self._pieces: list[str] = []
        self._shown: list[str] = []
        self._opened: list[_Opened] = []
        self._last_link = -1
        self._runs: dict[int, list[int]] | None = None
        self.text = self._read()

    def _read(self) -> str:
        task = _TASK.match(self._line)
        position = task.end() if task else 0
        self._add(self._line[:position])
        while found := _TOKEN.search(self._line, position):
            start, end = found.span()
            if start > position:
                self._add(self._line[position:start])
            position = self._token(found.group(), start, end)
        self._add(self._line[position:])
        return "".join(self._pieces)

    def _add(self, piece: str, shown: str | None = None) -> None:
        self._pieces.append(piece)
        self._shown.append(piece if shown is None else shown)

    def _token(self, token: str, start: int, end: int) -> int:
        """Write what a token becomes; the place to read on from."""
        match token[0]:
            case "$":
                return self._formula(token, start, end)
            case "\\":
                return self._backslash(token, start, end)
            case "`":
                return self._code(token, end)
            case "!" | "[":
                if token[-1] == "[":
                    self._bracket(token, end)
                else:
                    self._add("\\!" * len(token))
            case "]":
                return self._close(end)
            case ":":
                self._add("\\:" * (end - start - 1) + self._colon(end - 1))
            case "&":
                self._add("&amp;" if self._decodes_to_a_mark(start) else "&")
            case "<" | "h" | "H" | "w" | "W" if token[-1] not in "-=>":
                return self._address(token, start, end)
            case _:
                self._add(_symbols(token))
        return end

    def _bracket(self, token: str, end: int) -> None:
        """What may be the start of a link or an image; bangs before that of an image are text."""
        image = len(token) > 1
        if len(token) > 2:
            self._add("\\!" * (len(token) - 2))
        self._opened.append(_Opened(len(self._pieces), end, image))
        self._add("\\!\\[" if image else "\\[")

    def _formula(self, token: str, start: int, end: int) -> int:
        """A formula, as Streamlit's Markdown has it; what else begins with its delimiter is text."""
        found = formula_at(self._line, start)
        # In a table's row a bar ends a cell, even in a formula.
        if found is None or (self._table and "|" in found.tex):
            self._add(_symbols(token) if token[0] == "$" else token)
            return end
        # Two formulas without anything between them would be read as one.
        apart = JOINER if self._pieces and self._pieces[-1].endswith("$") else ""
        self._add(f"{apart}$\\displaystyle {found.tex}$" if found.display else f"{apart}${found.tex}$")
        return found.end

    def _backslash(self, token: str, start: int, end: int) -> int:
        if token in ("\\(", "\\["):
            return self._formula(token, start, end)
        if token == "\\:":
            self._add(self._colon(end - 1))
        elif token == "\\" and end < len(self._line):
            self._add("\\\\")
        else:
            self._add(token)
        return end

    def _code(self, run: str, end: int) -> int:
        if self._runs is None:
            self._runs = {}
            for found in re.finditer("`+", self._line):
                self._runs.setdefault(len(found.group()), []).append(found.start())
        same = self._runs.get(len(run), [])
        at = bisect_left(same, end)
        if at == len(same):
            self._add("\\`" * len(run))
            return end
        code = self._line[end : same[at]]
        if self._table:
            code = re.sub(r"\\[\\|]|\|", lambda pipe: "\\|" if pipe.group() == "|" else pipe.group(), code)
        self._add(run + code + run)
        return same[at] + len(run)

    def _colon(self, start: int) -> str:
        """A colon that starts no directive (whose name may even be a tab), no emoji, no icon and no address."""
        before = self._line[max(0, start - 6) : start].rstrip("\\").lower()
        apart = before.endswith(("http", "https")) or SHORTCODE.match(self._line, start)
        return f"\\:{JOINER}" if apart else "\\:"

    def _decodes_to_a_mark(self, start: int) -> bool:
        """Whether ``&…;`` stands for a character that could take part in Markdown or hide text."""
        decoded = unescape(self._line[start : self._line.index(";", start) + 1])
        seen = len(decoded) == 1 and not decoded.isascii() and category(decoded) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
        return not seen and decoded not in {"<", ">", "&", '"', "'"}

    def _address(self, token: str, start: int, end: int) -> int:
        """An address in the text: a link that shows it as it was written, and its real host where that is another."""
        if token[0] == "<":
            self._add("\\<" * (len(token) - 1))
            start = end - 1
        angled = _AUTOLINK.match(self._line, start)
        bare = _BARE.match(self._line, start)
        typed = angled[1] if angled else _without_punctuation(bare.group()) if bare else ""
        address = web_address(typed if "://" in typed else f"http://{typed}") if typed else None
        if address is None:
            self._add("\\<" if token[0] == "<" else inert(typed or token))
            return max(end, start + len(typed))
        self._add(link_to(with_marks(typed), address, typed), with_marks(typed))
        return angled.end() if angled else start + len(typed)

    def _close(self, end: int) -> int:
        opened = self._opened.pop() if self._opened else None
        if opened is None or (not opened.image and opened.start < self._last_link):
            self._add("\\]")
            return end
        target, after = self._target(opened.start, end)
        # What ends a cell ends a link in it.
        split = self._table and "|" in self._line[opened.start : end]
        if target is None or split:
            self._add("\\]")
            return end
        address = web_address(_ESCAPE.sub(r"\1", unescape(target)))
        written = _ESCAPE.sub(r"\1", self._line[opened.start : end - 1])
        if opened.image:
            self._replace(opened.piece, _image(written, address), _image(written, None))
        elif address is not None:
            inner = "".join(self._shown[opened.piece + 1 :])
            name = inner if inner.strip() else with_marks(address.host)
            self._replace(opened.piece, link_to(name, address, written.strip() or address.host), name)
            self._last_link = opened.start
        else:
            self._add("\\]")
            return end
        return after

    def _target(self, start: int, end: int) -> tuple[str | None, int]:
        """The address that the bracket before ``end`` leads to, as written, and the place behind it."""
        resource = _RESOURCE.match(self._line, end)
        if resource:
            return resource[1] or resource[2] or "", resource.end()
        reference = _REFERENCE.match(self._line, end)
        name = reference[1] if reference and reference[1].strip() else ""
        if not name and end - start <= _LONGEST_LABEL:
            name = self._line[start : end - 1]
        target = self._definitions.get(folded(name))
        if target is not None:
            self.used.add(folded(name))
        return target, reference.end() if reference else end

    def _replace(self, piece: int, text: str, shown: str) -> None:
        del self._pieces[piece:], self._shown[piece:]
        self._add(text, shown)


def link_to(name: str, address: Address, written: str) -> str:
    """A link with the escaped text ``name``, and the real host behind it where ``written`` does not say it."""
    host = "" if names(written, address) else f" ({with_marks(address.host)})"
    return f"[{name}]({address.url}){host}"


def _image(alt: str, address: Address | None) -> str:
    said = with_marks(one_line(alt[: _MOST_ALT * 2], _MOST_ALT))
    name = f"Image: {said}" if said else "Image"
    return link_to(name, address, "") if address else f"({name})"


def _symbols(token: str) -> str:
    """Dollars, tildes, and the arrows that Streamlit would draw."""
    if token == "~~":
        return token
    if token[0] in "$~" and token != "~=":
        return "".join(f"\\{mark}" for mark in token)
    return JOINER + token.replace("~", "\\~").replace("<", "\\<")


def _without_punctuation(typed: str) -> str:
    """An address without what ends the sentence around it; a bracket belongs to it if it was opened in it."""
    unopened = typed.count(")") - typed.count("(")
    end = len(typed)
    while end and (typed[end - 1] in ".,;:!?'*_~$" or (typed[end - 1] == ")" and unopened > 0)):
        unopened -= typed[end - 1] == ")"
        end -= 1
    return typed[:end]
