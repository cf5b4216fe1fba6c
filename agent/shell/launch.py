"""From the app to bubblewrap: a process that gives up what the app is and has, and then becomes ``bwrap``.

Started as ``python -I launch.py <order as JSON>`` with an empty environment: bubblewrap's own start environment can be
read in the shell as that of its first process, whatever it clears for the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agent.sandbox.locks.kernel import LIBC, machine
from agent.sandbox.locks.privileges import MOST_OF_ALL, die_with, lower, memory_of_all, tasks_so_far
from agent.shell.shell_limits import ShellLimits
from agent.shell.syscall_filter import program

# In an argument: the folder, and the file with the filter.
FOLDER, FILTER = "{folder}", "{filter}"
NEW_MOUNTS = 0x20000
PRIVATE, RECURSIVE, BIND = 0x40000, 0x4000, 0x1000
# Where root puts the folder for a user who cannot walk to it; seen by this process and its children alone.
MEETING_PLACES = ("/mnt", "/media", "/srv", "/opt", "/home")
SPACE = 4  # times the memory: address space that is reserved is not used


@dataclass(frozen=True, slots=True)
class Order:
    """``user`` is whom to become, 0 to stay; ``status`` the file that bubblewrap reports in; ``arguments`` are its."""

    parent: int
    user: int
    folder: str
    status: int
    arguments: tuple[str, ...]
    limits: ShellLimits

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Order:
        value: dict[str, Any] = json.loads(text)
        value["arguments"], value["limits"] = tuple(value["arguments"]), ShellLimits(**value["limits"])
        return Order(**value)


def main() -> None:
    order = Order.from_json(sys.argv[1])
    here = machine()
    if here is None:
        raise OSError("no filter for this processor")
    die_with(order.parent)
    os.umask(0o077)
    os.nice(5)
    Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    filters = os.memfd_create("filter", 0)
    os.write(filters, program(*here))
    os.lseek(filters, 0, os.SEEK_SET)
    folder = order.folder
    if order.user:
        folder = _brought(folder)
        os.setgroups([])
        os.setresgid(order.user, order.user, order.user)
        os.setresuid(order.user, order.user, order.user)
        die_with(order.parent)
    _limit(order.limits)
    _close_all_but(order.status, filters)
    told = {FOLDER: folder, FILTER: str(filters)}
    arguments = [told.get(argument, argument) for argument in order.arguments]
    os.execve(arguments[0], arguments, {})


def _brought(folder: str) -> str:
    """The folder at a place that everybody can walk to, for this process and its children alone."""
    place = next(place for place in MEETING_PLACES if Path(place).is_dir() and not Path(place).is_symlink())
    _checked(LIBC.unshare(ctypes.c_int(NEW_MOUNTS)))
    _mount(b"none", b"/", PRIVATE | RECURSIVE)
    _mount(os.fsencode(folder), os.fsencode(place), BIND)
    return place


def _mount(source: bytes, target: bytes, flags: int) -> None:
    _checked(LIBC.mount(source, target, None, ctypes.c_ulong(flags), None))


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _limit(limits: ShellLimits) -> None:
    sys.dont_write_bytecode = True  # cut off at the limit of a file's size, it would break the module for everybody
    memory = int(min(limits.memory, memory_of_all() * MOST_OF_ALL))
    lower(resource.RLIMIT_NPROC, tasks_so_far() + limits.tasks)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_MEMLOCK, 0)
    lower(resource.RLIMIT_MSGQUEUE, 0)
    lower(resource.RLIMIT_NOFILE, limits.files)
    lower(resource.RLIMIT_FSIZE, limits.file_bytes)
    lower(resource.RLIMIT_DATA, memory)
    lower(resource.RLIMIT_AS, memory * SPACE)
    lower(resource.RLIMIT_CPU, limits.processor_seconds, limits.processor_seconds + 1)


def _close_all_but(*kept: int) -> None:
    start = 3
    for number in (*sorted(kept), resource.getrlimit(resource.RLIMIT_NOFILE)[1] + (1 << 16)):
        os.closerange(start, number)
        start = number + 1


if __name__ == "__main__":
    main()
