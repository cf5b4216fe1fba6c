"""What a process works on of files that are kept elsewhere: copies in a folder of its own, within a bound."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import monotonic, time
from uuid import uuid4

from agent.data.kept_files.file_store import FilesFailed, FileStore, failed, key_of, opened, parts_of
from agent.text.encodings import MEBIBYTE

if sys.platform != "win32":  # where nothing is worked on, for want of a sandbox
    from fcntl import LOCK_EX, LOCK_NB, flock

MOST_BYTES = 4096 * MEBIBYTE
# Of what no row names: a process that is about to add the row has put the file there before. Clocks may differ.
_SECONDS_UNNAMED = 24 * 60 * 60.0
_SECONDS_LOOKED_AT = 6 * 60 * 60.0  # after that: the first look of each process sees what is older, too


class Copies:
    """The folders with copies of one process. Where more than ``most`` bytes would be there, those used last stay."""

    def __init__(self, place: Path, forget: Callable[[Path], None], most: int = MOST_BYTES) -> None:
        """Beneath ``place`` each process has a folder; those of processes that have ended are removed.

        ``forget`` ends what is at work in a folder that has to give way.
        """
        self.most = most
        self._forget = forget
        self._lock = RLock()
        self._held: Counter[Path] = Counter()
        self._used: dict[Path, float] = {}
        self._known: dict[Path, set[str]] = {}
        place.mkdir(parents=True, exist_ok=True)
        _remove_left(place)
        self.place, self._file = _own_folder(place)
        self.parts = self.place / "parts"
        self.parts.mkdir()

    def close(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.place, ignore_errors=True)
        if self._file is not None:
            os.close(self._file)

    @contextmanager
    def holding(self, folder: Path) -> Generator[set[str]]:
        """Keep the copies of a folder as long as the block takes; what it notes of them is forgotten with them."""
        with self._lock:
            self._held[folder] += 1
            known = self._known.setdefault(folder, set())
        try:
            yield known
        finally:
            with self._lock:
                self._held[folder] -= 1
                self._used[folder] = monotonic()

    def fetch(self, store: FileStore, key: str, target: Path, most: int) -> None:
        """Copy a file of at most so many bytes to ``target``. Raises ``FilesFailed``."""
        part = self.parts / uuid4().hex
        try:
            try:
                self._written(store, key, part, most)
            except FilesFailed as error:
                if error.trouble != "full" or not self._empty():
                    raise
                self._written(store, key, part, most)
            self.make_room(part.stat().st_size)
            part.replace(target)
        except OSError as error:
            raise failed(error) from None
        finally:
            part.unlink(missing_ok=True)

    def _empty(self) -> bool:
        """Remove all copies that nobody uses, for want of room on the disk; whether there were any."""
        with self._lock:
            idle = [folder for folder in self._known if not self._held[folder]]
            for folder in idle:
                self._forget(folder)
                self.drop(folder)
        return bool(idle)

    def drop(self, folder: Path) -> None:
        """Remove the copies of a folder."""
        with self._lock:
            self._known.pop(folder, None)
            self._used.pop(folder, None)
            shutil.rmtree(folder, ignore_errors=True)

    def _written(self, store: FileStore, key: str, part: Path, most: int) -> None:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            store.get(key, file, most)

    def make_room(self, size: int = 0) -> bool:
        """Remove copies that nobody uses until so many bytes more fit; whether any were.

        Raises ``FilesFailed`` where those in use leave no room for as much.
        """
        with self._lock:
            taken = sum(map(_size, self._known)) + size
            removed = False
            for folder in sorted(self._known, key=lambda each: self._used.get(each, 0.0)):
                if taken > self.most and not self._held[folder]:
                    taken -= _size(folder)
                    self._forget(folder)
                    self.drop(folder)
                    removed = True
            if taken > self.most:
                raise FilesFailed("busy")
            return removed


class KeptFiles:
    """The files of one ``kind`` of all chats, in a store, with this process's ``copies``."""

    def __init__(self, store: FileStore, kind: str, copies: Copies) -> None:
        self.place = copies.place / kind
        self.copies = copies
        self._store = store
        self._kind = kind
        self._looked = False

    def fetch(self, folder: Path, name: str, most: int) -> None:
        """Have a copy of a file in the folder of its conversation. Raises ``FilesFailed``."""
        self.copies.fetch(self._store, key_of(self._kind, folder.name, name), folder / name, most)

    def read(self, folder: Path, name: str, target: Path, most: int) -> None:
        """Copy a file of at most so many bytes to a new one, anywhere. Raises ``FilesFailed``."""
        try:
            with target.open("xb") as file:
                self._store.get(key_of(self._kind, folder.name, name), file, most)
        except OSError as error:
            raise failed(error) from None

    def keep(self, folder: Path, names: Sequence[str]) -> None:
        """Keep new files of the folder; all of them or none. Raises ``FilesFailed``."""
        kept: list[str] = []
        try:
            for name in names:
                with opened(folder, name) as file:
                    self._store.put(key_of(self._kind, folder.name, name), file)
                kept.append(name)
            self.copies.make_room()
        except FilesFailed:
            self.drop(folder, kept)  # the one that failed may be there from before
            raise

    def drop(self, folder: Path, names: Sequence[str]) -> None:
        """Remove files; what cannot be reached now is removed by ``sweep``."""
        with suppress(FilesFailed):
            self._store.remove([key_of(self._kind, folder.name, name) for name in names])

    def sweep(self, known: Callable[[Sequence[str]], set[str]], named: Callable[[Sequence[str]], set[str]]) -> int:
        """Remove what is of no conversation, and what no row names for a day; of how many conversations.

        ``known`` gives those of some conversations that there are, ``named`` the names that rows of theirs have.
        Raises ``FilesFailed``.
        """
        old, found = time() - _SECONDS_UNNAMED, dict[str, list[tuple[str, str, bool]]]()
        least = old - _SECONDS_LOOKED_AT if self._looked else 0.0
        stray: list[str] = []
        for key, modified in self._store.listed():
            parts = parts_of(key)
            if parts is None:
                stray += [key] if modified < old and key.startswith(f"{self._kind}/") else []
            elif parts[0] == self._kind:
                found.setdefault(parts[1], []).append((key, parts[2], least < modified < old))
        there = known(list(found))
        gone = [key for conversation in found.keys() - there for key, _, _ in found[conversation]]
        aged = [conversation for conversation in there if any(is_old for _, _, is_old in found[conversation])]
        names = named(aged)
        unnamed = [key for one in aged for key, name, is_old in found[one] if is_old and name not in names]
        self._store.remove([*stray, *gone, *unnamed])
        self._looked = True
        return len(found) - len(there)


def _size(folder: Path) -> int:
    with suppress(OSError):
        return sum(entry.stat(follow_symlinks=False).st_size for entry in os.scandir(folder))
    return 0


def _own_folder(place: Path) -> tuple[Path, int | None]:
    """A new folder, locked as long as this process lives, before it has the name under which others look for it."""
    name = uuid4().hex
    making = place / f".{name}"
    # A worker of root's becomes nobody, who must be able to walk through to it.
    making.mkdir(mode=0o755 if os.name == "posix" and os.geteuid() == 0 else 0o700)
    file = None
    if sys.platform != "win32":
        with suppress(OSError):
            file = os.open(making, os.O_RDONLY)
            flock(file, LOCK_EX | LOCK_NB)
    return making.rename(place / name), file


def _remove_left(place: Path) -> None:
    """Remove the folders whose process has ended: nobody holds their lock."""
    if sys.platform == "win32":
        return
    for entry in place.iterdir():
        with suppress(OSError):
            file = os.open(entry, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if not entry.name.startswith("."):
                    flock(file, LOCK_EX | LOCK_NB)
                    shutil.rmtree(entry, ignore_errors=True)
            finally:
                os.close(file)
