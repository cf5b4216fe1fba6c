"""One call of a tool, made by a person: what a run would make of it, worked through beside whoever waits for it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from concurrent.futures import TimeoutError as NotYet
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from time import monotonic
from uuid import uuid4

from agent.events import Event, Replied
from agent.interface_text import Text
from agent.loop.approval import Policy
from agent.loop.calls import Calling
from agent.loop.workers import Workers
from agent.messages import Usage
from agent.toolkit.base import Tool, Toolbox, no_concern
from agent.views.fold import CallView, fold
from agent.wire.outcomes import Action

log = logging.getLogger(__name__)


class ToolTrial:
    """A call at work in a thread, with the time-out, the repairs and the failures it would have in a run."""

    def __init__(self, tool: Tool, text: str, cancel: Flag | None = None) -> None:
        """``text`` is the input as a model would write it; ``cancel`` is set by ``give_up``."""
        self._cancel = cancel or Flag()
        self._began = monotonic()
        self._tool = tool.name
        self.contents: dict[str, bytes] = {}
        self.call: CallView | None = None
        self.failure = ""
        with Workers() as workers:
            self._outcome = workers.submit(partial(_tried, tool, text, self._cancel))

    @property
    def seconds(self) -> float:
        """Since it began."""
        return monotonic() - self._began

    def done(self, wait: float = 0.0) -> bool:
        """Whether it has ended, within ``wait`` seconds: then ``call`` says how, or ``failure`` where that is a bug.

        ``contents`` are those of the artifacts it made, by their hash.
        """
        try:
            error = self._outcome.exception(wait)
        except NotYet:
            return False
        if self.call is None and not self.failure:
            if error is None:
                self._take(self._outcome.result())
            else:
                reference = uuid4().hex[:8]
                log.error("trying %s failed, reference %s", self._tool, reference, exc_info=error)
                self.failure = Text(
                    "Something went wrong in the tool itself. The log has it under reference {reference}.",
                    reference=reference,
                )
        return True

    def give_up(self) -> None:
        self._cancel.set()

    def _take(self, events: Sequence[Event]) -> None:
        self.call = fold(events).steps[-1].calls[0]
        self.contents = {made.hash: made.content for made in self.call.artifacts}


def _tried(tool: Tool, text: str, cancel: Flag) -> list[Event]:
    events: list[Event] = [Replied("", "", Usage(), 0.0, 0.0)]
    # The person makes the call: they need not be asked for it.
    tool, policy = replace(tool, concern=no_concern), Policy(always=(tool.own_name,))
    with Workers() as workers:
        calling = Calling(Toolbox([tool]), policy, workers, cancel, events)
        deque(calling.make([Action(tool=tool.name, input=text)]), maxlen=0)
    return events
