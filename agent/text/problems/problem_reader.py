"""Everyday problems: which frame of ``problems.toml`` a question fits, and the sum that answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations
from typing import Any

from agent.text.problems.plain_problem import plainer
from agent.text.problems.problem_words import Given, Wording, worded
from agent.text.quantities.units import named
from agent.text.regex import regex
from agent.text.sums.phrases import Language, Value, shown
from agent.text.word_tables import word_table

_PLACE = regex(r"\{(?P<name>[a-z]):(?P<kinds>[A-Za-z]+)\}")
_FILLED = regex(r"\{(?:(?P<into>years|months|hours|minutes|kg|metres):)?(?P<name>[a-z]+)(?:~(?P<like>[a-z]))?\}")
_OFTEN = {"monthly": "12", "quarterly": "4", "daily": "365"}
_SOFT = ("soft", "at", "count", "required")  # words that may stand anywhere
_LITTLE = ("and", "total", "then")
_MOST_GIVEN = 6  # quantities of one problem
_SPEEDS = {"km": "km/h", "miles": "mph", "metres": "metres per hour"}
_WAYS = {"km/h": "km", "mph": "miles", "knots": "nautical miles"}
_SQUARES = {"metres": "m²", "km": "km²", "feet": "square feet", "": ""}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that was read: ``expression`` is for the calculator, ``called`` what an answer calls its result.

    ``unit`` is that of the result, "%" a percentage; ``per`` follows it, as in " per kg". ``told`` is the sentence of
    the answer with ``{figure}``, where "… is …" will not do, and ``fell`` that for a result below zero. ``then`` is a
    second sum, in which ``{it}`` stands for the first result, and ``then_told`` its sentence. ``other`` is the sum that
    the first is compared with, and ``other_called`` its name.
    """

    name: str
    expression: str
    called: str
    unit: str = ""
    per: str = ""
    told: str = ""
    fell: str = ""
    then: str = ""
    then_told: str = ""
    other: str = ""
    other_called: str = ""


def read_problem(text: str, language: Language) -> Problem | None:
    """The problem that ``text``, the whole of it, poses; ``None`` where it is none, or fits none surely."""
    if len(text) > 400:  # characters
        return None
    if found := _equation(text, language) or _lengths(text, language) or _of_things(text, language):
        return found
    wording = worded(plainer(text), language)
    if wording is None or not 0 < len(wording.given) <= _MOST_GIVEN:
        return None
    frames = [frame for frame in _frames() if not frame["refused"].search(text.lower())]
    for words in _looser(wording):
        for frame in frames:
            for chosen in _fits(frame, words):
                if all(_holds(need, chosen) for need in frame.get("needs", ())):
                    return _problem(frame, chosen, wording, language)
    return None


def _looser(wording: Wording) -> Iterator[Wording]:
    """As it is said, then without the little words that seldom change what is asked."""
    yield wording
    looser = " ".join(word for word in wording.text.split() if word not in _LITTLE)
    if looser != wording.text:
        yield replace(wording, text=looser)


_NUMBER = r"\d+(?:\.\d+)?"
_EQUATION = regex(
    rf"(?:(?:please )?(?:solve|what is x if|find x if|find x in|what is x in|if)(?: for x)?:? ?)?"
    rf"(?P<times>-?(?:{_NUMBER})?) ?\*? ?x(?: ?(?P<sign>[+-]) ?(?P<more>{_NUMBER}))? ?= ?(?P<whole>-?{_NUMBER})"
    rf"(?:,? (?:what is x|find x|solve(?: for x)?|for x|then x is))?[ ?.]*",
    re.I,
)


def _equation(text: str, language: Language) -> Problem | None:
    """3x + 5 = 20, for x."""
    found = _EQUATION.fullmatch(text)
    if found is None or (not found["times"] and not found["more"]):
        return None
    times = {"": "1", "-": "-1"}.get(found["times"], found["times"])
    if not Decimal(times):
        return None
    more = f" {'-' if found['sign'] == '+' else '+'} {found['more']}" if found["more"] else ""
    added = f" {found['sign']} {found['more']}" if found["more"] else ""
    said = f"{found['times']}x{added} = {found['whole']}"
    called = f"{said}のx" if language == "ja" else f"x in {said}"
    return Problem("equation", f"({found['whole']}{more}) / ({times})", called)


