"""What all visitors of the process share."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from os.path import expanduser
from pathlib import Path
from threading import Thread
from time import sleep, time
from typing import TYPE_CHECKING

from agent.application.latest_values import Kept
from agent.application.setup import Choice
from agent.application.site.file_places import kept_files
from agent.application.site.roll_call import RollCall, keep_telling
from agent.application.spending.budget import Budget
from agent.application.visitor_ids import VisitorIds
from agent.data.databases.connected import Databases
from agent.data.documents.chat_documents import DocumentLimits, Documents
from agent.data.folders import Folders
from agent.data.kept_files.file_store import FilesFailed
from agent.data.pictures import PictureTray
from agent.data.tables.chat_tables import TableLimits, Tables
from agent.data.tables.loading.load_work import MEBIBYTE
from agent.data.tables.uploads import Loading
from agent.events import Event
from agent.evidence import Claim, Earlier, Evidence, Pages, check, read_ahead
from agent.extensions.folder import OwnTools
from agent.extensions.servers import ToolServers
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices, read_prices
from agent.runs.in_flight import Runs
from agent.sandbox.client import Sandbox
from agent.settings import Settings, owner_secrets, read_settings
from agent.sharing.shares import Shares
from agent.sharing.team_shares import TeamShares
from agent.shell.chat_shell import Shells
from agent.store.chats import Chats
from agent.store.evaluations import Evaluations
from agent.store.learned import Learned
from agent.store.model_cards import ModelCards
from agent.store.notes import Notes
from agent.store.runs import Store
from agent.store.site_presets import SitePresets
from agent.telemetry.json_log import write_json
from agent.telemetry.watch import Telemetry
from agent.tools.catalogue import NAMES
from agent.tools.search.search_tool import SearchCache
from agent.web.endpoint import normalise_endpoint

if TYPE_CHECKING:
    from agent.application.connection_test.checks import LiveCheck
    from agent.application.queue.job_queue import JobQueue
    from agent.application.tool_trial import ToolTrial
    from agent.runs.elsewhere.exchange import Exchange

log = logging.getLogger(__name__)
# Files that one process may have open: an open page takes four, one that was left three until it is forgotten.
_FEW_FILES, _ENOUGH_FILES = 4_096, 65_536
_MOST_CACHES = 256
_MOST_CHECKED = 512
_MOST_BEFORE = 5  # turns that an answer is checked after
_MOST_TRAYS = 64  # each may hold 4 MB
_SECONDS_BETWEEN = 3600.0
_LEAVE_SECONDS = 2.0
SECONDS_TO_RESTORE = 24 * 60 * 60.0  # what visitors deleted


@dataclass(frozen=True, slots=True)
class _Checked:
    """What stands behind an answer, and what it was checked after: the claims of each turn before, the first first."""

    known: Evidence
    before: tuple[tuple[Claim, ...], ...]


@dataclass(frozen=True, slots=True)
class Services:
    """What all visitors share: nothing in here belongs to one of them."""

    settings: Settings
    store: Store
    chats: Chats
    notes: Notes
    evaluations: Evaluations
    shares: Shares
    team_shares: TeamShares
    presets: SitePresets
    model_cards: ModelCards
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
    visitor_ids: VisitorIds
    telemetry: Telemetry
    roll_call: RollCall
    queue: JobQueue | None = None
    searches: Kept[SearchCache] = field(default_factory=lambda: Kept(_MOST_CACHES))
    checked: Kept[_Checked] = field(default_factory=lambda: Kept(_MOST_CHECKED))
    pages: Pages = field(default_factory=Pages)  # what those answers were checked against
    # Somebody waits for each of these: the oldest are given up.
    tests: Kept[LiveCheck] = field(default_factory=lambda: Kept(_MOST_CACHES, lambda test: test.give_up()))
    trials: Kept[ToolTrial] = field(default_factory=lambda: Kept(_MOST_CACHES, lambda trial: trial.give_up()))
    # With what a run goes on that waits for the person: a key, too, so it is kept in no other place than here.
    choices: Kept[Choice] = field(default_factory=lambda: Kept(_MOST_CACHES))
    trays: Kept[PictureTray] = field(default_factory=lambda: Kept(_MOST_TRAYS))
    loadings: dict[str, Loading] = field(default_factory=dict[str, Loading])

    def end(self) -> None:
        """At the end of the process: end the runs at work here, or leave them to be taken up, and say that it ends."""
        self.runs.interrupt()
        self.telemetry.close()
        leaving = Thread(target=self.roll_call.leave, name="site: leave", daemon=True)
        leaving.start()
        leaving.join(_LEAVE_SECONDS)  # a database that is silent keeps no process from ending

    def evidence(self, run: str, events: Sequence[Event], earlier: Sequence[Earlier], shared: bool = False) -> Evidence:
        """What stands behind the answer of an ended run, worked out once.

        ``earlier`` are the turns before it that are drawn, of which the last few count. They are fewer as a chat goes
        on, and the answer was checked after more: that stays so. To whom a chat is ``shared``, their secrets are
        struck out.
        """
        key = f"{run}{' shared' if shared else ''}"
        earlier = earlier[-_MOST_BEFORE:]
        before = tuple(turn.claims for turn in earlier)
        checked = self.checked.get(key)
        if checked is None or before != checked.before[max(0, len(checked.before) - len(before)) :]:
            checked = _Checked(check(events, earlier, self.pages), before)
            self.checked.keep(key, checked)
        return checked.known

    def read_ahead(self, events: Sequence[Event]) -> None:
        """Read what a run at work has observed, so that the check of its answer, for which somebody waits, need not."""
        read_ahead(events, self.pages)

    def search_cache(self, conversation: str) -> SearchCache:
        """The conversation's own cache of searches."""
        return self.searches.made(conversation, SearchCache)

    def tray(self, visitor: str, conversation: str) -> PictureTray:
        """The pictures that go with the next question of a visitor's conversation."""
        return self.trays.made(conversation, lambda: PictureTray(self.tables.sandbox, visitor))

    def loading(self, conversation: str) -> Loading | None:
        """The files that are being loaded into a conversation, or were last."""
        return self.loadings.get(conversation)

    def keep_loading(self, conversation: str, loading: Loading) -> None:
        """Files that are loaded into a conversation; the oldest that are done are forgotten."""
        done = [name for name, other in list(self.loadings.items()) if other.done]
        for name in done[: max(0, len(self.loadings) - _MOST_CACHES)]:
            self.loadings.pop(name, None)
        self.loadings[conversation] = loading

    def forget_loading(self, conversation: str) -> None:
        self.loadings.pop(conversation, None)


