"""JSON as tables: a row for each object of a list, with a column for each value in it, however deep it stands.

``{"name": "A", "visitors": {"2023": 1, "2024": 2}}`` is a row with the columns "name", "visitors 2023" and
"visitors 2024". Objects of a list within it are rows of a table of their own, each with the name of the outer one.
Objects under names ({"Oslo": {…}, "Rome": {…}}), lists of lists, and lists side by side are tables, too. What is cut
off or no JSON is read as far as it goes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from agent.evidence.tables.row_kinds import MOST_CELL, MOST_COLUMNS, MOST_ROWS, counted, named_first
from agent.evidence.tables.table_model import Cell, Table
from agent.text.regex import regex

_DEEPEST = 12  # objects and lists within one another
_MOST_OBJECTS = 4 * MOST_ROWS
_MOST_INHERITED = 2  # texts of an outer object that its inner rows have, too
_LONGEST_NAME = 60  # characters
_SAYS_UNIT = regex(r"unit|scale|currency|measure", re.I)
_NO_NAMES = ("true", "false", "null")
_SCALAR = r"-?[0-9][0-9.eE+-]*|true|false|null"
_NUMBER = regex(r"(?!(?:1[5-9]|2[01])[0-9]{2}$)-?[0-9]+(?:\.[0-9]+)?$")  # and no year
_TOKEN = regex(
    r'"((?:[^"\\\n]|\\.){1,80}+)"\s*:\s*(?:("(?:[^"\\]|\\.)*+"|' + _SCALAR + r")|(?=[\[{]))|[\[\]{}]"
    r'|("(?:[^"\\\n]|\\.){0,1000}+"|' + _SCALAR + ")"
)


class Scalar(NamedTuple):
    """A value or a key without its quotes, at ``start`` to ``end`` of the source."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Object:
    pairs: list[tuple[Scalar, _Value]] = field(default_factory=list["tuple[Scalar, _Value]"])


@dataclass(slots=True)
class _List:
    items: list[_Value] = field(default_factory=list["_Value"])


_Value: TypeAlias = Scalar | _Object | _List
_Path: TypeAlias = tuple[str, ...]
_Names: TypeAlias = dict[str, str]  # texts of outer objects by their keys
_Row: TypeAlias = dict[str, Scalar]


def json_tables(text: str, start: int = 0) -> list[Table]:
    """The tables of the JSON that begins at ``start``, in the order of their first rows; in linear time."""
    found = _Found()
    found.add_alone(_List(_read(text, start)), ())
    return found.tables()


def _read(text: str, start: int) -> list[_Value]:
    """The values of a text; a bracket that closes nothing is left out, one that is never closed ends with the text."""
    root = _List()
    stack: list[_Object | _List] = [root]
    key: Scalar | None = None
    objects = 0
    for found in _TOKEN.finditer(text, start):
        which = found.lastindex
        top = stack[-1]
        if which is None:
            sign = found[0]
            if sign in "{[":
                objects += 1
                if objects > _MOST_OBJECTS:
                    break
                opened = _Object() if sign == "{" else _List()
                if len(stack) <= _DEEPEST:
                    _put(top, key, opened)
                stack.append(opened)
            else:
                _close(stack, _Object if sign == "}" else _List)
            key = None
        elif which == 3:
            key = None
            if isinstance(top, _List):
                top.items.append(_scalar(found[3], *found.span(3)))
        else:
            key = Scalar(*found.span(1), found[1])
            if which == 2:
                _put(top, key, _scalar(found[2], *found.span(2)))
                key = None
    return root.items


def _put(top: _Object | _List, key: Scalar | None, value: _Value) -> None:
    if isinstance(top, _List):
        top.items.append(value)
    elif key is not None:
        top.pairs.append((key, value))


def _close(stack: list[_Object | _List], kind: type) -> None:
    """Close the last object or list, and another that was left open within it."""
    for back in (1, 2):
        if len(stack) > back and isinstance(stack[-back], kind):
            del stack[-back:]
            return


def _scalar(said: str, start: int, end: int) -> Scalar:
    return Scalar(start + 1, end - 1, _unescaped(said)) if said[0] == '"' else Scalar(start, end, said)


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value[1:-1]
    try:
        return str(json.loads(value))
    except ValueError:
        return value[1:-1]


