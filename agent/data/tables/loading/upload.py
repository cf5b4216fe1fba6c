"""A visitor's file into tables: all of it, or nothing and a sentence."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Literal

import duckdb

from agent.data.refusal import Refused, check_room, damaged, locked
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import stem
from agent.data.tables.loading.formats.delimited import load_text
from agent.data.tables.loading.load_work import Limits, Work, new_file, size_words
from agent.interface_text import Text
from agent.text.encodings import MEBIBYTE, utf_16_without_mark

FileKind = Literal["text", "gzip", "excel", "parquet", "json", "sqlite", "duckdb", "pdf"]
_HEAD = 4096
_BOOKS = {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}
_NO_TABLES: Mapping[str, Sequence[bytes]] = {
    Text("a picture"): (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*"),
    Text("a text document"): (b"{\\rtf",),
    Text("a program"): (b"\x7fELF", b"MZ"),
    Text("a sound"): (b"ID3", b"OggS"),
    Text("an archive"): (b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ", b"(\xb5/\xfd"),
    Text("a Python pickle"): (b"\x80\x04\x95",),
    Text("an Arrow file"): (b"ARROW1",),
    Text("an encrypted Parquet file"): (b"PARE",),
    Text("a NumPy file"): (b"\x93NUMPY",),
    Text("an HDF5 file"): (b"\x89HDF",),
    Text("an Access database"): (b"\x00\x01\x00\x00Standard",),
}
_TAKEN = Text("Tables can be CSV, Excel, Parquet, JSON, SQLite or DuckDB files.")
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def load(work: Work, path: Path) -> Sequence[Table]:
    """The tables of the file at ``path``: one, or one a sheet or table in it.

    Raises ``Refused`` with a sentence where it is not understood; then nothing is left in the folder.
    """
    before = {entry.name for entry in work.folder.iterdir()}
    try:
        return _within_memory(work, path)
    except Refused:
        for entry in work.folder.iterdir():
            if entry.name not in before:
                entry.unlink(missing_ok=True)
        raise


def _within_memory(work: Work, path: Path) -> Sequence[Table]:
    try:
        return _load(work, path)
    except duckdb.OutOfMemoryException:
        raise work.because("{name} needs more memory than one file may take to load.", kind="size") from None


def _load(work: Work, path: Path) -> Sequence[Table]:
    match recognised(path, work.name, work.limits):
        case "text":
            return [load_text(work, path, stem(work.name))]
        case "gzip":
            return _unpacked(work, path)
        case "excel":
            from agent.data.tables.loading.formats.sheets import load_sheets

            return load_sheets(work, path)
        case "pdf":
            from agent.data.tables.loading.formats.pdf_tables import load_pdf

            return load_pdf(work, path)
        case "json":
            from agent.data.tables.loading.formats.records import load_json

            return [load_json(work, path, stem(work.name))]
        case "parquet":
            from agent.data.tables.loading.formats.records import load_parquet

            return [load_parquet(work, path, stem(work.name))]
        case "sqlite":
            from agent.data.tables.loading.formats.sheets import load_sqlite

            return load_sqlite(work, path)
        case "duckdb":
            from agent.data.tables.loading.formats.records import load_duckdb

            return load_duckdb(work, path)


def _unpacked(work: Work, path: Path) -> Sequence[Table]:
    """What is packed by gzip, unpacked up to the limit."""
    target = work.folder / new_file(".unpacked.part")
    try:
        _unpack(work, path, target)
        inner = replace(work, name=work.name.removesuffix(".gz").removesuffix(".GZ"))
        kind = recognised(target, work.name, replace(work.limits, file=work.limits.unpacked))
        if kind == "gzip":
            raise work.because("{name} is packed twice. Unpack it, and load the table in it.")
        limits = replace(work.limits, file=work.limits.unpacked)
        return [replace(table, source=work.name) for table in _load(replace(inner, limits=limits), target)]
    finally:
        target.unlink(missing_ok=True)


def _unpack(work: Work, path: Path, target: Path) -> None:
    size = 0
    try:
        with gzip.open(path) as source, target.open("wb") as file:
            while block := source.read(MEBIBYTE):
                size += len(block)
                if size > work.limits.unpacked:
                    raise work.because(
                        "{name} has more than {most} once unpacked; no more can be loaded.",
                        most=size_words(work.limits.unpacked),
                        kind="size",
                    )
                file.write(block)
    except (EOFError, OSError, zlib.error) as error:
        check_room(error)
        raise damaged(work.name) from None


def recognised(path: Path, name: str, limits: Limits) -> FileKind:
    """The kind of the file at ``path``, called ``name``. Raises ``Refused`` for what cannot be a table."""
    size = path.stat().st_size
    if not size:
        raise Refused.because("{name} is empty.", name=name)
    if size > limits.file:
        raise Refused.because(
            "{name} has {size}; at most {most} can be loaded. Leave out columns or rows "
            "you do not need, or save it as Parquet.",
            name=name,
            size=size_words(size),
            most=size_words(limits.file),
            kind="size",
        )
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(max(0, size - 8))
        tail = file.read()
    return _binary(path, name, head, tail, limits) or _text(name, head)


def _binary(path: Path, name: str, head: bytes, tail: bytes, limits: Limits) -> FileKind | None:
    if head.startswith(b"PAR1"):
        if not tail.endswith(b"PAR1") or len(head) < 12:
            raise Refused.because(
                "{name} is a Parquet file whose end is missing. Copy or download it again.", name=name
            )
        return "parquet"
    if head.startswith(b"SQLite format 3\x00"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"%PDF"):
        return "pdf"
    if head.startswith(OLD_OFFICE):
        return _old_office(path, name)
    if head.startswith(b"PK"):
        return _zipped(path, name, limits)
    _refuse_others(name, head)
    return None


def _refuse_others(name: str, head: bytes) -> None:
    for what, starts in _NO_TABLES.items():
        # The short ones may begin a text as well.
        if any(head.startswith(start) and (len(start) > 3 or looks_binary(head)) for start in starts):
            raise Refused.because("{name} is {what}, not a table. {taken}", name=name, what=what, taken=_TAKEN)
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        raise Refused.because("{name} is a picture, a sound or a film, not a table. {taken}", name=name, taken=_TAKEN)


def _old_office(path: Path, name: str) -> FileKind:
    content = old_office(path, name)
    if any(part.encode("utf-16-le") in content for part in ("Workbook", "Book")):
        return "excel"
    raise Refused.because("{name} is an Office document without sheets. {taken}", name=name, taken=_TAKEN)


def old_office(path: Path, name: str) -> bytes:
    """A file of an Office before 2007. Raises ``Refused`` for a newer one under a password: both are wrapped alike."""
    content = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise locked(name)
    return content


def zipped(path: Path, name: str, kind: Set[str]) -> list[zipfile.ZipInfo]:
    """What is in an archive, where it is of a ``kind`` that has such a part.

    Raises ``Refused`` for one that is damaged, and for one of that kind under a password.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise damaged(name) from None
    if names_of(parts) & kind and any(part.flag_bits & 1 for part in parts):
        raise locked(name)
    return parts


