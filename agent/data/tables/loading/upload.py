"""A visitor's file into tables: all of it, or nothing and a sentence."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agent.data.refusal import Refused
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import stem
from agent.data.tables.loading.formats.delimited import load_text
from agent.data.tables.loading.load_work import Work, size_words
from agent.data.tables.loading.recognising import recognised
from agent.data.tables.loading.writing import new_file
from agent.text.encodings import MEBIBYTE


def load(work: Work, path: Path) -> Sequence[Table]:
    """The tables of the file at ``path``: one, or one a sheet or table in it.

    Raises ``Refused`` with a sentence where it is not understood; then nothing is left in the folder.
    """
    before = {entry.name for entry in work.folder.iterdir()}
    try:
        return _load(work, path)
    except Refused:
        for entry in work.folder.iterdir():
            if entry.name not in before:
                entry.unlink(missing_ok=True)
        raise


def _load(work: Work, path: Path) -> Sequence[Table]:
    match recognised(path, work.name, work.limits):
        case "text":
            return [load_text(work, path, stem(work.name))]
        case "gzip":
            return _unpacked(work, path)
        case "excel":
            from agent.data.tables.loading.formats.sheets import load_sheets

            return load_sheets(work, path)
        case "json":
            from agent.data.tables.loading.formats.records import load_json

            return [load_json(work, path, stem(work.name))]
        case "parquet":
            from agent.data.tables.loading.formats.records import load_parquet

            return [load_parquet(work, path, stem(work.name))]
        case "sqlite":
            from agent.data.tables.loading.formats.sqlite_files import load_sqlite

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
            raise Refused.because("{name} is packed twice. Unpack it, and load the table in it.", name=work.name)
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
                    raise Refused.because(
                        "{name} has more than {most} once unpacked; no more can be loaded.",
                        name=work.name,
                        most=size_words(work.limits.unpacked),
                        kind="size",
                    )
                file.write(block)
    except (EOFError, OSError, zlib.error):
        raise Refused.because(
            "{name} is damaged or its end is missing. Copy or download it again.", name=work.name
        ) from None
