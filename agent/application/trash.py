"""What visitors deleted: for a while it can be brought back, then it is gone for good."""

from __future__ import annotations

from collections.abc import Iterable

from agent.data.folders import Folders
from agent.store.chats import Chats

SECONDS_TO_RESTORE = 24 * 60 * 60.0


def empty_bin(chats: Chats, files: Iterable[Folders], now: float) -> int:
    """Remove the conversations deleted too long before ``now`` to be brought back, and their ``files``; how many.

    Raises ``StoreFailed`` where the database does.
    """
    removed = chats.purge(now - SECONDS_TO_RESTORE)
    for kind in files:
        kind.sweep()
    return removed
