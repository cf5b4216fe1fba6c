"""Which form the values of each column have: by a sample, then by every value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import duckdb

from agent.data.tables.asking.engine import fetch_one
from agent.data.tables.identifiers import quoted
from agent.data.tables.loading.value_forms import (
    DATE_ORDERS,
    DECIMAL,
    NO_VALUE,
    TWO_DIGIT_YEAR,
    Form,
    candidates,
    measures,
    nearly,
    no_value,
    unit_of,
)
from agent.interface_text import Text, keyed

_SAMPLE_CELLS = 400_000
_MOST_SAMPLED = 2_000  # rows
_MOST_TRIED = 5  # forms of one column, beside the first
_AT_ONCE = 20  # columns


@dataclass(frozen=True, slots=True)
class Reading:
    """How a column is read: as text where ``form`` is None. ``open`` holds two forms that both fit, where
    nothing else in the file says which is meant; ``form`` is the likelier one.
    """

    form: Form | None
    note: str = ""
    open: tuple[Form, ...] = ()
    empty: bool = False

    @property
    def mixed(self) -> bool:
        """Whether its values are written in several formats."""
        return self.form is not None and self.form.formats > 1


def decided_by(columns: Sequence[Sequence[str]], comma: bool = False) -> list[Reading]:
    """The reading of each column of which all, or a sample of, values are given.

    ``comma`` says that a decimal comma is likely, by how the file is laid out.
    """
    values = [_plain(column) for column in columns]
    return settled([_first_reading(column, candidates(column)) for column in values], comma)


def decided_by_all(
    connection: duckdb.DuckDBPyConnection, source: str, names: Sequence[str], comma: bool
) -> list[Reading]:
    """The reading of each of these columns of text in ``source`` (SQL of our own): one that fits every value."""
    most = max(100, min(_MOST_SAMPLED, _SAMPLE_CELLS // max(1, len(names))))
    columns = ", ".join(map(quoted, names))
    head = connection.execute(f"SELECT {columns} FROM {source} LIMIT {most}").fetchall()
    sample = f"SELECT {columns} FROM {source} USING SAMPLE reservoir({most} ROWS) REPEATABLE (1)"
    picked = connection.execute(sample).fetchall() if len(head) == most else head
    samples = [_plain(row[index] for row in (*head, *picked)) for index in range(len(names))]
    for index, name in enumerate(names):
        if not samples[index]:
            # Its values, if there are any, are few and far between.
            found = connection.execute(
                f"SELECT {quoted(name)} FROM {source} WHERE NOT {no_value(quoted(name))} LIMIT 200"
            )
            samples[index] = _plain(row[0] for row in found.fetchall())
    first = [_Trial(name, sample, *_likely(candidates(sample))) for name, sample in zip(names, samples, strict=True)]
    readings: list[Reading] = []
    for start in range(0, len(first), _AT_ONCE):
        readings += _tried(connection, source, first[start : start + _AT_ONCE])
    return settled(readings, comma)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The forms to try on a column first, and then if none of them fits all of it."""

    name: str
    sample: Sequence[str]
    first: tuple[Form, ...]
    then: tuple[Form, ...]


def _likely(forms: Sequence[Form]) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    first = tuple(form for index, form in enumerate(forms) if not index or form.name == forms[0].rival)
    return first, tuple(form for form in forms if form not in first)[:_MOST_TRIED]


def _plain(cells: Iterable[object]) -> list[str]:
    """The cells that have a value, as text without blanks around it."""
    texts = (str(cell).strip(" \t\r\n\u00a0\u202f\u3000") for cell in cells if cell is not None)
    return [text for text in texts if text.lower() not in NO_VALUE]


def settled(readings: Sequence[Reading], comma: bool) -> list[Reading]:
    """What one column leaves open, settled by what the other columns of the file show."""
    forms = [reading.form for reading in readings if reading.form is not None]
    seen = any(form.name == "number, decimal comma" for form in forms)
    thousands = seen and DECIMAL not in forms
    orders = {form.name for form in forms} & set(DATE_ORDERS.values())
    return [
        _settled(reading, thousands if reading.open[0] == DECIMAL else comma or seen, orders)
        if reading.open
        else reading
        for reading in readings
    ]


def _settled(reading: Reading, comma: bool, orders: set[str]) -> Reading:
    by_name = {form.name: form for form in reversed(reading.open)}
    first = reading.open[0]
    if first.name not in DATE_ORDERS.values():
        if comma:
            return Reading(by_name["number, decimal comma"])
        if first == DECIMAL:
            return Reading(first)
        return Reading(first, Text("Commas were read as marks between thousands."), reading.open)
    wanted = orders or ({DATE_ORDERS["d"]} if comma else set[str]())
    if len(wanted) == 1:
        name = next(iter(wanted))
        return Reading(
            by_name[name],
            Text("Read as {form}, as in the rest of this file.", form=name.removeprefix("date, ")),
            reading.open,
        )
    # Most of the world writes days first; the person is told of the other order.
    return Reading(by_name[DATE_ORDERS["d"]], "", reading.open)


