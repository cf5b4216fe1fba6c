"""A model that plays a script: for tests, and for showing the app without a server."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from agent.errors import GlassboxError
from agent.models.protocol import Delta, Request

Reply = str | Sequence[Delta | GlassboxError] | GlassboxError


class Scripted:
    """Plays ``replies`` in order and keeps what it was asked in ``requests``; complains at both ends.

    A reply is a text (sent as one delta, or in pieces of ``chunk`` characters), the deltas themselves, or an error,
    which is raised; an error among the deltas is raised where it stands. A call that the script does not have raises
    ``AssertionError`` at once, and so does ``finish`` when replies are left.
    """

    endpoint = "scripted"

    def __init__(
        self, replies: Sequence[Reply], *, name: str = "scripted", takes_tools: bool = False, chunk: int = 0
    ) -> None:
        self.name = name
        self.takes_tools = takes_tools
        self.requests: list[Request] = []
        self._replies = tuple(replies)
        self._chunk = chunk

    def prefer_text(self) -> None:
        self.takes_tools = False

    def stream(self, request: Request) -> Generator[Delta]:
        played = len(self.requests)
        self.requests.append(request)
        if played >= len(self._replies):
            last = request.messages[-1].content if request.messages else ""
            raise AssertionError(f"call {played + 1} of a script of {len(self._replies)}; last message: {last[:200]!r}")
        return self._play(self._replies[played])

    def close(self) -> None:
        """Nothing is kept between calls."""

    def finish(self) -> None:
        """Raises ``AssertionError`` when replies were not asked for."""
        left = self._replies[len(self.requests) :]
        if left:
            raise AssertionError(
                f"{len(left)} of {len(self._replies)} replies not played, next: {str(left[0])[:200]!r}"
            )

    def _play(self, reply: Reply) -> Generator[Delta]:
        if isinstance(reply, str):
            step = self._chunk or len(reply) or 1
            reply = [Delta(reply[start : start + step]) for start in range(0, len(reply), step)]
        for part in (reply,) if isinstance(reply, GlassboxError) else reply:
            if isinstance(part, GlassboxError):
                raise part
            yield part
