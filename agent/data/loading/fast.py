"""The forms as SQL for millions of rows: the usual values by casts alone, which cost a tenth of a pattern."""

from __future__ import annotations

from agent.data.loading.forms import DECIMAL, WHOLE, Form, no_value


def strict(form: Form, column: str) -> str:
    """SQL for the value of ``column`` in this form: NULL where there is none; an error where it does not fit."""
    quick = _QUICK.get(form.name) if form in (WHOLE, DECIMAL) else None
    value = quick.replace("{c}", column) if quick else form.sql(column)
    otherwise = f"CASE WHEN {no_value(column)} THEN NULL ELSE {form.sql(column)} END"
    fitting = f"coalesce({value}, {otherwise})" if quick else value
    return (
        f"coalesce({fitting}, CASE WHEN {no_value(column)} THEN NULL "
        f"ELSE CAST(error('does not fit') AS {form.type}) END)"
    )


# What is written otherwise (1_000, 0x1F, 007, 1.5 as a whole number) casts as well, so it must come out as it went in.
_QUICK: dict[str, str] = {
    WHOLE.name: "CASE WHEN CAST(TRY_CAST({c} AS BIGINT) AS VARCHAR) = {c} THEN TRY_CAST({c} AS BIGINT) END",
}
