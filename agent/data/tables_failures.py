"""What went wrong in the sandbox, for whoever asked."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

from agent.data.sandbox.errors import SandboxError, SandboxOff, WorkerFailed, WorkerKilled
from agent.errors import ToolFailed

log = logging.getLogger(__name__)


@contextmanager
def for_a_tool() -> Generator[None]:
    """Errors of the sandbox become ``ToolFailed``."""
    try:
        yield
    except WorkerKilled as error:
        kind = {"stopped": "stopped", "time": "timeout"}.get(error.reason, "input")
        raise ToolFailed(sentence(error), kind) from error
    except SandboxError as error:
        raise ToolFailed(sentence(error), "tool" if isinstance(error, WorkerFailed) else "refused") from error


def sentence(error: SandboxError) -> str:
    """The error for a person; what is a mistake of ours goes to the log."""
    if isinstance(error, SandboxOff):
        return f"Tables cannot be used just now. {error}"
    if isinstance(error, WorkerFailed):
        log.error("a job on tables failed: %s\n%s", error, error.trace)
        return "Something went wrong with the tables in Glassbox itself; its log has more."
    return str(error)
