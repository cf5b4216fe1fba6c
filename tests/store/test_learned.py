"""What servers refuse is known after a restart, can be forgotten, is bounded, and is never worth a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing

import pytest
import sqlalchemy as sql

from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Request
from agent.models.refusals.lessons import SMALL
from agent.models.window_lookup import find_window
from agent.store import learned
from agent.store.learned import Learned
from agent.store.runs import Store
from agent.store.schema import LEARNED, STORE_VERSIONS
from tests.support.servers.model_server import ModelServer, Reply

OpenStore = Callable[..., Store]
HERE = "http://127.0.0.1:1/v1"


def stored(store: Store) -> list[str]:
    with store.database.begin() as connection:
        return list(connection.execute(sql.select(LEARNED.c.model).order_by(LEARNED.c.learned)).scalars())


def test_a_lesson_outlasts_the_process(open_store: OpenStore) -> None:
    request = Request((Message("user", "hi"),), stop=("x",))
    with ModelServer(lambda body: "ok", refuse=["stop"]) as server:
        for _ in range(2):
            store = open_store()
            with closing(OpenAIChat(server.endpoint, "m", Capabilities(Learned(store)))) as model:
                assert "ok" in [delta.text for delta in model.stream(request)]
            store.close()
        assert ["stop" in body for body in server.requests] == [True, False, False]
        store = open_store()
        Capabilities(Learned(store)).forget(server.endpoint, "m")
        assert stored(store) == []
        with closing(OpenAIChat(server.endpoint, "m", Capabilities(Learned(store)))) as model:
            assert "ok" in [delta.text for delta in model.stream(request)]
        assert "stop" in server.requests[3]


def test_models_are_kept_apart(store: Store) -> None:
    capabilities = Capabilities(Learned(store))
    capabilities.learn(HERE, "a", "stop")
    capabilities.learn(HERE, "a", "+reasoning_content")
    capabilities.learn(HERE, "b", "tools")
    again = Capabilities(Learned(store))
    assert again.learned(HERE, "a") == {"stop", "+reasoning_content"}
    assert again.learned(HERE, "b") == {"tools"} and not again.takes_tools(HERE, "b")
    assert again.learned("http://127.0.0.1:2/v1", "a") == frozenset()
    again.forget(HERE, "a")
    assert Capabilities(Learned(store)).learned(HERE, "a") == frozenset()
    assert Capabilities(Learned(store)).learned(HERE, "b") == {"tools"}


def test_what_contradicts_is_replaced(store: Store) -> None:
    capabilities = Capabilities(Learned(store))
    for name in ("reasoning_effort", "+reasoning_effort", "reasoning_effort"):
        capabilities.learn(HERE, "m", name)
        assert Capabilities(Learned(store)).learned(HERE, "m") == {name}


def test_no_key_is_kept(store: Store) -> None:
    capabilities = Capabilities(Learned(store))
    capabilities.learn(HERE, "sk-planted-1234567890abcdef", "stop")
    assert capabilities.learned(HERE, "sk-planted-1234567890abcdef") == {"stop"}
    assert stored(store) == []


def test_the_oldest_give_way(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "MOST_MODELS", 3)
    for number in range(6):
        Learned(store).keep(HERE, f"m{number}", {"stop"})
    assert stored(store) == ["m3", "m4", "m5"]
    Learned(store).keep(HERE, "m" * 5_000, {"stop"})
    Learned(store).keep(HERE, "m9", {"s" * 5_000})
    assert stored(store) == ["m3", "m4", "m5"]


def test_it_is_found_out_anew_in_the_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    Learned(store).keep(HERE, "m", {"stop"})
    monkeypatch.setattr(learned, "KEPT_SECONDS", -1.0)
    assert Learned(store).lessons(HERE, "m") == frozenset()


@pytest.mark.parametrize("held", ["no JSON", "7", '{"a": 1}', '["stop", 7]'])
def test_what_was_damaged_is_nothing(store: Store, held: str) -> None:
    Learned(store).keep(HERE, "m", {"temperature"})
    with store.database.begin() as connection:
        connection.execute(sql.update(LEARNED).values(lessons=held))
    assert Learned(store).lessons(HERE, "m") <= {"stop"}


def test_a_database_that_fails_teaches_nothing(store: Store) -> None:
    with store.database.begin() as connection:
        connection.execute(sql.text("drop table learned"))
    capabilities = Capabilities(Learned(store))
    capabilities.learn(HERE, "m", "stop")
    assert capabilities.learned(HERE, "m") == {"stop"}
    assert Capabilities(Learned(store)).learned(HERE, "m") == frozenset()


def test_a_store_of_version_3_is_brought_up_to_date(open_store: OpenStore) -> None:
    store = open_store()
    with store.database.begin() as connection:
        connection.execute(sql.text("drop table learned"))
        connection.execute(sql.delete(STORE_VERSIONS).where(STORE_VERSIONS.c.number > 3))
    store.close()
    again = open_store()
    Learned(again).keep(HERE, "m", {"stop"})
    assert Learned(again).lessons(HERE, "m") == {"stop"}


@pytest.mark.parametrize(
    ("now", "small"),
    [({"meta": {"n_params": 7_615_616_512}}, False), ({}, True), ({"meta": {"n_params": 1_777_088_000}}, True)],
    ids=["a larger one", "its size is not told", "the same one"],
)
def test_another_model_under_the_same_name_is_small_no_more(store: Store, now: dict[str, object], small: bool) -> None:
    def asked(row: Mapping[str, object]) -> Capabilities:
        capabilities = Capabilities(Learned(store))
        server.listing = Reply(body={"data": [{"id": "m", **row}]})
        find_window(capabilities, server.endpoint, "m")
        return capabilities

    with ModelServer() as server:
        first = asked({"meta": {"n_params": 1_777_088_000}})
        first.learn(server.endpoint, "m", "stop")
        assert first.is_small(server.endpoint, "m")
        assert asked(now).is_small(server.endpoint, "m") is small
        kept = Learned(store).lessons(server.endpoint, "m")
        assert kept == ({"stop", SMALL} if small else {"stop"})
