"""Rows of cells as lines of text, ``|`` between the cells, as the tools write them and as they are read again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.text.regex import regex

_BETWEEN = " | "
_PIPE = regex(r"\\*\|")


def piped(cells: Iterable[str]) -> str:
    """The row as a line; a ``|`` of a cell has a backslash before it, and backslashes right before it are doubled.

    All other backslashes stand as they are, so that the text of a cell is the value of it: ``C:\\temp``.
    """
    return _BETWEEN.join(map(piped_cell, cells))


def piped_cell(cell: str) -> str:
    """One cell of a row, as ``piped`` writes it."""
    return _PIPE.sub(lambda mark: "\\" * (2 * len(mark[0]) - 1) + "|", cell) if "|" in cell else cell


def cells_piped(line: str) -> list[str]:
    """The cells of a line that ``piped`` wrote; one that lost the blank at its end has its last cell still."""
    parts: list[str] = []
    start = 0
    line = f"{line} " if line.endswith(_BETWEEN[:-1]) else line
    for mark in re.finditer(re.escape(_BETWEEN), line):
        if mark.start() >= start:
            parts.append(line[start : mark.start()])
            start = mark.end()
    return [_PIPE.sub(lambda mark: "\\" * (len(mark[0]) // 2 - 1) + "|", part) for part in (*parts, line[start:])]
