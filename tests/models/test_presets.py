"""Addresses as people type them, the servers to choose from, and which of them answer."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from agent.errors import BadRequest, ModelFailed
from agent.models.model_failures import Failures
from agent.models.presets import PRESETS, list_models, local_servers
from agent.models.refusals.problems import read_problem
from agent.web.endpoint import normalise_endpoint
from tests.support.servers.model_server import ModelServer

KEY = "sk-test-1234567890abcdefghijkl"


@pytest.mark.parametrize(
    ("typed", "endpoint"),
    [
        ("localhost:11434", "http://localhost:11434/v1"),
        (" http://localhost:11434/ ", "http://localhost:11434/v1"),
        ("http://localhost:11434/v1/chat/completions", "http://localhost:11434/v1"),
        ("https://api.openai.com/v1/responses/", "https://api.openai.com/v1"),
        ("127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("ollama:11434", "http://ollama:11434/v1"),
        ("box.local", "http://box.local/v1"),
        ("host.docker.internal:1234", "http://host.docker.internal:1234/v1"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("HTTPS://API.OpenAI.com/v1/models", "https://api.openai.com/v1"),
        ("openrouter.ai", "https://openrouter.ai/api/v1"),
        ("api.groq.com", "https://api.groq.com/openai/v1"),
        ("generativelanguage.googleapis.com/", "https://generativelanguage.googleapis.com/v1beta/openai"),
        ("https://example.com/deep/path//", "https://example.com/deep/path"),
        ("http://example.com:8080/v1", "http://example.com:8080/v1"),
    ],
)
def test_addresses(typed: str, endpoint: str) -> None:
    assert normalise_endpoint(typed) == endpoint
    assert normalise_endpoint(endpoint) == endpoint


@pytest.mark.parametrize(
    "typed",
    ["", "  ", "ftp://x/v1", "file:///etc/passwd", "javascript:alert(1)", "http://", "http:///v1", "http://me:pw@host/v1",
     "me@host", "http://host:99999", "http://host:x", "http://ho st/v1", "http://host/\x00", "http://host/v1?key=1",
     "http://host/v1#x", "http://[::1/v1", "http://-bad-/v1", "http://a..b_/", "http://169.254.169.254/v1", "a\\b"],
)  # fmt: skip
def test_unusable_addresses(typed: str) -> None:
    with pytest.raises(BadRequest) as caught:
        normalise_endpoint(typed)
    assert "pw" not in str(caught.value)


def test_presets() -> None:
    assert [preset.name for preset in PRESETS] == [
        "openai", "ollama", "lmstudio", "llamacpp", "vllm", "openrouter", "groq", "gemini", "custom",
    ]  # fmt: skip
    for preset in PRESETS:
        assert preset.label and 0 < len(preset.hint) <= 50 and not preset.hint.endswith(".")
        assert preset.name == "custom" or normalise_endpoint(preset.endpoint) == preset.endpoint
        assert preset.needs_key == preset.endpoint.startswith("https://") == preset.key_url.startswith("https://")
        assert preset.local == preset.endpoint.startswith("http://localhost:") == bool(preset.start)


def test_model_list() -> None:
    with ModelServer(models=["zeta", "Alpha", "models/gemini", "zeta"], key=KEY) as server:
        assert list_models(server.endpoint, f" {KEY} ") == ("Alpha", "gemini", "zeta")
        with pytest.raises(ModelFailed, match="wants a key"):
            list_models(server.endpoint)
        with pytest.raises(ModelFailed, match="most end in /v1"):
            list_models(f"{server.endpoint}/deeper", KEY)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Bodies:
    """Answers every GET with one body, whatever was asked for."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Bodies:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65_536)
                head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(self._body)
                try:
                    connection.sendall(head + self._body)
                except ConnectionError:
                    continue


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b'{"models": [{"name": "a:latest"}, {"name": "b"}]}', ("a:latest", "b")),
        (b'[{"id": "a"}, "odd", {}]', ("a",)),
        (b'{"object": "list", "data": null}', ()),
        (b'{"hello": "world"}', None),
        (b"<html>", None),
        (b"7", None),
        (b" " * 9_000_000, None),
    ],
)
def test_model_lists_of_other_makes(body: bytes, names: tuple[str, ...] | None) -> None:
    with Bodies(body) as server:
        found = local_servers(2.0, {"ollama": server.port, "lmstudio": 9, "llamacpp": 9, "vllm": 9})
        assert [preset.name for preset in found] == ([] if names is None else ["ollama"])
        if names is not None:
            assert list_models(f"127.0.0.1:{server.port}") == names
            return
        with pytest.raises(ModelFailed, match="not an OpenAI-compatible server"):
            list_models(f"127.0.0.1:{server.port}")


def test_local_servers() -> None:
    closed = free_port()
    with ModelServer() as server, socket.create_server(("127.0.0.1", 0)) as mute:
        ports = {"ollama": server.port, "lmstudio": closed, "llamacpp": int(mute.getsockname()[1]), "vllm": closed}
        began = time.monotonic()
        found = local_servers(0.3, ports)
        assert time.monotonic() - began < 20
    assert [(preset.name, preset.endpoint) for preset in found] == [("ollama", f"http://localhost:{server.port}/v1")]


def test_usual_ports_are_asked_by_default() -> None:
    """Nothing is known about this machine, so only the shape of the answer is."""
    assert {preset.name for preset in local_servers(0.1)} <= {"ollama", "lmstudio", "llamacpp", "vllm"}


def test_pulling_is_suggested_for_ollama() -> None:
    failed = Failures("http://localhost:11434/v1", "qwen3").answered(read_problem(404, '{"error": "model not found"}'))
    assert "“ollama pull qwen3”" in str(failed)
