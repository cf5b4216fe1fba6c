"""Many questions at once on the owner's key, under a cap on money."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
import sqlalchemy as sql

from agent.application.chat_runs import ChatRuns
from agent.application.services import Services, open_services
from agent.application.setup import default_choice
from agent.application.spending.budget import Budget
from agent.application.spending.paid_model import PaidModel
from agent.application.spending.purse import Purse
from agent.errors import BudgetReached, ModelFailed
from agent.events import Answered, Event, Failed, Replied
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.limits import MONEY_USED_UP
from agent.messages import Message, Money, Usage
from agent.models.prices import read_prices
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask
from agent.settings import read_settings
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.views.fold import fold
from agent.views.gauge import cut_short
from tests.support.servers.model_server import ModelServer, Played, Reply
from tests.support.servers.postgres_server import PostgresServer

TOKENS = 4_000  # of a reply, 0.04 US dollars
CAP, REPLY = 0.05, 0.04


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'glassbox.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    server.run("DROP DATABASE IF EXISTS spending", "CREATE DATABASE spending")
    return server.url(database="spending").replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def all_asked() -> Iterator[Flag]:
    """No reply comes before it is set."""
    flag = Flag()
    yield flag
    flag.set()


@pytest.fixture
def opened(tmp_path: Path, database: str) -> Iterator[Callable[[ModelServer], Services]]:
    all_opened: list[Services] = []

    def open_one(server: ModelServer) -> Services:
        environment = {
            "GLASSBOX_DATA": str(tmp_path),
            "GLASSBOX_DATABASE": database,
            "OPENAI_API_KEY": "sk-planted",
            "GLASSBOX_BASE_URL": server.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_PRICES": "m=0/0/10",
            "GLASSBOX_DAY_MONEY": str(CAP),
            "GLASSBOX_RUNS": "50",
            "GLASSBOX_TOOLS": "calculator",
        }
        all_opened.append(open_services(environment, {}))
        return all_opened[-1]

    yield open_one
    for services in all_opened:
        services.tables.sandbox.close()
        services.runs.close()
        services.store.close()


@pytest.mark.parametrize("obeys", [True, False])
def test_fifty_questions_at_once_spend_a_cap_once(
    opened: Callable[[ModelServer], Services], all_asked: Flag, obeys: bool
) -> None:
    """With two processes' services on one store; by at most one reply more where a server takes no ``max_tokens``."""

    def played(body: Mapping[str, Any]) -> Played:
        all_asked.wait()
        tokens = min(TOKENS, body.get("max_tokens", TOKENS)) if obeys else TOKENS
        return Reply("Yes.", usage={"prompt_tokens": 0, "completion_tokens": tokens})

    with ModelServer(played) as server:
        both = [opened(server) for _ in range(2)]
        runs = list[tuple[Services, str]]()
        for number in range(50):
            services, visitor = both[number % 2], f"{number:032}"
            chat_runs = ChatRuns(services, visitor, visitor, default_choice(services.settings))
            runs.append((services, chat_runs.begin("Is it?", "", "")))
        all_asked.set()
        ends = [end_of(services, run) for services, run in runs]
    spent = both[0].budget.meter("0" * 32).money_used
    assert 0 < spent <= (CAP if obeys else CAP + REPLY)
    answered = [end for end in ends if isinstance(end, Answered)]
    refused = [end for end in ends if isinstance(end, Failed)]
    assert len(answered) + len(refused) == 50
    assert answered
    assert {end.reason for end in refused} == {"budget"}
    assert all(" 0.05 US dollars for today" in end.message for end in refused)


def end_of(services: Services, run: str) -> Event:
    while not (followed := services.runs.follow(run)).done:
        pass
    return followed.events[-1]


# --- one run --------------------------------------------------------------------------------------------------------


