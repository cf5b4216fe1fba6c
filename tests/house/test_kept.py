"""What earlier versions wrote is read, shown, gone on from, taken along and brought back as it was."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.context.turns import earlier_messages
from agent.events import Answered, Decided, Event, Failed, Observed, Prepared, Replied, ToolCalled, Waiting, dump, load
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask, history, take_up
from agent.runs.rewind import answering_now, before, resumed, with_contents, with_observation
from agent.sharing.export.collected import take
from agent.sharing.import_file import read_import, save_import
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.tools.ask_user import ask_user
from agent.tools.calculator.calculate import calculator
from agent.views.film import film
from agent.views.fold import fold
from agent.wire.prompt import messages
from tests.kept.facts import (
    VERSIONS,
    conversation_facts,
    exports,
    hashed,
    run_facts,
    shown,
    stored_lines,
    uses,
)

SAID = "It goes on."
TOOLS = Toolbox([calculator, ask_user])
KINDS = {
    *("Asked", "Merged", "Prepared", "Replied", "ToolCalled", "Waiting", "Decided", "Observed", "Answered", "Failed"),
}
REASONS = {"model", "limit", "budget", "cancelled", "interrupted", "error"}


@dataclass(frozen=True)
class Kept:
    """A version's ``folder``, the facts it is expected to have, and its store opened from a ``copy``."""

    folder: Path
    copy: Path
    expected: dict[str, Any]
    store: Store

    @property
    def visitor(self) -> str:
        return self.expected["visitor"]

    @property
    def runs(self) -> list[dict[str, Any]]:
        return self.expected["runs"]


@pytest.fixture(params=VERSIONS, ids=lambda folder: folder.name)
def kept(request: pytest.FixtureRequest, tmp_path: Path, open_store: Callable[..., Store]) -> Kept:
    copy = tmp_path / "glassbox.db"
    shutil.copy(request.param / "glassbox.db", copy)
    expected = json.loads((request.param / "expected.json").read_text(encoding="utf-8"))
    return Kept(request.param, copy, expected, open_store(f"sqlite:///{copy}"))


def holds(now: Any, written: Any) -> bool:
    """Whether everything that was written is there now; a later version may have more fields."""
    if isinstance(written, dict):
        return isinstance(now, dict) and all(name in now and holds(now[name], written[name]) for name in written)
    if isinstance(written, list):
        return isinstance(now, list) and len(now) == len(written) and all(map(holds, now, written))
    return now == written


def test_there_is_a_version() -> None:
    assert "v0.1" in [folder.name for folder in VERSIONS]


def test_every_kind_of_event_and_of_failure_is_kept(kept: Kept) -> None:
    assert {name for run in kept.runs for name in run["events"]} >= KINDS
    assert {run["shown"]["reason"] for run in kept.runs if run["ended"] == "Failed"} >= REASONS
    assert {run["shown"]["wire"] for run in kept.runs} >= {"react", "native"}


def test_every_event_is_read_as_it_was_written(kept: Kept) -> None:
    written = stored_lines(kept.folder)
    assert {run["id"] for run in kept.runs} == written.keys()
    for run in kept.runs:
        lines = written[run["id"]]
        assert [hashed(line) for line in lines] == run["lines"], "the file itself was changed"
        events = kept.store.events(run["id"])
        assert events == [load(line) for line in lines]
        assert all(holds(json.loads(dump(event)), json.loads(line)) for event, line in zip(events, lines, strict=True))


def test_opening_loses_nothing(kept: Kept) -> None:
    kept.store.close()
    connection = sqlite3.connect(kept.copy)
    counts = {name: f"SELECT count(*) FROM {name}" for name in kept.expected["rows"]}
    counted = {name: connection.execute(count).fetchone()[0] for name, count in counts.items()}
    spent = connection.execute("SELECT visitor, messages, tokens, micros FROM spending ORDER BY visitor").fetchall()
    connection.close()
    assert counted == kept.expected["rows"]
    assert [list(row) for row in spent] == kept.expected["spending"]


def test_every_run_is_shown_as_before(kept: Kept) -> None:
    for run in kept.runs:
        expected = {name: value for name, value in run.items() if name != "lines"}
        assert run_facts(kept.store, run["id"]) == expected


def test_every_run_plays_as_a_film(kept: Kept) -> None:
    for run in kept.runs:
        events = kept.store.events(run["id"])
        assert fold(frame.event for frame in film(events).frames) == fold(events)


def test_every_conversation_is_as_before(kept: Kept) -> None:
    for expected in kept.expected["conversations"]:
        assert conversation_facts(kept.store, expected["id"]) == expected
    listed = {row.id for row in Chats(kept.store).conversations(kept.visitor)}
    assert listed == {expected["id"] for expected in kept.expected["conversations"]}


def test_what_the_visitor_chose_searched_and_used_is_as_before(kept: Kept) -> None:
    chats = Chats(kept.store)
    assert chats.preferences(kept.visitor) == kept.expected["preferences"]
    for words, found in kept.expected["searches"].items():
        assert sorted(row.id for row in chats.conversations(kept.visitor, words)) == found
    for name, expected in kept.expected["uses"].items():
        assert uses(kept.store, kept.visitor, name) == expected


def test_a_deleted_conversation_is_gone_and_can_be_brought_back(kept: Kept) -> None:
    chats = Chats(kept.store)
    for conversation in kept.expected["deleted"]:
        assert kept.store.conversation(conversation) is None
        assert chats.restore(kept.visitor, conversation)
        assert [run.ended for run in kept.store.runs(conversation)] == ["Answered"]
        assert chats.totals(conversation).runs == 1


