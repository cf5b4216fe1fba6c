"""Sets of tests and their results in the store, in SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.chats import Chats
from agent.store.evaluations import Cell, Evaluations, TestRow
from agent.store.migrations import MIGRATIONS
from agent.store.runs import Store
from agent.store.schema import ATTEMPTS, EVALUATIONS, KEPT_TESTS, STORE_VERSIONS

ANNA = "a" * 32
OpenStore = Callable[..., Store]


def kept(store: Store, evaluations: Evaluations, name: str) -> TestRow:
    test_set = (evaluations.sets(ANNA) or [None])[0]
    id = test_set.id if test_set else evaluations.add_set(ANNA, "Mine")
    row = TestRow(f"test {name}", id, store.add_conversation(ANNA, name), "", "", "", name, "{}")
    evaluations.add_test(ANNA, row)
    return row


def test_an_attempt_has_one_result(open_store: OpenStore, database_url: str) -> None:
    store = open_store(database_url)
    evaluations = Evaluations(store)
    test = kept(store, evaluations, "a")
    id = evaluations.begin(ANNA, test.test_set, "{}")
    cell = Cell(test.id, 0, 1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: evaluations.claim(id, cell), range(4)))
    evaluations.began(id, cell, "r")
    evaluations.keep(id, cell, True, "first")
    evaluations.keep(id, cell, False, "second")
    (attempt,) = evaluations.attempts(id).values()
    assert (attempt.run, attempt.passed, attempt.body) == ("r", True, "first")


def test_of_all_that_begin_at_once_one_succeeds(open_store: OpenStore, database_url: str) -> None:
    stores = [open_store(database_url) for _ in range(4)]
    each = [Evaluations(store) for store in stores]
    test = kept(stores[0], each[0], "a")

    def begun(evaluations: Evaluations) -> str:
        try:
            return evaluations.begin(ANNA, test.test_set, "{}")
        except BadRequest as error:
            assert "already" in str(error)
            return ""

    with ThreadPoolExecutor(4) as pool:
        (first,) = filter(None, pool.map(begun, each))
    each[0].end(ANNA, first, "stopped")
    assert begun(each[1]), "one that was stopped is in nobody's way"
    with pytest.raises(BadRequest, match="gone"):
        each[0].begin("b" * 32, test.test_set, "{}")


def test_a_name_that_shows_nothing_is_none(open_store: OpenStore, database_url: str) -> None:
    evaluations = Evaluations(open_store(database_url))
    for name in ("", "  ", "\u200b\u202e", "\n"):
        with pytest.raises(BadRequest, match="needs a name"):
            evaluations.add_set(ANNA, name)
    evaluations.add_set(ANNA, "two\nlines " + "x" * 300)
    assert evaluations.sets(ANNA)[0].name.startswith("two lines") and len(evaluations.sets(ANNA)[0].name) == 80


def test_one_process_works_on_an_evaluation(open_store: OpenStore, database_url: str) -> None:
    store, other = open_store(database_url), open_store(database_url)
    mine, theirs = Evaluations(store), Evaluations(other)
    test = kept(store, mine, "a")
    id = mine.begin(ANNA, test.test_set, "{}")
    assert mine.renew(id) and not theirs.renew(id)
    assert not theirs.take(ANNA, id), "it is at work"
    assert [row.working for row in theirs.evaluations(ANNA, test.test_set)] == [True]
    theirs.end(ANNA, id, "stopped")
    assert not mine.renew(id), "it was stopped"
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(lambda each: each.take(ANNA, id), (mine, theirs))) == [False, True]
    (holder,) = (each for each in (mine, theirs) if each.renew(id))
    with store.database.begin() as connection:
        connection.execute(sql.update(EVALUATIONS).values(alive=EVALUATIONS.c.alive - 60))
    assert not holder.evaluations(ANNA, test.test_set)[0].working
    assert (theirs if holder is mine else mine).take(ANNA, id), "its process is gone"
    holder.end(ANNA, id, "done")
    assert not mine.take(ANNA, id)


def test_a_worker_ends_only_what_is_still_its_own(open_store: OpenStore, database_url: str) -> None:
    evaluations = Evaluations(store := open_store(database_url))
    test = kept(store, evaluations, "a")
    id = evaluations.begin(ANNA, test.test_set, "{}", "one")
    evaluations.end(ANNA, id, "stopped")
    assert evaluations.take(ANNA, id, "two")
    evaluations.end(ANNA, id, "stopped", "one")
    assert evaluations.renew(id, "two") and not evaluations.renew(id, "one")
    evaluations.end(ANNA, id, "done", "two")
    assert [row.state for row in evaluations.evaluations(ANNA, test.test_set)] == ["done"]


def test_what_is_removed_leaves_nothing(open_store: OpenStore, database_url: str) -> None:
    store = open_store(database_url)
    evaluations, chats = Evaluations(store), Chats(store)
    first, second = kept(store, evaluations, "a"), kept(store, evaluations, "b")
    id = evaluations.begin(ANNA, first.test_set, "{}")
    for test in (first, second):
        evaluations.claim(id, Cell(test.id, 0, 1))
    assert chats.conversations(ANNA) == []
    evaluations.remove_test(ANNA, first.id)
    assert [row.id for row in evaluations.tests(ANNA, first.test_set)] == [second.id]
    assert [cell.test for cell in evaluations.attempts(id)] == [second.id]
    evaluations.remove_set(ANNA, first.test_set)
    assert chats.conversations(ANNA) == []
    assert chats.purge(float("inf")) == 2
    with store.database.begin() as connection:
        for table in (KEPT_TESTS, EVALUATIONS, ATTEMPTS):
            assert connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one() == 0


def test_the_deleted_chat_of_a_test_keeps_no_other_from_being_removed(open_store: OpenStore, database_url: str) -> None:
    store = open_store(database_url)
    evaluations, chats = Evaluations(store), Chats(store)
    test, other = kept(store, evaluations, "a"), store.add_conversation(ANNA, "b")
    assert chats.delete(ANNA, test.conversation) and chats.delete(ANNA, other)
    assert chats.purge(float("inf")) == 1, "the test needs its own"
    evaluations.remove_test(ANNA, test.id)
    assert chats.purge(float("inf")) == 1


def test_a_store_of_before_there_were_tests_is_brought_up_to_date(open_store: OpenStore, database_url: str) -> None:
    store = open_store(database_url)
    with store.database.begin() as connection:
        for name in ("attempts", "evaluations", "kept_tests", "test_sets"):
            connection.execute(sql.text(f"drop table {name}"))
        number = next(n for n, step in enumerate(MIGRATIONS, 1) if "kept tests" in step.about)
        connection.execute(sql.delete(STORE_VERSIONS).where(STORE_VERSIONS.c.number >= number))
    store.close()
    assert Evaluations(open_store(database_url)).add_set(ANNA, "Mine")


def test_sets_of_the_program_are_apart_and_their_results_are_counted(open_store: OpenStore, database_url: str) -> None:
    store = open_store(database_url)
    evaluations = Evaluations(store)
    mine = kept(store, evaluations, "a")
    card = evaluations.add_set(ANNA, "edition", "card")
    tests = [TestRow(f"q{n}", card, store.add_conversation(ANNA, "q"), "", "", "", "q", "{}") for n in range(3)]
    for test in tests:
        evaluations.add_test(ANNA, test)
    assert [each.id for each in evaluations.sets(ANNA)] == [mine.test_set]
    assert [(each.id, each.tests) for each in evaluations.sets(ANNA, "card")] == [(card, 3)]
    assert evaluations.counts(ANNA, "card") == []
    for body in ("first", "second"):
        id = evaluations.begin(ANNA, card, body)
        for number, test in enumerate(tests[: 3 if body == "second" else 1]):
            evaluations.claim(id, cell := Cell(test.id, number % 2, 1))
            evaluations.keep(id, cell, number == 0, "{}")
        evaluations.end(ANNA, id, "done")
    counts = [(each.body, each.version, each.passed, each.runs) for each in evaluations.counts(ANNA, "card")]
    assert counts[-1] == ("first", 0, 1, 1), "the latest is first"
    assert sorted(counts[:-1]) == [("second", 0, 1, 2), ("second", 1, 0, 1)]
    assert evaluations.counts(ANNA, "") == [] and evaluations.counts("b" * 32, "card") == []
    evaluations.remove_set(ANNA, card)
    assert evaluations.sets(ANNA, "card") == []
