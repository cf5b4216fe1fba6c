"""A table with a row for each thing and year, turned into one with a column for each year, as reports show it."""

from __future__ import annotations

from agent.evidence.tables.table_model import Cell, Table

_FEWEST, _MOST = 2, 40  # years, and things
_FILLED = 0.75  # of the cells; things that have a year each are in no series


def pivot_of(table: Table) -> Table | None:
    """The same cells with a row for each label and a column for each year; ``None`` where the table is of other form.

    It has one column of labels, one of years and one of numbers, and no label has a year twice.
    """
    body = [row for row in table.body if len(row) == table.width]
    years = sorted(table.year_columns)
    values = [column for column in table.numeric_columns if column not in table.year_columns]
    labels = [column for column in range(table.width) if column not in (*years, *values)]
    if len(years) != 1 or len(values) != 1 or not labels or len(body) < 2 * _FEWEST:
        return None
    of_label: dict[str, dict[str, Cell]] = {}
    first: dict[str, Cell] = {}
    of_year: dict[str, Cell] = {}
    for row in body:
        label, year, value = row[labels[0]], row[years[0]], row[values[0]]
        cells = of_label.setdefault(label.text, {})
        if year.text in cells or not label.text:
            return None
        cells[year.text] = value
        first.setdefault(label.text, label)
        of_year.setdefault(year.text, year)
    if not (_FEWEST <= len(of_year) <= _MOST and _FEWEST <= len(of_label) <= _MOST):
        return None
    if len(body) < _FILLED * len(of_year) * len(of_label):
        return None
    ordered = sorted(of_year)
    heads = table.rows[: table.heads][-1:]
    lines = [[head[labels[0]], head[values[0]]] for head in heads if len(head) == table.width]
    lines.append([_nothing(body[0][0]), *(of_year[year] for year in ordered)])
    for label, cells in of_label.items():
        lines.append([first[label], *(cells.get(year, _nothing(first[label])) for year in ordered)])
    rows = tuple(
        tuple(cell._replace(row=row, column=column) for column, cell in enumerate(line))
        for row, line in enumerate(lines)
    )
    return Table(rows, len(lines) - len(of_label), table.before)


def _nothing(beside: Cell) -> Cell:
    """An empty cell."""
    return Cell(beside.end, beside.end, "", 0, 0)
