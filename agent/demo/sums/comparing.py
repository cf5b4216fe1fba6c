"""Which is larger, and rounding: each function is one ability."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation, further
from agent.text.sums.phrases import Language, Value, core, either, matches, measured, sentence, shown
from agent.text.sums.sum_grammar import AMBIGUOUS, term
from agent.text.sums.terms import Term, expression, in_one_unit, name, unit

_LARGER = r"larger|bigger|greater|higher|more"
_SMALLER = r"smaller|less|lower"
_COMPARISONS = {
    "en": (
        rf"which(?: one)?(?: number)? is (?P<wanted>{_LARGER}|{_SMALLER})[,:]? (?P<a>.+) or (?P<b>.+)",
        rf"(?P<whether>is) (?P<a>.+?) (?P<wanted>{_LARGER}|{_SMALLER}) than (?P<b>.+)",
    ),
    "ja": (
        r"(?P<a>.+)と(?P<b>.+?)(?:では|は|、)?(?:どちら|どっち)(?:の方|のほう)?が(?P<wanted>大きい|小さい)",
        r"(?P<a>.+)(?P<whether>は)(?P<b>.+)より(?:も)?(?P<wanted>大きい|小さい)",
    ),
}


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
            called = either(question.language, "the larger of the two", "二つのうち大きい方")
            yield calculation(question, called, f"max({terms[0].text}, {terms[1].text})")
        for side in terms:
            figure = side.text
            if side.form != "number":
                figure = yield calculation(question, name(side, question.language), expression(side))
            amounts.append(figure)
        told = _compared(question, terms, amounts, groups)
        return Said(told, None, (either(question.language, "What is 15% of 80?", "80の15%は？"),))

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
        return either(
            language,
            f"{first} and {second} are too close for me to tell.",
            f"{first}と{second}は差が小さく判定できません。",
        )
    if left == right:
        return _alike(language, first, second, bool(groups.get("whether")))
    smaller = wanted == "小さい" or bool(re.fullmatch(_SMALLER, wanted))
    holds = (left < right) == smaller
    if not holds:
        first, second = second, first
    told = either(language, f"{first} is {wanted} than {second}.", f"{first}は{second}より{wanted}です。")
    if not groups.get("whether"):
        return either(language, sentence(told), told)
    return either(language, "Yes: " if holds else "No: ", "はい、" if holds else "いいえ、") + told


def _alike(language: Language, first: str, second: str, whether: bool) -> str:
    answer = either(language, "No: they" if whether else "They", "いいえ、" if whether else "")
    return either(language, f"{answer} are equal: {first} and {second}.", f"{answer}{first}と{second}は等しいです。")


def _with_value(side: Term, amount: str, language: Language) -> str:
    called, value = name(side, language), Value(amount, unit(side) or "")
    figure = measured(value, language) if side.form == "in" else shown(value, language)
    return figure if side.form == "number" else f"{called} ({figure})"


_ROUND_TO = {
    "whole number": 0, "integer": 0, "one": 0, "tenth": 1, "hundredth": 2, "thousandth": 3,
    "ten": -1, "hundred": -2, "thousand": -3,
}  # fmt: skip
_ROUNDING = {
    "en": (
        r"round (?P<value>.+?)(?: (?:off )?to (?:the nearest (?P<nearest>[a-z ]+)"
        r"|(?P<places>\d|one|two|three|four) (?:decimal|digit)s?(?: places?| digits?)?))?",
    ),
    "ja": (
        r"(?P<value>.+?)を(?:小数(?:点以下)?第?(?P<places>\d)[位桁]まで|(?P<nearest>整数)に)四捨五入(?:すると|した値)?",
    ),
}
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4}


def rounding(question: Question) -> Plan | None:
    """ "Round 3.14159 to 2 decimals": half goes away from zero, as taught at school."""
    groups = next(matches(_ROUNDING[question.language], core(question.text, question.language)), None)
    value = term(groups["value"], question.language) if groups else None
    if groups is None or value is None or value is AMBIGUOUS or unit(value) is None:
        return None
    places = groups["places"]
    nearest = {"整数": 0, "": 0, **_ROUND_TO}.get(groups.get("nearest", "").lower())
    digits = _WORDS.get(places.lower()) or int(places) if places else nearest
    if digits is None:
        return None

    def steps() -> Steps:
        called, amount = name(value, question.language), value.text
        if value.form != "number":
            amount = yield calculation(question, called, expression(value))
        result = yield calculation(question, _rounded(question, amount), _round_expression(amount, digits))
        found = Value(result, unit(value) or "")
        told = either(
            question.language,
            f"{sentence(called)}, rounded{_to(digits)}, is {shown(found, 'en')}.",
            f"{called}を四捨五入すると{shown(found, 'ja')}です。",
        )
        return Said(told, found, further(question, found))

    return Plan(steps, Value("1", unit(value) or ""))


def _rounded(question: Question, amount: str) -> str:
    return either(question.language, f"{amount} rounded", f"{amount}を四捨五入した値")


def _to(digits: int) -> str:
    if digits > 0:
        return f" to {digits} decimal{'s' if digits > 1 else ''}"
    return f" to the nearest {10**-digits}" if digits else ""


def _round_expression(amount: str, digits: int) -> str:
    """Not the calculator's ``round``, which sends a half to the even neighbour."""
    step, up = str(10 ** abs(digits)), "floor({} + 0.5)"
    if amount.startswith("-"):
        amount, up = f"({amount})", "ceil({} - 0.5)"
    scaled = {1: f"{amount} * {step}", 0: amount, -1: f"{amount} / {step}"}[(digits > 0) - (digits < 0)]
    back = {1: f" / {step}", 0: "", -1: f" * {step}"}[(digits > 0) - (digits < 0)]
    return up.format(scaled) + back