_ONE_LENGTH = (
    r"(?:\d{1,3}:[0-5]\d|\d{1,3} ?(?:h|hrs?|hours?|時間)(?:,? ?(?:and )?\d{1,3} ?(?:m|min|mins|minutes?|分)?)?"
    r"|\d{1,4} ?(?:m|min|mins|minutes?|分))"
)
_LENGTHS = regex(
    rf"(?:add|what is|how much is|the sum of)? ?(?P<first>{_ONE_LENGTH}) ?"
    rf"(?P<sign>and|plus|\+|minus|less|-|足す|たす|引く|ひく|と|に|から) ?(?P<second>{_ONE_LENGTH})"
    r"(?: hours)?(?: together| in total)?(?P<after>の合計|を足した時間|を?足す|を?たす|を?引く|を?ひく)?と?[ ?.は]*",
    re.I,
)


def _lengths(text: str, language: Language) -> Problem | None:
    """Two lengths as hours and minutes that are added up, or taken from each other: 1:45 and 2:30."""
    found = _LENGTHS.fullmatch(text)
    if found is None or not re.search(r"[:h時]", text):
        return None
    less = found["sign"].lower() in ("minus", "less", "-", "から", "引く", "ひく")
    if less and ":" in text:
        return None  # 6:30 - 22:45 may be from one time of day to another
    if (found["sign"] in "とにから") != bool(found["after"]) or (found["after"] and less != ("く" in found["after"])):
        return None
    minutes = [_in_minutes(found["first"]), _in_minutes(found["second"])]
    first, second = (f"{one // 60}:{one % 60:02}" for one in minutes)
    names = ("引く", "minus") if less else ("足す", "plus")
    called = (
        f"{first} {names[0]} {second}" if language == "ja" else f"{first} {names[1]} {second}, as hours and minutes,"
    )
    parts = [f"{one // 60} * 60 + {one % 60}" for one in minutes]
    sum_ = f"({parts[0]} {f'- ({parts[1]})' if less else f'+ {parts[1]}'}) / 60"
    total = abs(minutes[0] - minutes[1] if less else sum(minutes))
    english = f"{called.removesuffix(',')} is {total // 60} hours {total % 60} minutes, {{figure}}."
    told = f"{called}は{total // 60}時間{total % 60}分({{figure}})です。" if language == "ja" else english
    return Problem("lengths", sum_, called, "hours", told="" if less and minutes[0] < minutes[1] else told)


def _in_minutes(text: str) -> int:
    figures = [int(figure) for figure in re.findall(r"\d+", text)]
    hours = re.search(r"[:h時]", text, re.I) is not None
    return figures[0] * 60 + sum(figures[1:]) if hours else figures[0]


_PRICE = rf"(?P<sign>[$€£]?) ?(?P<price>{_NUMBER})(?: (?P<money>euros?|dollars?|pounds?|€|£|\$))?"
# "6 eggs cost 2.10, what do 10 eggs cost?": the thing is named alike both times.
_PROPORTION = regex(
    rf"(?:if )?(?P<some>{_NUMBER}) ?(?P<thing>[a-z]{{1,20}})(?P<of> of [a-z]{{2,20}})?(?: costs?| are| is) {_PRICE},? "
    rf"(?:then )?(?:what|how much)(?: do| does| will| would| are| is| for)*(?: the price of)? "
    rf"(?P<more>{_NUMBER})(?: ?(?P=thing)(?:(?P=of))?| of (?:them|those))?(?: costs?| be)?[ ?.]*",
    re.I,
)
_PROPORTION_TURNED = regex(
    rf"(?:what|how much) (?:do|does|will|would|is|are) (?P<more>{_NUMBER}) ?(?P<thing>[a-z]{{1,20}})"
    rf"(?P<of> of [a-z]{{2,20}})? (?:cost )?(?:if|when) (?P<some>{_NUMBER})"
    rf"(?: ?(?P=thing)(?:(?P=of))?| of (?:them|those))? (?:costs?|are) {_PRICE}[ ?.]*",
    re.I,
)
_PACKS = regex(
    r"(?:i have )?(?P<packs>\d+) (?P<called>[a-z]{2,20}) (?:of|with) (?P<each>\d+) (?P<thing>[a-z]{2,20})(?: each)?,? "
    r"how many (?P=thing)(?: is that| are that| are there| do i have| in total| in all| altogether)*[ ?.]*"
    r"|how many (?P<what>[a-z]{2,20}) (?:are|is|do i have)(?: there)? in "
    r"(?P<n>\d+) (?P<of>[a-z]{2,20}) of (?P<k>\d+)[ ?.]*",
    re.I,
)
_SIGNS = {"euro": "€", "dollar": "$", "pound": "£"}


