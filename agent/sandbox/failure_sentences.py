"""What went wrong in the sandbox, for whoever asked."""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agent.errors import BadRequest, ToolFailed
from agent.interface_text import Text, joined, unpacked
from agent.sandbox.sandbox_errors import SandboxError, SandboxOff, WorkerFailed, WorkerKilled

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failures:
    """In the words of what is worked on: ``what`` names it, ``off`` says that there is no sandbox."""

    what: str
    off: str

    @contextmanager
    def for_a_tool(self) -> Generator[None]:
        """Errors of the sandbox become ``ToolFailed``."""
        try:
            yield
        except WorkerKilled as error:
            kind = {"stopped": "stopped", "time": "timeout"}.get(error.reason, "input")
            raise ToolFailed(self.sentence(error), kind) from error
        except SandboxError as error:
            raise ToolFailed(self.sentence(error), "tool" if isinstance(error, WorkerFailed) else "refused") from error

    @contextmanager
    def for_a_person(self) -> Generator[None]:
        """Errors of the sandbox become ``BadRequest``."""
        try:
            yield
        except SandboxError as error:
            raise BadRequest(self.sentence(error)) from error

    def sentence(self, error: SandboxError) -> str:
        """The error for a person; what is a mistake of ours goes to the log."""
        if isinstance(error, SandboxOff):
            return joined(" ", [self.off, error.text])
        if isinstance(error, WorkerFailed):
            log.error("a job on %s failed: %s\n%s", self.what, error, error.trace)
            return Text("Something went wrong with the {what} in Glassbox itself; its log has more.", what=self.what)
        return error.text


def done(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a job that was done; raises ``BadRequest`` with its sentence otherwise."""
    if not answer.get("ok"):
        raise BadRequest(unpacked(answer.get("message") or Text("That could not be done.")))
    return answer
