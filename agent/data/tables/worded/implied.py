"""A question once what it implies is named."""

from __future__ import annotations

from dataclasses import dataclass

from agent.data.tables.questions.table_schema import Column, Table


@dataclass(frozen=True, slots=True)
class Implied:
    """``text`` asks of ``table``, and names ``column``, which it must be about."""

    text: str
    table: Table
    column: Column
