"""From what came of a test's requests to its lines: what works, what does not, and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from agent.application.connection_test import fixes
from agent.application.connection_test.trial import Heard
from agent.errors import ModelFailed, ToolsRefused
from agent.interface_text import Text, joined, keyed
from agent.models.presets import Preset
from agent.text.regex import regex
from agent.web.endpoint import origin

Name = Literal["reachable", "key", "model", "streaming", "tools", "stop"]
State = Literal["works", "fails", "unknown"]
NAMES: tuple[Name, ...] = get_args(Name)

_CALL_AS_TEXT = regex(
    r"<tool_call>|<function=|\[TOOL_CALLS\]|<\|python_tag\|>|get_time\W{1,40}\w{0,20}\W{0,10}city", re.I
)
_MOST_SAID = 200
_SHORTEST_STREAM = 40
_CUT_HERE = Text("Replies are cut on our side, so nothing is lost.")
_CUT_BUT_TOKENS = Text("Replies are cut on our side, so nothing is lost but a few tokens.")
_UNREACHABLE = {
    "certificate": Text("Its security certificate is not valid for this address."),
    "no https": Text("It does not speak https."),
}
# By whether the first token took long enough to be told, and whether the model is missing in the list.
_ANSWERS = {
    (False, False): keyed("‘{model}’ answers."),
    (True, False): keyed("‘{model}’ answers after {seconds} s."),
    (False, True): keyed("‘{model}’ answers, though the server does not list it."),
    (True, True): keyed("‘{model}’ answers after {seconds} s, though the server does not list it."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a test: ``detail`` is what was found, ``fix`` what to do about it, both plain text.

    ``unknown`` could not be told or was not tried. ``seconds`` is how long it took to find out. What a server said is
    in ``detail`` with 200 characters at most; no text has the key in it.
    """

    name: Name
    state: State
    detail: str
    fix: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Reads what came from one server. ``make`` is the name of its preset where known, ``listed`` its models."""

    endpoint: str
    model: str
    key: str = field(repr=False)
    make: str = ""
    listed: tuple[str, ...] = ()

    def lists(self, seconds: float) -> Finding:
        few = {0: Text("no models"), 1: Text("one model")}
        count = few.get(len(self.listed)) or Text("{n} models", n=len(self.listed))
        detail = Text("{origin} lists {count}.", origin=origin(self.endpoint), count=count)
        return Finding("reachable", "works", detail, "", seconds)

    def answers(self, seconds: float) -> Finding:
        """Reachable, although there was no list."""
        return Finding("reachable", "works", Text("{origin} answers.", origin=origin(self.endpoint)), "", seconds)

    def not_reached(self, problem: ModelFailed, seconds: float) -> Finding:
        if problem.kind == "unreachable":
            fix = fixes.to_reach(self.endpoint, self._preset(), problem.reason)
            nothing = Text("Nothing answers at {origin}.", origin=origin(self.endpoint))
            return Finding("reachable", "fails", _UNREACHABLE.get(problem.reason, nothing), fix, seconds)
        fix = fixes.to_speak(self.endpoint, self._preset(), silent=problem.kind == "timeout")
        return Finding("reachable", "fails", self._happened(problem), fix, seconds)

    def no_chat(self, problem: ModelFailed, better: str, seconds: float) -> Finding:
        """There is a web server, but no model under this address; ``better`` is an address where there is one."""
        fix = fixes.to_find(self.endpoint, better, moved=is_moved(problem))
        return Finding("reachable", "fails", self._happened(problem), fix, seconds)

    def no_model(self) -> Finding:
        if self.listed:
            return Finding("model", "fails", Text("No model is chosen."), Text("Choose one from the list."))
        return Finding("model", "fails", Text("The server has no model."), fixes.to_have("qwen3", self._preset(), ()))

    def key_fails(self, problem: ModelFailed, seconds: float) -> Finding:
        forbidden = problem.reason == "forbidden"
        fix = fixes.to_enter(self.key, self._preset(), forbidden, self.model)
        return Finding("key", "fails", self._happened(problem), fix, seconds)

    def first_reply(self, heard: Heard, streams: bool) -> list[Finding]:
        """Key, model and streaming as far as one reply tells; ``streams`` is false where streaming was refused."""
        problem, seconds = heard.problem, heard.seconds
        if problem and problem.kind == "key":
            return [self.key_fails(problem, seconds)]
        if problem and problem.kind == "quota":
            fix = Text("Top the account up, or use another key.")
            return [Finding("key", "fails", self._happened(problem), fix, seconds)]
        if problem and not heard.pieces:
            return [self._key(problem.kind in ("model", "context", "refused")), self._model_fails(problem, seconds)]
        return [self._key(True), self._model_works(heard), self._streaming(heard, streams)]

    def _key(self, told: bool) -> Finding:
        if not told:
            return Finding("key", "unknown", Text("No reply to tell it by."))
        return Finding("key", "works", Text("Accepted.") if self.key else Text("None is set, and none is asked for."))

    def _model_works(self, heard: Heard) -> Finding:
        names = {self.model, f"{self.model}:latest", self.model.removeprefix("models/")}
        unlisted = bool(self.listed) and not names & {*self.listed}
        how = _ANSWERS[heard.first >= 0.1, unlisted]
        detail = Text(*how, model=self.model, seconds=f"{heard.first:.1f}")
        return Finding("model", "works", detail, "", heard.seconds)

    def _model_fails(self, problem: ModelFailed, seconds: float) -> Finding:
        match problem.kind:
            case "model":
                fix = fixes.to_have(self.model, self._preset(), self.listed)
            case "timeout":
                fix = Text(
                    "The model may still be loading: wait a little, then test again. A smaller model answers sooner."
                )
            case "rate":
                fix = Text("Wait a little, then test again; or use another model or key.")
                return Finding("model", "unknown", self._happened(problem), fix, seconds)
            case "server" if "loading" in problem.said.lower():
                fix = Text("The model may still be loading: wait until it is there, then test again.")
            case "server" | "broken" | "unreachable":
                fix = Text("Look into the server's log (often the model is too large for the memory), then test again.")
            case "garbage":
                fix = Text("Check that this model is made for chat, and that the address is right.")
            case _:
                fix = Text("Choose another model.")
        return Finding("model", "fails", self._happened(problem), fix, seconds)

    def _streaming(self, heard: Heard, streams: bool) -> Finding:
        if heard.problem:
            fix = Text(
                "Test again. If it stays so, look into the server's log, and at a proxy that may cut replies off."
            )
            if heard.problem.kind == "timeout":
                fix = Text("The model is slow, or still loading: test again, or choose a smaller one.")
            return Finding("streaming", "fails", self._happened(heard.problem), fix, heard.seconds)
        if heard.pieces > 1:
            detail = Text("The reply came in {pieces} pieces.", pieces=heard.pieces)
            return Finding("streaming", "works", detail, "", heard.seconds)
        if not streams or len(heard.text + heard.reasoning) >= _SHORTEST_STREAM:
            detail = Text("The reply comes in one piece: it is shown when it is complete. Nothing else is lost.")
            fix = Text("If a proxy stands before the server, switch its buffering off (nginx: “proxy_buffering off”).")
            return Finding("streaming", "fails", detail, fix, heard.seconds)
        return Finding("streaming", "unknown", Text("The reply was too short to tell."), "", heard.seconds)

    def tools(self, heard: Heard, refused_before: bool, over_responses: bool = False) -> Finding:
        """``refused_before`` says that the app has learned not to send tools to this model.

        ``over_responses`` says that it was asked over the Responses API.
        """
        problem, seconds = heard.problem, heard.seconds
        if isinstance(problem, ToolsRefused):
            detail = Text("Not accepted: tools are called in plain text instead, which any model can do.")
            fix = fixes.to_call(self._preset(problem.said))
            return Finding("tools", "fails", self._with_said(detail, problem), fix, seconds)
        if problem:
            return self._not_told("tools", problem, seconds)
        if refused_before:
            detail = Text("Accepted now, but refused before: they are called in plain text until that is forgotten.")
        elif heard.call and over_responses:
            detail = Text("Called in the model's own way, over the server's Responses API, and so they will be.")
        elif heard.call:
            detail = Text("Called in the model's own way, and so they will be.")
        elif _CALL_AS_TEXT.search(heard.text):
            detail = Text("Accepted, but the model's call came as text. It is understood all the same.")
            return Finding("tools", "works", detail, fixes.to_call(self._preset()), seconds)
        else:
            detail = Text("Accepted; the model answered without a call. They will be called in its own way.")
        return Finding("tools", "works", detail, "", seconds)

    def stop(self, heard: Heard, accepted: bool, before: str, word: str) -> Finding:
        """``word`` was to end the reply, right after ``before``."""
        seconds = heard.seconds
        if not accepted:
            return Finding("stop", "fails", joined(" ", [Text("Not accepted."), _CUT_HERE]), "", seconds)
        if heard.problem:
            return self._not_told("stop", heard.problem, seconds)
        if word in heard.text:
            detail = joined(" ", [Text("Accepted, but the model writes on."), _CUT_BUT_TOKENS])
            return Finding("stop", "fails", detail, "", seconds)
        if before in heard.text:
            return Finding("stop", "works", Text("Accepted and honoured."), "", seconds)
        shown = Text("Accepted; this reply does not show whether it is honoured.")
        detail = joined(" ", [shown, _CUT_HERE])
        return Finding("stop", "unknown", detail, "", seconds)

    def _not_told(self, name: Literal["tools", "stop"], problem: ModelFailed, seconds: float) -> Finding:
        """A later request failed. Where that may pass it tells nothing, else it is the feature that failed."""
        if problem.kind in ("timeout", "rate", "quota", "unreachable", "key"):
            return Finding(name, "unknown", self._happened(problem), Text("Test again in a moment."), seconds)
        fix = Text("Under Settings, have tools called in text; or choose another model.") if name == "tools" else ""
        return Finding(name, "fails", self._happened(problem), fix, seconds)

    def _preset(self, said: str = "") -> Preset:
        return fixes.preset_of(self.endpoint, self.make, said)

    def _happened(self, problem: ModelFailed) -> str:
        """What happened and what the server said, without what to do about it."""
        return self._with_said(problem.happened, problem)

    def _with_said(self, sentence: str, problem: ModelFailed) -> str:
        said = problem.said.replace(self.key, "…") if self.key else problem.said
        short = said if len(said) <= _MOST_SAID else f"{said[: _MOST_SAID - 1]}…"
        return Text("{sentence} It said: “{said}”", sentence=sentence, said=short) if said else sentence


def is_moved(problem: ModelFailed) -> bool:
    """Whether the server sends its clients to another address."""
    return problem.reason == "moved"
