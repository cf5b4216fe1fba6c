"""The card of a model in the background: measured on each wire, found by its model, stopped and resumed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.card_runs import CardRun, card_run, measure, measured_scores
from agent.application.evaluation.evaluation_run import resume, stop
from agent.application.services import Services
from agent.application.setup import Choice, comparable
from agent.errors import BadRequest
from agent.events import Prepared
from agent.sandbox.client import Sandbox
from agent.settings import Secret
from tests.support.app_services import services_with
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.stories import final, react, this_turn
from tests.support.within import done_within

pytestmark = pytest.mark.system
ANNA, BERT = "a" * 32, "b" * 32
SECONDS = 240.0
until = partial(done_within, SECONDS)
ANSWERS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "support" / "card_answers.toml").read_text(encoding="utf-8")
)


@pytest.fixture
def services(tmp_path: Path, sandbox: Sandbox) -> Iterator[Services]:
    environment = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_PRICES": "m=1/1/4"}
    with services_with(environment, sandbox) as opened:
        yield opened


def counts_planets(body: dict[str, Any]) -> Reply:
    """It asks the table of planets, as text and as native calls, and says of all else that it is 7."""
    turn = this_turn(body)
    if "20 moons" not in turn[0]:
        return Reply("It is 7." if "tools" in body else final("It is 7."))
    name, given = ANSWERS["tables-1"]["calls"][0]
    if "tools" in body:
        asked = any(message["role"] == "tool" for message in body["messages"])
        return Reply("3 planets.") if asked else Reply(calls=(Call(name, dict(given)),))
    return Reply(final("3 planets.")) if len(turn) > 1 else Reply(react("I ask.", name, given["sql"]))


def runs_on(services: Services, model: ModelServer, key: str = "") -> ChatRuns:
    return ChatRuns(services, ANNA, "", Choice(endpoint=model.endpoint, model="m", key=Secret(key)))


def found(services: Services, model: ModelServer) -> CardRun:
    known = card_run(services, ANNA, model.endpoint, "m")
    assert known
    return known


def test_a_card_is_measured_stopped_and_resumed_on_both_wires(services: Services) -> None:
    stopped, replies = Flag(), count()

    def play(body: dict[str, Any]) -> Reply:
        return replace(counts_planets(body), gate=stopped if next(replies) > 30 else None)

    with ModelServer(play, key="secret-key-1") as model:
        runs = runs_on(services, model, "secret-key-1")
        assert card_run(services, ANNA, model.endpoint, "m") is None
        measure(runs)
        assert services.evaluations.sets(ANNA) == [], "the questions are not among the visitor's sets"
        assert services.chats.conversations(ANNA) == []
        with pytest.raises(BadRequest, match="being measured already"):
            measure(runs)
        until(lambda: found(services, model).card.done > 3)
        stop(runs, found(services, model).row.id)
        until(lambda: not found(services, model).row.working)
        stopped.set()
        part = found(services, model)
        assert not part.whole and part.row.state == "stopped"
        gone = replace(runs, choice=replace(runs.choice, key=Secret()))
        with pytest.raises(BadRequest, match="was not kept"):
            resume(gone, part.row)
        assert resume(runs, part.row)
        until(lambda: found(services, model).row.state == "done")
        card = found(services, model).card
        assert [(column.wire, column.passed, column.runs) for column in card.columns] == [
            ("react", 1, 40),
            ("native", 1, 40),
        ]
        assert card.columns[0].abilities["tables"].passed == 1
        assert card.money and card.money > 0 and card.tokens > 80_000
        wires = [
            event.wire
            for miss in card.misses
            for event in services.store.events(miss.run)
            if isinstance(event, Prepared)
        ]
        assert wires.count("react") == wires.count("native") == 39
        about = (comparable(model.endpoint), "m")
        assert measured_scores(services, ANNA) == {about: (found(services, model).row.created, 1, 40)}
        assert measured_scores(services, BERT) == {} and card_run(services, BERT, model.endpoint, "m") is None
        first = services.evaluations.sets(ANNA, "card")
        measure(runs)
        assert services.evaluations.sets(ANNA, "card") == first, "the questions are copied once"
        stop(runs, next(iter(services.evaluations.evaluations(ANNA, first[0].id))).id)
        assert "secret-key-1" not in "".join(row.body for row in services.evaluations.evaluations(ANNA, first[0].id))


def test_the_demo_model_has_one_wire(services: Services) -> None:
    measure(ChatRuns(services, ANNA, "", Choice()))
    until(lambda: bool((known := card_run(services, ANNA, "demo", "")) and known.row.state == "done"))
    known = card_run(services, ANNA, "demo", "")
    assert known and [column.wire for column in known.card.columns] == ["react"]
    assert known.whole and known.current and known.card.money is None
    assert known.card.columns[0].passed >= 10
