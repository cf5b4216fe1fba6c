"""What a call into the sandbox can end in, besides an answer.

SandboxError
├── SandboxOff      code is not run here: a protection it needs is missing (the sentence says which)
│   └── SandboxBusy not now: every place is taken, or it is starting (again)
├── WorkerKilled    the worker broke a limit, was stopped, or died; the next call gets a new one
└── WorkerFailed    the work raised an error that is a mistake of ours, not of the code or the file
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from agent.errors import BadRequest, GlassboxError, ToolFailed
from agent.interface_text import Text, joined, unpacked

log = logging.getLogger(__name__)

Reason = Literal["time", "memory", "disk", "threads", "stopped", "died"]

SENTENCES: dict[Reason, str] = {
    "time": "It took too long and was stopped.",
    "memory": "It needed more memory than it may have and was stopped.",
    "disk": "It wrote more files than it may and was stopped.",
    "threads": "It started too many threads and was stopped.",
    "stopped": "It was stopped.",
    "died": "The process it ran in ended on its own.",
}
ENDED = "The sandbox ended; it starts again with the next try."


class SandboxError(GlassboxError):
    """``str(error)`` is a sentence for a person."""


class SandboxOff(SandboxError):
    """Nothing was run."""


class SandboxBusy(SandboxOff):
    """Nothing was run now; later it may be."""


class WorkerKilled(SandboxError):
    """Whatever state the worker had is gone; the files of its folder are as it left them."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{SENTENCES[reason]} {detail}".strip())
        self.reason: Reason = reason
        self.detail = detail


class WorkerFailed(SandboxError):
    """``trace`` is for the log."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


@dataclass(frozen=True, slots=True)
class Failures:
    """What to say of an error: ``what`` names what is worked on, ``off`` says that there is no sandbox."""

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
