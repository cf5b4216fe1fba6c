"""Which cells of an Excel file (XLSX) are shown in percent or with a unit: its parser gives their bare values.

0.25 for 25%, 1200 for 1,200 €. Nothing here refuses a file. Where its parts cannot be read, nothing is known of it.
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

from agent.data.tables.loading.value_forms import unit_of
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
# "€", [$€-407], \\€ or a bare € on either side; a short word behind the figure: 0.0 "kg".
_CURRENCY = regex(r'\[\$([^\]-]{1,4})(?:-[^\]]*)?\]|"\s*([$€£¥₹₩]|EUR|USD|GBP|CHF)\s*"|\\?([€£¥₹₩])')
_MEASURE = regex(r'[^"]*[0#?][^"]*"\s*((?:[a-zµ]|[^\W\d_]{2,8})[²³]?|°[CF]?)"[^"0#?]*')
_SCALED = regex(r"[0#?],+(?![0#?,])")  # 1,200,000 is shown as 1.2
_MOST_UNITS = 3  # of a workbook, beside percentages: a sheet is read once for each
Columns = Mapping[int, tuple[int, str]]


def columns_with_units(path: Path) -> Mapping[str, Columns]:
    """Of each sheet the columns whose numbers are shown with a unit (``%``, ``€``, ``kg``), from a row on.

    Columns and rows are counted from 0. A column in which other numbers follow is left out: some of its cells mean
    something else.
    """
    with suppress(*_BROKEN), zipfile.ZipFile(path) as archive:
        if styles := _styles(_part(archive, "xl/styles.xml")):
            return {name: _all_columns(archive, part, styles) for name, part in _sheets(archive)}
    return {}


def with_its_unit(value: float, unit: str) -> str:
    """``0.07`` in percent gives ``7%``, ``12.5`` in ``kg`` gives ``12.5 kg``."""
    if unit == "%":
        return f"{(Decimal(repr(value)) * 100).normalize():f}%"
    return f"{Decimal(repr(value)).normalize():f} {unit}"


def _part(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    with archive.open(name) as file:
        content = file.read(_MOST_OF_PART + 1)
    if len(content) > _MOST_OF_PART or b"<!DOCTYPE" in content:
        raise ValueError(name)
    return ElementTree.fromstring(content)


def _styles(root: ElementTree.Element) -> dict[str, set[bytes]]:
    """By the units: the numbers that cells give their styles by, of those with that unit."""
    codes = {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iterfind("{*}numFmts/{*}numFmt")}
    units = dict.fromkeys(_BUILT_IN, "%") | {number: _unit(code) for number, code in codes.items()}
    found: dict[str, set[bytes]] = {}
    for place, style in enumerate(root.iterfind("{*}cellXfs/{*}xf")):
        if unit := units.get(style.get("numFmtId", "")):
            found.setdefault(unit, set()).add(b"%d" % place)
    kept = [unit for unit in found if unit != "%"][:_MOST_UNITS]
    return {unit: styles for unit, styles in found.items() if unit == "%" or unit in kept}


def _unit(code: str) -> str:
    """The unit that a format writes; "" where it writes none, or may write several."""
    if "%" in _NO_SIGN.sub("", code):
        return "%"
    if _SCALED.search(code):
        return ""
    if currencies := {str(found[found.lastindex or 0]) for found in _CURRENCY.finditer(code)}:
        sign = next(iter(currencies))
        return sign if len(currencies) == 1 and unit_of(f"1 {sign}") == sign else ""
    measures = {found[1] if (found := _MEASURE.fullmatch(section)) else "" for section in code.split(";")[:2]}
    return next(iter(measures)) if len(measures) == 1 else ""


def _all_columns(archive: zipfile.ZipFile, part: str, styles: Mapping[str, set[bytes]]) -> Columns:
    return {
        column: (first, unit)
        for unit, numbers in styles.items()
        for column, first in _columns(archive, part, numbers).items()
    }


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The names of the sheets, each with that of its part of the archive."""
    relations = _part(archive, "xl/_rels/workbook.xml.rels")
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations}
    for sheet in _part(archive, "xl/workbook.xml").iterfind("{*}sheets/{*}sheet"):
        target = targets.get(sheet.get(_RELATION, ""), "")
        if target:
            yield sheet.get("name", ""), posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")


def _columns(archive: zipfile.ZipFile, part: str, styles: set[bytes]) -> dict[int, int]:
    styled = b'\\s+s="(?:%s)"' % b"|".join(styles)
    plain = b'(?:\\s+s="(?!(?:%s)")\\d+")?' % b"|".join(styles)
    shown = re.compile(_CELL % (b"[A-Z]{1,3}", styled))
    found: dict[bytes, int] = {}
    others: set[bytes] = set()
    for text in _blocks(archive, part):
        for column, row in shown.findall(text):
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
