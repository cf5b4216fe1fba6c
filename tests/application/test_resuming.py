"""Runs whose process is killed, at every place, go on in the next one: nothing is lost, doubled, or done twice."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from agent.application.recovery import MOST_TIMES
from agent.events import Answered, Event, Failed, Observed, Replied, Resumed, ToolCalled, Waiting
from agent.sharing.import_order import disorder
from agent.store.runs import Store
from tests.support.killed_process import TOOLS, Processes, processes
from tests.support.servers.model_server import Call, ModelServer, Reply

pytestmark = pytest.mark.system


def play(body: dict[str, Any]) -> Reply:
    """First something that acts beside a look, then another look, then the answer."""
    match sum(message["role"] == "tool" for message in body["messages"]):
        case 0:
            return Reply(calls=(Call("send", '{"what": "letter"}'), Call("look", '{"what": "one"}')))
        case 2:
            return Reply(calls=(Call("look", '{"what": "two"}'),))
        case _:
            return Reply("All of it is done.", chunk=4, delay=0.01)


@pytest.fixture(scope="module")
def forked() -> Iterator[Processes]:
    with processes() as running:
        yield running


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(play) as server:
        yield server


class Site:
    """One installation, whose processes come and go."""

    def __init__(self, forked: Processes, model: ModelServer, url: str, folder: Path) -> None:
        self._forked, self._folder = forked, folder
        (folder / "tools").mkdir(parents=True, exist_ok=True)
        (folder / "tools" / "own.py").write_text(TOOLS)
        self.settings = {
            "GLASSBOX_DATA": str(folder / "data"),
            "GLASSBOX_DATABASE": url,
            "GLASSBOX_BASE_URL": model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WIRE": "native",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_TOOLS_FOLDER": str(folder / "tools"),
        }

    def process(self, **told: object) -> int:
        return self._forked.run(settings=self.settings, note=str(self._folder / "run"), **told)

    def fresh(self) -> None:
        (self._folder / "tools" / "calls").write_text("")

    def store(self, open_store: Callable[..., Store]) -> Store:
        """Where its processes keep their runs."""
        return open_store(self.settings["GLASSBOX_DATABASE"], Path(self.settings["GLASSBOX_DATA"]) / "processes")

    @property
    def number(self) -> int:
        """That of the process that was run last."""
        return int((self._folder / "run.process").read_text())

    @property
    def run(self) -> str:
        return (self._folder / "run").read_text()

    @property
    def calls(self) -> Counter[str]:
        return Counter((self._folder / "tools" / "calls").read_text().split("\n")[:-1])


@pytest.fixture
def site(forked: Processes, model: ModelServer, database_url: str, tmp_path: Path) -> Site:
    return Site(forked, model, database_url, tmp_path)


def sound(events: list[Event]) -> None:
    """What the events of every run are, that was killed or not: in order, each once, with one end."""
    assert disorder(events) is None
    called = [event.call_id for event in events if isinstance(event, ToolCalled)]
    seen = [event.call_id for event in events if isinstance(event, Observed)]
    assert sorted(called) == sorted(set(called)) == sorted(seen)
    assert sum(isinstance(event, Replied) for event in events) == 3
    assert sum(isinstance(event, Answered | Failed) for event in events) == 1


def to_its_end(site: Site, store: Store, decision: str) -> tuple[list[Event], bool]:
    """The events of the run once it has ended, and whether it asked on its way."""
    assert site.process() == 0
    events = store.events(site.run)
    asked = isinstance(events[-1], Waiting)
    if isinstance(events[-1], Waiting):
        assert events[-1].again
        assert site.process(decision=decision) == 0
    return store.events(site.run), asked


def test_killed_at_every_write_and_in_every_tool(site: Site, open_store: Callable[..., Store]) -> None:
    store = site.store(open_store)
    places: list[dict[str, object]] = [
        {"tool": "look"},
        {"tool": "send"},
        *({"place": n} for n in range(0, 40, 2 if "sqlite" in site.settings["GLASSBOX_DATABASE"] else 5)),
    ]
    killed = asked = 0
    for number, place in enumerate(places):
        site.fresh()
        decision = ("allowed", "denied")[number % 2]
        if site.process(question="Do it.", **place) != SIGKILL:
            assert "place" in place
            break  # it has no more places than that
        killed += 1
        events, waited = to_its_end(site, store, decision)
        asked += waited
        sound(events)
        assert isinstance(events[-1], Answered), place
        assert sum(isinstance(event, Resumed) for event in events) <= 1  # none where its end was stored
        assert site.calls["send letter"] <= 1 + (waited and decision == "allowed"), place
        assert site.calls["look one"] >= 1 <= site.calls["look two"]
        if not waited or decision == "allowed":
            assert site.calls["send letter"] >= 1, place
    assert killed >= 5
    assert 0 < asked < killed


def killing(site: Site, times: int) -> Callable[[dict[str, Any]], Reply]:
    """As ``play``, but each of the first so many requests for the answer kills the process that sent it."""
    left = [times]

    def played(body: dict[str, Any]) -> Reply:
        if sum(message["role"] == "tool" for message in body["messages"]) == 3 and left[0]:
            left[0] -= 1
            os.kill(site.number, SIGKILL)
            return Reply(silent=True)
        return play(body)

    return played


@pytest.fixture
def local(forked: Processes, tmp_path: Path) -> Iterator[tuple[Site, ModelServer]]:
    """An installation on SQLite, and its model's server, to be told what to play."""
    with ModelServer(play) as server:
        url = f"sqlite:///{tmp_path / 'glassbox.db'}"
        yield Site(forked, server, url, tmp_path), server


