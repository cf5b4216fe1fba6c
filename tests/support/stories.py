"""Small building blocks that several tests share: tools of a test's own, and events made short."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event as Flag
from time import sleep
from typing import Any

from agent.errors import ToolFailed
from agent.events import Event, TextDelta
from agent.loop.agent import Agent
from agent.models.protocol import CallDelta, Delta
from agent.runs.conversation import Question, answer
from agent.settings import Limits
from agent.toolkit.base import Toolbox, tool


@tool
def double(number: int) -> str:
    """Doubles a number.

    Args:
        number: The number to double.
    """
    return str(number * 2)


@tool
def broken(text: str) -> str:
    """Always fails, as tools do.

    Args:
        text: Anything.
    """
    raise ToolFailed("The service is closed. Try tomorrow.", "refused")


@tool
def buggy(text: str) -> str:
    """Has a bug.

    Args:
        text: Anything.
    """
    raise ZeroDivisionError("a bug of ours")


@tool(timeout=0.15)
def slow(seconds: float) -> str:
    """Takes its time.

    Args:
        seconds: How long.
    """
    sleep(seconds)
    return "done"


# What the text wire says behind each result of a tool.
REMINDER = "If that answers the question, reply with the Final Answer now."
TOOLS = Toolbox([double, broken, buggy, slow])


def react(thought: str, name: str, text: str) -> str:
    return f"Thought: {thought}\nAction: {name}\nAction Input: {text}"


def final(text: str) -> str:
    return f"Thought: I now know the final answer\nFinal Answer: {text}"


def calls(*requests: tuple[str, str, str], text: str = "") -> list[Delta]:
    """A native reply that asks for calls, each (id, name, arguments)."""
    fragments = tuple(CallDelta(index, *request) for index, request in enumerate(requests))
    return [Delta(text=text), Delta(calls=fragments), Delta(finish="tool_calls")]


def events_of(
    model: object, question: str = "q", wire: str = "react", limits: Limits = Limits(), **more: object
) -> list[Event]:
    """All events of one run over the tools above."""
    setup = Agent(model, TOOLS, wire, limits=limits)  # type: ignore[arg-type]
    return list(answer(Question(question, **more), setup, Flag()))  # type: ignore[arg-type]


def stored(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, TextDelta)]


def names(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in stored(events)]


def this_turn(body: Mapping[str, Any]) -> list[str]:
    """What a request on the text wire says from its last question on, the question first."""
    said = [(message["role"], str(message["content"])) for message in body["messages"]]
    asked = max(
        place for place, (role, text) in enumerate(said) if role == "user" and not text.startswith("Observation:")
    )
    return [text for _, text in said[asked:]]
