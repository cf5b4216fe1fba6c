"""What every kind of loading works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from agent.data.refusal import Refused
from agent.data.tables.loading.progress import Reporter
from agent.text.encodings import MEBIBYTE


@dataclass(frozen=True, slots=True)
class Limits:
    """``file`` and ``unpacked`` in bytes; ``sheet`` is of an Excel file unpacked, which is held in memory."""

    file: int = 1024 * MEBIBYTE
    unpacked: int = 2048 * MEBIBYTE
    sheet: int = 192 * MEBIBYTE
    columns: int = 2_000
    tables: int = 50
    # Up to this size every value is looked at before types are chosen; above, a sample is, and the rest must fit.
    exact: int = 8 * MEBIBYTE


def size_words(size: int) -> str:
    """``1536`` gives ``1.5 KB``, as people count: a KB has 1,024 bytes."""
    amount = float(size)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.3g} {unit}"
        amount /= 1024
    return f"{amount:.3g} GB"


def check_columns(count: int, limits: Limits) -> None:
    if count > limits.columns:
        raise Refused.because(
            "This table has {count:,} columns; at most {columns:,} can be loaded.",
            count=count,
            columns=limits.columns,
            kind="size",
        )


@dataclass(frozen=True, slots=True)
class Work:
    """One upload being loaded into ``folder``.

    ``name`` is that of the file as the visitor had it. ``taken`` are the names of tables there are, to which those
    that are made are added. ``encoding``, ``delimiter`` and ``header`` are given where somebody chose them.
    """

    folder: Path
    name: str
    reporter: Reporter
    taken: set[str]
    limits: Limits = field(default_factory=Limits)
    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    notes: list[str] = field(default_factory=list[str])
