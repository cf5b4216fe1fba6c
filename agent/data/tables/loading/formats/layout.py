"""How the text of a table is laid out: what separates its cells, where it starts, whether it has a header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.data.refusal import Refused
from agent.data.tables.loading.formats.notes_around import is_set_apart, outside
from agent.data.tables.loading.formats.period_heads import period_heads, with_units
from agent.data.tables.loading.formats.plain_sentences import is_prose, no_body
from agent.data.tables.loading.formats.spelled_heads import YEAR, is_figure, spelled_out
from agent.data.tables.loading.load_work import Limits, check_columns
from agent.data.tables.loading.value_forms import DECIMAL, WHOLE, candidates, unit_of

HEAD = 512 * 1024  # characters that are looked at
_MARKS = ("\t", ";", "|", ",", "\x1f", "^", "~", "，", "¦", " ")
_MOST_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class Layout:
    """``skip`` lines of the file come before the first row of data; ``labels`` are its headers, as many as columns.

    ``rows`` are those of the head of the file, as text. ``above`` is what was written above the header.
    ``padded`` says that rows may be shorter than the header; ``several`` that a row above the data takes several lines.
    Where the labels are those of two rows, ``lower`` are the ones of the lower row alone. ``prose`` says that it is no
    table but sentences below each other.
    """

    delimiter: str
    quote: str
    escape: str
    skip: int
    labels: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    header: bool = True
    above: str = ""
    padded: bool = False
    several: bool = False
    lower: tuple[str, ...] = ()
    prose: bool = False


@dataclass(frozen=True, slots=True)
class _Parsed:
    rows: list[list[str]]
    ends: list[int]  # the number of lines read after each row
    delimiter: str
    quote: str
    escape: str

    @property
    def width(self) -> int:
        """The number of cells that most rows have; of rows with more than one where there are enough of these."""
        widths = Counter(len(row) for row in self.rows if any(row))
        several = Counter({width: count for width, count in widths.items() if width > 1})
        if several and 2 * several.total() >= min(widths.total(), 4):
            return several.most_common(1)[0][0]
        return widths.most_common(1)[0][0] if widths else 1


def layout_of(head: str, complete: bool, header: bool | None = None, limits: Limits | None = None) -> Layout:
    """The layout of a text of which ``head`` is the start, the whole if ``complete``; whether it has a ``header`` may
    be known.

    Raises ``Refused`` where there are no rows, or more columns than the ``limits`` allow: before they are looked at.
    """
    delimiter, skipped = _told_delimiter(head)
    parsed = _best(head, complete, delimiter)
    if not any(any(cell.strip() for cell in row) for row in parsed.rows):
        raise Refused.because("There is nothing in this file but blanks.")
    width = parsed.width
    check_columns(width, limits or Limits())
    first = _first_row(parsed, width, skipped)
    filled = [place for place, row in enumerate(parsed.rows) if place >= first and any(cell.strip() for cell in row)]
    rows = [parsed.rows[place] for place in filled]
    prose = header is None and width == 1 and is_prose(rows)
    periods = period_heads(parsed.rows, skipped, width) if header is not False else None
    spelled = header is not False and spelled_out(rows, width)
    has_header = bool(periods or spelled) or ((not prose and _has_header(rows, width)) if header is None else header)
    lower: tuple[str, ...] = ()
    centred = periods and not parsed.rows[periods.first][1].strip()
    twice = has_header and not centred
    heads = (filled[0], filled[1]) if spelled else _heads(parsed, first, skipped, width) if twice else ()
    if not has_header:
        labels: tuple[str, ...] = ("",) * width
        skip, body = parsed.ends[first - 1] if first else 0, rows
    elif heads:
        groups, names = (parsed.rows[place] for place in heads)
        labels, first = _joined(groups, names), heads[0]
        lower = tuple(name.strip() or group.strip() for group, name in zip(groups, names, strict=True))
        skip, body = parsed.ends[heads[1]], [row for row in parsed.rows[heads[1] + 1 :] if any(map(str.strip, row))]
    elif periods:
        labels, first = periods.labels, periods.first
        skip, body = (
            parsed.ends[periods.last],
            [row for row in parsed.rows[periods.last + 1 :] if any(map(str.strip, row))],
        )
    else:
        labels = _labels(rows[0], rows[1:], width)
        skip, body = parsed.ends[first], rows[1:]
    labels, units = with_units(labels, body[:2]) if has_header else (labels, 0)
    skip, body = parsed.ends[parsed.ends.index(skip) + units] if units else skip, body[units:]
    if not body:
        raise no_body(complete, parsed.delimiter.join(rows[0]), HEAD)
    above = outside(parsed.rows[skipped:first], parsed.delimiter)
    above = " · ".join(filter(None, (above, periods.above))) if periods and not heads else above
    return Layout(
        parsed.delimiter,
        parsed.quote,
        parsed.escape,
        skip,
        labels,
        tuple(tuple(row) for row in body if len(row) == len(labels) or len(labels) > width),
        has_header,
        above[:500],
        len(labels) > width,
        skip != units + (periods.last + 1 if periods and not heads else first + (2 if heads else has_header)),
        lower,
        prose,
    )


def _told_delimiter(head: str) -> tuple[str, int]:
    """The delimiter that Excel's first line ``sep=;`` tells, and the number of lines it takes."""
    told = re.match(r"\ufeff?\"?sep=(.)\"?\r?\n", head, re.IGNORECASE)
    return (told[1], 1) if told else ("", 0)


