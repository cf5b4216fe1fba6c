"""Tables and documents of a shared chat come along to whoever goes on with it, as copies of their own."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest
import sqlalchemy as sql

from agent.application.services import SECONDS_TO_RESTORE, Services, empty_bin, open_services
from agent.application.teams import files_along
from agent.application.teams.beginning import BEGINNING, read_beginning
from agent.application.teams.branching import branch
from agent.errors import BadRequest
from agent.events import Answered, Asked
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.sharing.shares import SharedChat
from agent.sharing.team_shares import Circle, Teammate
from agent.store.team_tables import TEAM_SHARES

pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
ANNA, BERT, CLEO = (Teammate(name[0] * 32, f"{name}@example.com") for name in ("anna", "bert", "cleo"))
MAY = Circle("people", ("bert@example.com",), branching=True)
SALES = b"Region,Total\nNorth,5\nSouth,7.5\nbroken,line,here\nTotal,12.5\n"
NOTES = b"# Returns\n\nA parcel may be sent back within thirty days.\n"


@pytest.fixture(params=["data", "folder"])
def services(request: pytest.FixtureRequest, tmp_path: Path, sandbox: Sandbox) -> Iterator[Services]:
    """A site that keeps files in its data folder, or in a shared one."""
    (tmp_path / "shared").mkdir()
    files = str(tmp_path / "shared") if request.param == "folder" else ""
    environment = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_FILES": files}
    opened = open_services(environment, {}, sandbox=sandbox)
    yield opened
    opened.runs.close()
    opened.store.close()


def chat(services: Services) -> str:
    """A chat of Anna's with a table, a document and an answer."""
    conversation = services.store.add_conversation(ANNA.visitor, "Sales")
    services.tables.open(ANNA.visitor, conversation).load("sales.csv", io.BytesIO(SALES))
    services.documents.open(ANNA.visitor, conversation).load("returns.md", io.BytesIO(NOTES))
    run = services.store.add_run(conversation)
    services.store.append(run, [Asked("What was sold?", 1.0), Answered("12.5")])
    return conversation


def opened(services: Services, reader: Teammate = BERT) -> SharedChat | None:
    (share,) = services.team_shares.of(ANNA.visitor)
    return services.team_shares.open(share.id, reader)


def gone_on_with(services: Services) -> str:
    shared = opened(services)
    assert shared
    return branch(services, BERT.visitor, shared)


def check(services: Services, conversation: str, visitor: str) -> None:
    tables, documents = services.tables.open(visitor, conversation), services.documents.open(visitor, conversation)
    assert tables.query("SELECT sum(total) FROM sales")["rows"] == [[12.5]]
    (table,) = tables.loaded()
    assert tables.bad_rows(table.id)[0]["text"].startswith("broken")
    found = documents.search("When can I send a parcel back?", documents.loaded(), 1)
    assert "thirty days" in found[0].passage.text


def left(services: Services, conversation: str) -> tuple[str, ...]:
    return read_beginning(services.chats.chosen(conversation, BEGINNING)).left


def gone_for_good(services: Services, visitor: str, conversation: str) -> None:
    assert services.chats.delete(visitor, conversation)
    empty_bin(services.chats, (services.tables, services.documents), time() + SECONDS_TO_RESTORE + 1)


def files_of(services: Services, tmp_path: Path, conversation: str) -> list[Path]:
    return [path for path in tmp_path.rglob("*") if conversation in path.parts and path.is_file()]


def test_they_come_along_as_copies_that_go_with_their_own_chat(services: Services, tmp_path: Path) -> None:
    theirs = chat(services)
    services.team_shares.make(ANNA, theirs, MAY, {})
    mine = gone_on_with(services)
    assert left(services, mine) == ()
    check(services, mine, BERT.visitor)
    (ours,) = services.tables.open(BERT.visitor, mine).loaded()
    (place,) = [number for number, each in enumerate(ours.card["repairs"]) if each["kind"] == "totals"]
    services.tables.open(BERT.visitor, mine).repair(ours.id, place, "off")
    services.tables.open(BERT.visitor, mine).repair(ours.id, place, "on")
    check(services, theirs, ANNA.visitor)
    for visitor, conversation in ((BERT.visitor, theirs), (ANNA.visitor, mine)):
        with pytest.raises(BadRequest, match="no such conversation"):
            services.tables.open(visitor, conversation)
    gone_for_good(services, ANNA.visitor, theirs)
    assert files_of(services, tmp_path, theirs) == []
    check(services, mine, BERT.visitor)
    assert files_of(services, tmp_path, mine)
    gone_for_good(services, BERT.visitor, mine)
    assert files_of(services, tmp_path, mine) == []


def test_what_came_later_stays_and_what_is_gone_is_said(services: Services) -> None:
    theirs = chat(services)
    services.team_shares.make(ANNA, theirs, MAY, {})
    tables, documents = services.tables.open(ANNA.visitor, theirs), services.documents.open(ANNA.visitor, theirs)
    tables.load("later.csv", io.BytesIO(b"a,b\n1,2\n"))
    tables.remove(tables.loaded()[0].id)
    documents.remove(documents.loaded()[0].id)
    mine = gone_on_with(services)
    assert left(services, mine) == ("sales", "returns.md")
    assert services.tables.open(BERT.visitor, mine).loaded() == ()
    assert services.documents.open(BERT.visitor, mine).loaded() == ()
    services.team_shares.update(ANNA.visitor, theirs, {})
    again = gone_on_with(services)
    assert left(services, again) == ()
    assert [table.name for table in services.tables.open(BERT.visitor, again).loaded()] == ["later"]


def test_a_share_of_before_files_went_along_gives_none(services: Services) -> None:
    services.team_shares.make(ANNA, chat(services), MAY, {})
    for body in ("", "{", '{"tables": 1}'):
        services.store.database.change(sql.update(TEAM_SHARES).values(files=body))
        mine = gone_on_with(services)
        assert left(services, mine) == () == services.tables.open(BERT.visitor, mine).loaded()


def test_what_is_too_large_is_said(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    services.team_shares.make(ANNA, chat(services), MAY, {})
    monkeypatch.setattr(files_along, "MOST_BYTES", 400)  # the document fits
    mine = gone_on_with(services)
    assert left(services, mine) == ("sales",)
    documents = services.documents.open(BERT.visitor, mine)
    assert "thirty days" in documents.search("parcel", documents.loaded(), 1)[0].passage.text


def test_nobody_else_has_them(services: Services) -> None:
    theirs = chat(services)
    services.team_shares.make(ANNA, theirs, MAY, {})
    assert opened(services, CLEO) is None
    services.team_shares.change(ANNA.visitor, theirs, Circle("people", ("bert@example.com",)))
    shared = opened(services)
    assert shared and shared.files.names == ("sales", "returns.md")
    with pytest.raises(BadRequest, match="only be read"):
        branch(services, BERT.visitor, shared)
    assert services.chats.conversations(BERT.visitor) == []
