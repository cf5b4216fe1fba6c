"""What is asked of the figure, or the two figures, that were just told: "take 18% off that", "her average of the two".

Each form is of the whole follow-up. What comes of it is a question that stands alone, with the figures put in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from agent.text.free_sums.free_follow_ups import of_figure_told
from agent.text.free_sums.free_steps import steps_on
from agent.text.problems.story_parts import stem, unit_named
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex
from agent.text.sums.phrases import Value

_LEAD = regex(
    r"^(?:(?:and|so|now|then|ok|okay|but|great|thanks|right|hm+|cool|nice|oh)\b[,.!]? ?)+"
    r"|,? ?(?:then|please|pls)(?=\W*$)",
    re.I,
)
_THAT = r"(?:that|it|this|those|them)"
_MONEY = r"[$€£]?(?P<m>\d+(?:\.\d\d?)?)(?: (?:pounds?|euros?|dollars?|quid|bucks))?"
_NUMBER = r"(?P<n>\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_PERCENT = r"(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent)"
_HUNDREDS = {"hundred": "100", "tenner": "10", "fiver": "5", "twenty": "20", "fifty": "50", "thousand": "1000"}
_SPANS = {("week", "year"): 52, ("month", "year"): 12, ("day", "week"): 7, ("hour", "day"): 24}
_OFTEN = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "hourly": "hour"}


def _less(value: Value, said: re.Match[str], before: str) -> str:
    return f"What is {_shown(value)} minus {said['p']}%?"


def _more(value: Value, said: re.Match[str], before: str) -> str:
    return f"What is {_shown(value)} plus {said['p']}%?"


def _voucher(value: Value, said: re.Match[str], before: str) -> str:
    left = Decimal(value.amount) - Decimal(said["m"])
    return f"What is {_shown(value)} minus {_sign(value)}{said['m']}?" if left >= 0 else ""


def _change(value: Value, said: re.Match[str], before: str) -> str:
    paid = _HUNDREDS.get(said["w"].lower(), "") if said["w"] else said["m"]
    enough = paid and Decimal(paid) >= Decimal(value.amount)
    return f"What is {_sign(value)}{paid} minus {_shown(value)}?" if enough and not value.unit.isalpha() else ""


def _percentage(value: Value, said: re.Match[str], before: str) -> str:
    of = (said["of"] or said["of2"]).lstrip("$€£").rstrip(".")
    return f"{value.amount} is what percent of {of}?"


def _holders(value: Value, said: re.Match[str], before: str) -> str:
    one = said["k"].lower()
    whole = value.amount.isdigit() and not value.unit
    return f"A {one} holds {said['c']} people. {value.amount} people are going, how many {one}s?" if whole else ""


def _times(value: Value, said: re.Match[str], before: str) -> str:
    """ "For 4 weeks?" of what one week comes to, "a year?" of what a month does."""
    number, unit = _number(said["n"]), said["u"].lower()
    asked = _clause_asked(before)
    ways = [
        one for often, one in _OFTEN.items() if re.search(rf"\b(?:{often}|(?:a|per|each|every|one) {one})\b", asked)
    ]
    if (
        len(ways) != 1
        or re.search(rf"\b(?:\d+|[a-z]+) {unit}s\b", before, re.I)
        or (value.unit and value.unit.isalpha() and unit_named(unit))
    ):
        return ""
    factor = 1 if ways[0] == unit else _SPANS.get((ways[0], unit), 0)
    return f"What is {_shown(value)} * {Decimal(number) * factor}?" if factor and number else ""


_REDUCED = regex(r"\b(?:off|discount|reduc\w+|cheaper|less|minus)\b", re.I)
_RAISED = regex(r"\b(?:vat|tax|tip|plus|more|rises?|rose|increase\w*|added)\b", re.I)
_OF_SHARE = regex(r"\b(?:tip|tax|vat|service|commission)\b", re.I)
_SHARE_TOLD = regex(r"(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent)", re.I)
_AMOUNT = regex(r"(?<![\d.])(?P<sign>[$€£]?)(?P<n>\d+(?:,\d{3})*(?:\.\d+)?)(?! ?(?:%|per))")


def _with_share(value: Value, said: re.Match[str], before: str) -> str:
    """ "And the total?" where the tip alone was asked for: what it is of, and the tip."""
    shares, rest = _SHARE_TOLD.findall(before), _SHARE_TOLD.sub(" ", before)
    amounts = _AMOUNT.findall(rest)
    if len(shares) != 1 or len(amounts) != 1 or not _OF_SHARE.search(_clause_asked(before)):
        return ""
    (share,), ((sign, amount),) = shares, amounts
    part = Decimal(amount.replace(",", "")) * Decimal(share) / 100
    return f"What is {sign}{amount} plus {share}%?" if abs(part - Decimal(value.amount)) < 1 else ""


def _another(value: Value, said: re.Match[str], before: str) -> str:
    """ "And with another 10%?" off what was 20% off, "with 5% discount?" of a price with its tax."""
    off, on = _REDUCED.search(before) is not None, _RAISED.search(before) is not None
    if said["another"]:
        return "" if off == on else _less(value, said, before) if off else _more(value, said, before)
    amounts = [Decimal(amount.replace(",", "")) for _, amount in _AMOUNT.findall(_SHARE_TOLD.sub(" ", before))]
    raised = on and not off and len(amounts) == 1 and Decimal(value.amount) > amounts[0]  # not of the tip alone
    return _less(value, said, before) if said["off"] and raised else ""


def _so_many(value: Value, said: re.Match[str], before: str) -> str:
    """ "So 20 eggs would be?" of the price of one."""
    asked, thing = _clause_asked(before), said["k"].lower()
    one = not unit_named(thing) and re.search(rf"\b(?:per|each|one|an?|single) {stem(thing)}\b", asked)
    number = _number(said["n"])
    return f"What is {_shown(value)} * {number}?" if one and number and not value.unit.isalpha() else ""


def _dozen(value: Value, said: re.Match[str], before: str) -> str:
    """ "And a dozen?" of the price of one."""
    of_one = re.search(r"\b(?:one|each|a single one|apiece)\b", _clause_asked(before))
    return f"What is {_shown(value)} * {6 if said['half'] else 12}?" if of_one and not value.unit.isalpha() else ""


def _aged(value: Value, said: re.Match[str], before: str) -> str:
    aged = re.search(r"\bhow old\b", before, re.I) and value.unit in ("", "years")
    return f"What is {value.amount} plus {said['n']}?" if aged and said["n"].isdigit() else ""


def _weekly(value: Value, said: re.Match[str], before: str) -> str:
    return f"What is {value.amount} * 12 / 52?"


def _in_unit(value: Value, said: re.Match[str], before: str) -> str:
    named, unit = unit_named(said["u"].lower()), value.unit.strip("()")
    given = (unit_named(unit) or unit_named(unit + "s")) if unit != value.unit else None
    same = named and given and named.kind == given.kind and named.name != given.name
    return f"How many {said['u'].lower()} is {value.amount} {given.name}?" if same and given else ""


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Value, re.Match[str], str], str]], ...] = (
    (
        regex(
            r"(?:(?:what|how much)(?:'s|s| is| would)?(?: be)? )?(?:the |my )?(?:total|total bill|bill in total"
            r"|bill with (?:the )?(?:tip|tax|vat)"
            r"|whole bill)(?: (?:with|including) (?:the |that )?(?:tip|tax|vat))?(?: then)?(?: be)?|(?:what"
            r"|how much) (?:is|do i pay) (?:it )?(?:in total|altogether|all together)",
            re.I,
        ),
        _with_share,
    ),
    (
        regex(
            rf"(?:what (?:about|if) |how about )?(?:with |if i get |plus )?(?:(?P<another>another|an extra"
            rf"|a further) )?(?:an? )?{_PERCENT}(?: (?P<off>off|discount|reduction))?(?: on top)?",
            re.I,
        ),
        _another,
    ),
    (
        regex(
            rf"(?:take|knock|subtract|deduct|minus|less) (?:off )?{_PERCENT}(?: [a-z]+)?(?: off"
            rf"| from)?(?: {_THAT})?(?: for [a-z]+)?",
            re.I,
        ),
        _less,
    ),
    (
        regex(
            rf"(?:add|plus|put) {_PERCENT}(?: [a-z]+)?(?: (?:to|on|on top of|onto) {_THAT}"
            rf"| on top)?(?: for [a-z]+)?",
            re.I,
        ),
        _more,
    ),
    (
        regex(
            rf"(?:(?:i|we)(?:'ve| have)? (?:also )?(?:got )?|with )an? {_MONEY}(?: off)? (?:voucher"
            rf"|coupon|gift card)(?: to (?:take off|use)(?: on| for)?(?: {_THAT})?| off| too"
            rf"| as well)?",
            re.I,
        ),
        _voucher,
    ),
    (
        regex(
            rf"(?:how much|what(?:'s|s| is)?|and)? ?(?:the |my )?change (?:do i get |would i get "
            rf"|will i get )?(?:from|out of|for) (?:an? )?(?:{_MONEY}|(?P<w>[a-z]+))(?: note)?",
            re.I,
        ),
        _change,
    ),
    (
        regex(
            rf"(?:what|which) (?:percent|percentage|%)(?: of (?P<of>[$€£]?\d[\d.]*) is {_THAT}"
            rf"| is {_THAT} of [$€£]?(?P<of2>\d[\d.]*))",
            re.I,
        ),
        _percentage,
    ),
    (
        regex(
            r"(?:an? |each |one )?(?P<k>[a-z]+?)s? (?:seats?|holds?|takes?|fits?|carr(?:y|ies)) "
            r"(?P<c>\d+)(?: people| each)?[.,;]? (?:so )?how many (?P=k)e?s (?:do|would|will|are"
            r"|must|should) [^?\d]*\b(?:that|those|them|this)\b[^?\d]*",
            re.I,
        ),
        _holders,
    ),
    (
        regex(
            rf"(?:what about |how about |that )?(?:(?:what|how much)(?:'s|s| is| would| will)?"
            rf"(?: {_THAT})?(?: be)? )?(?:for|over|in|a|per) ?{_NUMBER.replace('an?', 'a')} "
            rf"(?P<u>day|week|month|year)s?",
            re.I,
        ),
        _times,
    ),
    (
        regex(
            rf"(?:how much (?:are|would|for|do) |what (?:would|do|are) |what about |how about "
            rf"|for )?{_NUMBER} (?:of (?:them|those) )?(?P<k>[a-z]+)(?: (?:would|will|cost|costs|be"
            rf"|come|to))*",
            re.I,
        ),
        _so_many,
    ),
    (regex(r"(?:for |what about |how about )?(?P<half>half )?a dozen(?: of them)?", re.I), _dozen),
    (regex(r"how old (?:will|would) (?:he|she|they|it) be in (?P<n>\d+) years?(?: time)?", re.I), _aged),
    (
        regex(
            rf"what(?:'s|s| is) {_THAT} (?:per|a) week\b[^?]*\b52 weeks\b[^?]*\b12 (?:rents|months"
            rf"|payments)",
            re.I,
        ),
        _weekly,
    ),
    (regex(rf"(?:how many (?P<u>[a-z]+) (?:is|are|was) {_THAT})", re.I), _in_unit),
)
_BOTH = regex(
    r"(?:what(?:'s|s| is) )?(?:(?:the|her|his|their|its|my|our) )?(?P<what>average|mean"
    r"|difference|total|sum)(?: (?:of|between) (?:the two|both|them|those(?: two)?))|"
    r"(?P<sum>(?:and |what about )?(?:both|the two)(?: of (?:them|those))? (?:together"
    r"|added up|in total))|(?P<add>(?:please |can you |just )?(?:add|sum|total)(?: up)? (?:both|the two|those|these"
    r"|them|those two|these two|the two of them|both of them)(?: (?:up|together|figures|numbers|results|answers"
    r"|amounts))*)"
    r"|(?P<make>what (?:do|does|did|would) (?:those two|these two|the two(?: of them)?|both(?: of (?:them|those))?"
    r"|they(?: both)?) (?:make|come to|give|add up to|amount to|bring|weigh|cost|have)"
    r"(?: (?:together|altogether|in all|in total|combined|all together))?"
    r"|how much (?:is|are|do|did) (?:those two|these two|the two(?: of them)?|both(?: of (?:them|those))?|they)"
    r"(?: (?:make|come to|give|weigh|cost|bring))? (?:together|altogether|in all|in total|combined))",
    re.I,
)
_TWO = regex(r"\b(?:two|both)\b", re.I)
_SECOND = regex(
    r"(?:by )?how (?:many [a-z]+|much) (?P<how>[a-z]+er|more|less|fewer)(?: [a-z]+)? "
    r"(?:was|is|are|were) the (?P<one>first|second)(?: one)? than the (?P<two>first"
    r"|second)(?: one)?",
    re.I,
)
_SMALLER = frozenset(("less", "fewer", "shorter", "lighter", "smaller", "cheaper", "younger", "lower", "slower"))


def of_value(text: str, value: Value | None, before: str) -> str | None:
    """What ``text`` asks of the one figure that the answer to ``before`` ended in, ``None`` for anything else."""
    bare = _LEAD.sub("", text.strip(" ?.!"))
    if value is None or Decimal(value.amount) < 0:
        return None
    for pattern, made in _FORMS:
        if (said := pattern.fullmatch(bare)) and (asked := made(value, said, before)):
            return asked
    return of_figure_told(bare, value, before) or steps_on(bare, value, before)


def of_two_values(text: str, *values: Value | None) -> str | None:
    """What ``text`` asks of the figures of the last two answers, of ``values``; "them" may be of a third one, too."""
    first, second = values[-2:] if len(values) > 1 else (None, None)
    if first is None or second is None or first.unit != second.unit:
        return None
    bare = _LEAD.sub("", text.strip(" ?.!"))
    if both := _BOTH.fullmatch(bare):
        what = (both["what"] or "sum").lower()
        added = both["add"] or both["make"]
        if added and len(values) > 2 and values[-3] and not _TWO.search(added):
            return None
        if what == "difference":
            less, more = sorted((first, second), key=lambda value: Decimal(value.amount))
            return f"What is {_measured(more)} minus {_measured(less)}?"
        mean = what in ("average", "mean")
        return (
            f"What is ({first.amount} + {second.amount}) / 2?"
            if mean
            else f"What is {_measured(first)} + {_measured(second)}?"
        )
    said = _SECOND.fullmatch(bare)
    if said is None or said["one"].lower() == said["two"].lower():
        return None
    more, less = (second, first) if said["one"].lower() == "second" else (first, second)
    if said["how"].lower() in _SMALLER:
        more, less = less, more
    return f"What is {_shown(more)} minus {_shown(less)}?" if Decimal(more.amount) > Decimal(less.amount) else None


def _shown(value: Value) -> str:
    return f"{_sign(value)}{value.amount}"


def _measured(value: Value) -> str:
    return _shown(value) if _sign(value) or not unit_named(value.unit) else f"{value.amount} {value.unit}"


def _sign(value: Value) -> str:
    return value.unit if value.unit in ("$", "€", "£", "¥") else ""


def _clause_asked(before: str) -> str:
    return re.split(r"[.!?,;] ", before.rstrip())[-1].lower()


def _number(said: str) -> str:
    word = said.lower()
    read = ("1", len(word)) if word in ("a", "an", "one") else number_at(word, 0, "en")
    return read[0] if read and read[1] == len(word) else ""
