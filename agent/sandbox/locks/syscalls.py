"""The system calls a worker may make, with their numbers on x86_64 and aarch64.

Not listed, and so refused: everything about sockets, new programs and processes, other processes, namespaces, mounts,
owners, modes and times of files, links, shared memory, kernel rings, keys, and the machine's settings.
"""

from __future__ import annotations

from functools import cache

# name x86_64 aarch64; "-" where the machine does not have it. What is called most often stands first.
PLAIN = """
futex 202 98
read 0 63
write 1 64
mmap 9 222
munmap 11 215
madvise 28 233
brk 12 214
mprotect 10 226
clock_gettime 228 113
sched_yield 24 124
newfstatat 262 79
fstat 5 80
stat 4 -
lstat 6 -
statx 332 291
lseek 8 62
close 3 57
pread64 17 67
pwrite64 18 68
readv 19 65
writev 20 66
preadv 295 69
pwritev 296 70
preadv2 327 286
pwritev2 328 287
getdents 78 -
getdents64 217 61
access 21 -
faccessat 269 48
faccessat2 439 439
readlink 89 -
readlinkat 267 78
statfs 137 43
fstatfs 138 44
getcwd 79 17
ftruncate 77 46
fallocate 285 47
fsync 74 82
fdatasync 75 83
fadvise64 221 223
sendfile 40 71
copy_file_range 326 285
dup 32 23
dup2 33 -
dup3 292 24
pipe 22 -
pipe2 293 59
poll 7 -
ppoll 271 73
select 23 -
pselect6 270 72
epoll_create1 291 20
epoll_ctl 233 21
epoll_wait 232 -
epoll_pwait 281 22
eventfd2 290 19
close_range 436 436
umask 95 166
mremap 25 216
msync 26 227
membarrier 324 283
futex_waitv 449 449
set_robust_list 273 99
rseq 334 293
rt_sigaction 13 134
rt_sigprocmask 14 135
rt_sigreturn 15 139
rt_sigpending 127 136
rt_sigtimedwait 128 137
rt_sigsuspend 130 133
sigaltstack 131 132
pause 34 -
alarm 37 -
getitimer 36 102
setitimer 38 103
restart_syscall 219 128
nanosleep 35 101
clock_nanosleep 230 115
clock_getres 229 114
gettimeofday 96 169
time 201 -
times 100 153
getrusage 98 165
getrlimit 97 163
sysinfo 99 179
uname 63 160
getcpu 309 168
getrandom 318 278
getpid 39 172
gettid 186 178
getppid 110 173
getpgid 121 155
getpgrp 111 -
getsid 124 156
getuid 102 174
geteuid 107 175
getgid 104 176
getegid 108 177
getgroups 115 158
getpriority 140 141
sched_getaffinity 204 123
sched_getscheduler 145 120
sched_getparam 143 121
exit 60 93
exit_group 231 94
"""

# Allowed with some arguments only: see ``seccomp.py``.
RULED = """
open 2 -
openat 257 56
kill 62 129
tgkill 234 131
prlimit64 302 261
prctl 157 167
ioctl 16 29
fcntl 72 25
clone 56 220
clone3 435 435
openat2 437 437
"""

# For a role that may delete and rename in its folder; Landlock says where that is.
REMOVING = """
unlink 87 -
unlinkat 263 35
rename 82 -
renameat 264 38
renameat2 316 276
"""

SECCOMP = (317, 277)
CAPSET = (126, 91)
LANDLOCK = (444, 445, 446)  # create a ruleset, add a rule, restrict: the same on every machine


@cache
def numbers(table: str, column: int) -> dict[str, int]:
    """Name to number, for the machine of that column."""
    rows = [line.split() for line in table.splitlines() if line]
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}
