from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from agent.application.spending.budget import Budget, Meter
from agent.errors import BadRequest, BadSettings, BudgetReached, ForTheUser, StoreFailed
from agent.messages import Money, Usage
from agent.models.prices import read_prices
from agent.settings import Settings, read_settings
from agent.store.runs import Store

OpenStore = Callable[..., Store]
ANNA, BERT = "a" * 32, "b" * 32
OWNER = {"OPENAI_API_KEY": "sk-planted", "GLASSBOX_MODEL": "gpt-4o"}
USAGE = Usage(1000, 0, 200)
DAY = 86_400.0


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


NOON = at("2026-11-21T12:00:00")


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def settings_of(**caps: str) -> Settings:
    return read_settings(OWNER | {f"GLASSBOX_{name.upper()}": value for name, value in caps.items()})


def budget_of(store: Store, clock: Clock | None = None, /, **caps: str) -> Budget:
    return Budget(store, settings_of(**caps), read_prices(), clock or Clock())


def dollars(amount: str) -> Money:
    return Money(Decimal(amount))


def refused(budget: Budget, visitor: str) -> str:
    with pytest.raises(BudgetReached) as caught:
        budget.take(visitor)
    assert isinstance(caught.value, ForTheUser)
    return str(caught.value)


def test_without_caps_everything_is_counted_and_nothing_refused(store: Store) -> None:
    budget = budget_of(store)
    for _ in range(50):
        budget.take(ANNA)
    budget.charge(ANNA, USAGE, dollars("1000"))
    assert budget.left(ANNA) is None
    assert budget.meter(ANNA) == Meter(50, 0, 1000.0, 0.0)


def test_messages_of_a_visitor(store: Store) -> None:
    budget = budget_of(store, visitor_messages="2")
    budget.take(ANNA)
    budget.take(ANNA)
    for _ in range(2):
        assert refused(budget, ANNA) == (
            "You have used your 2 messages for today. There is more after midnight UTC, in about 12 hours. "
            "Until then use the demo model, or connect a model with your own key."
        )
    budget.take(BERT)
    assert budget.meter(ANNA) == Meter(2, 2, 0.0, 0.0)
    assert budget.meter(BERT).messages_used == 1
    assert budget.meter("c" * 32).messages_used == 0
    assert budget.left(ANNA) is None


def test_messages_of_all_visitors(store: Store) -> None:
    budget = budget_of(store, day_messages="3", visitor_messages="2")
    budget.take(ANNA)
    budget.take(ANNA)
    assert refused(budget, ANNA).startswith("You have used your 2 messages for today.")
    assert budget.meter(BERT) == Meter(2, 3, 0.0, 0.0), "refused ones not counted"
    budget.take(BERT)
    for visitor in (ANNA, BERT, "c" * 32):
        assert refused(budget, visitor).startswith("This site's visitors have together used its 3 messages for today.")
    assert refused(budget_of(store, day_messages="1"), ANNA).startswith(
        "This site's visitors have together used its 1 message for today."
    )


def test_money(store: Store) -> None:
    budget = budget_of(store, visitor_money="0.5", day_money="0.75")
    assert budget.left(ANNA) == 0.5
    budget.take(ANNA)
    budget.charge(ANNA, USAGE, dollars("0.4999995"))
    assert budget.left(ANNA) == 0.000001, "rounded up to whole micro-dollars, and never nothing"
    assert budget.left(BERT) == 0.25
    assert refused(budget, ANNA).startswith(
        "You have used your 0.50 US dollars for today. There is more after midnight"
    )
    budget.take(BERT)
    budget.charge(BERT, USAGE, dollars("0.5"))
    assert budget.left(BERT) == 0.000001
    assert refused(budget, "c" * 32).startswith(
        "This site's visitors have together used its 0.75 US dollars for today."
    )
    meter = budget.meter(BERT)
    assert (meter.money_used, meter.money_most) == (1.0, 0.75)
    assert (budget.meter(ANNA).messages_used, budget.meter(ANNA).messages_most) == (1, 0)


@pytest.mark.parametrize(
    ("cap", "told"), [("0.005", "0.005"), ("12", "12.00"), ("0.1", "0.10"), ("0.000001", "0.000001")]
)
def test_amounts_are_told_exactly(store: Store, cap: str, told: str) -> None:
    budget = budget_of(store, visitor_money=cap)
    budget.charge(ANNA, USAGE, dollars("100"))
    assert f" your {told} US dollars for today." in refused(budget, ANNA)


def test_replies_without_a_price_count_their_tokens(store: Store, tmp_path: Path) -> None:
    budget = budget_of(store)
    budget.charge(ANNA, USAGE, None)
    budget.charge(ANNA, USAGE, dollars("0.01"))
    with sqlite3.connect(tmp_path / "data" / "glassbox.db") as connection:
        rows = connection.execute("select * from spending order by visitor").fetchall()
    connection.close()
    assert rows == [("2026-11-21", "*", 0, 2400, 10_000), ("2026-11-21", ANNA, 0, 2400, 10_000)]


