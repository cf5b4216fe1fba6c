"""Questions that workers answer which were asked elsewhere: on a real PostgreSQL, with workers as they are started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from signal import SIGTERM
from threading import Event as Flag
from time import monotonic
from typing import Any

import psycopg
import pytest
import sqlalchemy as sql

from agent.application.chat_runs import ChatRuns
from agent.application.queue.job_queue import Job, JobQueue
from agent.application.queue.queue_worker import take_run
from agent.application.services import Services, open_services
from agent.application.setup import default_choice
from agent.data.kept_files.shared_folder import NotMounted
from agent.errors import BadSettings
from agent.events import Answered, Event, Failed, Observed, Replied, Resumed, TextDelta, ToolCalled, Waiting
from agent.runs.elsewhere.live_text import CHANNEL, Listener, Message, Speaker, joined
from agent.settings import Secret
from agent.store.schema import RUNS
from agent.views.fold import fold
from tests.support.killed_process import TOOLS
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.servers.postgres_server import PostgresServer
from tests.support.servers.s3_server import BUCKET, S3Server

pytestmark = pytest.mark.system
VISITOR, OTHER = "v" * 32, "w" * 32
numbers = count(1)


class Site:
    """One installation: its settings, and its web processes, of which each is one ``Services``."""

    def __init__(self, postgres: PostgresServer, folder: Path, stack: ExitStack) -> None:
        name = f"queue_{os.getpid()}_{next(numbers)}"
        postgres.run(f"CREATE DATABASE {name}")
        self.replies: list[Reply] = []
        self.model = stack.enter_context(ModelServer(self._play))
        self.database = postgres.url(database=name)
        self._folder, self._stack = folder, stack
        (folder / "tools").mkdir()
        (folder / "tools" / "own.py").write_text(TOOLS)
        self.settings = {
            "GLASSBOX_DATA": str(folder / "data"),
            "GLASSBOX_DATABASE": self.database,
            "GLASSBOX_BASE_URL": self.model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WIRE": "native",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_TOOLS_FOLDER": str(folder / "tools"),
            "GLASSBOX_WORKERS": "queue",
            "GLASSBOX_APPROVE": "send",
        }

    def _play(self, _: Mapping[str, Any]) -> Reply:
        return self.replies.pop(0)

    def web(self, worker: bool = False, **settings: str) -> Services:
        """Another process of the site; ``settings`` are its own."""
        opened = open_services(self.settings | settings, {}, worker)
        self._stack.callback(opened.store.close)
        self._stack.callback(opened.tables.sandbox.close)
        self._stack.callback(opened.runs.close)
        if opened.queue:
            self._stack.callback(opened.queue.close)
        return opened

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[str]]:
        """A worker as an owner starts it, once it is ready."""
        command = [sys.executable, "-m", "agent", "worker"]
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("GLASSBOX_", "OPENAI_"))}
        environment = {**ours, **self.settings, "HOME": str(self._folder)}
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr
            try:
                assert "Worker ready" in running.stderr.readline()
                yield running
            finally:
                running.kill()

    def jobs(self) -> list[tuple[str, int]]:
        """The runs that wait for a worker, and how soon each is taken."""
        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "SELECT args->>'run', priority FROM procrastinate_jobs WHERE lock <> '' ORDER BY id"
            )
            return rows.fetchall()


def asking(services: Services, visitor: str = VISITOR) -> ChatRuns:
    return ChatRuns(services, visitor, "s", default_choice(services.settings))


def followed(services: Services, run: str, enough: Callable[[list[Event]], bool] | None = None) -> list[Event]:
    """The events of a run as a page is shown them, up to where they are ``enough``, or to its end."""
    events: list[Event] = []
    while True:
        more = services.runs.follow(run, len(events))
        events += more.events
        if more.done or (enough and enough(events)):
            return events


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.fixture(scope="module")
def site(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With no worker, but what a test starts."""
    with ExitStack() as stack:
        yield Site(postgres, tmp_path_factory.mktemp("site"), stack)


@pytest.fixture(scope="module")
def web(site: Site) -> Services:
    return site.web()


@pytest.fixture(scope="module")
def second(site: Site) -> Services:
    return site.web()


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "site" not in request.fixturenames:
        return
    site: Site = request.getfixturevalue("site")
    with psycopg.connect(site.database) as connection:
        connection.execute("DELETE FROM procrastinate_jobs WHERE status = 'todo'")
    site.replies.clear()


