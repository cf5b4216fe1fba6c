"""What a follow-up asks of the rows that the last two answers told: "what's the gap between their ages?"."""

from __future__ import annotations

import re

from agent.data.tables.worded.worded_columns import stem
from agent.text.regex import regex

_READ = regex(r"^I read this as: ", re.M)
_ROW = regex(r"^- (?P<head>[^:\n]+): (?P<name>[^,\n]+), (?P<column>[^:\n,]+): (?P<figure>-?\d[\d,]*(?:\.\d+)?)$", re.M)
_GAP = regex(
    r"(?:(?:and|so|ok|then) )*(?:what(?:'s|s| is| was) |how (?:big|large|much) is )?(?:the )?(?P<lead>[a-z]+"
    r" )?(?:gap|difference)"
    r"(?: (?:in|of) (?:their |the )?(?P<a>[a-z]+))?"
    r"(?: between (?:the two(?: of them)?|them|those(?: two)?|both|(?:their|the two|both) (?P<b>[a-z]+)))?"
    r"|(?:and )?(?:by )?how (?:many|much) (?P<c>[a-z]+) (?:is|are|lie|lies) (?:there )?between (?:them|the two"
    r"|those two)"
    r"|(?:and )?how many (?P<d>[a-z]+) between (?:them|the two|those two)",
    re.I,
)
_YEARS = frozenset(("year", "age"))


def gap_of_two(asked: str, answers: list[str]) -> str | None:
    """The difference of the one figure of two rows, each told alone by an answer; ``None`` for anything else."""
    said = _GAP.fullmatch(asked.replace("’", "'").strip(" ?.!"))
    if said is None or len(answers) < 2 or not all(map(_READ.search, answers[-2:])):
        return None
    rows = [list(_ROW.finditer(answer)) for answer in answers[-2:]]
    if [len(several) for several in rows] != [1, 1]:
        return None
    (one,), (two,) = rows
    if one["head"] != two["head"] or one["column"] != two["column"] or one["name"] == two["name"]:
        return None
    told = {stem(word) for word in regex(r"[a-z]+").findall(one["column"].lower())}
    named = {stem(word.strip().lower()) for word in (*said.group("a", "b", "c", "d"), said["lead"]) if word} - {""}
    fits = all(name in told or (name in _YEARS and told & _YEARS) or name in ("much",) for name in named)
    return f"difference in {one['column']} between “{one['name']}” and “{two['name']}”" if fits else None
