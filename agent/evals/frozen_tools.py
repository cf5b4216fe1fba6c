"""Tools that answer from recorded runs, by tool and arguments, in place of doing what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue
from pydantic_core import to_json, to_jsonable_python

from agent.errors import ToolFailed
from agent.evals.gold import calls_of
from agent.events import Event, Observed
from agent.toolkit.base import Tool, Toolbox, ToolResult, no_concern
from agent.tools import now

MISSED = "not_recorded"  # the ``Observed.error`` of a call that no recorded run made
_MISS = (
    "This call was not made when the test was kept, so there is no result of it here. Use the results that you have, "
    "or make a call as it was made before."
)


class Recording:
    """What the calls of some runs came to. It does not change, so that any number of runs can be answered from it."""

    def __init__(self, runs: Iterable[Sequence[Event]]) -> None:
        """Where a call was made several times, what came of it the last time counts."""
        self._seen: dict[bytes, Observed] = {}
        for events in runs:
            for called, seen in calls_of(events):
                if called.arguments is not None:
                    self._seen[_key(called.own_name, called.arguments)] = seen

    def answer(self, tool: str, /, **given: object) -> ToolResult:
        """What came of the call with those arguments. Raises ``ToolFailed`` where it failed or is not known."""
        seen = self._seen.get(_key(tool, to_jsonable_python(given)))
        if seen is None:
            raise ToolFailed(_MISS, MISSED)
        if seen.error:
            raise ToolFailed(seen.text, seen.error)
        return ToolResult(seen.text, seen.artifacts, seen.sources, seen.cached, seen.repairs)

    def frozen(self, tools: Toolbox, which: Callable[[Tool], bool]) -> Toolbox:
        """The tools, of which those that ``which`` says answer from the recording: they do nothing, and ask nobody."""
        return replace(tools, tools=[self._frozen(tool) if which(tool) else tool for tool in tools.tools])

    def _frozen(self, tool: Tool) -> Tool:
        answer = partial(self.answer, tool.own_name)
        still = replace(tool, function=answer, works=None, within=(), stateful=False, pure=False)
        return replace(still, effect="reads", concern=no_concern)  # nobody need be asked before


def is_far(tool: Tool) -> bool:
    """Whether what a tool gives depends on where and when: it reaches out, acts, asks, remembers or tells the time."""
    return tool.effect != "reads" or tool.stateful or bool(tool.works) or tool.own_name == now.SPEC.name


def is_any(tool: Tool) -> bool:
    return True


def _key(tool: str, arguments: Mapping[str, JsonValue]) -> bytes:
    """Arguments are compared as values; spaces in texts do not count."""
    return to_json((tool, _plain(dict(arguments))), round_trip=False)


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return " ".join(value.split()).removesuffix(";")
    if isinstance(value, dict):
        return {name: _plain(value[name]) for name in sorted(value)}
    return [_plain(each) for each in value] if isinstance(value, list) else value
