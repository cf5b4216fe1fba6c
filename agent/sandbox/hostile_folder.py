"""A folder that a hostile program writes in, looked at and emptied from outside: no link in it is ever followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

_OPENING = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def _opened(name: str, at: int | None = None) -> Generator[int]:
    file = os.open(name, _OPENING, dir_fd=at)
    try:
        yield file
    finally:
        os.close(file)


def too_full(folder: Path, most_bytes: int, most_entries: int, most_depth: int) -> bool:
    """Whether it holds more than it may, or what cannot be looked at. Programs may be at work in it meanwhile."""
    with _opened(str(folder)) as file:
        return not _fits(file, [most_bytes, most_entries], most_depth)


def _fits(file: int, left: list[int], depth: int) -> bool:
    """Take what is in a folder off the bytes and entries that are ``left``; whether that much was there."""
    if not depth:
        return False
    with os.scandir(file) as entries:
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
                left[0] -= found.st_blocks * 512
                left[1] -= 1
                if min(left) < 0:
                    return False
                if stat.S_ISDIR(found.st_mode):
                    with _opened(entry.name, file) as inner:
                        if not _fits(inner, left, depth - 1):
                            return False
            except PermissionError:
                return False
            except OSError:  # gone meanwhile, or a link by now
                continue
    return True


def empty(folder: Path) -> None:
    """Remove all that is in it, however deep and whoever may read it. Nothing may be at work in it.

    Folders in folders are brought to the top one by one, so that no path is too long and nothing is recursive.
    """
    with suppress(FileNotFoundError), _opened(str(folder)) as top:
        while found := os.listdir(top):
            for name in found:
                if not _unlinked(name, top):
                    _take_apart(name, top)


def _take_apart(name: str, top: int) -> None:
    os.chmod(name, 0o700, dir_fd=top)
    with _opened(name, top) as file:
        for inner in os.listdir(file):
            if not _unlinked(inner, file):
                os.chmod(inner, 0o700, dir_fd=file)
                os.rename(inner, uuid4().hex, src_dir_fd=file, dst_dir_fd=top)
    os.rmdir(name, dir_fd=top)


def _unlinked(name: str, at: int) -> bool:
    """Remove what is no folder."""
    if stat.S_ISDIR(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
        return False
    os.unlink(name, dir_fd=at)
    return True
