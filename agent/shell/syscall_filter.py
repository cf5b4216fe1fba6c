"""The filter between a confined shell and the kernel: all that programs need is allowed, what could leave is not.

Namespaces, mounts and users are bubblewrap's affair; this refuses the calls that would make new ones, that reach the
kernel's rarely used parts, and that take memory which counts as no process's.
"""

from __future__ import annotations

import errno

from agent.sandbox.locks.seccomp import (
    ALLOW,
    ANY_BIT,
    ARCHITECTURE,
    AT_LEAST,
    EQUAL,
    KILL,
    LOAD,
    NUMBER,
    X32,
    Instruction,
    answer,
    low,
    packed,
    refusal,
)
from agent.sandbox.locks.syscalls import numbers

# name x86_64 aarch64, as in ``agent.sandbox.locks.syscalls``.
REFUSED = """
mount 165 40
umount2 166 39
pivot_root 155 41
chroot 161 51
unshare 272 97
setns 308 268
open_tree 428 428
move_mount 429 429
fsopen 430 430
fsconfig 431 431
fsmount 432 432
fspick 433 433
mount_setattr 442 442
ptrace 101 117
process_vm_readv 310 270
process_vm_writev 311 271
process_madvise 440 440
pidfd_getfd 438 438
kcmp 312 272
bpf 321 280
perf_event_open 298 241
userfaultfd 323 282
io_uring_setup 425 425
io_uring_enter 426 426
io_uring_register 427 427
add_key 248 217
request_key 249 218
keyctl 250 219
init_module 175 105
finit_module 313 273
delete_module 176 106
kexec_load 246 104
kexec_file_load 320 294
reboot 169 142
swapon 167 224
swapoff 168 225
acct 163 89
quotactl 179 60
quotactl_fd 443 443
syslog 103 116
settimeofday 164 170
adjtimex 159 171
clock_settime 227 112
clock_adjtime 305 266
sethostname 170 161
setdomainname 171 162
iopl 172 -
ioperm 173 -
modify_ldt 154 -
personality 135 92
name_to_handle_at 303 264
open_by_handle_at 304 265
lookup_dcookie 212 18
fanotify_init 300 262
mbind 237 235
set_mempolicy 238 237
migrate_pages 256 238
move_pages 279 239
memfd_create 319 279
memfd_secret 447 447
shmget 29 194
semget 64 190
msgget 68 186
mq_open 240 180
"""
RULED = """
clone 56 220
clone3 435 435
socket 41 198
ioctl 16 29
fallocate 285 47
"""
CLONE_NAMESPACES = 0x7E020000
FAMILIES = (1, 2, 10)  # Unix, IPv4, IPv6: in a network of its own, where nobody is
# Typing into a terminal, a console's own commands, another line discipline.
TERMINAL_CALLS = (0x5412, 0x541C, 0x5423)


def rules() -> dict[str, list[Instruction]]:
    families = [step for family in FAMILIES for step in ((EQUAL, 0, 1, family), answer(ALLOW))]
    terminals = [step for call in TERMINAL_CALLS for step in ((EQUAL, 0, 1, call), refusal())]
    return {
        "clone": [low(0), (ANY_BIT, 0, 1, CLONE_NAMESPACES), refusal(), answer(ALLOW)],
        "clone3": [refusal(errno.ENOSYS)],  # its flags cannot be looked at; the C library falls back to clone
        "socket": [low(0), *families, refusal(errno.EAFNOSUPPORT)],
        "ioctl": [low(1), *terminals, answer(ALLOW)],
        # It takes a disk's space faster than one looks; programs write instead.
        "fallocate": [refusal(errno.EOPNOTSUPP)],
    }


def program(column: int, architecture: int) -> bytes:
    """The filter; ``column`` and ``architecture`` as in ``agent.sandbox.locks.kernel.MACHINES``."""
    steps: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), answer(KILL)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), answer(KILL)]
    for number in numbers(REFUSED, column).values():
        steps += [(EQUAL, 0, 1, number), refusal()]
    bodies = rules()
    for name, number in numbers(RULED, column).items():
        steps += [(EQUAL, 0, len(bodies[name]), number), *bodies[name]]
    return packed([*steps, answer(ALLOW)])
