"""A model that minds what it is told: its reply is a function of the prompt, as that of a real one is."""

from __future__ import annotations

from collections.abc import Callable, Generator

from agent.errors import GlassboxError
from agent.messages import Usage, estimate_tokens
from agent.models.protocol import Delta, Request

Reply = str | list[Delta] | GlassboxError


class Minding:
    """Answers each request with what ``reply`` makes of it; counts what it was asked."""

    endpoint = "minding"

    def __init__(self, reply: Callable[[Request], Reply], *, takes_tools: bool = False, name: str = "minding") -> None:
        self.name = name
        self.takes_tools = takes_tools
        self.asked = 0
        self._reply = reply

    def stream(self, request: Request) -> Generator[Delta]:
        self.asked += 1
        return self._play(request)

    def close(self) -> None:
        """Nothing is kept between calls."""

    def _play(self, request: Request) -> Generator[Delta]:
        reply = self._reply(request)
        if isinstance(reply, GlassboxError):
            raise reply
        if isinstance(reply, str):
            usage = Usage(request.tokens, 0, estimate_tokens(reply))
            reply = [Delta(reply), Delta(usage=usage, finish="stop")]
        yield from reply


def told(request: Request) -> str:
    """The whole prompt."""
    return "\n".join(message.content for message in request.messages)


def saw(request: Request) -> list[str]:
    """What tools gave in this turn, oldest first."""
    turn = request.messages[request.since :]
    return [
        message.content
        for message in turn
        if message.role == "tool" or message.content.startswith(("Observation:", "観察:"))
    ]