@dataclass(slots=True)
class _Records:
    """Objects of one kind: the keys of their columns, and the row of each with the names of what it is in."""

    columns: dict[str, None] = field(default_factory=dict[str, None])
    rows: list[tuple[_Names, _Row]] = field(default_factory=list["tuple[_Names, _Row]"])

    def add(self, names: _Names, row: _Row) -> None:
        if row.keys() - {""} and len(self.rows) < MOST_ROWS:
            self.columns.update(dict.fromkeys(row))
            self.rows.append((names, row))

    def table(self, path: _Path, before: str) -> Table | None:
        if not self.rows or (len(self.rows) < 2 and len(self.columns) < 2):
            return None
        outer = list(dict.fromkeys(key for names, _ in self.rows for key in names))
        heads = [f"{path[-2]} {key}" if key in self.columns and len(path) > 1 else key for key in outer]
        keys = list(self.columns)[: MOST_COLUMNS - len(outer)]
        body: list[tuple[Cell, ...]] = []
        for number, (names, row) in enumerate(self.rows, 1):
            first = min([one.start for one in row.values()])
            said = [(first, first, names.get(key, "")) for key in outer]
            said += [row.get(key) or (first, first, "") for key in keys]
            body.append(_cells(said, number))
        first = body[0][0].start
        head = _cells([(first, first, said.replace("_", " ")) for said in (*heads, *keys)], 0)
        return Table(tuple(named_first(counted([head, *body], 1), 1)), 1, before)


def _cells(said: Sequence[tuple[int, int, str]], row: int) -> tuple[Cell, ...]:
    return tuple([Cell(start, end, text[:MOST_CELL], row, column) for column, (start, end, text) in enumerate(said)])


class _Found:
    """The tables of a text: the rows of objects under the keys that lead to them, and those of lists."""

    def __init__(self) -> None:
        self._records: dict[_Path, _Records] = {}
        self._lists: list[Table] = []
        self._units: dict[_Path, str] = {}

    def tables(self) -> list[Table]:
        found = [records.table(path, self._before(path)) for path, records in self._records.items()]
        return sorted([*self._lists, *(one for one in found if one is not None)], key=lambda table: table.start)

    def _before(self, path: _Path) -> str:
        """What stands above the rows of a path: the units that are said of all, and the keys that lead to them."""
        said = [self._units.get(path[:length], "") for length in range(len(path) + 1)]
        return " ".join([*filter(None, said), *path]).replace("_", " ").lower()

    def add_alone(self, value: _Value, path: _Path, heads: Sequence[_List] = ()) -> None:
        """Add what is in no record: one object, or a list of them; ``heads`` are lists beside it that may be its heads.

        A list of a single object is like the object.
        """
        if isinstance(value, _List) and len(value.items) == 1:
            value = value.items[0]
        if isinstance(value, _Object):
            self._add_object(value, path)
        elif isinstance(value, _List):
            lists = [one for one in value.items if isinstance(one, _List)]
            if len(lists) > 1 and (table := _of_lists(lists, heads)) is not None:
                self._lists.append(table)
                return
            for one in value.items:
                if isinstance(one, _Object):
                    self._add_record(one, path, {})
                else:
                    self.add_alone(one, path)

    def _add_object(self, found: _Object, path: _Path) -> None:
        """Add an object that is not one of many: objects under names in it are rows, and its own values are one."""
        pairs = found.pairs
        if _has_names(found):
            for key, value in pairs:
                if isinstance(value, _Object):
                    self._add_record(value, path, {}, key)
            pairs = [pair for pair in pairs if not isinstance(pair[1], _Object)]
        row: _Row = {}
        inner: list[tuple[_Path, _Value]] = []
        _flatten(pairs, (), row, inner, True)
        self._units[path] = " ".join([one.text for key, one in row.items() if _SAYS_UNIT.search(key)])
        self._records.setdefault((*path, ""), _Records()).add({}, row)
        lists = [(key, value) for key, value in pairs if isinstance(value, _List) and _is_plain(value)]
        if not any(isinstance(value, _List) and isinstance(value.items[:1], _List) for _, value in pairs):
            self._lists += _side_by_side(lists)
        for keys, value in inner:
            self.add_alone(value, (*path, *keys), [one for _, one in lists])

    def _add_record(self, found: _Object, path: _Path, names: _Names, key: Scalar | None = None) -> None:
        """Add an object as a row, and those of lists in it as rows with its first texts."""
        row: _Row = {"": key} if key is not None else {}
        inner: list[tuple[_Path, _Value]] = []
        _flatten(found.pairs, (), row, inner, False)
        self._records.setdefault(path, _Records()).add(names, row)
        if not inner:
            return
        own = [(said, one.text) for said, one in row.items() if _is_name(one.text)][:_MOST_INHERITED]
        named = {**names, **{f"{' '.join(path[-1:])} {said}" if said in names else said: text for said, text in own}}
        for keys, value in inner:
            for one in value.items if isinstance(value, _List) else ():
                if isinstance(one, _Object):
                    self._add_record(one, (*path, *keys), named)


