"""What a fork of the zygote does: lock itself, prove it, then one job after the other."""

from __future__ import annotations

import gc
import importlib
import os
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from agent.sandbox import frames
from agent.sandbox.inside.notebook import Notebook
from agent.sandbox.locks.lockdown import Cell, lock


class Caught:
    """Takes whatever is raised in its block, an exit or an interrupt included: it ends the job, not the worker."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> Caught:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        self.error = error
        return True


def work(cell: Cell, zygote: int, channel: int, of_all: int) -> None:
    """Returns when the app closes the channel; never, where the worker is not safe."""
    unsafe = [""]
    with Caught() as locking:
        unsafe = lock(cell, zygote, channel, of_all)
    if locking.error or unsafe:
        reason = str(locking.error) if locking.error else f"nothing prevents {', '.join(unsafe)}"
        frames.send(channel, {"refused": reason})
        os._exit(1)
    gc.enable()
    frames.send(channel, {"ready": True, "user": os.getuid()})
    folder, notebook = Path(cell.folder), Notebook(Path(cell.folder))
    while True:
        try:
            job = frames.receive(channel)
        except EOFError:
            os._exit(0)
        with Caught() as caught:
            frames.send(channel, {"answer": answer(job, cell.role.handler, folder, notebook)})
        if caught.error:
            frames.send(channel, failure(caught.error))


def answer(job: dict[str, Any], handler: str, folder: Path, notebook: Notebook) -> Any:
    if job.get("kind") == "python":
        return notebook.run(str(job["code"]), dict(job.get("tables") or {}))
    return importlib.import_module(handler).handle(job, folder)


def failure(error: BaseException) -> dict[str, Any]:
    if isinstance(error, MemoryError):
        return {"failed": "memory"}
    trace = "".join(traceback.format_exception(error))
    return {"failed": "error", "message": f"{type(error).__name__}: {error}"[:1000], "trace": trace[-10_000:]}
