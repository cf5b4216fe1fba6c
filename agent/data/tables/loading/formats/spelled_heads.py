"""Two rows of heads in which merged cells are written out, as programs and web pages have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.loading.value_forms import candidates
from agent.text.regex import regex

_LOOKED_AT = 200  # rows
YEAR = regex(r"(19|20)\d\d")


def is_figure(cell: str) -> bool:
    """Whether it is written as data are: a number, an amount, a date."""
    text = cell.strip()
    return bool(text) and bool(re.search(r"\d", text)) and bool(candidates([text]))


def spelled_out(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether two rows of heads have each cell that goes over several columns or both rows in all of them.

    As programs write merged cells: "Club, League, League" above "Club, Apps, Goals".
    """
    if len(rows) < 3 or not all(len(row) == width for row in rows[:3]):
        return False
    groups, names = ([cell.strip() for cell in row] for row in rows[:2])
    over = {groups[i] for i in range(1, width) if groups[i] and groups[i] == groups[i - 1] and names[i] != names[i - 1]}
    if not over or any(map(is_figure, groups)) or any(is_figure(name) and not YEAR.fullmatch(name) for name in names):
        return False
    below = [row for row in rows[2:_LOOKED_AT] if len(row) == width]
    if any(name and name == row[place].strip() for row in below for place, name in enumerate(names)):
        return False  # what comes again is a value
    named = [(group, name) for group, name in zip(groups, names, strict=True) if len(group) > 1 or len(name) > 1]
    return any(group == name for group, name in named) and len({*named}) == len(named)