def _of_things(text: str, language: Language) -> Problem | None:
    """The price of more of the same, or how many of it some packs hold."""
    if packs := _PACKS.fullmatch(text):
        several, each = packs["packs"] or packs["n"], packs["each"] or packs["k"]
        thing, pack = packs["thing"] or packs["what"], packs["called"] or packs["of"]
        return Problem("packed", f"{several} * {each}", f"the number of {thing} in {several} {pack} of {each}")
    found = _PROPORTION.fullmatch(text) or _PROPORTION_TURNED.fullmatch(text)
    if found is None or language != "en" or not Decimal(found["some"]):
        return None
    unit = found["sign"] or _SIGNS.get((found["money"] or "").lower().rstrip("s"), found["money"] or "")
    thing, price = found["thing"] + (found["of"] or ""), shown(Value(found["price"], unit), language)
    called = f"the price of {found['more']} {thing}, at {price} for {found['some']},"
    return Problem("proportion", f"{found['price']} / {found['some']} * {found['more']}", called, unit)


@cache
def _frames() -> tuple[dict[str, Any], ...]:
    read = word_table(__file__, "problems.toml")["frame"]
    for frame in read:
        for key, usual in (("refused", "(?!)"), ("cue", ".*"), ("unless", "(?!)")):
            frame[key] = regex(frame.get(key, usual))
        frame["order"] = [regex(_PLACE.sub(_quantity, pattern)) for pattern in frame.get("order", ())]
    return tuple(read)


def _quantity(place: re.Match[str]) -> str:
    return rf"(?P<{place['name']}>[{place['kinds']}])(?P<{place['name']}_at>\d+)"


def _fits(frame: Mapping[str, Any], wording: Wording) -> Iterator[dict[str, Given]]:
    words = wording.text.split()
    said = [word for word, _ in groupby(word for word in words if word not in _SOFT)]
    if not any(map(frame["cue"].fullmatch, words)) or any(map(frame["unless"].fullmatch, words)):
        return
    if frame.get("exact") and wording.unknown:
        return
    for pattern in frame["order"]:
        if found := pattern.fullmatch(" ".join(said)):
            names = [name for name in found.groupdict() if not name.endswith("_at") and found[name]]
            chosen = {name: wording.given[int(found[f"{name}_at"])] for name in names}
            if len(chosen) == len(wording.given):
                yield chosen
    for bag in frame.get("bag", ()):
        yield from _in_any_order(bag, said, wording)


def _in_any_order(bag: str, said: list[str], wording: Wording) -> Iterator[dict[str, Given]]:
    needed, _, optional = bag.partition("(")
    slots = [item.split(":") for item in needed.split() if ":" in item]
    cues = [set(item.split("|")) for item in needed.split() if ":" not in item]
    allowed = {word for cue in cues for word in cue} | set(optional.rstrip(")").split())
    words = [word for word in said if word.isalpha() or "_" in word]
    allowed |= {"of", "and"}
    if len(slots) != len(wording.given) or not set(words) <= allowed or any(not cue & set(words) for cue in cues):
        return
    for order in permutations(wording.given):
        if all(given.kind in kinds for given, (_, kinds) in zip(order, slots, strict=True)):
            yield {name: given for given, (name, _) in zip(order, slots, strict=True)}


def _number(given: Given) -> Decimal:
    return Decimal(given.amount)


def _size(given: Given) -> Fraction:
    return Fraction(given.amount) * (given.measure.size if given.measure else 1)


def _alike(one: Given, other: Given) -> bool:
    kinds = [given.measure.kind if given.measure else "" for given in (one, other)]
    return kinds[0] == kinds[1]


_NEEDS: dict[str, Callable[[Mapping[str, Given], list[str]], bool]] = {
    "whole": lambda chosen, names: "." not in chosen[names[0]].amount,
    "one": lambda chosen, names: names[0] not in chosen or chosen[names[0]].amount == "1",
    "yen": lambda chosen, names: chosen[names[0]].unit == "円",
    "unit": lambda chosen, names: names[1] not in chosen or chosen[names[0]].unit == chosen[names[1]].unit,
    "apart": lambda chosen, names: chosen[names[0]].unit != chosen[names[1]].unit,
    "same": lambda chosen, names: _alike(chosen[names[0]], chosen[names[1]]),
    "larger": lambda chosen, names: _size(chosen[names[0]]) > _size(chosen[names[1]]),
    "differ": lambda chosen, names: not _alike(chosen[names[0]], chosen[names[1]]),
    "money": lambda chosen, names: _one_currency(chosen[names[0]], chosen[names[1]]),
    "equal": lambda chosen, names: names[1] not in chosen or chosen[names[0]].amount == chosen[names[1]].amount,
    "sum": lambda chosen, names: _number(chosen[names[0]]) + _number(chosen[names[1]]) == _number(chosen[names[2]]),
    "year": lambda chosen, names: names[0] not in chosen or _in_months(chosen[names[0]]) == 12,
}


