"""What the words of a question wish for, as far as they were read."""

from __future__ import annotations

from dataclasses import dataclass

from agent.data.tables.questions.table_schema import Column, Group, Measure
from agent.data.tables.worded.rows_said import Rows


@dataclass(frozen=True, slots=True)
class Wish(Rows):
    """``most``: the word that puts rows in an order, ``way`` which end is first, ``by`` the columns that it may be of.

    ``limit``: how many are wanted, 0 where it is not said. ``often``: what is most is how many rows.
    """

    plain_days: bool = True
    measure: Measure | None = None
    most: str = ""
    way: str = ""
    by: tuple[Column, ...] = ()
    limit: int = 0
    often: bool = False
    groups: tuple[Group, ...] = ()
    first: bool = False  # "dearest first": rows in an order
    loose: int = 0  # 1 where a word was taken as talk that may say which rows are meant, 2 where it surely does
    points: bool = False  # "her times" of a question that names nobody before
    behind: int = 0  # the place behind the word that puts them in an order