def _flatten(
    pairs: Sequence[tuple[Scalar, _Value]],
    keys: _Path,
    row: _Row,
    inner: list[tuple[_Path, _Value]],
    alone: bool,
) -> None:
    """Put all values of pairs into ``row`` under the keys that lead to them, what makes rows of its own into ``inner``.

    Objects do where they stand ``alone``, in no record, and hold lists or objects under names.
    """
    for key, value in pairs:
        path = (*keys, key.text)
        if isinstance(value, Scalar):
            row[" ".join(path)] = value
        elif isinstance(value, _List) or (alone and (_has_names(value) or _has_lists(value))):
            inner.append((path, value))
        else:
            _flatten(value.pairs, path, row, inner, alone)


def _has_names(found: _Object) -> bool:
    """Whether the keys of an object are names of objects of one kind: {"Oslo": {…}, "Rome": {…}}."""
    objects = [value for _, value in found.pairs if isinstance(value, _Object)]
    if len(objects) < 2:
        return False
    keys = Counter(key.text for one in objects for key, value in one.pairs if not isinstance(value, _List))
    return any(2 * count > len(objects) for count in keys.values() if count > 1)


def _has_lists(found: _Object) -> bool:
    return any(isinstance(value, _List) for _, value in found.pairs)


def _is_plain(found: _List) -> bool:
    return len(found.items) > 1 and all(isinstance(one, Scalar) for one in found.items)


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and text not in _NO_NAMES and "://" not in text and not _numeric(text)


def _numeric(text: str) -> bool:
    return Cell(0, 0, text, 0, 0).numeric


def _of_lists(lists: Sequence[_List], heads: Sequence[_List]) -> Table | None:
    """A list of lists that are as long as one another, whose first one or another list beside it has the heads."""
    rows = [[one for one in each.items if isinstance(one, Scalar)] for each in lists[:MOST_ROWS]]
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows):
        return None
    body = [_cells(row[:MOST_COLUMNS], number) for number, row in enumerate(rows)]
    head = next((one.items for one in heads if len(one.items) == width and not _numeric(_text(one.items[0]))), None)
    if head is not None:
        first = body[0][0].start
        body = [_cells(row[:MOST_COLUMNS], number) for number, row in enumerate(rows, 1)]
        body.insert(0, _cells([(first, first, _text(one).replace("_", " ")) for one in head[:MOST_COLUMNS]], 0))
    elif any(cell.numeric for cell in body[0]):
        return None
    return Table(tuple(named_first(counted(body, 1), 1)), 1) if len(body) > 1 else None


def _text(value: _Value) -> str:
    return value.text if isinstance(value, Scalar) else ""


def _side_by_side(lists: Sequence[tuple[Scalar, _List]]) -> Iterator[Table]:
    """Lists that are as long as one another: {"time": ["6 h", "7 h"], "wind": [11, 12]}, each as a row."""
    alike = [(key, one) for key, one in lists if len(one.items) == len(lists[0][1].items)]
    rows = [
        _cells(
            [key._replace(text=key.text.replace("_", " ")), *[one for one in each.items if isinstance(one, Scalar)]][
                :MOST_COLUMNS
            ],
            number,
        )
        for number, (key, each) in enumerate(alike)
    ]
    if len(rows) > 1 and any(cell.numeric for row in rows for cell in row):
        yield Table(tuple(rows), int(not any(_NUMBER.match(cell.text) for cell in rows[0])))
