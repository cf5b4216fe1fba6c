"""When calls are begun, and the threads that make them."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Flag
from threading import get_ident

import pytest

from agent.events import Event, Observed, ToolCalled
from agent.loop.approval import NO_POLICY
from agent.loop.calls import Calling
from agent.loop.workers import Workers
from agent.toolkit.base import Toolbox, tool
from agent.wire.outcomes import Action


@pytest.mark.parametrize("acting", ["first", "second", "none"])
def test_calls_are_begun_once_all_are_told_and_kept_where_one_acts(acting: str) -> None:
    begun: list[str] = []

    @tool
    def first() -> str:
        """Does something."""
        begun.append("first")
        return "1"

    @tool
    def second() -> str:
        """Does something else."""
        begun.append("second")
        return "2"

    tools = Toolbox([replace(each, effect="acts") if each.name == acting else each for each in (first, second)])
    told: list[Event | None] = []
    with Workers() as workers:
        calls = Calling(tools, NO_POLICY, workers, Flag(), []).make([Action("first", ""), Action("second", "")])
        for _ in range(2 if acting == "none" else 3):
            told.append(next(calls))
            assert not begun
        told += calls
    kinds = [type(event) for event in told]
    assert kinds[:2] == [ToolCalled, ToolCalled]
    assert acting == "none" or told[2] is None
    assert [event.text for event in told if isinstance(event, Observed)] == ["1", "2"]
    assert sorted(begun) == ["first", "second"]


def test_a_thread_is_free_for_the_next_call_once_its_result_is_there() -> None:
    with Workers() as workers:
        threads = {workers.submit(get_ident).result(20) for _ in range(200)}
    assert len(threads) == 1
    assert get_ident() not in threads
