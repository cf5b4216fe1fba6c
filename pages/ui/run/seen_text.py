"""An observed text with the places that a claim rests on: as it stands, and its tables as tables."""

from __future__ import annotations

from collections.abc import Sequence

from agent.evidence.shown_tables import ShownRow, ShownTable, shown_tables
from pages.ui.text.escape import highlighted

_Places = Sequence[tuple[int, int]]


def seen_text(text: str, places: _Places, region: str) -> str:
    """HTML in which each place is a ``mark``; ``region`` are the attributes of what holds it. No text is a tag."""
    tables = list(shown_tables(text, places))
    if not tables:
        return f'<pre class="glassbox-observation" {region}>{highlighted(text, places)}</pre>'
    pieces, done = list[str](), 0
    for table in tables:
        pieces += [_between(text, done, table.start, places), _table(text, table, places)]
        done = table.end
    pieces.append(_between(text, done, len(text), places))
    return f'<div class="glassbox-observation" {region}>{"".join(pieces)}</div>'


def _between(text: str, start: int, end: int, places: _Places) -> str:
    """What stands before, between and behind tables, without the ends of its lines next to them."""
    said = text[start:end]
    start += len(said) - len(said.lstrip("\n"))
    return _marked(text, start, start + len(said.strip("\n")), places)


def _marked(text: str, start: int, end: int, places: _Places) -> str:
    inside = [(left - start, right - start) for left, right in places if start <= left and right <= end]
    return highlighted(text[start:end], inside)


def _table(text: str, table: ShownTable, places: _Places) -> str:
    rows = [_row(text, row, table, places) for row in table.rows]
    if table.more:
        rows.append(_left_out(table.rows[-1]))
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _left_out(row: ShownRow) -> str:
    return f'<tr><td colspan="{len(row.cells)}">…</td></tr>'


def _row(text: str, row: ShownRow, table: ShownTable, places: _Places) -> str:
    tag = "th" if row.is_head else "td"
    cells = "".join(
        f"<{tag}{' data-number' if column in table.numeric else ''}>{_marked(text, *cell, places)}</{tag}>"
        for column, cell in enumerate(row.cells)
    )
    meant = " data-meant" if row.has_place and not row.is_head else ""
    return f"{_left_out(row) if row.far else ''}<tr{meant}>{cells}</tr>"
