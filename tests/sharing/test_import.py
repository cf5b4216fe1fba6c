"""What was taken along can be brought back; what is no export of ours is refused and leaves nothing behind."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sql
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.errors import BadRequest, StoreFailed
from agent.events import Answered, Asked, Event, Failed
from agent.models.scripted import Scripted
from agent.sharing.export.collected import Exported, ExportedRun, take, without_nul
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown
from agent.sharing.import_file import read_import, save_import
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, EVENTS, RUNS, TABLES
from agent.views.fold import fold
from tests.support.cases import each
from tests.support.hostile_imports import GOOD, HOSTILE, LINES, file, of
from tests.support.stories import calls, events_of, final, react, stored
from tests.support.ugly_replies import ROWS
from tests.support.whole_runs import TABLE, WHOLE, everything

ANNA, BERT = "a" * 32, "b" * 32


def rows(store: Store) -> int:
    """How many rows there are in all tables."""
    with store.database.begin() as connection:
        counts = [sql.select(sql.func.count()).select_from(table) for table in TABLES.sorted_tables]
        return sum(connection.execute(count).scalar_one() for count in counts)


def test_what_is_read_is_what_was_written() -> None:
    read = read_import(GOOD.encode())
    assert read == everything()
    assert read.runs[0].artifacts == {WHOLE.hash: WHOLE.content, TABLE.hash: TABLE.content}
    assert export_json_lines(read) == GOOD


def test_an_imported_conversation_is_there_as_it_was(store: Store) -> None:
    read = read_import(GOOD.encode())
    conversation = save_import(store, ANNA, read)
    found = store.conversation(conversation)
    assert found is not None
    assert (found.title, found.visitor) == ("High in SF — 東京 <b> (imported)", ANNA)
    path = store.path(conversation)
    assert [row.ended for row in path] == ["Failed"]
    with store.database.begin() as connection:
        ids = list(connection.execute(sql.select(RUNS.c.id).order_by(RUNS.c.created)).scalars())
    for run, known in zip(read.runs, ids, strict=True):
        assert fold(store.events(known)) == fold(run.events)
        assert len(known) == 32
        assert Chats(store).judgement(known).verdict == run.verdict
        for hash, content in run.artifacts.items():
            assert store.artifact(known, hash) == content
    assert [row.id for row in store.path(conversation, ids[1])] == ids[:2]
    branch = store.events(ids[2])[0]
    assert isinstance(branch, Asked)
    assert (branch.parent, branch.at) == (ids[1], 3)
    assert store.close_interrupted() == []
    for wanted, found_by in (("東京", [conversation]), ("imported 12.2", [conversation]), ("elsewhere", [])):
        assert [row.id for row in Chats(store).conversations(ANNA, wanted)] == found_by
    assert Chats(store).conversations(BERT) == []


def exportable(exported: Exported) -> Exported:
    """As the store keeps it: titles are one line."""
    return Exported("High in SF — 東京 <b>", exported.runs)


def test_export_import_export_is_the_same_to_the_byte(store: Store) -> None:
    first = export_json_lines(exportable(everything()))
    conversation = save_import(store, ANNA, read_import(first.encode()))
    second = export_json_lines(take(store, ANNA, conversation))
    assert second == first
    again = save_import(store, BERT, read_import(second.encode()))
    assert again != conversation
    taken = take(store, BERT, again)
    assert export_json_lines(taken) == first
    assert export_html(taken) == export_html(exportable(everything()))
    assert export_markdown(taken) == export_markdown(exportable(everything()))


def test_titles(store: Store) -> None:
    run = ExportedRun("1", "", (Asked("q", 1.0), Failed("model", "m")))
    for title, kept in (("", "(imported)"), ("x" * 300, "x" * 79 + "… (imported)"), ("a\nb\x07", "a b (imported)")):
        found = store.conversation(save_import(store, ANNA, Exported(title, (run,))))
        assert found is not None
        assert found.title == kept
        assert take(store, ANNA, found.id).title == kept.removesuffix("(imported)").strip()


def test_the_order_of_runs_is_kept(store: Store) -> None:
    runs = [ExportedRun(str(n), "", (Asked(str(n), float(n)), Failed("model", "m"))) for n in range(60, 0, -1)]
    taken = take(store, ANNA, save_import(store, ANNA, Exported("t", tuple(runs))))
    assert [fold(run.events).question for run in taken.runs] == [str(n) for n in range(60, 0, -1)]
    conversation = save_import(store, ANNA, taken)
    with store.database.begin() as connection:
        chosen = sql.select(RUNS.c.created).where(RUNS.c.conversation == conversation)
        times = sorted(connection.execute(chosen).scalars())
    assert all(earlier < later for earlier, later in pairwise(times))


@pytest.mark.slow
@each("name", HOSTILE)
def test_hostile_files_are_refused(name: str, store: Store) -> None:
    before = rows(store)
    made, sentence = HOSTILE[name]
    data = made()
    with pytest.raises(BadRequest) as caught:
        save_import(store, ANNA, read_import(data))
    said = str(caught.value)
    assert said.startswith("This file was not imported. ")
    assert sentence in said
    assert said.endswith(".")
    assert len(said) < 200
    assert said.isprintable()
    assert rows(store) == before


def test_there_are_enough_hostile_files() -> None:
    assert len(HOSTILE) >= 50


@pytest.mark.slow
def test_no_word_of_a_file_gets_into_the_sentence() -> None:
    marked = "planted"
    for place, line in enumerate(LINES):
        fields = json.loads(line)
        for name in fields:
            changed = {marked if key == name else key: value for key, value in fields.items()}
            for new in (changed, fields | {name: [marked]}, fields | {name: {marked: marked}}, fields | {marked: 1}):
                try:
                    read_import(file(*LINES[:place], json.dumps(new), *LINES[place + 1 :]))
                except BadRequest as refused:
                    assert marked not in str(refused)


def test_nothing_is_kept_where_the_store_fails(store: Store) -> None:
    before = rows(store)
    read = read_import(GOOD.encode())
    twice = replace(read, runs=(*read.runs, replace(read.runs[-1], id="1")))
    with pytest.raises(StoreFailed):
        save_import(store, ANNA, twice)
    assert rows(store) == before
    with store.database.begin() as connection:
        for table in (CONVERSATIONS, EVENTS):
            assert connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one() == 0


def test_lines_may_end_as_on_windows() -> None:
    assert read_import(GOOD.replace("\n", "\r\n").encode()) == everything()
    assert read_import(GOOD.removesuffix("\n").encode()) == everything()


def test_commas_in_texts_are_no_values() -> None:
    read = read_import(of(Asked("," * 1_000_001, 0.0), Failed("interrupted", "")))
    assert len(fold(read.runs[0].events).question) == 1_000_001


def test_the_least_there_can_be() -> None:
    read = read_import(of(Asked("", 0.0), Failed("interrupted", "")))
    assert fold(read.runs[0].events).state == "failed"


def runs_of_models() -> list[list[Event]]:
    """Runs as the loop makes them of replies that models write, on both wires."""
    # Half characters cannot be stored, nor come from a server.
    texts = [row.text.replace("✂", "").encode("utf-8", "replace").decode() for row in ROWS]
    made = [stored(events_of(Scripted([text, final("a"), final("b"), final("c")]))) for text in texts]
    called = calls(("x", "double", '{"number": 3}'), ("x", "broken", "{}"), ("", "nobody", "{"), text="I try.")
    made.append(stored(events_of(Scripted([called, "6"], takes_tools=True), wire="native")))
    made.append(stored(events_of(Scripted([called, called, "6"], takes_tools=True), wire="auto")))
    made.append(stored(events_of(Scripted([react("t", "buggy", "x")]))))
    return made


@pytest.mark.slow
def test_every_run_of_the_loop_can_be_taken_along() -> None:
    for events in runs_of_models():
        exported = Exported("t", (ExportedRun("1", "", without_nul(events)),))
        written = export_json_lines(exported)
        assert read_import(written.encode()) == exported
        export_html(exported)
        export_markdown(exported)
        unfinished = [*exported.runs[0].events[:-1], Failed("interrupted", "The server was stopped.")]
        assert read_import(of(*unfinished)).runs[0].events == tuple(unfinished)


JUNK: list[Any] = [
    *(None, True, 0, -1, 10**30, 0.5, 1e300, "", "x", "1", "call_1", "\0", "\ud800", [], {}, [[]], {"a": 1}),
    *("Asked", "Answered", "Observed", "ToolCalled", "react", "http://a.test/", "javascript:x", "NaN", "1E+99"),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a value of JSON."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [found for key in keys for found in places(value[key])]


def mutated(draw: Any, lines: list[str]) -> list[str]:
    """The lines with one thing changed: a line gone, moved, doubled, or a value in it."""
    place = draw(st.integers(0, len(lines) - 1))
    match draw(st.sampled_from(["value", "value", "value", "gone", "doubled", "moved", "away"])):
        case "gone":
            return lines[:place] + lines[place + 1 :]
        case "doubled":
            return [*lines[: place + 1], *lines[place:]]
        case "moved":
            rest = lines[:place] + lines[place + 1 :]
            target = draw(st.integers(0, len(rest)))
            return [*rest[:target], lines[place], *rest[target:]]
        case kind:
            value = json.loads(lines[place])
            container, key = draw(st.sampled_from(places(value)))
            if kind == "away":
                del container[key]
            else:
                container[key] = draw(st.sampled_from(JUNK))
            return [*lines[:place], json.dumps(value), *lines[place + 1 :]]


def check(data: bytes) -> bool:
    """Whether it was accepted; then everything that is done with an import works."""
    try:
        read = read_import(data)
    except BadRequest:
        return False
    for run in read.runs:
        assert fold(run.events).state in ("answered", "failed")
    written = export_json_lines(read)
    assert export_json_lines(read_import(written.encode())) == written
    assert export_html(read)
    assert export_markdown(read)
    return True


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_changed_file_is_refused_or_folds(data: Any) -> None:
    lines = [*LINES]
    for _ in range(data.draw(st.integers(1, 3))):
        if lines:
            lines = mutated(data.draw, lines)
    check(file(*lines))


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_changed_bytes_are_refused_or_fold(data: Any) -> None:
    good = GOOD.encode()
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 40)))
    put = data.draw(st.binary(max_size=8) | st.sampled_from([b'"', b"{", b"}", b"[", b"\\", b"\n", b"null", b"9"]))
    check(good[:start] + put + good[end:])


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert not check(data)


def test_the_checks_above_can_pass() -> None:
    assert check(GOOD.encode())
    assert check(file(*LINES[:-3]))
    answered = json.loads(LINES[14]) | {"text": "other"}
    assert answered["type"] == Answered("").type
    assert check(file(*LINES[:14], json.dumps(answered), *LINES[15:]))
