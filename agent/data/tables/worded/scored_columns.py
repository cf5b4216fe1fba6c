"""Points of one's own and of the others: "how many goals have we scored" of columns "Goals for" and "Goals against"."""

from __future__ import annotations

import re

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.worded.worded_columns import content
from agent.text.regex import regex

# Heads of what was scored, and of what the others did.
_HEADS = (
    (regex(r"(?P<what>[a-z]+) for", re.I), regex(r"(?P<what>[a-z]+) against", re.I)),
    (regex(r"our (?P<what>[a-z]+)", re.I), regex(r"their (?P<what>[a-z]+)", re.I)),
    (regex(r"(?P<what>[a-z]+) scored", re.I), regex(r"(?P<what>[a-z]+) (?:conceded|let in)", re.I)),
    (regex(r"for|scored", re.I), regex(r"against|conceded", re.I)),
)
_WHAT = r"(?P<what>goals|points|runs|tries|hits|sets|games|frames)"
_OURS = r"(?P<ours>scored?|netted|put away|made)"
_THEIRS = r"(?P<theirs>conceded?|let in|given away|leaked|shipped)"
_TEAM = r"(?:we|they|i|our team|the team|our side|the side|the club|the boys|the girls|the lads)"
_SCORED = regex(
    rf"\b(?P<many>how many )?{_WHAT}(?: (?:have|has|did|do|had) {_TEAM}| (?:were|was|have been) )? ?"
    rf"(?:(?:got|been|have) )?(?:{_OURS}|{_THEIRS})\b",
    re.I,
)
# "How many goals have the Bakery Boys let in?", "who let in the fewest goals", "that have scored more than 25 goals".
_BY_ONE = regex(
    rf"\bhow many {_WHAT} (?:have|has|did|do|had) (?P<who>[^,;?.]+?) (?:got |been )?(?:{_OURS}|{_THEIRS})"
    r"(?=[\s?.!]*$| (?:in total|altogether|all together|in all|so far|this season)\b)",
    re.I,
)
_SO_MANY = regex(
    rf"\b(?P<has>have |has |had )?(?:{_OURS}|{_THEIRS})(?P<number>(?: [a-z]+){{0,3}} \d+| the (?:most|fewest|least)) "
    rf"{_WHAT}\b",
    re.I,
)
_APART = regex(r"\b(?:goals?|points?|runs?|scor(?:e|ing)) differences?\b", re.I)


def with_scored(text: str, table: Table) -> str:
    """``text`` with the head of the column in place of "goals have we scored" and "did we concede"."""
    if said := _BY_ONE.search(text):
        both = None if re.fullmatch(_TEAM, said["who"], re.I) else _both(table, said["what"])
        if both:
            head = both[0 if said["ours"] else 1].called.strip("“”")
            return f"{text[: said.start()]}how many “{head}” do {said['who']} have{text[said.end() :]}"
    if (said := _SO_MANY.search(text)) and (both := _both(table, said["what"])):
        head = both[0 if said["ours"] else 1].called.strip("“”")
        if said["number"].lower().startswith(" the "):
            return f"{text[: said.start()]}has{said['number']} “{head}”{text[said.end() :]}"
        has = "have" if said["has"] else "has"
        return f"{text[: said.start()]}{has} “{head}”{said['number']}{text[said.end() :]}"
    if (said := _SCORED.search(text)) is None or (both := _both(table, said["what"])) is None:
        return text
    many = said["many"] or ("total " if not said.start() else "")
    head = both[0 if said["ours"] else 1].called.strip("“”").replace("_", " ")
    return f"{text[: said.start()]}{many}{head}{text[said.end() :]}"


def with_difference(text: str, table: Table) -> tuple[str, Table]:
    """The table with the goal difference that ``text`` speaks of, where it has both goals and no column of that."""
    said = _APART.search(text)
    if said is None or table.joined or any("difference" in content(one) for one in table.columns):
        return text, table
    both = _both(table, said[0].split()[0].lower().rstrip("s") + "s")
    if both is None:
        return text, table
    called = "Goal difference"
    column = Column("goal_difference", called, "number")
    worked_out = f"{quoted(both[0].name)} - {quoted(both[1].name)}"
    told = f"{called}: {both[0].called} minus {both[1].called}"
    return _APART.sub("goal difference", text), table.with_implied(column, worked_out, told)


def _both(table: Table, what: str) -> tuple[Column, Column] | None:
    """The columns of what was scored and of what the others scored; bare "For" and "Against" are of goals or runs."""
    for pair in _HEADS:
        own, others = (
            [one for one in table.of_kind("number") if _is_of(pattern, one.called.strip("“”").replace("_", " "), what)]
            for pattern in pair
        )
        if len(own) == len(others) == 1:
            return own[0], others[0]
    return None


def _is_of(pattern: re.Pattern[str], head: str, what: str) -> bool:
    found = pattern.fullmatch(head)
    named = found.groupdict().get("what") if found else ""
    return found is not None and (
        named.lower() == what.lower() if named else what.lower() in ("goals", "runs", "tries")
    )
