"""Tables whose columns are aligned by spaces, as statements and terminals print them.

Parts of one table stand below one another, with blank lines and lines for their sections between them; the heads stand
above the first part. A cell that is left empty is seen by where the others of its line stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple, TypeAlias

from agent.evidence.tables.row_kinds import MOST_CELL, MOST_COLUMNS
from agent.evidence.tables.table_model import Cell
from agent.text.regex import regex

ALIGNED = "  "
_MOST_BETWEEN = 3  # lines of text between two parts
_FEW = 3  # lines
_FULL = 3  # one line of so many fills all columns
_LONGEST_TITLE = 80  # characters
_RULED = regex(r"\s*(?:[-=]{2,}\s*)+")  # below the heads, above a total
_TOKEN = regex(r"\S+")
_WORD_AND_NUMBER = regex(r"[^\W\d_]{2,} (?!(?:1[5-9]|20)[0-9]{2}\b)[0-9]")
_NUMBERED, _NAMED = regex(r"([0-9]+) +(\S.*)"), regex(r"(\S.*?)  +(\S.*)")
_PIECE = regex(r"(?:[$€£¥₩₹] {1,20}(?=[(0-9−–-]))?\S+(?: \S+)*")
_WORD_OR_YEAR = regex(r"[^\d]*[^\W\d_]|.*(?:1[5-9]|20|21)[0-9]{2}")
_ENDS_PROSE = (".", "。", "?", "!", ",", ";")

Line: TypeAlias = tuple[int, str]


class _Piece(NamedTuple):
    """A text of a line, with where it starts and ends in it."""

    left: int
    right: int
    text: str


def with_parts(blocks: Iterable[tuple[str, list[Line]]]) -> Iterator[tuple[str, list[list[Line]]]]:
    """Blocks of lines of one kind, those that are aligned with all that go on below without heads of their own."""
    parts: list[list[Line]] = []
    between: list[Line] = []
    for mark, lines in _each_printed(blocks):
        if parts and mark == ALIGNED and not _has_heads(lines[0][1]):
            parts += [[line for line in between if line[1].strip()], lines]
            between = []
            continue
        if parts and not mark and not between and _are_titles(lines):
            between = lines
            continue
        if parts:
            yield ALIGNED, parts
        if between:
            yield "", [between]
        parts, between = ([lines], []) if mark == ALIGNED else ([], [])
        if mark != ALIGNED:
            yield mark, [lines]
    if parts:
        yield ALIGNED, parts
    if between:
        yield "", [between]


def _each_printed(blocks: Iterable[tuple[str, list[Line]]]) -> Iterator[tuple[str, list[Line]]]:
    for mark, block in blocks:
        for lines in _printed(block) if mark == ALIGNED else (block,):
            yield mark, lines


def _printed(lines: list[Line]) -> Iterator[list[Line]]:
    """Lines, parted where a table begins right below another one, as a program prints one after the other.

    Its heads stand to the right of where the rows before it begin, or as the last of the lines: above the name of the
    rows, which is a line of its own.
    """
    start = 0
    for number in range(1, len(lines)):
        line, before = lines[number][1], lines[number - 1][1]
        if not _has_heads(line) or _has_heads(before) or not _has_numbers(before):
            continue
        last = number + 1 == len(lines)
        if (last and not any(map(str.isdigit, line))) or (not last and line[:1] == " " != before[:1]):
            yield lines[start:number]
            start = number
    yield lines[start:]


def _has_numbers(line: str) -> bool:
    return any(Cell(0, 0, piece.text, 0, 0).numeric for piece in _pieces(line)[1:])


def is_title(line: str) -> bool:
    """Whether a line can name what stands below it: it is short, no sentence, and has no figures."""
    said = line.strip()
    return 0 < len(said) <= _LONGEST_TITLE and not said.endswith(_ENDS_PROSE) and not any(map(str.isdigit, said))


def _are_titles(lines: Sequence[Line]) -> bool:
    said = [line for _, line in lines if line.strip()]
    return len(said) <= _MOST_BETWEEN and all(map(is_title, said))


def _has_heads(line: str) -> bool:
    """Whether a line reads as heads: words or years behind its first text, and no quantities."""
    cells = [Cell(0, 0, piece.text, 0, column) for column, piece in enumerate(_pieces(line))]
    return not any(cell.numeric for cell in cells) and any(_WORD_OR_YEAR.match(cell.text) for cell in cells[1:])


def _pieces(line: str) -> list[_Piece]:
    found = islice(_PIECE.finditer(line), MOST_COLUMNS)
    return [_Piece(*one.span(), " ".join(one[0].split()) if ALIGNED in one[0] else one[0]) for one in found]


def aligned_rows(lines: Sequence[Line]) -> list[tuple[Cell, ...]]:
    """The rows of lines; none where they have no columns, a text lies in none, or uneven lines have no numbers.

    The first line may say of what the table is, right above its heads.
    """
    if len(lines) > _FEW and _is_above_heads(*(line for _, line in lines[:2])):
        lines = lines[1:]
    return _by_right_edges(lines) or _by_pieces(lines) or _by_heads(lines)


def _is_above_heads(line: str, heads: str) -> bool:
    """Whether a line says of what a table is, "week 7", and the next one has its heads."""
    said = [piece.text for piece in _pieces(line)]
    return len(said) < len(_pieces(heads)) and _has_heads(heads) and any(map(_WORD_AND_NUMBER.search, said))


def _by_right_edges(lines: Sequence[Line]) -> list[tuple[Cell, ...]]:
    """The rows of lines in which each column ends where its head does, as Python prints a data frame.

    Before the first column may stand what numbers or names the rows, with no head.
    """
    heads = [match.span() for match in _TOKEN.finditer(lines[0][1])] if len(lines) >= _FEW else []
    ends = [end for _, end in heads]
    if len(ends) < _FEW or not all(_ends_at(line, ends) for _, line in lines[1:]):
        return []
    rows: list[list[_Piece]] = []
    for number, (_, line) in enumerate(lines):
        left, row = 0, list[_Piece]()
        for end in ends:
            said = line[left:end]
            start = left + len(said) - len(said.lstrip())
            row.append(_Piece(start, end, line[start:end]))
            left = end
        rows.append(([_Piece(0, 0, "")] if not number else []) + (_parted(row[0]) if number else row[:1]) + row[1:])
    width = len(ends) + 1
    if all(len(row) == width for row in rows):
        return [_cells(dict(enumerate(row)), width, lines[at][0], at) for at, row in enumerate(rows)]
    return []


def _ends_at(line: str, ends: Sequence[int]) -> bool:
    """Whether a text ends at each of some places of a line, and the line at the last of them."""
    if len(line.rstrip()) != ends[-1]:
        return False
    return all(line[end - 1] != " " and line[end : end + 1] in ("", " ") for end in ends)


def _parted(piece: _Piece) -> list[_Piece]:
    """What numbers or names a row, and the first cell behind it: "3  Moneymaker"; one alone where no other is."""
    match = _NUMBERED.match(piece.text) or _NAMED.match(piece.text)
    if match is None:
        return [piece]
    return [
        _Piece(piece.left, piece.left + match.end(1), match[1]),
        _Piece(piece.left + match.start(2), piece.right, match[2]),
    ]


def _by_heads(lines: Sequence[Line]) -> list[tuple[Cell, ...]]:
    """The rows of lines whose numbers stand right below their short heads, one space apart: "P  W" above "30 21"."""
    heads = [_Piece(*match.span(), match[0]) for match in _TOKEN.finditer(lines[0][1])] if len(lines) >= _FEW else []
    if len(heads) < _FEW or any(map(_has_digit, heads)):
        return []
    rows = [_cells(dict(enumerate(heads)), len(heads), lines[0][0], 0)]
    for start, line in lines[1:]:
        if _RULED.fullmatch(line):
            continue
        placed: dict[int, _Piece] = {}
        for match in _TOKEN.finditer(line):
            column = _below(match.start(), match.end(), heads)
            before = placed.get(column)
            if before is not None and (_has_digit(before) or match[0][0].isdigit()):
                return []
            left = before.left if before is not None else match.start()
            placed[column] = _Piece(left, match.end(), line[left : match.end()])
        if len(placed) != len(heads):
            return []
        rows.append(_cells(placed, len(heads), start, len(rows)))
    return rows if len(rows) >= _FEW and _of_numbers(rows) else []


def _below(left: int, right: int, heads: Sequence[_Piece]) -> int:
    """The head that a text stands below: that of its left or right end, else the last one that begins before it."""
    ends = (number for number, head in enumerate(heads) if left == head.left or right == head.right)
    before = (number for number, head in reversed([*enumerate(heads)]) if head.left <= left)
    return next(ends, next(before, 0))


def _has_digit(piece: _Piece) -> bool:
    return any(map(str.isdigit, piece.text))


def _by_pieces(lines: Sequence[Line]) -> list[tuple[Cell, ...]]:
    """The rows of lines whose columns are two spaces apart."""
    pieces = [_pieces(line) for _, line in lines]
    width = _width(pieces)
    if not width:
        return []
    if len(pieces[0]) < width:
        pieces[0] = _head_words(lines[0][1], pieces[1:], width) or pieces[0]
    pieces[1:] = [
        _parted(one[0]) + one[1:] if len(one) == width - 1 and _NUMBERED.match(one[0].text) else one
        for one in pieces[1:]
    ]
    columns = _columns([one for one in pieces[1:] if len(one) == width])
    rows: list[tuple[Cell, ...]] = []
    for (start, line), one in zip(lines, pieces, strict=True):
        if _RULED.fullmatch(line):
            continue
        placed = dict(enumerate(one)) if len(one) == width else _placed(one, columns, line)
        if placed is None:
            return []
        rows.append(_cells(placed, width, start, len(rows)))
    return rows if len(rows) < _FEW or all(len(one) == width for one in pieces) or _of_numbers(rows) else []


def _head_words(line: str, below: Sequence[Sequence[_Piece]], width: int) -> list[_Piece]:
    """The words of a line of heads, if there is one for each column, or for each but the one that numbers the rows."""
    words = [_Piece(*match.span(), match[0]) for match in _TOKEN.finditer(line)]
    if len(words) == width - 1 and all(one[0].text.isdigit() for one in below if len(one) == width):
        words.insert(0, _Piece(0, 0, ""))
    return words if len(words) == width else []


def _of_numbers(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether at least half of the rows that have several cells have a number: not text in two columns of a page."""
    several = [row for row in rows if sum(bool(cell.text) for cell in row) > 1]
    return 2 * sum(any(cell.numeric for cell in row[1:]) for row in several) >= len(several)


