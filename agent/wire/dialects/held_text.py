"""Keeps back what may become a call while a text still comes, so that nobody is shown its marks."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.wire.dialects.call_forms import Declared
from agent.wire.dialects.call_heads import Verdict, bare_begins, call_begins
from agent.wire.dialects.openers import (
    CALL_FENCES,
    CLUE,
    LONGEST,
    OPENER,
    OPENER_OR_FENCE,
    STARTS,
    WORD_STARTS,
    first,
    past_clue,
)

_FIRSTS_OF_FENCES = frozenset(fence[0] for fence in CALL_FENCES)
_FENCE = re.compile(r"```(?P<info>[\w-]{0,24}+)[^\S\n]{0,8}+\n\s{0,99}+")
_INFO = 1_000  # characters behind a fence in which it is decided whether it is of a call
_FENCE_SO_FAR = re.compile(r"(?:`{1,2}|```[\w-]{0,24}+[^\S\n]{0,8}+)\Z")


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
        self._opened = False  # the window begins with an opener
        self._in_code = False
        self._code_ended = False  # by the three backticks just before the window, if they open nothing

    def feed(self, text: str) -> str:
        """What is decided to be no call."""
        if self._passes:
            return text
        if self._kept is not None:
            self._kept.append(text)
            return ""
        starts = self._starts or self._code_ended or self._opened
        if not (starts or self._window) and not CLUE.search(text):
            self._last = text[-1:] or self._last
            return text
        if not starts and (passed := self._passed(text)) is not None:
            return passed
        window = self._last + self._window + text
        end = self._decided(window)
        told, kept = window[1:end], window[end:]
        self._last = window[end - 1]
        self._window = "" if self._kept is not None else kept
        if self._kept is not None:
            self._kept.append(kept)
        return told

    def _passed(self, text: str) -> str | None:
        """What is let through of a text in which no opener is, but for the first characters of one at its end."""
        window = self._last + self._window + text
        if window[0] == "`" and not window.strip("`"):  # a run of them that goes on opens nothing
            return window[1:]
        at, size = 1, len(window)
        held = size
        while clue := CLUE.search(window, at):
            start, at = clue.span()
            if at == size and clue[0] != "```" and self._may_open(window, start):
                held = min(held, start)
                break
            if OPENER_OR_FENCE.match(window, start):
                return None
            if held == size and size - start <= LONGEST and self._may_open(window, start):
                held = start
            at = past_clue(window, start)
        self._window = window[held:]
        self._last = window[held - 1]
        return window[1:held]

    def release(self) -> str:
        """What was kept, where it turned out to be none; all that follows is let through."""
        kept = self._window + "".join(self._kept or ())
        self._passes, self._window, self._kept = True, "", None
        return kept

    def _decided(self, text: str) -> int:
        """Up to where a text, whose first character was told before, is decided; keeps the rest for good if it may."""
        at = 1
        self._opened = False
        while True:
            if self._starts and (verdict := self._message(text[at:].lstrip())) is not False:
                return self._keep(at, verdict)
            if self._code_ended and (verdict := self._info(text, at)) is not False:
                return self._keep(at, verdict)
            self._code_ended = False
            found = first(OPENER_OR_FENCE, text, at)
            kind = found.lastgroup if found else None
            self._starts = kind == "thought"  # a message begins behind a thought
            if not found:
                return self._open_end(text, at)
            start, at = found.span()
            if kind == "thought":
                continue
            if kind == "fence" and self._in_code:
                self._in_code, self._code_ended = False, True
                continue
            verdict = self._fence(text, start) if kind == "fence" else call_begins(text, start, self._tools)
            if verdict is not False:
                return self._keep(start, verdict)
            self._in_code |= kind == "fence"

    def _keep(self, at: int, verdict: Verdict) -> int:
        self._kept = [] if verdict else None
        self._opened = True
        return at

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
        if fence["info"] in CALL_FENCES or OPENER.match(text, body):
            return call_begins(text, body, self._tools)
        rest = text[body : body + LONGEST + 1]
        return None if rest in STARTS or rest in WORD_STARTS else False

    def _open_end(self, text: str, at: int) -> int:
        """Where the last characters begin to be what an opener may begin with."""
        size = len(text)
        at = max(at, size - LONGEST)
        while clue := CLUE.search(text, at):
            if self._may_open(text, clue.start()):
                return clue.start()
            at = clue.start() + 1
        return size

    @staticmethod
    def _may_open(text: str, start: int) -> bool:
        tail = text[start:]
        if tail in STARTS:
            return True
        return text[start - 1].isspace() and tail in WORD_STARTS
