"""Asking a model's server how many tokens the model can be sent at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, cast
from urllib.parse import quote, urlsplit

from pydantic_core import to_json

from agent.errors import BadRequest, ModelFailed
from agent.models.capabilities import Capabilities
from agent.models.chunks import parse
from agent.models.model_failures import Failures
from agent.models.model_size import tells_small
from agent.models.opaque import as_object
from agent.models.openai_chat import usable_key
from agent.models.protocol import Patience
from agent.models.refusals.lessons import AS_TEXT, SMALL
from agent.models.refusals.problems import Problem
from agent.models.window import Window, guessed, row_name, row_window, rows_of, tokens_in, tokens_of
from agent.text.regex import regex
from agent.web.endpoint import is_private, origin

SECONDS = 2.0
_RESERVED_SECONDS = 0.2
# What Ollama loads a model with where nobody says otherwise, on a machine with less than 24 GiB of video memory.
# More memory makes it more, which the server tells only once the model is loaded.
OLLAMA_DEFAULT = 4_096
_NUM_CTX = regex(r"^\s*num_ctx\s+(\d{1,9})\s*$", re.M)


def find_window(capabilities: Capabilities, endpoint: str, model: str, key: str = "", seconds: float = SECONDS) -> None:
    """Let ``capabilities`` learn the window from a server at a private address, where it was not asked lately.

    Learned on the way is that its chat template drops the tools without a word, and whether the model is a small one,
    where the server says so: under one name another model may be served later.
    """
    if is_private(endpoint) and capabilities.may_ask(endpoint, model):
        window, lessons = ask_server(endpoint, model, key, seconds)
        capabilities.asked(endpoint, model, window)
        for lesson, holds in lessons.items():
            (capabilities.learn if holds else capabilities.unlearn)(endpoint, model, lesson)


def ask_server(endpoint: str, model: str, key: str, seconds: float) -> tuple[Window | None, Mapping[str, bool]]:
    """The window, ``None`` where none is told within ``seconds``; and which lessons hold for the model, or do not.

    Asks for the list of models, and at private addresses what llama.cpp, LM Studio, Ollama, TGI and LiteLLM tell under
    addresses of their own. What runs goes before what the model could do: servers refuse or cut what is longer. All
    requests go to the origin of ``endpoint``, whose address is the caller's to check; redirects are not followed.
    """
    try:
        inquiry = _Inquiry(endpoint, model, usable_key(key), monotonic() + seconds)
    except BadRequest:
        return None, {}
    answers = SimpleQueue[tuple[Window | None, Mapping[str, bool]]]()
    # A server may send its answer drop by drop, without end: it is left behind.
    Thread(target=inquiry.answer, args=(answers,), name="window", daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        inquiry.connection.cut()
        return None, {}


class _Inquiry:
    """What one server tells about one model, until ``ends`` (monotonic seconds)."""

    def __init__(self, endpoint: str, model: str, key: str, ends: float) -> None:
        from agent.models.http_client import Connection

        self.connection = Connection(origin(endpoint), kept_seconds=SECONDS)
        self._endpoint, self._model, self._ends = endpoint, model, ends
        self._failures = Failures(origin(endpoint), model, key)
        self._told: tuple[object] | None = None  # by llama.cpp of its properties
        self._small: bool | None = None  # while no size was told

    def answer(self, answers: SimpleQueue[tuple[Window | None, Mapping[str, bool]]]) -> None:
        found, drops_tools = None, False
        try:
            found = self._window()
            drops_tools = is_private(self._endpoint) and self._drops_tools()
        except ModelFailed:
            pass  # nobody there, or too slow
        finally:
            told = {SMALL: self._small} if self._small is not None else {}
            answers.put((found, told | ({AS_TEXT: True} if drops_tools else {})))
            self.connection.close()

    def _drops_tools(self) -> bool:
        """llama.cpp tells what a template can do; what else is known by now is not to be late for that."""
        self._ends -= _RESERVED_SECONDS
        can = as_object(as_object(self._props()).get("chat_template_caps"))
        return can.get("supports_tools") is False or can.get("supports_tool_calls") is False

    def _props(self) -> object:
        """A router loads a model that is asked about, unless it is told not to."""
        if self._told is None:
            self._told = (self._ask(f"/props?model={quote(self._model, safe='')}&autoload=false"),)
        return self._told[0]

    def _window(self) -> Window | None:
        window = self._listed(f"{urlsplit(self._endpoint).path}/models")
        if window or not is_private(self._endpoint):
            return window
        for ask in (self._llama_cpp, self._lm_studio, self._ollama, self._tgi, self._litellm):
            if window := ask():
                return window
        return None

    def _listed(self, path: str) -> Window | None:
        row = self._row(path)
        return row_window(row) if row else None

    def _llama_cpp(self) -> Window | None:
        tokens = tokens_in(self._props(), "default_generation_settings", "n_ctx")
        return Window(tokens, "server") if tokens else None

    def _lm_studio(self) -> Window | None:
        row = self._row("/api/v0/models") or self._row("/api/v1/models")
        if not row:
            return None
        instances = row.get("loaded_instances")
        loaded = [
            tokens_in(instance, "config", "context_length")
            for instance in (cast("list[object]", instances) if isinstance(instances, list) else [])
        ]
        tokens = tokens_of(row.get("loaded_context_length")) or min(filter(None, loaded), default=0)
        return Window(tokens, "server") if tokens else self._at_most(tokens_of(row.get("max_context_length")))

    def _ollama(self) -> Window | None:
        """Ollama cuts what is longer than ``num_ctx`` without a word."""
        running = self._row("/api/ps") or {}
        if tokens := tokens_in(running, "context_length"):
            return Window(tokens, "server")
        shown = as_object(self._ask("/api/show", {"model": self._model}))
        self._note_size(shown)
        about = as_object(shown.get("model_info"))
        ceiling = max((tokens_of(about[name]) for name in about if name.endswith(".context_length")), default=0)
        if shown.get("remote_host"):
            # Models in its cloud run with all that they can do.
            return Window(ceiling, "server") if ceiling else None
        parameters = shown.get("parameters")
        chosen = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
        if chosen and (tokens := tokens_of(chosen[1])):
            return Window(min(tokens, ceiling or tokens), "server")
        return Window(min(OLLAMA_DEFAULT, ceiling or OLLAMA_DEFAULT), "guess") if about else None

    def _tgi(self) -> Window | None:
        tokens = tokens_in(self._ask("/info"), "max_total_tokens")
        return Window(tokens, "server") if tokens else None

    def _litellm(self) -> Window | None:
        return self._listed("/model/info")

    def _at_most(self, ceiling: int) -> Window | None:
        """The usual guess, or less where the model cannot do that much."""
        guess = guessed(self._endpoint)
        return Window(min(guess.tokens, ceiling), "guess") if ceiling else None

    def _row(self, path: str) -> dict[str, Any] | None:
        rows = rows_of(self._ask(path)) or []
        found = next((row for row in rows if _same_model(row, self._model)), None)
        self._note_size(found or {})
        return found

    def _note_size(self, row: Mapping[str, Any]) -> None:
        if (small := tells_small(row)) is not None:
            self._small = self._small or small

    def _ask(self, path: str, content: Mapping[str, Any] | None = None) -> object:
        """What the server answers there, parsed; ``None`` where that is no JSON or an error.

        Raises ``ModelFailed`` where nobody answers in time: then there is nothing more to ask.
        """
        left = max(self._ends - monotonic(), 0.001)
        patience = Patience(left, left, retries=0)
        body = to_json(content) if content is not None else None
        try:
            answer = self.connection.send("GET" if body is None else "POST", path, self._failures, patience, body)
            if isinstance(answer, Problem):
                return None
            with closing(answer):
                return parse(self.connection.whole(answer, self._failures, patience))
        except ValueError:
            return None
        except ModelFailed as error:
            if error.kind in ("unreachable", "timeout"):
                raise
            return None


def _same_model(row: Mapping[str, Any], model: str) -> bool:
    """Whether a row of any list is the model's; a name of Ollama's without a tag means ``latest``."""
    wanted = model.removeprefix("models/")
    names = {str(row.get(name) or "") for name in ("id", "name", "model", "key", "model_name")} | {row_name(row)}
    return bool(names & {wanted, f"{wanted}:latest"})
