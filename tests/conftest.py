from __future__ import annotations

import atexit
import gc
import logging
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from agent.sandbox.client import Sandbox
from agent.settings import SETTINGS
from agent.store.database import Database
from agent.store.runs import Store
from tests.support.browser import chromium, take_pictures
from tests.support.servers.app_server import CLOUD, AppServer
from tests.support.servers.postgres_server import PostgresServer

# On a developer's machine each run tries other examples; in CI a change is judged by the same ones every time.
settings.register_profile("glassbox", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("glassbox")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="what the fuzz draws its rounds from; a new one each time by default")


def pytest_configure(config: pytest.Config) -> None:
    """Draws the seed before the workers of pytest-xdist start, which are given the options: all have the same."""
    if config.option.seed is None:
        config.option.seed = random.randrange(2**32)


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed: {config.option.seed} (once more with --seed {config.option.seed})"


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """What a test draws chance from; the same one makes it draw the same."""
    print(f"seed: {request.config.option.seed}")  # shown where the test fails, also under ``-q``
    return int(request.config.option.seed)


_LOOPBACK = ("127.", "::1", "localhost")
_RESERVED_FOR_TESTS = (".invalid", ".test")
_reached: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse every connection that leaves the machine, and remember it: swallowed errors still fail the test."""
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        if not host.startswith(_LOOPBACK):
            _reached.append(host)
            raise ConnectionRefusedError(f"tests reach nothing but loopback, not {host}")
    if event == "socket.getaddrinfo":
        host = str(arguments[0])
        if not host.startswith(_LOOPBACK) and not host.endswith(_RESERVED_FOR_TESTS) and arguments[0] is not None:
            _reached.append(host)
            raise ConnectionRefusedError(f"tests reach nothing but loopback, not {host}")


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def only_loopback() -> Any:
    _reached.clear()
    yield
    assert _reached == [], f"the test tried to reach {_reached}"


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store in which nothing was kept yet. Copying it takes a quarter of the time of making it."""
    file = tmp_path_factory.mktemp("empty") / "glassbox.db"
    Database(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def open_store(tmp_path: Path, empty_store: Path) -> Iterator[Callable[..., Store]]:
    """Opens a store (a file in the test's own folder where no URL is given) and closes it when the test is over."""
    opened: list[Store] = []
    usual = tmp_path / "data" / "glassbox.db"

    def open_one(url: str = f"sqlite:///{usual}", folder: Path | None = None) -> Store:
        if url == f"sqlite:///{usual}" and not usual.parent.exists():
            usual.parent.mkdir()
            copyfile(empty_store, usual)
        opened.append(Store(url, folder))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store()


@pytest.fixture
def data_folder(tmp_path: Path, empty_store: Path) -> Path:
    """The test's own folder as the app's, with a store in which nothing was kept yet."""
    copyfile(empty_store, tmp_path / "glassbox.db")
    return tmp_path


@pytest.fixture
def asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's server is not left half a second and more before the next try."""
    monkeypatch.setattr("agent.models.http_client.FIRST_PAUSE", 0.01)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The sandbox of the tables, one for all tests: a start takes it two seconds of work."""
    one = Sandbox()
    yield one
    one.close()


@pytest.fixture(scope="session")
def second_sandbox() -> Iterator[Sandbox]:
    """That of another process on the same files."""
    one = Sandbox()
    yield one
    one.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One PostgreSQL for all tests of the session."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store' / 'glassbox.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    name = f"test_{abs(hash(request.node.nodeid))}"
    server.run(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    return server.url(database=name).replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def database_url(new_database_url: str, tmp_path: Path, empty_store: Path) -> str:
    """A database of either kind for a store; SQLite's has one already, in which nothing was kept yet."""
    if new_database_url.startswith("sqlite"):
        (tmp_path / "store").mkdir()
        copyfile(empty_store, tmp_path / "store" / "glassbox.db")
    return new_database_url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests; each takes a context of its own in it, as a person who was never here."""
    with chromium() as running:
        yield running


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Takes pictures of the tabs that are still open where a browser test fails."""
    report = yield
    if report.when == "call" and report.failed and "browser" in getattr(item, "funcargs", {}):
        for context in item.funcargs["browser"].contexts:  # type: ignore[attr-defined]
            take_pictures(context)
    return report


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """The app without any setting, one for all tests: their visitors are strangers to each other.

    A start and the first page take it three seconds of work. Who needs settings, or kills it, starts one of their own.
    """
    with AppServer(tmp_path_factory.mktemp("demo"), *CLOUD) as running:
        yield running


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Frees the collector of garbage from what is imported and collected, which stays to the end: a tenth less work.

    What the tests make is looked through more seldom than usual, too: parsing the sources takes a third of the time so.

    Each worker of pytest-xdist begins at another one of the files that it was given. All at the same file would all
    rewrite its asserts, five seconds of work in a new clone; so most of them read what another one has written.
    """
    given, files = getattr(session.config, "workerinput", None), session.config.args
    if given and not any("::" in file for file in files):  # tests of one file keep the order they were named in
        begin = len(files) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
        session.config.args = files[begin:] + files[:begin]
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        gc.enable()
        _let_pass_on()


def _let_pass_on() -> None:
    """Has every logger hand what it is told to the one above it, where pytest listens.

    Streamlit's seventy do not; around each phase of each test, pytest would begin and end to listen at all of them.
    """
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True


def pytest_unconfigure() -> None:
    """Looks for garbage whose end complains once, where pytest does it five times, with all that was imported."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # DuckDB's library tells of all that is left of its own as the process ends


# The files of the browser that take half a minute and more, the longest first; the others take less with fewer tests.
_LONG = """
    accessibility tests_in_browser connecting canary japanese tables_browser sharing terminal_in_browser lasting
    providers_in_browser browser run_page visitors tools_in_browser turn_actions approving documents_in_browser
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by the fixtures they take; puts the files that need the browser last, the longest of them first.

    What needs none is quick, and says more of what is wrong. In a process in which Playwright has started, nothing
    else may run an event loop. Of long files and short ones, the short ones leave no worker idle at the end.
    """
    driven = Counter[Path]()
    for item in items:
        taken = getattr(item, "fixturenames", ())
        if "browser" in taken:
            item.add_marker("browser")
            driven[item.path] += 1
        given = getattr(getattr(item, "callspec", None), "params", {})
        if "sandbox" in taken or "postgres" in taken or "postgresql" in map(str, given.values()):
            item.add_marker("system")
    # The same in all workers, whichever file each began with.
    order = {path: number for number, path in enumerate(sorted({item.path for item in items}))}
    long = {f"test_{name}": place for place, name in enumerate(_LONG.split())}
    items.sort(
        key=lambda item: (
            item.path in driven,
            long.get(item.path.stem, len(long)) if item.path in driven else 0,
            -driven[item.path],
            order[item.path],
            item.get_closest_marker("browser") is not None,
        )
    )


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the developer's own environment holds must not reach a test."""
    keys = (setting.variable for setting in SETTINGS if not setting.variable.startswith("GLASSBOX_"))
    for name in (*keys, "OPENAI_BASE_URL", "http_proxy", "HTTP_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