def _best(head: str, complete: bool, delimiter: str) -> _Parsed:
    quote = _quote_of(head)
    # A backslash before a mark that ends the cell belongs to a path of Windows.
    escapes = ("\\", quote) if quote == '"' and re.search(r'\\"(?![,;\t|\r\n]|$)', head) else (quote,)
    marks = [delimiter] if delimiter else [mark for mark in _MARKS if mark in head]
    tried = [_parse(head, complete, mark, quote, escape) for mark in marks for escape in escapes]
    parsed = [made for made in tried if made]
    parsed = parsed or [made for made in [_parse(head, complete, "\x1f", quote, quote)] if made]
    if not parsed:
        raise Refused.because("The rows of this file cannot be told apart: a quotation mark may be open.")
    best = max(parsed, key=_rank)
    if not delimiter and _rank(best)[0] < 0.5:
        # A text in which marks come now and then: one column.
        return _parse(head, complete, "\x1f", quote, quote) or best
    return best


def _rank(parsed: _Parsed) -> tuple[float, int, int]:
    """The share of rows as wide as most are; the width, unless commas may be within numbers; a fixed order."""
    width = parsed.width
    rows = [row for row in parsed.rows if any(row)]
    share = round(sum(len(row) == width for row in rows) / max(1, len(rows)), 2) if width > 1 else 0.0
    if parsed.delimiter == " " and (width < 3 or share < 0.7):
        share = 0.0  # words
    order = -_MARKS.index(parsed.delimiter) if parsed.delimiter in _MARKS else 0
    return share, 0 if _splits_numbers(parsed, width) or parsed.delimiter == " " else width, order


def _splits_numbers(parsed: _Parsed, width: int) -> bool:
    if parsed.delimiter != ",":
        return False
    rows = [row for row in parsed.rows if len(row) == width][:200]
    return bool(rows) and all(
        left[-1:].isdigit() and right[:1].isdigit() for row in rows for left, right in pairwise(row)
    )


def _quote_of(head: str) -> str:
    if '"' in head:
        return '"'
    single = re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=[,;\t|\r\n]|$)", head, re.MULTILINE)
    return "'" if len(single) >= 2 else '"'


def _parse(head: str, complete: bool, delimiter: str, quote: str, escape: str) -> _Parsed | None:
    text = io.StringIO(head.removeprefix("\ufeff"), newline="")
    csv.field_size_limit(HEAD)  # Python's own limit is an eighth of a cell with a picture or a page in it
    reader = csv.reader(
        text,
        delimiter=delimiter,
        quotechar=quote,
        doublequote=escape == quote,
        escapechar=None if escape == quote else escape,
    )
    rows: list[list[str]] = []
    ends: list[int] = []
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
            if len(rows) > _MOST_ROWS:
                break
    except csv.Error:
        pass
    if not complete and len(rows) > 1:
        rows.pop()
        ends.pop()
    return _Parsed(rows, ends, delimiter, quote, escape) if rows else None


def _first_row(parsed: _Parsed, width: int, skipped: int) -> int:
    """The index of the header, or of the first row of data: what stands above it has other widths."""
    rows = parsed.rows
    for index in range(skipped, len(rows)):
        row = rows[index]
        if len(row) != width or not any(cell.strip() for cell in row):
            continue
        if not _is_title(rows, index, width) and not is_set_apart(rows, index, width):
            return _before(rows, index, width, skipped)
    return skipped


def _is_title(rows: Sequence[Sequence[str]], index: int, width: int) -> bool:
    """Whether the row is hardly filled, and what comes next looks like a header: sheets have titles above them."""
    filled = sum(bool(cell.strip()) for cell in rows[index])
    following = next((row for row in rows[index + 1 : index + 20] if any(cell.strip() for cell in row)), ())
    after = sum(bool(cell.strip()) for cell in following)
    return (
        width > 1
        and index < 20
        and 2 * filled <= width
        and len(following) == width
        and (after > filled or 2 * after <= width)
        and not any(is_figure(cell) for cell in following)
    )


def _before(rows: Sequence[Sequence[str]], index: int, width: int, skipped: int) -> int:
    """The row above the first full one, if that is a header one cell short or too long, else that row."""
    if index == skipped or width == 1:
        return index
    above = rows[index - 1]
    near = len(above) in (width - 1, width + 1) and len(above) > 1 and all(cell.strip() for cell in above[:-1])
    return index - 1 if near and not any(is_figure(cell) for cell in above) else index


