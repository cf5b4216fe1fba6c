"""All that is kept of a visitor goes at once, and nothing of another's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest

from agent.application.erasure import erase
from agent.application.services import Services, empty_bin
from agent.data.databases.database_urls import visitors
from agent.events import Answered, Asked
from agent.store.evaluations import TestRow
from agent.store.model_cards import NewCard
from tests.support.app_services import services_with

pytestmark = pytest.mark.system
ANNA, BERT = "a" * 32, "b" * 32
SEAL = "a secret of the browser"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def filled(services: Services, visitor: str) -> tuple[str, str]:
    """A visitor with one of each; the chat, and what its link names."""
    chat = services.store.add_conversation(visitor, "A chat")
    run = services.store.add_run(chat)
    services.store.append(run, [Asked("What?", 1_795_000_000.0), Answered("That.")])
    services.notes.add(visitor, "Metric units, please.", chat)
    services.model_cards.add(visitor, [NewCard("m", 1, 2, 0.0, "", "body")])
    services.chats.prefer(visitor, "{}")
    of_test = services.store.add_conversation(visitor, "A test")
    tests = services.evaluations.add_set(visitor, "Tests")
    services.evaluations.add_test(visitor, TestRow("t" + visitor, tests, of_test, "", "", "", "A test", "{}"))
    services.databases.keep(visitor, chat, visitors("mine", "postgresql://u:p@localhost/d", True))
    services.shares.make(visitor, chat, {}, SEAL)
    return chat, services.shares.of(visitor, SEAL)[0].token


def kept(services: Services, visitor: str, chat: str) -> list[bool]:
    return [
        bool(found)
        for found in (
            services.chats.conversations(visitor),
            services.notes.of(visitor),
            services.model_cards.of(visitor),
            services.chats.preferences(visitor),
            services.evaluations.sets(visitor),
            services.databases.mine(visitor, chat),
        )
    ]


def test_everything_of_a_visitor_goes_and_nothing_of_anothers(services: Services) -> None:
    (hers, link), (his, his_link) = filled(services, ANNA), filled(services, BERT)
    assert all(kept(services, ANNA, hers))
    assert erase(services, ANNA) == 2  # the chat, and that of the test
    assert not any(kept(services, ANNA, hers))
    assert not services.shares.open(link)
    assert not services.chats.restore(ANNA, hers)
    assert all(kept(services, BERT, his)) and services.shares.open(his_link)
    files = services.tables, services.documents, services.shells
    assert empty_bin(services.chats, files, time()) == 0, "what was at work may still end"
    assert empty_bin(services.chats, files, time() + 3600) == 2
    assert services.store.conversation(hers) is None and services.store.conversation(his)
    assert erase(services, ANNA) == 0


def test_what_is_at_work_is_stopped(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    hers, _ = filled(services, ANNA)
    at_work = services.store.add_run(hers)
    services.store.append(at_work, [Asked("And now?", 1_795_000_000.0)])
    stopped: list[str] = []
    monkeypatch.setattr(services.runs, "cancel", stopped.append)
    erase(services, ANNA)
    assert stopped == [at_work]


def test_nobody_has_nothing_to_delete(services: Services) -> None:
    filled(services, BERT)
    assert services.chats.delete_all("", 0.0) == []
    assert services.chats.conversations(BERT)
