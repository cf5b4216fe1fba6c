"""The interface of a place that keeps files of chats, and the sentence of each way in which it fails.

A file is named by its key, ``<kind>/<conversation>/<name>``. It is written whole or not at all, and never written
again: what is changed has another name. So nobody has to wait for anybody, and a copy of a file is never out of date.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, Protocol

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.text.regex import regex

log = logging.getLogger(__name__)
Trouble = Literal["refused", "away", "missing", "full", "large", "busy"]
BLOCK = 1 << 20
_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}(\.[A-Za-z0-9]{1,12}){0,2}")
_KEY = regex(rf"(?P<kind>[a-z]{{1,20}})/(?P<conversation>[0-9a-f]{{32}})/(?P<name>{_NAME.pattern})")
_NO_FOLLOW = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_SENTENCES = {
    "refused": Text(
        "The files of this chat cannot be reached: the place where this site keeps files refuses it. Whoever runs the "
        "site can mend that (GLASSBOX_FILES); what needs no files can be asked meanwhile."
    ),
    "away": Text(
        "The files of this chat cannot be reached just now: the place where this site keeps files does not answer. Try "
        "again in a minute; what needs no files can be asked meanwhile."
    ),
    "missing": Text(
        "A file of this chat is not where this site keeps files. Remove it from the chat, and load it again."
    ),
    "full": Text(
        "There is no room left for the files of this chat where this site keeps them. Whoever runs the site can make "
        "room; try again later, or load less."
    ),
    "large": Text("A file of this chat is larger than it may be. Remove it from the chat, and load a smaller one."),
    "busy": Text("Too many files are in use on this server at once. Try again in a moment."),
}
_TROUBLES: dict[int, Trouble] = {
    errno.ENOENT: "missing",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EACCES: "refused",
    errno.EPERM: "refused",
    errno.EROFS: "refused",
}


class FilesFailed(BadRequest):
    """A file of a chat could not be kept, fetched or removed."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(_SENTENCES[trouble])
        self.trouble: Trouble = trouble


class Stored(NamedTuple):
    """A file there; ``modified`` is when it was written, in seconds since the epoch, by the store's clock."""

    key: str
    modified: float


class FileStore(Protocol):
    """Every method raises ``FilesFailed``, and may be called from any thread."""

    def put(self, key: str, source: BinaryIO) -> None:
        """Keep all that is in ``source``."""

    def get(self, key: str, target: BinaryIO, most: int) -> None:
        """Write a file of at most so many bytes to ``target``."""

    def remove(self, keys: Iterable[str]) -> None:
        """Remove these; nothing happens where one is gone."""

    def listed(self) -> Iterator[Stored]:
        """All files there are."""
        ...


def key_of(kind: str, conversation: str, name: str) -> str:
    """Raises ``FilesFailed`` for what is no plain name: it may be a hostile process's."""
    key = f"{kind}/{conversation}/{name}"
    if not _KEY.fullmatch(key):
        raise FilesFailed("missing")
    return key


def parts_of(key: str) -> tuple[str, str, str] | None:
    """Kind, conversation and name; ``None`` for what is not a key."""
    found = _KEY.fullmatch(key)
    return (found["kind"], found["conversation"], found["name"]) if found else None


def failed(error: OSError) -> FilesFailed:
    """What an error of the system means for a chat."""
    trouble = _TROUBLES.get(error.errno or 0, "away")
    log.warning("a file of a chat: %s (%s)", errno.errorcode.get(error.errno or 0, "OSError"), trouble)
    return FilesFailed(trouble)


@contextmanager
def opened(folder: Path, name: str) -> Generator[BinaryIO]:
    """A plain file right in a folder in which a hostile process writes: no link is followed, no file of others read.

    Raises ``FilesFailed``.
    """
    if not _NAME.fullmatch(name):
        raise FilesFailed("missing")
    try:
        file = os.fdopen(os.open(folder / name, _NO_FOLLOW), "rb")
    except OSError as error:
        raise failed(error) from None
    with file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise FilesFailed("missing")
        yield file