def _has_header(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row names the others: by votes of the columns."""
    first = [cell.strip() for cell in rows[0]]
    body = [row for row in rows[1:200] if len(row) == width]
    if not body:
        return not any(is_figure(cell) for cell in first)
    if _periods(first, body):
        return True
    others = [row for row in body if [cell.strip() for cell in row] != first]
    if len(others) < len(body) and sum(_votes(first, others)) > 0:
        return True  # it comes again, as on each page of what is printed
    votes = sum(_votes(first, body))
    if votes:
        return votes > 0
    # Nothing tells but words: names of columns may repeat, but not as what stands below them.
    below = [{row[index].strip().lower() for row in body} for index in range(min(width, len(first)))]
    repeats = len({cell.lower() for cell in first if cell}) < len([cell for cell in first if cell])
    return not repeats or not any(cell and cell.lower() in values for cell, values in zip(first, below, strict=False))


def _votes(first: Sequence[str], body: Sequence[Sequence[str]]) -> list[int]:
    """What each column says of whether its first cell is its name: 1, 0 or -1."""
    columns = zip(first, zip(*body, strict=True), strict=False)
    return [_vote(cell.strip(), [value.strip() for value in values if value.strip()]) for cell, values in columns]


def _periods(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether years name columns: two or more in order, over figures of which not all are years."""
    years = [(index, int(cell)) for index, cell in enumerate(first) if YEAR.fullmatch(cell)]
    steps = {later - sooner for (_, sooner), (_, later) in pairwise(years)}
    below = [row[index].strip() for index, _ in years for row in body if index < len(row) and row[index].strip()]
    even = len(steps) == 1 and abs(next(iter(steps))) <= 25 and steps != {0}
    return even and bool(below) and not all(map(YEAR.fullmatch, below))


def _heads(parsed: _Parsed, first: int, skipped: int, width: int) -> tuple[int, int] | tuple[()]:
    """Where two rows name the columns: groups of columns, each over several, and the columns of each below them."""
    for upper in (first - 1, first):
        rows = parsed.rows[upper : upper + 200] if upper >= skipped else []
        if len(rows) < 4 or not all(len(row) == width for row in rows[:3]):
            continue
        groups, names = ([cell.strip() for cell in row] for row in rows[:2])
        if (groups[0] and names[0]) or not all(name or groups[i] for i, name in enumerate(names) if i):
            continue
        if any(is_figure(name) and not YEAR.fullmatch(name) for name in names) or not _spans(groups, names):
            continue
        votes = _votes(names, [row for row in rows[2:] if len(row) == width])
        years = _periods(names, rows[2:]) or len(set(filter(YEAR.fullmatch, names))) > 1
        if min(votes, default=-1) >= 0 and (sum(votes) > 1 or years):
            return upper, upper + 1
    return ()


def _spans(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Whether names that repeat stand under different groups, of which one at least stands over several names."""
    over = [(_group(groups, index), name.lower()) for index, name in enumerate(names) if name]
    counted = Counter(group for group, _ in over if group)
    several = len({group for group in groups if group}) > 1 and max(counted.values(), default=0) > 1
    return several and len(set(over)) == len(over) and len(over) > len(names) // 2


def _group(groups: Sequence[str], index: int) -> str:
    """The group over a column: what stands above it, or the last one to the left of an empty cell."""
    return next((cell for cell in reversed(groups[: index + 1]) if cell), "")


def _joined(groups: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns under two rows of heads: "2001 Q1"; a head over one column alone names it."""
    groups, names = [cell.strip() for cell in groups], [cell.strip() for cell in names]
    heads = [_group(groups, index) if name else groups[index] for index, name in enumerate(names)]
    return tuple(
        name if head in ("", name) else f"{head} {name}".strip() for head, name in zip(heads, names, strict=True)
    )


def _vote(first: str, values: list[str]) -> int:
    if not values:
        return 0
    forms = candidates(values)
    if not first:
        return 0
    if forms:
        if not forms[0].fits(first) and not (unit_of(first) and is_figure(first)):
            return 1
        years = YEAR.fullmatch(first) and forms[0] in (WHOLE, DECIMAL) and not all(map(YEAR.fullmatch, values))
        return 0 if years else -1
    if is_figure(first):
        return -1 if not YEAR.fullmatch(first) else 0
    return -1 if first in values and len(values) > 3 else 0


def _labels(header: Sequence[str], body: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """One header a column. One short: R leaves out that of the first column, the names of its rows."""
    labels = list(header)
    if len(labels) == width - 1:
        last_is_blank = all(not row[-1].strip() for row in body if len(row) == width)
        labels = [*labels, ""] if last_is_blank else ["", *labels]
    if len(labels) == width + 1 and not labels[-1].strip():
        labels.pop()
    return tuple(labels)
