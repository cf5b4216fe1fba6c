"""Ended runs that were read, kept in memory: they do not change, and the next question is asked with all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from cachetools import TTLCache

from agent.events import Event

# Characters of events as they are stored, which take 1.6 times as many bytes in memory: two chats of a thousand turns,
# or what many visitors drew last.
MOST_CHARACTERS = 32_000_000
MOST_CHATS = 128
_SECONDS = 3_600


@dataclass(slots=True)
class _Chat:
    """The runs of a conversation, and how many characters they have."""

    runs: dict[str, list[Event]] = field(default_factory=dict[str, list[Event]])
    size: int = 0


class KeptRuns:
    """Those of the conversations that were read last, at most ``MOST_CHATS``, within a bound for all together.

    A conversation is kept for an hour from when a run of it was read anew. All methods may be called from any thread.
    """

    def __init__(self, most: int = MOST_CHARACTERS, chats: int = MOST_CHATS) -> None:
        """``most`` are characters, as ``keep`` is told them."""
        self._lock = Lock()
        self._most = most
        # A short conversation counts as its share, so that no more than so many of them stay.
        self._chats: TTLCache[str, _Chat] = TTLCache(
            most, _SECONDS, getsizeof=lambda chat: max(chat.size, most // chats)
        )

    def find(self, conversation: str, runs: Iterable[str]) -> dict[str, list[Event]]:
        """Those of the runs that are kept."""
        with self._lock:
            chat = self._chats.get(conversation)
            return {run: chat.runs[run] for run in runs if run in chat.runs} if chat else {}

    def keep(self, conversation: str, runs: Mapping[str, tuple[list[Event], int]]) -> None:
        """Keep the events of runs that have ended, each with how many characters they have; what fits of them.

        The conversations that were read longest ago make room.
        """
        if not runs:
            return
        with self._lock:
            chat = self._chats.pop(conversation, None) or _Chat()
            for run, (events, size) in runs.items():
                if run not in chat.runs and chat.size + size <= self._most:
                    chat.runs[run] = events
                    chat.size += size
            self._chats[conversation] = chat
