"""What a worker does, and what it may use for it."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import Any

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Role:
    """The work of a session, and its limits. Sizes are bytes.

    ``handler`` names the module whose ``handle(job, folder)`` answers every job but programs. ``seconds`` are of a
    call, ``processor_seconds`` of all calls of a worker together. ``memory`` is what the worker may have beyond what it
    has when it starts (that part is shared by all workers). Where the folder is not ``writable``, the worker reads it
    and writes into a private scratch folder, its working directory, which goes with the worker. ``removes`` lets it
    delete and rename files where it may write.
    """

    handler: str = ""
    memory: int = 512 * MB
    seconds: float = 20.0
    processor_seconds: int = 600
    file_bytes: int = 16 * MB
    folder_bytes: int = 64 * MB
    folder_entries: int = 200
    threads: int = 64
    writable: bool = False
    removes: bool = False

    def limit(self, reason: str, seconds: float | None = None) -> str:
        """The figure behind a reason of ``WorkerKilled`` as a sentence, or nothing; ``seconds`` where not its own."""
        figures = {
            "time": f"{self.seconds if seconds is None else seconds:g} seconds",
            "memory": f"{self.memory // MB} MB",
            "disk": f"{self.folder_bytes // MB} MB in {self.folder_entries} files",
            "threads": f"{self.threads} threads",
        }
        return f"The limit is {figures[reason]}." if reason in figures else ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


PYTHON = Role()
TABLES = Role(
    handler="agent.data.tables.table_jobs",
    processor_seconds=3600,
    file_bytes=2048 * MB,
    folder_bytes=4096 * MB,
    folder_entries=2000,
    writable=True,
    removes=True,
)
# A worker of its own, so that questions need not wait for a file.
LOADING = replace(TABLES, processor_seconds=1800)


def environment(base: str) -> dict[str, str]:
    """All that the zygote gets of one: no key, no path of the app's."""
    return {
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "HOME": base,
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "2",
        "MKL_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": f"{base}/matplotlib",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": "/nonexistent",
        **({"TZ": os.environ["TZ"]} if "TZ" in os.environ else {}),
    }
