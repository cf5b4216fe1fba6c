"""How often a run at work is drawn: as often as helps to read along, less often while many are followed."""

from __future__ import annotations

from agent.views.fold import RunView

_SHORTEST, _LONGEST = 1 / 15, 1 / 5  # seconds
_CHARACTERS_AT_FULL_RATE = 4_000
# Seconds of each other page's. A drawing takes half of it, so that all of them leave Python's one lock to others, too:
# to the models' replies, and to the pages that are drawn whole.
_EACH = 0.0015


def pause(view: RunView, followers: int) -> float:
    """Seconds until the next drawing, where so many pages follow runs in this process."""
    # Each drawing sends the text that streams in whole.
    length = max(len(view.answer), len(view.steps[-1].thought) if view.steps else 0)
    return min(_LONGEST, max(_SHORTEST * max(1.0, length / _CHARACTERS_AT_FULL_RATE), followers * _EACH))
