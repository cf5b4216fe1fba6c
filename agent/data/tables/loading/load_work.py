"""What every kind of loading works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from agent.data.tables.loading.progress import Reporter
from agent.data.tables.loading.upload_limits import Limits


@dataclass(frozen=True, slots=True)
class Work:
    """One upload being loaded into ``folder``.

    ``name`` is that of the file as the visitor had it. ``taken`` are the names of tables there are, to which those
    that are made are added. ``encoding``, ``delimiter`` and ``header`` are given where somebody chose them.
    """

    folder: Path
    name: str
    reporter: Reporter
    taken: set[str]
    limits: Limits = field(default_factory=Limits)
    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    notes: list[str] = field(default_factory=list[str])
