"""Asking a model's server under a deadline that holds whatever the server does."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from time import monotonic

from agent.errors import ModelFailed
from agent.events import ToolSchema
from agent.interface_text import Text
from agent.loop.workers import Workers
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.presets import list_models
from agent.models.protocol import Delta, Patience, Request
from agent.models.refusals.lessons import DEMANDED
from agent.models.window_lookup import SECONDS, find_window
from agent.settings import ApiChoice
from agent.web.endpoint import normalise_endpoint, origin

# Tokens of a reply; more where the model thinks first, for its thoughts count.
_TOKENS, _THINKING_TOKENS = 64, 400
_LONGEST_LISTING = 8.0
# OpenAI's reasoning models answer so when the limit left nothing for a reply: they work.
_LIMIT_REACHED = "max_tokens or model output limit was reached"


@dataclass(slots=True)
class Heard:
    """What came of a request, so far; ``pieces`` counts deltas with text, ``first`` is the seconds until the first."""

    text: str = ""
    reasoning: str = ""
    call: str = ""
    finish: str = ""
    notes: tuple[str, ...] = ()
    pieces: int = 0
    first: float = 0.0
    seconds: float = 0.0
    problem: ModelFailed | None = None
    abandoned: bool = field(default=False, repr=False)

    def take(self, delta: Delta, seconds: float) -> None:
        called = next((call.name for call in delta.calls if call.name), "")
        if delta.text or delta.reasoning or delta.calls:
            self.pieces += 1
            self.first = self.first or seconds
        self.text += delta.text
        self.reasoning += delta.reasoning
        self.call = self.call or called
        self.finish = delta.finish or self.finish
        self.notes += (delta.note,) if delta.note else ()


class Trial:
    """One server, model and key, ``seconds`` for each request; what is refused is learned in ``capabilities``."""

    def __init__(
        self,
        endpoint: str,
        model: str,
        key: str,
        seconds: float,
        capabilities: Capabilities,
        workers: Workers,
        api: ApiChoice = "auto",
    ) -> None:
        self.endpoint, self.model, self.key = endpoint, model, key
        self._capabilities = capabilities
        self._seconds = seconds
        self._workers = workers
        self._thinks = False
        patience = Patience(seconds, seconds, retries=0)
        self._chat = OpenAIChat(endpoint, model, capabilities, key, patience=patience, api=api)

    @property
    def refused(self) -> frozenset[str]:
        """What the model turned out not to take; names as in ``Capabilities``."""
        return self._chat.refused

    @property
    def over_responses(self) -> bool:
        """Whether the model is asked over the Responses API."""
        return DEMANDED in self.refused

    def close(self) -> None:
        self._chat.close()

    def models(self) -> tuple[str, ...] | ModelFailed:
        """The server's list of models, within a part of the time."""
        return self._list(self.endpoint, min(_LONGEST_LISTING, self._seconds / 2))

    def better_address(self) -> str:
        """The usual address on the same host, where that one answers with models; else ``""``."""
        usual = normalise_endpoint(origin(self.endpoint))
        if usual == self.endpoint:
            return ""
        found = self._list(usual, min(_LONGEST_LISTING, self._seconds) / 2)
        return "" if isinstance(found, ModelFailed) else usual

    def find_window(self) -> None:
        """Ask how many tokens the model can be sent at once: a server knows best while the model is loaded."""
        find_window(self._capabilities, self.endpoint, self.model, self.key, min(SECONDS, self._seconds))

    def _list(self, endpoint: str, seconds: float) -> tuple[str, ...] | ModelFailed:
        listing = self._workers.submit(
            partial(list_models, endpoint, self.key, max(round(seconds, 1), 0.1), self._capabilities)
        )
        try:
            return listing.result(seconds * 1.2)
        except ModelFailed as error:
            return error
        except TimeoutError:
            return _late(endpoint, seconds)

    def ask(self, text: str, tools: tuple[ToolSchema, ...] = (), stop: tuple[str, ...] = (), until: str = "") -> Heard:
        """The reply to ``text``, broken off at ``until`` or at a call; a failure is in ``problem``."""
        thinks = self._thinks or self.over_responses or "max_tokens" in self.refused
        request = Request(
            (Message("user", text),),
            tools=tools,
            stop=stop,
            parameters={"max_tokens": _THINKING_TOKENS if thinks else _TOKENS},
        )
        heard = Heard()
        began = monotonic()
        reply = self._workers.submit(partial(self._listen, request, heard, until))
        try:
            reply.result(self._seconds)
        except ModelFailed as error:
            if _LIMIT_REACHED in str(error):
                heard.finish = "length"
            else:
                heard.problem = error
        except TimeoutError:
            heard.abandoned = True
            heard.problem = _late(self.endpoint, self._seconds)
        heard.seconds = monotonic() - began
        self._thinks = self._thinks or bool(heard.reasoning) or heard.text.lstrip().startswith("<think")
        return heard

    def _listen(self, request: Request, heard: Heard, until: str) -> None:
        began = monotonic()
        try:
            with closing(self._chat.stream(request)) as deltas:
                for delta in deltas:
                    heard.take(delta, monotonic() - began)
                    if heard.abandoned or heard.call or (until and until in heard.text):
                        return
        finally:
            if heard.abandoned:
                self._chat.close()


def _late(endpoint: str, seconds: float) -> ModelFailed:
    told, where = f"{seconds:.0f}", origin(endpoint)
    return ModelFailed(Text("{origin} did not finish within {seconds} seconds.", origin=where, seconds=told), "timeout")
