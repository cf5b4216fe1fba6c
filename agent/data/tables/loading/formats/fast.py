"""The forms as SQL for millions of rows: each value tested once, and an error at the first that does not fit."""

from __future__ import annotations

from collections.abc import Iterable

from agent.data.tables.identifiers import literal
from agent.data.tables.loading.value_forms import BLANKS, WHOLE, Form, no_value

# A whole number that comes out of a cast as it went in was written as one; 007, 1_000, 0x1F and 1.5 are cast as well.
_SAME = "CAST(TRY_CAST({v} AS BIGINT) AS VARCHAR) = {v}"


def strict(form: Form, column: str, sample: Iterable[str] = ()) -> str:
    """SQL for the value of ``column`` in this form: NULL where there is none; an error where it does not fit.

    ``sample`` says whether values have blanks around them; taking these away costs more than all the rest.
    """
    padded = any(text != text.strip() for text in sample)
    text = f"trim({column}, {BLANKS})" if padded else column
    fits = _SAME.replace("{v}", text) if form == WHOLE else f"regexp_full_match({text}, {literal(form.pattern)})"
    value = form.value.replace("{v}", text)
    return (
        f"CASE WHEN {fits} THEN {value} WHEN {no_value(column)} THEN NULL "
        f"ELSE CAST(error('does not fit') AS {form.type}) END"
    )
