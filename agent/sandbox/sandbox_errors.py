"""What a call into the sandbox can end in, besides an answer.

SandboxError
├── SandboxOff      code is not run here: a protection it needs is missing (the sentence says which)
│   └── SandboxBusy not now: every place is taken, or it is starting (again)
├── WorkerKilled    the worker broke a limit, was stopped, or died; the next call gets a new one
└── WorkerFailed    the work raised an error that is a mistake of ours, not of the code or the file
"""

from __future__ import annotations

from typing import Literal

from agent.errors import GlassboxError

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
