"""How often a thing is done, who does it most often, and the chart that is named first, in words the readers know."""

from __future__ import annotations

import re

from agent.data.tables.questions.table_lexicon import NUMBERS
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.worded_columns import content, is_per
from agent.text.regex import regex

_ALL_IN_ALL = regex(r"\ball in all\b|\s+(?:pls|plz|please)(?=\s*\()", re.I)
_OFTEN = regex(r"\b(?:(?:my|our|the|your) )?most (?:frequent|regular|loyal) (?P<who>[a-z]+)", re.I)
_DRAWN_FIRST = regex(
    r"\W*(?:(?:please|can you|could you|draw|make|do|show|give|me|us|as|in|i want|i['’]d like) )*(?:an? )?"
    r"(?P<kind>(?:bar|pie|line|area|column) (?:chart|graph|plot)|chart|graph|plot)(?:,? please)?\s*(?::|,| [-–—]+ )\s*"
    r"(?P<asks>(?=\w).+?)[\s?.!]*",
    re.I,
)


_SO_OFTEN = regex(
    r"\b(?:wants?|needs?|gets?|require|are|is|to be)(?: to be)? (?P<deed>[a-z]{3,}(?:ing|ed)) "
    r"(?:(?P<n>\d+|[a-z]+) times|(?P<twice>once|twice)) (?:an?|per|each|every) (?P<unit>day|week|month|year)\b",
    re.I,
)


def so_often(text: str, table: Table) -> str:
    """ "Want watering 7 times a week", of a column "Waterings per week"."""
    return _SO_OFTEN.sub(lambda found: _as_figure(found, table), text)


def _as_figure(found: re.Match[str], table: Table) -> str:
    heads = [one for one in table.of_kind("number") if is_per(one, found["unit"].lower())]
    deed = found["deed"].lower().removesuffix("ing").removesuffix("ed")
    fits = [one for one in heads if any(word.startswith(deed) for word in content(one))]
    said = (found["n"] or "").lower()
    number = {"once": 1, "twice": 2}.get((found["twice"] or "").lower()) or NUMBERS.get(said) or said
    return f"have “{fits[0].called}” {number}" if len(fits) == 1 and str(number).isdigit() else found[0]


def _drawn_last(text: str) -> str:
    """ "Pie chart - who paid how much": what is drawn first, and how at the end."""
    drawn = _DRAWN_FIRST.fullmatch(text)
    return f"{drawn['asks']}, as a {drawn['kind']}" if drawn else text


def in_usual_order(text: str) -> str:
    """With the chart at the end, and "most frequent" as the most rows."""
    text = _drawn_last(_OFTEN.sub(r"\g<who> with the most rows", text))
    return _ALL_IN_ALL.sub(lambda found: "in total" if found[0][0] in "aA" else "", text)
