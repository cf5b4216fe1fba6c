"""Servers that people use, and which of them answer here and now."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from agent.interface_text import Text
from agent.models.capabilities import Capabilities
from agent.models.chunks import LONGEST_EVENT, parse
from agent.models.model_failures import Failures
from agent.models.openai_chat import usable_key
from agent.models.protocol import Patience
from agent.models.refusals.problems import Problem
from agent.models.window import row_name, rows_of
from agent.web.endpoint import normalise_endpoint


@dataclass(frozen=True, slots=True)
class Preset:
    """A server to choose from, as its card shows it.

    ``hint`` is what it is, in a few words; ``start`` how to get a local one going, in a sentence. ``key_url`` is the
    page where a key is made, empty where none is needed. ``model`` is a first suggestion, empty where ``list_models``
    must say. ``port`` is the usual port of a server on one's own machine, else 0.
    """

    name: str
    label: str
    endpoint: str
    hint: str
    key_url: str = ""
    model: str = ""
    port: int = 0
    start: str = ""

    @property
    def needs_key(self) -> bool:
        return bool(self.key_url)

    @property
    def local(self) -> bool:
        """Whether it runs on one's own machine."""
        return bool(self.port)


def _local(name: str, label: str, port: int, hint: str, start: str, model: str = "") -> Preset:
    return Preset(name, label, f"http://localhost:{port}/v1", hint, model=model, port=port, start=start)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        Text("The GPT models"),
        "https://platform.openai.com/api-keys",
        "gpt-5.4-mini",
    ),
    _local(
        "ollama",
        "Ollama",
        11434,
        Text("Open models on your machine"),
        Text("Install it from ollama.com, then run “ollama pull qwen3” once."),
        "qwen3",
    ),
    _local(
        "lmstudio",
        "LM Studio",
        1234,
        Text("Open models in a desktop app"),
        Text("Load a model in LM Studio and start its server in the Developer tab."),
    ),
    _local(
        "llamacpp", "llama.cpp", 8080, Text("One GGUF file, served"), Text("Run “llama-server -m model.gguf --jinja”.")
    ),
    _local(
        "vllm",
        "vLLM",
        8000,
        Text("Fast serving on your GPUs"),
        Text(
            "Run “vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes” (the parser "
            "depends on the model)."
        ),
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        Text("Hundreds of models, one key"),
        "https://openrouter.ai/keys",
        "openrouter/auto",
    ),
    Preset(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        Text("Open models, very fast"),
        "https://console.groq.com/keys",
        "openai/gpt-oss-120b",
    ),
    Preset(
        "gemini",
        "Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        Text("Google's models"),
        "https://aistudio.google.com/apikey",
        "gemini-3.8-flash",
    ),
    Preset("custom", Text("Another server"), "", Text("Any server with OpenAI's API")),
)


def list_models(
    endpoint: str, key: str = "", timeout: float = 5.0, capabilities: Capabilities | None = None
) -> tuple[str, ...]:
    """The names the server gives under ``/models``, sorted, each once; ``capabilities`` learn the windows it tells.

    Raises ``BadRequest`` for an unusable address or key, ``ModelFailed`` where the server does not answer with a list
    within ``timeout`` seconds of silence.
    """
    from agent.models.http_client import Connection

    failures = Failures(normalise_endpoint(endpoint), "", usable_key(key))
    patience = Patience(timeout, timeout, retries=0)
    public_only = bool(capabilities) and capabilities.connections.public_only(failures.endpoint)
    connection = Connection(failures.endpoint, public_only=public_only)
    answer = connection.send("GET", "/models", failures, patience)
    if isinstance(answer, Problem):
        raise failures.answered(answer)
    with closing(answer):
        body = connection.whole(answer, failures, patience)
    try:
        rows = rows_of(parse(body))
    except ValueError:
        rows = None
    if rows is None:
        raise failures.garbage(body)
    if capabilities:
        capabilities.learn_windows(failures.endpoint, rows)
    return _names(rows)


def local_servers(timeout: float = 0.3, ports: Mapping[str, int] | None = None) -> tuple[Preset, ...]:
    """The presets of this machine that answer now, asked at once over loopback.

    ``ports`` replaces usual ports by preset name. Silence of ``timeout`` seconds, or anything but a list of models (a
    web application on port 8000, say), is no server.
    """
    local = [
        replace(preset, port=port, endpoint=f"http://localhost:{port}/v1")
        for preset in PRESETS
        if (port := (ports or {}).get(preset.name, preset.port))
    ]
    with ThreadPoolExecutor(len(local)) as pool:
        answering = pool.map(_answers, [preset.port for preset in local], [timeout] * len(local))
    return tuple(preset for preset, answers in zip(local, answering, strict=True) if answers)


def _answers(port: int, timeout: float) -> bool:
    """Asked with the standard library: the first visitor must not wait for ``openai`` to be imported."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", "/v1/models")
        answer = connection.getresponse()
        return answer.status == 200 and rows_of(json.loads(answer.read(LONGEST_EVENT))) is not None
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return False
    finally:
        connection.close()


def _names(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(sorted({*map(row_name, rows)} - {""}, key=str.lower))
