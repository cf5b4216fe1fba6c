"""Replies that go on without end: one that repeats itself, and one longer than anybody asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.messages import Limits

_LOOK_EVERY = 500  # characters
_REPEATED = 3_000  # characters of nothing but repeats from which on a reply goes round in circles
_TIMES = 8
_ANCHOR = 24  # the last characters, looked for before themselves
_LONGEST = 1_000_000  # characters of a reply under no limit on tokens
_SHORTEST = 4_000
_CHARACTERS = 4  # of a token, about


@dataclass(slots=True)
class Runaway:
    """Watches one stream of text: ``take`` its pieces; how it is cut into pieces changes nothing.

    ``end`` is set once the text has run away: to the offset behind the first of the repeats, or to ``most`` characters;
    ``size`` is how much of it was looked at until then.
    """

    most: int = _LONGEST
    end: int | None = None
    repeats: bool = False
    size: int = 0
    _tail: str = ""
    _pieces: list[str] = field(default_factory=list[str])

    def take(self, text: str) -> bool:
        """Look at the next piece; true where there is no need for more."""
        while self.end is None and text:
            step = _LOOK_EVERY - self.size % _LOOK_EVERY
            self._pieces.append(text[:step])
            self.size += len(text[:step])
            text = text[step:]
            if self.size % _LOOK_EVERY == 0:
                self._look()
        return self.end is not None

    def _look(self) -> None:
        self._tail = (self._tail + "".join(self._pieces))[-2 * _REPEATED :]
        self._pieces.clear()
        if repeated := _repeated(self._tail):
            self.end, self.repeats = self.size - repeated, True
        elif self.size >= self.most:
            self.end = self.size


def _repeated(text: str) -> int:
    """How many characters at the end of a text are repeats of those before them; 0 for too few."""
    before = text.rfind(text[-_ANCHOR:], 0, len(text) - 1)
    period = len(text) - _ANCHOR - before
    if before < 0 or text[-_REPEATED:] != text[-_REPEATED - period : -period]:
        return 0
    size = _REPEATED
    while size + period < len(text) and text[-size - 1] == text[-size - 1 - period]:
        size += 1
    return size if size >= _TIMES * period else 0


def most_characters(limits: Limits, spent: int) -> int:
    """The longest reply that a run's limit on tokens leaves room for, of which ``spent`` are used; in characters."""
    if not limits.tokens:
        return _LONGEST
    return max(_SHORTEST, min(_LONGEST, _CHARACTERS * (limits.tokens - spent)))
