"""Two web processes and two workers behind HAProxy with the configuration that owners are given, on PostgreSQL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from decimal import Decimal
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import monotonic, sleep

import pytest
import sqlalchemy as sql

from agent.events import Event, Failed
from agent.store.runs import Store
from agent.store.schema import LOADED, RUNS, SPENDING
from tests.support.page_socket import PageSocket, pressed, set_up_signing_in, signed_in
from tests.support.servers.app_server import ROOT, START_SECONDS, AppServer, free_port
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.postgres_server import PostgresServer
from tests.support.servers.prompt_server import PromptServer
from tests.support.servers.proxy_server import PAGE, ProxyServer

pytestmark = pytest.mark.system
COOKIE = "glassbox_visitor"
ANN = {"email": "ann@example.com", "sub": "7"}
# A reply of a thousand tokens, at ten dollars a million, is a cent; for fewer than these no reply is begun.
LONG, FEWEST, DOLLARS, CAP = 1_000, 256, Decimal("0.00001"), Decimal("0.20")


class Site:
    """One installation as ``deploy/compose.yaml`` has it, on loopback."""

    def __init__(self, postgres: PostgresServer, folder: Path, stack: ExitStack) -> None:
        name = f"proxy_{os.getpid()}"
        postgres.run(f"CREATE DATABASE {name}")
        self.gate, self.written = Flag(), 0
        self.model = stack.enter_context(ModelServer(self._play))
        settings = {
            "GLASSBOX_DATA": str(folder / "data"),
            "GLASSBOX_DATABASE": postgres.url(database=name),
            "GLASSBOX_WORKERS": "queue",
            "GLASSBOX_BASE_URL": self.model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_PRICES": "m=0/0/10",
            "GLASSBOX_DAY_MONEY": str(CAP),
            "OPENAI_API_KEY": "sk-of-the-owner",
        }
        port = free_port()
        self.webs: dict[str, AppServer] = {}
        for address in ("127.0.0.2", "127.0.0.3"):
            its = folder / address
            its.mkdir()
            self.webs[address] = web = AppServer(its, **settings)
            web.address, web.port = address, port
        self.proxy = ProxyServer(folder, list(self.webs), port)
        for web in self.webs.values():
            set_up_signing_in(web.folder, self.proxy.port)
        self._workers = [self._worker(settings | {"HOME": str(folder)}) for _ in range(2)]
        for worker in self._workers:
            stack.callback(worker.communicate)
            stack.callback(worker.kill)
        for web in self.webs.values():
            stack.enter_context(web)
        for worker in self._workers:
            assert worker.stderr and "Worker ready" in worker.stderr.readline()
        stack.enter_context(self.proxy)
        self.store = Store(settings["GLASSBOX_DATABASE"])
        stack.callback(self.store.close)

    def _play(self, body: dict[str, object]) -> Reply:
        if "slowly" in str(body["messages"]):
            return Reply("Elephants march\nThe end.", usage={}, gate=self.gate)
        tokens = min(LONG, int(str(body.get("max_tokens", LONG))))
        self.written += tokens
        return Reply("A cent.", usage={"prompt_tokens": 9, "completion_tokens": tokens, "total_tokens": 9 + tokens})

    def _worker(self, settings: dict[str, str]) -> subprocess.Popen[str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("GLASSBOX_", "OPENAI_"))}
        command = [sys.executable, "-m", "agent", "worker"]
        return subprocess.Popen(command, cwd=ROOT, env=ours | settings, stderr=subprocess.PIPE, text=True)

    def new_visitor(self) -> dict[str, str]:
        """The cookies of a browser after its first page."""
        with PageSocket(self.proxy.port, {}) as page:
            page.draw()
            assert page.keep_visitor() == 204
            return page.cookies

    def open_runs(self) -> int:
        return len(self.store.database.rows(sql.select(RUNS.c.id).where(RUNS.c.ended == "")))

    def all_ended(self) -> None:
        end = monotonic() + START_SECONDS * 2
        while self.open_runs():
            assert monotonic() < end, f"{self.open_runs()} runs have not ended"
            sleep(0.05)


@pytest.fixture(scope="module")
def site(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(postgres, tmp_path_factory.mktemp("site"), stack)


def test_a_first_visit_stays_with_one_process_and_large_files_come_through(site: Site) -> None:
    rows = "".join(f"{number},{'x' * 90}\n" for number in range(40_000))
    with PageSocket(site.proxy.port, {}) as page:
        page.draw()  # no cookie yet
        assert page.keep_visitor() == 204
        assert site.proxy.stays_with(page.cookies[COOKIE]) in site.webs
        # 3.7 MB, of which a proxy's usual limit (nginx: 1 MB) would refuse most.
        page.send(page.question("", ("large.csv", f"number,text\n{rows}".encode())))
        page.shows("40,000 rows")
        assert len(site.store.database.rows(sql.select(LOADED.c.name).where(LOADED.c.name == "large"))) == 1


def test_a_reload_goes_on_with_the_other_process_and_stops_there(site: Site) -> None:
    cookies = site.new_visitor() | signed_in(site.proxy.port, **ANN)
    with PageSocket(site.proxy.port, cookies) as page:
        page.draw()
        assert "Signed in as ann" in page.drawn
        page.send(page.question("Count slowly"))
        page.shows("Elephants march")
        query, first = page.query, site.proxy.stays_with(cookies[COOKIE])
    (second,) = set(site.webs) - {first}
    site.webs[first].end()
    try:
        with PageSocket(site.proxy.port, cookies, query) as page:
            page.send()
            page.shows("Elephants march")
            assert "Signed in as ann" in page.drawn
            page.send(pressed(page.widgets["stop"]))
            site.all_ended()
        assert site.proxy.stays_with(cookies[COOKIE]) == second
        (run,) = site.store.runs(query.removeprefix("c="))
        assert last(site, run.id).reason == "cancelled"
    finally:
        site.gate.set()
        site.webs[first].start()
        site.proxy.wait_for(*site.webs)


def last(site: Site, run: str) -> Failed:
    event: Event = site.store.events(run)[-1]
    assert isinstance(event, Failed)
    return event


def test_an_idle_websocket_is_not_cut(site: Site) -> None:
    with PageSocket(site.proxy.port, {}) as page:
        page.draw()
        (idle,) = [line for line in site.proxy.told("show sess").splitlines() if "be=web" in line]
        # What HAProxy says itself: after how long a silence of either side it ends the open connection.
        silences = re.findall(r" r[qp]\[.*?rx=(\w+)", idle)
        assert len(silences) == 2 and all(re.match(r"1h|5\dm", silence) for silence in silences), idle


def test_what_only_the_checks_may_ask_is_not_for_strangers(site: Site) -> None:
    for path in ("/glassbox-ready", "/glassbox%2dready", "/%67lassbox-ready?x=1", "//glassbox-ready"):
        assert site.proxy.get(path) == 404, path
    assert site.proxy.get("/_stcore/health") == 200


def test_while_none_is_ready_people_stay_with_the_process_that_they_were_with(tmp_path: Path) -> None:
    """The process itself says that the database is away, and its page comes back."""
    ready, port = Flag(), free_port()
    ready.set()

    class Web(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if ready.is_set() or not self.path.endswith("ready") else 503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ExitStack() as stack:
        for address in ("127.0.0.2", "127.0.0.3"):
            web = stack.enter_context(PromptServer((address, port), Web))
            Thread(target=web.serve_forever, daemon=True).start()
            stack.callback(web.shutdown)
        proxy = stack.enter_context(ProxyServer(tmp_path, ["127.0.0.2", "127.0.0.3"], port))
        assert proxy.get("/", f"{COOKIE}=known") == 200
        with_whom = proxy.stays_with("known")
        ready.clear()
        proxy.wait_for()
        assert proxy.get("/", f"{COOKIE}=known") == 200
        assert proxy.get("/", f"{COOKIE}=new") == 503
        assert proxy.stays_with("known") == with_whom


def test_while_no_process_is_there_people_see_a_page_that_looks_again(tmp_path: Path) -> None:
    """From the proxy's own start, before any web process is up."""
    with ProxyServer(tmp_path, [], free_port()) as proxy:
        for path, cookie in (("/", ""), ("/?c=1", f"{COOKIE}=known"), ("/_stcore/health", "")):
            status, headers, page = proxy.page(path, cookie)
            assert (status, headers["content-type"]) == (503, "text/html; charset=utf-8"), path
            assert headers["cache-control"] == "no-store" and int(headers["retry-after"]) < 10
        assert page == PAGE.read_text(encoding="utf-8").partition("\n\n")[2]
    assert "Nothing is lost" in page and "location.reload()" in page and 'http-equiv="refresh"' in page
    assert "prefers-color-scheme: dark" in page and 'lang="ja"' in page
    assert not re.findall(r"https?:|//[a-z]|src=|<link|@import|url\(", page), "it loads nothing"


