"""What is said of a figure of an answer: in its sentence, or in the heads of its cell, and in what stands around."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from agent.evidence.derivation.groups.own_tables import OwnTables
from agent.evidence.kept import kept
from agent.evidence.lookup.standing import Standings
from agent.text.characters import lowered
from agent.text.regex import regex

_SUBSCRIPTS = {0x2080 + digit: str(digit) for digit in range(10)}
_MOST_LINES = 40  # above a line, for its heading
_HEADING = regex(r"[ ]{0,3}(?:#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?[ \t]*)")


class Around(NamedTuple):
    """In lower case: ``near`` has the figure at ``at``; ``wide`` is the rest of the line, the heading, the note."""

    near: str
    at: int
    wide: str
    in_cell: bool

    @property
    def both(self) -> str:
        return f"{self.near}\n{self.wide}"


@dataclass(frozen=True)
class SaidAround:
    """Of one answer."""

    standings: Standings

    @kept
    def of(self, start: int) -> Around:
        """What is said of the figure at a place."""
        lower = self._lower
        left, right = lower.rfind("\n", 0, start) + 1, lower.find("\n", start)
        right = right if right >= 0 else len(lower)
        heads = self._own.heads(start)
        if heads is not None:
            first, end, said = heads[0], heads[1], heads[2].translate(_SUBSCRIPTS)
            behind = lower[end:].lstrip("\n").split("\n", 1)[0]
            above = lower[:first].rstrip().rsplit("\n", 1)[-1]
            return Around(said, len(said), f"{self._heading(first)}\n{above}\n{behind}", True)
        first, last = self.standings.answer.sentence(start)
        first, last = max(first, left), min(last, right)
        wide = f"{self._heading(left)}\n{lower[left:first]}\n{lower[last:right]}"
        return Around(lower[first:last], start - first, wide, False)

    @cached_property
    def _lower(self) -> str:
        lower = lowered(self.standings.whole)
        return lower if lower.isascii() else lower.translate(_SUBSCRIPTS)

    @cached_property
    def _own(self) -> OwnTables:
        return OwnTables(self.standings.whole, lambda _left, _right: (), lambda _said: frozenset())

    def _heading(self, left: int) -> str:
        for line in self._lower[:left].split("\n")[: -_MOST_LINES - 1 : -1]:
            if _HEADING.fullmatch(line) is not None:
                return line
        return ""
