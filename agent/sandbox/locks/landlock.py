"""Which files a worker may open: the kernel's Landlock, as in linux/landlock.h."""

from __future__ import annotations

import ctypes
import os
import struct
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from agent.sandbox.locks.kernel import LANDLOCK, PR_SET_NO_NEW_PRIVS, prctl, system_call

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_FILE, MAKE_REG, TRUNCATE = 1 << 5, 1 << 8, 1 << 14
FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
READING = READ_FILE | READ_DIR
# No folders, links, sockets or devices.
WRITING = READING | WRITE_FILE | MAKE_REG | TRUNCATE
# How many rights over files each version of the interface knows; later versions know as many as the fifth.
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
BOTH_NETWORK, BOTH_SCOPES = 0b11, 0b11
VERSION, PATH_BENEATH = 1, 1

SYSTEM = (
    "/usr/lib",
    "/lib",
    "/lib64",
    "/usr/lib64",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/urandom",
)
# DuckDB looks here for the number of processors and the memory, and ends the process where it may not.
MEASURES = (
    "/proc/self/cgroup",
    "/proc/stat",
    "/proc/meminfo",
    "/sys/devices/system/cpu/online",
)
# Of this package: what jobs are made of. The rest holds nothing that a worker needs.
OWN = (
    *("__init__.py", "errors.py", "interface_text.py", "text", "sandbox"),
    *("data/__init__.py", "data/refusal.py", "data/tables", "data/documents", "web/__init__.py", "web/reading"),
)
CGROUP_LIMITS = ("cpu.max", "memory.max", "memory.high")
CGROUP_LIMITS_OLD = ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us", "memory/memory.limit_in_bytes")


def abi() -> int:
    """Version of the interface, 0 where there is none. This only chooses; the self-test decides."""
    try:
        return system_call(LANDLOCK[0], None, 0, VERSION)
    except OSError:
        return 0


def own_cgroup() -> list[Path]:
    """The files with the limits of this process's control group, those that exist."""
    found: list[Path] = []
    root = Path("/sys/fs/cgroup")
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        controllers, _, inside = line.partition(":")[2].partition(":")
        inside = inside.lstrip("/")
        if not controllers:
            found += [root / part / name for part in (inside, "") for name in CGROUP_LIMITS]
        for limit in CGROUP_LIMITS_OLD:
            controller, _, name = limit.partition("/")
            if controller in controllers.split(","):
                found += [root / folder / part / name for folder in (controllers, controller) for part in (inside, "")]
    return [path for path in dict.fromkeys(found) if path.is_file()]


def libraries() -> list[str]:
    """Where Python's own and the installed modules lie. Never ``sys.prefix``: secrets may lie beside a ``.venv``."""
    paths = sysconfig.get_paths()
    return [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]


@cache
def readable_everywhere() -> list[str]:
    """What every worker may read, of what there is."""
    package = Path(__file__).resolve().parents[2]
    own = (str(package / part) for part in OWN)
    return [path for path in (*libraries(), *SYSTEM, *map(str, own_cgroup()), *own) if os.path.exists(path)]


def restrict(readable: Iterable[str], writable: str, removes: bool = False) -> None:
    """From here on this thread and all it starts may open nothing else. Raises ``OSError``.

    What does not exist among the ``readable`` is left out; ``writable`` must exist.
    """
    version = abi()
    if not version:
        raise OSError("Landlock is missing")
    handled = (1 << RIGHTS[min(version, 5)]) - 1
    network = BOTH_NETWORK if version >= 4 else 0
    scopes = BOTH_SCOPES if version >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = system_call(LANDLOCK[0], ctypes.c_char_p(attributes), size, 0)
    try:
        for path in dict.fromkeys((*readable, *MEASURES)):
            if os.path.exists(path):
                allow(ruleset, path, READING & handled)
        allow(ruleset, writable, (WRITING | (REMOVE_FILE if removes else 0)) & handled)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        system_call(LANDLOCK[2], ruleset, 0)
    finally:
        os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    """A rule for a file, or for a folder and all beneath. Raises ``OSError``."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= FOR_FILES
        rule = struct.pack("=Qi", rights, place)
        system_call(LANDLOCK[1], ruleset, PATH_BENEATH, ctypes.c_char_p(rule), 0)
    finally:
        os.close(place)
