"""Halves of characters, as in names of files that are no UTF-8: a run with them is kept and answered like any other."""

from __future__ import annotations

from collections.abc import Callable

from agent.errors import ToolFailed
from agent.events import Asked, Observed, TextDelta, dump, load
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.public import ask
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool
from agent.views.fold import fold
from tests.support.cases import each
from tests.support.stories import final, react


@tool
def listing(folder: str) -> str:
    """Lists a folder."""
    return f"{folder}: caf\udce9.txt, \ud83d\ude00, \ud800"


@tool
def broken(folder: str) -> str:
    """Lists no folder."""
    raise ToolFailed("There is no caf\udce9.")


@each(
    ("name", "observed"),
    [("listing", "x: caf\ufffd.txt, \U0001f600, \ufffd"), ("broken", "There is no caf\ufffd.")],
)
def test_a_result_is_kept_without_them(open_store: Callable[..., Store], name: str, observed: str) -> None:
    store = open_store()
    agent = Agent(
        Scripted([react("look", name, "x"), final("It has caf\udce9 \ud83d\ude00.")]), Toolbox([listing, broken])
    )
    events = list(ask(agent, "What is in caf\udce9?", store=store))
    assert [event.text for event in events if isinstance(event, Observed)] == [observed]
    assert fold(events).answer == "It has caf\ufffd \U0001f600."
    kept = [event for event in events if not isinstance(event, TextDelta)]
    assert [load(dump(event)) for event in kept] == kept


def test_an_event_with_them_can_be_written() -> None:
    written = load(dump(Asked("caf\udce9?", 1.0)))
    assert isinstance(written, Asked) and written.question == "caf??"
