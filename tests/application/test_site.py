"""Who owns the site, which of its processes are up, who is called what: on both databases."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sql

from agent.application.site.known_people import KnownPeople
from agent.application.site.person import Person, is_owner, read_person
from agent.application.site.roll_call import FORGOTTEN_SECONDS, SILENT_SECONDS, RollCall
from agent.settings import VERSION
from agent.store.runs import Store
from agent.store.schema import PROCESSES

ISSUER = "https://id.example.com"
OLGA = {"iss": ISSUER, "sub": "Ab1", "email": "Olga@Example.com", "email_verified": True, "name": "Olga"}


@pytest.mark.parametrize(
    ("claims", "owners", "owns"),
    [
        (OLGA, ["olga@example.com"], True),
        (OLGA, ["ann@example.com", "OLGA@example.com"], True),
        (OLGA | {"email_verified": "true"}, ["olga@example.com"], True),
        (OLGA | {"email_verified": False}, ["olga@example.com"], False),
        ({"iss": ISSUER, "sub": "2", "email": "olga@example.com"}, ["olga@example.com"], False),
        ({"iss": ISSUER, "sub": "olga@example.com", "email_verified": True}, ["olga@example.com"], False),
        ({"iss": ISSUER, "sub": "2", "name": "olga@example.com", "email_verified": True}, ["olga@example.com"], False),
        ({"iss": ISSUER, "sub": "Ab1"}, [f"{ISSUER}#Ab1"], True),
        ({"iss": ISSUER, "sub": "ab1"}, [f"{ISSUER}#Ab1"], False),
        ({"iss": "https://other.example.com", "sub": "Ab1"}, [f"{ISSUER}#Ab1"], False),
        ({"email_verified": True}, ["#", ""], False),
        (OLGA, [], False),
    ],
)
def test_an_owner_is_named_by_what_the_provider_vouches_for(
    claims: dict[str, object], owners: list[str], owns: bool
) -> None:
    assert is_owner(read_person(claims), owners) is owns
    assert not is_owner(None, owners)


def test_processes_are_up_as_long_as_they_are_heard(database_url: str, open_store: Callable[..., Store]) -> None:
    store = open_store(database_url)
    web, worker = (RollCall(store.database, name) for name in ("1" * 32, "2" * 32))
    worker.tell("worker")
    web.tell("web")
    web.tell("web")
    assert [(up.id[0], up.kind, up.at_work) for up in web.up()] == [("1", "web", 0), ("2", "worker", 0)]
    assert web.up()[0].version.startswith(f"{VERSION}, Python 3.")
    earlier = sql.update(PROCESSES).where(PROCESSES.c.kind == "worker")
    store.database.change(earlier.values(alive=PROCESSES.c.alive - SILENT_SECONDS - 1))
    assert [up.kind for up in web.up()] == ["web"]
    worker.tell("worker")
    assert [up.kind for up in web.up()] == ["web", "worker"]
    store.database.change(earlier.values(alive=PROCESSES.c.alive - FORGOTTEN_SECONDS - 1))
    web.tell("web")
    assert store.database.rows(sql.select(PROCESSES.c.kind)) == [("web",)]


def test_people_are_called_as_they_were_last(database_url: str, open_store: Callable[..., Store]) -> None:
    people = KnownPeople(open_store(database_url).database)
    people.note("v" * 32, Person(ISSUER, "1", "Olga", "olga@example.com"))
    people.note("w" * 32, Person(ISSUER, "2", "Ann"))
    people.note("v" * 32, Person(ISSUER, "1", "Olga", "o@example.com"))
    assert people.called(["v" * 32, "w" * 32, "x" * 32]) == {"v" * 32: "o@example.com", "w" * 32: "Ann"}


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION
