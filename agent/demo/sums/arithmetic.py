"""Sums by the tool ``calculator``, units into other units by ``convert``, and what can be asked next."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from agent.demo.phrasebook import listed
from agent.demo.rules.plan import CALCULATOR, CONVERT, Call, Plan, Question, Said, Steps
from agent.text.problems.plain_forms import plain_forms
from agent.text.quantities.units import named
from agent.text.regex import regex
from agent.text.sums.hours_told import with_hours
from agent.text.sums.one_unit import has_converted, in_one_unit
from agent.text.sums.phrases import Value, either, measured, shown, stated
from agent.text.sums.question_forms import Conversion, read_conversion
from agent.text.sums.sum_grammar import AMBIGUOUS, read_sum
from agent.text.sums.terms import Term, expression, measures, name, unit


def sum_of(question: Question) -> Plan | Said | None:
    """Whatever the grammar reads: "12 times 7", "the average of 3, 5 and 10", 「25の平方根は？」."""
    names = (column.called for table in question.tables for column in table.columns)
    if any(name.isdigit() and name in question.text for name in names):
        return None  # "2025 and 2026" are columns
    found = read_sum(question.text, question.language)
    if found is AMBIGUOUS:
        surer = next(plain_forms(question.text, question.today), "") if question.language == "en" else ""
        return sum_of(replace(question, text=surer)) if surer else two_ways(question)
    return term_plan(question, found) if found else None


def two_ways(question: Question) -> Said:
    return Said(question.tell("two_ways"), declined=True)


def term_plan(question: Question, found: Term, told: str = "") -> Plan | Said:
    """One call and "… is …". ``told`` is what the answer calls the term, where its own name would not do."""
    found = in_one_unit(found)
    kind = unit(found)
    if kind is None:
        units = measures(found)
        hot = units and all(measure and measure.kind == "temperature" for measure in units)
        return Said(question.tell("temperatures" if hot else "mixed_units"), declined=True)
    called = told or name(found, question.language)
    if found.form in _PARTS and found.parts[-1].form == "divide" and not kind:
        return in_parts(question, found, called)
    return calculated(
        question,
        called,
        expression(found),
        unit_name=kind,
        told=lambda value: is_(question, called, value, has_converted(found)),
    )


_PARTS = ("half", "fraction", "double", "triple")
_LARGEST_PART = 1000


def in_parts(question: Question, found: Term, called: str = "") -> Plan:
    """Half of 3/4 is 3/8, which is 0.375."""
    named = called or name(found, question.language)

    def told(value: Value) -> str:
        part = Fraction(value.amount).limit_denominator(_LARGEST_PART)
        near = abs(part - Fraction(value.amount)) < Fraction(1, 10**11) and part.denominator > 1
        figure = shown(value, question.language)
        return question.tell("as_part" if near else "result", called=named, figure=figure, part=str(part))

    return calculated(question, named, expression(found), told=told)


def is_(question: Question, called: str, value: Value, converted: bool = False) -> str:
    figure = measured(value, question.language) if converted else stated(value, question.language)
    figure = with_hours(question.text, value, question.language, figure)
    return question.tell("result", called=_of_bare_factors(called, figure), figure=figure)


_FIGURE_AND_UNIT = regex(r"-?[0-9][0-9.,]* (?P<unit>[^\W\d].*)")


def _of_bare_factors(called: str, figure: str) -> str:
    """A product without the unit of its result, which only one of its factors has: "4.2 × 3.5" of "14.7 m²"."""
    found = _FIGURE_AND_UNIT.fullmatch(figure)
    if found is None or called.count(f" {found['unit']}") != 1 or not re.fullmatch(r"[^-+−]+ [×÷] [^-+−]+", called):
        return called
    return called.replace(f" {found['unit']}", "")


def calculated(
    question: Question,
    called: str,
    wanted: str,
    *,
    unit_name: str = "",
    told: Callable[[Value], str],
    keeps: bool = True,
) -> Plan:
    """A plan of one call to the calculator; ``keeps``: its result is a value that a follow-up may use."""

    def steps() -> Steps:
        amount = yield calculation(question, called, wanted)
        value = Value(amount, unit_name)
        return Said(told(value), value if keeps else None, further(question, value) if keeps else ())

    return Plan(steps, Value("1", unit_name) if keeps else None)


def calculation(question: Question, called: str, wanted: str) -> Call:
    return Call(CALCULATOR, wanted, question.tell("calculating", called=called))


_SCALES = {"°C": ("Celsius", "摂氏"), "°F": ("Fahrenheit", "華氏"), "kelvin": ("kelvin", "ケルビン")}
_MOST_DIGITS = 18


def further(question: Question, value: Value, origin: str = "") -> tuple[str, ...]:
    """Follow-ups that lean on ``value`` and that the rules can answer; ``origin`` is a unit just converted from."""
    if len(value.amount) > _MOST_DIGITS or "e" in value.amount:
        return ()
    half = question.tell("ask_half")
    if measure := named(next((unit for unit in listed("elsewhere").get(value.unit, ()) if unit != origin), "")):
        english, japanese = _SCALES.get(measure.name, (measure.name, measure.ja))
        asked = question.tell("ask_unit", unit=either(question.language, english, japanese))
        return (asked,) if measure.kind == "temperature" else (asked, half)
    if value.unit:
        return (half,)
    offers = [half]
    if not value.amount.startswith("-") and not _names(question, "square root", "平方根"):
        offers.insert(0, question.tell("ask_square_root"))
    if not _names(question, "cube", "立方"):
        offers.insert(0, question.tell("ask_cube"))
    return tuple(offers)


def _names(question: Question, *words: str) -> bool:
    """What was just asked is not offered again."""
    return any(word in question.text.lower() for word in words)


def conversion(question: Question) -> Plan | Said | None:
    """ "5 km in miles", "how many feet are in a mile", 「華氏100度は摂氏何度？」."""
    found = read_conversion(question.text, question.language)
    if found is None:
        return None
    if found.problem:
        return Said(question.tell(found.problem, given=found.named(question.language)), declined=True)
    if len(found.targets) > 1:
        return Plan(partial(_in_two, question, found))
    return Plan(partial(_in_one, question, found), Value("1", found.target.name))


def converting(question: Question, given: str, to: str) -> Call:
    """``given`` is an English measure such as "5 feet 11 inches". The result is sent back as bare figures."""
    unit = named(to)
    called = question.tell("conversion", given=given, unit=either(question.language, to, unit.ja if unit else to))
    return Call(CONVERT, f"{given} in {to}", question.tell("converting", called=called))


def _in_one(question: Question, found: Conversion) -> Steps:
    target, called = found.target, found.named(question.language)
    value = Value((yield converting(question, found.named("en"), target.name)), target.name)
    told = question.tell("result", called=called, figure=measured(value, question.language))
    return Said(told, value, further(question, value, next(unit.name for _, unit in found.given)))


def _in_two(question: Question, found: Conversion) -> Steps:
    """ "90 minutes in hours and minutes", 「90分は何時間何分？」."""
    language, called = question.language, found.named(question.language)
    big, small = found.target, found.targets[-1]
    amounts = (yield converting(question, found.named("en"), f"{big.name} and {small.name}")).split()
    whole, rest = shown(Value(amounts[0], big.name), language), measured(Value(amounts[-1], small.name), language)
    return Said(question.tell("in_two_units", called=called, whole=whole, rest=rest))
