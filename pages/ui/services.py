"""What all visitors of the process share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent.budget import Budget
from agent.chats import Chats
from agent.events import Event
from agent.evidence import Earlier, Evidence, check
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices
from agent.runs import Runs
from agent.settings import Settings
from agent.store import Store
from agent.tools.search import SearchCache

if TYPE_CHECKING:
    from agent.models.check_live import LiveCheck

_MOST_CACHES = 256
_MOST_CHECKED = 1024


@dataclass(frozen=True, slots=True)
class Services:
    """What all visitors share: nothing in here belongs to one of them."""

    settings: Settings
    store: Store
    chats: Chats
    prices: Prices
    budget: Budget
    runs: Runs
    capabilities: Capabilities
    searches: dict[str, SearchCache]
    checked: dict[str, Evidence]
    tests: dict[str, LiveCheck] = field(default_factory=dict)

    def evidence(self, run: str, events: Sequence[Event], earlier: Sequence[Earlier]) -> Evidence:
        """What stands behind the answer of an ended run, worked out once; the oldest are dropped."""
        while len(self.checked) >= _MOST_CHECKED and run not in self.checked:
            self.checked.pop(next(iter(self.checked)), None)
        if run not in self.checked:
            self.checked[run] = check(events, earlier)
        return self.checked[run]

    def search_cache(self, conversation: str) -> SearchCache:
        """The conversation's own cache of searches; the oldest caches are dropped."""
        while len(self.searches) >= _MOST_CACHES and conversation not in self.searches:
            self.searches.pop(next(iter(self.searches)))
        return self.searches.setdefault(conversation, SearchCache())

    def keep_test(self, name: str, test: LiveCheck) -> None:
        """A test of a connection that somebody waits for; the oldest are given up."""
        while len(self.tests) >= _MOST_CACHES:
            self.tests.pop(next(iter(self.tests))).give_up()
        self.tests[name] = test
