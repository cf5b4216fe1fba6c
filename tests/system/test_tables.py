"""A conversation's tables: loaded through the sandbox, kept apart, gone with the conversation."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event as Flag

import pytest

from agent.application.services import SECONDS_TO_RESTORE, empty_bin
from agent.data.tables.chat_tables import ConversationTables, TableLimits, Tables
from agent.data.tables.loading.load_work import Progress
from agent.data.tables.table_artifacts import read_table_artifact
from agent.errors import BadRequest, ToolFailed
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.sandbox.sandbox_errors import SandboxOff
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.tools.own_data.query import query_tool

pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
SALES = b"Region,Total (EUR),When\nNorth,5,2024-01-02\nSouth,7.5,2024-02-03\nNorth,1,2024-02-04\n"
BOMB = "SELECT count(*) FROM range(100000000000) a, range(100) b WHERE a.range % 7 = b.range"


@pytest.fixture
def tables(store: Store, tmp_path: Path, sandbox: Sandbox) -> Tables:
    # Beneath a folder that everybody may walk through, as a data folder is: else root could not change who it is.
    return Tables(store.database, tmp_path / "tables", sandbox)


@pytest.fixture
def open_chat(store: Store, tables: Tables) -> Callable[..., ConversationTables]:
    def open_one(visitor: str = "v", cancel: Flag | None = None) -> ConversationTables:
        return tables.open(visitor, store.add_conversation(visitor, "Sales"), cancel)

    return open_one


def load(chat: ConversationTables, content: bytes = SALES, name: str = "sales.csv") -> str:
    """Loads, and gives the id of the table."""
    chat.load(name, io.BytesIO(content))
    return chat.loaded()[-1].id


def test_a_file_becomes_a_table_that_can_be_asked(open_chat: Callable[..., ConversationTables]) -> None:
    chat, seen = open_chat(), list[Progress]()
    cards, _ = chat.load("sales.csv", io.BytesIO(SALES), seen.append)
    assert [(card["name"], card["rows"], card["source"]) for card in cards] == [("sales", 3, "sales.csv")]
    (table,) = chat.loaded()
    assert (table.name, table.rows, table.source, table.card) == ("sales", 3, "sales.csv", cards[0])
    assert [entry.name for entry in chat.folder.iterdir()] == [table.file]  # neither upload nor progress stays
    assert chat.folder.stat().st_mode & 0o777 == 0o700
    assert chat.query("SELECT sum(total_eur) FROM sales")["rows"] == [[13.5]]
    assert chat.preview(table.id, 1, 1, "total_eur")["rows"][0][0] == "North"
    assert (
        chat.run({"kind": "query", "sql": "SELECT region FROM sales LIMIT 1"})["text"]
        == "1 row:\nregion VARCHAR\nNorth"
    )
    second = load(chat, SALES.replace(b"7.5", b"8.5"))
    assert [one.name for one in chat.loaded()] == ["sales", "sales_2"]
    assert chat.rename(second, "Sales of ’24!") == "sales_of_24"
    assert chat.rename(second, "SALES") == "sales_2"
    chat.remove(table.id)
    assert [one.name for one in chat.loaded()] == ["sales_2"]
    assert len(list(chat.folder.iterdir())) == 1
    assert chat.query("SELECT count(*) FROM sales_2")["rows"] == [[3]]


def test_types_are_corrected_and_results_exported(open_chat: Callable[..., ConversationTables]) -> None:
    chat = open_chat()
    table = load(chat, b"id,note\n7,=1+1\n8,ok\n9,fine\nx,-\n\n")
    assert chat.retype(table, "id", "whole number") == 1
    assert [column["kind"] for column in chat.cards()[0]["columns"]] == ["integer", "text"]
    text = chat.export("SELECT note FROM sales").decode("utf-8-sig")
    assert text.splitlines() == ["note", "'=1+1", "ok", "fine", "'-"]
    assert len(list(chat.folder.iterdir())) == 2  # and what it was before
    with pytest.raises(BadRequest, match="There is no"):
        chat.retype(table, "nope", "integer")
    with pytest.raises(BadRequest, match="There is no such repair"):
        chat.repair(table, 5, "off")
    chat.repair(table, 0, "off")
    assert [column["kind"] for column in chat.cards()[0]["columns"]] == ["text", "text"]
    assert [path.name for path in chat.folder.iterdir()] == [chat.cards()[0]["file"]]


def test_a_result_says_what_was_put_right_in_its_tables(open_chat: Callable[..., ConversationTables]) -> None:
    chat = open_chat()
    load(chat, b"region,n\nNorth,1\nSouth,2\nWest,3\nTotal,6\n")
    result = query_tool(chat.run).call({"sql": "SELECT sum(n) AS total_n FROM sales"})
    made = read_table_artifact(result.artifacts[0].content or b"")
    assert made is not None and made.rows == ((6,),)
    assert made.notes == ("sales: 1 row of totals left out of sums.",)
    assert made.headings == ("Total n",)
    assert chat.run({"kind": "query", "sql": "SELECT 1"})["notes"] == []


def test_nothing_is_half_loaded(open_chat: Callable[..., ConversationTables], tables: Tables) -> None:
    chat = open_chat()
    with pytest.raises(BadRequest, match=r"picture\.csv"):
        chat.load("picture.csv", io.BytesIO(b"\x89PNG\r\n\x1a\n" + bytes(2000)))
    tables.limits = TableLimits(file=1000)
    with pytest.raises(BadRequest, match=r"big\.csv is larger than 1e"):
        chat.load("big.csv", io.BytesIO(b"a,b\n" * 1000))
    tables.limits = TableLimits(bytes=10)
    with pytest.raises(BadRequest, match="at most 10 bytes fit"):
        load(chat)
    tables.limits = TableLimits(tables=0)
    with pytest.raises(BadRequest, match="no more fit"):
        load(chat)
    assert chat.loaded() == () and list(chat.folder.iterdir()) == []


def test_a_query_is_stopped_at_once_and_at_its_time(open_chat: Callable[..., ConversationTables]) -> None:
    cancel = Flag()
    chat = open_chat(cancel=cancel)
    load(chat)
    with pytest.raises(ToolFailed) as failed:
        # The statement itself says that its time is over: `run` only hands on.
        answer = chat.run({"kind": "query", "sql": BOMB, "seconds": 0.3})
        raise ToolFailed(str(answer["message"]), str(answer["error"]))
    assert failed.value.kind == "time"
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(ToolFailed) as stopped:
        chat.run({"kind": "query", "sql": BOMB, "seconds": 20})
    assert stopped.value.kind == "stopped"
    cancel.clear()
    assert chat.query("SELECT 1")["rows"] == [[1]]


def test_a_program_sees_the_tables_by_name(open_chat: Callable[..., ConversationTables]) -> None:
    chat = open_chat()
    load(chat)
    answer, fresh = chat.run_program("total = df.total_eur.sum()\ntotal", new=True)
    assert (answer["error"], float(answer["value"]), fresh) == (None, 13.5, True)
    answer, fresh = chat.run_program("total * 2", new=False)
    assert (float(answer["value"]), fresh) == (27.0, False)
    answer, fresh = chat.run_program("total", new=True)
    assert answer["error"]["type"] == "NameError" and fresh


def test_nobody_reaches_the_tables_of_another(
    open_chat: Callable[..., ConversationTables], tables: Tables, store: Store
) -> None:
    mine, theirs = open_chat("me"), open_chat("them")
    secret = load(theirs, b"secret\nhunter2\n", "keys.csv")
    load(mine)
    for visitor, conversation in (
        ("me", theirs.conversation),
        ("", theirs.conversation),
        ("them", f"../{theirs.conversation}"),
        ("them", theirs.conversation.upper() + "\n"),
        ("them", "0" * 32),
        ("them", ""),
    ):
        with pytest.raises(BadRequest, match="no such conversation"):
            tables.open(visitor, conversation)
    for act in (lambda: mine.rename(secret, "x"), lambda: mine.preview(secret, 0, 5), lambda: mine.bad_rows(secret)):
        with pytest.raises(BadRequest, match="gone"):
            act()
    mine.remove(secret)
    assert len(theirs.loaded()) == 1
    file = theirs.loaded()[0].file
    for path in (file, f"../{theirs.conversation}/{file}", str(theirs.folder / file)):
        assert not mine.run({"kind": "query", "sql": f"SELECT * FROM '{path}'"})["ok"]
        assert not mine.run({"kind": "preview", "file": path})["ok"]
        answer, _ = mine.run_program(f"open({str(theirs.folder / file)!r}, 'rb').read()", new=True)
        assert answer["error"]["type"] in ("PermissionError", "FileNotFoundError")
    assert not mine.run({"kind": "query", "sql": "SELECT * FROM keys"})["ok"]
    Chats(store).delete("them", theirs.conversation)
    with pytest.raises(BadRequest, match="no such conversation"):
        tables.open("them", theirs.conversation)


def test_a_file_and_a_question_do_not_wait_for_each_other(
    open_chat: Callable[..., ConversationTables], tables: Tables
) -> None:
    chat, stop = open_chat(), Flag()
    load(chat)
    asking = tables.open("v", chat.conversation, stop)
    endless = {"kind": "query", "sql": BOMB, "seconds": 60.0}
    stopped: list[str] = []

    def ask() -> None:
        with pytest.raises(ToolFailed) as failed:
            asking.run(endless)
        stopped.append(failed.value.kind)

    thread = threading.Thread(target=ask)
    thread.start()
    load(chat, name="more.csv")
    assert thread.is_alive() and not stopped
    stop.set()
    thread.join()
    assert stopped == ["stopped"] and len(chat.loaded()) == 2


def test_tables_go_with_their_conversation(
    open_chat: Callable[..., ConversationTables], tables: Tables, store: Store
) -> None:
    gone, kept = open_chat(), open_chat()
    load(gone)
    load(kept)
    assert tables.sweep() == 0
    chats = Chats(store)
    chats.delete("v", gone.conversation)
    assert tables.sweep() == 0  # it can still be brought back
    assert empty_bin(chats, [tables], time.time()) == 0 and gone.folder.exists()
    assert empty_bin(chats, [tables], time.time() + SECONDS_TO_RESTORE + 1) == 1
    assert [entry.name for entry in kept.folder.parent.iterdir()] == [kept.conversation]
    assert gone.loaded() == () and len(kept.loaded()) == 1


def test_where_there_is_no_sandbox_a_sentence_says_so(store: Store, tmp_path: Path) -> None:
    class Off(Sandbox):
        def session(self, folder: Path, role: client.Role, visitor: str = "") -> client.Session:
            raise SandboxOff("Running code needs Landlock.")

    tables = Tables(store.database, tmp_path / "tables", Off())
    chat = tables.open("v", store.add_conversation("v", "x"))
    with pytest.raises(BadRequest, match=r"Tables cannot be used just now\. Running code needs Landlock\."):
        load(chat)
    with pytest.raises(ToolFailed, match="needs Landlock"):
        chat.run({"kind": "query", "sql": "SELECT 1"})
    assert not os.path.exists(chat.folder) or not list(chat.folder.iterdir())
