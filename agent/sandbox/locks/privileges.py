"""What a worker gives up before it reads anything: its user, its capabilities, and all it could have without limit."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
import sysconfig
import threading
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from agent.sandbox.locks.kernel import (
    CAPSET,
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    machine,
    prctl,
    system_call,
)
from agent.sandbox.locks.roles import MB, Role

CAPABILITIES_VERSION = 0x20080522
PAGE = os.sysconf("SC_PAGE_SIZE")
# Beyond ``Role.memory``, which is watched: what the kernel itself refuses, for what grows faster than one looks.
DATA_SHARE = 1.5
SHARED_BYTES = 256 * MB
# Of the memory of a small machine or container.
MOST_OF_ALL = 0.4
OWN_THREADS = 32
MOST_FILES = 1 << 20
# Users nobody is: systemd's range for such, inside of what containers map. A folder always gets the same one.
SPARE_USERS = range(61184, 65280)
MOST_PROCESSORS = 4


def die_with(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Get the signal ``by`` when the parent ends. A change of user clears it: ask again after that."""
    prctl(PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:
        os.kill(os.getpid(), by)


@cache
def is_root_alone() -> bool:
    """Whether the app is root of a namespace that has no other users: there is nobody to become."""
    if os.geteuid():
        return False
    for kind in ("uid", "gid"):
        rows = [line.split() for line in Path(f"/proc/self/{kind}_map").read_text(encoding="ascii").splitlines()]
        ranges = [range(int(first), int(first) + int(count)) for first, _, count in rows]
        if not any(SPARE_USERS[0] in known and SPARE_USERS[-1] in known for known in ranges):
            return True
    return False


def spare_user(folder: Path) -> int:
    place = folder.stat()
    return SPARE_USERS[(place.st_dev * 31 + place.st_ino) % len(SPARE_USERS)]


def reachable(path: Path) -> bool:
    """Whether a user who owns nothing may read it."""
    path = path.resolve()
    own = 0o5 if path.is_dir() else 0o4
    return path.stat().st_mode & own == own and all(up.stat().st_mode & 0o1 for up in path.parents)


def give(folder: Path, user: int) -> None:
    """Make the folder and the files in it the user's. Links in it are left alone."""
    for path in (folder, *(Path(entry) for entry in os.scandir(folder))):
        if path.lstat().st_uid != user:
            os.chown(path, user, user, follow_symlinks=False)


def step_back() -> None:
    """Make room for the app: it comes first for processors, and is the last to be ended for want of memory."""
    os.umask(0o077)
    os.nice(5)
    Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def close_all_but(kept: Iterable[int]) -> None:
    """Close what is open and not kept, but for standard input, output and error."""
    start, ceiling = 3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    end = MOST_FILES if ceiling == resource.RLIM_INFINITY else ceiling + (1 << 16)
    for number in (*sorted(kept), end):
        os.closerange(start, number)
        start = number + 1


def become(user: int) -> None:
    """Raises ``OSError``."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def be_nobody(user: int) -> None:
    """Become ``user`` (where it is not 0) and give up every capability, also those to come. Raises ``OSError``."""
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text(encoding="ascii"))
    if os.geteuid() == 0:
        for capability in range(last + 1):
            prctl(PR_CAPBSET_DROP, capability)
        if user:
            become(user)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    here = machine()
    if here is None:
        raise OSError("no numbers of system calls for this processor")
    header = struct.pack("Ii", CAPABILITIES_VERSION, 0)
    system_call(CAPSET[here[0]], ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))
    prctl(PR_SET_DUMPABLE, 0)


def memory_in_use() -> tuple[int, int]:
    """Bytes of address space and of private data."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    sizes = dict(line.split(":", 1) for line in status.splitlines() if line.startswith("Vm"))
    return int(sizes["VmSize"].split()[0]) * 1024, int(sizes["VmData"].split()[0]) * 1024


def memory_of_all() -> int:
    """Bytes this machine or container has: the smallest of what says so."""
    found = [os.sysconf("SC_PHYS_PAGES") * PAGE]
    for place in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            text = Path(place).read_text(encoding="ascii").strip()
        except OSError:
            continue
        found += [int(text)] if text.isdigit() else []
    return min(found)


def limit(role: Role, of_all: int) -> None:
    """Set every limit the kernel keeps. Raises ``OSError``."""
    more = int(min(role.memory * DATA_SHARE, of_all * MOST_OF_ALL))
    space, data = memory_in_use()
    tasks = OWN_THREADS if os.getuid() else None
    lower_all(tasks, 64, role.file_bytes, data + more, space + more + SHARED_BYTES, role.processor_seconds)


def lower_all(tasks: int | None, files: int, file_bytes: int, data: int, space: int, seconds: int) -> None:
    """Lower every limit the kernel keeps; ``tasks`` more than the user has are allowed, any number where ``None``.

    ``data`` and ``space`` are bytes of private memory and of addresses, ``seconds`` those of a processor. Raises
    ``OSError``.
    """
    sys.dont_write_bytecode = True  # cut off at the limit of a file's size, it would break the module for everybody
    if tasks is not None:
        lower(resource.RLIMIT_NPROC, tasks_so_far() + tasks)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_MEMLOCK, 0)
    lower(resource.RLIMIT_MSGQUEUE, 0)
    lower(resource.RLIMIT_NOFILE, files)
    lower(resource.RLIMIT_FSIZE, file_bytes)
    lower(resource.RLIMIT_DATA, data)
    lower(resource.RLIMIT_AS, space)
    lower(resource.RLIMIT_CPU, seconds, seconds + 1)


