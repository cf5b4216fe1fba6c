"""Rows of a file that are no data: blank ones, its header once more, the lines of printed pages, sums of other rows.

All of them are looked for in the text of the cells, in columns ``c0``, ``c1``…, by the places of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isclose

import duckdb

from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.loading.column_types import Reading
from agent.data.tables.loading.value_forms import BLANKS

_WIDEST = 200  # columns; in wider tables nothing is looked for
_MOST_LEFT_OUT = 20_000
_MOST_SUMS = 200
_LABELS = 3  # columns in which a row of totals may say what it is
# A row that calls itself so is one where the figures agree; where they do not, it is a guess that a person is told.
_WORDS = (
    r"(grand |sub[ -]?|over)?totals?|(sub)?sum|overall|(gesamt|zwischen)?summe|gesamt|insgesamt|(sous-)?total|totaux|"
    r"somme|totale|suma( total)?|totaal|summa|yhteensä|razem|итого|всего|toplam"
)
_CHARACTERS = "[合小総总][計计]|总和|합계|총계|소계"
_TOTAL = rf"(?i)(({_WORDS})([\s:.,(].*)?|.*\s({_WORDS})[:.]?|({_CHARACTERS}).*|.*({_CHARACTERS}))"
_LIKELY = rf"{_TOTAL}|(?i)(all|everything|altogether)"  # no totals where the figures do not agree
_MEAN = (
    r"(?i)(overall |grand )?(average|avg|mean)|durchschnitt|mittelwert|moyenne|media|promedio|gemiddelde|平均値?|평균"
)
_BARE = rf"(?i)(({_WORDS})[:.]?|{_CHARACTERS}[:：]?)"
_NOTE = r"\p{L}{2}"  # in a cell that is alone in its row
_ALONE = ("lone", "note")
Sums = Sequence[float | None]


def raw_name(place: int) -> str:
    return f"c{place}"


def rows_of(file: str, without: Sequence[int] = ()) -> str:
    """SQL for the rows of the Parquet file, with their places as ``file_row_number``, but those at some places."""
    source = f"read_parquet({literal(file)}, file_row_number=true)"
    if not without:
        return source
    return f"(SELECT * FROM {source} WHERE NOT list_contains([{', '.join(map(str, without))}], file_row_number))"


@dataclass(frozen=True, slots=True)
class Furniture:
    """The places of ``rows`` without data; ``notes``: some of them are notes below the others."""

    rows: tuple[int, ...] = ()
    notes: bool = False


def furniture(connection: duckdb.DuckDBPyConnection, file: str, labels: Sequence[str]) -> Furniture:
    """Blank rows, those that repeat the header, lone cells between these, as page numbers, and notes at the end."""
    if len(labels) > _WIDEST:
        return Furniture()
    cells = [f"trim(coalesce({quoted(raw_name(place))}, ''), {BLANKS})" for place in range(len(labels))]
    named = [f"{cell} = {literal(label)}" for cell, label in zip(cells, labels, strict=True) if label]
    header = " AND ".join(named) if len(named) > 1 else "false"
    filled = f"len(list_filter([{', '.join(cells)}], lambda cell: cell <> ''))"
    alone = f"CASE WHEN regexp_matches(concat({', '.join(cells)}), {literal(_NOTE)}) THEN 'note' ELSE 'lone' END"
    kinds = f"CASE WHEN {header} THEN 'header' WHEN {filled} = 0 THEN 'blank' WHEN {filled} = 1 THEN {alone} END"
    found = connection.execute(
        f"SELECT file_row_number, kind FROM (SELECT file_row_number, {kinds} AS kind FROM {rows_of(file)}) "
        f"WHERE kind IS NOT NULL ORDER BY 1 LIMIT {_MOST_LEFT_OUT}"
    ).fetchall()
    (last,) = connection.execute(f"SELECT coalesce(max(file_row_number), -1) FROM {rows_of(file)}").fetchone() or (-1,)
    kind_at = {int(place): str(kind) for place, kind in found}
    printed = "header" in kind_at.values() and len(labels) > 2
    below = _notes_below(kind_at, int(last)) if len(labels) > 1 else set[int]()
    rows = (
        at
        for at, kind in kind_at.items()
        if kind not in _ALONE or at in below or (printed and _on_an_edge(at, kind_at, int(last)))
    )
    return Furniture(tuple(rows), any(kind_at[at] == "note" for at in below))


def _notes_below(kinds: Mapping[int, str], last: int) -> set[int]:
    """The rows at the end with nothing but a note in them, where a blank row is above them."""
    found, place = set[int](), last
    while kinds.get(place) in ("note", "blank"):
        found.add(place)
        place -= 1
    return found if kinds.get(place + 1) == "blank" else set()


def _on_an_edge(place: int, kinds: Mapping[int, str], last: int) -> bool:
    """Whether but for blank rows and lone cells the header comes next, or the end."""
    while kinds.get(place) in (*_ALONE, "blank"):
        place += 1
    return place > last or kinds.get(place) == "header"


@dataclass(frozen=True, slots=True)
class Totals:
    """The places of rows that sum up others: ``sure`` where their figures agree, else by their words alone."""

    rows: tuple[int, ...] = ()
    sure: bool = False


def likely_totals(
    connection: duckdb.DuckDBPyConnection, file: str, names: Sequence[str], without: Sequence[int] = ()
) -> list[int]:
    """The places of rows that call themselves totals, and of last rows that say averages or have no name at all."""
    if not 1 < len(names) <= _WIDEST:
        return []
    cells = [f"nullif(trim(CAST({quoted(name)} AS VARCHAR), {BLANKS}), '')" for name in names]
    source = rows_of(file, without)
    label = f"coalesce({', '.join(_in_words(connection, source, names[:_LABELS], cells))})"
    figures = f"len(list_filter([{', '.join(cells)}], lambda cell: regexp_matches(cell, '[0-9]')))"
    # What begins with a letter comes behind all figures: most rows are passed over without a look at their words.
    words = literal(f"{_LIKELY}|{_MEAN}")
    said = f"CASE WHEN {label} > ':' THEN regexp_full_match({label}, {words}) AND {figures} > 0 END"
    mean = _is_mean(label)
    found = connection.execute(
        f"SELECT file_row_number, {mean} FROM {source} WHERE {said} ORDER BY 1 LIMIT {_MOST_SUMS + 1}"
    ).fetchall()
    count, end = connection.execute(f"SELECT count(*), max(file_row_number) FROM {source}").fetchone() or (0, -1)
    last = connection.execute(
        f"SELECT file_row_number FROM {source} WHERE file_row_number = {end or 0} AND {cells[0]} IS NULL "
        f"AND {figures} > 0"
    ).fetchall()
    after = {int(at): _rows_after(connection, source, int(at)) for at, is_mean in found if is_mean}
    # In the midst "Average" is a grade, or a place.
    named = [
        int(at) for n, (at, _) in enumerate(found, 1) if after.get(int(at), 0) == len(found) - n or at not in after
    ]
    places = sorted({*named, *(int(row[0]) for row in (last if count > _LABELS else ()))})
    # Where every other row is one, it is what the table is about.
    return places if 2 * len(places) < count and len(places) <= _MOST_SUMS else []


def _in_words(
    connection: duckdb.DuckDBPyConnection, source: str, names: Sequence[str], cells: Sequence[str]
) -> list[str]:
    """SQL for what the columns of these ``names`` say in words: of one of numbers or dates only that it says none."""
    columns = ", ".join(map(quoted, names))
    types = [row[1] for row in connection.execute(f"DESCRIBE SELECT {columns} FROM {source}").fetchall()]
    return [
        cell if kind == "VARCHAR" else f"CASE WHEN {quoted(name)} IS NOT NULL THEN '0' END"
        for name, cell, kind in zip(names, cells, types, strict=False)
    ]


def _is_mean(label: str) -> str:
    return f"coalesce(regexp_full_match({label}, {literal(_MEAN)}), false)"


def _rows_after(connection: duckdb.DuckDBPyConnection, source: str, place: int) -> int:
    counted = connection.execute(f"SELECT count(*) FROM {source} WHERE file_row_number > {place}").fetchone()
    return int(counted[0]) if counted else 0


def confirmed_totals(
    connection: duckdb.DuckDBPyConnection,
    file: str,
    readings: Sequence[Reading],
    likely: Sequence[int],
    without: Sequence[int],
) -> Totals:
    """Those of the ``likely`` rows whose figures are the sums of rows above them; all, not sure, where none are."""
    agreed = likely
    for _ in range(2):  # a row that is none was a border between the sums of the others
        agreed = _agreeing(connection, file, readings, agreed, without)
    if agreed:
        return Totals(tuple(agreed), sure=True)
    named = f"regexp_full_match(trim(coalesce(c0, c1), {BLANKS}), {literal(_TOTAL)})"
    listed = ", ".join(map(str, likely))
    found = connection.execute(
        f"SELECT file_row_number FROM {rows_of(file)} WHERE list_contains([{listed}], file_row_number) AND {named}"
    ).fetchall()
    return Totals(tuple(int(row[0]) for row in found))


def name_their_sums(connection: duckdb.DuckDBPyConnection, file: str, rows: Sequence[int]) -> bool:
    """Whether one of these rows of totals says of what it is: "Total assets" is asked for as any other row."""
    named = f"NOT regexp_full_match(trim(coalesce(c0, ''), {BLANKS}), {literal(_BARE)}) AND coalesce(c0, '') <> ''"
    listed = f"list_contains([{', '.join(map(str, rows))}], file_row_number)"
    return (
        connection.execute(f"SELECT 1 FROM {rows_of(file)} WHERE {listed} AND {named} LIMIT 1").fetchone() is not None
    )


def _agreeing(
    connection: duckdb.DuckDBPyConnection,
    file: str,
    readings: Sequence[Reading],
    likely: Sequence[int],
    without: Sequence[int],
) -> list[int]:
    values = [
        f"CAST({reading.form.sql(quoted(raw_name(place)))} AS DOUBLE)"
        for place, reading in enumerate(readings)
        if reading.form and reading.form.type in ("BIGINT", "DOUBLE")
    ]
    if not likely or not values:
        return []
    listed = f"[{', '.join(map(str, likely))}]"
    sums = ", ".join(f"sum({value}), count({value})" for value in values)
    block = f"len(list_filter({listed}, lambda place: place < file_row_number))"
    data = rows_of(file, [*without, *likely])
    found = connection.execute(f"SELECT {block} AS block, {sums} FROM {data} GROUP BY 1").fetchall()
    blocks = {int(row[0]): row[1:] for row in found}
    names = ", ".join(f"nullif(trim(c{place}, {BLANKS}), '')" for place in range(min(_LABELS, len(readings))))
    told = connection.execute(
        f"SELECT file_row_number, {_is_mean(f'coalesce({names})')}, {', '.join(values)} FROM {rows_of(file)} "
        f"WHERE list_contains({listed}, file_row_number) ORDER BY 1"
    ).fetchall()
    before = [blocks.get(place, (None, 0) * len(values)) for place in range(len(likely))]
    return [int(row[0]) for place, row in enumerate(told) if _agrees(row[2:], before[: place + 1], bool(row[1]))]


def _agrees(figures: Sums, blocks: Sequence[Sums], mean: bool) -> bool:
    """Whether at least half of the figures are the sums, or the means, of the last of the blocks, or of the last ones.

    A block has the sum and the count of each figure's column in turn.
    """
    given = [place for place, figure in enumerate(figures) if figure is not None]
    agree = 0
    for place in given:
        figure = figures[place] or 0.0
        sums = [*accumulate((block[2 * place] or 0.0) for block in reversed(blocks))]
        counts = accumulate((block[2 * place + 1] or 0) for block in reversed(blocks))
        if mean:
            means = [total / count for total, count in zip(sums, counts, strict=True) if count]
            agree += any(isclose(figure, one, rel_tol=1e-9, abs_tol=_rounding(figure)) for one in means)
        else:
            agree += any(isclose(figure, total, rel_tol=1e-9, abs_tol=0.006) for total in sums)
    return bool(given) and 2 * agree >= len(given) and agree > 0


def _rounding(figure: float) -> float:
    """What a figure may differ by from the one that it is the rounded form of: 44.5 by 0.05."""
    written = "" if figure == int(figure) else repr(figure).partition(".")[2]
    return 0.501 * 10.0 ** -len(written)
