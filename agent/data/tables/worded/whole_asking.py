"""A question of one table that is read whole, by whichever reader of its language accounts for all of it first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.data.tables.questions.japanese_readings import in_english
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.worded.misreadings import misread
from agent.data.tables.worded.worded_asking import worded_asked
from agent.data.tables.wordings.clock_asking import clock_asked
from agent.data.tables.wordings.japanese_asking import japanese_asked
from agent.data.tables.wordings.japanese_follow_ups import japanese_followed
from agent.data.tables.wordings.ordered_asking import ordered_asked, orders_unsurely

__all__ = ["orders_unsurely", "whole_asked"]


def whole_asked(text: str, table: Table, today: date | None, language: str) -> Iterator[tuple[Asked, bool]]:
    """What is asked, and whether that is sure: what is not waits for no text that is still to be looked for."""
    if language == "ja" and in_english(text.strip(), table):
        return  # told by an answer: read again as it was meant
    japanese = japanese_followed if ";" in text else japanese_asked
    whole = worded_asked(text, table, today) if language == "en" else japanese(text, table, today)
    if whole and not misread(text, whole):
        yield whole, False
    ordered = (ordered_asked(text, table, today) or clock_asked(text, table)) if language == "en" else None
    if ordered:
        yield ordered, True