def in_doubt(reading: Reading) -> bool:
    """Whether it is one of dates that may have days first or months first."""
    return bool(reading.open) and reading.open[0].name in DATE_ORDERS.values()


def as_text(reading: Reading) -> Reading:
    """The reading; text where it is ``in_doubt`` and nothing in the file says more."""
    if not in_doubt(reading) or reading.note:
        return reading
    note = Text(
        "Dates whose day and month cannot be told apart; kept as text. Choose what comes first to make them dates."
    )
    return Reading(None, note, reading.open)


def _first_reading(sample: Sequence[str], forms: Sequence[Form]) -> Reading:
    if not sample:
        return Reading(None, empty=True)
    if not forms:
        return Reading(None, _why_text(sample))
    first = forms[0]
    rivals = [form for form in forms if first.rival and form.name == first.rival]
    return Reading(None, open=(first, rivals[0])) if rivals else Reading(first, first.note)


def _tried(connection: duckdb.DuckDBPyConnection, source: str, trials: Sequence[_Trial]) -> list[Reading]:
    """What every value says to the forms: of all columns in one statement, since each looks through the whole file."""
    first = iter(_misfits(connection, source, [(trial.name, form) for trial in trials for form in trial.first]))
    counted = [[(form, next(first)) for form in trial.first] for trial in trials]
    others = [trial.then if counts and counts[0][1] else () for trial, counts in zip(trials, counted, strict=True)]
    pairs = [(trial.name, form) for trial, forms in zip(trials, others, strict=True) for form in forms]
    then = iter(_misfits(connection, source, pairs))
    readings: list[Reading] = []
    for trial, counts, forms in zip(trials, counted, others, strict=True):
        counts += [(form, next(then)) for form in forms]
        fitting = [form for form, count in counts if not count]
        if fitting or not counts:
            readings.append(_first_reading(trial.sample, fitting))
        else:
            best, count = min(counts, key=lambda pair: pair[1])
            readings.append(Reading(None, _misfit_note(best, count, _examples(connection, source, trial.name, best))))
    return readings


def _misfits(connection: duckdb.DuckDBPyConnection, source: str, pairs: Sequence[tuple[str, Form]]) -> list[int]:
    """How many values of the column each form does not fit."""
    if not pairs:
        return []
    counts = ", ".join(f"count(*) FILTER (WHERE {_misfit(name, form)})" for name, form in pairs)
    return list(fetch_one(connection, f"SELECT {counts} FROM {source}"))


def _misfit(name: str, form: Form) -> str:
    column = quoted(name)
    return f"{form.sql(column)} IS NULL AND NOT {no_value(column)}"


def _examples(connection: duckdb.DuckDBPyConnection, source: str, name: str, form: Form) -> list[str]:
    found = connection.execute(f"SELECT {quoted(name)} FROM {source} WHERE {_misfit(name, form)} LIMIT 1").fetchone()
    return [str(found[0])] if found else []


def _why_text(sample: Sequence[str]) -> str:
    """The note for a column that looks like more than text, but is kept as it is."""
    if all(TWO_DIGIT_YEAR.fullmatch(text) for text in sample):
        return Text("Dates with two figures for the year; kept as text, because the century is not written.")
    units = {unit_of(text) for text in sample} - {"", "%"}
    if len(units) > 1 and all(any(mark.isdigit() for mark in text) for text in sample):
        return Text("Amounts in several currencies ({units}); kept as text.", units=", ".join(sorted(units)[:4]))
    if "" not in (written := measures(sample)) and len(written) > 1:
        return Text("Amounts in several units ({units}); kept as text.", units=", ".join(sorted(written)[:4]))
    if all(text.isdigit() for text in sample) and any(text[0] == "0" for text in sample):
        return Text("Kept as text: there are leading zeros.")
    near = nearly(sample)
    return "" if near is None else _misfit_note(near[0], 0, near[1])


def _misfit_note(form: Form, count: int, examples: Sequence[str]) -> str:
    shown = ", ".join(f"“{text[:40]}”" for text in examples[:2])
    what = _MEANT.get(form.type, Text("date or time"))
    if not count:
        some = keyed("Some values are no {what} ({shown}); kept as text.")
        return Text(*(some if shown else keyed("Some values are no {what}; kept as text.")), what=what, shown=shown)
    return Text(
        "{n:,} value is no {what} ({shown}); kept as text.",
        "{n:,} values are no {what} ({shown}); kept as text.",
        n=count,
        what=what,
        shown=shown,
    )


_MEANT = {"BIGINT": Text("number"), "DOUBLE": Text("number"), "BOOLEAN": Text("yes or no")}


def form_named(name: str, sample: Sequence[str]) -> Form | None:
    """The first form of a kind somebody chose (``number``, ``date, day first``…) that fits most of the sample."""
    for form in candidates(sample):
        if form.formats > 1 and form.name.startswith(name):
            return replace(form, rival="")
    fitting: dict[Form, int] = {}
    for text in sample[:200]:
        for form in candidates([text]):
            plain = replace(form, rival="")
            if form.name.startswith(name) or form.type.lower() == name:
                fitting[plain] = fitting.get(plain, 0) + 1
    return max(fitting, key=lambda form: fitting[form]) if fitting else None