def test_days_are_of_utc(store: Store) -> None:
    clock = Clock(at("2026-11-21T23:59:59"))
    budget = budget_of(store, clock, visitor_messages="1", day_money="1")
    budget.take(ANNA)
    assert "midnight UTC, in less than an hour." in refused(budget, ANNA)
    clock.now += 1
    assert budget.meter(ANNA) == Meter(0, 1, 0.0, 1.0)
    budget.take(ANNA)
    assert "midnight UTC, in about 24 hours." in refused(budget, ANNA)
    budget.charge(ANNA, USAGE, dollars("1"))
    assert budget.left(ANNA) == 0.000001
    clock.now += DAY - 3600
    assert "midnight UTC, in about 1 hour." in refused(budget, ANNA)
    clock.now += 3600
    assert budget.left(ANNA) == 1.0


def test_what_was_used_outlives_the_process(open_store: OpenStore) -> None:
    first = open_store()
    budget_of(first, visitor_messages="1").take(ANNA)
    first.close()
    refused(budget_of(open_store(), visitor_messages="1"), ANNA)


@pytest.mark.parametrize("caps", [{"visitor_messages": "17"}, {"day_messages": "17"}])
def test_never_more_messages_than_the_cap(open_store: OpenStore, caps: dict[str, str]) -> None:
    """Twenty threads on two stores of one file."""
    budgets = [budget_of(open_store(), **caps) for _ in range(2)]

    def taken(index: int) -> int:
        count = 0
        for _ in range(3):
            try:
                budgets[index % 2].take(ANNA if "visitor_messages" in caps else f"{index:032}")
                count += 1
            except BudgetReached:
                pass
        return count

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(taken, range(20))) == 17
    assert budgets[0].meter(ANNA).messages_used == 17


TAKES = """
import sys
from agent.application.spending.budget import Budget, Meter
from agent.errors import BudgetReached
from agent.models.prices import read_prices
from agent.settings import read_settings
from agent.store.runs import Store
budget = Budget(Store(sys.argv[1]), read_settings({"GLASSBOX_VISITOR_MESSAGES": "30"}), read_prices(), lambda: 0.0)
count = 0
for _ in range(25):
    try:
        budget.take("anna")
        count += 1
    except BudgetReached:
        pass
print(count)
"""


@pytest.mark.system
def test_two_processes_share_a_cap(open_store: OpenStore, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    open_store(url)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", TAKES, url]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    assert sum(int(process.communicate(timeout=60)[0]) for process in running) == 30


def test_charges_at_once_are_all_counted(open_store: OpenStore) -> None:
    budgets = [budget_of(open_store(), day_money="1000") for _ in range(2)]
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda index: budgets[index % 2].charge(ANNA, USAGE, dollars("0.1")), range(60)))
    assert budgets[0].meter(ANNA).money_used == 6.0


def test_capped_money_needs_a_price(store: Store) -> None:
    for cap in ("visitor_money", "day_money", "money"):
        with pytest.raises(BadSettings, match=r"no price is known for gpt-x\. Set GLASSBOX_PRICES\."):
            budget_of(store, model="gpt-x", **{cap: "1"})
        budget_of(store, model="gpt-x", **{cap: "0"})
        with pytest.raises(BadSettings, match=r"no price is known for gpt-x, gpt-y\. Set"):
            budget_of(store, models="gpt-x, gpt-y", **{cap: "1"})
        Budget(store, settings_of(model="gpt-x", **{cap: "1"}), read_prices("gpt-x=1/1/1"))
        local = read_settings(
            {"GLASSBOX_BASE_URL": "http://localhost:1/v1", "GLASSBOX_MODEL": "m", "GLASSBOX_MONEY": "1"}
        )
        Budget(store, local, read_prices())
        Budget(store, read_settings({"OPENAI_API_KEY": "k", "GLASSBOX_MONEY": "1"}), read_prices())


def test_only_allowed_models_on_the_owners_key(store: Store) -> None:
    budget_of(store).check_model("anything")
    budget = budget_of(store, models="gpt-4o-mini,gpt-x")
    for model in ("gpt-4o", "gpt-4o-mini", "gpt-x"):
        budget.check_model(model)
    with pytest.raises(BadRequest, match=r"On this site's key only gpt-4o, gpt-4o-mini, gpt-x can be used\."):
        budget.check_model("gpt-5")
    capped = budget_of(store, day_money="1")
    capped.check_model("gpt-5")
    with pytest.raises(BadRequest, match="its price is not known"):
        capped.check_model("gpt-x")


def test_a_broken_store_is_one_sentence(store: Store, tmp_path: Path) -> None:
    budget = budget_of(store, visitor_messages="1")
    with sqlite3.connect(tmp_path / "data" / "glassbox.db") as connection:
        connection.execute("drop table spending")
    connection.close()
    with pytest.raises(StoreFailed, match="cannot be read or written"):
        budget.take(ANNA)