def test_text_is_live_in_every_process(site: Site, web: Services, second: Services) -> None:
    gate = Flag()
    many = " ".join(f"{number} more" for number in range(300))
    site.replies += [Reply(f"One line. 行 \U0001f9ca\n{many}\nThe last line.", chunk=1, gate=gate)]
    with site.worker() as worker:
        run = asking(web).begin("What is it?", "", "")
        first, late = (
            followed(services, run, lambda events: text_of(events).count("more") == 300) for services in (web, second)
        )
        assert text_of(first).rstrip() == text_of(late).rstrip()
        assert text_of(first).startswith("One line. 行 \U0001f9ca\n0 more 1 more ")
        gate.set()
        for seen, services in ((first, web), (late, second)):
            rest: list[Event] = []
            while not (more := services.runs.follow(run, len(seen) + len(rest))).done:
                rest += more.events
            rest += more.events
            whole = [*seen, *rest]
            stored = [event for event in whole if not isinstance(event, TextDelta)]
            assert stored == services.store.events(run)
            assert isinstance(stored[-1], Answered)
            assert text_of(whole).startswith(text_of(seen))
        worker.send_signal(SIGTERM)
        assert worker.wait() == 0


def test_what_acts_waits_and_goes_on_from_the_other_process(site: Site, web: Services, second: Services) -> None:
    site.replies += [Reply(calls=(Call("send", '{"what": "letter"}'),)), Reply("It is sent.")]
    with site.worker():
        run = asking(web).begin("Send it", "", "")
        waiting = followed(web, run)[-1]
        assert isinstance(waiting, Waiting)
        row = second.store.run(run)
        assert row
        asking(second).decide(row, waiting.call_id, "allowed")
        events = [event for event in followed(second, run) if not isinstance(event, TextDelta)]
        assert [type(event) for event in events[-3:]] == [Observed, Replied, Answered]


def test_a_table_that_was_loaded_here_is_asked_there(site: Site, web: Services) -> None:
    site.replies += [Reply(calls=(Call("query", '{"sql": "SELECT sum(total) FROM sales"}'),)), Reply("It is 12.5.")]
    conversation = web.store.add_conversation(VISITOR, "Sales")
    web.tables.open(VISITOR, conversation).load("sales.csv", BytesIO(b"region,total\nNorth,5\nSouth,7.5\n"))
    with site.worker():
        run = asking(web).begin("How much is it?", conversation, "")
        observed = next(event for event in followed(web, run) if isinstance(event, Observed))
    assert "12.5" in observed.text
    assert not observed.error


def test_a_killed_worker_s_run_is_taken_further(site: Site, web: Services) -> None:
    site.replies += [
        Reply(calls=(Call("look", '{"what": "one"}'),)),
        Reply("It is\nnot yet\nhere.", gate=Flag()),
        Reply("It is\nhere after all."),
    ]
    with site.worker() as worker:
        run = asking(web).begin("Look", "", "")
        followed(web, run, lambda events: "It is" in text_of(events))
        worker.kill()
        worker.wait()
    with site.worker():
        followed(web, run)
    events = web.store.events(run)
    assert isinstance(events[-1], Answered)
    assert events[-1].text == "It is\nhere after all."
    assert sum(isinstance(event, ToolCalled) for event in events) == 1
    assert sum(isinstance(event, Resumed) for event in events) == 1


def test_a_job_that_comes_twice_or_late(site: Site, web: Services) -> None:
    run = asking(web).begin("What?", "", "")
    worker, late = site.web(worker=True), site.web(worker=True)
    gate = Flag()
    site.replies += [Reply("A\nline.", gate=gate)]
    job = Job(run, 0, web.store.leases.process)
    take_run(worker, JobQueue(worker.store), job)
    assert worker.runs.working(run)
    take_run(late, JobQueue(late.store), job)
    assert not late.runs.working(run)
    gate.set()
    followed(web, run)
    take_run(late, JobQueue(late.store), job)
    assert not late.runs.working(run)
    assert [type(event) for event in web.store.events(run)][-1] is Answered


REFUSING = """
    CREATE SEQUENCE refused;
    CREATE FUNCTION refuse() RETURNS trigger AS $$
    BEGIN
        IF nextval('refused') <= 2 THEN RAISE EXCEPTION 'not now'; END IF;
        RETURN NEW;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER refusing BEFORE UPDATE ON runs FOR EACH ROW
        WHEN (OLD.process <> NEW.process AND NEW.process <> '') EXECUTE FUNCTION refuse();
"""