def allow_files() -> int:
    """Let this process have as many files open as the system allows it, up to 65,536; how many that are.

    Says in the log where they are few. 0 where the system has no such limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _ENOUGH_FILES if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if 0 <= soft < _FEW_FILES:
        log.warning("Only %d files can be open at once: about %d open pages. Raise it with ulimit -n.", soft, soft // 5)
    return max(0, soft)


def open_services(
    environ: Mapping[str, str],
    secrets: Mapping[str, object],
    worker: bool = False,
    sandbox: Sandbox | None = None,
) -> Services:
    """All of it, for a process that starts, or for a ``worker``, which hands its runs to nobody.

    ``sandbox`` is one that the process has already.

    Raises ``GlassboxError`` where a setting or the store is broken.
    """
    allow_files()
    settings = read_settings(environ, secrets)
    if settings.log == "json":
        write_json()
    prices = read_prices(settings.prices)
    databases = Databases(settings.databases, settings.private_addresses)
    sandbox = sandbox or Sandbox()
    of_tables = TableLimits(file=settings.table_megabytes * MEBIBYTE)
    of_documents = DocumentLimits(file=settings.document_megabytes * MEBIBYTE)
    store = Store(settings.database, settings.data / "processes")
    with ExitStack() as undo:  # what is wrong is found anew by every page and probe: nothing of a try may stay
        undo.callback(store.close)
        undo.callback(store.leases.withdraw)
        exchange, queue = _workers(settings, store, worker, undo)
        tables, documents = kept_files(settings, store.database, sandbox)
        if tables:
            undo.callback(tables.copies.close)
        services = Services(
            settings=settings,
            store=store,
            chats=Chats(store),
            notes=Notes(store),
            evaluations=Evaluations(store),
            shares=Shares(store, off=not settings.sharing),
            team_shares=TeamShares(store, off=not settings.sharing),
            presets=SitePresets(store),
            model_cards=ModelCards(store),
            prices=prices,
            budget=Budget(store, settings, prices),
            telemetry=Telemetry(store, environ, owner_secrets(settings)),  # made before the runs, it ends after them
            runs=Runs(store, settings.runs, settings.outage, settings.resume, exchange),
            capabilities=Capabilities(Learned(store), partial(_public_only, settings)),
            tables=Tables(store.database, settings.data / "tables", sandbox, of_tables, tables),
            documents=Documents(store.database, settings.data / "documents", sandbox, of_documents, documents),
            shells=Shells(store.database, settings.data / "terminal", sandbox, _private(settings)),
            databases=databases,
            servers=ToolServers(settings),
            own_tools=OwnTools(settings.tools_folder, NAMES),
            visitor_ids=VisitorIds(store),
            roll_call=RollCall(store.database, store.leases.process),
            queue=queue,
        )
        undo.pop_all()
    keep_telling(services.roll_call, services.runs, "worker" if worker else "web")
    files = services.tables, services.documents, services.shells
    Thread(target=_empty_the_bin, args=(services.chats, *files), name="empty the bin", daemon=True).start()
    services.servers.start()
    return services


def _workers(
    settings: Settings, store: Store, worker: bool, undo: ExitStack
) -> tuple[Exchange | None, JobQueue | None]:
    """What connects this process with its workers, or a ``worker`` with the others, where there are any.

    ``undo`` closes it. Raises ``BadSettings``, ``StoreFailed``.
    """
    if settings.workers == "here":
        return None, None
    from agent.application.queue.job_queue import JobQueue  # only who has workers waits for what they need
    from agent.runs.elsewhere.exchange import Exchange

    queue = JobQueue(store)
    undo.callback(queue.close)
    exchange = Exchange(store)
    undo.callback(exchange.close)
    return exchange, None if worker else queue


def _public_only(settings: Settings, endpoint: str) -> bool:
    """Whether a model at that address, in its usual form, is connected at public addresses alone."""
    own = bool(settings.base_url) and endpoint == normalise_endpoint(settings.base_url)
    return not (own or settings.private_addresses)


def _private(settings: Settings) -> tuple[Path, ...]:
    """What of this machine is the app's own."""
    shared = (Path(settings.files),) if settings.files.startswith("/") else ()
    return settings.data, Path(__file__).parents[2], Path.cwd(), Path(expanduser("~")), *shared


def empty_bin(chats: Chats, files: Iterable[Folders], now: float, first: bool = False) -> int:
    """Remove the conversations deleted too long before ``now`` to be brought back, and their ``files``; how many.

    The ``first`` time, traces of what was removed before are removed, too.
    Raises ``StoreFailed`` where the database does.
    """
    removed = chats.purge(now - SECONDS_TO_RESTORE)
    for kind in files:
        try:
            kind.sweep()
        except FilesFailed as error:  # what is left is removed the next time
            log.warning("files of chats that are gone could not be removed yet: %s", error)
    chats.forget(first or removed > 0)
    return removed


def _empty_the_bin(chats: Chats, *files: Folders) -> None:
    """At once, then every hour, as long as the process lives."""
    first = True
    while True:
        # What fails now is tried again in an hour.
        try:
            empty_bin(chats, files, time(), first)
            first = False
        except Exception:  # the edge: whatever fails, the bin is emptied the next time
            log.exception("the bin could not be emptied")
        sleep(_SECONDS_BETWEEN)
