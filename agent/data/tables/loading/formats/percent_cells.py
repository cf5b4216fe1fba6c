"""Which cells of an Excel file (XLSX) are shown in percent: its parser gives their bare values, 0.25 for 25%.

Nothing here refuses a file. Where its parts cannot be read, no cell is known to be in percent.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

from agent.text.encodings import MEBIBYTE
from agent.text.regex import regex

_MOST_OF_PART = 8 * MEBIBYTE  # bytes, of all parts but the sheets
_BUILT_IN = {"9", "10"}  # 0% and 0.00%
_NO_SIGN = regex(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')  # text, blanks and colours of a format
# The attributes of a cell in the order in which all programs write them: its place, its style, its type.
_CELL = rb"<(?:\w+:)?c\s+r=\"(%s)(\d{1,7})\"%s(?:\s+t=\"n\")?\s*>"
_LONGEST_CELL = 300  # bytes of its tag
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError),
    *(KeyError, RuntimeError, ValueError, ElementTree.ParseError),
)
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
Columns = Mapping[int, int]


def percent_columns(path: Path) -> Mapping[str, Columns]:
    """Of each sheet the columns whose numbers are shown in percent, from a row on. All are counted from 0.

    A column in which other numbers follow is left out: some of its cells mean something else.
    """
    with suppress(*_BROKEN), zipfile.ZipFile(path) as archive:
        if styles := _percent_styles(_part(archive, "xl/styles.xml")):
            return {name: _columns(archive, part, styles) for name, part in _sheets(archive)}
    return {}


def in_percent(value: float) -> str:
    """``0.07`` gives ``7%``."""
    return f"{(Decimal(repr(value)) * 100).normalize():f}%"


def _part(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    with archive.open(name) as file:
        content = file.read(_MOST_OF_PART + 1)
    if len(content) > _MOST_OF_PART or b"<!DOCTYPE" in content:
        raise ValueError(name)
    return ElementTree.fromstring(content)


def _percent_styles(root: ElementTree.Element) -> set[bytes]:
    """The numbers that cells give their styles by, of those in percent."""
    codes = {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iterfind("{*}numFmts/{*}numFmt")}
    formats = _BUILT_IN | {number for number, code in codes.items() if "%" in _NO_SIGN.sub("", code)}
    styles = enumerate(root.iterfind("{*}cellXfs/{*}xf"))
    return {b"%d" % place for place, style in styles if style.get("numFmtId") in formats}


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The names of the sheets, each with that of its part of the archive."""
    relations = _part(archive, "xl/_rels/workbook.xml.rels")
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations}
    for sheet in _part(archive, "xl/workbook.xml").iterfind("{*}sheets/{*}sheet"):
        target = targets.get(sheet.get(_RELATION, ""), "")
        if target:
            yield sheet.get("name", ""), posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")


def _columns(archive: zipfile.ZipFile, part: str, styles: set[bytes]) -> Columns:
    styled = b'\\s+s="(?:%s)"' % b"|".join(styles)
    plain = b'(?:\\s+s="(?!(?:%s)")\\d+")?' % b"|".join(styles)
    percents = re.compile(_CELL % (b"[A-Z]{1,3}", styled))
    found: dict[bytes, int] = {}
    others: set[bytes] = set()
    for text in _blocks(archive, part):
        for column, row in percents.findall(text):
            found.setdefault(column, int(row) - 1)
        if columns := found.keys() - others:
            numbers = re.compile(_CELL % (b"|".join(columns), plain))
            others |= {column for column, row in numbers.findall(text) if int(row) - 1 > found[column]}
    return {_number(column): row for column, row in found.items() if column not in others}


def _blocks(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """The text of a part, in pieces that cut no tag."""
    kept = b""
    with archive.open(part) as file:
        while block := file.read(MEBIBYTE):
            text, _, kept = (kept + block).rpartition(b"<")
            yield text
            kept = b"<" + kept[:_LONGEST_CELL]
    yield kept


def _number(column: bytes) -> int:
    number = 0
    for letter in column:
        number = number * 26 + letter - 64
    return number - 1
