"""What a command uses, read from outside while it works."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_KINDS = (b"RssAnon:", b"RssShmem:")


def memory_of_tree(root: int) -> int:
    """Bytes of memory of a process and all that descend from it, without what is read from files."""
    return sum(map(_memory, tree(root)))


def tree(root: int) -> Iterator[int]:
    """A process and all that descend from it. Whoever loses a parent is given the first of its namespace."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_bytes()
                children.setdefault(int(stat.rpartition(b")")[2].split()[1]), []).append(int(name))
    waiting = [root]
    while waiting:
        yield (pid := waiting.pop())
        waiting += children.get(pid, ())


def _memory(pid: int) -> int:
    """0 where the process has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(_KINDS))