def _width(pieces: Sequence[Sequence[_Piece]]) -> int:
    """How many columns lines have; 0 where too few fill them all."""
    if len(pieces) == 2 and len(pieces[1]) == len(pieces[0]) + 1 and pieces[0] and pieces[0][0].left:
        return len(pieces[1])  # no head above the names of the rows
    widths = Counter(len(one) for one in pieces if len(one) > 1)
    often = [width for width, count in widths.items() if count > 1 and _FULL * count >= widths.total()]
    return max(often, default=0)


def _columns(full: Sequence[Sequence[_Piece]]) -> list[tuple[int, int]]:
    """Where each column starts and ends; nothing where one lies above another.

    A long label may reach below a long number of the next column.
    """
    columns = list(zip(*full, strict=True))
    spans = [(min(one.left for one in column), max(one.right for one in column)) for column in columns]
    for (one, other), (left, right) in zip(pairwise(columns), pairwise(spans), strict=True):
        behind = max(each.left for each in one) < right[0] and left[1] < min(each.right for each in other)
        if left[1] > right[0] and not behind:
            return []
    return spans


def _placed(pieces: Sequence[_Piece], columns: Sequence[tuple[int, int]], line: str) -> dict[int, _Piece] | None:
    """The pieces of a line that does not fill all columns under the numbers of theirs."""
    if len(pieces) == 1 and (not columns or pieces[0].left < columns[0][1]):
        return {0: pieces[0]}
    if not columns or len(pieces) > len(columns):
        return None
    found: dict[int, _Piece] = {}
    for piece in pieces:
        first = max(found, default=-1) + 1
        apart = [(_apart(piece, columns[number]), number) for number in range(first, len(columns))]
        if not apart:
            return None
        found[min(apart)[1]] = piece
    return found


def _apart(piece: _Piece, column: tuple[int, int]) -> int:
    """How far a text is from a column: from one of its edges where they lie above one another, else far."""
    left, right = column
    beside = max(0, piece.left - right, left - piece.right)
    return min(abs(piece.right - right), abs(piece.left - left)) + 100 * beside


def _cells(placed: dict[int, _Piece], width: int, start: int, row: int) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    end = start
    for column in range(width):
        piece = placed.get(column)
        if piece is None:
            cells.append(Cell(end, end, "", row, column))
            continue
        end = start + piece.right
        cells.append(Cell(start + piece.left, end, piece.text[:MOST_CELL], row, column))
    return tuple(cells)
