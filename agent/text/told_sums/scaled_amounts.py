"""So much of something for so many, asked for another number of them: 180 g of butter for 24 cookies, for 60?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import MONEY, PERCENT, STOP, Part, Token, stem, unit_named
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, pattern_of, telling

_PARTS = 3
_NOT_SCALED = MONEY | PERCENT | {"@time"}  # more workers take less time
_ASKED = regex(r"\bhow (?:much|many) (?P<thing>[a-z]+)(?: (?:of )?(?P<of>[a-z]+))?")


def scaled(text: str) -> Problem | None:
    """ "A soup for 6 uses 900 ml of stock. I only cook for 2. How much stock do I take?"."""
    told = telling(text)
    asked = _ASKED.search(told.asked) if told else None
    if told is None or asked is None or told.says("not_scaled"):
        return None
    wanted = {stem(word) for word in asked.groups() if word and word not in STOP}
    unit = unit_named(asked["thing"])
    much = [part for part in told.parts if _things(part, told.tokens) & wanted or (unit and part.measure == unit)]
    beside = [part for part in told.parts if _behind(part, told.tokens) & wanted] if _makes(told) else []
    if not much and len(beside) == 1:  # "makes 24 and takes 180 g butter"
        much, told = beside, replace(told, tokens=_without_others(told, beside[0]))
    if len(told.parts) != _PARTS:
        return None
    if asked["thing"] in ("for", "is", "do", "does", "would", "will"):
        much = [part for part in told.parts if part.measure]
    if len(much) != 1 or much[0].names & _NOT_SCALED or any(part.by for part in told.parts):
        return None
    first, last = (part for part in told.parts if part is not much[0])
    if first.measure or last.measure or not (first.amount and last.amount) or not _alike(first, last):
        return None
    if first.sentence != much[0].sentence or last is not told.parts[-1] or not _apart(told.tokens, much[0], last):
        return None
    value = much[0].amount / first.amount * last.amount
    if not much[0].measure and value.denominator != 1:
        return None
    sum_ = f"{figure_of(much[0].amount)} / {figure_of(first.amount)} * {figure_of(last.amount)}"
    return Problem("scaled", sum_, sum_.replace(" / ", " ÷ ").replace(" * ", " × "), much[0].unit)


def _things(part: Part, tokens: Sequence[Token]) -> set[str]:
    """What it is of: its own names, or the word behind "of"."""
    place = next(place for place, token in enumerate(tokens) if token is part)
    behind = [token for token in tokens[place + 1 : place + 4] if isinstance(token, str)]
    return {*part.names, *(stem(word) for word in behind[1:] if behind[0] == "of")}


_MAKES = regex(r"\b(?:makes?|serves?|feeds?|yields?|gives?|batch of|recipe (?:is )?for) § ")


def _makes(told: Telling) -> bool:
    """Whether its first figure is how many a recipe makes."""
    words = " ".join(token if isinstance(token, str) else "§" for token in told.tokens) + " "
    return bool(_MAKES.search(words[: words.find("§") + 2]))


def _behind(part: Part, tokens: Sequence[Token]) -> set[str]:
    """The words beside a measure: 180 g butter, 100 g brown sugar."""
    place = next(place for place, token in enumerate(tokens) if token is part)
    words: set[str] = set()
    for token in tokens[place + 1 : place + 4]:
        if not isinstance(token, str) or not token.isalpha() or token in ("and", "or"):
            break
        words.add(stem(token))
    return words if part.measure else set()


def _without_others(told: Telling, much: Part) -> tuple[Token, ...]:
    """The tokens without the other measures of that sentence."""
    return tuple(
        token
        for token in told.tokens
        if not isinstance(token, Part) or token is much or not token.measure or token.sentence != much.sentence
    )


def _alike(first: Part, last: Part) -> bool:
    """Whether both count the same: by name, as people, or where one is a bare number."""
    names = [frozenset({"person"}) if any(map(_PERSON, part.names)) else part.names for part in (first, last)]
    return not all(names) or bool(names[0] & names[1])


def _PERSON(name: str) -> bool:
    return re.fullmatch(pattern_of("eaters"), name) is not None


def _apart(tokens: Sequence[Token], much: Part, last: Part) -> bool:
    """Whether a sentence or the question begins between the two."""
    places = [place for place, token in enumerate(tokens) if token is much or token is last]
    return any(token in (".", ";", "?", "how") for token in tokens[places[0] : places[1]])
