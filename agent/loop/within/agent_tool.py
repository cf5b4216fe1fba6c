"""An agent as a tool: its run is within the run that calls it, and uses up what that one may use."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import currentframe
from time import monotonic

from pydantic import JsonValue

from agent.errors import ForTheUser, ToolFailed, ToolsRefused, UnknownTool
from agent.events import Answered, Event, Failed, TextDelta
from agent.loop import loop
from agent.loop.agent import Agent, prepare
from agent.loop.limits import limits_within, waited
from agent.loop.within.surroundings import Surroundings
from agent.models.protocol import Model
from agent.toolkit.base import Tool, Toolbox, ToolResult, tool

MOST_DEPTH = 3  # runs within one another, beside the first
_OF_THE_LEFT_TIME = 0.8  # the rest is for who called to answer
_OWN_DATA = {"query", "chart", "python", "llm_math", "word_problem", "colored_objects"}


def agent_tool(
    name: str,
    purpose: str,
    tools: Sequence[Tool | str] = (),
    *,
    model: Model | None = None,
    instructions: str = "",
    icon: str = "smart_toy",
) -> Tool:
    """A tool that is an agent: it is given a task and works on it with tools of its own, step by step.

    ``purpose`` tells the model that calls it what it does. ``tools`` are its own, or names of tools of the run that
    calls it, which those that this one does not have are left out of. Without a ``model`` it asks the one of that run.
    ``instructions`` stand before each task. Its steps are events within that run, whose limits, budget and Stop hold.
    """

    @tool(name=name, description=purpose, icon=icon)
    def called(task: str) -> str:
        """Works on a task.

        Args:
            task: all that it must know, in words: it sees nothing of the conversation
        """
        raise ToolFailed("This agent works within a run only: ask for it in a chat.", "refused")

    frame = currentframe()
    written_in = frame.f_back.f_globals if frame and frame.f_back else {}
    called.function.__module__ = written_in.get("__name__", __name__)
    own = tuple(each for each in tools if isinstance(each, Tool))
    names = tuple(each for each in tools if isinstance(each, str))
    works = _Agent(name, model, instructions.strip(), names)
    # What it says is its model's words; what its tools brought counts by itself.
    return replace(called, works=works, within=own, public=True, repeats=True)


@dataclass(frozen=True, slots=True)
class _Agent:
    """Makes the run of a call: gives its events one by one, then its result."""

    name: str
    model: Model | None
    instructions: str
    names: tuple[str, ...]

    def __call__(
        self, arguments: Mapping[str, JsonValue], own: Sequence[Tool], around: Surroundings
    ) -> Generator[Event, None, ToolResult]:
        if around.depth > MOST_DEPTH:
            raise ToolFailed(f"Agents may call each other {MOST_DEPTH} deep. Go on without {self.name}.", "refused")
        agent = self._made(own, around)
        question = "\n\n".join(filter(None, (self.instructions, str(arguments["task"]))))
        if not question.strip():
            raise ToolFailed("The task is missing. Say what is to be done.", "input")
        last: Event | None = None
        for event in _run(agent, question, around):
            yield event
            last = event
        if isinstance(last, Answered) and last.text.strip():
            return ToolResult(last.text)
        why = last.message if isinstance(last, Failed) else "it gave none."
        partial = f" It had come to: {last.partial}" if isinstance(last, Failed) and last.partial else ""
        raise ToolFailed(f"The agent {self.name} came to no answer: {why}{partial}", "tool")

    def _made(self, own: Sequence[Tool], around: Surroundings) -> Agent:
        """The agent, with what is left of the limits of the run that calls it. Raises ``ToolFailed`` for nothing."""
        caller = around.agent
        left = around.ends + waited(around.events) - monotonic()
        limits = limits_within(caller.limits, around.events, left * _OF_THE_LEFT_TIME, around.share)
        if limits is None:
            raise ToolFailed(f"The limits of this run leave nothing for {self.name}. Answer without it.", "refused")
        tools = [*own, *_named(self.names, caller.tools, self.name)]
        names = {each.own_name for each in tools}
        agent = replace(
            caller,
            tools=Toolbox(tools),
            limits=limits,
            insist=False,
            merge="never",
            notes=(),
            documents=caller.documents and "documents" in names,
            cards=caller.cards if names & _OWN_DATA else (),
            databases=caller.databases if "query_database" in names else tuple,
        )
        if self.model is None:
            return agent
        return replace(agent, model=self.model, wire="auto", parameters={}, window=None, small=False)


def _named(names: Sequence[str], tools: Toolbox, but: str) -> Iterator[Tool]:
    """The tools of those names that there are, each once, but for one."""
    found: dict[str, Tool] = {}
    for name in names:
        try:
            one = tools.find(name)
        except UnknownTool:
            continue
        if one.own_name != but:
            found[one.own_name] = one
    yield from found.values()


def _run(agent: Agent, question: str, around: Surroundings) -> Iterator[Event]:
    """The run's events from ``Prepared`` to its end; as they come, but for text as it streams."""
    for wire in agent.wires:
        prepared, room = prepare(agent, question, wire, agent.limits)
        begun = [prepared, *([room] if room else [])]
        yield from begun
        try:
            for event in loop.run(agent, begun, around.cancel, loop.Start(outer=around)):
                if event is not None and not isinstance(event, TextDelta):
                    yield event
        except ToolsRefused as error:
            if wire == agent.wires[-1]:
                yield Failed("model", error.text)
        except ForTheUser as error:
            yield Failed("model", error.text)
            return
        else:
            return
