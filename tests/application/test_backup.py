"""A whole site in one file and back: made while it is at work, into the other kind of store, by other versions."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier
from threading import Event as Flag
from time import time
from typing import Any

import pytest

from agent.application.backup.archive import written
from agent.application.backup.restoration import restore_backup
from agent.application.backup.site_files import site_files
from agent.application.backup.snapshot import make_backup
from agent.application.services import Services, open_services
from agent.cli.main import main
from agent.errors import BadRequest, GlassboxError, RunUnreadable, StoreFailed
from agent.events import Answered, Artifact, Asked, Observed, Prepared, Replied, ToolCalled, Waiting
from agent.messages import Usage
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.settings import Settings, read_settings
from agent.store.chats import Chats
from agent.store.migrations import MIGRATIONS
from agent.store.notes import Notes
from agent.store.runs import Store
from agent.toolkit.base import artifact
from agent.views.fold import fold
from tests.support.servers.postgres_server import PostgresServer
from tests.support.servers.s3_server import BUCKET, S3Server

pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
OTHERS = {"sqlite": "postgresql", "postgresql": "sqlite"}
SALES = b"Region,Total\nNorth,5\nSouth,7.5\nbroken,line,here\nTotal,12.5\n"
NOTES = b"# Returns\n\nA parcel may be sent back within thirty days.\n"
numbers = count(1)
NewSite = Callable[..., dict[str, str]]
Opened = Callable[[Mapping[str, str]], Store]


@pytest.fixture
def new_site(postgres: PostgresServer, tmp_path: Path) -> NewSite:
    """The settings of a new installation on an empty store of that kind."""

    def make(kind: str, files: str = "") -> dict[str, str]:
        number = next(numbers)
        folder = tmp_path / f"site{number}"
        name = f"backup_{os.getpid()}_{number}"
        if kind == "postgresql":
            postgres.run(f"CREATE DATABASE {name}")
        url = postgres.url(database=name).replace("postgresql://", "postgresql+psycopg://")
        return {
            "GLASSBOX_DATA": str(folder),
            "GLASSBOX_DATABASE": url if kind == "postgresql" else "",
            "GLASSBOX_FILES": files,
        }

    return make


@pytest.fixture
def opened(open_store: Callable[..., Store]) -> Callable[[Mapping[str, str]], Store]:
    """The store of a site, closed in the end."""
    return lambda site: open_store(settings_of(site).database)


def settings_of(site: Mapping[str, str]) -> Settings:
    return read_settings(site)


def picture(number: int) -> Artifact:
    return artifact("image", f"{number}.png", bytes([number % 256]) * 5_000)


def write(store: Store, conversation: str, number: int, stop: Flag, writing: Barrier) -> None:
    """Run after run, as the loop writes them, until told to stop; the last one has no end."""
    follows = ""
    for turn in count():
        asked = Asked(f"question {number}.{turn}", time())
        _, run = store.unanswered.begin(asked, "v", conversation, follows)
        store.append(run, [Prepared("q", "s", (), "react", "m", "demo"), Replied("r", "t", Usage(2, 3, 0), 1.0, 0.1)])
        store.append(run, [ToolCalled("1", "search", "x", {"query": "x"})])
        seen = Observed("1", f"seen {number}.{turn}", 0.5, artifacts=(picture(number + turn),))
        store.append(run, [seen])
        if turn == 0:
            writing.wait()
        if stop.is_set():
            return
        store.append(run, [Answered(f"answer {number}.{turn}")])
        follows = run


@pytest.mark.parametrize("kind", OTHERS)
def test_every_run_of_a_backup_opens_that_was_made_while_twenty_were_written(
    opened: Opened, kind: str, new_site: NewSite, tmp_path: Path
) -> None:
    site, elsewhere = new_site(kind), new_site(OTHERS[kind])
    source, stop, writing = opened(site), Flag(), Barrier(21)
    chats = [source.add_conversation("v", f"Chat {number}") for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        work = [pool.submit(write, source, chat, number, stop, writing) for number, chat in enumerate(chats)]
        writing.wait()
        made = make_backup(settings_of(site), tmp_path / "backup")
        stop.set()
        for each in work:
            each.result()
    restored = restore_backup(settings_of(elsewhere), tmp_path / "backup")
    assert (restored.chats, restored.runs, restored.left_out) == (20, made.runs, ()) and made.runs >= 20
    target = opened(elsewhere)
    open_ones: set[str] = set()
    for chat in chats:
        rows = target.runs(chat)
        assert [row.id for row in rows] == [row.id for row in source.runs(chat)][: len(rows)]
        for row in rows:
            events, whole = target.events(row.id), source.events(row.id)
            assert events and events == whole[: len(events)]
            assert row.ended == ("Answered" if isinstance(events[-1], Answered) else "")
            assert (fold(events).answer or "").startswith("answer" if row.ended else "")
            for seen in (event for event in events if isinstance(event, Observed)):
                assert target.artifact(row.id, seen.artifacts[0].hash) == source.artifact(
                    row.id, seen.artifacts[0].hash
                )
            open_ones |= set() if row.ended else {row.id}
    # What was at work is that of a server that was killed: it is taken up, or ended.
    assert {lost.run for lost in target.leases.lost()} == open_ones
    assert [row.title for row in Chats(target).conversations("v", "question 13.0")] == ["Chat 13"]
    assert set(target.close_interrupted()) == open_ones


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with S3Server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


def loaded(services: Services) -> tuple[str, str]:
    """A chat with a table and a document, and one in the bin with a table."""
    ids: list[str] = []
    for title in ("Sales", "Bin"):
        ids.append(services.store.add_conversation("v", title))
        services.tables.open("v", ids[-1]).load("sales.csv", io.BytesIO(SALES))
    services.documents.open("v", ids[0]).load("returns.md", io.BytesIO(NOTES))
    services.chats.delete("v", ids[1])
    return ids[0], ids[1]


def check_files(services: Services, chat: str, deleted: str) -> None:
    tables, documents = services.tables.open("v", chat), services.documents.open("v", chat)
    assert tables.query("SELECT sum(total) FROM sales")["rows"] == [[12.5]]
    (table,) = tables.loaded()
    assert tables.bad_rows(table.id)[0]["text"].startswith("broken")
    (place,) = [number for number, each in enumerate(table.card["repairs"]) if each["kind"] == "totals"]
    tables.repair(table.id, place, "off")
    assert tables.query("SELECT sum(total) FROM sales")["rows"] == [[25.0]]
    found = documents.search("When can I send a parcel back?", documents.loaded(), 1)
    assert "thirty days" in found[0].passage.text
    assert services.chats.restore("v", deleted)
    assert services.tables.open("v", deleted).query("SELECT count(*) FROM sales")["rows"] == [[2]]


def close(services: Services) -> None:
    services.tables.sandbox.close()
    services.runs.close()
    services.store.close()


def test_files_come_along_from_the_data_folder_to_a_store_and_back(
    new_site: NewSite, tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = new_site("sqlite"), new_site("postgresql", f"s3://{BUCKET}/x"), new_site("sqlite")
    services = open_services(first, {})
    chat, deleted = loaded(services)
    key = services.visitor_ids.signed("a" * 32)
    for before, after in ((first, second), (second, third)):
        file = tmp_path / f"{Path(before['GLASSBOX_DATA']).name}.backup"
        # The command, while the site is at work.
        for name, value in before.items():
            monkeypatch.setenv(name, value)
        assert main(["backup", str(file)]) == 0
        assert capsys.readouterr().out == f"Backed up to {file}: 2 chats, 0 runs, 7 files.\n"
        assert file.stat().st_mode & 0o777 == 0o600
        close(services)
        for name, value in after.items():
            monkeypatch.setenv(name, value)
        assert main(["restore", str(file)]) == 0
        assert capsys.readouterr().out == f"Restored from {file}: 2 chats, 0 runs, 7 files.\n"
        services = open_services(after, {})
        if after is second:
            assert len(s3.objects) == 7
        else:
            check_files(services, chat, deleted)
        assert services.visitor_ids.read(key) == "a" * 32  # the same browsers have the same chats
    close(services)


def test_a_store_that_is_not_empty_is_left_alone_unless_told(opened: Opened, new_site: NewSite, tmp_path: Path) -> None:
    site, other = new_site("sqlite"), new_site("sqlite")
    store = opened(site)
    store.add_conversation("v", "Mine")
    make_backup(settings_of(site), tmp_path / "backup")
    with pytest.raises(BadRequest, match=r"is there already\. Name a new file"):
        make_backup(settings_of(site), tmp_path / "backup")
    target = opened(other)
    Notes(target).add("w", "A note.")
    target.close()
    with pytest.raises(BadRequest, match="or add --replace"):
        restore_backup(settings_of(other), tmp_path / "backup")
    target = opened(other)
    assert [note.text for note in Notes(target).of("w")] == ["A note."]
    target.close()
    restore_backup(settings_of(other), tmp_path / "backup", replace=True)
    target = opened(other)
    assert Notes(target).of("w") == []
    assert [row.title for row in Chats(target).conversations("v")] == ["Mine"]


def rewritten(path: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """A backup with other entries."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    target = path.with_name(f"{path.name}-{next(numbers)}")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return target


