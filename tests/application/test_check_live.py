"""A test of a connection that somebody waits for, and may give up."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as Flag

from agent.application.connection_test.checks import LiveCheck, check
from agent.application.connection_test.diagnosis import NAMES, Finding
from tests.support.servers.model_server import ModelServer, Reply


def all_of(live: LiveCheck) -> list[Finding]:
    found: list[Finding] = []
    while not live.done:
        if finding := live.next(5.0):
            found.append(finding)
    return found


def test_findings_come_as_they_are() -> None:
    with ModelServer([Reply(status=401)] * 3, listing=Reply(status=401)) as model:
        found = all_of(LiveCheck(check(model.endpoint, "m", "sk-wrong")))
    assert tuple(finding.name for finding in found) == NAMES


def test_waiting_ends_and_what_is_given_up_begins_nothing_more() -> None:
    go_on, begun = Flag(), list[str]()

    def findings() -> Iterator[Finding]:
        for name in NAMES:
            begun.append(name)
            go_on.wait(5.0)
            yield Finding(name, "works", "")

    live = LiveCheck(findings())
    assert live.next(0.01) is None
    assert not live.done
    live.give_up()
    go_on.set()
    assert [finding.name for finding in all_of(live)] == [NAMES[0]]
    assert begun == [NAMES[0]]
