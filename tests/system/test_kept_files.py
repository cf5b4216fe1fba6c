"""Files of chats that several processes work on: in one data folder, in a shared folder, in an object store."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

import pytest

from agent.application.services import SECONDS_TO_RESTORE, empty_bin
from agent.data.documents.chat_documents import Documents
from agent.data.folder_lock import FolderLock
from agent.data.kept_files.copies import Copies, KeptFiles
from agent.data.kept_files.file_store import FilesFailed, FileStore, key_of, opened
from agent.data.kept_files.s3_store import S3Store
from agent.data.kept_files.shared_folder import NotMounted, SharedFolder
from agent.data.tables.chat_tables import Tables
from agent.errors import BadRequest, BadSettings, ToolFailed
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.store.chats import Chats
from agent.store.runs import Store
from tests.support.servers.s3_server import BUCKET, Kept, S3Server

pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
SALES = b"Region,Total,When\nNorth,5,2024-01-02\nSouth,7.5,2024-02-03\nNorth,1,2024-02-04\nTotal,13.5,\n"
NOTES = "# Returns\n\nA parcel may be sent back within thirty days.\n\n# Käse\n\nDer Käse liegt im Keller.\n".encode()
ADDRESS = f"s3://{BUCKET}/glass/box"
CHAT = "c" * 32
PATIENCE = 0.4


@dataclass
class Process:
    """What one process of a site has for the files of chats."""

    tables: Tables
    documents: Documents


@dataclass
class Site:
    store: Store
    start: Callable[[], Process]
    kept: Callable[[], list[str]]
    """The names of the files that are kept of all chats, without those that the index of documents has."""


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with S3Server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture(params=["data", "folder", "s3"])
def site(
    request: pytest.FixtureRequest, tmp_path: Path, store: Store, sandbox: Sandbox, second_sandbox: Sandbox
) -> Site:
    """A site whose two processes share that; each has a sandbox of its own, as processes have."""
    sandboxes = iter((sandbox, second_sandbox))
    shared = tmp_path / "shared"
    shared.mkdir()
    server: S3Server | None = request.getfixturevalue("s3") if request.param == "s3" else None

    def start() -> Process:
        its = next(sandboxes)
        kept: FileStore | None = None
        if request.param != "data":
            kept = S3Store(ADDRESS, "one") if server else SharedFolder(shared, "one")
        copies = Copies(tmp_path / "copies", its.forget) if kept else None
        tables, documents = (
            KeptFiles(kept, kind, copies) if kept and copies else None for kind in ("tables", "documents")
        )
        return Process(
            Tables(store.database, tmp_path / "tables", its, kept=tables),
            Documents(store.database, tmp_path / "documents", its, kept=documents),
        )

    def names() -> list[str]:
        if server:
            return sorted(key.rpartition("/")[2] for key in server.objects)
        place = shared / "one" if request.param == "folder" else tmp_path / "tables"
        return sorted(path.name for path in place.rglob("*") if path.is_file())

    return Site(store, start, names)


def test_what_one_process_loads_the_other_is_asked(site: Site) -> None:
    one, other = site.start(), site.start()
    chat = site.store.add_conversation("v", "Sales")
    mine, theirs = one.tables.open("v", chat), other.tables.open("v", chat)
    mine.load("sales.csv", io.BytesIO(SALES))
    query = {"kind": "query", "sql": "SELECT sum(total) AS t FROM sales"}
    assert theirs.run(query)["rows"] == [[13.5]]
    assert theirs.run_program("round(sales['total'].sum(), 1)", True)[0]["value"] == "13.5"
    theirs.load("more.csv", io.BytesIO(b"a,b\n1,2\n"))
    (sales, more) = mine.loaded()
    assert mine.preview(more.id, 0, 5)["rows"] == [[1, 2]]
    # A change in one is what the other is asked, and can take back.
    (place,) = [number for number, each in enumerate(sales.card["repairs"]) if each["kind"] == "totals"]
    mine.repair(sales.id, place, "off")
    assert theirs.run(query)["rows"] == [[27.0]]
    theirs.repair(sales.id, place, "on")
    assert mine.run(query)["rows"] == [[13.5]]
    # Documents, from the second to the first.
    other.documents.open("v", chat).load("notes.md", io.BytesIO(NOTES))
    (document,) = one.documents.open("v", chat).loaded()
    found = one.documents.open("v", chat).search("When can I send a parcel back?", (document,), 1)
    assert "thirty days" in found[0].passage.text
    assert one.documents.open("v", chat).page_of(document, 1) == 1
    # What goes, goes everywhere.
    for table in mine.loaded():
        theirs.remove(table.id)
    one.documents.open("v", chat).remove(document.id)
    assert site.kept() == []


def test_two_processes_write_the_same_chat_at_once(site: Site) -> None:
    processes = [site.start(), site.start()]
    chat = site.store.add_conversation("v", "Sales")
    opened_ones = [process.tables.open("v", chat) for process in processes]

    def load(number: int) -> None:
        other = SALES.replace(b"South", b"South%d" % number)  # the same rows would be loaded once
        opened_ones[number % 2].load("sales.csv", io.BytesIO(other))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(load, range(4)))
    tables = opened_ones[0].loaded()
    assert len({table.name for table in tables}) == 4 and all(table.name.startswith("sales") for table in tables)
    for each in opened_ones:
        for table in tables:
            assert each.query(f"SELECT count(*) FROM {table.name}")["rows"] == [[3]]
    assert site.kept() == sorted(name for table in tables for name in table.files())
    # Of two changes to one table, the one that came too late is told so.
    first, second = opened_ones
    seen = second.loaded()[0]
    first.rename(seen.id, "renamed")
    with pytest.raises(BadRequest, match="changed or removed elsewhere"):
        second.files.rows.change(chat, seen, {**seen.card, "name": "too_late"})


def test_a_table_that_was_changed_elsewhere_a_moment_ago_is_looked_up_again(site: Site) -> None:
    one, other = site.start(), site.start()
    chat = site.store.add_conversation("v", "Sales")
    mine, theirs = one.tables.open("v", chat), other.tables.open("v", chat)
    mine.load("sales.csv", io.BytesIO(b"id,n\n1,5\n2,7\nx,1\n3,1\n"))
    mine.retype(mine.loaded()[0].id, "n", "text")
    before = theirs.loaded()
    mine.retype(before[0].id, "n", "whole number")  # the file of before is gone by now
    (now,) = mine.loaded()
    assert now.file != before[0].file
    with theirs._working() as known:
        theirs._bring_all_of(before, known, again=True)
    assert (theirs.folder / now.file).is_file()
    mine.remove(now.id)
    assert not (mine.folder / now.file).exists()


def test_files_go_with_their_chat_and_no_others(tmp_path: Path, store: Store, s3: S3Server, sandbox: Sandbox) -> None:
    copies = Copies(tmp_path / "copies", sandbox.forget)
    tables = Tables(store.database, tmp_path / "t", sandbox, kept=KeptFiles(S3Store(ADDRESS, "one"), "tables", copies))
    gone, stays = (store.add_conversation("v", title) for title in ("Gone", "Stays"))
    for chat in (gone, stays):
        tables.open("v", chat).load("sales.csv", io.BytesIO(SALES))
    long_ago = datetime.now(UTC) - timedelta(days=2)
    before = f"glass/box/one/tables/{stays}"
    # A process that was killed before it wrote its row left one two days ago; another is about to write its row.
    s3.objects |= {
        f"{before}/old.parquet": Kept(b"x", long_ago),
        f"{before}/new.parquet": Kept(b"x", datetime.now(UTC)),
    }
    others = {f"glass/box/two/tables/{'d' * 32}/a.parquet": Kept(b"x", long_ago), "else/where": Kept(b"x", long_ago)}
    s3.objects |= others
    Chats(store).delete("v", gone)
    assert tables.sweep() == 0  # it can still be brought back
    s3.trouble = (503, "SlowDown")
    assert empty_bin(Chats(store), [tables], time() + SECONDS_TO_RESTORE + 1) == 1
    s3.trouble = None
    assert tables.sweep() == 1
    (table,) = tables.open("v", stays).loaded()
    named = {f"{before}/{name}" for name in table.files()}
    assert s3.objects.keys() == named | {f"{before}/new.parquet"} | others.keys()


def test_each_failure_of_the_store_has_a_sentence_and_leaves_nothing_half(
    tmp_path: Path, store: Store, s3: S3Server, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    def start() -> Tables:
        kept = KeptFiles(S3Store(ADDRESS, "one", PATIENCE), "tables", Copies(tmp_path / "copies", sandbox.forget))
        return Tables(store.database, tmp_path / "t", sandbox, kept=kept)

    chat = store.add_conversation("v", "Sales")
    mine = start().open("v", chat)
    mine.load("sales.csv", io.BytesIO(SALES))
    kept = dict(s3.objects)

    def both(match: str) -> None:
        """What a person and a tool are told who need the file, and a person who loads another."""
        theirs = start().open("v", chat)
        with pytest.raises(ToolFailed, match=match):
            theirs.run({"kind": "query", "sql": "SELECT 1 FROM sales"})
        with pytest.raises(BadRequest, match=match):
            theirs.preview(theirs.loaded()[0].id, 0, 1)
        if "load it again" not in match:
            with pytest.raises(FilesFailed, match=match):
                theirs.load("more.csv", io.BytesIO(SALES))
        assert [table.name for table in theirs.loaded()] == ["sales"]
        # A program that needs no table goes on.
        assert theirs.run_program("6 * 7", True)[0]["value"] == "42"
        # What was fetched before needs nobody.
        assert mine.query("SELECT count(*) FROM sales")["rows"] == [[3]]

    s3.trouble = (403, "AccessDenied")
    both("refuses it. Whoever runs the site can mend that")
    s3.trouble = (503, "SlowDown")
    both("does not answer. Try again in a minute")
    s3.trouble, s3.silent = None, True
    both("does not answer. Try again in a minute")
    s3.silent = False
    s3.objects.clear()
    both("sales is not where this site keeps files any more. Remove it from the chat, and load it again.")
    s3.objects |= kept
    assert start().open("v", chat).query("SELECT count(*) FROM sales")["rows"] == [[3]]  # it is back
    assert s3.objects.keys() == kept.keys()
    assert s3.key not in caplog.text and s3.secret not in caplog.text


def test_a_store_that_cannot_be_used_is_said_at_the_start(
    tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadSettings, match=r"cannot be used \(FileNotFoundError\)\. Mount or make it"):
        SharedFolder(tmp_path / "not mounted", "one")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://not an address")
    with pytest.raises(BadSettings, match="do not name a store together"):
        S3Store(ADDRESS, "one")
    monkeypatch.undo()


def test_a_folder_that_is_not_mounted_any_more_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    folder = SharedFolder(tmp_path / "shared", "one")
    folder.put(f"tables/{CHAT}/a.parquet", io.BytesIO(b"content"))
    (tmp_path / "shared").rename(tmp_path / "away")
    (tmp_path / "shared").mkdir()
    for work in (
        lambda: folder.put(f"tables/{CHAT}/b.parquet", io.BytesIO(b"b")),
        lambda: folder.get(f"tables/{CHAT}/a.parquet", io.BytesIO(), 100),
        lambda: list(folder.listed()),
    ):
        with pytest.raises(FilesFailed) as failed:
            work()
        assert failed.value.trouble == "away"
    assert list((tmp_path / "shared").iterdir()) == []


def test_an_empty_folder_is_none_of_a_site_that_has_files(tmp_path: Path) -> None:
    """It may be one on which nothing is mounted yet."""
    place, away = tmp_path / "shared", tmp_path / "away"
    place.mkdir()
    SharedFolder(place, "one").put(f"tables/{CHAT}/a.parquet", io.BytesIO(b"content"))
    assert len(list(SharedFolder(place, "one", used=True).listed())) == 1
    place.rename(away)
    place.mkdir()
    for made in (False, True):  # as a version before there were marks left it
        if made:
            (place / "one").mkdir()
        with pytest.raises(NotMounted, match="it is not mounted, or another one"):
            SharedFolder(place, "one", used=True)
        assert [path.name for path in place.rglob("*")] == ["one"] * made
    (place / "one").rmdir()
    place.rmdir()
    away.rename(place)
    target = io.BytesIO()
    SharedFolder(place, "one", used=True).get(f"tables/{CHAT}/a.parquet", target, 100)
    assert target.getvalue() == b"content"


def test_a_folder_of_before_there_were_marks_is_marked(tmp_path: Path) -> None:
    SharedFolder(tmp_path, "one").put(f"tables/{CHAT}/a.parquet", io.BytesIO(b"content"))
    (mark,) = (path for path in tmp_path.iterdir() if path.is_file())
    said = mark.read_text(encoding="utf-8")
    assert "Do not remove" in said
    mark.unlink()
    folder = SharedFolder(tmp_path, "one", used=True)
    assert mark.read_text(encoding="utf-8") == said
    assert [key for key, _ in folder.listed()] == [f"tables/{CHAT}/a.parquet"], "the mark is none of the files"
    assert list(SharedFolder(tmp_path, "other").listed()) == [], "a second site in the same place"
    assert len([path for path in tmp_path.iterdir() if path.is_file()]) == 2


@pytest.mark.parametrize("kind", ["folder", "s3"])
def test_a_full_disk_and_a_file_too_large(kind: str, tmp_path: Path, s3: S3Server) -> None:
    kept: FileStore = S3Store(ADDRESS, "one") if kind == "s3" else SharedFolder(tmp_path, "one")
    key = f"tables/{CHAT}/a.parquet"
    kept.put(key, io.BytesIO(bytes(1 << 20)))
    for target, most, trouble in (("/dev/full", 1 << 20, "full"), (os.devnull, 1000, "large")):
        with open(target, "wb", buffering=0) as file, pytest.raises(FilesFailed) as failed:
            kept.get(key, file, most)
        assert failed.value.trouble == trouble


def test_hostile_names_and_files_are_not_kept(tmp_path: Path, s3: S3Server) -> None:
    for name in ("../x", "a/b", "/etc/passwd", ".hidden", "", "a" * 200, "a\nb", "a%2fb", "x.parquet/..", "é"):
        with pytest.raises(FilesFailed):
            key_of("tables", CHAT, name)
    with pytest.raises(FilesFailed):
        key_of("tables", "../../" + CHAT, "a.parquet")
    secret, folder = tmp_path / "secret", tmp_path / CHAT
    secret.write_text("secret")
    folder.mkdir()
    (folder / "link.parquet").symlink_to(secret)
    (folder / "hard.parquet").hardlink_to(secret)
    os.mkfifo(folder / "pipe.parquet")
    (folder / "folder.parquet").mkdir()
    kept = KeptFiles(S3Store(ADDRESS, "one"), "tables", Copies(tmp_path / "copies", lambda _: None))
    for name in ("link.parquet", "hard.parquet", "pipe.parquet", "folder.parquet", "none.parquet", "../secret"):
        with pytest.raises(FilesFailed):
            kept.keep(folder, [name])
        with pytest.raises(FilesFailed), opened(folder, name):
            pass
    assert s3.objects == {}


def test_the_last_file_of_a_chat_may_go_while_another_comes(tmp_path: Path) -> None:
    shared = SharedFolder(tmp_path, "one")

    def come_and_go(name: str) -> None:
        for _ in range(150):
            shared.put(f"tables/{CHAT}/{name}.parquet", io.BytesIO(b"new"))
            shared.remove([f"tables/{CHAT}/{name}.parquet"])

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(come_and_go, ("a", "b"))) == [None, None]


def test_what_was_kept_before_outlasts_a_try_that_fails(tmp_path: Path) -> None:
    shared, folder = SharedFolder(tmp_path, "one"), tmp_path / CHAT
    folder.mkdir()
    (folder / "new.parquet").write_bytes(b"new")
    shared.put(f"tables/{CHAT}/old.parquet", io.BytesIO(b"old"))
    kept = KeptFiles(shared, "tables", Copies(tmp_path / "copies", lambda _: None))
    with pytest.raises(FilesFailed):
        kept.keep(folder, ["new.parquet", "old.parquet"])
    assert [key for key, _ in shared.listed()] == [f"tables/{CHAT}/old.parquet"]


def test_copies_stay_within_their_bound(tmp_path: Path) -> None:
    shared = SharedFolder(tmp_path, "one")
    ended: list[str] = []
    copies = Copies(tmp_path / "copies", lambda folder: ended.append(folder.name[0]), most=2_500)
    kept = KeptFiles(shared, "tables", copies)
    folders = [kept.place / (letter * 32) for letter in "abc"]
    for folder in folders:
        folder.mkdir(parents=True)
        shared.put(f"tables/{folder.name}/x.parquet", io.BytesIO(bytes(1_000)))
    for folder in folders[:2]:
        with copies.holding(folder) as known:
            kept.fetch(folder, "x.parquet", 2_000)
            known.add("x")
    with copies.holding(folders[0]):  # used last
        pass
    with copies.holding(folders[2]), copies.holding(folders[0]):
        kept.fetch(folders[2], "x.parquet", 2_000)
        assert ended == ["b"] and not folders[1].exists()
        with copies.holding(folders[1]) as known:
            assert known == set()
            folders[1].mkdir()
            with pytest.raises(FilesFailed) as failed:  # all others are in use
                kept.fetch(folders[1], "x.parquet", 2_000)
            assert failed.value.trouble == "busy"
    assert [len(list(folder.iterdir())) for folder in folders] == [1, 0, 1]
    assert list(copies.parts.iterdir()) == []


def test_copies_of_a_killed_process_are_removed_and_those_of_others_stay(tmp_path: Path) -> None:
    mine = Copies(tmp_path, lambda _: None)
    code = (
        "import sys; from pathlib import Path; from agent.data.kept_files.copies import Copies\n"
        "print(Copies(Path(sys.argv[1]), id).place, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout
        theirs = Path(other.stdout.readline().strip())
        third = Copies(tmp_path, lambda _: None)
        assert mine.place.is_dir() and theirs.is_dir()
        other.kill()
    fourth = Copies(tmp_path, lambda _: None)
    assert {entry.name for entry in tmp_path.iterdir()} == {each.place.name for each in (mine, third, fourth)}
    for each in (mine, third, fourth):
        each.close()


def test_the_lock_of_a_folder_holds_among_processes(tmp_path: Path) -> None:
    mine = FolderLock(tmp_path / "locks" / CHAT)
    code = (
        "import sys; from pathlib import Path; from agent.data.folder_lock import FolderLock\n"
        "lock = FolderLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "locks" / CHAT)], stdin=-1, stdout=-1, text=True
    ) as other:
        assert other.stdout and other.stdout.readline() == "held\n"
        assert not mine.acquire(blocking=False)
        assert not mine.acquire(timeout=0.01)
        other.kill()
    with mine:
        assert not FolderLock(tmp_path / "locks" / CHAT).acquire(blocking=False)
    assert mine.acquire(blocking=False)
    mine.release()


def test_nobody_tidies_while_another_process_loads(tmp_path: Path, store: Store, sandbox: Sandbox) -> None:
    tables = Tables(store.database, tmp_path / "tables", sandbox)
    chat = tables.open("v", store.add_conversation("v", "Sales"))
    chat.load("sales.csv", io.BytesIO(SALES))
    half = chat.folder / "upload_of_another_process"
    half.write_bytes(b"half of a file")
    with FolderLock(tmp_path / "locks" / "tables" / chat.conversation):  # as another process has it
        chat.remove(chat.loaded()[0].id)
        assert half.exists()
    chat.load("sales.csv", io.BytesIO(SALES))
    assert not half.exists()
