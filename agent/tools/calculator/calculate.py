"""The calculator: arithmetic as people and models write it, exact where that is possible."""

from __future__ import annotations

import ast
import re
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction

from agent.errors import ToolFailed
from agent.text.problems.problem_reader import read_problem
from agent.text.quantities.units import measure_of, spelled
from agent.text.regex import regex
from agent.text.sums.phrases import language_of, plain
from agent.text.sums.sum_grammar import AMBIGUOUS, read_sum
from agent.text.sums.terms import expression as expression_of
from agent.text.sums.terms import unit
from agent.text.sums.usual_notation import usual
from agent.toolkit.base import tool
from agent.tools.calculator.evaluator import evaluate
from agent.tools.calculator.exact import PLAIN_DIGITS, PRECISION, Number, decimal, unable
from agent.tools.calculator.functions import FUNCTIONS
from agent.tools.calculator.grammar import read

LONGEST_EXPRESSION = 2_000  # characters
_LONGEST_WORDS = 401  # characters; no longer sum is read in words
LONGEST_RESULT = 4_000  # digits of a whole number

# Between sums that stand in one input; a comma counts only where a blank follows, and outside of brackets.
_BETWEEN = regex(r"\s*(?:;|\n|\band\b|,\s+(?![^()]*\)))\s*", re.I)
_MOST_SUMS = 10
_OF_MANY = "|".join(name for name, function in FUNCTIONS.items() if function.most > 2)
# A number alone, what goes on with an operator, and what is of all that follows: "the median of 3*4 and 10/2".
_NO_SUM = regex(rf"[-+]?[\d.,\s]*%?|[+*/].*|(?:.*\W)?(?:total|{_OF_MANY})\b(?!\s*\().*", re.I | re.S)

# A sum in a paragraph or a fence of its own, and words without a figure behind it, as models close a call with.
_WITH_WORDS = regex(r"\s*(?:```\w*\n(?P<fenced>[^`]+)\n```[^\S\n]*\n|(?P<first>[^\n]+)\n[^\S\n]*\n)\W*[^\W\d]\D*")
# What a figure counts or measures: 7 tickets, 24 pages per minute. An operator, a bracket or the end follows.
_COUNTED = regex(r"(?<=\d)[^\S\n]*(?P<what>[^\W\d_]+(?:(?: per |/)[^\W\d_]+)?)[^\S\n]*(?=[-+*/×·÷)]|\Z)")
# Words that are a number or do something with one, and what is no unit here: 2 x.
_NO_COUNTS = """
dozen dozens pair pairs gross score scores lakh lakhs crore crores k bn mio mn hundred hundreds thousand thousands
million millions billion billions percent pct half halves third thirds quarter quarters squared cubed am pm
st nd rd th base less over under mod x y z times plus minus to
"""
_NO_COUNT = frozenset(_NO_COUNTS.split())

_EXACT_DIGITS = 30  # a decimal fraction of at most so many digits is shown as it is
_ROUNDED_DIGITS = 12  # any other result; more where it needs them for two decimal places
_WIDE = Context(prec=PRECISION.prec, Emax=2 * PRECISION.Emax, Emin=2 * PRECISION.Emin)  # room to round in
_SMALLEST_PLAIN = -6  # from 10 to this on as 0.000001, below as 1e-7


def calculate(expression: str) -> str:
    """The value of ``expression``: a number, or ``true``/``false`` for a comparison.

    Exact results are written exactly (whole numbers to 4,000 digits, decimals to 30), others rounded to 12 digits.
    Raises ``ToolFailed`` (kind ``input``) with a sentence that says what is wrong. Never takes long: see
    ``agent.tools.calculator.evaluator``.
    """
    if len(expression) > LONGEST_EXPRESSION:
        raise unable(
            f"The expression has {len(expression):,} characters; the calculator takes at most {LONGEST_EXPRESSION:,}. "
            "Work it out in parts."
        )
    value = evaluate(_tree(expression))
    if isinstance(value, bool):
        return "true" if value else "false"
    return _shown(value)


def _tree(expression: str) -> ast.expr:
    """The expression, or the sum that it says in words: "three hundred divided by twelve", 「25の平方根」."""
    try:
        return read(expression)
    except ToolFailed:
        asked = plain(expression[:_LONGEST_WORDS])
        if words := _in_words(asked):
            return read(words)
        if (plainer := usual(asked)) != asked:
            return _tree(plainer)
        raise


