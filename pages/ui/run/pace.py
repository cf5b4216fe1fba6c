"""How often a run at work is drawn: as often as helps to read along, less often while many are followed."""

from __future__ import annotations

from math import inf

from agent.views.fold import RunView

_SHORTEST, _LONGEST = 1 / 15, 1 / 5  # seconds
_CHARACTERS_AT_FULL_RATE = 4_000
# A browser fetches the programs of the page's parts when it is opened, and puts each part into its place only while
# nothing else is drawn: drawn at full rate, a busy machine has no box and no Stop until the run has ended.
_OPENING, _WHILE_OPENING = 6.0, 1.0  # seconds
# Seconds of each other page's. A drawing takes half of it, so that all of them leave Python's one lock to others, too:
# to the models' replies, and to the pages that are drawn whole.
_EACH = 0.0015


def pause(view: RunView, followers: int, opened: float = inf) -> float:
    """Seconds until the next drawing, where so many pages follow runs in this process.

    ``opened`` says how many seconds ago the page was opened, where that was onto this run at work.
    """
    if opened < _OPENING:
        return _WHILE_OPENING
    # Each drawing sends the text that streams in whole.
    length = max(len(view.answer), len(view.steps[-1].thought) if view.steps else 0)
    return min(_LONGEST, max(_SHORTEST * max(1.0, length / _CHARACTERS_AT_FULL_RATE), followers * _EACH))
