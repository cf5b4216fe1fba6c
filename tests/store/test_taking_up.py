"""A run whose process is gone is taken up once, whoever tries; what its old process would still add is refused."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

import pytest

from agent.events import Asked, Event, Failed, Replied, Resumed
from agent.messages import Usage
from agent.runs.journal import Journal
from agent.store.leases import Lost
from agent.store.runs import STOPPED, RunEnded, Store

pytestmark = pytest.mark.system
OpenStore = Callable[..., Store]
RESUMED = Resumed(2.0, Usage())
REPLIED = Replied("text", "", Usage(), 1.0, 0.5)
TAKERS = 6


def a_run(store: Store) -> str:
    run = store.add_run(store.add_conversation("v", "t"))
    store.append(run, [Asked("q", 1.0)])
    return run


def test_of_all_that_try_one_takes_it(open_store: OpenStore, database_url: str) -> None:
    stores = [open_store(database_url) for _ in range(TAKERS)]
    for _ in range(5):
        run = a_run(stores[0])
        together, taken = Barrier(TAKERS), list[int | None]()

        def take(store: Store, run: str = run, together: Barrier = together, taken: list[int | None] = taken) -> None:
            together.wait()
            taken.append(store.take_lost(Lost(run, False), 1, RESUMED))

        threads = [Thread(target=take, args=(store,)) for store in stores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(taken, key=bool) == [None] * (TAKERS - 1) + [1]
        assert stores[0].events(run) == [Asked("q", 1.0), RESUMED]


def test_a_process_that_comes_back_adds_nothing(open_store: OpenStore, database_url: str) -> None:
    old, new = open_store(database_url), open_store(database_url)
    run = a_run(old)
    journal = Journal(old, run, 60.0, taken=0)
    assert new.take_lost(Lost(run, False), 1, RESUMED) == 1
    with pytest.raises(RunEnded):
        journal.keep([REPLIED])
    with pytest.raises(RunEnded):
        old.append(run, [REPLIED], 0)
    old.close_lost(Lost(run, False), STOPPED)
    assert run in old.leases.renew([run]).taken
    Journal(new, run, 60.0, taken=1).keep([REPLIED])
    assert new.events(run) == [Asked("q", 1.0), RESUMED, REPLIED]


def test_who_has_not_seen_all_of_it_does_not_take_it(open_store: OpenStore, database_url: str) -> None:
    old, new = open_store(database_url), open_store(database_url)
    run = a_run(old)
    old.append(run, [REPLIED], 0)  # between the look of the other one and its taking
    assert new.take_lost(Lost(run, False), 1, RESUMED) is None
    assert new.events(run) == [Asked("q", 1.0), REPLIED]
    old.append(run, [REPLIED], 0)  # it is still the old one's
    assert new.take_lost(Lost(run, False), 3, RESUMED) == 1


@pytest.mark.parametrize("end", [STOPPED, Failed("error", "It broke.")])
def test_a_run_that_has_ended_is_not_taken(open_store: OpenStore, database_url: str, end: Event) -> None:
    store = open_store(database_url)
    run = a_run(store)
    store.append(run, [end])
    assert store.take_lost(Lost(run, False), 2, RESUMED) is None
    assert store.events(run)[-1] == end


def test_a_second_taking_is_told_from_the_first(open_store: OpenStore, database_url: str) -> None:
    first, second = open_store(database_url), open_store(database_url)
    run = a_run(first)
    assert first.take_lost(Lost(run, False), 1, RESUMED) == 1
    assert second.take_lost(Lost(run, False), 2, RESUMED) is None  # as it was known before the first
    assert second.take_lost(Lost(run, False, taken=1), 2, RESUMED) == 2
    with pytest.raises(RunEnded):
        first.append(run, [REPLIED], 1)
