"""What to do where a model's server does not work as it should, said for the make of the server.

The options are those of the servers' own pages: docs.ollama.com (FAQ), lmstudio.ai/docs (server), llama.cpp's server
README, docs.vllm.ai (tool calling).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import urlsplit

from agent.interface_text import Text, joined, keyed
from agent.models.presets import PRESETS, Preset
from agent.web.endpoint import is_local_host

_STARTING = {
    "ollama": Text("Start it with “ollama serve”, or open the Ollama app."),
    "lmstudio": Text("Load a model in LM Studio and start its server in the Developer tab, or run “lms server start”."),
    "llamacpp": Text("Start it with “llama-server -m model.gguf --jinja”."),
    "vllm": Text("Start it with “vllm serve MODEL”; it answers once the model is loaded."),
}
_LISTENING = {
    "ollama": (
        Text(
            "On that machine, set OLLAMA_HOST=0.0.0.0 and start Ollama again: by default it hears its own machine only."
        )
    ),
    "lmstudio": Text("On that machine, start LM Studio's server with “Serve on Local Network” switched on."),
    "llamacpp": Text("On that machine, start it with “llama-server -m model.gguf --jinja --host 0.0.0.0”."),
    "vllm": Text("On that machine, start it with “vllm serve MODEL --host 0.0.0.0”."),
}
_TOOLS = {
    "ollama": Text(
        "To have tools called in the model's own way, choose a model that ollama.com marks with “tools”, such as qwen3."
    ),
    "lmstudio": Text(
        "To have tools called in the model's own way, choose a model that LM Studio marks as trained for tool use."
    ),
    "llamacpp": Text(
        "To have tools called in the model's own way, start it with “llama-server -m model.gguf --jinja”."
    ),
    "vllm": (
        Text(
            "To have tools called in the model's own way, start it with "
            "“--enable-auto-tool-choice --tool-call-parser hermes” (the parser depends on the model: "
            "hermes, llama3_json, mistral, …)."
        )
    ),
    "openrouter": Text(
        "To have tools called in the model's own way, choose a model that openrouter.ai lists with tools."
    ),
}
_SERVED = {
    "lmstudio": keyed("Download it in LM Studio and load it in the Developer tab, or {there}"),
    "llamacpp": keyed("llama-server has the model it was started with: start it with another file, or {there}"),
    "vllm": keyed("vLLM has the model it was started with, under the name of --served-model-name, or {there}"),
}
_CHOOSE = {
    "near": keyed("Choose one that is there, such as ‘{near}’."),
    "listed": keyed("Choose one that is there."),
    "other": keyed("Choose another one."),
}
_OR_CHOOSE = {
    "near": keyed("choose one that is there, such as ‘{near}’."),
    "listed": keyed("choose one that is there."),
    "other": keyed("choose another one."),
}
_SAID = {"--jinja": "llamacpp", "--enable-auto-tool-choice": "vllm", "registry.ollama.ai": "ollama"}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def preset_of(endpoint: str, name: str = "", said: str = "") -> Preset:
    """The make of a server: the preset called ``name``, else by the server's own words, its host or its usual port."""
    sniffed = name if name not in ("", "custom") else next((make for word, make in _SAID.items() if word in said), "")
    parts = urlsplit(endpoint)
    for preset in PRESETS:
        known = urlsplit(preset.endpoint)
        local = preset.local and parts.port == preset.port and is_local_host(parts.hostname or "")
        if preset.name == sniffed or (
            not sniffed and (local or (not preset.local and parts.hostname == known.hostname))
        ):
            return preset
    return PRESETS[-1]


def to_reach(endpoint: str, make: Preset, reason: str) -> str:
    """Nothing answers, by the ``reason`` of the failure."""
    host = urlsplit(endpoint).hostname or ""
    if reason == "no https":
        return Text("Write http:// instead of https:// in the address.")
    if reason == "certificate":
        return Text(
            "Use the host name the certificate was made for; on your own network, http:// may be what is spoken."
        )
    if not is_local_host(host):
        return Text("Check the spelling of the address, and the network.")
    if host not in _LOOPBACK:
        return _LISTENING.get(
            make.name, Text("Check that the server is running on that machine and listens to others.")
        )
    start = _STARTING.get(make.name, Text("Start the server, and check the port in the address."))
    return Text("{start} From inside a container, write host.docker.internal for localhost.", start=start)


def to_speak(endpoint: str, make: Preset, silent: bool) -> str:
    """Something took the connection, and then was ``silent`` or hung up."""
    if silent:
        return Text(
            "The server may be busy, or still be loading a model: wait a little and test again. Else start it anew."
        )
    if urlsplit(endpoint).scheme == "http":
        return Text("Check the port; if the server speaks https, write https:// in the address.")
    port, start = Text("Check the port."), _STARTING.get(make.name)
    return joined(" ", [port, start]) if start else port


def to_find(endpoint: str, better: str, moved: bool) -> str:
    """Something else than a chat model is at the address; ``better`` is an address that answers with models."""
    parts = urlsplit(endpoint)
    if better:
        return Text("Use {better}: there is a list of models there.", better=better)
    if moved and parts.scheme == "http":
        return Text("Write https:// instead of http:// in the address.")
    if parts.path.rstrip("/").endswith("/v1"):
        return Text("Check host and port: this is not where the model's API is.")
    return Text("Check the path: most addresses end in /v1.")


def to_enter(key: str, make: Preset, forbidden: bool, model: str) -> str:
    """The key is missing, wrong, or may not use the model."""
    if forbidden:
        return Text(
            "Allow ‘{model}’ for this key in the account it belongs to, or choose another model or key.", model=model
        )
    if make.local:
        return Text("Enter the key that the server was started with (--api-key, or the token set in its settings).")
    enter = Text("Copy it again: all of it, without quotes, and made for this server.") if key else Text("Enter a key.")
    page = make.key_url.removeprefix("https://")
    return joined(" ", [enter, Text("Make one at {page}.", page=page)]) if page else enter


def to_have(model: str, make: Preset, listed: Sequence[str]) -> str:
    """The server does not have the model; ``listed`` are those it has."""
    near = get_close_matches(model, listed, 1, 0.5)
    which = "near" if near else "listed" if listed else "other"
    values = {"model": model, "near": near[0] if near else ""}
    get = keyed("Get it with “ollama pull {model}”, or {there}") if make.name == "ollama" else _SERVED.get(make.name)
    if get is None:
        return Text(*_CHOOSE[which], **values)
    return Text(*get, **values, there=Text(*_OR_CHOOSE[which], **values))


def to_call(make: Preset) -> str:
    """Tool schemas are refused, or calls come as text."""
    return _TOOLS.get(make.name, Text("To have tools called in the model's own way, choose another model or server."))
