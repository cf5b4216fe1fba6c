"""Files of chats in a folder that several machines share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from agent.data.kept_files.file_store import BLOCK, FilesFailed, Stored, failed
from agent.errors import BadSettings
from agent.interface_text import Text

_MOST_TRIES = 20  # to make a file whose folder is being removed


class SharedFolder:
    """Those of one site, in the folder ``site`` of ``place``."""

    def __init__(self, place: Path, site: str) -> None:
        """Raises ``BadSettings`` where there is no such place, or nothing can be written there."""
        self._root = place / site
        try:
            # Of a folder that is not mounted nothing is made: it would hide beneath the one that is.
            self._root.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise BadSettings(
                Text(
                    "GLASSBOX_FILES names a folder that cannot be used ({reason}). Mount or make it, for the app to "
                    "write in.",
                    reason=error.__class__.__name__,
                )
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
        if not self._root.is_dir():
            raise FilesFailed("away")
