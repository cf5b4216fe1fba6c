"""Tools that answer from recorded runs, by tool and arguments, in place of doing what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue
from pydantic_core import to_json, to_jsonable_python

from agent.errors import GlassboxError, ToolFailed
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
        self._seen: dict[str, list[tuple[Mapping[str, JsonValue], Observed]]] = {}
        for events in runs:
            for called, seen in calls_of(events):
                if called.arguments is not None:
                    self._seen.setdefault(called.own_name, []).insert(0, (called.arguments, seen))

    def answer(self, tool: Tool, /, **given: object) -> ToolResult:
        """What came of the call with those arguments. Raises ``ToolFailed`` where it failed or is not known."""
        seen = self._recorded(tool, given)
        if seen is None and tool.pure and not is_far(tool):
            seen = _worked_out(tool, given, self._seen.get(tool.own_name, []))
        if seen is None:
            raise ToolFailed(_MISS, MISSED)
        return _result(seen)

    def _recorded(self, tool: Tool, given: Mapping[str, object]) -> Observed | None:
        """What came of the very call; ``None`` where no recorded run made it."""
        asked: Mapping[str, JsonValue] = to_jsonable_python(given)
        made = self._seen.get(tool.own_name, [])
        return next((seen for arguments, seen in made if _key(tool, arguments) == _key(tool, asked)), None)

    def as_edited(self, tools: Toolbox) -> Toolbox:
        """The tools, which give what a person wrote where an observation was edited: no tool gives that anew."""
        edited = {name for name, made in self._seen.items() if any(seen.edited for _, seen in made)}
        return replace(
            tools, tools=[self._as_edited(tool) if tool.own_name in edited else tool for tool in tools.tools]
        )

    def _as_edited(self, tool: Tool) -> Tool:
        def answer(**given: object) -> ToolResult | str:
            seen = self._recorded(tool, given)
            return _result(seen) if seen is not None and seen.edited else tool.function(**given)

        return replace(tool, function=answer)

    def frozen(self, tools: Toolbox, which: Callable[[Tool], bool]) -> Toolbox:
        """The tools, of which those that ``which`` says answer from the recording: they do nothing, and ask nobody."""
        return replace(tools, tools=[self._frozen(tool) if which(tool) else tool for tool in tools.tools])

    def _frozen(self, tool: Tool) -> Tool:
        answer = partial(self.answer, tool)
        still = replace(tool, function=answer, works=None, within=(), stateful=False, pure=False)
        return replace(still, effect="reads", concern=no_concern)  # nobody need be asked before


def _result(seen: Observed) -> ToolResult:
    """Raises ``ToolFailed`` where the recorded call failed."""
    if seen.error:
        raise ToolFailed(seen.text, seen.error)
    return ToolResult(seen.text, seen.artifacts, seen.sources, seen.cached, seen.repairs)


def is_far(tool: Tool) -> bool:
    """Whether what a tool gives depends on where and when: it reaches out, acts, asks, remembers or tells the time."""
    return tool.effect != "reads" or tool.stateful or bool(tool.works) or tool.own_name == now.SPEC.name


def is_any(tool: Tool) -> bool:
    return True


def _worked_out(
    tool: Tool, given: Mapping[str, object], made: Sequence[tuple[Mapping[str, JsonValue], Observed]]
) -> Observed | None:
    """What was recorded of another call, where a tool that only works things out gives the very same text for this one.

    So that 17*4250/100 is found where 17 * 4250 / 100 was recorded, and nothing is answered that was not.
    """
    if not made:
        return None
    try:
        result = tool.function(**given)
    except GlassboxError:
        return None
    text = result.text if isinstance(result, ToolResult) else result
    return next((seen for _, seen in made if seen.text == text and not (seen.error or seen.edited)), None)


def _key(tool: Tool, arguments: Mapping[str, JsonValue]) -> bytes:
    """Arguments are compared as values, as the tool itself compares them where it says how."""
    said = tool.alike(dict(arguments)) if tool.alike else dict(arguments)
    return to_json(_plain(said), round_trip=False)


def _plain(value: JsonValue) -> JsonValue:
    """Spaces around a line do not count; those within a text may (a program's indentation)."""
    if isinstance(value, str):
        return value.rstrip() if "\n" in value else value.strip()
    if isinstance(value, dict):
        return {name: _plain(value[name]) for name in sorted(value)}
    return [_plain(each) for each in value] if isinstance(value, list) else value
