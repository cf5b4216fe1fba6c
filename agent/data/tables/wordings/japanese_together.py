"""Two columns of each row put together: 「交通費と宿泊費を全部足すといくら」."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, is_share, usual
from agent.data.tables.wordings.japanese_pieces import is_money_head
from agent.text.regex import regex

_APART = regex(r"どちら|どっち|それぞれ|別々|各")


def together(table: Table, columns: Sequence[Column], filters: Sequence[Filter], text: str) -> Asked | None:
    """The sum over both columns of the rows; ``None`` where they have not the same unit, or each is asked for alone."""
    alike = all(map(is_money_head, columns)) or len({column.unit or column.called for column in columns}) == 1
    summed = all(one.kind == "number" and usual(one) == "sum" and not is_share(one) for one in columns)
    if len(columns) != 2 or not (alike and summed) or _APART.search(text):
        return None
    called = "と".join(column.called for column in columns)
    one, other = (quoted(column.name) for column in columns)
    summed_up = f"CASE WHEN coalesce({one}, {other}) IS NOT NULL THEN coalesce({one}, 0) + coalesce({other}, 0) END"
    both = replace(columns[0], name="_".join(column.name for column in columns), label=called, nulls=0)
    return Asked(table.with_column(both, summed_up), "sum", both, (), tuple(filters))