def with_row(entries: dict[str, bytes], table: str, **values: Any) -> None:
    """Changes the first row of a table."""
    first, *rest = entries[f"rows/{table}.jsonl"].splitlines()
    entries[f"rows/{table}.jsonl"] = b"\n".join([json.dumps(json.loads(first) | values).encode(), *rest, b""])


def with_head(entries: dict[str, bytes], name: str = "backup.json", **values: Any) -> None:
    entries[name] = json.dumps(json.loads(entries[name]) | values).encode()


def with_card(entries: dict[str, bytes], table: str, card: str, **values: Any) -> None:
    """Adds what was loaded into a chat that there is."""
    chat = json.loads(entries["rows/conversations.jsonl"].splitlines()[0])["id"]
    row = {"id": "1", "conversation": chat, "card": card, "created": 1.0} | values
    entries[f"rows/{table}.jsonl"] = json.dumps(row).encode() + b"\n"
    with_head(entries, "end.json", rows=json.loads(entries["end.json"])["rows"] | {table: 1})


CHAT = "c" * 32
HOSTILE: Mapping[str, Callable[[dict[str, bytes]], object]] = {
    "another format": lambda entries: with_head(entries, format="x"),
    "no number": lambda entries: with_head(entries, store="many"),
    "no head": lambda entries: entries.pop("backup.json"),
    "a head that is a list": lambda entries: entries.update({"backup.json": b"[]"}),
    "a deep head": lambda entries: entries.update({"backup.json": b"[" * 100_000}),
    "no end": lambda entries: entries.pop("end.json"),
    "rows lost": lambda entries: entries.update({"rows/events.jsonl": b""}),
    "a table lost": lambda entries: entries.pop("rows/events.jsonl"),
    "a row that is none": lambda entries: entries.update({"rows/events.jsonl": b"[1]\n[2]\n"}),
    "a key that is text": lambda entries: with_row(entries, "events", number="1"),
    "a number too large": lambda entries: with_row(entries, "events", number=2**40),
    "no finite number": lambda entries: with_row(entries, "runs", created=float("inf")),
    "nothing where something must be": lambda entries: with_row(entries, "runs", conversation=None),
    "bytes that are none": lambda entries: with_row(entries, "artifacts", content="%%%"),
    "a run of no chat": lambda entries: with_row(entries, "runs", conversation=CHAT),
    "a chat that is a path": lambda entries: with_row(entries, "conversations", id="../../etc"),
    "a file outside": lambda entries: (
        entries.update({"files/tables/../../x": b"x"}) or with_head(entries, "end.json", files=1)
    ),
    "a file of another kind": lambda entries: (
        entries.update({f"files/secrets/{CHAT}/x": b"x"}) or with_head(entries, "end.json", files=1)
    ),
    "a file of no chat": lambda entries: (
        entries.update({f"files/tables/{CHAT}/x": b"x"}) or with_head(entries, "end.json", files=1)
    ),
    "a card that is none": lambda entries: with_card(entries, "loaded_tables", "{}", name="x", file="x"),
    "a card of no text": lambda entries: with_card(entries, "documents", "[" * 100_000),
    "the key of the files": lambda entries: with_row(entries, "site_keys", name="files"),
}