def lower(kind: int, soft: int, hard: int | None = None) -> None:
    """Set a limit, but never above what it was."""
    ceiling = resource.getrlimit(kind)[1]
    wanted = (soft, soft if hard is None else hard)
    if ceiling != resource.RLIM_INFINITY:
        wanted = (min(wanted[0], ceiling), min(wanted[1], ceiling))
    resource.setrlimit(kind, wanted)


def tasks_so_far() -> int:
    """The smallest limit on tasks at which this user may start one more thread.

    The kernel counts the tasks of a user over the whole machine, other containers included, and tells nobody.
    """
    _, ceiling = resource.getrlimit(resource.RLIMIT_NPROC)
    top = 64
    while not starts_a_thread(top, ceiling):
        top *= 4
        if top > 1 << 22:
            raise OSError("no thread can be started")
    bottom = 0
    while top - bottom > 1:
        middle = (top + bottom) // 2
        if starts_a_thread(middle, ceiling):
            top = middle
        else:
            bottom = middle
    wait_until_alone()
    return top


def starts_a_thread(most: int, ceiling: int) -> bool:
    if ceiling != resource.RLIM_INFINITY and most > ceiling:
        most = ceiling
    resource.setrlimit(resource.RLIMIT_NPROC, (most, ceiling))
    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    wait_until_alone()
    return True


def wait_until_alone() -> None:
    """Return when this process has one thread; an ended one is counted a moment longer. Raises ``OSError``."""
    for _ in range(2000):
        if len(os.listdir("/proc/self/task")) == 1:
            return
        time.sleep(0.0001)
    raise OSError("more than one thread")


def share_processors(turn: int) -> None:
    """On a large machine a worker has a few processors, not all: libraries start a thread for each."""
    every = sorted(os.sched_getaffinity(0))
    if len(every) > MOST_PROCESSORS:
        start = turn * MOST_PROCESSORS
        os.sched_setaffinity(0, {every[(start + step) % len(every)] for step in range(MOST_PROCESSORS)})


def needed_paths() -> list[Path]:
    """What a worker imports from; somebody who cannot read it cannot work."""
    return [Path(path) for path in (*sysconfig.get_paths().values(), __file__) if Path(path).is_dir()]
