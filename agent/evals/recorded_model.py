"""A model that says again what another one said in a recorded run."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from agent.errors import ModelFailed
from agent.events import Event, Merged, Observed, Prepared, Replied, ToolCalled
from agent.interface_text import Text
from agent.models.protocol import CallDelta, Delta, Request
from agent.so_far import since_prepared
from agent.toolkit.tool_names import native_name
from agent.wire.native import TEXT_CALL

_NO_MORE = Text("The recording has no further reply: the run went on where the recorded one had ended.")


class Recorded:
    """Plays the replies of a run as its server sent them, one a call; the merged question where one is asked for.

    It goes by the name and address of the model that was recorded, so that its replies cost what they cost today.
    ``stream`` raises ``ModelFailed`` where the recording has no further reply.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        """Raises ``ValueError`` for a run that had not begun to ask."""
        self.prepared, since = since_prepared(events)
        self.name, self.endpoint = self.prepared.model, self.prepared.endpoint
        self.takes_tools = self.prepared.wire == "native"
        self.merged = next((event for event in events if isinstance(event, Merged)), None)
        self.insists = any(isinstance(event, Observed) and event.error == "insist" for event in since)
        self._replies = _replies(since, self.prepared)
        self._played = 0

    def stream(self, request: Request) -> Generator[Delta]:
        if request.purpose == "merge":
            return _said([Delta(self.merged.reply if self.merged else "", finish="stop")])
        if self._played >= len(self._replies):
            raise ModelFailed(_NO_MORE, "broken")
        self._played += 1
        return _said(self._replies[self._played - 1])

    def close(self) -> None:
        """Nothing is kept between calls."""


def _said(deltas: Sequence[Delta]) -> Generator[Delta]:
    yield from deltas


def _replies(since: Sequence[Event], prepared: Prepared) -> list[list[Delta]]:
    """The deltas of each reply. A reply that is not whole, or a person's own, is said like any other."""
    replies: list[list[Delta]] = []
    for place, event in enumerate(since):
        if isinstance(event, Replied):
            replies.append(_deltas(event, _calls(since, place) if prepared.wire == "native" else []))
    return replies


def _calls(since: Sequence[Event], place: int) -> list[ToolCalled]:
    """The calls of the reply at that place, where they did not come as text of it."""
    reply = since[place]
    if isinstance(reply, Replied) and any(getattr(each, "key", "") == TEXT_CALL.key for each in reply.repairs):
        return []
    calls: list[ToolCalled] = []
    for event in since[place + 1 :]:
        if isinstance(event, Replied):
            break
        if isinstance(event, ToolCalled):
            calls.append(event)
    return calls


def _deltas(reply: Replied, calls: Sequence[ToolCalled]) -> list[Delta]:
    fragments = tuple(
        CallDelta(index, call.call_id, native_name(call.tool), call.input, call.opaque)
        for index, call in enumerate(calls)
    )
    said = [Delta(reply.text + reply.cut, reply.reasoning, opaque=reply.opaque)]
    if fragments:
        said.append(Delta(calls=fragments))
    finish = reply.finish or ("tool_calls" if fragments else "stop")
    return [*said, Delta(usage=reply.usage, finish=finish)]
