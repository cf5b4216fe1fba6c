"""Keeps back what may become a call while a text still comes, so that nobody is shown its marks."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.text.regex import regex
from agent.wire.dialects.call_heads import MOST_HEAD, Verdict, bare_begins, call_begins, tag_end
from agent.wire.dialects.call_values import Declared
from agent.wire.dialects.openers import (
    CALL_FENCES,
    CLUE,
    FIRSTS,
    LONGEST,
    OPENER,
    STARTS,
    WORD_STARTS,
    next_opener,
)
from agent.wire.gathered import MOST_LOOKS, PIECE

_FIRSTS_OF_FENCES = frozenset(fence[0] for fence in CALL_FENCES)
_NEXT_IN_FENCE = ("", *_FIRSTS_OF_FENCES)
_FENCE = regex(r"```(?P<info>[\w-]{0,24}+)[^\S\n]{0,8}+\n\s{0,99}+")
_MOST_DECISIVE, _MOST_BLANKS = 2_000, 100  # characters of a text, and blanks at its end, that decide anything
_INFO = 1_000  # characters behind a fence in which it is decided whether it is of a call
_FENCE_SO_FAR = regex(r"(?:`{1,2}|```[\w-]{0,24}+[^\S\n]{0,8}+)\Z")
_MOST_OPENERS = 200  # or fences, that lead to no call: behind more of them none is kept back, nor read, as a rule


class HeldText:
    """Lets a text through as it comes, ``feed`` by ``feed``, but for what may be a call: that is kept to the end.

    How the text is cut changes nothing. ``labelled`` judges a message that may be a call with labels.
    """

    def __init__(self, tools: Declared, labelled: Callable[[str], Verdict] = lambda _: False) -> None:
        self._tools = tools
        self._labelled = labelled
        self._kept: list[str] | None = None if tools else []
        self._passes = not tools
        self._window = ""  # what is undecided
        self._last = "\n"  # the character before it
        self._starts = True  # nothing but blanks was let through
        self._opener: tuple[str, int] = ("", 0)  # that the window begins with: its kind, and its size
        self._in_code = False
        self._code_ended = False  # by the three backticks just before the window, if they open nothing
        self._awaits = ""  # what decides nothing has to have it, or "a word": anything but blanks
        self._blanks: list[str] = []  # more of the window
        self._alert = True  # it starts, begins with an opener, or stands behind code
        self._openers = 0  # that led to no call
        self._looks = 0
        self._gathered = ""  # text that nobody has looked at yet

    def feed(self, text: str) -> str:
        """What is decided to be no call. An empty text ends the wait for more, see ``PIECE``."""
        if self._passes:
            return text
        if self._kept is not None:
            self._kept.append(text)
            return ""
        if self._looks > MOST_LOOKS:
            self._gathered = gathered = self._gathered + text
            if text and len(gathered) < PIECE:
                return ""
            text, self._gathered = gathered, ""
        if not text or (self._awaits and self._goes_on(text)):
            return ""
        if not (self._alert or self._window or CLUE.search(text)):  # as most texts
            self._last = text[-1]
            return text
        self._looks += 1
        if self._blanks:
            self._window += "".join(self._blanks)
            self._blanks.clear()
        window = self._last + self._window + text
        found, end = (None, 0) if self._alert else next_opener(window, 1)
        if found or self._alert:
            end = self._decided(window, found)
        self._last = window[end - 1]
        self._window = window[end:]
        if self._kept is not None:
            self._kept.append(self._window)
            self._window = ""
        return window[1:end]

    def _goes_on(self, text: str) -> bool:
        """Keep more of what stays undecided whatever it is, as most of it is."""
        if self._awaits == "a word":
            if text.isspace():
                self._blanks.append(text)
            return text.isspace()
        if self._awaits in self._window[-6:] + text or len(self._window) + len(text) >= MOST_HEAD:
            return False
        self._window += text
        return True

    def finish(self) -> str:
        """What was only waited with at the end of the text: a message that is a number, which a label may follow."""
        return self.release() if self._starts and self._window.strip().isdigit() else self.feed("")

    def release(self) -> str:
        """What was kept, where it turned out to be none; all that follows is let through."""
        kept = self._window + "".join(self._blanks) + self._gathered + "".join(self._kept or ())
        self._passes, self._window, self._gathered, self._kept = True, "", "", None
        return kept

    def _decided(self, text: str, found: re.Match[str] | None) -> int:
        """Up to where a text, whose first character was told before, is decided; keeps the rest for good if it may.

        ``found`` is its first opener, where that was looked for.
        """
        at, (kind, size) = 1, self._opener
        self._opener, self._awaits = ("", 0), ""
        while True:
            if not kind:
                if self._alert and (verdict := self._beginning(text, at)) is not False:
                    return self._keep(text, at, verdict)
                found, end = (found, 0) if found else next_opener(text, at)
                kind = (found.lastgroup or "call") if found else ""
                self._starts = kind == "thought"  # a message begins behind a thought
                self._code_ended = kind == "fence" and self._in_code
                self._alert = self._starts or self._code_ended
                if not found:
                    return end
                start, at = found.span()
                found = None
            else:  # that the text begins with
                start, at, self._alert = 1, 1 + size, False
            if not self._alert:
                verdict = self._fence(text, start) if kind == "fence" else call_begins(text, start, self._tools)
                if verdict is not False:
                    if at < len(text):  # else it may be none, by what comes next
                        self._opener = kind, at - start
                    self._awaits = "" if verdict or kind == "fence" else tag_end(text, start)
                    return self._keep(text, start, verdict)
            self._openers += 1
            if self._openers > _MOST_OPENERS:
                self._passes = True
                return len(text)
            self._in_code = (self._in_code or kind == "fence") and not self._code_ended
            kind = ""

    def _keep(self, text: str, at: int, verdict: Verdict) -> int:
        self._kept = [] if verdict else None
        self._alert = True
        if len(text) - at > _MOST_DECISIVE and text[-_MOST_BLANKS:].isspace():
            self._awaits = "a word"
        return at

    def _beginning(self, text: str, at: int) -> Verdict:
        """Whether a message, or a fence within code, begins a call."""
        verdict = self._message(text[at:].lstrip()) if self._starts else False
        return self._info(text, at) if self._code_ended and verdict is False else verdict

    def _message(self, text: str) -> Verdict:
        """Whether a message without a mark of its own begins a call."""
        if not text:
            return None
        verdicts = [self._labelled(text)]
        fence = _FENCE.match(text)
        if fence:
            verdicts.append(bare_begins(text[fence.end() :], self._tools))
        elif text[0] == "`":
            verdicts.append(None if _FENCE_SO_FAR.match(text) else False)
        else:
            verdicts.append(bare_begins(text, self._tools))
        return True if True in verdicts else None if None in verdicts else False

    def _info(self, text: str, at: int) -> Verdict:
        """Whether what stands behind the backticks that end code makes them the fence of a call within it."""
        if text[at : at + 1] and text[at] not in _FIRSTS_OF_FENCES:
            return False
        fence = f"```{text[at : at + _INFO]}"
        if fence in WORD_STARTS:
            return None
        return call_begins(fence, 0, self._tools) if OPENER.match(fence) else False

    def _fence(self, text: str, at: int) -> Verdict:
        """Whether a fence opens before a call."""
        fence = _FENCE.match(text, at)
        if not fence:
            return None if _FENCE_SO_FAR.match(text, at) else False
        body = fence.end()
        if body == len(text):
            return None
        if fence["info"] in CALL_FENCES:
            return call_begins(text, body, self._tools)
        behind = body + 3
        if text[body] not in FIRSTS or (text[body:behind] == "```" and text[behind : behind + 1] not in _NEXT_IN_FENCE):
            return False
        if OPENER.match(text, body):
            return call_begins(text, body, self._tools)
        rest = text[body : body + LONGEST + 1]
        return None if rest in STARTS or rest in WORD_STARTS else False
