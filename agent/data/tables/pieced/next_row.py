"""The row that comes next: "when is our next match", "what's on next"."""

from __future__ import annotations

import re
from datetime import date

from agent.data.tables.questions.table_lexicon import form, words
from agent.data.tables.questions.table_schema import Asked, Filter, Table
from agent.data.tables.worded.worded_columns import content, days_of_rows
from agent.text.regex import regex

_NEXT = regex(
    r"(?:(?:when|what|where|who|which)(?:['’]s| is| are)? )?(?:our |my |the )?(?:very )?next (?P<noun>[a-z]+)"
    r"(?: (?:is|is it|is that|is on|be|happening|coming up))?(?:,? (?:and|&) .+|: .+)?",
    re.I,
)
_THEN = regex(
    r"(?:who|what|where|when) (?:do|does|are|is) (?:we|they|i) (?:play|playing|meet|meeting|go|going|on|see|seeing)"
    r"(?: up)? next(?:,? (?:and|&) .+)?|what(?:['’]s| is) (?:on|up|happening|coming up|due) next",
    re.I,
)


def next_asked(text: str, table: Table, today: date | None) -> Asked | None:
    """``None`` where the day of the rows is not sure, or the words name something else."""
    said, days = text.strip(" ?.!"), days_of_rows(table.of_kind("date"))
    found = _NEXT.fullmatch(said)
    named = {form(word) for word in (*words(table.name), *content(table.columns[0]), "one", "event")}
    if (
        today is None
        or len(days) != 1
        or not (_THEN.fullmatch(said) or (found and form(found["noun"].lower()) in named))
    ):
        return None
    ahead = Filter(days[0], ">=", (today.isoformat(),), 0, f"since {today}")
    return Asked(table, "rows", days[0], (), (ahead,), "up", 1)
