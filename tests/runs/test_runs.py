from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import product
from threading import Event as Flag
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
import sqlalchemy as sql

from agent.events import Answered, Asked, Event, Failed, Observed, Replied, TextDelta
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.merge import Turn
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask, history, turn
from agent.runs.in_flight import Followed, Runs
from agent.runs.journal import Journal
from agent.runs.live_run import LiveRun
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.views.fold import fold
from tests.support.followed_runs import follow_to_end, new_run
from tests.support.stories import TOOLS, final, react, stored

ASKED = Asked("q", 1.0)


@pytest.fixture
def new_runs() -> Iterator[Callable[..., Runs]]:
    """Makes ``Runs`` and closes them when the test is over."""
    made: list[Runs] = []

    def make(*arguments: Any, **options: Any) -> Runs:
        made.append(Runs(*arguments, **options))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def start(runs: Runs, store: Store, model: Any, question: str = "q") -> str:
    run = new_run(store)
    runs.start(run, lambda cancel: ask(store, run, Question(question), Agent(model, TOOLS), cancel))
    return run


class Waits(Scripted):
    """Says half a thought, then waits for a flag, longer than any test takes, before the rest."""

    def __init__(self, go_on: Flag) -> None:
        super().__init__([])
        self._go_on = go_on

    def stream(self, request: Request) -> Generator[Delta]:
        yield Delta(text="Thought: I am thinking\nFinal Answer: The ")
        self._go_on.wait(60)
        yield Delta(text="end")


