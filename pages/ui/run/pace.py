"""How often a run at work is drawn: as often as helps to read along, less often while much else is drawn, too."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic, sleep

from agent.views.fold import RunView

_SHORTEST, _LONGEST = 1 / 15, 1 / 5  # seconds
_CHARACTERS_AT_FULL_RATE = 4_000
_SHARE = 1 / 30
_WEIGHT = 0.2  # of the newest drawing


@dataclass(slots=True)
class Pace:
    """The pauses between the drawings of one run.

    A drawing takes a millisecond, and many times that where it waits for others: for the processor, or for Python's one
    lock. So each page takes a small share of the time, by its own clock, and all of them draw less often together.
    """

    taking: float = 0.0
    begun: float = 0.0
    late: float = 0.0

    def begin(self) -> None:
        """A drawing begins."""
        self.begun = monotonic()

    def rest(self, view: RunView) -> None:
        """The drawing of ``view`` is there: sleep until the next one is due."""
        pause = self.pause(self.late + monotonic() - self.begun, view)
        due = monotonic() + pause
        sleep(pause)
        self.late = monotonic() - due

    def pause(self, took: float, view: RunView) -> float:
        """Seconds until the next drawing, after one that took so many."""
        self.taking += _WEIGHT * (took - self.taking)
        # Each drawing sends the text that streams in whole.
        length = max(len(view.answer), len(view.steps[-1].thought) if view.steps else 0)
        return min(_LONGEST, max(_SHORTEST * max(1.0, length / _CHARACTERS_AT_FULL_RATE), self.taking / _SHARE))
