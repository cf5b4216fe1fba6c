"""What cannot be done with a file, a table or a question, in a sentence for whoever can mend it."""

from __future__ import annotations

import errno
import sqlite3
from typing import LiteralString

from agent.interface_text import Filling, Text
from agent.text.regex import regex

_ERRNO = regex(r'"errno":"(\d{1,4})"')
FULL = (errno.ENOSPC, errno.EDQUOT)


class Refused(Exception):
    """``str(error)`` is the sentence in English; ``text`` is the same, with its key and values.

    ``kind`` is ``file`` (it is not understood), ``size`` (too much of it), ``sql`` (the statement is wrong or not
    allowed), ``name`` (no such table or column), ``time`` (stopped at its time), ``memory`` or ``input``.
    """

    def __init__(self, text: str, kind: str = "input") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind

    @classmethod
    def because(cls, key: LiteralString, *, kind: str = "file", **values: Filling) -> Refused:
        """With a sentence that a page can say in another language: ``Refused.because("{name} is empty.", name=…)``."""
        return cls(Text.of(key, "", values), kind)


def check_room(error: Exception) -> None:
    """Raises ``Refused`` where the error of the system, of SQLite or of DuckDB says that the disk is full."""
    said = _ERRNO.search(str(error))  # DuckDB's has it as JSON
    number = error.errno if isinstance(error, OSError) else int(said[1]) if said else 0
    if number in FULL or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
        raise Refused.because(
            "There is no room left on this server's disk. Try again later, or load less; whoever runs the site can "
            "make room.",
            kind="size",
        ) from None


def damaged(name: str) -> Refused:
    return Refused.because("{name} is damaged or its end is missing. Copy or download it again.", name=name)


def locked(name: str) -> Refused:
    return Refused.because("{name} is protected by a password. Save it without one, and load it again.", name=name)
