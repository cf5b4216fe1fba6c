"""Sums, comparisons and rounding: each function is one ability."""

from __future__ import annotations

from collections.abc import Callable

from agent.demo.rules.plan import CALCULATOR, Call, Plan, Question, Said, Steps
from agent.text.quantities.units import named
from agent.text.sums.phrases import Value, either, measured, sentence, stated
from agent.text.sums.sum_grammar import AMBIGUOUS, read_sum
from agent.text.sums.terms import Term, expression, in_one_unit, measures, name, unit


def sum_of(question: Question) -> Plan | Said | None:
    """Whatever the grammar reads: "12 times 7", "the average of 3, 5 and 10", 「25の平方根は？」."""
    found = read_sum(question.text, question.language)
    if found is AMBIGUOUS:
        return two_ways(question)
    return term_plan(question, found) if found else None


def two_ways(question: Question) -> Said:
    text = either(
        question.language,
        "That can be read in two ways, so I would rather not guess. Please add brackets, as in “√(16 + 9)”.",
        "二通りに読めるので、推測はしないでおきます。「√(16 + 9)」のように括弧を付けてください。",
    )
    return Said(text, declined=True)


def term_plan(question: Question, found: Term, told: str = "") -> Plan | Said:
    """One call and "… is …". ``told`` is what the answer calls the term, where its own name would not do."""
    typed, found = found, in_one_unit(found)
    kind = unit(found)
    if kind is None:
        return _mixed(question, found)
    called = told or name(found, question.language)
    return calculated(
        question,
        called,
        expression(found),
        unit_name=kind,
        told=lambda value: is_(question, called, value, found != typed),
    )


def _mixed(question: Question, found: Term) -> Said:
    units = measures(found)
    if units and all(measure and measure.kind == "temperature" for measure in units):
        text = either(
            question.language,
            "Temperatures are counted from a freezing point, so their units cannot be added or multiplied like others.",
            "温度は零点から測るもので、ほかの単位のように足したり掛けたりできないので、計算できません。",
        )
    else:
        text = either(
            question.language,
            "The units in that question do not go together, so I cannot work it out.",
            "その質問の単位は組み合わせられないので、計算できません。",
        )
    return Said(text, declined=True)


def is_(question: Question, called: str, value: Value, converted: bool = False) -> str:
    figure = measured(value, question.language) if converted else stated(value, question.language)
    return either(question.language, f"{sentence(called)} is {figure}.", f"{called}は{figure}です。")


def calculated(
    question: Question,
    called: str,
    wanted: str,
    *,
    unit_name: str = "",
    told: Callable[[Value], str],
    keeps: bool = True,
    origin: str = "",
) -> Plan:
    """A plan of one call to the calculator; ``keeps``: its result is a value that a follow-up may use."""

    def steps() -> Steps:
        amount = yield calculation(question, called, wanted)
        value = Value(amount, unit_name)
        return Said(told(value), value if keeps else None, further(question, value, origin) if keeps else ())

    return Plan(steps, Value("1", unit_name) if keeps else None)


def calculation(question: Question, called: str, wanted: str) -> Call:
    thought = either(
        question.language,
        f"I need {called}. The calculator can work that out.",
        f"{called}を求めます。計算機で計算します。",
    )
    return Call(CALCULATOR, wanted, thought)


_ELSEWHERE = {
    "°C": ("°F", "kelvin"),
    "°F": ("°C", "kelvin"),
    "kelvin": ("°C", "°F"),
    "km": ("miles", "metres"),
    "miles": ("km", "feet"),
    "metres": ("feet", "cm"),
    "feet": ("metres", "inches"),
    "cm": ("inches", "feet"),
    "inches": ("cm", "feet"),
    "kg": ("pounds", "g"),
    "pounds": ("kg", "ounces"),
    "g": ("ounces", "kg"),
    "ounces": ("g", "pounds"),
    "litres": ("US gallons", "ml"),
    "US gallons": ("litres", "US cups"),
    "hours": ("minutes", "days"),
    "minutes": ("hours", "seconds"),
    "seconds": ("minutes", "hours"),
    "days": ("weeks", "hours"),
    "km/h": ("mph", "m/s"),
    "mph": ("km/h", "m/s"),
}
_SCALES = {"°C": ("Celsius", "摂氏"), "°F": ("Fahrenheit", "華氏"), "kelvin": ("kelvin", "ケルビン")}
_MOST_DIGITS = 18


def further(question: Question, value: Value, origin: str = "") -> tuple[str, ...]:
    """Follow-ups that lean on ``value`` and that the rules can answer; ``origin`` is a unit just converted from."""
    language = question.language
    if len(value.amount) > _MOST_DIGITS or "e" in value.amount:
        return ()
    half = either(language, "What is half of that?", "それの半分は？")
    if measure := named(next((unit for unit in _ELSEWHERE.get(value.unit, ()) if unit != origin), "")):
        english, japanese = _SCALES.get(measure.name, (measure.name, measure.ja))
        asked = either(language, f"What is that in {english}?", f"それを{japanese}で？")
        return (asked,) if measure.kind == "temperature" else (asked, half)
    if value.unit:
        return (half,)
    offers = [half]
    if not value.amount.startswith("-") and not _names(question, "square root", "平方根"):
        offers.insert(0, either(language, "And its square root?", "その平方根は？"))
    if not _names(question, "cube", "立方"):
        offers.insert(0, either(language, "And its cube?", "その立方は？"))
    return tuple(offers)


def _names(question: Question, *words: str) -> bool:
    """What was just asked is not offered again."""
    return any(word in question.text.lower() for word in words)
