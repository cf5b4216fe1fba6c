"""Files of chats in a folder that several machines share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from agent.data.kept_files.file_store import BLOCK, FilesFailed, Stored, failed
from agent.errors import BadSettings, StoreFailed

_MOST_TRIES = 20  # to make a file whose folder is being removed
_MARK = ".mark"
_MARKED = (
    "Glassbox keeps files of chats in the folder of the same name beside this one. Do not remove either: without them "
    "it takes this folder for one that is not mounted.\n"
)


class NotMounted(StoreFailed):
    """The files of chats are not where they were."""


class SharedFolder:
    """Those of one site, in the folder ``site`` of ``place``; a file beside that marks the place as the site's own.

    Where the file is not there, nothing is read or written: the place may be an empty folder on which nothing is
    mounted, and what was written there would hide beneath the one that is.
    """

    def __init__(self, place: Path, site: str, used: bool = False) -> None:
        """``used`` says that files have been kept here before.

        Raises ``BadSettings`` where there is no such place, or nothing can be written there, and ``NotMounted`` where
        it has nothing of a site that has used it.
        """
        self._root, self._mark = place / site, place / f"{site}{_MARK}"
        try:
            if used and not (self._mark.is_file() or _has_any(self._root)):
                raise NotMounted.because(
                    "The folder of GLASSBOX_FILES has none of the files of this site's chats: it is not mounted, "
                    "or another one. Mount or name the right one; nothing is lost. Into a new one, restore a "
                    "backup."
                )
            self._root.mkdir(exist_ok=True, mode=0o700)
            with suppress(FileExistsError), self._mark.open("x", encoding="utf-8") as file:
                file.write(_MARKED)
        except OSError as error:
            raise BadSettings.because(
                "GLASSBOX_FILES names a folder that cannot be used ({reason}). Mount or make it, for the app to "
                "write in.",
                reason=error.__class__.__name__,
            ) from None

    def put(self, key: str, source: BinaryIO) -> None:
        target = self._root / key
        part = target.with_name(f"{uuid4().hex}.new.part")
        try:
            with open(self._new(part), "wb") as file:
                while block := source.read(BLOCK):
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise failed(error) from None

    def _new(self, part: Path, tries: int = _MOST_TRIES) -> int:
        """A new file. Its folder goes at any time with the last file of another process. Raises ``OSError``."""
        self._check_mounted()
        try:
            part.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except (FileNotFoundError, FileExistsError):
            if tries == 1:
                raise
        return self._new(part, tries - 1)

    def get(self, key: str, target: BinaryIO, most: int) -> None:
        self._check_mounted()
        try:
            with (self._root / key).open("rb") as file:
                while block := file.read(BLOCK):
                    most -= len(block)
                    if most < 0:
                        raise FilesFailed("large")
                    target.write(block)
        except OSError as error:
            raise failed(error) from None

    def remove(self, keys: Iterable[str]) -> None:
        self._check_mounted()
        for key in keys:
            file = self._root / key
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise failed(error) from None
            with suppress(OSError):  # others are in it
                file.parent.rmdir()

    def listed(self) -> Iterator[Stored]:
        self._check_mounted()
        for folder, _, names in os.walk(self._root):
            for name in names:
                path = Path(folder, name)
                with suppress(OSError):  # gone meanwhile
                    yield Stored(path.relative_to(self._root).as_posix(), path.stat().st_mtime)

    def _check_mounted(self) -> None:
        try:
            mounted = self._mark.is_file()
        except OSError as error:
            raise failed(error) from None
        if not mounted:
            raise FilesFailed("away")


def _has_any(folder: Path) -> bool:
    """Whether anything is in a folder: of a site of before there were marks."""
    return folder.is_dir() and any(folder.iterdir())