@pytest.mark.slow
def test_a_hundred_questions_at_once_are_paid_from_one_budget(site: Site) -> None:
    with PageSocket(site.proxy.port, {}) as page:
        page.draw()
        box = page.widgets["question"]
    before, written = spent(site), site.written

    def ask(number: int) -> None:
        """As somebody whose page was open when its server was stopped: the first that it asks for is the question."""
        with PageSocket(site.proxy.port, {}) as page:
            page.widgets["question"] = box
            page.send(page.question(f"Question {number}"))
            page.until(lambda page, _: "c=" in page.query, "page_info_changed")

    for at_once in (100, 10, 10):  # those that found all that was left set aside for others ask again
        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(ask, range(at_once)))
        site.all_ended()
        assert spent(site) <= CAP
    assert spent(site) - before == (site.written - written) * DOLLARS
    assert CAP - spent(site) < FEWEST * DOLLARS, "there was more to be had"
    assert all(count > 20 for count in site.proxy.visits().values())


def spent(site: Site) -> Decimal:
    """US dollars of all visitors together today, which is what those of each add up to."""
    rows = site.store.database.rows(sql.select(SPENDING.c.visitor, SPENDING.c.micros))
    together = sum(micros for visitor, micros in rows if visitor == "*")
    assert together == sum(micros for visitor, micros in rows if visitor != "*")
    return Decimal(together) / 1_000_000
