"""Who changes what is in the folder of a conversation: one thread, of one of the processes that share the folder."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

if sys.platform != "win32":  # where only threads are kept from each other
    from fcntl import LOCK_EX, LOCK_NB, flock

LOCKS = "locks"  # the folder of their files, beside those of the conversations
_LOOK_SECONDS = 0.05


class FolderLock:
    """As ``threading.Lock``; the processes lock the file ``path``. Where that takes no locks, threads alone do."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = Lock()
        self._file: int | None = None

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        end = monotonic() + timeout if timeout >= 0 else None
        if not self._threads.acquire(blocking, timeout):
            return False
        if sys.platform == "win32":
            return True
        with ExitStack() as undo:
            undo.callback(self.release)
            self._file = self._opened()
            while not self._locked():
                if not blocking or (end is not None and monotonic() >= end):
                    return False
                sleep(_LOOK_SECONDS)
            undo.pop_all()
        return True

    def release(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)
        self._threads.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _opened(self) -> int | None:
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return None

    def _locked(self) -> bool:
        """Whether it is this process's now, or there is nothing to be locked."""
        if self._file is None:
            return True
        try:
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # the file system has no locks
            pass
        return True
