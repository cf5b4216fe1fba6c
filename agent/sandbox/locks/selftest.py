"""What decides whether a worker may work: it tries what must not be possible, with all its protections in place."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import socket
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from agent.sandbox.locks.kernel import LIBC
from agent.sandbox.locks.roles import environment

REFUSED = (errno.EPERM, errno.EACCES)
NEW_USER_NAMESPACE = 0x10000000
TRACE_ME = 0
MOST_FILES = 64
# All that a worker's environment may hold.
ENVIRONMENT = frozenset({*environment("/"), "LC_CTYPE", "TZ"})


def opens(path: str, flags: int = os.O_RDONLY) -> bool:
    """``True`` also where it fails for another reason than a refusal: then nothing is known."""
    try:
        os.close(os.open(path, flags, 0o600))
    except OSError as error:
        return error.errno not in REFUSED
    return True


def works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def connects(family: int, kind: int = socket.SOCK_STREAM) -> bool:
    return works(lambda: socket.socket(family, kind).close())


def forks() -> bool:
    try:
        child = os.fork()
    except OSError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def answers_zero(name: str, *arguments: int) -> bool:
    return getattr(LIBC, name)(*(ctypes.c_long(value) for value in arguments)) == 0


def runs_a_program() -> bool:
    """Where this succeeds there is no worker any more, and the app is told nothing: that refuses, too."""
    return works(lambda: os.execve(sys.executable, [sys.executable, "-c", ""], {}))


def loose_limits() -> bool:
    """Whether a limit is missing that every worker has."""
    kept = (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)
    return (
        any(resource.getrlimit(kind)[1] == resource.RLIM_INFINITY for kind in kept)
        or resource.getrlimit(resource.RLIMIT_CORE)[1] != 0
        or resource.getrlimit(resource.RLIMIT_NOFILE)[1] > MOST_FILES
    )


def privileged(status: int) -> bool:
    """What the kernel itself says of this process: ``status`` is its entry in /proc, opened before."""
    lines = os.pread(status, 1 << 14, 0).decode("ascii", "replace").splitlines()
    said = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    without = ("CapInh", "CapPrm", "CapEff", "CapAmb")
    return (
        any(int(said[name], 16) for name in without)
        or (os.getuid() == 0 and int(said["CapBnd"], 16) != 0)
        or (said["NoNewPrivs"], said["Seccomp"], said["Threads"]) != ("1", "2", "1")
    )


def left_open(kept: Collection[int]) -> bool:
    """Whether a file of the zygote's is still open, besides those ``kept``."""
    return any(number not in kept and works(lambda number=number: os.fstat(number)) for number in range(3, MOST_FILES))


def breaches(probe: Path, status: int, kept: Collection[int]) -> list[str]:
    """Names of what should have been refused and was not.

    ``probe`` is a file that everybody could read, in a folder where anything could be put, but for the protections;
    ``status`` is as for ``privileged``, ``kept`` as for ``left_open``.
    """
    parent = os.getppid()
    attempts: dict[str, Callable[[], bool]] = {
        "reading a file": lambda: opens(str(probe)),
        "emptying a file": lambda: opens(str(probe), os.O_WRONLY | os.O_TRUNC),
        "creating a file": lambda: opens(str(probe.with_name(f"{os.getpid()}")), os.O_WRONLY | os.O_CREAT),
        "reading /etc/passwd": lambda: opens("/etc/passwd"),
        "the environment of the first process": lambda: opens("/proc/1/environ"),
        "the environment of its parent": lambda: opens(f"/proc/{parent}/environ"),
        "its own environment": lambda: opens("/proc/self/environ"),
        "its own memory": lambda: opens("/proc/self/mem", os.O_RDWR),
        "internet sockets": lambda: connects(socket.AF_INET),
        "internet datagrams": lambda: connects(socket.AF_INET6, socket.SOCK_DGRAM),
        "local sockets": lambda: connects(socket.AF_UNIX),
        "kernel sockets": lambda: connects(socket.AF_NETLINK, socket.SOCK_RAW),
        "new processes": forks,
        "signals": lambda: works(lambda: os.kill(parent, 0)),
        "tracing": lambda: answers_zero("ptrace", TRACE_ME, 0, 0, 0),
        "namespaces": lambda: answers_zero("unshare", NEW_USER_NAMESPACE),
        "changing modes": lambda: works(lambda: os.chmod(".", 0o700)),
        "files left open": lambda: left_open((*kept, status)),
        "work without limits": loose_limits,
        "privileges": lambda: privileged(status),
        "the environment": lambda: not ENVIRONMENT.issuperset(os.environ),
        "running programs": runs_a_program,
    }
    return [name for name, attempt in attempts.items() if attempt()]