@pytest.fixture
def backup(opened: Opened, new_site: NewSite, tmp_path: Path) -> Path:
    """Of two runs, one with a picture."""
    site = new_site("sqlite")
    store = opened(site)
    for number in range(2):
        _, run = store.unanswered.begin(Asked(f"question {number}", 1.0), "v")
        store.append(
            run, [ToolCalled("1", "x", "x", {}), Observed("1", "s", 0.1, artifacts=(picture(1),)), Answered("a")]
        )
    services = open_services(site, {})
    services.visitor_ids.signed("a" * 32)
    close(services)
    make_backup(settings_of(site), tmp_path / "backup")
    return tmp_path / "backup"


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_whole_backup_gets_a_sentence_and_leaves_nothing(
    opened: Opened, kind: str, backup: Path, new_site: NewSite, tmp_path: Path
) -> None:
    site = new_site(kind)
    files = {name: rewritten(backup, change) for name, change in HOSTILE.items()}
    whole = backup.read_bytes()
    cut = {"cut": whole[: len(whole) // 2], "begun": whole[:10], "empty": b"", "text": b"x" * 5000}
    flipped = bytearray(whole)
    # Of a single byte it might be one that says nothing, such as the date of an entry.
    for place in range(len(whole) // 3, len(whole) // 3 + 64):
        flipped[place] ^= 0xFF
    for name, content in (cut | {"flipped": bytes(flipped)}).items():
        files[name] = tmp_path / f"file {name}"
        files[name].write_bytes(content)
    for name, file in files.items():
        with pytest.raises(GlassboxError, match="is no backup of Glassbox, or its end is missing") as failed:
            restore_backup(settings_of(site), file)
        assert isinstance(failed.value, BadRequest), name
    store = opened(site)
    assert Chats(store).conversations("v") == []
    assert not [path for kind in ("tables", "documents") for path in (Path(site["GLASSBOX_DATA"]) / kind).rglob("*")]
    store.close()
    restore_backup(settings_of(site), backup)
    store = opened(site)
    assert len(Chats(store).conversations("v")) == 2
    store.close()


def test_an_older_version_restores_what_it_can_and_says_what_it_cannot(
    opened: Opened, backup: Path, new_site: NewSite
) -> None:
    def newer(entries: dict[str, bytes]) -> None:
        with_head(entries, store=len(MIGRATIONS) + 1)
        with_row(entries, "runs", mood="good")
        entries["rows/moods.jsonl"] = b'{"id":1}\n{"id":2}\n'
        rows = json.loads(entries["end.json"])["rows"] | {"moods": 2}
        with_head(entries, "end.json", rows=rows)
        with_row(entries, "events", body='{"what":1,"type":"Dreamed"}', kind="Dreamed")

    site = new_site("sqlite")
    made = restore_backup(settings_of(site), rewritten(backup, newer))
    assert list(made.left_out) == ["The column mood of runs", "2 rows of moods"]
    store = opened(site)
    runs = [row for chat in Chats(store).conversations("v") for row in store.runs(chat.id)]
    read = []
    for row in runs:
        try:
            read.append(store.events(row.id))
        except RunUnreadable as error:
            assert "written by a newer version of Glassbox. Update Glassbox to see it" in str(error)
    assert len(runs) == 2 and len(read) == 1 and isinstance(read[0][-1], Answered)
    for change in (
        lambda entries: with_head(entries, oldest=len(MIGRATIONS) + 1),
        lambda entries: with_head(entries, version=2),
    ):
        with pytest.raises(BadRequest, match=r"made by a newer version of Glassbox\. Update Glassbox to restore it"):
            restore_backup(settings_of(new_site("sqlite")), rewritten(backup, change))


def test_a_run_that_waits_for_its_person_waits_on(opened: Opened, new_site: NewSite, tmp_path: Path) -> None:
    site, elsewhere = new_site("sqlite"), new_site("sqlite")
    store = opened(site)
    _, run = store.unanswered.begin(Asked("Send it", time()), "v")
    store.append(run, [ToolCalled("1", "send", "x", {}), Waiting("1", "question", "Send it?", time=time())])
    make_backup(settings_of(site), tmp_path / "backup")
    restore_backup(settings_of(elsewhere), tmp_path / "backup")
    target = opened(elsewhere)
    assert target.is_waiting(run) and target.leases.lost() == []
    target.take_up(run, [Answered("Sent.")])


def test_a_table_whose_file_is_gone_is_said_and_left_out(
    new_site: NewSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = new_site("sqlite")
    services = open_services(site, {})
    chat = services.store.add_conversation("v", "Sales")
    tables = services.tables.open("v", chat)
    for name in ("kept.csv", "lost.csv"):
        tables.load(name, io.BytesIO(b"a,b\n1,2\n"))
    (tables.folder / tables.loaded()[1].file).unlink()
    for name, value in site.items():
        monkeypatch.setenv(name, value)
    assert main(["backup", str(tmp_path / "backup")]) == 0
    told = capsys.readouterr()
    assert "1 chat, 0 runs, 1 file" in told.out and "Not in it: lost was removed while" in told.err
    close(services)
    other = new_site("sqlite")
    restore_backup(settings_of(other), tmp_path / "backup")
    services = open_services(other, {})
    assert [table.name for table in services.tables.open("v", chat).loaded()] == ["kept"]
    close(services)


def test_one_damaged_document_keeps_no_other_from_being_backed_up(new_site: NewSite, tmp_path: Path) -> None:
    site = new_site("sqlite")
    services = open_services(site, {})
    chats = [services.store.add_conversation("v", title) for title in ("Damaged", "Whole")]
    for chat, name in zip(chats, ("lost.md", "kept.md"), strict=True):
        services.documents.open("v", chat).load(name, io.BytesIO(NOTES))
    close(services)
    damaged = Path(site["GLASSBOX_DATA"]) / "documents" / chats[0]
    for file in damaged.iterdir():
        file.write_bytes(b"no index" * 1_000)
    made = make_backup(settings_of(site), tmp_path / "backup")
    assert made.files == 1
    assert [str(said) for said in made.left_out] == [
        "lost.md was removed while the backup was made, or its file was gone or damaged before."
    ]


def test_two_backups_to_one_file_at_once_leave_one_that_is_whole(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is there already"), written(tmp_path / "backup") as slow:
        slow.table("runs", [{"id": str(number)} for number in range(1_000)])
        with written(tmp_path / "backup") as fast:
            fast.table("notes", [{"id": "1"}])
    with zipfile.ZipFile(tmp_path / "backup") as archive:
        assert archive.testzip() is None and archive.namelist() == ["rows/notes.jsonl", "end.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]


def test_a_restored_file_has_its_name_once_it_is_whole(
    new_site: NewSite, tmp_path: Path, open_store: Callable[..., Store]
) -> None:
    settings = settings_of(new_site("sqlite"))
    target, seen = settings.data / "tables" / CHAT / "a.parquet", list[bool]()

    class Source(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            seen.append(target.exists())
            return super().read(size)

    with site_files(settings, open_store(settings.database).database, Sandbox()).putting() as put:
        put("tables", CHAT, "a.parquet", Source(b"whole"))
    assert len(seen) > 1 and not any(seen)
    assert target.read_bytes() == b"whole" and [*target.parent.iterdir()] == [target]


@pytest.mark.parametrize("kind", OTHERS)
def test_where_there_is_no_store_nothing_is_backed_up_or_made(
    kind: str, new_site: NewSite, opened: Opened, tmp_path: Path
) -> None:
    site = new_site(kind)
    with pytest.raises(BadRequest, match=r"There is no store in .*, so there is nothing to back up\. Run this where"):
        make_backup(settings_of(site), tmp_path / "backup")
    assert not (tmp_path / "backup").exists() and not list(Path(site["GLASSBOX_DATA"]).rglob("*.db*"))
    opened(site).close()
    assert make_backup(settings_of(site), tmp_path / "backup").chats == 0


def test_both_read_the_secrets_of_the_app(
    new_site: NewSite,
    opened: Opened,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site, settings, file = new_site("sqlite"), tmp_path / ".streamlit" / "secrets.toml", str(tmp_path / "backup")
    store = opened(site)
    store.add_conversation("v", "Mine")
    store.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    settings.parent.mkdir()
    settings.write_text(f'[glassbox]\ndata = "{site["GLASSBOX_DATA"]}"\n[keys]\nopenai = "sk-secret"\n')
    assert main(["backup", file]) == 0
    assert main(["restore", "--replace", file]) == 0
    settings.write_text('[keys\nopenai = "sk-secret"')
    for command in ("backup", "restore"):
        with pytest.raises(SystemExit):
            main([command, file])
        said = capsys.readouterr().err
        assert "secrets.toml cannot be read as TOML." in said and "sk-secret" not in said


def test_wrong_usage_and_what_cannot_be_written(
    new_site: NewSite,
    opened: Opened,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = new_site("sqlite")
    opened(site).close()
    for name, value in site.items():
        monkeypatch.setenv(name, value)
    for words, said in (
        (["restore", str(tmp_path / "none")], "none: No such file or directory."),
        (["backup", str(tmp_path / "no" / "folder")], "No such file or directory."),
        (["backup"], "FILE"),
        (["restore", str(tmp_path)], "Is a directory."),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2 and said in capsys.readouterr().err
    monkeypatch.setenv("GLASSBOX_DATABASE", "postgresql+psycopg://nobody@127.0.0.1:9/none")
    with pytest.raises(SystemExit):
        main(["backup", str(tmp_path / "backup")])
    assert "cannot be read or written" in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if path.is_file()]
    with pytest.raises(StoreFailed):
        make_backup(read_settings(dict(os.environ)), tmp_path / "backup")
