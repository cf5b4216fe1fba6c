"""Which is larger, rounding, fractions, shares and changes in percent: each function is one ability."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import replace
from decimal import Decimal
from functools import partial

from agent.demo.phrasebook import forms, phrase
from agent.demo.rules.plan import Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation, conversion, further, in_parts, term_plan, two_ways
from agent.text.quantities.number_words import tenths
from agent.text.sums.one_unit import in_one_unit
from agent.text.sums.phrases import Language, Value, core, matches, measured, shown
from agent.text.sums.precision import Precision, asked_precision, round_expression, rounding_wish
from agent.text.sums.sum_grammar import AMBIGUOUS, read_sum, single, term
from agent.text.sums.terms import Term, expression, name, number, unit

_SMALLER = phrase("smaller")
_COMPARISONS = {"en": forms("comparison_en"), "ja": forms("comparison_ja")}


def comparison(question: Question) -> Plan | None:
    """ "Which is larger, 2^10 or 10^3?", 「2の10乗と1000ではどちらが大きい？」."""
    text = re.sub(r"(?:です)?か?[?。]*$" if question.language == "ja" else r"[ ?.]+$", "", question.text)
    groups = next(matches(_COMPARISONS[question.language], text), None)
    sides = [term(groups[side], question.language) for side in "ab"] if groups else []
    if groups is None or any(side is None or side is AMBIGUOUS for side in sides):
        return None
    both = in_one_unit(Term("sum", tuple(side for side in sides if side)))
    if unit(both) is None:
        return None
    terms = list(both.parts)

    def steps() -> Steps:
        amounts: list[str] = []
        if all(side.form == "number" for side in terms):
            yield calculation(question, question.tell("larger_of_two"), f"max({terms[0].text}, {terms[1].text})")
        for side in terms:
            figure = side.text
            if side.form != "number":
                figure = yield calculation(question, name(side, question.language), expression(side))
            amounts.append(figure)
        told = _compared(question, terms, amounts, groups)
        return Said(told, None, (question.tell("ask_percent"),))

    return Plan(steps)


_INEXACT_DIGITS = 12
_CLOSE = Decimal("1e-11")


def _compared(question: Question, terms: list[Term], amounts: list[str], groups: dict[str, str]) -> str:
    language, wanted = question.language, groups["wanted"].lower()
    first, second = (_with_value(side, amount, language) for side, amount in zip(terms, amounts, strict=True))
    left, right = map(Decimal, amounts)
    found = [amount for side, amount in zip(terms, amounts, strict=True) if side.form != "number"]
    rounded = any(len(amount) > _INEXACT_DIGITS and not amount.lstrip("-").isdigit() for amount in found)
    if rounded and abs(left - right) <= _CLOSE * max(abs(left), abs(right)):
        return question.tell("too_close", first=first, second=second)
    if left == right:
        return question.tell("equal_no" if groups.get("whether") else "equal", first=first, second=second)
    smaller = bool(_SMALLER.fullmatch(wanted))
    holds = (left < right) == smaller
    if not holds:
        first, second = second, first
    told = "compared" if not groups.get("whether") else "compared_yes" if holds else "compared_no"
    return question.tell(told, first=first, second=second, wanted=wanted)


def _with_value(side: Term, amount: str, language: Language) -> str:
    called, value = name(side, language), Value(amount, unit(side) or "")
    figure = measured(value, language) if side.form == "in" else shown(value, language)
    return figure if side.form == "number" else f"{called} ({figure})"


_ROUNDING = {"en": forms("rounding_en"), "ja": forms("rounding_ja")}
_WAYS = {"up": "ceil", "切り上げ": "ceil", "down": "floor", "切り捨て": "floor"}
_SAID = {"": "rounded", "ceil": "rounded_ceil", "floor": "rounded_floor"}


def rounding(question: Question) -> Plan | None:
    """ "Round 3.14159 to 2 decimals", "17/3 rounded up": half goes away from zero, as taught at school."""
    text = core(question.text, question.language)
    for groups in matches(_ROUNDING[question.language], text):
        value = term(groups["value"], question.language) or read_sum(groups["value"], question.language)
        if value is AMBIGUOUS or (value and unit(value) is None):
            return None
        if value:
            return _rounded(question, value, groups)
        into, asked = conversion(replace(question, text=groups["value"])), asked_precision(groups)
        if isinstance(into, Plan) and into.sample and asked:
            way = _WAYS.get(groups.get("way", "").lower(), "")
            return Plan(partial(_as_wished, question, into, asked, way), into.sample)
    return None


def _rounded(question: Question, value: Term, groups: dict[str, str]) -> Plan | None:
    asked, way = asked_precision(groups), _WAYS.get(groups.get("way", "").lower(), "")
    if asked is None:
        return None
    its_unit, called = unit(value) or "", name(value, question.language)

    def steps() -> Steps:
        amount = value.text
        if value.form != "number":
            amount = yield calculation(question, called, expression(value))
        found = yield from _to(question, Value(amount, its_unit), asked, way)
        told = question.tell(_SAID[way], called=called, to=asked.to, figure=measured(found, question.language))
        return Said(told, found, further(question, found))

    return Plan(steps, Value("1", its_unit))


def _to(question: Question, value: Value, asked: Precision, way: str = "") -> Generator[Call, str, Value]:
    wanted = question.tell("rounding", amount=value.amount)
    return Value((yield calculation(question, wanted, round_expression(value.amount, asked, way))), value.unit)


def as_wished(question: Question, understood: Callable[[Question], Plan | Said | None]) -> Plan | None:
    """What is read without the wish to have it rounded, and then rounded: "5 foot 9 in cm, to the nearest cm"."""
    wish = rounding_wish(question.text) if question.language == "en" and not question.tables else None
    if wish is None or rounding(question):
        return None
    plans = [plan for text in wish.ways if isinstance(plan := understood(replace(question, text=text)), Plan)]
    found = next((plan for plan in plans if wish.fits(plan.sample.unit if plan.sample else "%")), None)
    if found is None or found.sample is None or wish.to is None:
        return found
    return Plan(partial(_as_wished, question, found, wish.to), found.sample)


def _as_wished(question: Question, plan: Plan, asked: Precision, way: str = "") -> Steps:
    said = yield from plan.steps()
    if said.value is None or (not asked.significant and Decimal(said.value.amount) % Decimal(10) ** -asked.digits == 0):
        return said
    found = yield from _to(question, said.value, asked, way)
    then = question.tell("rounded_then", to=asked.to, figure=measured(found, question.language))
    return Said(f"{said.text} {then}", found, further(question, found))


_FRACTIONS = {"en": forms("fraction_en"), "ja": forms("fraction_ja")}
_EXACT, _DECIMAL = forms("exact_fraction"), forms("decimal")


def fraction(question: Question) -> Plan | Said | None:
    """ "0.375 as a fraction", "simplify 84/126", 「5/16を小数で」."""
    text = core(question.text, question.language)
    for groups in matches(_EXACT, text):
        value = term(groups["sum"], question.language)
        known = value and value is not AMBIGUOUS and any(part.parts for part in value.parts)
        return in_parts(question, value) if value and known else None
    for groups in matches(_DECIMAL, text):
        value = term(groups["value"], question.language)
        return term_plan(question, value) if value and value is not AMBIGUOUS and value.form != "number" else None
    groups = next(matches(_FRACTIONS[question.language], text), None)
    above, _, below = re.sub(r" |%|percent|パーセント", "", groups["value"]).partition("/") if groups else ("", "", "")
    if groups is None or (below and not int(below)):
        return None
    places = len(above.partition(".")[2])
    below = below or str(10 ** (places if groups["value"][-1].isdigit() else places + 2))
    top = str(int(above.replace(".", "")))

    def steps() -> Steps:
        shared = yield calculation(question, question.tell("shared_factor", a=top, b=below), f"gcd({top}, {below})")
        parts: list[str] = []
        for each in (top, below):
            parts.append((yield calculation(question, question.tell("rest_alone"), f"{each} / {shared}")))
        figure = parts[0] if parts[1] == "1" else "/".join(parts)
        return Said(question.tell("result", called=groups["value"], figure=figure))

    return Plan(steps)


_CHANGED = {"en": forms("changed_en"), "ja": forms("changed_ja")}
_CALLED = {"percent": "tip", "decrease": "less_percent", "increase": "plus_percent"}


def changed(question: Question) -> Plan | Said | None:
    """Tips, discounts, taxes, rises: "20% off $50", 「1000円の2割引は？」."""
    text = core(question.text, question.language)
    for groups in matches(_CHANGED[question.language], text):
        form = next(form for form in _CALLED if form in groups)
        of = single(groups[form], question.language)
        if of is AMBIGUOUS:
            return two_ways(question)
        if of is None:
            continue
        digits = groups["p"]
        percent = number(tenths(digits) if groups.get("sign") == "割" else digits)
        parts = (percent, of) if form == "percent" else (of, percent)
        called = question.tell(_CALLED[form], p=percent.text, of=name(of, question.language))
        return term_plan(question, Term(form, parts), called)
    return None