def test_one_that_cannot_be_taken_at_once_keeps_its_turn(site: Site, web: Services) -> None:
    site.replies += [Reply("It is here.")]
    run, ends = asking(web).begin("What?", "", ""), monotonic() + 20
    with psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute(REFUSING)
        try:
            with site.worker():
                followed(web, run, lambda _: monotonic() > ends)
            refused = connection.execute("SELECT last_value FROM refused").fetchone()
        finally:
            connection.execute("DROP TRIGGER refusing ON runs; DROP FUNCTION refuse; DROP SEQUENCE refused")
    assert refused and refused[0] > 2
    assert isinstance(web.store.events(run)[-1], Answered)


def test_one_whose_job_was_lost_gets_another(site: Site, web: Services) -> None:
    site.replies += [Reply("It is here.")]
    run, ends = asking(web).begin("What?", "", ""), monotonic() + 30
    with psycopg.connect(site.database) as connection:
        assert connection.execute("DELETE FROM procrastinate_jobs WHERE lock = %s", (run,)).rowcount == 1
    with site.worker():
        followed(web, run, lambda _: monotonic() > ends)
    assert isinstance(web.store.events(run)[-1], Answered)


def test_one_of_which_nothing_is_known_any_more_ends(site: Site, web: Services) -> None:
    run = asking(web).begin("What?", "", "")
    web.store.database.change(sql.update(RUNS).where(RUNS.c.id == run).values(choice=""))
    worker = site.web(worker=True)
    take_run(worker, JobQueue(worker.store), Job(run, 0, ""))
    ended = web.store.events(run)[-1]
    assert isinstance(ended, Failed)
    assert ended.reason == "interrupted"


def test_the_queue_has_places_and_an_end(web: Services, second: Services) -> None:
    one, two = (asking(web).begin(text, "", "") for text in ("One?", "Two?"))
    assert [services.runs.follow(one, 1, wait=0.0).place for services in (web, second)] == [1, 1]
    assert second.runs.follow(two, 1, wait=0.0).place == 2
    asking(second).stop(one)
    assert isinstance(followed(web, one)[-1], Failed)
    asking(web).stop(two)
    assert isinstance(followed(second, two)[-1], Failed)


def test_a_run_at_work_is_stopped_from_another_process(site: Site, web: Services, second: Services) -> None:
    site.replies += [Reply("A first\nand a second\nline.", gate=Flag())]
    run = asking(web).begin("What?", "", "")
    worker = site.web(worker=True)
    take_run(worker, JobQueue(worker.store), Job(run, 0, web.store.leases.process))
    followed(web, run, lambda events: "A" in text_of(events))
    asking(second).stop(run)
    ended = followed(second, run)[-1]
    assert isinstance(ended, Failed)
    assert ended.reason == "cancelled"


def test_who_asks_for_much_waits_longer(site: Site, web: Services) -> None:
    before = {run for run, _ in site.jobs()}
    mine = [asking(web).begin("Mine?", "", "") for _ in range(3)]
    other = asking(web, OTHER).begin("Theirs?", "", "")
    soon = {run: priority for run, priority in site.jobs() if run not in before}
    assert soon[mine[0]] == soon[other] > soon[mine[1]] > soon[mine[2]]
    for run in (*mine, other):
        asking(web).stop(run)


def test_what_one_process_alone_has_is_worked_on_there(site: Site, web: Services) -> None:
    runs, before = asking(web), site.jobs()
    site.replies += [Reply("One."), Reply("Two.")]
    keyed = replace(runs, choice=replace(runs.choice, key=Secret("sk-own")))
    run = keyed.begin("What?", "", "")
    assert text_of(followed(web, run)) == "One."
    row = web.store.run(run)
    assert row
    again = runs.merged(row, fold(web.store.events(run)))  # how it is to be understood is stored nowhere
    assert site.jobs() == before
    followed(web, again)
    assert isinstance(web.store.events(again)[-1], Answered | Failed)
    with psycopg.connect(site.database) as connection:
        kept = connection.execute("SELECT string_agg(args::text, ' ') FROM procrastinate_jobs").fetchone()
        assert kept
        assert "sk-own" not in str(kept)


@pytest.mark.parametrize(
    "said", ["", "hello", "[]", "[1]", '{"run": 1}', '["r", "x", 0, []]', '["r", 1, 0, [["answer"]]]', "[" * 500]
)
def test_who_else_speaks_there_harms_nothing(site: Site, web: Services, said: str) -> None:
    run = asking(web).begin("What?", "", "")
    assert web.runs.follow(run, 0, wait=0.0).events
    with psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, said))
        connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, json.dumps([run, 1, 0, [["answer", "heard"]]])))
    assert text_of(followed(web, run, lambda events: bool(text_of(events)))) == "heard"
    asking(web).stop(run)


