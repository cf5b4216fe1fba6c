"""Lists of lines as tables: "Congo: 4,700 km", "- Abisko – 385 m, 78 beds", "1. Ida Lund 2:31:07", records of keys.

A line is a row whose first cell is its name. Keys that come again ("Model: …", "Price: …", "Model: …") are heads of
columns, and each time that they come is a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from agent.evidence.tables.cell_words import TOKEN
from agent.evidence.tables.digits import is_year
from agent.text.quantities.units import SPELLINGS
from agent.text.regex import regex

_MOST_VALUE = 120  # characters: what is longer is prose
_MOST_KEY = 60
_MOST_SHORT_KEY, _MOST_KEYED = 40, 80  # of several pairs in a line
_MOST_WORDINGS = 12
_LEAST_WEAK = 3  # lines with no sign between name and value

_MARKER = regex(r"[ \t]*(?:[-*+•][ \t]+|\(?[0-9]{1,3}[.)][ \t]+|[0-9]{1,3} (?=[^\W\d_a-z]))?[*_#]{0,3}")
_STRONG = regex(
    r"([^:：=|\n]{1,60}?)[*_]{0,2}[ ]?(?:[:：](?=[\s*_])|[:：](?=[^\x00-\x7f])| [–—-] |=(?!=)|\.{3,})[*_]{0,2}\s*"
)
_COMMA = regex(r"([^,:\n]{2,60}), ")
_SPACE = regex(r"([^\W\d_][^0-9:,|\n]{0,60}?)[ ]+(?=[$€£¥]?[-−]?[0-9])")
_ENDS_PROSE = (".", "。", "?", "!", ":", "：", ",", ";")
_PARTS = regex(r",\s|; | ?[()（）]| / ")
_BEFORE_NUMBER = regex(r"(?<=[^\W\d_]) (?=[0-9])(?!(?:1[5-9]|20|21)[0-9]{2}(?![0-9]))")
_QUANTITY = regex(
    r"(?:[A-Z]{3} |[$€£¥]\s?)?[-−+]?[0-9][0-9.,:]*(?:[ \u00a0][0-9]{3}(?![0-9]))*"
    r"(?:[ \u00a0]?(?:%|°?[^\W\d_]+(?:/[^\W\d_]+)?[²³]?))?"
)
_PAIR = regex(r"([^\W\d][\w.-]{0,40})=(\"[^\"\n]{0,80}\"|[^\s,;\"=]+)(?=[\s,;]|$)")


class Piece(NamedTuple):
    """A text of a line, and where it starts in the source."""

    start: int
    text: str


class Entry(NamedTuple):
    """A line that names a thing and says something of it; ``kind`` is how the two are parted."""

    kind: str
    name: Piece
    value: Piece


Rows = list[list[Piece]]


def listed(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[tuple[str, ...], Rows]]:
    """The tables among lines of text: the heads of their columns, and their rows."""
    pairs = [_pairs(start, line) for start, line in lines]
    read = [None if two else _entry(start, line) for two, (start, line) in zip(pairs, lines, strict=True)]
    keys = Counter(entry.name.text.lower() for entry in read if entry is not None and entry.kind == ":")
    often = {key for key, count in keys.items() if count > 1}
    if 2 * len(often) > len(keys):
        yield from _of_records(list(_records(lines, read)))
        return
    yield from _of_records([two for two in pairs if two])
    kept = [entry for entry, (_, line) in zip(read, lines, strict=True) if entry is not None or line.strip()]
    for kind, run in groupby(kept, lambda entry: entry.kind if entry is not None else ""):
        entries = [entry for entry in run if entry is not None]
        told = sum(any(map(str.isdigit, entry.value.text)) for entry in entries)
        if kind and told >= (2 if kind == ":" else _LEAST_WEAK):
            yield _of_entries(entries)


def _pairs(start: int, line: str) -> dict[str, Piece]:
    """The pairs of a line like "name=web1 cpu=12" or "Name: web1; CPU: 12": at least two."""
    found = {match[1]: Piece(start + match.start(2), match[2]) for match in _PAIR.finditer(line)} if "=" in line else {}
    if "; " in line and not found:
        parts = [_keyed(*placed) for placed in placed_parts(line.split(";"), start)]
        found = dict(one for one in parts if one is not None) if None not in parts else {}
    return found if len(found) > 1 else {}


def _keyed(start: int, part: str) -> tuple[str, Piece] | None:
    """The key and the value of "CPU: 12"."""
    key, _, value = part.partition(":")
    name, said = key.strip(), value.strip()
    if not (0 < len(name) <= _MOST_SHORT_KEY and 0 < len(said) <= _MOST_KEYED and ":" not in said):
        return None
    return name.lower(), Piece(start + part.find(said, len(key)), said)


def placed_parts(parts: Sequence[str], position: int) -> list[tuple[int, str]]:
    """Parts of a line with one sign between them, each with where it starts."""
    found: list[tuple[int, str]] = []
    for part in parts:
        found.append((position, part))
        position += len(part) + 1
    return found


def _entry(start: int, line: str) -> Entry | None:
    line = line.rstrip()
    marker = _MARKER.match(line)
    left = marker.end() if marker is not None else 0
    if line.endswith(_ENDS_PROSE) or "://" in line:
        return None
    for kind, pattern in ((":", _STRONG), (",", _COMMA), (" ", _SPACE)):
        found = pattern.match(line, left)
        if found is not None and (kind != "," or line[:left].strip()):
            name, value = found[1].strip(' \t*_"'), line[found.end() :].strip(" *_")
            if not name or len(value) > _MOST_VALUE or not value:
                return None
            return Entry(
                kind, Piece(start + line.find(name, left), name), Piece(start + line.find(value, found.end()), value)
            )
    return None


def _records(lines: Sequence[tuple[int, str]], read: Sequence[Entry | None]) -> Iterator[dict[str, Piece]]:
    """Pairs of key and value until a key comes again; a line above the first of them names the record."""
    record: dict[str, Piece] = {}
    title: Piece | None = None
    for entry, (start, line) in zip(read, lines, strict=True):
        if entry is None or entry.kind != ":":
            text = line.strip(" \t#*_")
            name = text.removesuffix(":")
            named = len(text) <= _MOST_KEY and not name.endswith(_ENDS_PROSE)
            title = title if not text else Piece(start + line.find(name), name) if named else None
            if text and record:
                yield record
                record = {}
            continue
        key = entry.name.text.lower()
        if key in record:
            yield record
            record, title = {}, None
        if title is not None and not record:
            record[""] = title
        record[key] = entry.value
    if record:
        yield record


def _of_records(records: Sequence[dict[str, Piece]]) -> Iterator[tuple[tuple[str, ...], Rows]]:
    titled = 2 * sum("" in record for record in records) > len(records)
    keys = list(dict.fromkeys(key for record in records for key in record if key or titled))
    if len(records) < 2 or len(keys) < 2:
        return
    rows: Rows = []
    for record in records:
        first = min(piece.start for piece in record.values())
        rows.append([record.get(key, Piece(first, "")) for key in keys])
    yield tuple(key.replace("_", " ") for key in keys), rows


def _of_entries(entries: Sequence[Entry]) -> tuple[tuple[str, ...], Rows]:
    rows = [[entry.name, *_parted(entry.value, entry.kind == " ")] for entry in entries]
    rows = _by_words(rows) if len(set(map(len, rows))) > 1 else rows
    heads = [""]
    for number in range(1, max(map(len, rows))):
        cells = [row[number].text for row in rows if number < len(row) and row[number].text]
        said = [TOKEN.findall(text.lower()) for text in cells]
        common = set(said[0]).intersection(*said[1:])
        words = [
            word for word in said[0] if word in common - SPELLINGS.keys() and (word[1:].isalpha() or is_year(word))
        ]
        heads.append(" ".join(words) or " " * number)  # an empty or repeated one would have what stands on its left
        for row in rows:
            if number < len(row):
                row[number] = _quantity(row[number], common)
    for number in range(len(heads) - 1, 1, -1):  # "4,312 (2023)" in all lines: a column of 2023
        if is_year(heads[number]):
            heads[number - 1] += f" {heads.pop(number)}"
            for row in rows:
                del row[number : number + 1]
    return tuple(heads), rows


def _by_words(rows: Rows) -> Rows:
    """Lines of different lengths with a column for each wording of their parts: "low 4 °C", "wind 25 km/h"."""
    records: list[dict[str, Piece]] = []
    for name, *pieces in rows:
        words = [[word for word in TOKEN.findall(piece.text.lower()) if word.isalpha()] for piece in pieces]
        keys = [
            " ".join(one) if any(map(str.isdigit, piece.text)) else "-"
            for one, piece in zip(words, pieces, strict=True)
        ]
        records.append({"": name, **dict(zip(keys, pieces, strict=True))})
        if len(records[-1]) <= len(pieces):
            return rows
    columns = dict.fromkeys(key for record in records for key in record)
    if len(columns) > _MOST_WORDINGS:
        return rows
    return [[record.get(key, Piece(record[""].start, "")) for key in columns] for record in records]


def _parted(value: Piece, at_numbers: bool) -> Iterator[Piece]:
    """The parts of what a line says, each of which is a cell."""
    left = 0
    cuts = [match.span() for match in _PARTS.finditer(value.text)]
    cuts += [match.span() for match in _BEFORE_NUMBER.finditer(value.text)] if at_numbers else []
    for start, end in (*sorted(cuts), (len(value.text), len(value.text))):
        text = value.text[left:start].strip()
        if text:
            yield Piece(value.start + value.text.find(text, left), text)
        left = end


def _quantity(cell: Piece, common: set[str]) -> Piece:
    """The quantity of a cell alone, where all else that it says is said in its column everywhere."""
    found = _QUANTITY.search(cell.text)
    if found is None:
        return cell
    before, after = TOKEN.findall(cell.text[: found.start()].lower()), TOKEN.findall(cell.text[found.end() :].lower())
    if not common.issuperset(before) or (len(after) > 1 and not common.issuperset(after)):
        return cell
    return Piece(cell.start + found.start(), found[0] if common.issuperset(after) else cell.text[found.start() :])
