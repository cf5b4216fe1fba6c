"""How much a document may be."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """``file`` and ``unpacked`` in bytes; ``characters`` and ``pages`` are of one document.

    What is longer is read up to there, and a note says so.
    """

    file: int = 50 * MEBIBYTE
    unpacked: int = 200 * MEBIBYTE
    characters: int = 4_000_000
    pages: int = 2_000
