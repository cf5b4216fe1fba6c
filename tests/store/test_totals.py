"""What a chat took: counted once, kept with each run, summed by the store."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
import sqlalchemy as sql

from agent.events import Answered, Asked, Event, Failed, Merged, Observed, Prepared, Replied, ToolCalled
from agent.messages import Money, Usage
from agent.runs.rewind import before
from agent.sharing.import_file import read_import, save_import
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.store.totals import Totals, sentence, spent
from tests.support.hostile_imports import GOOD

ANNA = "a" * 32
CENT = Money(Decimal("0.01"))


def prepared(endpoint: str = "http://m/v1") -> Prepared:
    return Prepared("q", "s", (), "react", "m", endpoint)


def replied(seconds: float, price: Money | None = CENT, **more: object) -> Replied:
    return Replied("t", "t", Usage(100, 0, 10), seconds, 0.1, price=price, **more)  # type: ignore[arg-type]


def run(*inner: Event, parent: str = "", at: int | None = None) -> list[Event]:
    return [Asked("q", 1.0, parent=parent, at=at), *inner, Answered("a")]


STEP = (ToolCalled("1", "search", "x", {"query": "x"}), Observed("1", "seen", 0.5))


def rounded(totals: Totals) -> Totals:
    """Its money without the noise of sums of floats."""
    return replace(totals, money=round(totals.money, 9))


def test_all_of_a_run_is_counted() -> None:
    merged = Merged("q", (), "q", Usage(50, 0, 5), 0.25, price=CENT)
    totals = spent(run(merged, prepared(), replied(1.0), *STEP, replied(2.0)))
    assert rounded(totals) == Totals(1, 3, 0, 250, 25, False, 0.03, 3.75)


def test_what_has_no_price_is_counted_and_what_is_free_is_not() -> None:
    euro = Money(Decimal(1), "EUR")
    assert spent(run(prepared(), replied(1.0, None), replied(1.0, euro), replied(1.0))).unpriced == 2
    demo = spent(run(Merged("q", (), "q", Usage(1, 0, 1), 0.1), prepared("demo"), replied(1.0, None)))
    assert (demo.calls, demo.unpriced, demo.money) == (2, 0, 0)


def test_estimates_and_what_a_person_wrote() -> None:
    guessed = Replied("t", "t", Usage(1, 0, 1, estimated=True), 1.0, 0.1)
    assert spent(run(prepared(), guessed)).estimated
    totals = spent(run(prepared(), Replied("t", "t", Usage(), 0.0, 0.0, edited=True), *STEP, replied(1.0)))
    assert (totals.calls, totals.unpriced) == (1, 0)


def test_a_branch_takes_over_what_was_paid_for() -> None:
    first = run(prepared(), replied(1.0), *STEP, replied(2.0))
    branch = run(*before(first, 2), replied(4.0), parent="1", at=5)
    assert spent(branch, first) == Totals(1, 1, 0, 100, 10, False, 0.01, 4.0)
    assert spent(branch).calls == 2


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        (Totals(2, 3, 0, 1234, 56, False, 0.0123, 7.25), "3 model calls · 1,234 tokens in, 56 out · $0.0123 · 7.2 s"),
        (Totals(2, 1, 1, 10, 5, True, 0.0, 1.0), "1 model call · about 10 tokens in, 5 out · no price known · 1.0 s"),
        (Totals(2, 2, 0, 10, 5, False, 0.0, 1.0), "2 model calls · 10 tokens in, 5 out · 1.0 s"),
        (
            Totals(2, 5, 2, 10, 5, False, 1.5, 1000.0),
            "5 model calls · 10 tokens in, 5 out · $1.5000 and 2 calls without a known price · 1,000.0 s",
        ),
    ],
)
def test_the_sentence_never_calls_an_unknown_price_zero(totals: Totals, said: str) -> None:
    assert sentence(totals) == said


def test_the_store_sums_up_all_branches_and_no_run_at_work(store: Store) -> None:
    library, conversation = Chats(store), store.add_conversation(ANNA, "t")
    assert library.totals(conversation) == Totals()
    one = store.add_run(conversation)
    first = run(prepared(), replied(1.0), *STEP, replied(2.0))
    store.append(one, first[:3])
    assert library.totals(conversation) == Totals()
    store.append(one, first[3:])
    assert library.totals(conversation) == Totals(1, 2, 0, 200, 20, False, 0.02, 3.5)
    other = store.add_run(conversation)
    store.append(other, run(*before(first, 2), replied(4.0), parent=one, at=5))
    failed = store.add_run(conversation, one)
    store.append(failed, [Asked("q", 1.0), Failed("model", "m")])
    assert rounded(library.totals(conversation)) == Totals(3, 3, 0, 300, 30, False, 0.03, 7.5)
    assert library.totals(store.add_conversation(ANNA, "u")) == Totals()


def test_runs_of_an_earlier_version_are_summed_up_when_they_are_looked_at(store: Store) -> None:
    library, conversation = Chats(store), store.add_conversation(ANNA, "t")
    for _ in range(3):
        store.append(store.add_run(conversation), run(prepared(), replied(1.0)))
    wanted = library.totals(conversation)
    with store.database.begin() as connection:
        connection.execute(sql.update(RUNS).values(calls=None, money=None, seconds=None))
    assert library.totals(conversation) == wanted
    with store.database.begin() as connection:
        assert connection.execute(sql.select(sql.func.count(RUNS.c.calls))).scalar_one() == 3


def test_an_imported_chat_has_its_totals_and_huge_figures_do_no_harm(store: Store) -> None:
    read = read_import(GOOD.encode())
    totals = Chats(store).totals(save_import(store, ANNA, read))
    each = [
        spent(run.events, {found.id: found for found in read.runs}.get(run.follows, run).events) for run in read.runs
    ]
    assert totals.runs == len(read.runs)
    assert totals.calls <= sum(one.calls for one in each) + 10
    huge = Replied("t", "t", Usage(10**12, 0, 10**12), 1e9, 0.1, price=Money(Decimal(10**9)))
    many = replace(
        read,
        runs=tuple(replace(read.runs[0], id=str(n), events=tuple(run(prepared(), *[huge] * 50))) for n in range(50)),
    )
    totals = Chats(store).totals(save_import(store, ANNA, many))
    assert totals.input == 2_500 * 10**12
    assert "2,500 model calls" in sentence(totals)
