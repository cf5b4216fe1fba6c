"""A formula that an answer writes out before its result: "(178 − 166) ÷ 178 × 100 = 6.7 %"."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Container
from fractions import Fraction
from math import prod

from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources
from agent.evidence.tables.digits import YEAR
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_BEFORE = regex(
    r"(?<![\w])([-−+(\[$€£¥]*[0-9(\[][-−–+*/×÷·().,0-9\s$€£¥%\[\]\xa0]{2,300})[=≈]\s*[*_~≈]{0,4}[-−(]?(?:US)?[$€£¥]?\s*$"
)
_UNIT = r"[ \xa0]?(?!x\b)[^\W\d_]{1,12}[²³]?(?:/[^\W\d_]{1,8}[²³]?)?"
_TERM = rf"(?:US)?[$€£¥]?[0-9][0-9.,]*(?:{_UNIT}|[ \xa0]?[%°¢][CF]?)?"
_WITH_UNITS = regex(  # "1,859 kWh × 27p = £"
    rf"(?<![\w.,])({_TERM}(?:[ \xa0]?[×*·÷/+−–-][ \xa0]?{_TERM}){{1,4}})\s*[=≈]\s*[*_~≈]{{0,4}}(?:US)?[$€£¥]?\s*$"
)
_UNITS_OF = regex(rf"(?<=[0-9]){_UNIT}|(?<=[0-9])[ \xa0]?[°¢][CF]?")
_OF_CENTS = regex(r"[0-9][ \xa0]?(?:p|pence|ct|cents?|¢)(?![^\W_])", re.I)
_IN_WORDS = regex(
    r"(?<![\w.,])((?:US)?[$€£¥]?[0-9][0-9.,]*) (divided by|multiplied by|times|plus|minus|less) "
    r"((?:US)?[$€£¥]?[0-9][0-9.,]*%?) (?:is|are|equals?|gives|makes|comes to) (?:(?:about|around) )?(?:US)?[$€£¥]?$"
)
_NUMBER = regex(r"(?<![\w.,])[0-9][0-9.,]*(?<![.,])")
_PRODUCT = regex(  # no part of a longer formula
    r"(?<![0-9A-Za-z.,×*·÷/+−-])(?<![×*·÷/+−-] )[0-9]{1,6}(?: ?[×*·] ?[0-9]{1,6}){1,30}(?![0-9]|[.,][0-9]| ?[-×*·÷/+−])"
)
_DIVISORS = regex(r"(?:divisors|factors) of ([0-9]{1,6}) are [0-9, and]*$|([0-9]{1,6})の約数は[0-9、, と]*$")
_RESULT_OF = regex(
    r"(?:together|on average|(?:difference|change|increase|decrease|gap|rise|drop|fall|growth) of|合計|差は)\W{0,3}$"
)
_SIGN_OF = {"divided by": "/", "multiplied by": "*", "times": "*", "plus": "+", "minus": "-", "less": "-"}
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "[": "(", "]": ")"})
_DROPPED = regex(r"[$€£¥%\s\xa0]|(?<=[0-9]),(?=[0-9]{3})")
_ALLOWED = regex(r"[-+*/().0-9]+")
_DIGITS = regex(r"[0-9]+")
_SHARE = regex(r"([0-9][0-9.,]*)\s?%")
_LOSS = regex(r"(?<=[-+( ])\((?:US)?[$€£¥]?([0-9][0-9.,]*)\)")
_CENT = 100
_MOST = 300  # characters of a formula
_MOST_PLACES = 24  # of a product
_MOST_WORDS = 90  # of one in words
_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda one, other: one / other,
}


def formula_before(text: str, start: int) -> tuple[str, tuple[Fraction, ...]] | None:
    """The formula that ends with "=" right before a place, as written, and what it comes to in each of its readings.

    It may be in words: "7,155 divided by 10,290 is". ``None`` where there is none. A share is a number of hundredths,
    too; "+ (13)" of accounts is less 13, too.
    """
    left = max(0, start - _MOST)
    written = signs = ""
    if text.find("=", left, start) >= 0 or text.find("≈", left, start) >= 0:
        found = _BEFORE.search(text, left, start)
        written = found[1].strip() if found is not None else ""
        with_units = _WITH_UNITS.search(text, left, start) if found is None else None
        written = with_units[1] if with_units is not None else written
        signs = _UNITS_OF.sub("", written).translate(_SIGNS)
    if not written:
        words = _IN_WORDS.search(text, max(left, start - _MOST_WORDS), start)
        if words is None:
            return None
        written, signs = words[0].strip(), f"{words[1]}{_SIGN_OF[words[2]]}{words[3]}"
    forms = dict.fromkeys((signs, _SHARE.sub(r"(\1/100)", signs), _LOSS.sub(r"(-\1)", signs)))
    values = tuple(value for form in forms if (value := _worth(_DROPPED.sub("", form))) is not None)
    if _OF_CENTS.search(written) is not None:
        values += tuple(value / _CENT for value in values)
    return (written, values) if values else None


def factor_of_given(figure: Figure, text: str, stated: Container[Fraction], sources: Sources) -> Finding | None:
    """ "91 is 7 × 13": a factor of a number that the person gave and the answer states, listed or in a product."""
    listed = _DIVISORS.search(text, max(0, figure.start - _MOST), figure.start)
    if listed is not None and figure.value and (whole := int(listed[1] or listed[2])) % figure.value == 0:
        return _of_given(whole, f"{whole} ÷ {figure.value} = {whole / figure.value}", stated, sources)
    for match in _PRODUCT.finditer(text, max(0, figure.start - _MOST), min(len(text), figure.end + _MOST)):
        whole = prod(int(number[0]) for number in _DIGITS.finditer(match[0]))
        if match.start() <= figure.start < figure.end <= match.end():
            return _of_given(whole, f"{match[0]} = {whole}", stated, sources)
    return None


def _of_given(whole: int, note: str, stated: Container[Fraction], sources: Sources) -> Finding | None:
    spots = sources.between(whole, whole, _MOST_PLACES) if Fraction(whole) in stated else ()
    given = tuple(spot[1:] for spot in spots if sources.texts[spot.source].origin == "given")
    return Finding("worked_out", given[:1], note) if given else None


def _worth(plain: str) -> Fraction | None:
    while plain.count("(") < plain.count(")") and plain.endswith(")"):
        plain = plain[:-1]
    if _ALLOWED.fullmatch(plain) is None or not re.search(r"[0-9)][-+*/]", plain):
        return None
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and (step := _OPERATORS.get(type(node.op))) is not None:
        return step(_value(node.left), _value(node.right))
    raise ValueError(ast.dump(node)[:80])


def is_of_all_said(answer: Answer, left: int, start: int, stated: int) -> bool:
    """Whether a figure is said to come from values that are all said and traced: "14.5 and 1.9, together 16".

    ``stated`` are the traced ones of its sentence, which begins at ``left``.
    """
    if stated < 2 or _RESULT_OF.search(answer.lower, max(left, start - 40), start) is None:
        return False
    numbers = sum(YEAR.fullmatch(match[0]) is None for match in _NUMBER.finditer(answer.text, left, start))
    return numbers <= stated
