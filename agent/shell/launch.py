"""From the app to bubblewrap: a process that gives up what the app is and has, and then becomes ``bwrap``.

Started as ``python -I launch.py <order as JSON>`` with an empty environment: bubblewrap's own start environment can be
read in the shell as that of its first process, whatever it clears for the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agent.sandbox.locks import privileges
from agent.sandbox.locks.kernel import LIBC, checked

MB = 1 << 20
FOLDER = "{folder}"  # in an argument: the folder
NEW_MOUNTS = 0x20000
PRIVATE, RECURSIVE, BIND = 0x40000, 0x4000, 0x1000
# Where root puts the folder for a user who cannot walk to it; seen by this process and its children alone.
MEETING_PLACES = ("/mnt", "/media", "/srv", "/opt", "/home")
SPACE = 4  # times the memory: address space that is reserved is not used


@dataclass(frozen=True, slots=True)
class ShellLimits:
    """What a command may use. Sizes are bytes.

    ``memory`` is that of all processes of a command together; ``scratch`` is that of ``/tmp``, which is memory, too,
    and goes with the command. ``folder_bytes`` and ``folder_entries`` are of the folder that stays. Of what is printed
    the first ``head`` and the last ``tail`` bytes are kept; beyond ``printed`` the command is ended.
    """

    seconds: float = 60.0
    processor_seconds: int = 60
    memory: int = 512 * MB
    scratch: int = 64 * MB
    tasks: int = 64
    files: int = 256
    file_bytes: int = 64 * MB
    folder_bytes: int = 128 * MB
    folder_entries: int = 2_000
    folder_depth: int = 40
    printed: int = 32 * MB
    head: int = 48_000
    tail: int = 16_000
    at_once: int = 4


@dataclass(frozen=True, slots=True)
class Order:
    """``user`` is whom to become, 0 to stay; ``arguments`` are bubblewrap's, ``kept`` the files that they name."""

    parent: int
    user: int
    folder: str
    kept: tuple[int, ...]
    arguments: tuple[str, ...]
    limits: ShellLimits

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def main() -> None:
    order: dict[str, Any] = json.loads(sys.argv[1])
    parent, user, folder, limits = order["parent"], order["user"], order["folder"], ShellLimits(**order["limits"])
    privileges.die_with(parent)
    privileges.step_back()
    if user:
        folder = _brought(folder)
        privileges.become(user)
        privileges.die_with(parent)
    memory = int(min(limits.memory, privileges.memory_of_all() * privileges.MOST_OF_ALL))
    privileges.lower_all(
        limits.tasks, limits.files, limits.file_bytes, memory, memory * SPACE, limits.processor_seconds
    )
    privileges.close_all_but(order["kept"])
    arguments = [folder if argument == FOLDER else argument for argument in order["arguments"]]
    os.execve(arguments[0], arguments, {})


def _brought(folder: str) -> str:
    """The folder at a place that everybody can walk to, for this process and its children alone."""
    place = next(place for place in MEETING_PLACES if Path(place).is_dir() and not Path(place).is_symlink())
    checked(LIBC.unshare(ctypes.c_int(NEW_MOUNTS)))
    _mount(b"none", b"/", PRIVATE | RECURSIVE)
    _mount(os.fsencode(folder), os.fsencode(place), BIND)
    return place


def _mount(source: bytes, target: bytes, flags: int) -> None:
    checked(LIBC.mount(source, target, None, ctypes.c_ulong(flags), None))


if __name__ == "__main__":
    main()
