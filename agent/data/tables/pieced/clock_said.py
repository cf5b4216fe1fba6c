"""Times of day that a question compares with: "after 6pm", "before 9:30"."""

from __future__ import annotations

import re

from agent.data.tables.questions.spans_worked_out import times_of_day
from agent.data.tables.questions.table_schema import Filter
from agent.data.tables.worded.rows_said import Rows, Spot, Steps
from agent.data.tables.wordings.clock_asking import WAYS, clock_of
from agent.text.regex import regex

_CLOCKED = regex(
    r"(?P<way>before|after|from|until|till|by|since|at|later than|earlier than) "
    r"(?P<hour>\d{1,2})(?: ?: ?(?P<minute>[0-5]\d))?(?: ?(?P<half>[ap]) ?m)?",
    re.I,
)


def clock_said(spot: Spot, wish: Rows) -> Steps:
    """ "After 6pm", of the one column of times."""
    times = times_of_day(spot.table)
    for length in (5, 4, 3, 2) if len(times) == 1 else ():
        typed = " ".join(token.text for token in spot.said[spot.place : spot.place + length])
        found = _CLOCKED.fullmatch(typed)
        if found and (clock := clock_of(found["hour"], found["minute"] or "", (found["half"] or "").lower())):
            yield from spot.filtered(length, Filter(times[0], WAYS[found["way"].lower()], (clock,)))
            return
