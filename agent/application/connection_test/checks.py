"""Testing a connection: what of a model and its server works, line by line, and what to do about what does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from time import monotonic

from agent.application.connection_test.diagnosis import NAMES, Diagnosis, Finding, Name, is_moved
from agent.application.connection_test.trial import Trial
from agent.errors import BadRequest, ModelFailed
from agent.events import ToolSchema
from agent.interface_text import Text
from agent.loop.workers import Workers
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import usable_key
from agent.settings import ApiChoice
from agent.web.endpoint import is_private, normalise_endpoint

_COUNT = "Count from 1 to 20 in digits, with spaces between, and write nothing else."
_TIME = "Which time is it in Tokyo? Call the tool get_time."
_WORDS = "Write these words and nothing else: apple banana cherry damson"
_BEFORE, _STOP, _AFTER = "banana", "cherry", "damson"
_TOOL = ToolSchema(
    "get_time",
    "The time in a city, now.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
_SHORTEST_KEY = 6
# For each reply: a model on a machine of one's own may have to be loaded for the first.
_SECONDS, _PRIVATE_SECONDS = 30.0, 90.0


def check(
    endpoint: str,
    model: str,
    key: str = "",
    seconds: float = 0.0,
    *,
    capabilities: Capabilities | None = None,
    preset: str = "",
    api: ApiChoice = "auto",
) -> Iterator[Finding]:
    """Test a connection with one request for the list of models and three for replies of a few tokens.

    Yields one ``Finding`` of each name, in the order of ``NAMES``, each as soon as it is known. Each reply may take
    ``seconds``, by default longer at a private address, where the model may have to be loaded first; what needs
    something that failed is not tried. Nothing that a server does raises. What the model turns
    out to refuse, and how much the server says that it reads, is taught to ``capabilities``; what was learned before is
    put to the test again. ``preset`` is the name of the server's make, guessed where empty; ``api`` as in
    ``OpenAIChat``. Whether the address may be connected is the caller's to check.
    """
    model, key = model.strip(), key.strip()
    told: set[Name] = set()
    for finding in _findings(endpoint, model, key, seconds, capabilities or Capabilities(), preset, api):
        told.add(finding.name)
        yield _without(key, finding)
    yield from (Finding(name, "unknown", Text("Not tried.")) for name in NAMES if name not in told)


def _without(key: str, finding: Finding) -> Finding:
    """A key may have been pasted into the field of the model, or be part of the address."""
    if len(key) < _SHORTEST_KEY:
        return finding

    def hidden(text: str) -> str:
        return text.changed(hidden) if isinstance(text, Text) else text.replace(key, "…")

    return replace(finding, detail=hidden(finding.detail), fix=hidden(finding.fix))


def _findings(
    endpoint: str, model: str, key: str, seconds: float, capabilities: Capabilities, preset: str, api: ApiChoice
) -> Iterator[Finding]:
    try:
        address = normalise_endpoint(endpoint)
    except BadRequest as error:
        yield Finding("reachable", "fails", Text("The address cannot be used."), error.text)
        return
    try:
        usable_key(key)
    except BadRequest as error:
        yield Finding("reachable", "unknown", Text("Not tried."))
        yield Finding("key", "fails", Text("The key cannot be sent."), error.text)
        return
    learned = Capabilities(public_only=capabilities.connections.public_only)
    seconds = seconds or (_PRIVATE_SECONDS if is_private(address) else _SECONDS)
    with Workers() as workers, closing(Trial(address, model, key, seconds, learned, workers, api)) as trial:
        try:
            yield from _try(trial, Diagnosis(address, model, key, preset), capabilities)
        finally:
            for name in learned.learned(address, model):
                capabilities.learn(address, model, name)
            if window := learned.window(address, model):
                capabilities.asked(address, model, window)


def _try(trial: Trial, diagnosis: Diagnosis, before: Capabilities) -> Iterator[Finding]:
    began = monotonic()
    listed = trial.models()
    seconds = monotonic() - began
    if isinstance(listed, tuple):
        diagnosis = replace(diagnosis, listed=listed)
        yield diagnosis.lists(seconds)
    elif listed.kind in ("unreachable", "timeout", "broken"):
        yield diagnosis.not_reached(listed, seconds)
        return
    elif listed.kind == "key":
        yield diagnosis.answers(seconds)
        yield diagnosis.key_fails(listed, seconds)
        return
    if not trial.model:
        yield from _without_model(trial, diagnosis, listed, seconds)
        return
    heard = trial.ask(_COUNT)
    if isinstance(listed, ModelFailed):
        # A server need not have a list; whether this is one is told by its reply.
        if heard.problem and heard.problem.kind == "garbage" and not heard.pieces:
            yield _no_chat(trial, diagnosis, heard.problem, seconds + heard.seconds)
            return
        yield diagnosis.answers(seconds)
    yield from diagnosis.first_reply(heard, "stream" not in trial.refused)
    if heard.problem:
        return
    refused_before = not before.takes_tools(trial.endpoint, trial.model)
    heard = trial.ask(_TIME, tools=(_TOOL,))
    yield diagnosis.tools(heard, refused_before, trial.over_responses)
    heard = trial.ask(_WORDS, stop=(_STOP,), until=_AFTER)
    yield diagnosis.stop(heard, "stop" not in trial.refused, _BEFORE, _STOP)
    trial.find_window()


def _without_model(
    trial: Trial, diagnosis: Diagnosis, listed: tuple[str, ...] | ModelFailed, seconds: float
) -> Iterator[Finding]:
    if isinstance(listed, ModelFailed):
        yield _no_chat(trial, diagnosis, listed, seconds)
        return
    yield Finding("key", "unknown", Text("Not tried without a model."))
    yield diagnosis.no_model()


def _no_chat(trial: Trial, diagnosis: Diagnosis, problem: ModelFailed, seconds: float) -> Finding:
    return diagnosis.no_chat(problem, "" if is_moved(problem) else trial.better_address(), seconds)


class LiveCheck:
    """The ``findings`` of ``check``, worked out in a thread, so that whoever waits can tell so, and give it up."""

    def __init__(self, findings: Iterator[Finding]) -> None:
        self.done = False
        self._findings = findings
        self._given_up = Flag()
        self._found: SimpleQueue[Finding | None] = SimpleQueue()
        Thread(target=self._work, name="test of a connection", daemon=True).start()

    def next(self, wait: float) -> Finding | None:
        """The next finding; ``None`` where there is none within ``wait`` seconds, or where all are told: ``done``."""
        try:
            found = self._found.get(timeout=wait)
        except Empty:
            return None
        self.done = found is None
        return found

    def give_up(self) -> None:
        """Begin nothing more; a request on its way ends by its own deadline."""
        self._given_up.set()

    def _work(self) -> None:
        try:
            for finding in self._findings:
                self._found.put(finding)
                if self._given_up.is_set():
                    break
        finally:
            self._found.put(None)
