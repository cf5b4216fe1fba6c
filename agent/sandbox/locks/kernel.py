"""System calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
# Column of the machine in tables of system calls, and its name in a seccomp filter.
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

# Numbers of system calls by the column of the machine; those of Landlock (create a ruleset, add a rule, restrict) are
# the same on every machine.
SECCOMP = (317, 277)
CAPSET = (126, 91)
LANDLOCK = (444, 445, 446)

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


def machine() -> tuple[int, int] | None:
    """``None`` where the filter of ``seccomp.py`` cannot be built: not Linux, another processor, or 32 bits."""
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return None
    return MACHINES.get(platform.machine())


def system_call(number: int, *arguments: object) -> int:
    """The result of the call. Raises ``OSError``. Integers go as 64 bits, the rest as ctypes takes it."""
    passed = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return checked(LIBC.syscall(ctypes.c_long(number), *passed))


def prctl(option: int, *arguments: int) -> None:
    """Raises ``OSError``."""
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    checked(LIBC.prctl(ctypes.c_int(option), *padded))


def checked(result: int) -> int:
    """The result of a call of ``LIBC``. Raises ``OSError`` where that says that it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