def test_text_of_any_letters_in_any_order_is_told(site: Site) -> None:
    heard: list[Message] = []
    listens, arrived = Flag(), Flag()
    pieces = [TextDelta("answer", "\U0001f9ca" * 3_000)]
    pieces += [TextDelta(channel, "行") for _ in range(1_000) for channel in ("thought", "answer")]

    def hear(message: Message) -> None:
        heard.append(message)
        if sum(each.characters for each in heard) == 5_000:
            arrived.set()

    with ExitStack() as stack:
        listener, speaker = Listener(site.database, hear, listens.set), Speaker(site.database)
        stack.callback(listener.close)
        stack.callback(speaker.close)
        listener.start()
        assert listens.wait(10)
        speaker.begin("r", 1)
        speaker.tell("r", pieces)
        speaker.start()
        assert arrived.wait(10), "PostgreSQL takes no message of 8,000 bytes"
    told = [piece for message in heard for piece in message.text]
    assert "".join(text for channel, text in told if channel == "answer") == "\U0001f9ca" * 3_000 + "行" * 1_000


def test_pieces_are_told_together() -> None:
    pieces = [
        Message("a", 1, 0, (("answer", "x"),)),
        Message("b", 1, 0, (("thought", "y"),)),
        Message("a", 1, 1, (("answer", "z"),)),
        Message("a", 1, 2, (("thought", "w"),)),
        Message("a", 2, 0, ()),
        Message("a", 2, 0, (("answer", "\U0001f9ca" * 600),)),
        Message("a", 2, 600, (("answer", "u"),)),
    ]
    told = joined(pieces)
    assert told[0] == Message("a", 1, 0, (("answer", "xz"), ("thought", "w")))
    assert [message for message in told if message.run == "b"] == [pieces[1]]
    assert all(len(json.dumps(message)) < 8_000 for message in told)
    assert "".join(text for message in told for _, text in message.text if message.run == "a") == "".join(
        text for message in pieces for _, text in message.text if message.run == "a"
    )


def test_without_postgresql_it_is_refused(tmp_path: Path) -> None:
    settings = {"GLASSBOX_DATA": str(tmp_path), "GLASSBOX_WORKERS": "queue"}
    with pytest.raises(BadSettings, match="PostgreSQL"):
        open_services(settings, {})


def test_of_a_start_that_fails_nothing_stays(site: Site, tmp_path: Path) -> None:
    before = {*threading.enumerate()}
    for wrong in ({"GLASSBOX_FILES": str(tmp_path / "none")}, {"GLASSBOX_DAY_MONEY": "1", "OPENAI_API_KEY": "sk-site"}):
        with pytest.raises((BadSettings, NotMounted)):  # as often as a page or a probe asks
            open_services(site.settings | wrong, {})
    left = {*threading.enumerate()} - before
    for thread in left:
        thread.join(5)
    assert [thread.name for thread in left if thread.is_alive()] == []


def test_a_worker_that_is_not_used_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "agent", "worker"]
    environment = {**os.environ, "GLASSBOX_DATA": str(tmp_path), "GLASSBOX_WORKERS": "here"}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "GLASSBOX_WORKERS" in told.stderr


def test_default_has_no_queue(tmp_path: Path) -> None:
    code = "import sys; from agent.application import services; print([n for n in sys.modules if 'procrastinate' in n])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert told.stdout.strip() == "[]"


def test_a_table_of_a_web_process_is_asked_by_a_worker_with_a_folder_of_its_own(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        s3 = stack.enter_context(S3Server())
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        site = Site(postgres, tmp_path, stack)
        site.settings |= {"GLASSBOX_FILES": f"s3://{BUCKET}/chats"}
        web = site.web(GLASSBOX_DATA=str(tmp_path / "elsewhere"))
        chat = web.store.add_conversation(VISITOR, "Sales")
        web.tables.open(VISITOR, chat).load("sales.csv", BytesIO(b"region,total\nNorth,5\nSouth,7.5\n"))
        ask_it = Call("query", '{"sql": "SELECT sum(total) AS total FROM sales"}')
        site.replies += [Reply(calls=(ask_it,)), Reply("It is 12.5.")]
        with site.worker():
            run = asking(web).begin("What is the total?", chat, "")
            events = followed(web, run)
        (observed,) = [event for event in events if isinstance(event, Observed)]
        assert not observed.error and "12.5" in observed.text
        assert isinstance(events[-1], Answered)
        assert [entry.name for entry in (tmp_path / "data" / "copies").iterdir()]  # in the worker's own
        assert not (tmp_path / "data" / "tables").exists()
