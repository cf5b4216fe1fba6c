"""The filter between a worker and the kernel: what is not allowed is refused.

Classic BPF as in linux/filter.h and linux/seccomp.h, assembled here. Each instruction is (code, jump if true, jump if
false, value); jumps are counted from the next instruction. A wrong processor mode or an x32 number kills the process;
all else that is not allowed answers "operation not permitted".
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Iterable
from functools import cache

from agent.sandbox.locks.kernel import PR_SET_NO_NEW_PRIVS, machine, prctl, system_call
from agent.sandbox.locks.syscalls import PLAIN, REMOVING, RULED, SECCOMP, numbers

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
# Namespaces, being traced, sharing a parent, vfork: nothing a thread needs.
CLONE_REFUSED = 0x7E020000 | 0x00002000 | 0x00008000 | 0x00004000


def answer(result: int) -> Instruction:
    return (RETURN, 0, 0, result)


def refusal(error: int = errno.EPERM) -> Instruction:
    return answer(REFUSE | error)


def low(argument: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument)


def high(argument: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument + 4)


def one_of(argument: int, values: Iterable[int]) -> list[Instruction]:
    """Allow where the low half of the argument (an ``int`` in the kernel) is one of the values."""
    tests = [step for value in values for step in ((EQUAL, 0, 1, value), answer(ALLOW))]
    return [low(argument), *tests, refusal()]


def opening(flags: int) -> list[Instruction]:
    """Not: emptying a file that is opened for reading, which Landlock did not ask about before its third version."""
    return [
        low(flags),
        (AND, 0, 0, os.O_TRUNC | os.O_ACCMODE),
        (EQUAL, 0, 1, os.O_TRUNC | os.O_RDONLY),
        refusal(errno.EACCES),
        answer(ALLOW),
    ]


def rules(pid: int) -> dict[str, list[Instruction]]:
    reading_limits = [low(2), (EQUAL, 1, 0, 0), refusal(), high(2), (EQUAL, 1, 0, 0), refusal()]
    thread = [low(0), (ANY_BIT, 0, 1, CLONE_REFUSED), refusal(), (ANY_BIT, 1, 0, CLONE_THREAD), refusal()]
    return {
        "open": opening(1),
        "openat": opening(2),
        "kill": one_of(0, [pid]),
        "tgkill": one_of(0, [pid]),
        "prlimit64": [*reading_limits, *one_of(0, [0, pid])],
        "prctl": one_of(0, PRCTLS),
        "ioctl": one_of(1, IOCTLS),
        "fcntl": one_of(1, FCNTLS),
        "clone": [*thread, answer(ALLOW)],
        "clone3": [refusal(errno.ENOSYS)],  # the C library falls back to clone
        "openat2": [refusal(errno.ENOSYS)],
    }


def packed(steps: Iterable[Instruction]) -> bytes:
    return b"".join(struct.pack("HBBI", *step) for step in steps)


@cache
def beginning(column: int, architecture: int, removes: bool) -> bytes:
    """The part that is the same for every process."""
    steps: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), answer(KILL)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), answer(KILL)]
    for number in numbers(PLAIN + (REMOVING if removes else ""), column).values():
        steps += [(EQUAL, 0, 1, number), answer(ALLOW)]
    return packed(steps)


def program(column: int, architecture: int, pid: int, removes: bool = False) -> bytes:
    """The filter for the process ``pid``; ``column`` and ``architecture`` as in ``kernel.MACHINES``."""
    bodies = rules(pid)
    steps: list[Instruction] = []
    for name, number in numbers(RULED, column).items():
        steps += [(EQUAL, 0, len(bodies[name]), number), *bodies[name]]
    return beginning(column, architecture, removes) + packed([*steps, refusal()])


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