def test_a_reply_in_flight_is_asked_for_again_and_booked_twice(
    local: tuple[Site, ModelServer], open_store: Callable[..., Store]
) -> None:
    site, server = local
    server.play(killing(site, 2))
    assert site.process(question="Do it.") == SIGKILL
    assert site.process() == SIGKILL  # once more, as it was taken up
    assert site.process() == 0
    events = site.store(open_store).events(site.run)
    sound(events)
    resumed = [event for event in events if isinstance(event, Resumed)]
    assert len(resumed) == 2
    assert all(event.usage.estimated and event.usage.input > 0 for event in resumed)
    assert isinstance(events[-1], Answered)
    assert site.calls == Counter({"send letter": 1, "look one": 1, "look two": 1})
    assert len(server.requests) == 5  # three replies, of which the last was asked for three times


def test_a_run_that_ends_its_process_again_and_again_is_ended(
    local: tuple[Site, ModelServer], open_store: Callable[..., Store]
) -> None:
    site, server = local
    server.play(killing(site, 9))
    assert site.process(question="Do it.") == SIGKILL
    assert [site.process() for _ in range(MOST_TIMES)] == [SIGKILL] * MOST_TIMES
    assert site.process() == 0
    failed = site.store(open_store).events(site.run)[-1]
    assert isinstance(failed, Failed)
    assert failed.reason == "interrupted"
    assert "again and again" in failed.message
    assert site.calls == Counter({"send letter": 1, "look one": 1, "look two": 1})


def test_a_run_on_a_typed_key_ends_and_says_why(
    local: tuple[Site, ModelServer], open_store: Callable[..., Store], tmp_path: Path
) -> None:
    site, server = local
    server.play(killing(site, 1))
    assert site.process(question="Do it.", key="typed-secret-1") == SIGKILL
    assert site.process() == 0
    store = site.store(open_store)
    failed = store.events(site.run)[-1]
    assert isinstance(failed, Failed)
    assert "your key went with it" in failed.message
    assert store.choice(site.run) == ""
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"typed-secret-1" not in kept


def test_without_resuming_a_lost_run_is_ended(
    local: tuple[Site, ModelServer], open_store: Callable[..., Store]
) -> None:
    site, server = local
    server.play(killing(site, 1))
    site.settings["GLASSBOX_RESUME"] = "no"
    assert site.process(question="Do it.") == SIGKILL
    assert site.process() == 0
    events = site.store(open_store).events(site.run)
    assert isinstance(events[-1], Failed)
    assert events[-1].reason == "interrupted"
    assert not any(isinstance(event, Resumed) for event in events)
