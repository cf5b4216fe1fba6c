"""Heads of a table with years or other periods across the top, as reports have them: one to four rows of them.

A row names the periods; above it may stand what they are of ("Years ended September 30,"), below it what the columns
are measured in ("€m", "(in thousands)"). All of them are told in the labels of the columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.data.tables.loading.value_forms import candidates
from agent.text.regex import regex

_MOST_HEADS = 4  # rows
_LONGEST = 60  # characters of a period
_YEAR = r"(?:19|20)\d\d"
_PLAIN_YEAR = regex(rf"{_YEAR}")
_MONTHS = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_PERIOD = regex(
    rf"(?<![\d,.]){_YEAR}(?![\d,.]\d)|\b(?:FY|F|Q[1-4] ?|H[12] ?)['’]?\d\d(?!\d)|(?:令和|平成|昭和)(?:\d+|元)年|"
    rf"\b{_MONTHS}(?:-['’]?| ?['’])\d\d(?!\d)|第\d+期|[前当]期|[前当](?:連結)?会計年度",
    re.I,
)
# What a row of units says, and a cell alone that goes on below it: "Years ended December 31,".
_UNIT = regex(
    r"[$€£¥￥%％円]|\b(?:millions?|thousands?|billions?|percent|USD|EUR|GBP|RMB)\b|in ?thousands|in ?millions|単位|"
    r"^\([^()\d]{1,40}\)$",
    re.I,
)
_GOES_ON = regex(r".*(?:,|\bended|\bending|\bas (?:of|at)|\bfiscal|\byears?|\bDecember 31|\bJune 30)", re.I)


@dataclass(frozen=True, slots=True)
class PeriodHeads:
    """``first`` to ``last`` are the rows of heads, ``labels`` what they make; ``above`` is a title among them."""

    first: int
    last: int
    labels: tuple[str, ...]
    above: str = ""


def period_heads(rows: Sequence[Sequence[str]], start: int, width: int) -> PeriodHeads | None:
    """The heads of a table of periods that begins at the row ``start``; None where it is none."""
    near = [
        place for place in range(start, min(len(rows), start + 2 * _MOST_HEADS)) if any(map(str.strip, rows[place]))
    ]
    named = next((place for place in near[:_MOST_HEADS] if _names_periods(rows[place], width)), None)
    if named is None or width < 2:
        return None
    over = [place for place in near if place < named]
    under = list(takewhile(lambda place: _is_below(rows[place], width), (place for place in near if place > named)))
    last = under[-1] if under else named
    body = [row for row in rows[last + 1 : last + 200] if len(row) == width]
    if not all(_is_over(rows[place]) for place in over) or not _holds_figures(rows[named], body):
        return None
    return _labelled(rows, over, named, under, width)


def with_units(labels: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], int]:
    """The labels with what the row below a header says, where it says what the columns are measured in, and nothing
    else; and how many of the ``rows`` below the header that takes.
    """
    cells = [cell.strip() for cell in rows[0]] if len(rows) > 1 else []
    filled = [cell for cell in cells if cell]
    units = bool(filled) and all(_UNIT.search(cell) and not _is_amount(cell) for cell in filled)
    if not units or cells[0] or len(cells) != len(labels) or not any(map(_is_amount, rows[1][1:])):
        return tuple(labels), 0
    if len(filled) == 1 and len(cells) > 2:
        return (f"{labels[0]} {filled[0]}".strip(), *labels[1:]), 1
    return tuple(f"{label} {cell}".strip() for label, cell in zip(labels, cells, strict=True)), 1


def _is_amount(cell: str) -> bool:
    text = cell.strip()
    forms = candidates([text]) if any(map(str.isdigit, text)) else []
    return bool(forms) and forms[0].type in ("BIGINT", "DOUBLE")


def is_period(cell: str) -> bool:
    """Whether a head names a year, a quarter or a day: "2019", "FY2019 €m", "30 June 2019", 「2024年3月期」."""
    text = cell.strip()
    return len(text) <= _LONGEST and _PERIOD.search(text) is not None


def _names_periods(row: Sequence[str], width: int) -> bool:
    """Whether two cells or more beside the first are periods, or one where nothing is said of the labels."""
    cells = [cell.strip() for cell in row]
    periods = [cell for cell in cells[1:] if is_period(cell)]
    if len(row) != width or _is_amount(cells[0]):
        return False
    if any(_is_amount(cell) and not is_period(cell) for cell in cells[1:]):
        return False
    return len(set(periods)) > 1 or (len(periods) == 1 and width == 2)


def _is_over(row: Sequence[str]) -> bool:
    """Whether it may stand above the periods: nothing but words, and not one beside a label."""
    cells = [cell.strip() for cell in row]
    amounts = any(_is_amount(cell) for cell in cells)
    return not amounts and (not cells[0] or not any(cells[1:]) or all(map(_UNIT.search, filter(None, cells[1:]))))


def _is_below(row: Sequence[str], width: int) -> bool:
    """Whether it belongs to the heads above it: words without a label."""
    cells = [cell.strip() for cell in row]
    return (
        len(row) == width and not cells[0] and not any(any(map(str.isdigit, cell.replace("000", ""))) for cell in cells)
    )


def _holds_figures(named: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether figures stand below the periods that are not all years, and labels in front of them."""
    places = [place for place, cell in enumerate(named) if place and is_period(cell)]
    below = [row[place].strip() for row in body for place in places]
    amounts = [cell for cell in below if _is_amount(cell)]
    labels = [row[0].strip() for row in body if row[0].strip()]
    words = sum(not _is_amount(label) for label in labels)
    return bool(amounts) and not all(map(_PLAIN_YEAR.fullmatch, amounts)) and 2 * words >= len(body) > 0


