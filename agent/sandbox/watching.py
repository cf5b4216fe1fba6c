"""What a worker uses, read from outside while it works."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from agent.sandbox.locks.roles import Role
from agent.sandbox.sandbox_errors import Reason

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pid: int) -> int:
    """Bytes of memory in use; 0 where the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def threads(pid: int) -> int:
    """How many threads; 0 where the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[17])
    except (OSError, IndexError):
        return 0


def used(folder: Path, most_entries: int) -> tuple[int, int]:
    """Bytes and entries in a folder and what is beneath; it stops counting past ``most_entries``."""
    size = entries = 0
    rest = [folder]
    while rest:
        try:
            with os.scandir(rest.pop()) as found:
                for entry in found:
                    entries += 1
                    if entries > most_entries:
                        return size, entries
                    if entry.is_dir(follow_symlinks=False):
                        rest.append(Path(entry.path))
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
        except FileNotFoundError:
            continue
    return size, entries


@dataclass(frozen=True, slots=True)
class Watch:
    """``start`` is the memory it had when it was ready."""

    pid: int
    work: Path
    role: Role
    start: int

    def broken(self) -> Reason | None:
        """The limit that the worker is over now."""
        if resident(self.pid) - self.start > self.role.memory:
            return "memory"
        if threads(self.pid) > self.role.threads:
            return "threads"
        size, entries = used(self.work, self.role.folder_entries)
        if size > self.role.folder_bytes or entries > self.role.folder_entries:
            return "disk"
        return None
