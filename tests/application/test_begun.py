"""A question is kept from the moment it is asked, whatever happens to the process or to the page after that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.services import open_services
from agent.application.setup import default_choice
from agent.errors import StoreFailed
from agent.events import Asked, Failed, Replied, TextDelta
from agent.store.runs import NotWaiting, Store
from agent.store.unanswered import MOST_IN_QUEUE
from agent.toolkit.base import artifact
from agent.views.fold import fold
from tests.support.servers.app_server import WITHOUT_PROGRAMS
from tests.support.servers.model_server import ModelServer, Reply

VISITOR = "v" * 32
ASKED = Asked("What is 2+2?", 1.0, artifacts=(artifact("image", "a.png", b"picture"),))


@pytest.fixture
def any_store(database_url: str, open_store: Callable[..., Store]) -> Store:
    return open_store(database_url)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """It falls silent in the middle of each reply."""
    gate = Flag()
    with ModelServer(lambda _: Reply("The first line.\nThe second.", gate=gate)) as server:
        yield server
        gate.set()


@pytest.fixture
def runs(tmp_path: Path, server: ModelServer) -> Iterator[ChatRuns]:
    """One run may work at once."""
    environment = {
        "GLASSBOX_DATA": str(tmp_path),
        "GLASSBOX_BASE_URL": server.endpoint,
        "GLASSBOX_MODEL": "m",
        "GLASSBOX_WIRE": "native",
        "GLASSBOX_WINDOW": "8000",
        "GLASSBOX_RUNS": "1",
        **WITHOUT_PROGRAMS,
    }
    services = open_services(environment, {})
    yield ChatRuns(services, VISITOR, "session", default_choice(services.settings))
    services.tables.sandbox.close()
    services.runs.close()
    services.store.close()


def test_a_run_begins_with_its_question_or_not_at_all(any_store: Store) -> None:
    conversation, run = any_store.unanswered.begin(ASKED, VISITOR)
    assert any_store.events(run) == [Asked("What is 2+2?", 1.0, artifacts=ASKED.artifacts)]
    assert any_store.artifact(run, ASKED.artifacts[0].hash) == b"picture"
    with pytest.raises(StoreFailed):  # there is no such conversation
        any_store.unanswered.begin(ASKED, VISITOR, "unknown")
    assert [row.id for row in any_store.runs(conversation)] == [run]
    assert any_store.runs("unknown") == []


def test_what_is_asked_next_waits_its_turn_and_is_asked_once(any_store: Store) -> None:
    unanswered = any_store.unanswered
    conversation, run = unanswered.begin(ASKED, VISITOR)
    for number in range(MOST_IN_QUEUE):
        assert unanswered.enqueue(conversation, f"q{number}")
    assert not unanswered.enqueue(conversation, "one too many")
    queue = unanswered.queue(conversation)
    unanswered.unqueue(conversation, "q1")
    with pytest.raises(NotWaiting):  # another tab was faster
        unanswered.begin(ASKED, VISITOR, conversation, run, queue)
    queue = unanswered.queue(conversation)
    assert queue == ("q0", *(f"q{number}" for number in range(2, MOST_IN_QUEUE)))
    unanswered.begin(ASKED, VISITOR, conversation, run, queue)
    assert unanswered.queue(conversation) == queue[1:]
    assert len(any_store.runs(conversation)) == 2
    for text in queue[1:]:
        unanswered.unqueue(conversation, text)
    assert unanswered.queue(conversation) == ()


def test_a_question_is_stored_before_its_run_has_its_turn(runs: ChatRuns) -> None:
    store = runs.services.store
    first = runs.begin("q1", "", "")
    row = store.run(first)
    assert row
    second = runs.begin("q2", row.conversation, first)
    begun = [asked for run in (first, second) for asked in store.events(run)[:1]]
    assert [asked.question for asked in begun if isinstance(asked, Asked)] == ["q1", "q2"]
    assert runs.services.runs.follow(second, wait=0.0).events == tuple(store.events(second))
    for run in (first, second):
        runs.stop(run)


def test_a_question_that_cannot_be_run_is_kept_with_its_reason(runs: ChatRuns) -> None:
    store = runs.services.store
    run = replace(runs, key_missing=True).begin(" What? ", "", "")
    view, row = fold(store.events(run)), store.run(run)
    assert row
    assert (view.question, view.state, view.reason, row.ended) == ("What?", "failed", "model", "Failed")
    assert view.failure


def test_stopped_while_its_server_is_silent_a_run_has_booked_what_came(runs: ChatRuns) -> None:
    run, came = runs.begin("What is 2+2?", "", ""), ""
    while "The first line." not in came:
        followed = runs.services.runs.follow(run).events
        came = "".join(event.text for event in followed if isinstance(event, TextDelta))
    runs.stop(run)
    while not runs.services.runs.follow(run, 1_000).done:
        pass
    *_, replied, failed = runs.services.store.events(run)
    assert isinstance(replied, Replied)
    assert isinstance(failed, Failed)
    assert (failed.reason, failed.partial) == ("cancelled", "The first line.")
    assert (replied.unfinished, replied.usage.estimated) == (True, True)
    assert replied.usage.output > 0
    assert replied.usage.input > 100, "the prompt was read"