def paid(store: Store, visitor: str, model: Scripted, most: float = 0.0, **caps: str) -> tuple[str, Budget, PaidModel]:
    """A run of the visitor's, and its model at ten dollars a million tokens of a reply."""
    environment = {f"GLASSBOX_{name.upper()}": value for name, value in caps.items()}
    budget = Budget(store, read_settings(environment), read_prices("scripted=0/0/10"))
    run = store.add_run(store.add_conversation(visitor, "t"))
    return run, budget, PaidModel(model, budget, run, visitor, most)


def test_what_a_run_holds_is_free_again_once_it_has_ended(store: Store) -> None:
    """However it ended: a run of a process that died is ended by another one."""
    run, budget, _ = paid(store, "anna", Scripted([]), day_money="0.05")
    assert budget.hold(run, "anna", 1, 30_000) == 50_000
    assert budget.hold(run, "anna", 1, 40_000) == 50_000, "its own are not counted twice"
    other, budget, _ = paid(store, "bert", Scripted([]), day_money="0.05")
    assert budget.hold(other, "bert", 1, 40_000) == 10_000
    with pytest.raises(BudgetReached, match=r"set aside for questions that are being answered now\. Try again in"):
        budget.hold(other, "bert", 10_001, 40_000)
    store.append(run, [Failed("interrupted", "")])
    assert budget.hold(other, "bert", 10_001, 40_000) == 50_000
    budget.charge("bert", Usage(output=1_000), Money(Decimal("0.045")), other)
    third, budget, _ = paid(store, "carl", Scripted([]), day_money="0.05")
    with pytest.raises(BudgetReached, match=r"does not pay for another reply\. There is more after midnight UTC"):
        budget.hold(third, "carl", 5_001, 5_001)


def test_a_reply_is_cut_where_the_money_ends(store: Store) -> None:
    """A server that takes no notice of ``max_tokens`` and tells no usage is cut here."""
    model = Scripted([" ".join(map(str, range(40_000)))], chunk=40)
    run, budget, chosen = paid(store, "anna", model, visitor_money="0.06", day_money="1")
    events = list(ask(store, run, Question("q"), Agent(chosen, prices=budget.prices), Flag()))
    replied = next(event for event in events if isinstance(event, Replied))
    assert model.requests[0].parameters["max_tokens"] == 6_000
    assert replied.notes[0] == "There was money for 6,000 tokens of this reply."
    assert replied.notes[1:] == (MONEY_USED_UP,)
    assert isinstance(events[-1], Answered)
    assert events[-1].reason == "length"
    assert cut_short(fold(store.events(run))) == "The answer was cut here: the money for it was used up."
    meter = budget.meter("anna")
    assert 0.06 <= meter.money_used <= 0.061
    assert meter.money_used == float(sum(event.price.amount for event in [replied] if event.price))


@pytest.mark.parametrize(("words", "who"), [(6_000, "the money for it was used up"), (500, "The model's server")])
def test_an_answer_that_the_server_cut_says_for_what(store: Store, words: int, who: str) -> None:
    """One that obeys ``max_tokens`` ends a reply at the money; one may have a lower limit of its own."""
    model = Scripted([[Delta(" ".join(map(str, range(words)))), Delta(finish="length")]])
    run, budget, chosen = paid(store, "anna", model, visitor_money="0.08", day_money="1")
    events = list(ask(store, run, Question("q"), Agent(chosen, prices=budget.prices), Flag()))
    replied = next(event for event in events if isinstance(event, Replied))
    assert len(replied.notes) == 2, "for the one, and how much money there was"
    assert who in cut_short(fold(store.events(run)))


def test_a_long_reply_holds_more_as_it_grows(store: Store) -> None:
    model = Scripted([" ".join(map(str, range(20_000)))], chunk=400)
    _, budget, chosen = paid(store, "anna", model, visitor_money="5")
    other, _, _ = paid(store, "anna", Scripted([]), visitor_money="5")
    left = list[float]()
    for delta in chosen.stream(Request((Message("user", "q"),))):
        assert delta.text
        left.append(budget.hold(other, "anna", 0, 0))
    assert [round(5_000_000 - amount) for amount in sorted(set(left), reverse=True)][:3] == [40_960, 81_960, 122_960]
    assert "max_tokens" not in model.requests[0].parameters


