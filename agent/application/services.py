"""What all visitors of the process share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os.path import expanduser
from pathlib import Path
from threading import RLock, Thread
from time import sleep, time
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from agent.application.budget import Budget
from agent.application.setup import Choice
from agent.application.trash import empty_bin
from agent.data.databases.connected import Databases
from agent.data.documents.chat_documents import DocumentLimits, Documents
from agent.data.folders import Folders
from agent.data.tables.chat_tables import TableLimits, Tables
from agent.data.tables.loading.load_work import MEBIBYTE
from agent.data.tables.uploads import Loading
from agent.errors import StoreFailed
from agent.events import Event
from agent.evidence import Earlier, Evidence, check
from agent.extensions.folder import OwnTools
from agent.extensions.servers import ToolServers
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices, read_prices
from agent.runs.in_flight import Runs
from agent.sandbox.client import Sandbox
from agent.settings import Settings, read_settings
from agent.shell.chat_shell import Shells
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.tools.catalogue import NAMES
from agent.tools.search.search_tool import SearchCache

if TYPE_CHECKING:
    from agent.application.connection_test.background_check import LiveCheck
    from agent.application.tool_trial import ToolTrial

_MOST_CACHES = 256
_MOST_CHECKED = 1024
_SECONDS_BETWEEN = 3600.0


class _Waited(LRUCache[str, Any]):
    """What somebody waits for; what must make room is given up."""

    def popitem(self) -> tuple[str, Any]:
        name, value = super().popitem()
        value.give_up()
        return name, value


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
    tables: Tables
    documents: Documents
    shells: Shells
    databases: Databases
    servers: ToolServers
    own_tools: OwnTools
    # Caches are no safer between threads than dictionaries: each is used behind the lock.
    lock: RLock = field(default_factory=RLock)
    searches: LRUCache[str, SearchCache] = field(default_factory=lambda: LRUCache(_MOST_CACHES))
    checked: LRUCache[str, Evidence] = field(default_factory=lambda: LRUCache(_MOST_CHECKED))
    tests: LRUCache[str, LiveCheck] = field(default_factory=lambda: _Waited(_MOST_CACHES))
    trials: LRUCache[str, ToolTrial] = field(default_factory=lambda: _Waited(_MOST_CACHES))
    choices: LRUCache[str, Choice] = field(default_factory=lambda: LRUCache(_MOST_CACHES))
    loadings: dict[str, Loading] = field(default_factory=dict[str, Loading])

    def evidence(self, run: str, events: Sequence[Event], earlier: Sequence[Earlier]) -> Evidence:
        """What stands behind the answer of an ended run, worked out once.

        ``earlier`` are the last turns before it, as many as are drawn: how many says which.
        """
        key = f"{run} {len(earlier)}"
        with self.lock:
            known = self.checked.get(key)
        if known is None:
            known = check(events, earlier)
            with self.lock:
                self.checked[key] = known
        return known

    def search_cache(self, conversation: str) -> SearchCache:
        """The conversation's own cache of searches."""
        with self.lock:
            return self.searches.setdefault(conversation, SearchCache())

    def keep_test(self, name: str, test: LiveCheck) -> None:
        """A test of a connection that somebody waits for; the oldest are given up."""
        with self.lock:
            self.tests[name] = test

    def test(self, name: str) -> LiveCheck | None:
        with self.lock:
            return self.tests.get(name)

    def take_test(self, name: str) -> LiveCheck | None:
        """The test, which is not kept any more."""
        with self.lock:
            return self.tests.pop(name, None)

    def keep_trial(self, name: str, trial: ToolTrial) -> None:
        """A try of a tool that somebody waits for, in place of the one of that name; the oldest are given up."""
        with self.lock:
            self.forget_trial(name)
            self.trials[name] = trial

    def trial(self, name: str) -> ToolTrial | None:
        with self.lock:
            return self.trials.get(name)

    def forget_trial(self, name: str) -> None:
        with self.lock:
            before = self.trials.pop(name, None)
        if before:
            before.give_up()

    def loading(self, conversation: str) -> Loading | None:
        """The files that are being loaded into a conversation, or were last."""
        return self.loadings.get(conversation)

    def keep_loading(self, conversation: str, loading: Loading) -> None:
        """Files that are loaded into a conversation; the oldest that are done are forgotten."""
        done = [name for name, other in list(self.loadings.items()) if other.done]
        for name in done[: max(0, len(self.loadings) - _MOST_CACHES)]:
            self.loadings.pop(name, None)
        self.loadings[conversation] = loading

    def remember(self, run: str, choice: Choice) -> None:
        """With what a run goes on that waits for the person: a key, too, so it is kept in no other place than here."""
        with self.lock:
            self.choices[run] = choice

    def recall(self, run: str) -> Choice | None:
        with self.lock:
            return self.choices.get(run)

    def forget(self, run: str) -> None:
        with self.lock:
            self.choices.pop(run, None)

    def forget_loading(self, conversation: str) -> None:
        self.loadings.pop(conversation, None)


def open_services(environ: Mapping[str, str], secrets: Mapping[str, object]) -> Services:
    """All of it, for a process that starts. Raises ``GlassboxError`` where a setting or the store is broken."""
    settings = read_settings(environ, secrets)
    prices = read_prices(settings.prices)
    databases = Databases(settings.databases, settings.private_addresses)
    store = Store(settings.database)
    sandbox = Sandbox()
    of_tables = TableLimits(file=settings.table_megabytes * MEBIBYTE)
    of_documents = DocumentLimits(file=settings.document_megabytes * MEBIBYTE)
    services = Services(
        settings=settings,
        store=store,
        chats=Chats(store),
        prices=prices,
        budget=Budget(store, settings, prices),
        runs=Runs(store, settings.runs),
        capabilities=Capabilities(),
        tables=Tables(store.database, settings.data / "tables", sandbox, of_tables),
        documents=Documents(store.database, settings.data / "documents", sandbox, of_documents),
        shells=Shells(store.database, settings.data / "terminal", sandbox, _private(settings)),
        databases=databases,
        servers=ToolServers(settings),
        own_tools=OwnTools(settings.tools_folder, NAMES),
    )
    files = services.tables, services.documents, services.shells
    Thread(target=_empty_the_bin, args=(services.chats, *files), name="empty the bin", daemon=True).start()
    services.servers.start()
    return services


def _private(settings: Settings) -> tuple[Path, ...]:
    """What of this machine is the app's own."""
    return settings.data, Path(__file__).parents[2], Path.cwd(), Path(expanduser("~"))


def _empty_the_bin(chats: Chats, *files: Folders) -> None:
    """At once, then every hour, as long as the process lives."""
    while True:
        # What fails now is tried again in an hour.
        with suppress(StoreFailed, OSError):
            empty_bin(chats, files, time())
        sleep(_SECONDS_BETWEEN)