def _one_currency(one: Given, other: Given) -> bool:
    """In one currency, or one of them without any: "reduced from $899 to 749"."""
    return one.kind == other.kind == "N" or not (one.unit and other.unit) or one.unit == other.unit


def _holds(need: str, chosen: Mapping[str, Given]) -> bool:
    kind, _, names = need.partition(":")
    if kind in _NEEDS and names:
        return _NEEDS[kind](chosen, names.split(","))
    compared = re.fullmatch(r"([a-z])(<=|<|>)([a-z]|\d+)", need)
    if compared is None:
        return True
    left = _number(chosen[compared[1]])
    right = Decimal(compared[3]) if compared[3].isdigit() else _number(chosen[compared[3]])
    return {"<": left < right, ">": left > right, "<=": left <= right}[compared[2]]


def _in_months(given: Given) -> Decimal:
    return _number(given) * (12 if given.unit == "years" else 1)


def _problem(frame: Mapping[str, Any], chosen: dict[str, Given], wording: Wording, language: Language) -> Problem:
    often = next((_OFTEN[word] for word in wording.text.split() if word in _OFTEN), "")
    names = {name: _named(given, language) for name, given in chosen.items()} | {"often": often}

    def filled(key: str) -> str:
        sum_ = frame.get(key, "").replace("{often}", often).replace("{it}", "@")
        return _FILLED.sub(lambda place: _figure(place, chosen), sum_).replace("@", "{it}")

    def called(key: str) -> str:
        text = re.sub(r"\{per:([a-z])\}", lambda place: f"per {_one(chosen[place[1]])}", frame.get(key, ""))
        return text.replace("{figure}", "{{figure}}").replace("{then}", "{{then}}").format(**names)

    return Problem(
        frame["name"],
        filled("calc"),
        called(language),
        _unit(frame.get("unit", ""), chosen),
        _per(frame.get("per", ""), chosen),
        called(f"told_{language}"),
        called(f"fell_{language}"),
        filled("then"),
        called(f"then_{language}"),
        filled("second"),
        called(f"second_{language}"),
    )


def _named(given: Given, language: Language) -> str:
    if given.kind == "P":
        return f"{given.amount}%"
    return shown(Value(given.amount, given.unit), language)


def _figure(place: re.Match[str], chosen: Mapping[str, Given]) -> str:
    given = chosen[place["name"]]
    if place["into"] in ("years", "months"):
        if given.unit == ("years" if place["into"] == "years" else "months"):
            return given.amount
        return f"({given.amount} / 12)" if place["into"] == "years" else f"({given.amount} * 12)"
    target = place["into"] or (chosen[place["like"]].unit if place["like"] else "")
    if place["like"] and chosen[place["like"]].kind == "S":
        target = _WAYS.get(chosen[place["like"]].unit, "")
    measure = named(target) if target else None
    if measure is None or given.measure is None or given.unit == target:
        return given.amount
    return f"({given.amount} * {given.measure.multiplier} / {measure.multiplier})"


def _unit(rule: str, chosen: Mapping[str, Given]) -> str:
    kind, _, name = rule.partition(":")
    if rule.startswith("="):
        return chosen[rule[1:]].unit
    if not name:
        return rule
    unit = chosen[name].unit
    return {
        "speed": lambda: _SPEEDS.get(unit, f"{unit} per hour"),
        "length": lambda: _WAYS.get(unit, ""),
        "square": lambda: _SQUARES.get(unit, f" square {unit}" if unit else ""),
        "cubic": lambda: f" cubic {unit}" if unit else "",
    }[kind]()


def _per(rule: str, chosen: Mapping[str, Given]) -> str:
    return f" per {_one(chosen[rule[1:]])}" if rule.startswith("=") else ""


def _one(given: Given) -> str:
    return given.measure.one if given.measure else given.unit
