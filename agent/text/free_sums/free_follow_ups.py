"""What a follow-up does with the figure that was just told: "take that off the 64", "split what's left between 4"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from agent.text.free_sums.free_items import MARK, Item, has, read_told
from agent.text.free_sums.free_plainer import plainly_told
from agent.text.problems.story_parts import stem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Value

_MOST_WORDS = 16
_LITTLE = regex(
    r"(?:\b(?:and|n|now|then|so|ok|okay|right|please|pls|thanks|cheers|just|can you"
    r"|could you|if|we|i|you|do|have to|should|let's"
    r"|what's|whats|what is|what will|what would|what do|how much|be|is|the|a|of|my|our"
    r"|get|gets|pay|pays|each|everyone|person|one"
    r"|apiece|per|it|that|this|come to|comes to|does|would|will|make|total|whole|new|price|in)\b|[ ,.?!;:-])*"
)
_THAT = (
    r"(?:that|it|this|those|them|what's left|whats left|what is left|the (?:rest|remainder"
    r"|total|answer|result|lot|bill|whole (?:thing|lot)))"
)
_GIVEN = rf"(?:the |my |our )?(?:[a-z]+ (?:of )?)?{MARK}"
_WHAT_FOR = r"(?: (?:for|on|as|in|worth of) (?!each\b)(?:the |a |an |my |our |his |her )?[a-z]+| [a-z]+(?= off| from))?"
_BY_CARD = r"(?: (?:with|for|from|by|as) (?:my|our|a|an|the) [a-z]+(?: [a-z]+){0,2})?"
_LESS, _MORE = (
    r"(?:take(?: off| away)?|takes?|taking|knock(?: off)?|subtract|deduct|minus|less)",
    r"(?:add|adding|plus|put)(?: on)?",
)


def _with(sign: str) -> Callable[[str, str], str]:
    return lambda told, said: f"What is {told} {sign} {said}?"


def _of(told: str, said: str) -> str:
    return f"What is {said} of {told}?" if said.endswith("%") else f"What is {told} * {said}?"


# What is done, with the one figure of the follow-up.
_DONE: tuple[tuple[re.Pattern[str], Callable[[str, str], str]], ...] = (
    (
        regex(rf"\b{_LESS} {_THAT} (?:off|from|away from|off of) {_GIVEN}"),
        lambda told, said: _with("minus")(said, told),
    ),
    (regex(rf"\b{_MORE} {_THAT} (?:on ?to|to|on|on top of) {_GIVEN}"), lambda told, said: _with("plus")(said, told)),
    (
        regex(rf"\b{_LESS} (?:another |an extra |a )?{MARK}{_WHAT_FOR}(?: (?:off" rf"|from)(?: {_THAT})?)?{_WHAT_FOR}"),
        _with("minus"),
    ),
    (
        regex(
            rf"\b{_MORE} (?:another |an extra |a )?{MARK}{_WHAT_FOR}(?: (?:to|on|onto"
            rf"|on top of) {_THAT}| on top| more)?{_WHAT_FOR}"
        ),
        _with("plus"),
    ),
    # "If I get another £4 off that with my loyalty card": not in the place of what came off before.
    (
        regex(
            rf"(?:\b(?:get|got|have|had|with|there's|there is|(?:they|she|he) (?:gives?|gave) (?:me|us)) )?"
            rf"(?:(?:another|an extra|a further|an additional) {MARK} (?:off|discount|reduction)(?: (?:of )?{_THAT})?"
            rf"|(?:an? )?{MARK} off (?:of )?{_THAT}){_BY_CARD}"
        ),
        _with("minus"),
    ),
    (regex(rf"(?:\bfor )?{MARK}(?: [a-z]+)? of (?:that|those|them|these)\b"), _of),
)
_SPLIT = regex(
    rf"\b(?:split|share|shared|divide|divided|splits?)(?: (?:up|out|{_THAT}))*"
    rf"(?: equally| evenly)? ?(?:between|among|amongst|by|over|into|across|with)?(?: the"
    rf"| us)? {MARK}(?: of us| of them| ways)?"
)
_FOR_EACH = regex(r"\b(?:how (?:much|many|big)|what)(?: is| does|'s)?(?: in| for| per)? (?:each|everyone)(?: one)?\b")
_MY_PART = regex(r"(?:and |so |what(?:'s|s| is) )*(?:my|your|his|her|our) (?P<part>half|third)(?: of (?:it|that))?")
_OF_ONE = regex(
    r"\bhow much (?:is|for|does|would|will|costs?) (?:just )?(?:one|1|a single one)(?: cost| be)?[ ?.!]*$", re.I
)
_FOR_SOME = regex(
    rf"(?:(?:and|so|then|what about|how about|how much (?:is|are|for)|for) )*{MARK}(?: of (?:them|those|these))?"
)
# "17 broke, so how many now?"
_GONE = regex(
    r"(?:(?:and|but|so|then|now|if) )*(?P<n>\d+) (?P<more>more )?(?:of (?:them"
    r"|those) )?(?:have |has |had |are |were |get |got |of )*"
    r"(?P<verb>[a-z]+(?: (?:off|away|in|out))?),? (?:and |so )?how many(?: of them)?"
    r"(?: (?:now|are left|left|is that|are there(?: now)?|do (?:i|we) have(?: now| left)?|remain))+"
)
_REST = regex(
    r"(?:and |so |then |now )*(?:(?:what|how much|how many)(?:'s|s| is| are|'re)?(?: be)? )?"
    r"(?:the (?:rest|remainder|others?)|left(?: over)?(?: then"
    r"| of (?:the )?(?P<of>[$€£]?\d[\d.]*))?|that leaves?|does that leave(?: me"
    r"| us)?)(?: then)?"
)
_OF_WHOLE = regex(
    r"(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent) of (?:the |my )?(?P<n>[$€£]?\d[\d,]*(?:\.\d+)?)(?: [a-z]+)?[ ?.!]*$"
)
_ONE = regex(r"\b(?:an|a) (hour|minute|day|week|month|year|litre|kilo|mile)\b", re.I)
_SIGNS = ("$", "€", "£", "¥")


def of_figure_told(text: str, value: Value, before: str) -> str | None:
    """The sum that the whole of ``text`` makes of the ``value`` told after ``before``; ``None`` for anything else."""
    plain = re.sub(r"[ ?.!]+$", "", plainly_told(_ONE.sub(r"1 \1", text)))
    if len(plain.split()) > _MOST_WORDS:
        return None
    if rest := _REST.fullmatch(plain):
        return _rest(value, before, rest["of"] or "")
    if half := _MY_PART.fullmatch(plain):
        return f"What is {_shown(value)} / {2 if half['part'] == 'half' else 3}?"
    if gone := _GONE.fullmatch(plain):
        out, back = (has(gone["verb"], name) for name in ("outgoing", "gained"))
        plus = "plus" if back or gone["more"] else "minus"
        return (
            _with(plus)(value.amount, gone["n"]) if out != back and not value.unit and value.amount.isdigit() else None
        )
    told = read_told(plain)
    if told is None or len(told.items) != 1:
        return None
    (item,) = told.items
    if _OF_ONE.search(before) and _FOR_SOME.fullmatch(told.text) and item.kind in ("bare", "count") and not item.per:
        return f"What is {_shown(value)} * {item.said}?"
    marked = told.text
    if split := _SPLIT.search(marked):
        rest = _FOR_EACH.sub(" ", marked[: split.start()] + " " + marked[split.end() :])
        whole = item.kind in ("count", "bare") and not item.per and item.amount.denominator == 1 and item.amount > 1
        way = "/" if measure_of(value.unit) else "split between"
        return f"What is {_shown(value)} {way} {item.said}?" if whole and _LITTLE.fullmatch(rest) else None
    for pattern, made in _DONE:
        done = pattern.search(marked)
        if done and _LITTLE.fullmatch(marked[: done.start()] + " " + marked[done.end() :]):
            told_of = item.kind != "count" or "of" in item.after.split()[:1] or _names(item, before)
            figure = _in_like_unit(item, value) if told_of else ""
            return made(_shown(value), figure) if figure else None
    return None


def _names(item: Item, before: str) -> bool:
    """Whether it counts what was told of before."""
    return bool(item.names & {stem(word) for word in re.findall(r"[a-z]+", before.lower())})


def _rest(value: Value, before: str, named: str) -> str | None:
    """ "And the rest?" after so much percent of a figure."""
    of = _OF_WHOLE.search(before)
    if of is None or value.close or named not in ("", of["n"], of["n"].lstrip("$€£")):
        return None
    share = Decimal(of["p"]) * Decimal(of["n"].lstrip("$€£").replace(",", "")) / 100
    return f"What is {of['n'].replace(',', '')} minus {_shown(value)}?" if share == Decimal(value.amount) else None


def _in_like_unit(item: Item, value: Value) -> str:
    """The figure of the follow-up in a unit that goes with the value, "" where none does."""
    if item.kind == "percent":
        return f"{item.said}%"
    if item.per or item.kind in ("clock", "speed"):
        return ""
    measures = {one.kind for one in measure_of(value.unit)} if value.unit and value.unit not in _SIGNS else set[str]()
    if item.kind == "money":
        return (
            ""
            if measures or (value.unit and item.unit not in ("", value.unit))
            else f"{item.unit or value.unit}{item.said}"
        )
    if item.kind in ("bare", "count"):
        item = replace(item, unit=value.unit if measures else "")
        sign = value.unit if value.unit in _SIGNS and item.kind == "bare" else ""
        return "" if item.kind == "count" and value.unit else f"{sign}{item.said} {item.unit}".strip()
    return f"{figure_of(item.amount)} {item.unit}" if item.kind in measures else ""


def _shown(value: Value) -> str:
    return f"{value.unit}{value.amount}" if value.unit in _SIGNS else f"{value.amount} {value.unit}".strip()
