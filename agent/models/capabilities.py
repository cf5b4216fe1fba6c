"""What a process knows of model servers: what each model refuses, how much it reads, the connections that are open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from cachetools import LRUCache, TTLCache

from agent.models.model_size import is_small
from agent.models.refusals.lessons import AS_TEXT, DEMANDED, SMALL, opposite
from agent.models.window import SMALLEST, Window, row_name, row_window
from agent.text.concealment import looks_like_a_key
from agent.text.regex import regex
from agent.web.endpoint import host_of, is_private

if TYPE_CHECKING:
    from agent.models.http_client import Connection

KeptAs: TypeAlias = tuple[str, bytes]  # an endpoint, and the digest of a key
KEPT_SECONDS = 300.0
_MOST_KEPT, _MOST_IDLE = 64, 8  # keys, and connections for each
# OpenAI's reasoning models take no stop, no sampling parameters, and count their limit with the reasoning in it. The
# chat variants of GPT-5 are ordinary models.
_REASONING = regex(r"(?:openai/)?(?:o[1-9](?![0-9a-z])|gpt-[5-9](?!.*-chat))")
_REASONING_REFUSES = frozenset({"stop", "temperature", "top_p", "presence_penalty", "frequency_penalty", "max_tokens"})
_REASONING_HOSTS = ("api.openai.com", ".azure.com", "openrouter.ai")
_MOST_LEARNED = 1024  # models whose refusals are remembered; visitors type endpoints and names
_MOST_WINDOWS = 4096
_MOST_LISTED = 1000  # models of one server whose windows are remembered
# Servers are started anew, with other windows: what they told is asked again, and forgotten in the end.
_WINDOW_SECONDS, _ASKED_SECONDS = 3600.0, 300.0


def _anywhere(endpoint: str) -> bool:
    return False


def kept_as(endpoint: str, key: str) -> KeptAs:
    """Under what the connections to an endpoint are kept that send this key."""
    return endpoint, sha256(key.encode()).digest()


class Connections:
    """The connections of a process, kept from one question to the next: never one for two keys. Thread-safe.

    A connection serves one request at a time, so that it is known which one to end. It is let go ``KEPT_SECONDS`` after
    its last use. Those to an endpoint of which ``public_only`` is true go to public addresses alone.
    """

    def __init__(self, public_only: Callable[[str], bool] = _anywhere) -> None:
        self.public_only = public_only
        self._idle = TTLCache[KeptAs, list["Connection"], float](_MOST_KEPT, KEPT_SECONDS)
        self._lock = Lock()

    @contextmanager
    def taken(self, name: KeptAs) -> Generator[Connection]:
        """A connection for a request to that endpoint with that key, which nobody else has in the block."""
        from agent.models.http_client import Connection

        endpoint, _ = name
        with self._lock:
            idle = self._idle.get(name)
            if idle is None:
                idle = self._idle[name] = []
            connection = idle.pop() if idle else Connection(endpoint, KEPT_SECONDS, self.public_only(endpoint))
        try:
            yield connection
        finally:
            with self._lock:  # one that was let go meanwhile is closed when nobody holds it any more
                if self._idle.get(name) is idle and len(idle) < _MOST_IDLE and not connection.was_cut:
                    idle.append(connection)
                    self._idle[name] = idle

    def let_go(self, name: KeptAs) -> None:
        with self._lock:
            self._idle.pop(name, None)


class Keeper(Protocol):
    """Keeps lessons for longer than a process lives; thread-safe, and never fails."""

    def lessons(self, endpoint: str, model: str) -> frozenset[str]: ...

    def keep(self, endpoint: str, model: str, lessons: Collection[str]) -> None:
        """Keep these in place of those of before."""
        ...


class Capabilities:
    """Remembers for each (endpoint, model) which parameters it refuses, and how many tokens it can be sent.

    Made by the caller, shared, thread-safe. What is refused is given to a ``keeper``, too, where there is one.
    ``public_only`` is that of its ``Connections``.
    """

    def __init__(
        self, keeper: Keeper | None = None, public_only: Callable[[str], bool] = lambda endpoint: False
    ) -> None:
        self._keeper = keeper
        self.connections = Connections(public_only)
        self._learned: LRUCache[tuple[str, str], frozenset[str]] = LRUCache(_MOST_LEARNED)
        self._windows = TTLCache[tuple[str, str], Window, float](_MOST_WINDOWS, _WINDOW_SECONDS)
        self._asked = TTLCache[tuple[str, str], bool, float](_MOST_LEARNED, _ASKED_SECONDS)
        self._lock = Lock()

    def refused(self, endpoint: str, model: str) -> frozenset[str]:
        """Names of body fields not to send; ``tool_choice`` among them means that calls cannot be forbidden."""
        return known(endpoint, model) | self.learned(endpoint, model)

    def learned(self, endpoint: str, model: str) -> frozenset[str]:
        """The lessons alone, without what is known of a model before it is asked."""
        with self._lock:
            found = self._learned.get((endpoint, model))
        if found is None:
            kept = self._keeper.lessons(endpoint, model) if self._keeper else frozenset[str]()
            with self._lock:
                found = self._learned.setdefault((endpoint, model), kept)
        return found

    def learn(self, endpoint: str, model: str, name: str) -> None:
        """Remember a lesson; it takes the place of the opposite one."""
        before = self.learned(endpoint, model)
        with self._lock:
            others = self._learned.get((endpoint, model), before) - {opposite(name)}
            self._learned[endpoint, model] = now = others | {name}
        self._keep(endpoint, model, now)

    def unlearn(self, endpoint: str, model: str, name: str) -> None:
        """Drop a lesson that does not hold any more."""
        before = self.learned(endpoint, model)
        with self._lock:
            known = self._learned.get((endpoint, model), before)
            self._learned[endpoint, model] = now = known - {name}
        if now != known:
            self._keep(endpoint, model, now)

    def forget(self, endpoint: str, model: str) -> None:
        """Ask anew: the server may have been set up differently since."""
        before = self.learned(endpoint, model)
        with self._lock:
            self._learned[endpoint, model] = frozenset()
            for memory in (self._windows, self._asked):
                memory.pop((endpoint, model), None)
        if before:
            self._keep(endpoint, model, ())

    def _keep(self, endpoint: str, model: str, lessons: Collection[str]) -> None:
        # A key may have been pasted into the field of the model.
        if self._keeper and not looks_like_a_key(model):
            self._keeper.keep(endpoint, model, lessons)

    def takes_tools(self, endpoint: str, model: str) -> bool:
        """True until a refusal taught otherwise, or a call that came as text."""
        return not {"tools", AS_TEXT} & self.refused(endpoint, model)

    def is_small(self, endpoint: str, model: str) -> bool:
        """Whether the model is a small one on the person's own machine or network, by what it tells or its name."""
        return is_private(endpoint) and (SMALL in self.learned(endpoint, model) or is_small({}, model))

    def window(self, endpoint: str, model: str) -> Window | None:
        """What was learned of the model's window, a guess of its server's make among it; ``None`` for nothing."""
        with self._lock:
            return self._windows.get((endpoint, model))

    def learn_window(self, endpoint: str, model: str, window: Window) -> None:
        """Remember a window: facts go before guesses, and of a refusal and another fact the smaller one counts."""
        with self._lock:
            known = self._windows.get((endpoint, model))
            if window.tokens >= SMALLEST and (known is None or _goes_before(window, known)):
                self._windows[endpoint, model] = window

    def learn_windows(self, endpoint: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Remember what the rows of a server's list of models tell."""
        for row in rows[:_MOST_LISTED]:
            if (name := row_name(row)) and (window := row_window(row)):
                self.learn_window(endpoint, name, window)

    def learn_cut(self, endpoint: str, model: str, tokens: int) -> None:
        """The server read only so many ``tokens`` of a longer prompt. It may be asked again: the model runs now."""
        known = self.window(endpoint, model)
        if known is None or tokens < known.tokens or known.source == "guess":
            self.learn_window(endpoint, model, Window(tokens, "server"))
        with self._lock:
            self._asked.pop((endpoint, model), None)

    def may_ask(self, endpoint: str, model: str) -> bool:
        """Whether the server was not asked for this window in the last minutes."""
        with self._lock:
            return (endpoint, model) not in self._asked

    def asked(self, endpoint: str, model: str, window: Window | None) -> None:
        """The server was asked for the window. After a guess of its make's it may be asked again at once."""
        if window:
            self.learn_window(endpoint, model, window)
        if window is None or window.source != "guess":
            with self._lock:
                self._asked[endpoint, model] = True


def _goes_before(window: Window, known: Window) -> bool:
    """Whether what was learned last counts in place of what was known."""
    if "guess" in (window.source, known.source):
        return known.source == "guess"
    return window.tokens < known.tokens or known.source == window.source == "server"


@lru_cache(maxsize=_MOST_LEARNED)
def known(endpoint: str, model: str) -> frozenset[str]:
    """The table: what is refused before anything was asked."""
    host = host_of(endpoint)
    if host.endswith(_REASONING_HOSTS) and _REASONING.match(model):
        return _REASONING_REFUSES
    if host.startswith("bedrock-mantle.") and urlsplit(endpoint).path.startswith("/openai/"):
        return frozenset({DEMANDED})  # GPT-5 is served over the Responses API alone there
    return frozenset()
