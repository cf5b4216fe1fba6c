"""Failures of a model's server as the sentence a person reads: what happened and what to do.

No sentence holds a key, a user name or a password, whatever the server echoes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from agent.errors import ModelFailed
from agent.interface_text import Templates, Text, joined, keyed
from agent.models.refusals.lessons import is_of_one_tool, refuses_images
from agent.models.refusals.problems import CONTEXT, Problem
from agent.models.window import number_in
from agent.text.concealment import SECRETS
from agent.text.pasted_keys import foreign_maker
from agent.text.regex import regex
from agent.web.endpoint import host_of, is_local_host, origin

MOST_CHARACTERS = 300
# A local server by its usual port, and how it is started.
_STARTING = {
    11434: Text("is Ollama running? Start it with “ollama serve”."),
    1234: Text("is LM Studio's server running? Start it under Developer."),
    8080: Text("is llama.cpp running? Start it with “llama-server -m model.gguf”."),
    8000: Text("is vLLM running? Start it with “vllm serve MODEL”."),
}

_MODEL = regex(
    r"model_?not_?found|(?:invalid|not a valid) model|unknown model|no models? (?:is )?loaded|no endpoints found for|"
    r"\bmodels?\b.{0,90}?(?:not found|n[o']t exist|not a valid|is not available|is unknown|no access)",
    re.I | re.S,
)
_CREDIT = regex(r"insufficient[ _](?:quota|balance|credit|funds)|exceeded your current quota|billing|credits?\b", re.I)
_FILTER = regex(r"content[ _](?:filter|policy|management)|moderation|flagged|data_inspection|safety", re.I)
_KEY = regex(
    r"api[ _-]?key.{0,60}?(?:invalid|not valid|incorrect|expired|missing|required|leaked)|"
    r"(?:invalid|incorrect|missing|expired|no)\b.{0,20}api[ _-]?key",
    re.I | re.S,
)
_LOADING = regex(r"\b(?:loading|load(?:ed|s)? the) model|model is (?:still )?loading", re.I)
_IMAGES = regex(r"\bimage[_ ](?:url|input)s?\b|does not support (?:images?|vision)|multimodal model", re.I)
# OpenRouter answers with 404 where no server behind it can do what the request asks for.
_NO_ENDPOINT = regex(r"no endpoints? (?:found|available)", re.I)
# A call and its result that do not belong together, the order of messages, and what is to be sent back, as OpenAI
# (both ways), Gemini, DeepSeek, Anthropic, Mistral, Kimi, OpenRouter, Ollama and chat templates say it.
_HISTORY = regex(
    r"'?tool_calls'? must be followed|must be a response to|no tool (?:call|output) found|tool_(?:use|result)\b|"
    r"number of function (?:call|response)|invalid_request_message_order|roles? '?\w+'? after role|expected last role|"
    r"roles must alternate|system message must be|assistant messages at the end|tool call arguments|"
    r"message content type|\bitem (?:with id )?'|invalid_encrypted_content|thought_?\s?signature|"
    r"\bsignature\b.{0,20}(?:thinking|required)|redacted_thinking|reasoning_content|reasoning details|"
    r"call id .{0,90}length of|tool_call_id|invalid type: sequence|content.{0,20}non-empty",
    re.I,
)
# The type of an error inside a reply, which has no status.
_BAD_REQUEST = regex(r"invalid_request|bad_?request|invalid_argument", re.I)

# By the reason: the kind of failure, what happened, what to do.
_SENTENCES: Mapping[str, tuple[str, Templates, Templates]] = {
    "call": (
        "refused",
        keyed("The model wrote a tool call that its server could not read."),
        keyed("Try again, or let tools be called in plain text."),
    ),
    "tool": (
        "refused",
        keyed("‘{model}’ does not take one of the tools as it is described at {where}."),
        keyed("Switch that tool off, or let tools be called in plain text."),
    ),
    "images": (
        "refused",
        keyed("‘{model}’ takes no images at {where}."),
        keyed("Leave them out, or choose a model that reads images."),
    ),
    "history": (
        "refused",
        keyed("{where} does not take this conversation as it was told to it."),
        keyed("Start a new conversation, or choose another model."),
    ),
    "context": (
        "context",
        keyed("The conversation is longer than this model can read."),
        keyed("Start a new conversation, or choose a model with a larger context window."),
    ),
    "filter": (
        "refused",
        keyed("The server's content filter refused this."),
        keyed("Put the question differently, or choose another model."),
    ),
    "no key": (
        "key",
        keyed("{where} wants a key, and none is set."),
        keyed("Enter one, or choose a server that needs none."),
    ),
    "key": (
        "key",
        keyed("{where} did not accept the key."),
        keyed("Check that it is complete and made for this server."),
    ),
    "foreign key": (
        "key",
        keyed("{where} did not accept the key: it looks like one of {maker}."),
        keyed("Enter the key that you were given for this server."),
    ),
    "forbidden": (
        "key",
        keyed("{where} does not let this key use ‘{model}’."),
        keyed("Choose another model, or use another key."),
    ),
    "credit": (
        "quota",
        keyed("The account behind this key has no credit or quota left at {where}."),
        keyed("Top it up, or use another key."),
    ),
    "wait": (
        "rate",
        keyed("{where} takes no more requests just now (it asks to wait {seconds} s)."),
        keyed("Wait a little, then try again."),
    ),
    "rate": ("rate", keyed("{where} takes no more requests just now."), keyed("Wait a little, then try again.")),
    "minute": (
        "rate",
        keyed("This request alone has more tokens than {where} takes from this account in a minute or a day."),
        keyed("Start a new conversation, or use another model or key."),
    ),
    "model": ("model", keyed("{where} has no model ‘{model}’."), keyed("Choose another one from the list.")),
    "ollama model": (
        "model",
        keyed("{where} has no model ‘{model}’."),
        keyed("Choose another one from the list, or get it with “ollama pull {model}”."),
    ),
    "path": (
        "garbage",
        keyed("{where} answers, but there is no chat model under this address."),
        keyed("Check it: most end in /v1."),
    ),
    "moved": ("garbage", keyed("{where} sends us on to another address."), keyed("Enter the address it really has.")),
    "loading": ("server", keyed("{where} is still loading ‘{model}’."), keyed("Try again in a moment.")),
    "slow": ("timeout", keyed("{where} gave up waiting for the model."), keyed("Try again, or choose a faster model.")),
    "status": ("server", keyed("{where} had an error of its own (status {status})."), keyed("Try again in a moment.")),
    "stopped": (
        "timeout",
        keyed("{where} stopped in the middle of its reply for {seconds} seconds."),
        keyed("Try again, or choose a faster model."),
    ),
    "silent": (
        "timeout",
        keyed("{where} took the request and sent nothing for {seconds} seconds."),
        keyed("Try again, or choose a faster model."),
    ),
    "cut off": ("broken", keyed("{where} closed the connection in the middle of the reply."), keyed("Try again.")),
    "no reply": ("broken", keyed("{where} closed the connection without a reply."), keyed("Try again.")),
    "garbage": (
        "garbage",
        keyed(
            "{where} answered with {what}: it is not an OpenAI-compatible server, or the address is not quite right."
        ),
        keyed("Check it: most end in /v1."),
    ),
    "server": ("server", keyed("{where} had an error of its own."), keyed("Try again in a moment.")),
    "refused status": ("refused", keyed("{where} refused the request (status {status})."), keyed("")),
    "refused": ("refused", keyed("{where} refused the request."), keyed("")),
}
_BY_STATUS = {
    402: "credit",
    403: "forbidden",
    405: "path",
    408: "slow",
    413: "context",
    429: "rate",
    504: "slow",
    524: "slow",
}


@dataclass(frozen=True, slots=True)
class Failures:
    """Makes the failures of one server and model. ``endpoint`` is normalised; ``key`` is never shown."""

    endpoint: str
    model: str
    key: str = field(default="", repr=False)

    @property
    def where(self) -> str:
        return origin(self.endpoint)

    def answered(self, problem: Problem) -> ModelFailed:
        """The failure that an error answer means."""
        reason, maker = self._reason(problem), foreign_maker(self.key, host_of(self.endpoint))
        if reason == "rate" and problem.wait:
            reason = "wait"
        elif reason == "key" and maker:
            reason = "foreign key"
        elif reason == "model" and urlsplit(self.endpoint).port == 11434:
            reason = "ollama model"
        elif reason in ("server", "refused") and problem.status != 200:
            reason = {"server": "status", "refused": "refused status"}[reason]
        seconds = f"{problem.wait or 0:.0f}"
        most = problem.most or number_in(problem.message) if reason == "context" else None
        return self._failed(
            reason, self.clean(problem.message), most, status=problem.status, seconds=seconds, maker=maker
        )

    def _failed(self, reason: str, said: str = "", most: int | None = None, **values: str | int) -> ModelFailed:
        """``said`` is what the server said of it, cleaned; ``most`` as in ``ModelFailed``."""
        kind, happened, todo = _SENTENCES[reason]
        what = Text(*happened, where=self.where, model=self.model, **values)
        whole = joined(" ", [what, Text(*todo, model=self.model)]) if todo[0] else what
        if said:
            whole = Text("{sentence} It said: “{said}”", sentence=whole, said=said)
        return ModelFailed(whole, kind, happened=what, reason=reason, said=said, most=most)

    def _reason(self, problem: Problem) -> str:
        status, text = problem.status, problem.text
        if problem.is_unreadable_call:
            return "call"
        if status == 401 or (status in (400, 403) and _KEY.search(text)):
            return "key" if self.key else "no key"
        if problem.is_of_a_minute:
            return "minute"
        if status < 500 and _CREDIT.search(text) and status not in (404, 422):
            return "credit"
        if status != 429 and (CONTEXT.search(text) or self._is_silent_overflow(problem)):
            return "context"
        if status in (400, 403) and _FILTER.search(text):
            return "filter"
        return self._of_the_request(problem) or _BY_STATUS.get(status) or self._by_class(problem)

    def _of_the_request(self, problem: Problem) -> str:
        """What of the request the server does not take; "" where it says nothing of that."""
        status, text = problem.status, problem.text
        if status == 503:
            return "loading" if _LOADING.search(text) else ""
        if status not in (200, 400, 403, 404, 422, 500):
            return ""
        if is_of_one_tool(problem):
            return "tool"
        if _IMAGES.search(problem.words) or refuses_images(problem):
            return "images"
        if _HISTORY.search(text) or problem.path.startswith(("messages[", "messages.", "input[", "input.")):
            return "history"
        if status in (400, 403, 404, 422) and _MODEL.search(text):
            return "model"
        return "refused" if status == 404 and _NO_ENDPOINT.search(text) else ""

    def _is_silent_overflow(self, problem: Problem) -> bool:
        """Cerebras answers a prompt that is too long with a status alone."""
        return problem.status == 400 and not problem.text.strip() and self.where.endswith("api.cerebras.ai")

    def _by_class(self, problem: Problem) -> str:
        status = problem.status
        if status == 200 and _BAD_REQUEST.search(problem.code):
            return "refused"
        if 300 <= status < 400:
            return "moved"
        if status in (404, 410):
            return "path"
        return "refused" if 400 <= status < 500 else "server"

    def unreachable(self, cause: str) -> ModelFailed:
        """No connection came about; ``cause`` is the transport's own text, looked at and not shown."""
        parts = urlsplit(self.endpoint)
        reason = ""
        if "CERTIFICATE" in cause.upper():
            hint, reason = Text("its security certificate is not valid for this address."), "certificate"
        elif "WRONG_VERSION" in cause.upper() or "RECORD LAYER" in cause.upper():
            hint, reason = Text("it does not speak https. Try the address with http://."), "no https"
        elif is_local_host(parts.hostname or ""):
            hint = _STARTING.get(parts.port or 0, Text("is the server running there?"))
        else:
            hint = Text("check the address and the network.")
        sentence = Text("Cannot reach {where}: {hint}", where=self.where, hint=hint)
        return ModelFailed(sentence, "unreachable", reason=reason)

    def silent(self, seconds: float, began: bool) -> ModelFailed:
        """Nothing came for ``seconds``; ``began`` says that part of the reply had."""
        return self._failed("stopped" if began else "silent", seconds=f"{seconds:g}")

    def broken(self, began: bool) -> ModelFailed:
        return self._failed("cut off" if began else "no reply")

    def garbage(self, sample: bytes) -> ModelFailed:
        """The answer is not a chat completion; ``sample`` is how it begins."""
        page = sample.lstrip()[:200].lower().startswith((b"<!doctype", b"<html", b"<?xml"))
        return self._failed("garbage", what=Text("a web page") if page else Text("something that is no chat reply"))

    def too_long(self) -> ModelFailed:
        """The prompt alone fills the model's window."""
        return self._failed("context")

    def filtered(self) -> ModelFailed:
        return self._failed("filter")

    def clean(self, text: str) -> str:
        """A server's text fit to be shown: one line, at most 300 characters, nothing that may be a key."""
        if len(self.key) >= 6:
            # OpenAI echoes the first and last characters of a wrong key with stars between.
            text = re.sub(rf"{re.escape(self.key)}|{re.escape(self.key[:6])}\S*", "…", text)
        line = " ".join(SECRETS.sub("…", "".join(c if c.isprintable() else " " for c in text[:4_000])).split())
        return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"
