"""Units into other units, through the calculator with exact factors: one ability."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from agent.demo.lookups.clock import can_convert, converting
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculated, calculation, further
from agent.text.quantities.measures import ABSOLUTE_ZERO, Measure, Quantity, measure_of, quantity
from agent.text.sums.phrases import core, matches
from agent.text.sums.value_words import Value, either, measured, sentence, shown

_VERB = r"(?:convert |change |turn |express |(?:far|long|tall|heavy|hot|cold|fast|big|large) is )?"
_ENGLISH = (
    re.compile(rf"(?:how )?{_VERB}(?P<from>.+?) (?:in|to|into|as) (?:an? )?(?P<to>[^\d]+)", re.I),
    re.compile(
        r"how many (?P<to>[^\d]+?)(?: (?:are|is|make|do you have|fit))?(?: there)? (?:in|is|are|equals?|make(?: up)?) "
        r"(?P<from>.+)",
        re.I,
    ),
    re.compile(r"(?P<from>.+?) (?:is|are|equals?|=) how many (?P<to>[^\d]+)", re.I),
)
_JAPANESE = (
    re.compile(r"(?P<from>.+?)(?:を|は|って)、?(?P<to>[^\d]+?)(?:に換算|に変換|に直|にする|に|へ|で(?:は|言うと|"
               r"表すと)?)?(?:すと|すると|して|度|何度)?"),
    re.compile(r"(?P<from>.+?)(?:は|って)何(?P<to>[^\d]+)"),
    re.compile(r"(?P<from>.+?)(?:は|を)、?(?P<to>摂氏|華氏)で?(?:は)?何?度?"),
    re.compile(r"(?P<to>[^\d]+?)で(?P<from>.+)"),
)  # fmt: skip


def conversion(question: Question) -> Plan | Said | None:
    """ "5 km in miles", "how many feet are in a mile", 「華氏100度は摂氏何度？」."""
    text = _request(question)
    for pattern in _ENGLISH if question.language == "en" else _JAPANESE:
        match = pattern.fullmatch(text)
        source = quantity(match["from"], question.language) if match else None
        targets = measure_of(match["to"]) if match else ()
        if source and targets:
            return _plan(question, source, targets)
    return None


def source(question: Question) -> str:
    """What a conversion starts from, as typed ("5 km"); "" where the question is none."""
    text = _request(question)
    for pattern in _ENGLISH if question.language == "en" else _JAPANESE:
        match = pattern.fullmatch(text)
        if match and quantity(match["from"], question.language) and measure_of(match["to"]):
            return match["from"]
    return ""


_IN_TWO = {
    "en": (r"(?:how )?" + _VERB + r"(?P<from>.+?) (?:in|to|into|as) (?P<big>[a-z]+) and (?P<small>[a-z]+)",),
    "ja": (r"(?P<from>.+?)は(?:、)?何(?P<big>[^何\d]+)(?:と|、)?何?(?P<small>[^何\d]+)",),
}


_TOGETHER = {
    "weeks and days", "days and hours", "hours and minutes", "minutes and seconds", "years and months",
    "feet and inches", "yards and feet", "stone and pounds", "pounds and ounces",
}  # fmt: skip


def in_two_units(question: Question) -> Plan | None:
    """ "90 minutes in hours and minutes", 「90分は何時間何分？」."""
    groups = next(matches(_IN_TWO[question.language], _request(question)), None)
    given = quantity(groups["from"], question.language) if groups else None
    if groups is None or given is None or len(given.measures) != 1 or given.measures[0][0].startswith("-"):
        return None
    units = [unit for side in ("big", "small") for unit in measure_of(groups[side])[:1]]
    if " and ".join(unit.name for unit in units) not in _TOGETHER:
        return None
    source = next((unit for unit in given.measures[0][1] if unit.kind == units[0].kind), None)
    return _split(question, (given.measures[0][0], source), units[0], units[1]) if source else None


def _split(question: Question, given: tuple[str, Measure], big: Measure, small: Measure) -> Plan:
    language = question.language
    amount, source = given
    called = shown(Value(amount, source.name), language)
    base = f"{amount} * {source.multiplier}"

    def steps() -> Steps:
        goal = big.ja if language == "ja" else big.name
        wanted = either(language, f"the whole {goal} in {called}", f"{called}に含まれる{goal}の整数部分")
        whole = yield calculation(question, wanted, f"floor({base} / {big.multiplier})")
        wanted = either(language, "what is left over", "残り")
        rest = yield calculation(question, wanted, f"({base} - {whole} * {big.multiplier}) / {small.multiplier}")
        first, second = shown(Value(whole, big.name), language), measured(Value(rest, small.name), language)
        return Said(
            either(language, f"{sentence(called)} is {first} and {second}.", f"{called}は{first}{second}です。")
        )

    return Plan(steps)


_JAPANESE_TAIL = re.compile(r"(?:何度|いくつ|いくら|どれくらい|度)(?:ですか|になりますか|になる|でしょうか)?$")


_POWERS = (
    (re.compile(r"\b(k?m)(?:\^?2)(?!\w)"), r"\1²"),
    (re.compile(r"\bft\^?2(?!\w)"), "square feet"),
    (re.compile(r"\bm\^?3(?!\w)"), "cubic metres"),
    (re.compile(r"(?<=\d) ?in(?= (?:in|to|into)\b)", re.I), " inches"),
)


def _request(question: Question) -> str:
    if question.language == "ja":
        text = re.sub(r"[?。]+$", "", question.text)
        text = re.sub(
            r"(?:ですか|でしょうか|になりますか|になる|なりますか|してください|して|して下さい|を教えて(?:ください)?)$",
            "",
            text,
        )
        text = _JAPANESE_TAIL.sub("", text)
        return re.sub(r"(?<=.)(?:は|だと|では)$", "", text)
    text = core(question.text, "en")
    for pattern, form in _POWERS:
        text = pattern.sub(form, text)
    return text


def _plan(question: Question, source: Quantity, targets: tuple[Measure, ...]) -> Plan | Said:
    """The one reading in which all units measure the same thing."""
    readings = [
        (tuple(zip((amount for amount, _ in source.measures), units, strict=True)), target)
        for target in targets
        for units in [[_of_kind(meanings, target.kind) for _, meanings in source.measures]]
        if all(units)
    ]
    if len(readings) != 1:
        kinds = {unit.kind for meanings in (*(units for _, units in source.measures), targets) for unit in meanings}
        return _does_not_fit(question, kinds)
    measures = [(amount, unit) for amount, unit in readings[0][0] if unit]
    target = readings[0][1]
    if target.kind == "temperature":
        return _temperature(question, measures[0], target) if len(measures) == 1 else _does_not_fit(question, set())
    terms = [f"{amount} * {unit.multiplier}" for amount, unit in measures]
    total = terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"
    wanted = total if target.factor == "1" else f"{total} / {target.multiplier}"
    wanted = wanted.replace(" * 1 ", " ").removesuffix(" * 1")
    return _told(question, measures, target, wanted)


def _of_kind(meanings: tuple[Measure, ...], kind: str) -> Measure | None:
    return next((unit for unit in meanings if unit.kind == kind), None)


def _does_not_fit(question: Question, kinds: set[str]) -> Said:
    if kinds == {"month", "time"}:
        text = either(
            question.language,
            "Months and years differ in length, so there is no exact figure without a date.",
            "月や年は長さが一定ではないので、日付がないと正確には言えません。",
        )
        return Said(text, declined=True)
    text = either(
        question.language,
        "Those units do not measure the same thing, so I cannot convert one into the other.",
        "その二つの単位は同じ種類のものを測る単位ではないので、換算できません。",
    )
    return Said(text, declined=True)


_FORMULAS = {
    ("°C", "°F"): "{} * 9 / 5 + 32",
    ("°C", "kelvin"): "{} + 273.15",
    ("°F", "°C"): "({} - 32) * 5 / 9",
    ("°F", "kelvin"): "({} - 32) * 5 / 9 + 273.15",
    ("kelvin", "°C"): "{} - 273.15",
    ("kelvin", "°F"): "({} - 273.15) * 9 / 5 + 32",
}


def _temperature(question: Question, measure: tuple[str, Measure], target: Measure) -> Plan | Said:
    amount, unit = measure
    if Decimal(amount) < Decimal(ABSOLUTE_ZERO[unit.name]):
        cold = shown(Value(amount, unit.name), question.language)
        text = either(
            question.language,
            f"{cold} is below absolute zero, so there is no such temperature.",
            f"{cold}は絶対零度より低いので、そのような温度はありません。",
        )
        return Said(text, declined=True)
    return _told(question, [measure], target, formula(Value(amount, unit.name), target.name))


def formula(value: Value, target: str) -> str:
    """What turns a temperature into another scale, for the calculator."""
    return _FORMULAS.get((value.unit, target), "{}").format(value.amount)


def _told(question: Question, measures: list[tuple[str, Measure]], target: Measure, wanted: str) -> Plan:
    language = question.language
    given = " ".join(shown(Value(amount, unit.name), language) for amount, unit in measures)
    goal = target.ja if language == "ja" else target.name
    called = either(language, f"{given} in {goal}", f"{given}を{goal}に換算した値")

    def told(value: Value) -> str:
        figure = measured(value, language)
        return either(language, f"{sentence(given)} is {figure}.", f"{given}は{figure}です。")

    origin = measures[0][1].name
    if len(measures) == 1 and can_convert(question, measures[0][0]):
        return _through_tool(question, called, measures[0], target, told)
    return calculated(question, called, wanted, unit_name=target.name, told=told, origin=origin)


def _through_tool(
    question: Question, called: str, measure: tuple[str, Measure], target: Measure, told: Callable[[Value], str]
) -> Plan:
    amount, unit = measure

    def steps() -> Steps:
        value = Value((yield converting(question, amount, unit.name, target.name, called)), target.name)
        return Said(told(value), value, further(question, value, unit.name))

    return Plan(steps, Value("1", target.name))
