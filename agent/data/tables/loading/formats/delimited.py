"""CSV and its kin into a table: read as text by DuckDB, made into values by the forms that fit.

A small file is read as text first; then every value of it has a say in the types. A large one is written at once in
the types of a sample, and again in the careful way where a value further on does not fit. Lines that are no rows are
kept aside.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.complaints import in_words
from agent.data.tables.asking.engine import fetch_one, importing
from agent.data.tables.columns import Base, Column, Table
from agent.data.tables.identifiers import column_names, label_of, literal, quoted, table_name, told_apart
from agent.data.tables.loading.column_types import Reading, decided_by
from agent.data.tables.loading.formats.layout import HEAD, Layout, layout_of
from agent.data.tables.loading.formats.notes_around import MOST_NOTES, notes_below
from agent.data.tables.loading.formats.plain_sentences import AS_TEXT
from agent.data.tables.loading.load_work import Work, check_columns, new_file, unfinished, write_parquet
from agent.data.tables.loading.odd_rows import likely_totals, raw_name
from agent.data.tables.loading.raw_tables import Made, column_of, made_of_text
from agent.data.tables.loading.value_forms import strict, text_value
from agent.interface_text import Text, packed
from agent.text.encodings import plain, transcoded

_MOST_REJECTED = 100_000  # counted; a thousand are kept
_MOST_KEPT = 1_000
_STATE = "state machine"  # what DuckDB says of a mixture of ends of lines
_LONGEST_LINE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    layout: Layout
    base: Base

    def sql(self) -> str:
        columns = ", ".join(f"{literal(raw_name(place))}: 'VARCHAR'" for place in range(len(self.base.labels)))
        layout = self.layout
        return (
            f"read_csv({literal(str(self.path))}, auto_detect=false, header=false, skip={layout.skip}, "
            f"delim={literal(layout.delimiter)}, quote={literal(layout.quote)}, escape={literal(layout.escape)}, "
            f"columns={{{columns}}}, null_padding={'true' if layout.padded else 'false'}, ignore_errors=true, "
            f"store_rejects=true, rejects_limit={_MOST_REJECTED}, max_line_size={_LONGEST_LINE}, strict_mode=true)"
        )


def load_text(work: Work, path: Path, label: str, header: bool | None = None) -> Table:
    """The text at ``path`` as a table named after ``label``. Raises ``Refused``; leaves nothing behind then."""
    copy = work.folder / new_file(".txt.part")
    try:
        work.reporter.report("Reading")
        clean = plain(path, copy, work.limits.exact)
        try:
            return _load(work, clean.path, copy, label, header, clean.note)
        except _NotClean:
            # Beyond the parts that were looked at, a large file is not what it seemed.
            again = transcoded(path, copy, "utf-8" if clean.path == path else clean.encoding)
            return _load(work, copy, copy, label, header, again.note)
    finally:
        copy.unlink(missing_ok=True)


class _NotClean(Exception):
    """There are letters that are no UTF-8, or two kinds of ends of lines."""


def _load(work: Work, path: Path, copy: Path, label: str, header: bool | None, note: str) -> Table:
    with path.open(encoding="utf-8", newline="", errors="replace") as file:
        head = file.read(HEAD)
        complete = not file.read(1)
    layout = layout_of(head, complete, header, work.limits)
    check_columns(len(layout.labels), work.limits)
    if layout.several:
        # DuckDB counts lines that are to be skipped in a way of its own where a cell of them has several.
        body = copy.with_suffix(".body.part")
        _without_lines(path, layout.skip, body)
        body.replace(copy)
        path, layout = copy, replace(layout, skip=0)
    source = _Source(path, layout, Base("", _labels(layout.labels), _labels(layout.lower), layout.delimiter == ";"))
    target = work.folder / new_file()
    with importing(work.folder, work.limits.memory) as connection, unfinished(target) as part:
        made, base = _written(work, connection, source, part)
        if path.stat().st_size > work.limits.exact and _encoding_errors(connection):
            raise _NotClean
        below = notes_below(path, _short_lines(connection))
        bad_rows, bad_file = _bad_rows(connection, work.folder, [line for line, _ in below])
        if not made.rows:
            raise Refused(_no_row(work.name, connection), "file")
    notes = [note, *_left_out(layout.above, " · ".join(text for _, text in below))]
    if again := _repeated(source.base.labels):
        notes.append(Text("Several columns are headed “{label}”; the later ones have a number.", label=again))
    if layout.prose:
        notes.append(Text("It looks like text, not like a table: each row is a sentence. {hint}", hint=AS_TEXT))
    elif not layout.header:
        notes.append(Text("There is no header; columns are named by their places."))
    return Table(
        table_name(label, work.taken),
        target.name,
        work.name,
        made.rows,
        made.columns,
        tuple(note for note in notes if note),
        bad_rows,
        bad_file,
        made.repairs,
        base,
    )


def _left_out(above: str, below: str) -> Iterator[Text]:
    """What is written around the table, where there is something."""
    if above:
        yield Text("Left out above the header: “{above}”.", above=above[:120])
    if below:
        yield Text("Left out below the rows: “{below}”.", below=below[:120])


def _repeated(labels: Sequence[str]) -> str:
    """The first header that stands above several columns."""
    return next((label for label in labels if label and labels.count(label) > 1), "")


def _labels(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(label_of, texts))


def _without_lines(path: Path, lines: int, target: Path) -> None:
    with path.open("rb") as source, target.open("wb") as file:
        for _ in range(lines):
            source.readline()
        shutil.copyfileobj(source, file)


def _written(
    work: Work, connection: duckdb.DuckDBPyConnection, source: _Source, part: Path
) -> tuple[Made, Base | None]:
    if source.path.stat().st_size > work.limits.exact:
        readings = decided_by(list(zip(*source.layout.rows, strict=True)), source.base.comma)
        # Of a column without any value so far, or whose values may mean two things, only the whole can tell.
        if not source.base.lower and not any(
            reading.empty or reading.open or (reading.form and reading.form.formats > 1) for reading in readings
        ):
            columns, query = _selected(source, readings)
            try:
                rows = write_parquet(connection, query, part, work.reporter, "Loading")
                if not likely_totals(connection, str(part), [column.name for column in columns]):
                    return Made(columns, rows, ()), None
            except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
                if _STATE in str(error):
                    raise _NotClean from None
    return _carefully(work, connection, source, part)


def _carefully(
    work: Work, connection: duckdb.DuckDBPyConnection, source: _Source, part: Path
) -> tuple[Made, Base | None]:
    """What was made of the text of all cells, which is kept where something was put right."""
    raw = part.with_suffix(".raw.part")
    try:
        write_parquet(
            connection, f"SELECT * FROM {source.sql()}", raw, work.reporter, "Loading", len(source.base.labels)
        )
        work.reporter.report("Looking at the types")
        made = made_of_text(connection, str(raw), source.base, (), part, work.reporter)
        if not made.repairs:
            return made, None
        kept = work.folder / new_file()
        raw.replace(kept)
        return made, replace(source.base, file=kept.name)
    except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
        if _STATE in str(error) and not source.path.name.endswith(".txt.part"):
            raise _NotClean from None
        raise work.because(
            "{name} could not be read as rows and columns: {in_words}", in_words=in_words(error)
        ) from None
    finally:
        raw.unlink(missing_ok=True)


def _selected(source: _Source, readings: Sequence[Reading]) -> tuple[tuple[Column, ...], str]:
    """The columns as they are read, and the SQL that stops at a value that does not fit."""
    labels, rows = told_apart(source.base.labels), source.layout.rows[:1000]
    columns: list[Column] = []
    parts: list[str] = []
    for place, (name, label, reading) in enumerate(zip(column_names(labels), labels, readings, strict=True)):
        raw = quoted(raw_name(place))
        value = strict(reading.form, raw, (row[place] for row in rows)) if reading.form else text_value(raw)
        columns.append(column_of(name, label, reading))
        parts.append(f"{value} AS {quoted(name)}")
    return tuple(columns), f"SELECT {', '.join(parts)} FROM {source.sql()}"


def _encoding_errors(connection: duckdb.DuckDBPyConnection) -> bool:
    wrong = "SELECT count(*) FROM reject_errors WHERE regexp_matches(error_type, '(?i)unicode|encoding')"
    return bool(fetch_one(connection, wrong)[0])


def _short_lines(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, str]]:
    """The last lines that have too few cells, each with its number."""
    rows = connection.execute(
        "SELECT line, any_value(csv_line) FROM reject_errors WHERE error_type = 'MISSING COLUMNS' GROUP BY line "
        f"ORDER BY line DESC LIMIT {MOST_NOTES}"
    ).fetchall()
    return [(int(line), str(text or "")) for line, text in reversed(rows)]


def _bad_rows(connection: duckdb.DuckDBPyConnection, folder: Path, notes: Sequence[int]) -> tuple[int, str]:
    """How many lines are no rows (-1 for more than are counted), and the file that holds the first of them.

    Lines that are ``notes`` are not among them.
    """
    others = f"FROM reject_errors WHERE NOT list_contains({[*notes]}::BIGINT[], line)"
    (count,) = fetch_one(connection, f"SELECT count(DISTINCT line) {others}")
    if not count:
        return 0, ""
    rows = connection.execute(
        f"SELECT line, any_value(error_type), any_value(csv_line) {others} GROUP BY line "
        f"ORDER BY line LIMIT {_MOST_KEPT}"
    ).fetchall()
    kept = [
        {"line": int(line), "problem": _PROBLEMS.get(str(kind), Text("cannot be read")), "text": str(text or "")[:1000]}
        for line, kind, text in rows
    ]
    target = folder / new_file(".json")
    target.write_text(json.dumps(packed(kept), ensure_ascii=False), encoding="utf-8")
    return (-1 if count >= _MOST_REJECTED else count), target.name


def _no_row(name: str, connection: duckdb.DuckDBPyConnection) -> Text:
    row = connection.execute("SELECT line, error_type FROM reject_errors ORDER BY line LIMIT 1").fetchone()
    if row is None:
        return Text("No row of {name} could be read.", name=name)
    problem = _PROBLEMS.get(str(row[1]), Text("a mistake"))
    return Text(
        "No row of {name} could be read: line {line} has {problem}.", name=name, line=int(row[0]), problem=problem
    )


_PROBLEMS = {
    "MISSING COLUMNS": Text("too few cells"),
    "TOO MANY COLUMNS": Text("too many cells"),
    "UNQUOTED VALUE": Text("an open quotation mark"),
    "LINE SIZE OVER MAXIMUM": Text("too long"),
    "INVALID ENCODING": Text("letters that cannot be read"),
    "INVALID UNICODE": Text("letters that cannot be read"),
}
