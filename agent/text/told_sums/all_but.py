"""All but some of a number of things: those that it is said of, or the others."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.regex import regex

_NUMBER = r"(?P<{}>\d{{1,9}}(?:,\d{{3}})?)"
_OF = rf"(?:of (?:the |my |our |his |her |their )?{_NUMBER.format('all')} )?"
_ALL_BUT = regex(
    rf"(?:[^\d?]*?\b{_NUMBER.format('whole')} (?P<whose>[a-z]+)[^\d?]*?[.,;:]? (?:and |but )?)?"
    rf"\ball but {_NUMBER.format('rest')} {_OF}(?P<said>[a-z' ]+)[.,;?]* (?:so )?how many (?P<asked>[a-z' ]+)[ ?.!]*",
    re.I,
)
_IDLE = frozenset({
    "a", "an", "the", "are", "is", "was", "were", "do", "does", "did", "have", "has", "had", "be", "been", "there",
    "of", "them", "those", "these", "my", "our", "his", "her", "their", "to", "in", "on", "at",
})  # fmt: skip
_LEFT = regex(
    r"(?:[a-z]+ )?(?:are|were|is|was|do i have|do we have|does (?:he|she) have)? ?(?:there )?(?:still )?left(?: over)?"
)
_GO = regex(
    r"\b(?:gets? off|got off|leaves?|left|sold|gone|went|go|died?|dies|eaten|ate|eat|flew|fly|broken?|breaks?|lost"
    r"|given|gave|stolen|used)\b"
)
_NOT = regex(r"\b(?:not|no|never|except|half|more|each|every|per)\b|n't")


def all_but(text: str) -> Problem | None:
    """ "All but 12 of the 60 bulbs work. How many work?", "40 people, all but 35 get off. How many are left?"."""
    found = _ALL_BUT.fullmatch(text.replace("’", "'").strip()) if len(text) <= 300 else None
    whole = (found["all"] or found["whole"]) if found else None
    if found is None or whole is None or (found["all"] and found["whole"]) or _NOT.search(text.lower()):
        return None
    said, asked = found["said"].lower().strip(), found["asked"].lower().strip()
    whole, rest = whole.replace(",", ""), found["rest"].replace(",", "")
    if int(rest) > int(whole):
        return None
    if _LEFT.fullmatch(asked):
        told = bool(_GO.search(said))
        return Problem("all_but", rest, f"the number that is left of {whole}") if told else None
    words = {word for word in asked.split() if word not in _IDLE}
    if not words or not words & set(said.split()) or not words <= {*said.split(), *text.lower().split()}:
        return None
    return Problem("all_but", f"{whole} - {rest}", f"{whole} - {rest}")
