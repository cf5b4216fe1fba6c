"""Counts that need no story: even numbers in a range, the weekday in 10 days, two statistics of a list, a"
" ratio's parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_LONGEST = 160  # characters
_N = r"\d+(?:,\d{3})*(?:\.\d+)?"
_ALL = r"(?:are there |are |lie |there are )?"
_KINDS = regex(
    rf"how many (?:whole )?(?:(?P<odd>odd|even) (?:whole )?numbers|multiples of (?P<of>\d+)"
    rf"|numbers (?:{_ALL})?(?:that are )?divisible by (?P<by>\d+)) "
    rf"{_ALL}(?P<way>between|from) (?P<a>\d+) (?:and|to|up to|through) (?P<b>\d+)(?P<both>,? inclusive)?"
)
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = f"(?P<day>{'|'.join(_WEEK)})"
_NUMBER = r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_ASKS_DAY = r"(?:what|which) (?:week ?day|day of the week|day)"
_AHEAD = rf"{_NUMBER} (?P<unit>days?|weeks?)(?: time| from (?:now|today|then)| later)?"
_WEEKDAY = (
    regex(
        rf"(?:if )?(?:today is|it(?:['’]s| is)|today['’]s|this is)"
        rf" (?:a )?{_DAY}(?: today)?[,.;]? (?:so )?{_ASKS_DAY} "
        rf"(?:(?:is|will|would) (?:it|that|there)(?: be)? |is |will be |comes )?(?:in |after )?{_AHEAD}"
    ),
    regex(
        rf"(?:if )?(?:today is|it(?:['’]s| is)|today['’]s|this is)"
        rf" (?:a )?{_DAY}(?: today)?[,.;]? (?:so )?{_ASKS_DAY} "
        r"(?:was (?:it|that) )?(?:was )?(?P<n>\d+) (?P<unit>days?|weeks?) (?P<ago>ago|before)"
    ),
    regex(rf"{_ASKS_DAY} (?:is|will it be|comes) {_NUMBER} (?P<unit>days?|weeks?) after (?:a )?{_DAY}"),
    regex(
        rf"(?:i|we|he|she) (?:borrowed|rented|hired|took out"
        rf"|took)(?: [a-z]+){{1,4}} on {_DAY} for {_NUMBER} (?P<unit>days?|weeks?)[.,;]? "
        rf"{_ASKS_DAY} (?:must|do|does|should|will|have|has|are|is) [a-z ]*\b(?:back|returned|due|over|bring (?:it"
        rf"|them) back|return (?:it|them))"
    ),
)
_LIST = rf"(?P<list>-?{_N}(?:(?:, ?| and |, and | )-?{_N}){{2,}})"
_STATISTIC = (
    r"(?:mean|average|median|mode|highest|lowest|largest|smallest|biggest|maximum|max|minimum|min|range|total|sum|"
    r"most (?:common|frequent)(?: (?:number|value|one))?)"
)
_OF_LIST = (
    regex(
        rf"(?:(?:what(?:['’]?s| is| are)|find|give me|calculate)"
        rf" )?(?:the )?(?P<first>{_STATISTIC})(?:(?: and(?: the)? |, )(?P<second>{_STATISTIC}))? "
        rf"(?:of |for |from )?(?:these |the )?(?:numbers |values |marks |scores |figures )?:? ?{_LIST}"
    ),
    regex(
        rf"(?:my |the |our |her |his |these )?[a-z]+(?: [a-z]+)?(?: are| were|:) ?{_LIST}[.;,:?] ?(?:what(?:['’]?s"
        rf"| is| are| was| were) )?"
        rf"(?:my |the |their |her |his )?(?P<first>{_STATISTIC})(?:(?: and(?: (?:my|the))? "
        rf"|, )(?P<second>{_STATISTIC}))?(?: mark| score| value| number)?"
    ),
)
_SAME = {
    "average": "mean", "largest": "max", "highest": "max", "biggest": "max", "maximum": "max", "lowest": "min",
    "smallest": "min", "minimum": "min", "sum": "total",
}  # fmt: skip
_CALLED = {
    "mean": "mean",
    "median": "median",
    "mode": "mode",
    "max": "largest",
    "min": "smallest",
    "range": "range",
    "total": "total",
}
_CLOCK_12 = regex(
    r"(?:(?:what(?:['’]s| is)|convert|write|put) )?(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d) (?:in|to|into|as) "
    r"(?:the )?(?:12[- ]?h(?:ou)?r?|twelve[- ]hour|am/?pm|am or pm)(?: (?:format|time|clock|notation))*"
)
_CLOCK_24 = regex(
    r"(?:(?:what(?:['’]s| is)|convert|write|put) )?(?P<h>1[0-2]"
    r"|0?[1-9])(?:[:.](?P<m>[0-5]\d))? ?(?P<half>[ap])\.?m\.? (?:in|to|into|as) "
    r"(?:the )?(?:24[- ]?h(?:ou)?r?|military)(?: (?:format|time|clock|notation))*"
)
_MONEY = rf"(?P<sign>[$€£]?)(?P<n>{_N})(?: ?(?P<unit>euros?|dollars?|pounds?|€|£))?"
_PARTS = r"(?:in (?:the|a) ratio (?:of )?)?(?P<a>\d{1,3})(?: ?: ?| to )(?P<b>\d{1,3})"
_RATIO = (
    regex(
        rf"(?:(?:(?P<one>[a-z]+) and (?P<two>[a-z]+)|we|they|two [a-z]+) )?(?:share|split"
        rf"|divide)s? {_MONEY}(?: [a-z]+)?(?: between (?:them|us)(?:selves)?)?,? {_PARTS}"
        r"[.,;]? (?:how much|how many(?: [a-z]+)?|what) (?:does|do|will|would) (?P<who>each(?: (?:side|one|person"
        r"|of (?:us|them)))?|[a-z]+) (?:get|receive|pay|have)"
    ),
)
_SCORES = regex(
    r"i (?:got|scored|had) (?P<a>\d+) (?:out )?of (?P<b>\d+) (?:on|in|for|at) (?P<one>[a-z ]+?),? and (?P<c>\d+)"
    r" (?:out )?of (?P<d>\d+) "
    r"(?:on|in|for|at) (?P<two>[a-z ]+?)[.,;] (?:which|what) (?:(?:one|score|result|percentage|mark|test|of them)"
    r" )*(?:is|was|are) (?:the )?(?:better|higher|best)(?: (?:score|result|one|percentage|mark))?"
)


def plain_count(text: str) -> Problem | None:
    """ "How many odd numbers are there between 10 and 20?", "mode of 2 3 3 5", "we split 90 euros 2 to 1, each?"."""
    if len(text) > _LONGEST:
        return None
    bare = re.sub(r"[ ?.!]+$", "", " ".join(text.lower().split()))
    return next((found for read in _READERS if (found := read(bare))), None)


def _numbers_of_kind(text: str) -> Problem | None:
    """Both ends count; where they do and "between" may mean without them, that is told, too."""
    said = _KINDS.fullmatch(text)
    if said is None:
        return None
    first, last = int(said["a"]), int(said["b"])
    step, rest = (2, int(said["odd"] == "odd")) if said["odd"] else (int(said["of"] or said["by"]), 0)
    if first > last or not step:
        return None
    ends = [end for end in {first, last} if end % step == rest]
    kind = f"{said['odd']} numbers" if said["odd"] else f"multiples of {step}"
    above, below = (f"{end} + 1" if rest else str(end) for end in (last, first - 1))  # 1, 3, 5 are as many as 2, 4, 6
    sum_ = f"floor({f'({above})' if rest else above} / {step}) - floor({f'({below})' if rest else below} / {step})"
    told = f"There are {{figure}} {kind} from {first} to {last}"
    without = (
        f", {' and '.join(map(str, sorted(ends)))} included"
        if ends and said["way"] == "between" and not said["both"]
        else ""
    )
    return Problem("count", sum_, f"the {kind} from {first} to {last}", told=f"{told}{without}.")


def _weekday(text: str) -> Problem | None:
    """Whole weeks change nothing: the days beyond them do."""
    said = next((found for form in _WEEKDAY if (found := form.fullmatch(text))), None)
    if said is None:
        return None
    number = "1" if said["n"] in ("a", "an") else (number_at(said["n"], 0, "en") or ("0", 0))[0]
    back, days = bool(said.groupdict().get("ago")), int(number) * (7 if said["unit"].startswith("week") else 1)
    place = (_WEEK.index(said["day"]) + (-days if back else days)) % 7
    told = f"{number} {said['unit']} {'before' if back else 'after'} a {said['day'].capitalize()}"
    beyond = f", {{figure}} {'day' if days % 7 == 1 else 'days'} beyond whole weeks"
    return Problem(
        "weekday",
        f"{days} mod 7",
        f"{days} days without whole weeks",
        told=f"{told}{beyond}, is a {_WEEK[place].capitalize()}.",
    )


def _statistics(text: str) -> Problem | None:
    """One or two of a list: the mode is counted, the others are worked out."""
    said = next((found for form in _OF_LIST if (found := form.fullmatch(text))), None)
    if said is None:
        return None
    figures = [
        one.replace(",", "")
        for one in re.findall(rf"-?{_N}", re.sub(r"(?<=\d),(?=\d{{1,2}}(?!\d))|(?<=\d),(?=\d{4})", ", ", said["list"]))
    ]
    names = [_statistic(name) for name in (said["first"], said["second"]) if name]
    if len(names) == 1 and names[0] != "mode":
        return None  # read elsewhere
    sums = [_sum_of(name, figures) for name in names]
    if len(set(names)) < len(names) or not all(sums):
        return None
    (wanted, told), *rest = [one for one in sums if one]
    listed = f"{', '.join(figures[:-1])} and {figures[-1]}"
    first = f"The {_CALLED[names[0]]} of {listed} is {told}."
    if not rest:
        return Problem("statistics", wanted, f"the {names[0]} of {listed}", told=first)
    then, then_told = rest[0]
    return Problem(
        "statistics", wanted, f"the {_CALLED[names[0]]} of {listed}", told=first, then=then,
        then_told=f"The {_CALLED[names[1]]} is {then_told.replace('{figure}', '{then}')}.",
    )  # fmt: skip


def _statistic(name: str) -> str:
    return "mode" if name.startswith("most") else _SAME.get(name, name)


def _sum_of(name: str, figures: list[str]) -> tuple[str, str] | None:
    values, listed = [Fraction(one) for one in figures], ", ".join(figures)
    if name == "mode":
        counts = Counter(values)
        most = [value for value, often in counts.items() if often == max(counts.values())]
        if max(counts.values()) == 1 or len(most) > 1:
            return None  # none, or more than one
        return (
            f"max({', '.join([figure_of(most[0])] * counts[most[0]])})",
            f"{{figure}}, which is there {counts[most[0]]} times",
        )
    if name == "range":
        return f"{figure_of(max(values))} - {figure_of(min(values))}", "{figure}"
    total = " + ".join(figures)
    forms = {"mean": f"({total}) / {len(figures)}", "total": total}
    return forms.get(name, f"{name}({listed})"), "{figure}"


def _clock_form(text: str) -> Problem | None:
    """18:45 as 6:45 pm, and 7:40 pm as 19:40."""
    if said := _CLOCK_12.fullmatch(text):
        hour = int(said["h"])
        sum_ = f"{hour} - 12" if hour > 12 else f"{hour} + 12" if not hour else f"{hour} + 0"
        return Problem(
            "clock",
            sum_,
            "the hour",
            told=f"{said['h']}:{said['m']} is {{figure}}:{said['m']} {'pm' if hour >= 12 else 'am'}.",
        )
    if said := _CLOCK_24.fullmatch(text):
        hour, minute = int(said["h"]), said["m"] or "00"
        late = said["half"] == "p"
        sum_ = f"{hour} + 12" if late and hour < 12 else f"{hour} - 12" if not late and hour == 12 else f"{hour} + 0"
        return Problem("clock", sum_, "the hour", told=f"{hour}:{minute} {said['half']}m is {{figure}}:{minute}.")
    return None


def _shared_in_ratio(text: str) -> Problem | None:
    """Each part, or that of the one who is named: the parts are in the order of the names."""
    said = next((found for form in _RATIO if (found := form.fullmatch(text))), None)
    if said is None:
        return None
    first, second, whole = said["a"], said["b"], said["n"].replace(",", "")
    if not int(first) + int(second):
        return None
    sign = said["sign"] or {"euro": "€", "€": "€", "dollar": "$", "pound": "£", "£": "£"}.get(
        (said["unit"] or "").rstrip("s"), ""
    )
    parts = [f"{whole} / ({first} + {second}) * {one}" for one in (first, second)]
    if said["who"].startswith("each"):
        return Problem(
            "ratio",
            parts[0],
            "the first part",
            sign,
            told="The parts are {figure}",
            then=parts[1],
            then_told="and {then}.",
        )
    names = [said["one"], said["two"]]
    if not said["one"] or said["who"] not in names or names[0] == names[1]:
        return None
    return Problem("ratio", parts[names.index(said["who"])], f"the part of {said['who'].capitalize()}", sign)


def _better_score(text: str) -> Problem | None:
    said = _SCORES.fullmatch(text)
    if said is None or not int(said["b"]) or not int(said["d"]):
        return None
    one, two = Fraction(int(said["a"]), int(said["b"])), Fraction(int(said["c"]), int(said["d"]))
    which = (
        "they are the same"
        if one == two
        else f"the {'first' if one > two else 'second'} one ({said['one'] if one > two else said['two']}) is better"
    )
    return Problem(
        "scores",
        f"{said['a']} / {said['b']} * 100",
        f"{said['a']} of {said['b']} in percent",
        told=f"{said['a']} out of {said['b']} is {{figure}}%",
        then=f"{said['c']} / {said['d']} * 100",
        then_told=f"and {said['c']} out of {said['d']} is {{then}}%: {which}.",
    )


_READERS: tuple[Callable[[str], Problem | None], ...] = (
    _numbers_of_kind, _weekday, _statistics, _clock_form, _shared_in_ratio, _better_score,
)  # fmt: skip
