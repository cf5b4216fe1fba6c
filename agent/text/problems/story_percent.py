"""Percentages of a story: by how many percent something changed, or what share of all it is."""

from __future__ import annotations

import re
from typing import Literal

from agent.text.problems.story import read_story, split_question
from agent.text.problems.story_parts import PERCENT, WORDS
from agent.text.problems.story_totals import StorySum, figure_of
from agent.text.regex import regex

_CHANGES = regex(
    r"\b(?P<fall>drop|fall|decrease|decline|go down|gone down|went down|shrink|less|"
    r"lower|cheaper|fewer|fell|dropped|fallen|reduced|off)"
    r"|\b(?P<rise>rise|increase|grow|go up|gone up|went up|gain|"
    r"more|higher|rose|grown|increased|dearer|risen)"
)
_ASKS_PERCENT = regex(r"\b(?:percent|percentage|per cent|%)")


_LONGEST = 200  # characters of a share told in one form
# Each of two opposites with the other one.
_SIDES = [(set(one), set(other)) for pair in WORDS["opposites"] for one, other in (pair, pair[::-1])]
_NOT = regex(r"\bnot\b|n't\b|\brest\b|\bothers?\b|\bremain(?:ing|s)?\b")  # those who do not
_NEGATED = regex(r"\b(?:not|[a-z]+n['’]t)\b")
_UN = regex(r"\bun([a-z]{3,})")
_WHEN = regex(r"\b(?:this|last|next) (?:year|month|week|term)\b|\btoday\b|\byesterday\b")
# "Are boys and wear glasses", "12 boys with glasses".
_AS_WELL = regex(
    r"\b(?:are|were|is|was|\d+|them|those|these) [a-z]+ (?:who|with|that|wear(?:ing)?"
    r"|in (?:the|our|my|a))\b|\b(?:are|were) [a-z]+ and\b"
)


def asks_of_rest(text: str) -> bool:
    """Whether the part that is asked for is the one that was not told: "30 of 120 failed. What percent passed?"."""
    told, asked = split_question(text)
    if _WHEN.search(asked) and _WHEN.findall(asked) != _WHEN.findall(told):
        return False
    if _AS_WELL.search(told):
        return False
    if (_NOT.search(asked) and not _NOT.search(told)) or _undone(told, asked) or _undone(asked, told):
        return True
    if _NEGATED.search(told) and not _NOT.search(asked) and not _asks_else(asked.replace("many", ""), told):
        return True
    words = [set(re.findall(r"[a-z]+", said)) for said in (told, asked)]
    return any(
        words[0] & one and words[1] & other and not (words[0] & other or words[1] & one) for one, other in _SIDES
    )


_IDLE = regex(r"\b(?:many|much|there|have|has|had|i|we|they|people|of|them|to)\b")
_REST = regex(r"\b(?:rest|others?|remain(?:ing|der)?)\b")


def asks_of_else(text: str) -> bool:
    """Whether the share that was told may be of others than are asked for: "25% are brown, how many are cracked?"."""
    told, asked = split_question(text)
    return _REST.search(told) is not None or _asks_else(_IDLE.sub(" ", asked), told)


def _undone(one: str, other: str) -> bool:
    """Whether ``one`` tells of "unread" and ``other`` of "read" alone."""
    turned = _UN.search(one)
    return bool(turned and f" {turned[1]}" in other and turned[0] not in other)


def english_part_asked(text: str) -> Literal["told", "rest", ""]:
    """Whether the share that is asked for is that of what was told, or of the rest; "" where it may be of neither."""
    if asks_of_rest(text):
        return "rest"
    told, asked = split_question(text)
    return "" if asked and _asks_else(asked, told) else "told"


_LAST_BEHIND = regex(r"\bthis (?:year|month|week)\b.{0,200}\d.{0,200}\blast (?:year|month|week)\b", re.I)


_TELLS = r"(?:there (?:are|were) |(?:i|we) have |(?:an?|the|my|our) [a-z]+ (?:has|have|of|with) )?"
# "There are 25 students in a class and 10 wear glasses. What percent wear glasses?"
_SOME_DO = regex(
    rf"{_TELLS}(?P<all>\d+) (?P<whom>[a-z]+)(?: (?:in|at|on) [a-z]+(?: [a-z]+)?)?,?"
    r"(?: and|,|\.| of (?:them|whom|which)){1,2} "
    r"(?P<some>\d+) (?:of them )?(?P<do>(?:are|were|have|had|wear|like|play|own|speak|walk|use|take|drink|eat) "
    r"[a-z]+(?: [a-z]+){0,3}|passed|failed|voted)[.,;]? (?:and )?"
    r"(?:what (?:percent(?:age)?|per cent)|how many percent)(?: of (?:them|those|these|the (?P=whom)))? "
    r"(?P<not>(?:do|does|did|are|were|have)(?: not|n['’]t) )?(?P<asked>[a-z]+(?: [a-z]+){0,4})[ ?.!]*",
    re.I,
)
# "There are 12 boys and 18 girls. What percentage are girls?"
_SORTS = regex(
    rf"{_TELLS}(?P<told>\d+ [a-z]+(?:(?:,| and|, and) \d+ [a-z]+){{1,4}})(?: (?:in|at|on) (?:an?|the|my|our) [a-z]+)?"
    r"[.,;:]? (?:and )?(?:what (?:percent(?:age)?|per cent|share)|how many percent) "
    r"(?:of (?:them|those|these|the [a-z]+) )?(?:are|is|were) (?:the )?(?P<asked>[a-z]+)[ ?.!]*",
    re.I,
)


