"""Files on their way into a conversation, and what tools made of tables, read again for the page."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from agent.data.tables.card_texts import HEADING
from agent.data.tables.chat_tables import ConversationTables, TableLimits, Tables
from agent.data.tables.questions.naming import opening
from agent.data.tables.table_artifacts import ShownTable, is_picture, read_chart_artifact, read_table_artifact
from agent.data.tables.uploads import Loading
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.store.runs import Store
from tests.support.page_socket import PageSocket, pressed
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.system

needs_sandbox = pytest.mark.skipif(bool(client.missing()), reason=client.missing())
SALES = b"Region,Total,Day\nNorth,5,2024-01-02\nSouth,7.5,2024-02-03\nNorth,1,2024-02-04\n"
OTHERS = SALES.replace(b"7.5", b"8.5")


@pytest.fixture
def chat(store: Store, tmp_path: Path, sandbox: Sandbox) -> ConversationTables:
    tables = Tables(store.database, tmp_path / "tables", sandbox, TableLimits(file=1000))
    return tables.open("v", store.add_conversation("v", "Sales"))


class Stopping(io.BytesIO):
    """A file whose reading has the person press the button."""

    def __init__(self, content: bytes, stop: Callable[[], None]) -> None:
        super().__init__(content)
        self._stop = stop

    def read(self, size: int | None = -1, /) -> bytes:
        self._stop()
        return super().read(size)


def finish(loading: Loading) -> Loading:
    end = time.monotonic() + 60
    while not loading.wait(0.5):
        assert time.monotonic() < end
    return loading


@needs_sandbox
def test_files_are_loaded_one_after_the_other_and_a_refused_one_holds_nothing_up(chat: ConversationTables) -> None:
    first = Loading(chat, [("a.csv", io.BytesIO(SALES)), ("big.csv", io.BytesIO(SALES * 100))])
    loading = finish(Loading(chat, [("a.csv", io.BytesIO(OTHERS)), ("x.csv", io.BytesIO(bytes(900)))], after=first))
    assert [(file.name, file.state, file.tables) for file in loading.files] == [
        ("a.csv", "loaded", ("a",)),
        ("big.csv", "refused", ()),
        ("a.csv", "loaded", ("a_2",)),
        ("x.csv", "refused", ()),
    ]
    assert loading.current is None and loading.done
    assert [sentence.split(" ")[0] for sentence in loading.refused] == ["big.csv", "x.csv"]
    assert [table.name for table in chat.loaded()] == ["a", "a_2"]


@needs_sandbox
def test_a_file_that_is_dropped_again_is_loaded_once(chat: ConversationTables) -> None:
    chat.load("a.csv", io.BytesIO(SALES))
    cards, notes = chat.load("a.csv", io.BytesIO(SALES))
    assert [card["name"] for card in cards] == ["a"]
    assert [str(note) for note in notes] == ["a was loaded already."]
    chat.load("b.csv", io.BytesIO(SALES))  # a file of another name is another table
    chat.load("a.csv", io.BytesIO(OTHERS))
    (first, *_) = chat.loaded()
    chat.retype(first.id, "day", "text")
    chat.load("a.csv", io.BytesIO(SALES))  # what was changed here is not what the file has
    assert [table.name for table in chat.loaded()] == ["a", "b", "a_2", "a_3"]


@needs_sandbox
def test_a_loading_that_is_stopped_leaves_what_is_there(chat: ConversationTables) -> None:
    stopped = Flag()
    working = replace(chat, cancel=stopped)
    first = finish(Loading(working, [("a.csv", io.BytesIO(SALES))], stopped=stopped))
    loading = Loading(working, [("b.csv", Stopping(SALES, first.stop)), ("c.csv", io.BytesIO(SALES))], stopped=stopped)
    assert [(file.name, file.state) for file in finish(loading).files] == [("b.csv", "refused"), ("c.csv", "refused")]
    assert loading.refused == tuple(f"{name}.csv was not loaded: you stopped it." for name in "bc")
    assert [table.name for table in chat.loaded()] == ["a"]


@needs_sandbox
def test_a_person_stops_a_loading_on_the_page(demo: AppServer) -> None:
    """The table has so many columns that looking at them takes seconds."""
    wide = "\n".join(",".join(f"{row}{place}" for place in range(1_500)) for row in "x123").encode()
    with PageSocket(demo.port, {}) as page:
        page.draw()
        page.send(page.question("What is 2+2?", ("wide.csv", wide)))
        page.shows("Stop loading")
        page.send(pressed(page.widgets["stop-loading"]))
        page.shows("you stopped it")


@needs_sandbox
def test_questions_for_a_table(chat: ConversationTables) -> None:
    chat.load("sales.csv", io.BytesIO(SALES))
    questions = opening(chat.cards()[0])
    assert len(questions) == len(set(questions)) == 3
    assert any("“Total”" in question for question in questions)
    assert opening({"name": HEADING, "rows": 0, "source": "x", "columns": []}) == ()


def test_a_table_is_read_again_and_exported_without_harm() -> None:
    content = {
        "columns": [
            {"name": "=A", "type": "VARCHAR"},
            {"name": "n", "type": "BIGINT"},
            {"name": "n", "type": "BIGINT"},
        ],
        "rows": [["=1+1", 1, -2], ["@x, “y”", None, 3.5]],
        "total": 5000,
        "sql": "SELECT 1",
    }
    table = read_table_artifact(json.dumps(content).encode())
    assert table == ShownTable(("=A", "n", "n (2)"), (("=1+1", 1, -2), ("@x, “y”", None, 3.5)), 5000, "SELECT 1")
    assert table is not None and not table.whole
    lines = ["'=A,n,n (2)", "'=1+1,1,-2", '"\'@x, “y”",,3.5']
    assert table.csv("It goes on.").decode("utf-8-sig").splitlines() == [*lines, "It goes on."]
    assert replace(table, total=2).csv().decode("utf-8-sig").splitlines() == lines


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[1]",
        b"null",
        b"{}",
        b"[" * 100_000,
        b'{"columns": 1, "rows": [], "total": 1}',
        b'{"columns": [1], "rows": [], "total": 1}',
        b'{"columns": [{"name": "a"}], "rows": [[1, 2]], "total": 1}',
        b'{"columns": [{"name": "a"}], "rows": [1], "total": 1}',
        b'{"columns": [], "rows": [], "total": "many"}',
    ],
)
def test_what_is_no_table_is_none(content: bytes) -> None:
    assert read_table_artifact(content) is None


def test_charts_and_pictures_are_looked_at_before_they_are_drawn() -> None:
    assert read_chart_artifact(b'{"mark": "bar"}') == {"mark": "bar"}
    assert read_chart_artifact(b"[]") is None and read_chart_artifact(b"{") is None
    head = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR"
    assert is_picture(head + (640).to_bytes(4) + (480).to_bytes(4))
    assert not is_picture(head + (60_000).to_bytes(4) + (60_000).to_bytes(4))
    assert not is_picture(head + bytes(8))
    assert not is_picture(b"GIF89a") and not is_picture(b"")