def names_of(parts: Iterable[zipfile.ZipInfo]) -> set[str]:
    return {part.filename for part in parts}


def _zipped(path: Path, name: str, limits: Limits) -> FileKind:
    parts = zipped(path, name, _BOOKS)
    names = names_of(parts)
    if not names & _BOOKS:
        document = Text("a Word or PowerPoint document") if "[Content_Types].xml" in names else Text("an archive")
        raise Refused.because(
            "{name} is {document}. Unpack it, and load the table in it. {taken}",
            name=name,
            document=document,
            taken=_TAKEN,
        )
    sizes = [part.file_size for part in parts]
    if sum(sizes) > 2 * limits.sheet or max(sizes) > limits.sheet:
        raise Refused.because(
            "{name} is too large for an Excel file once unpacked ({size}). Save the sheet as CSV, and load that.",
            name=name,
            size=size_words(sum(sizes)),
            kind="size",
        )
    return "excel"


def _text(name: str, head: bytes) -> FileKind:
    if looks_binary(head):
        raise Refused.because("{name} is not a text or table that can be read here. {taken}", name=name, taken=_TAKEN)
    start = _plain_start(head)
    if not start:
        return "text"
    if start.startswith(("<!doctype", "<html", "<?xml", "<svg", "<table", "<head", "<body")):
        what = "XML" if start.startswith(("<?xml", "<svg")) else Text("a web page (HTML)")
        hint = "Maybe the link led to a page for signing in, not to the file." if what != "XML" else ""
        raise Refused(" ".join(f"{name} is {what}, not a table. {hint} {_TAKEN}".split()), "file")
    ending = name.lower().removesuffix(".gz").rpartition(".")[2]
    if ending in ("json", "jsonl", "ndjson", "geojson"):
        return "json"
    if ending not in ("csv", "tsv", "tab") and start.startswith(("[{", '{"', "[ {", '{ "', "[\n", "{\n", "[\r", "{\r")):
        return "json"
    return "text"


def _plain_start(head: bytes) -> str:
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    return head.decode(encoding, "replace").removeprefix("\ufeff").lstrip()[:20].lower()


def looks_binary(head: bytes, odd_of: int = 50) -> bool:
    """Whether one byte of ``odd_of`` or more is of no text.

    UTF-16 is no binary: it has a mark at its start, or a zero in every other byte.
    """
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or utf_16_without_mark(head):
        return False
    odd = sum(byte < 32 and byte not in (9, 10, 12, 13, 27, 31) for byte in head)
    return b"\x00" in head or odd * odd_of > len(head)