def _in_words(asked: str) -> str:
    """The sum that a question in words asks for, "" for none: also a problem such as "30% off 120"."""
    language = language_of(asked)
    said = None if "(" in asked else read_sum(asked, language)
    if said is not None:
        return "" if said is AMBIGUOUS or unit(said) != "" else expression_of(said)
    problem = read_problem(asked, language)
    sure = problem and not problem.other and problem.name != "bare_percent_of"  # 3 of 5 could be three fifths
    return problem.expression if problem and sure else ""


@tool(timeout=5.0, pure=True)
def calculator(expression: str) -> str:
    """Works out arithmetic exactly. It takes + - * / // ** ! %, 15% of 80, 80 + 15%, sqrt, root(x, n), log(x) natural,
    log(x, base), sin(30°) or radians, comb, mean, round(x, places), pi, e and the like; numbers only, no names
    or units.

    Args:
        expression: what to work out, for example (54 - 32) * 5 / 9
    """
    try:
        return calculate(expression)
    except ToolFailed:
        if not (sums := several(expression) or alone(expression) or counted(expression)):
            raise
    return "; ".join(f"{each} = {calculate(each)}" for each in sums)


def several(expression: str) -> list[str]:
    """The sums that stand one behind the other, where a text is several of them and nothing else; else none.

    Numbers alone are no sums: 1, 2 may be a decimal, 3 and 4 may be one amount, and a sum may be of 3 and 4.
    """
    text = expression.strip()
    if len(text) > LONGEST_EXPRESSION:
        return []
    inner = text[1:-1] if text[:1] + text[-1:] in ("[]", "{}") else text
    sums = _BETWEEN.split(inner.strip())
    if not 1 < len(sums) <= _MOST_SUMS or any(_NO_SUM.fullmatch(each) for each in sums):
        return []
    return sums if all(map(_is_read, sums)) else []


def alone(expression: str) -> list[str]:
    """The one sum of a text that goes on in words, behind a blank line or a fence; it is told with its result."""
    found = _WITH_WORDS.fullmatch(expression) if len(expression) <= LONGEST_EXPRESSION else None
    written = (found["fenced"] or found["first"]).strip().strip("`") if found else ""
    return [written] if written and not _NO_SUM.fullmatch(written) and _is_read(written) else []


def counted(expression: str) -> list[str]:
    """The sum without what its figures count, told with its result; none where more than one unit stands in it."""
    if len(expression) > LONGEST_EXPRESSION:
        return []
    plainer, within = expression.strip(), [match["what"] for match in _COUNTED.finditer(expression)]
    parts = [part for what in within for part in re.split(" per |/", what)]
    units = {unit.name for part in parts for unit in (*measure_of(part), spelled(part))[:1] if unit}
    unclear = any(part in _NO_COUNT or part in FUNCTIONS or (len(part) == 1 and not spelled(part)) for part in parts)
    if not within or unclear or len(units) > 1:
        return []
    plainer = " ".join(_COUNTED.sub(" ", plainer).split())
    return [plainer] if not _NO_SUM.fullmatch(plainer) and _is_read(plainer) else []


def _is_read(expression: str) -> bool:
    try:
        _tree(expression)
    except ToolFailed:
        return False
    return True


def _shown(value: Number) -> str:
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return _whole(value.numerator)
        short = _terminating(value)
        if short is not None:
            return _plain_or_scientific(short)
    with localcontext(_WIDE) as context:
        value = decimal(value)
        context.prec = max(_ROUNDED_DIGITS, min(value.adjusted(), PLAIN_DIGITS) + 3)
        rounded = value.normalize()
        if rounded.adjusted() < PLAIN_DIGITS:
            return _plain_or_scientific(rounded)
        context.prec = _ROUNDED_DIGITS
        return f"{value.normalize():e}"


def _whole(value: int) -> str:
    """All digits. Through ``Decimal``, because ``str(int)`` obeys a limit that belongs to the whole process."""
    digits = f"{Decimal(value):f}"
    if len(digits.lstrip("-")) > LONGEST_RESULT:
        raise unable(
            f"The result has {len(digits.lstrip('-')):,} digits; at most {LONGEST_RESULT:,} are written out. "
            "Ask for its logarithm, or for what you need of it (a quotient, a remainder)."
        )
    return digits


def _terminating(value: Fraction) -> Decimal | None:
    """``value`` as a decimal of at most 30 digits, if it is one."""
    with localcontext(_WIDE) as context:
        context.prec = _EXACT_DIGITS
        quotient = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
        return None if context.flags[Inexact] else quotient


def _plain_or_scientific(value: Decimal) -> str:
    return f"{value:f}" if value.adjusted() >= _SMALLEST_PLAIN else f"{value:e}"
