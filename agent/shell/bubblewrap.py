"""How bubblewrap is told to confine a shell, and what tells whether it does."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from agent.interface_text import Text
from agent.shell.launch import FOLDER, ShellLimits

ROOT_ALONE = Text(
    "There is no shell: the app runs as root where there are no other users. Start it as an ordinary user."
)
WRONG_MACHINE = Text("A shell needs Linux on a 64-bit Intel, AMD or ARM processor, where it can be confined.")
NOT_INSTALLED = Text(
    "A shell is confined by bubblewrap (the program bwrap, 0.8 or newer), which is not installed here."
)
TOO_OLD = Text("A shell is confined by bubblewrap 0.8 or newer; the one that is installed here is older.")
NO_NAMESPACES = Text(
    "A shell cannot be confined here: bubblewrap may not make namespaces, as in a container with Docker's own profile."
)
LEAKS = Text("A shell cannot be confined here: in a trial it could still reach what it must not.")
HOME = "/folder"
USER = "1000"
NAME = "shell"
_SHARED_MEMORY = 16 << 20
# Beside /usr: links into it on most systems, folders of their own on some.
_PROGRAMS = ("bin", "sbin", "lib", "lib32", "lib64")
# What programs need of the system to be found and linked.
_OF_ETC = ("/etc/alternatives", "/etc/ld.so.cache")
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": HOME,
    "USER": "user",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "TMPDIR": "/tmp",
}

# Says a line for each thing that it can reach or is, and must not.
PROBE = r"""
for place in /root /home /var /srv /opt /run /sys /mnt /media /boot /etc/passwd /etc/shadow /proc/1/root/etc/passwd; do
  [ -e "$place" ] && echo "sees $place"
done
for place in / /usr /usr/bin /dev /etc /proc/sys/kernel; do
  (: > "$place/.probe") 2>/dev/null && echo "writes in $place"
done
IFS= read -r started < /proc/1/environ
[ -z "$started" ] || echo "has an environment"
(echo > /dev/tty) 2>/dev/null && echo "has a terminal"
while read -r name value rest; do
  case "$name" in
    Cap*:) case "$value" in *[!0]*) echo "has capabilities" ;; esac ;;
    Uid:|Gid:) [ "$value" != 0 ] || echo "is root" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "may gain privileges" ;;
    Seccomp:) [ "$value" = 2 ] || echo "has no filter" ;;
  esac
done < /proc/self/status
while read -r name rest; do
  case "$name" in Inter*|face*|lo:*) ;; *) echo "has a network" ;; esac
done < /proc/net/dev
(: > kept) 2>/dev/null || echo "has no folder"
rm -f kept
[ "$(umask)" = 0077 ] || echo "leaves files open"
"""


def missing() -> str:
    """Why there can be no shell, as far as one sees without a trial; "" where nothing is known to lack."""
    # Outside of Linux the modules behind a shell cannot even be imported.
    if sys.platform != "linux":
        return WRONG_MACHINE
    from agent.sandbox.locks import kernel, privileges

    if kernel.machine() is None:
        return WRONG_MACHINE
    if privileges.is_root_alone():
        return ROOT_ALONE
    return "" if shutil.which("bwrap") else NOT_INSTALLED


def arguments(command: str, hidden: Iterable[Path], limits: ShellLimits, status: int, filters: int) -> tuple[str, ...]:
    """The whole command line; places of the machine that are ``hidden`` are empty.

    ``status`` and ``filters`` are open files: to report in, and with the filter of system calls.
    """
    words = [shutil.which("bwrap") or "bwrap"]
    words += ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", USER, "--gid", USER]
    words += ["--hostname", NAME, "--new-session", "--die-with-parent", "--cap-drop", "ALL"]
    words += _system(hidden)
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm"]
    words += ["--perms", "1777", "--size", str(limits.scratch), "--tmpfs", "/tmp"]
    words += ["--bind", FOLDER, HOME, "--chdir", HOME, "--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in _ENVIRONMENT.items():
        words += ["--setenv", name, value]
    words += ["--seccomp", str(filters), "--json-status-fd", str(status), "--"]
    return (*words, *_shell(), command)


def _shell() -> Sequence[str]:
    return ("/bin/bash", "--norc", "--noprofile", "-c") if Path("/bin/bash").exists() else ("/bin/sh", "-c")


def _system(hidden: Iterable[Path]) -> list[str]:
    """The system's programs, to be read."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in _PROGRAMS:
        place = Path("/", name)
        if place.is_symlink():
            words += ["--symlink", os.readlink(place), str(place)]
        elif place.is_dir():
            words += ["--ro-bind", str(place), str(place)]
    for place in _OF_ETC:
        words += ["--ro-bind-try", place, place]
    shown = [Path("/usr"), *(Path("/", name) for name in _PROGRAMS)]
    for place in sorted({one.resolve() for one in hidden}):
        if any(place.is_relative_to(root) for root in shown) and place not in shown:
            words += ["--size", "4096", "--tmpfs", str(place), "--remount-ro", str(place)]
    return words