def test_followed_live_equals_stored(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    run = start(runs, store, Scripted([react("Double.", "double", "2"), final("4")], chunk=3))
    events = follow_to_end(runs, run)
    assert any(isinstance(event, TextDelta) for event in events)
    assert stored(events) == store.events(run)
    assert fold(events) == fold(store.events(run))


def test_followers_see_events_before_the_end_and_any_number_may_follow(
    store: Store, new_runs: Callable[..., Runs]
) -> None:
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    seen: list[list[Event]] = []
    threads = [Thread(target=lambda: seen.append(follow_to_end(runs, run))) for _ in range(5)]
    for thread in threads:
        thread.start()
    while not any(isinstance(event, TextDelta) for event in runs.follow(run).events):
        sleep(0.01)
    assert not runs.follow(run).done
    go_on.set()
    for thread in threads:
        thread.join()
    assert len(seen) == 5
    assert all(events == seen[0] for events in seen)


def test_following_waits_for_news_but_not_longer_than_asked(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    while len(runs.follow(run).events) < 4:
        sleep(0.01)
    started = monotonic()
    count = len(runs.follow(run).events)
    assert runs.follow(run, count, wait=0.1) == Followed((), False)
    assert monotonic() - started > 0.08
    go_on.set()
    assert follow_to_end(runs, run)


def test_those_who_follow_are_counted_however_they_leave(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    with runs.one_follower():
        with pytest.raises(KeyboardInterrupt), runs.one_follower():  # as the end of a script, it is no ``Exception``
            assert runs.followers == 2
            raise KeyboardInterrupt
        assert runs.followers == 1
    assert runs.followers == 0


def test_what_is_kept_of_an_open_reply_is_its_new_text_alone(store: Store) -> None:
    """However events come together and whenever the look comes; the oracle goes through all of them each time."""
    text, whole = TextDelta("answer", "a"), Observed("", "told")
    for events in product((text, whole), repeat=6):
        for together in (1, 2, 3):
            live, kept = LiveRun("r", Flag(), Journal(store, "r", 1.0)), 0
            for start in range(0, len(events), together):
                live.add(events[start : start + together])
                so_far = events[: start + together]
                open_from = max((place + 1 for place, event in enumerate(so_far) if event is whole), default=0)
                new = so_far[max(kept, open_from) :]
                piece = live.piece()
                assert (piece.deltas if piece else []) == list(new)
                if piece:
                    assert (piece.number, piece.stored) == (len(so_far), so_far.count(whole))
                    kept = live.kept = piece.number


def test_a_cancelled_run_ends_soon_with_what_it_had(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)

    class Endless(Scripted):
        said = 0

        def stream(self, request: Request) -> Generator[Delta]:
            yield Delta(text="Thought: hm\nFinal Answer: so")
            while True:
                sleep(0.01)
                self.said += 1
                yield Delta(text=" on")

    model = Endless([])
    run = start(runs, store, model)
    while not any(isinstance(event, TextDelta) and event.channel == "answer" for event in runs.follow(run).events):
        sleep(0.01)
    before = model.said
    runs.cancel(run)
    events = follow_to_end(runs, run)
    assert model.said - before < 40  # so many as it says in 0.4 s
    failed = store.events(run)[-1]
    assert isinstance(failed, Failed)
    assert failed.reason == "cancelled"
    assert failed.partial.startswith("so")
    assert fold(events) == fold(store.events(run))


def test_a_run_stuck_in_a_call_is_ended_without_it(store: Store, new_runs: Callable[..., Runs]) -> None:
    """The server accepts and then says nothing more: stop still answers, and the late worker changes nothing."""
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    while not any(isinstance(event, TextDelta) and event.channel == "answer" for event in runs.follow(run).events):
        sleep(0.01)
    runs.cancel(run)
    events = follow_to_end(runs, run)
    kept = store.events(run)
    assert isinstance(kept[-2], Replied)
    assert kept[-2].unfinished
    assert "I am thinking" in kept[-2].text
    assert kept[-1] == Failed("cancelled", Text("Stopped."), partial="The")
    assert fold(events) == fold(kept)
    go_on.set()
    sleep(0.1)
    assert store.events(run) == kept
    runs.cancel(run)
    runs.cancel("unknown")


def test_cancelled_before_anything_was_said(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, go_on = new_runs(store), Flag()

    def story(cancel: Flag) -> Iterator[Event]:
        store.append(run, [ASKED])
        yield ASKED
        go_on.wait(20)
        yield Answered("late")

    run = new_run(store)
    runs.start(run, story)
    while not runs.follow(run).events:
        sleep(0.01)
    runs.cancel(run)
    assert follow_to_end(runs, run)[-1] == Failed("cancelled", Text("Stopped."))
    go_on.set()
    assert store.events(run)[-1] == Failed("cancelled", Text("Stopped."))


def test_more_runs_than_places_wait_in_a_queue(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, go_on = new_runs(store, most=1), Flag()
    first = start(runs, store, Waits(go_on))
    while not runs.follow(first).events:
        sleep(0.01)
    second, third = start(runs, store, Scripted([final("2")])), start(runs, store, Scripted([final("3")]))
    assert [runs.follow(run, wait=0.01).place for run in (first, second, third)] == [0, 1, 2]
    go_on.set()
    assert follow_to_end(runs, second)[-1] == Answered("2")
    assert follow_to_end(runs, third)[-1] == Answered("3")
    assert runs.follow(third).place == 0


def test_one_visitor_never_has_all_places(store: Store, new_runs: Callable[..., Runs]) -> None:
    """Eight places, two of them for one visitor: others overtake what waits for the visitor's own runs."""
    runs, go_on = new_runs(store, most=8), Flag()

    def start_for(visitor: str, model: Scripted) -> str:
        run = new_run(store)
        runs.start(run, partial(ask, store, run, Question("q"), Agent(model)), visitor=visitor)
        return run

    held = [start_for("anna", Waits(go_on)) for _ in range(4)]
    while not all(runs.follow(run).events for run in held[:2]):
        sleep(0.01)
    assert [runs.follow(run, wait=0.01).place for run in held] == [0, 0, 1, 2]
    other = start_for("bert", Scripted([final("2")]))
    assert follow_to_end(runs, other)[-1] == Answered("2")
    assert [runs.follow(run, wait=0.01).place for run in held] == [0, 0, 1, 2]
    go_on.set()
    assert all(isinstance(follow_to_end(runs, run)[-1], Answered) for run in held)


def test_a_run_of_another_process_is_followed_through_the_store(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    run = new_run(store)
    store.append(run, [ASKED])
    assert runs.follow(run) == Followed((ASKED,), False)
    assert runs.follow(run, 1, wait=0.01) == Followed((), False)
    store.append(run, [Answered("5")])
    assert runs.follow(run, 1) == Followed((Answered("5"),), True)
    assert runs.follow("unknown") == Followed((), True)


def test_finished_runs_are_forgotten_but_not_lost(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    first = start(runs, store, Scripted([final("1")]))
    follow_to_end(runs, first)
    for _ in range(70):
        follow_to_end(runs, start(runs, store, Scripted([final("n")])))
    events = runs.follow(first).events
    assert not any(isinstance(event, TextDelta) for event in events)
    assert events[-1] == Answered("1")


def test_a_store_that_fails_ends_the_run_for_its_followers(
    store: Store, new_runs: Callable[..., Runs], caplog: pytest.LogCaptureFixture
) -> None:
    runs = new_runs(store)

    class FillsTheDisk(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            store.append = _raise_store_failed  # type: ignore[method-assign]
            yield from super().stream(request)

    run = start(runs, store, FillsTheDisk([final("1")]))
    last = told_but_unstored(runs, run)[-1]
    assert isinstance(last, Failed)
    assert "cannot be written" in last.message
    assert "could not be stored" in caplog.text


def told_but_unstored(runs: Runs, run: str) -> list[Event]:
    """What followers have seen of a run when its end was told, which the store did not take."""
    while not ((followed := runs.follow(run)).unstored and isinstance(followed.events[-1], Failed)):
        assert not followed.done
    return list(followed.events)


def _raise_store_failed(*_: object) -> None:
    from agent.errors import StoreFailed

    raise StoreFailed("The conversations cannot be written.")


def _raise_a_bug() -> None:
    raise RuntimeError("a bug")


def test_a_bug_ends_its_run_alone_in_the_store_too(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, run = new_runs(store), new_run(store)

    def story(_: Flag) -> Iterator[Event]:
        store.append(run, [ASKED])
        yield ASKED
        _raise_a_bug()

    runs.start(run, story)
    events = follow_to_end(runs, run)
    assert isinstance(events[-1], Failed)
    assert events[-1].reference
    assert store.events(run) == events


def test_history_is_the_turns_that_lead_to_a_run(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    conversation = store.add_conversation("", "t")
    follows = ""
    for question, said in (("root of 25?", "5"), ("root of 36?", "6")):
        run = store.add_run(conversation, follows)
        setup = Agent(Scripted([final(said)]), TOOLS)
        runs.start(run, lambda cancel, r=run, q=question, s=setup: ask(store, r, Question(q), s, cancel))
        follow_to_end(runs, run)
        follows = run
    before = history(store, conversation, follows)
    assert [*before] == [row.id for row in store.path(conversation, follows)]
    assert [*map(turn, before.values())] == [Turn("root of 25?", "5"), Turn("root of 36?", "6")]
    assert history(store, conversation, "") == {}


def test_leases_are_renewed_while_a_run_works(
    store: Store, new_runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.05)
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    renewed: set[float] = set()
    while len(renewed) < 4:
        with store.database.begin() as connection:
            renewed |= set(connection.execute(sql.select(RUNS.c.alive)).scalars())
        sleep(0.01)
    row = store.run(run)
    assert row is not None
    assert row.ended == ""
    go_on.set()
    assert isinstance(follow_to_end(runs, run)[-1], Answered)


def test_closing_waits_for_a_look_at_the_leases(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is closed during one would be left with a connection that nobody closes."""
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.01)
    runs, looking, go_on = Runs(store), Flag(), Flag()
    look = store.close_interrupted

    def slow_look(handed: bool) -> list[str]:
        looking.set()
        go_on.wait(30)
        return look(handed=handed)

    store.close_interrupted = slow_look  # type: ignore[method-assign]
    assert looking.wait(30)
    closing = Thread(target=runs.close)
    closing.start()
    closing.join(0.2)
    assert closing.is_alive()
    go_on.set()
    closing.join(30)
    assert not closing.is_alive()


def test_observations_are_stored_before_they_are_shown(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs = new_runs(store)
    run = start(runs, store, Scripted([react("a", "double", "2"), final("4")]))
    seen = 0
    while not (followed := runs.follow(run, seen)).done:
        kept = store.events(run)
        assert all(event in kept for event in stored(list(followed.events)))
        seen += len(followed.events)
    assert any(isinstance(event, Observed) for event in store.events(run))


def test_stopping_while_the_store_fails(
    store: Store, new_runs: Callable[..., Runs], caplog: pytest.LogCaptureFixture
) -> None:
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    while not any(isinstance(event, TextDelta) for event in runs.follow(run).events):
        sleep(0.01)
    store.append = _raise_store_failed  # type: ignore[method-assign]
    runs.cancel(run)
    assert isinstance(told_but_unstored(runs, run)[-1], Failed)
    assert "could not be stored" in caplog.text
    go_on.set()


def test_leases_that_cannot_be_renewed_are_logged(
    store: Store, new_runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.02)
    looks = iter([_raise_store_failed, _raise_a_bug, _raise_store_failed])
    last = Flag()

    def look(handed: bool) -> list[str]:
        next(looks, last.set)()
        return []

    monkeypatch.setattr(store, "close_interrupted", look)
    runs = new_runs(store)
    assert last.wait(60), "the look after the one that raised"
    assert runs.looking
    assert caplog.text.count("leases could not be renewed") == 1, "once, not every second"


def test_the_time_limit_holds_on_a_server_that_says_nothing(
    store: Store, new_runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.05)
    runs, go_on = new_runs(store), Flag()
    run = new_run(store)
    setup = Agent(Waits(go_on), TOOLS)
    runs.start(run, lambda cancel: ask(store, run, Question("q"), setup, cancel), most_seconds=0.3)
    started = monotonic()
    failed = follow_to_end(runs, run)[-1]
    assert monotonic() - started > 0.2
    assert isinstance(failed, Failed)
    assert (failed.reason, failed.partial) == ("limit", "The")
    assert "said nothing more" in failed.message
    assert store.events(run)[-1] == failed
    go_on.set()


def test_a_run_is_stopped_from_another_process(
    store: Store, new_runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process knows the run from the store alone; so does a second ``Runs`` here."""
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.05)
    runs, other, go_on = new_runs(store), new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    while not runs.follow(run).events:
        sleep(0.01)
    other.cancel(run)
    assert follow_to_end(other, run)[-1] == Failed("cancelled", Text("Stopped."), partial="The")
    assert follow_to_end(runs, run)[-1] == Failed("cancelled", Text("Stopped."), partial="The")
    go_on.set()


def test_followers_see_how_somebody_else_ended_the_run(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, go_on = new_runs(store), Flag()
    run = start(runs, store, Waits(go_on))
    while not any(isinstance(event, TextDelta) for event in runs.follow(run).events):
        sleep(0.01)
    ending = Failed("interrupted", "The server was stopped.")
    store.append(run, [ending])
    go_on.set()
    assert follow_to_end(runs, run)[-1] == ending
