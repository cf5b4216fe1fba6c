"""Models' servers that may be at public addresses alone: a name leads to where it was found to lead, or nowhere."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from agent.application.connection_test.checks import check
from agent.errors import ModelFailed
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.presets import list_models
from agent.models.protocol import Request
from tests.support.servers.model_server import ModelServer

PUBLIC = "93.184.215.14"
ASKED = Request((Message("user", "hi"),))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(["Final Answer: Hello."] * 9) as running:
        yield running


def named(server: ModelServer) -> str:
    return server.endpoint.replace("127.0.0.1", "models.example").replace("localhost", "models.example")


def point(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let the name lead to these addresses, one after the other, the last one for good."""
    left = list(addresses)

    def resolve(host: str, port: int | None, *_: object, **__: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (left.pop(0) if len(left) > 1 else left[0], port or 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_a_name_that_now_leads_into_the_own_network_is_not_followed(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    point(monkeypatch, "127.0.0.1")
    known = Capabilities(public_only=lambda endpoint: True)
    model = OpenAIChat(named(server), "m", known, "sk-of-a-visitor")
    with pytest.raises(ModelFailed, match="public internet only"):
        list(model.stream(ASKED))
    with pytest.raises(ModelFailed, match="public internet only"):
        list_models(named(server), "sk-of-a-visitor", capabilities=known)
    findings = list(check(named(server), "m", "sk-of-a-visitor", 5.0, capabilities=known))
    assert [finding.state for finding in findings if finding.name == "reachable"] == ["fails"]
    assert server.requests == []
    monkeypatch.undo()
    assert list(OpenAIChat(server.endpoint, "m", Capabilities()).stream(ASKED))


def test_a_request_goes_to_the_address_that_was_looked_at_under_its_own_name(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    point(monkeypatch, PUBLIC, "127.0.0.1")
    connected: list[tuple[str, int]] = []
    really = socket.create_connection

    def connect(address: tuple[str, int], *more: Any, **named_ones: Any) -> socket.socket:
        connected.append(address)
        return really(("127.0.0.1", address[1]), *more, **named_ones)

    monkeypatch.setattr(socket, "create_connection", connect)
    model = OpenAIChat(named(server), "m", Capabilities(public_only=lambda endpoint: True))
    assert "".join(delta.text for delta in model.stream(ASKED)) == "Final Answer: Hello."
    assert [host for host, _ in connected] == [PUBLIC]
    assert server.headers[0]["host"].startswith("models.example")
