"""Units into other units, by the tool ``convert``: one ability."""

from __future__ import annotations

from functools import partial

from agent.demo.rules.plan import CONVERT, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import further
from agent.text.quantities.units import named
from agent.text.sums.phrases import Value, either, measured, sentence, shown
from agent.text.sums.question_forms import Conversion, read_conversion

_PROBLEMS = {
    "kinds": (
        "Those units do not measure the same thing, so I cannot convert one into the other.",
        "その二つの単位は同じ種類のものを測る単位ではないので、換算できません。",
    ),
    "lengths": (
        "Months and years differ in length, so there is no exact figure without a date.",
        "月や年は長さが一定ではないので、日付がないと正確には言えません。",
    ),
    "cold": (
        "{} is below absolute zero, so there is no such temperature.",
        "{}は絶対零度より低いので、そのような温度はありません。",
    ),
}


def conversion(question: Question) -> Plan | Said | None:
    """ "5 km in miles", "how many feet are in a mile", 「華氏100度は摂氏何度？」."""
    found = read_conversion(question.text, question.language)
    if found is None:
        return None
    if found.problem:
        reason = either(question.language, *_PROBLEMS[found.problem])
        return Said(reason.format(found.named(question.language)), declined=True)
    if len(found.targets) > 1:
        return Plan(partial(_in_two, question, found))
    return Plan(partial(_in_one, question, found), Value("1", found.target.name))


def converting(question: Question, given: str, to: str) -> Call:
    """``given`` is an English measure such as "5 feet 11 inches". The result is sent back as bare figures."""
    unit = named(to)
    called = either(question.language, f"{given} in {to}", f"{given}を{unit.ja if unit else to}に換算した値")
    thought = either(question.language, f"I need {called}. I convert it.", f"{called}を求めます。単位を換算します。")
    return Call(CONVERT, f"{given} in {to}", thought)


def _in_one(question: Question, found: Conversion) -> Steps:
    target, called = found.target, found.named(question.language)
    value = Value((yield converting(question, found.named("en"), target.name)), target.name)
    figure = measured(value, question.language)
    told = either(question.language, f"{sentence(called)} is {figure}.", f"{called}は{figure}です。")
    return Said(told, value, further(question, value, next(unit.name for _, unit in found.given)))


def _in_two(question: Question, found: Conversion) -> Steps:
    """ "90 minutes in hours and minutes", 「90分は何時間何分？」."""
    language, called = question.language, found.named(question.language)
    big, small = found.target, found.targets[-1]
    amounts = (yield converting(question, found.named("en"), f"{big.name} and {small.name}")).split()
    whole, rest = shown(Value(amounts[0], big.name), language), measured(Value(amounts[-1], small.name), language)
    return Said(either(language, f"{sentence(called)} is {whole} and {rest}.", f"{called}は{whole}{rest}です。"))