def _opposite(one: str, other: str = "") -> bool:
    """Whether ``one`` is on a side of the opposites; and ``other``, where it is given, on the other side."""
    return any(one in mine and (not other or other in theirs) for mine, theirs in _SIDES)


def share_of_sorts(text: str) -> StorySum | None:
    """The share of one of several sorts in all of them together."""
    found = _SORTS.fullmatch(text) if len(text) < _LONGEST else None
    told = re.findall(r"(\d+) ([a-z]+)", found["told"].lower()) if found else []
    figures = {name: figure for figure, name in told}
    part = figures.get(found["asked"].lower()) if found else None
    if part is None or len(figures) < len(told) or not sum(map(int, figures.values())):
        return None
    if 0 < len({*figures} & {*WORDS["young"]}) < len(figures):
        return None
    all_ = f"({' + '.join(figures.values())})"
    one, other, *more = figures
    apart = set(figures) <= set(WORDS["apart"]) or (not more and _opposite(one, other))
    if set(figures) & set(WORDS["everyone"]) and not apart:
        if more or one not in WORDS["everyone"] or part != figures[other] or int(part) > int(figures[one]):
            return None  # 18 girls of 30 pupils are some of them
        if not _opposite(other) or any(other in sorts and one not in whole for sorts, whole in WORDS["some_of"]):
            return None
        all_ = figures[one]
    return StorySum(f"{part} / {all_} * 100", "%")


def _part_of(does: re.Match[str], text: str) -> str:
    """Those who do, or those who do not, whoever is asked for; "" for others."""
    do, asked = does["do"].lower(), does["asked"].lower()
    if does["not"] and asked in (do, do.partition(" ")[2]):
        return f"({does['all']} - {does['some']})"
    if do == asked and not does["not"]:
        return does["some"]
    one, other, whom = do.removeprefix("are "), asked.removeprefix("are "), does["whom"].lower()
    if any(one in sorts and whom not in whole for sorts, whole in WORDS["some_of"]) or does["not"]:
        return ""
    return f"({does['all']} - {does['some']})" if _opposite(one, other) and asks_of_rest(text) else ""


def percent_sum(text: str) -> StorySum | None:
    """ "We had 450 visitors and 387 this year. By what percentage did it drop?", "38 out of 50, as a percentage"."""
    if _LAST_BEHIND.search(text):  # "387 this year and 450 last year" tells the later one first
        return None
    if found := share_of_sorts(text):
        return found
    does = _SOME_DO.fullmatch(text) if len(text) < _LONGEST else None
    if does and 0 < int(does["all"]) >= int(does["some"]) and (part := _part_of(does, text)):
        return StorySum(f"{part} / {does['all']} * 100", "%")
    bare, asked = split_question(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text))
    story = read_story(bare) if _ASKS_PERCENT.search(asked) else None
    if (
        story is None
        or len(story.parts) != 2
        or any(part.by or part.role not in ("", "less") or part.names == PERCENT for part in story.parts)
    ):
        return None
    first, second = story.parts
    units = {part.unit for part in story.parts if part.unit}
    if (
        not first.amount
        or not second.amount
        or len(units) > 1
        or (first.names and second.names and not first.names & second.names)
    ):
        return None
    one, other = figure_of(first.amount), figure_of(second.amount)
    found = _CHANGES.search(asked)
    if found and not any(part.role for part in story.parts) and (second.amount < first.amount) == bool(found["fall"]):
        less = second.amount < first.amount
        return StorySum(f"({one} - {other}) / {one} * 100" if less else f"({other} - {one}) / {one} * 100", "%")
    of: object = re.search(rf"{re.escape(one)}(?: [a-z]+)? (?:out )?of (?:the |my |our )?{re.escape(other)}\b", bare)
    rest = asks_of_rest(text)
    if any(part.role for part in story.parts) and not (of and rest):
        return None
    of_all = rf"\bof {re.escape(one)}(?: [a-z]+)? (?:has|have|had|contains?) {re.escape(other)}\b"
    of_those = rf"^\W*of (?:the |my |our |those |all )*{re.escape(one)} [a-z]+,? {re.escape(other)} [a-z]+\W*$"
    if re.search(of_all, bare) or re.search(of_those, bare):
        first, second, one, other, of = second, first, other, one, True  # "a class of 30 has 18 girls"
    if not of or found or first.amount > second.amount or (not rest and _asks_else(asked, bare)):
        return None
    return StorySum(f"({other} - {one}) / {other} * 100" if rest else f"{one} / {other} * 100", "%")


def _asks_else(asked: str, told: str) -> bool:
    """Whether it asks for another thing than was told of: "30 of 120 failed, what percent passed?"."""
    words = {word for word in re.findall(r"[a-z']+", asked)} - set(WORDS["asks_percent"])
    return any(word not in told for word in words)
