"""Whether a figure of a question is nowhere in what was read of it."""

from __future__ import annotations

import re

from agent.data.tables.questions.table_lexicon import NUMBERS
from agent.data.tables.questions.table_schema import Asked
from agent.data.tables.worded.rows_compared import in_its_unit
from agent.text.regex import regex

_FIGURE = regex(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
_WORD = regex(r"[a-z]+")


def leaves_figures(text: str, asked: Asked) -> bool:
    """Whether a figure of the question, or of the last follow-up behind a ";", is nowhere in what is asked."""
    text = text.rsplit(";", 1)[-1]
    columns = (*asked.table.columns, *(one.column for one in asked.filters if one.column))
    used = " ".join(
        [asked.table.name, *(value for one in asked.filters for value in (*one.values, one.said)), str(asked.limit)]
        + [
            str(times)
            for one in asked.filters
            if one.column and one.operator == "="
            for value, times in zip(one.column.values, one.column.counts, strict=False)
            if value in one.values
        ]
        + [name for column in columns for name in (column.name, column.label)]
        + [re.sub(r"[A-Za-z]\d+", "", text) for column in columns for text in column.examples if ":" not in text]
    )
    for hour, minute in re.findall(r"\b(\d\d):(\d\d):\d\d\b", used):
        used += f" {int(hour)} {int(hour) % 12 or 12} {int(minute)}"  # "after 6pm"
    there = {float(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", used)}
    said = [
        float(figure[0].replace(",", "")) for figure in _FIGURE.finditer(text) if not _is_in_unit(figure, text, asked)
    ]
    said += [NUMBERS[word] for word in _WORD.findall(text.lower()) if NUMBERS.get(word, 0) > 1]
    return any(figure not in there and figure * 1000 not in there for figure in said)


def _is_in_unit(figure: re.Match[str], text: str, asked: Asked) -> bool:
    """Whether a filter has the figure in the unit of its column: "over 2 years" as 24 months."""
    unit = re.match(r" ?([a-z²]+)", text[figure.end() :].lower())
    compared = [one for one in asked.filters if one.column and one.operator in (">", ">=", "<", "<=", "=")]
    number = figure[0].replace(",", "")
    return bool(unit) and any(
        in_its_unit(number, unit[1], one.column) in one.values for one in compared if one.column and unit
    )