def _labelled(
    rows: Sequence[Sequence[str]], over: Sequence[int], named: int, under: Sequence[int], width: int
) -> PeriodHeads:
    parts: list[list[str]] = [[] for _ in range(width)]
    above: list[str] = []
    names = [cell.strip() for cell in rows[named]]
    for place in (*over, named, *under):
        cells = [cell.strip() for cell in rows[place]] + [""] * (width - len(rows[place]))
        filled = [at for at, cell in enumerate(cells) if cell]
        if len(filled) == 1 and place != named and width > 2:
            told = cells[filled[0]]
            if place < named and filled[0] and _GOES_ON.match(told):
                for at, name in enumerate(names):
                    parts[at] += [told] if at and name else []
            elif _UNIT.search(told) and not _UNIT.search(" ".join(parts[0])):
                parts[0].append(told)
            else:
                above.append(told)
            continue
        spread = _spread(cells, names) if place < named else cells
        for at, cell in enumerate(spread):
            if cell and cell not in parts[at]:
                parts[at].append(cell)
    first = over[0] if over else named
    labels = tuple(" ".join(told) for told in parts)
    return PeriodHeads(first, under[-1] if under else named, labels, " ".join(above))


def _spread(groups: Sequence[str], names: Sequence[str]) -> list[str]:
    """What stands over each column: the groups over equal parts where the names repeat, else the last one to the left.

    Words in the middle of several columns are over none of them for sure.
    """
    told = [cell for cell in groups[1:] if cell]
    size, rest = divmod(len(names) - 1, len(told))
    block = names[1 : 1 + size]
    if (
        len(told) > 1
        and not rest
        and size > 1
        and all(names[1:][at : at + size] == block for at in range(0, len(names) - 1, size))
    ):
        return [groups[0], *(cell for cell in told for _ in range(size))]
    if not groups[1] and len(told) > 1 and groups[2:] != list(told):
        return [groups[0], *([""] * (len(groups) - 1))]
    spread, last = [groups[0]], ""
    for cell in groups[1:]:
        last = cell or last
        spread.append(last)
    return spread