def test_a_call_that_fails_before_it_says_anything_costs_nothing(store: Store) -> None:
    model = Scripted([ModelFailed(Text("No."), "auth"), "Yes."])
    _, budget, chosen = paid(store, "anna", model, visitor_money="0.06")
    with pytest.raises(ModelFailed):
        list(chosen.stream(Request((Message("user", "q"),))))
    assert budget.meter("anna").money_used == 0
    other, _, _ = paid(store, "anna", model, visitor_money="0.06")
    assert budget.hold(other, "anna", 1, 1) == 60_000, "and nothing is held"


def test_what_cannot_be_booked_now_is_booked_with_the_next_reply(store: Store) -> None:
    model = Scripted([[Delta("Yes.", usage=Usage(output=1_000))]] * 2)
    _, budget, chosen = paid(store, "anna", model)

    def rename(old: str, new: str) -> None:
        with store.database.begin() as connection:
            connection.execute(sql.text(f"ALTER TABLE {old} RENAME TO {new}"))

    rename("spending", "elsewhere")
    assert [delta.text for delta in chosen.stream(Request((Message("user", "q"),)))] == ["Yes."]
    rename("elsewhere", "spending")
    list(chosen.stream(Request((Message("user", "q"),))))
    assert budget.meter("anna").money_used == 0.02


def test_under_its_own_limit_a_reply_is_short(store: Store) -> None:
    model = Scripted([[Delta("Yes.", usage=Usage(output=1_500))]] * 2)
    _, _, chosen = paid(store, "anna", model, most=0.02)
    for _ in range(2):
        list(chosen.stream(Request((Message("user", "q"),))))
    assert [request.parameters["max_tokens"] for request in model.requests] == [2_000, 1_024]


def test_agents_of_one_run_that_are_asked_at_once_spend_a_cap_once(store: Store) -> None:
    """A model may call as many of them in one reply as it likes; each asks the model of the run."""
    answer = "word " * 3_200  # 4,000 tokens
    model = Scripted([answer] * 8, chunk=400)
    run, budget, chosen = paid(store, "anna", model, day_money=str(CAP))
    begun: list[Iterator[Delta]] = []
    refused = 0
    for _ in range(8):
        reply = iter(chosen.stream(Request((Message("user", "q"),))))
        try:
            next(reply)
            begun.append(reply)
        except BudgetReached:
            refused += 1
    for reply in begun:
        list(reply)
    assert budget.meter("anna").money_used <= CAP * 1.05
    assert begun and refused
    assert store.database.rows(sql.select(RUNS.c.held).where(RUNS.c.id == run)) == [(0,)]


def test_a_reply_that_ended_leaves_others_of_its_run_what_they_hold(store: Store) -> None:
    model = Scripted([[Delta("Yes."), Delta(usage=Usage(output=10))]] * 2)
    _, budget, chosen = paid(store, "anna", model, visitor_money="5")
    other, _, _ = paid(store, "anna", Scripted([]), visitor_money="5")
    first, second = (iter(chosen.stream(Request((Message("user", "q"),)))) for _ in range(2))
    next(first)
    next(second)
    assert budget.hold(other, "anna", 0, 0) == 5_000_000 - 2 * 40_960
    list(first)
    assert budget.hold(other, "anna", 0, 0) == 5_000_000 - 40_960 - 100
    list(second)
    assert budget.hold(other, "anna", 0, 0) == 5_000_000 - 200


def test_tests_run_at_once_spend_a_purse_once() -> None:
    answer = "word " * 3_200  # 4,000 tokens
    purse = Purse(read_prices("scripted=0/0/10"), CAP)
    chosen = PaidModel(Scripted([answer] * 8, chunk=400), purse, "run", "anna")
    begun: list[Iterator[Delta]] = []
    for _ in range(8):
        reply = iter(chosen.stream(Request((Message("user", "q"),))))
        with suppress(BudgetReached):
            next(reply)
            begun.append(reply)
    for reply in begun:
        list(reply)
    assert 0 < purse.spent <= CAP * 1.05
