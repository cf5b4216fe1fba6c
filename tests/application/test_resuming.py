"""Runs whose process is killed, at every place, go on in the next one: nothing is lost, doubled, or done twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

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
    store = open_store(site.settings["GLASSBOX_DATABASE"], Path(site.settings["GLASSBOX_DATA"]) / "processes")
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
