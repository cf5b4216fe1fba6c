"""Times that a table does not have and two of its columns tell: when something ends, until when a guarantee lasts."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.spans_worked_out import times_of_day
from agent.data.tables.questions.table_schema import Column, Table, measured
from agent.data.tables.worded.implied import Implied
from agent.data.tables.worded.worded_columns import content
from agent.text.regex import regex

_BOUGHT = frozenset(["bought", "purchased", "purchase", "acquired", "got"])
_LASTS = frozenset(["guarantee", "warranty"])
_ENDS = regex(
    r"(?:what time|when) (?:will|does|do|is|are) (?P<what>.+?) (?:be |all )*(?:done|finish(?:ed)?|end|over|ready)", re.I
)
_RUNS_OUT = regex(
    r"when (?:does|do|will|is) (?:the |our |my )?(?P<word>guarantee|warranty) (?:on|of|for) (?:the |our |my )?"
    r"(?P<what>.+?) (?:run out|end|expire|over|up)",
    re.I,
)
_RUNS_OUT_OF = regex(
    r"when (?:does|do|will|is) (?:the |our |my )?(?P<what>.+?)(?:['’]s)? (?P<word>guarantee|warranty)"
    r" (?:run out|end|expire|over|up)",
    re.I,
)


def _ends(text: str, table: Table) -> Implied | None:
    """ "What time will Rex be done", of the time when it begins and the minutes that it takes."""
    said = _ENDS.fullmatch(text.strip(" ?.!"))
    starts = times_of_day(table)
    lasts = [one for one in table.of_kind("number") if measured(one) == frozenset(["time"])]
    minutes = [one for one in lasts if "min" in one.called.lower()]
    if said is None or len(starts) != 1 or len(minutes) != 1 or len(lasts) != 1:
        return None
    column = Column("ends_at", "Ends", "other")
    worked_out = f"{quoted(starts[0].name)} + to_minutes(CAST({quoted(minutes[0].name)} AS BIGINT))"
    told = f"Ends: {starts[0].called} + {minutes[0].called}"
    return Implied(f"“Ends” of {said['what']}", table.with_implied(column, worked_out, told), column)


def _guarantee(text: str, table: Table) -> Implied | None:
    """ "When does the guarantee on the laptop run out", of the day when it was bought and the years that it lasts."""
    said = _RUNS_OUT.fullmatch(text.strip(" ?.!")) or _RUNS_OUT_OF.fullmatch(text.strip(" ?.!"))
    lasts = [one for one in table.of_kind("number") if content(one) & _LASTS]
    bought = [one for one in table.of_kind("date") if content(one) & _BOUGHT]
    if said is None or len(lasts) != 1 or len(bought) != 1 or said["word"].lower() not in content(lasts[0]):
        return None
    unit = "months" if "month" in lasts[0].called.lower() else "years"
    column = Column("lasts_until", f"{said['word'].capitalize()} until", "date")
    worked_out = f"CAST({quoted(bought[0].name)} + to_{unit}(CAST({quoted(lasts[0].name)} AS INTEGER)) AS DATE)"
    told = f"{column.label}: {bought[0].called} + {lasts[0].called}"
    return Implied(f"“{column.label}” of {said['what']}", table.with_implied(column, worked_out, told), column)


of_times: tuple[Callable[[str, Table], Implied | None], ...] = (_ends, _guarantee)
