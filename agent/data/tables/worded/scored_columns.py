"""Points of one's own and of the others: "how many goals have we scored" of columns "Goals for" and "Goals against"."""

from __future__ import annotations

import re

from agent.data.tables.questions.table_schema import Table
from agent.text.regex import regex

# Heads of what was scored, and of what the others did.
_HEADS = (
    (regex(r"(?P<what>[a-z]+) for", re.I), regex(r"(?P<what>[a-z]+) against", re.I)),
    (regex(r"our (?P<what>[a-z]+)", re.I), regex(r"their (?P<what>[a-z]+)", re.I)),
)
_SCORED = regex(
    r"\b(?P<many>how many )?(?P<what>goals|points|runs|tries|hits|sets|games|frames)(?: (?:have|has|did|do|had)"
    r" (?:we|they|i|our team"
    r"|the team|our side|the side|the club|the boys|the girls|the lads)| (?:were|was|have been) )? ?"
    r"(?:(?:got|been|have) )?(?:(?P<ours>scored?|netted|put away|made)|(?P<theirs>conceded?|let in|given away"
    r"|leaked|shipped))\b",
    re.I,
)


def with_scored(text: str, table: Table) -> str:
    """``text`` with the head of the column in place of "goals have we scored" and "did we concede"."""
    if (said := _SCORED.search(text)) is None:
        return text
    heads = [column.called.strip("“”").replace("_", " ") for column in table.of_kind("number")]
    for pair in _HEADS:
        both = [[head for head in heads if _is_of(pattern, head, said)] for pattern in pair]
        if [len(several) for several in both] == [1, 1]:
            (head,) = both[0 if said["ours"] else 1]
            many = said["many"] or ("total " if not said.start() else "")
            return f"{text[: said.start()]}{many}{head}{text[said.end() :]}"
    return text


def _is_of(pattern: re.Pattern[str], head: str, said: re.Match[str]) -> bool:
    found = pattern.fullmatch(head)
    return found is not None and found["what"].lower() == said["what"].lower()
