"""A figure of a table in another unit, or for longer, than its column has: "in miles?", "and over a year?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.other_periods import cut_at_period, over_period
from agent.text.quantities.units import Measure, measure_of, units_of_column
from agent.text.regex import regex
from agent.text.sums.told_values import ONE_VALUE

_FIGURE = r"-?\d[\d,]*(?:\.\d+)?"
_TOLD = regex(rf"^From [^\n]*, the (?P<head>[^\n:]+?)(?: where [^\n]*)? is (?P<figure>{_FIGURE})\.$", re.M)
_OF_ROW = regex(rf":\n\s*- [^\n]*?, (?P<head>[^\n:,]+): (?P<figure>{_FIGURE})\s*$")
_LISTED = regex(r"^I read this as: List (?P<head>[^\n;]+?) in [^\n;]+$", re.M)
_READINGS = regex(r"\n\nIt could also mean: [^\n]*\s*\Z")
_WORD = r"(?!please\b|pls\b|then\b)[a-z²]{2,}"
_UNIT = rf"(?P<unit>°[CF]|{_WORD}(?: {_WORD})?)"
_THAT = r"(?:that|it|this|the total|those)"
_ASKS = regex(
    rf"(?:(?:and|so|ok|then|now) )*(?:(?:(?:and )?(?:what|how (?:much|long|far|many|heavy|hot|warm|big))"
    rf"(?:'s|s| is| was| are| would| will)? {_THAT}(?: be| come to)? (?:in|as)"
    rf"|(?:convert|put|turn|show|give|tell)(?: me)? {_THAT} (?:to|into|in|as)|(?:and )?(?:{_THAT} )?(?:in|into|as))"
    rf" {_UNIT}|how many (?P<many>{_WORD}(?: {_WORD})?) (?:is|are|was|would) {_THAT}(?: be)?)"
    r"(?:,? (?:please|pls|then))?",
    re.I,
)
_AT_END = regex(
    rf"(?P<asked>.+?[a-z])(?:[?.,;]* (?:(?:and|then|so) )*(?:what|how (?:much|long|far|heavy|tall|big))"
    rf"(?:'s|s| is| was| would)? (?:that|it)(?: be| come to)?)?,? (?P<how>in {_UNIT})(?: please)?",
    re.I,
)


def in_other_unit(text: str, answer: str) -> str | None:
    """The conversion that a follow-up to the one figure of a table asks for; ``None`` for anything else."""
    if longer := over_period(text, answer):
        return longer
    said, answer = _ASKS.fullmatch(text.strip(" ?.!")), _READINGS.sub("", answer).rstrip()
    asked = _measure(said["unit"] or said["many"]) if said else None
    if said is None or asked is None:
        return None
    found, row, value = _TOLD.findall(answer), _OF_ROW.search(answer), ONE_VALUE.search(answer)
    if listed := (_LISTED.search(answer) if value and not row else None):
        head, figure = listed["head"], value["value"] if value else ""
    elif row or len(found) == 1:
        head, figure = (row["head"], row["figure"]) if row else found[0]
    else:
        return None
    unit = unit_of_head(head)
    if unit is None or unit.kind != asked.kind or "-" in figure[1:]:
        return None
    return f"What is {figure.replace(',', '')} {unit.name} in {said['unit'] or said['many']}?"


def cut_at_unit(text: str, tables: Sequence[Table]) -> tuple[str, str] | None:
    """ "Total distance in miles" of a column "(km)": what is asked, and the unit that it is wished in.

    ``None`` where a column has that unit, or none has one of its kind. So for a period: "rent over a year".
    """
    if cut := cut_at_period(text, tables):
        return cut
    said = _AT_END.fullmatch(text.strip(" ?.!")) if len(tables) == 1 else None
    asked = _measure(said["unit"]) if said else None
    if said is None or asked is None or (word := said["unit"].lower()) in _texts(tables[0]):
        return None
    if word == asked.one != asked.name:
        return None  # "in week" is no wish for weeks
    heads = (one.called for one in tables[0].of_kind("number"))
    units = [unit for head in heads if (unit := unit_of_head(head))]
    same = [unit for unit in units if unit.kind == asked.kind]
    return (said["asked"], said["how"]) if same and asked not in same else None


def unit_of_head(head: str) -> Measure | None:
    """The one unit that the head of a column names: "Distance (km)", and not "Price per kg (€)"."""
    units = units_of_column(head.strip("“”").replace("_", " "))
    return _measure(units[0].name) if len(units) == 1 else None


def _measure(name: str) -> Measure | None:
    return next(iter(measure_of(name)), None)


def _texts(table: Table) -> set[str]:
    """The values and the words of the heads, in small letters: money is in pounds, too."""
    heads = " ".join(f"{one.called} {one.unit}" for one in table.columns).lower()
    values = {value.lower() for one in table.of_kind("text") for value in one.known}
    return values | {*re.findall(r"[^\W\d_]+", heads)} | ({"pounds"} if "£" in heads or "gbp" in heads else set())
