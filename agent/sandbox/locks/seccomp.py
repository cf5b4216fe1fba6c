"""The filters between the kernel and whom nobody vouches for: workers, and the programs of a confined shell.

Classic BPF as in linux/filter.h and linux/seccomp.h, assembled here from the tables of ``seccomp.toml``. Each
instruction is (code, jump if true, jump if false, value); jumps are counted from the next instruction. A wrong
processor mode or an x32 number kills the process. A worker may make the calls that are listed; all else answers
"operation not permitted". A shell may make all calls but those that are listed: namespaces, mounts and users are
bubblewrap's affair, its filter refuses the calls that would make new ones, that reach the kernel's rarely used parts,
and that take memory which counts as no process's.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from agent.sandbox.locks.kernel import PR_SET_NO_NEW_PRIVS, SECCOMP, machine, prctl, system_call

Instruction = tuple[int, int, int, int]

LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
KILL = 0x80000000
ALLOW = 0x7FFF0000
REFUSE = 0x00050000  # and the error number in the low bits
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
X32 = 0x40000000
SET_MODE_FILTER, ALL_THREADS = 1, 1

PRCTLS = (15, 16, 0x53564D41)  # set and get a thread's name, name a memory area
IOCTLS = (0x5401, 0x5421, 0x541B, 0x5451, 0x5413)  # TCGETS, FIONBIO, FIONREAD, FIOCLEX, TIOCGWINSZ
# Duplicate, flags, locks, size of a pipe. Not: owners, signals, leases, notices.
FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, fcntl.F_DUPFD_CLOEXEC, 1032)
CLONE_THREAD = 0x00010000
CLONE_NAMESPACES = 0x7E020000
# Namespaces, being traced, sharing a parent, vfork: nothing a thread needs.
CLONE_REFUSED = CLONE_NAMESPACES | 0x00002000 | 0x00008000 | 0x00004000
FAMILIES = (1, 2, 10)  # Unix, IPv4, IPv6: in a network of its own, where nobody is
# Typing into a terminal, a console's own commands, another line discipline.
TERMINAL_CALLS = (0x5412, 0x541C, 0x5423)
TABLES: Mapping[str, Mapping[str, list[int]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def numbers(table: str, column: int) -> dict[str, int]:
    """Name to number of the calls of a table, for the machine of that column."""
    return {name: columns[column] for name, columns in TABLES[table].items() if columns[column] >= 0}


def answer(result: int) -> Instruction:
    return (RETURN, 0, 0, result)


def refusal(error: int = errno.EPERM) -> Instruction:
    return answer(REFUSE | error)


def low(argument: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument)


def high(argument: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument + 4)


def one_of(argument: int, values: Iterable[int], then: Instruction, otherwise: Instruction) -> list[Instruction]:
    """By whether the low half of the argument (an ``int`` in the kernel) is one of the values."""
    tests = [step for value in values for step in ((EQUAL, 0, 1, value), then)]
    return [low(argument), *tests, otherwise]


def opening(flags: int) -> list[Instruction]:
    """Not: emptying a file that is opened for reading, which Landlock did not ask about before its third version."""
    return [
        low(flags),
        (AND, 0, 0, os.O_TRUNC | os.O_ACCMODE),
        (EQUAL, 0, 1, os.O_TRUNC | os.O_RDONLY),
        refusal(errno.EACCES),
        answer(ALLOW),
    ]


def worker_rules(pid: int) -> dict[str, list[Instruction]]:
    allow, refuse, unknown = answer(ALLOW), refusal(), refusal(errno.ENOSYS)
    reading_limits = [low(2), (EQUAL, 1, 0, 0), refuse, high(2), (EQUAL, 1, 0, 0), refuse]
    thread = [low(0), (ANY_BIT, 0, 1, CLONE_REFUSED), refuse, (ANY_BIT, 1, 0, CLONE_THREAD), refuse]
    return {
        "open": opening(1),
        "openat": opening(2),
        "kill": one_of(0, [pid], allow, refuse),
        "tgkill": one_of(0, [pid], allow, refuse),
        "prlimit64": [*reading_limits, *one_of(0, [0, pid], allow, refuse)],
        "prctl": one_of(0, PRCTLS, allow, refuse),
        "ioctl": one_of(1, IOCTLS, allow, refuse),
        "fcntl": one_of(1, FCNTLS, allow, refuse),
        "clone": [*thread, allow],
        "clone3": [unknown],  # the C library falls back to clone
        "openat2": [unknown],
    }


def shell_rules() -> dict[str, list[Instruction]]:
    allow = answer(ALLOW)
    return {
        "clone": [low(0), (ANY_BIT, 0, 1, CLONE_NAMESPACES), refusal(), allow],
        "clone3": [refusal(errno.ENOSYS)],  # its flags cannot be looked at; the C library falls back to clone
        "socket": one_of(0, FAMILIES, allow, refusal(errno.EAFNOSUPPORT)),
        "ioctl": one_of(1, TERMINAL_CALLS, refusal(), allow),
        # It takes a disk's space faster than one looks; programs write instead.
        "fallocate": [refusal(errno.EOPNOTSUPP)],
    }


def packed(steps: Iterable[Instruction]) -> bytes:
    return b"".join(struct.pack("HBBI", *step) for step in steps)


@cache
def beginning(tables: tuple[str, ...], column: int, architecture: int, result: int) -> bytes:
    """The look at the processor, and the ``result`` for each call of the tables: the same for every process."""
    steps: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), answer(KILL)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), answer(KILL)]
    for number in (number for table in tables for number in numbers(table, column).values()):
        steps += [(EQUAL, 0, 1, number), answer(result)]
    return packed(steps)


def ending(table: str, column: int, rules: Mapping[str, list[Instruction]], otherwise: Instruction) -> bytes:
    """The rules for the calls of the table, and the answer to all others."""
    steps: list[Instruction] = []
    for name, number in numbers(table, column).items():
        steps += [(EQUAL, 0, len(rules[name]), number), *rules[name]]
    return packed([*steps, otherwise])


def program(column: int, architecture: int, pid: int, removes: bool = False) -> bytes:
    """The filter of the worker with that ``pid``; ``column`` and ``architecture`` as in ``kernel.MACHINES``."""
    tables = ("plain", "removing") if removes else ("plain",)
    return beginning(tables, column, architecture, ALLOW) + ending("ruled", column, worker_rules(pid), refusal())


def shell_program(column: int, architecture: int) -> bytes:
    """The filter of a confined shell; ``column`` and ``architecture`` as for ``program``."""
    refused = beginning(("shell_refused",), column, architecture, REFUSE | errno.EPERM)
    return refused + ending("shell_ruled", column, shell_rules(), answer(ALLOW))


def supported() -> bool:
    """Whether the kernel knows filters: it looks at the (missing) one. This only chooses; the self-test decides."""
    here = machine()
    if here is None:
        return False
    try:
        system_call(SECCOMP[here[0]], SET_MODE_FILTER, ALL_THREADS, None)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def install(removes: bool = False) -> None:
    """Put the filter before every thread of this process, for good. Raises ``OSError``."""
    here = machine()
    if here is None:
        raise OSError(errno.ENOSYS, "no system call filter for this processor")
    steps = program(*here, os.getpid(), removes)
    filters = ctypes.create_string_buffer(steps, len(steps))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.c_void_p))

    prctl(PR_SET_NO_NEW_PRIVS, 1)
    whole = Program(len(steps) // 8, ctypes.addressof(filters))
    system_call(SECCOMP[here[0]], SET_MODE_FILTER, ALL_THREADS, ctypes.byref(whole))
