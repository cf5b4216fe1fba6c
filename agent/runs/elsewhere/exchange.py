"""What the processes on one PostgreSQL tell one another of their runs."""

from __future__ import annotations

from agent.runs.elsewhere.followed import Mirrors
from agent.runs.elsewhere.handed import Handed
from agent.runs.elsewhere.live_text import Listener, Speaker
from agent.store.runs import Store


class Exchange:
    """Open from the start until ``close``."""

    def __init__(self, store: Store) -> None:
        address = store.database.address
        self.handed = Handed(store.database, store.leases.process)
        self.mirrors = Mirrors(store, self.handed)
        self.speaker = Speaker(address)
        self._listener = Listener(address, self.mirrors.hear, self.mirrors.missed)
        self.speaker.start()
        self._listener.start()

    def close(self) -> None:
        self.speaker.close()
        self._listener.close()