def test_only_what_nobody_works_on_is_interrupted(kept: Kept) -> None:
    left = [run["id"] for run in kept.runs if not (run["ended"] or run["waiting"])]
    assert kept.store.close_interrupted() == left
    assert left
    for run in left:
        assert fold(kept.store.events(run)).reason == "interrupted"


def test_what_waits_for_the_person_goes_on(kept: Kept) -> None:
    waiting = [run["id"] for run in kept.runs if run["waiting"]]
    kinds: set[str] = set()
    for run in waiting:
        so_far = kept.store.events(run)
        asked = so_far[-1]
        assert isinstance(asked, Waiting)
        kinds.add(asked.kind)
        decided = Decided(asked.call_id, "allowed" if asked.kind == "approval" else "answered", "The second.")
        kept.store.take_up(run, [decided], asked.call_id)
        list(take_up(kept.store, run, setup(so_far), Flag()))
        events = kept.store.events(run)
        assert events[: len(so_far)] == so_far
        seen = events[len(so_far) + 1]
        assert isinstance(seen, Observed)
        assert seen.text == ("42" if asked.kind == "approval" else "The second.")
        assert fold(events).answer == SAID
    assert kinds == {"approval", "question"}


def setup(so_far: Sequence[Event]) -> Agent:
    """A model that answers at once, asked as the run was."""
    prepared = prepared_in(so_far)
    model = Scripted([SAID], name=prepared.model, takes_tools=prepared.wire == "native")
    return Agent(model, TOOLS, prepared.wire, prepared.language)


def prepared_in(events: Sequence[Event]) -> Prepared:
    return next(event for event in reversed(events) if isinstance(event, Prepared))


def run_on(kept: Kept, run: str, so_far: tuple[Event, ...]) -> list[Event]:
    """A new run that goes on from ``so_far`` to an answer.

    Its model was told what the old one would have been, and behind results what is said there today.
    """
    row = kept.store.run(run)
    assert row is not None
    view = fold(kept.store.events(run))
    whole = with_contents(kept.store, run, so_far)
    question = Question(view.question, parent=run, at=len(so_far) + 1, so_far=whole)
    chosen, new = setup(so_far), kept.store.add_run(row.conversation, row.follows)
    list(ask(kept.store, new, question, chosen, Flag()))
    assert isinstance(chosen.model, Scripted)
    (asked,) = chosen.model.requests
    events = kept.store.events(new)
    before = earlier_messages(events, history(kept.store, row.conversation, row.follows))
    today = prepared_in(events).after_results
    told = [replace(event, after_results=today) if isinstance(event, Prepared) else event for event in so_far]
    assert asked.messages[1:] == messages(told, before)[1:]
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert ended.text == SAID
    for event in so_far:
        for made in event.artifacts if isinstance(event, Observed) else ():
            assert kept.store.artifact(new, made.hash) == kept.store.artifact(run, made.hash)
    return events


def stepped(events: Sequence[Event]) -> list[Event]:
    """The steps since the run was last prepared."""
    return [*events[events.index(prepared_in(events)) + 1 :]]


def told_runs(kept: Kept) -> Iterator[tuple[str, list[Event]]]:
    """The runs whose model was asked, each with its events."""
    for run in kept.runs:
        if "Replied" in run["events"]:
            yield run["id"], kept.store.events(run["id"])


def test_every_run_goes_on_from_every_step(kept: Kept) -> None:
    for run, events in told_runs(kept):
        for step in range(1, sum(isinstance(event, Replied) for event in events) + 1):
            so_far = before(events, step)
            branch = run_on(kept, run, so_far)
            assert stepped(branch)[:-2] == stepped(so_far)
        assert kept.store.events(run) == events, "the old one stays as it is"


def test_a_run_goes_on_from_a_changed_observation(kept: Kept) -> None:
    for run, events in told_runs(kept):
        call = next((event.call_id for event in events if isinstance(event, Observed) and event.call_id), "")
        if call:
            branch = run_on(kept, run, with_observation(events, call, "It is 77."))
            assert [event.text for event in branch if isinstance(event, Observed) and event.edited][-1] == "It is 77."


def test_a_broken_run_goes_on_or_answers_now(kept: Kept) -> None:
    for run, events in told_runs(kept):
        if isinstance(events[-1], Failed) and any(isinstance(event, ToolCalled) for event in events):
            run_on(kept, run, resumed(events))
            run_on(kept, run, answering_now(events))


_STYLE = re.compile(rb"<style>.*?</style>", re.S)  # how a page looks is no part of what was kept


def test_exports_are_the_same_to_the_byte(kept: Kept) -> None:
    assert len(kept.expected["exports"]) >= 3
    for name, conversation in kept.expected["exports"].items():
        for ending, text in exports(kept.store, kept.visitor, conversation).items():
            frozen = (kept.folder / "exports" / f"{name}.{ending}").read_bytes()
            now, before = (_STYLE.sub(b"", page) for page in (text.encode(), frozen))
            assert now == before, f"{name}.{ending}"


def test_exported_files_are_imported_as_what_they_were_taken_from(kept: Kept, tmp_path: Path) -> None:
    fresh = Store(f"sqlite:///{tmp_path / 'fresh.db'}")
    for name, conversation in kept.expected["exports"].items():
        data = (kept.folder / "exports" / f"{name}.jsonl").read_bytes()
        read = read_import(data)
        assert read == take(kept.store, kept.visitor, conversation)
        imported = save_import(fresh, kept.visitor, read)
        runs = [run["shown"] for run in kept.runs if run["conversation"] == conversation and run["ended"]]
        assert [shown(fold(fresh.events(row.id))) for row in fresh.runs(imported)] == runs
        assert exports(fresh, kept.visitor, imported)["jsonl"].encode() == data
        assert Chats(fresh).totals(imported) == Chats(kept.store).totals(conversation)
    fresh.close()
