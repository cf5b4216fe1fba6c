"""Tokens into a tree of ``ast`` nodes, by operator precedence (a Pratt parser).

From loose to tight: comparison, + and -, then * / // mod of (and an operator left out, as in 2(3+4) or 2pi, left to
right like the rest), sign, power (from the right), and what follows a number: ! % ° ² "squared" "million".
``80 + 15%`` is 80 and 15 % of it. A comma between digits groups thousands outside of functions, and separates inside;
a call that makes sense both ways is refused.
"""

from __future__ import annotations

import ast
from difflib import get_close_matches
from fractions import Fraction

from agent.errors import ToolFailed
from agent.tools.calculator.evaluator import (
    Literal,
    binary,
    call,
    combined,
    constant,
    discounted,
    in_degrees,
    negative,
    part,
    percent,
    single,
)
from agent.tools.calculator.exact import unable
from agent.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agent.tools.calculator.tokens import Token, tokens

CLOSING = {"(": ")", "[": "]", "{": "}"}
# Without a figure: small models take those of an example for their own.
HOW_TO = "Write numbers with + - * / ** ( ) and functions such as sqrt(x), log10(x) or round(x, places)."

_ONLY_ARITHMETIC = "I can only work out arithmetic"
DEEPEST = 50  # brackets, signs and functions within each other

_SUM, _PRODUCT, _SIGN, _POWER, _ROOT, _SUFFIX = 10, 20, 30, 40, 45, 50
_INFIX: dict[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "x": ast.Mult, "of": ast.Mult, "off": ast.Mult, "/": ast.Div,
    "//": ast.FloorDiv, "%": ast.Mod, "mod": ast.Mod, "^": ast.Pow, "**": ast.Pow,
}  # fmt: skip
_BINDINGS = {"+": _SUM, "-": _SUM, "^": _POWER, "**": _POWER}  # of the others: that of a product
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "=": ast.Eq, "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip
_ROOTS = {"√": 2, "∛": 3, "∜": 4, "\\sqrt": 2}
_DRAWN = frozenset({*_ROOTS, "\\frac", "\\binom"})


class Cursor:
    """Reads ``tokens``, the last of which is of kind ``end`` and never left behind."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._position = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._position]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._position + 1, len(self._tokens) - 1)]

    @property
    def at_end(self) -> bool:
        return self.token.kind == "end"

    def advance(self) -> Token:
        token = self.token
        self._position = min(self._position + 1, len(self._tokens) - 1)
        return token

    def take(self, text: str) -> bool:
        """Whether ``text`` stood here; it is passed if so."""
        found = self.token.text == text
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise unable(f"A closing ‘{text}’ is missing at the end.") if self.at_end else self.misplaced()

    def refuse_neighbours(self) -> None:
        """A number right after a number, a name or a suffix is a forgotten operator; after a bracket, a product."""
        before = self._tokens[self._position - 1]
        if self.token.kind == "number" and before.text not in CLOSING.values():
            raise unable(f"‘{_shown(before)}’ and ‘{_shown(self.token)}’ stand side by side. Put an operator between.")

    def comma(self) -> ToolFailed:
        return unable(
            "The comma is not clear here. Write decimals with a point (1.5), thousands as 1234 or 1,234, and several "
            "numbers only inside a function, such as max."
        )

    def misplaced(self) -> ToolFailed:
        """The error for the token here, which cannot stand here."""
        token = self.token
        if token.kind == "end":
            return unable("The expression stops too early: something is missing at the end.")
        if token.text == ",":
            return self.comma()
        if token.text in CLOSING.values():
            return unable(f"‘{token.text}’ closes nothing, or closes too early: check the brackets.")
        if token.kind == "unknown" or (token.kind == "name" and token.text not in FUNCTIONS):
            return _unknown(token)
        return unable(f"‘{_shown(token)}’ stands where it makes no sense: check what is before and after it.")


def _unknown(token: Token) -> ToolFailed:
    if token.text in ('"', "'"):
        return unable(f"{_ONLY_ARITHMETIC}, not text in quotes. {HOW_TO}")
    if len(token.text) == 1 and token.kind == "name" and token.text.isascii():
        return unable(f"{_ONLY_ARITHMETIC} with numbers: put the value in place of ‘{token.text}’.")
    if token.text == ":":
        return unable(f"{_ONLY_ARITHMETIC}. Write times in hours: 6:45 is 6 + 45/60. A ratio is a division.")
    near = get_close_matches(token.text[:30], [*FUNCTIONS, *CONSTANTS], n=1)
    hint = f"Did you mean ‘{near[0]}’? " if near else ""
    return unable(f"{_ONLY_ARITHMETIC}, and do not understand ‘{_shown(token)}’. {hint}{HOW_TO}")


def _shown(token: Token) -> str:
    return token.text if len(token.text) <= 30 else token.text[:30] + "…"


def read(text: str) -> ast.expr:
    """The tree of ``text``; raises ``ToolFailed`` naming the first thing that is not understood."""
    return _Parser(Cursor(tokens(text))).whole()


class _Parser:
    def __init__(self, cursor: Cursor) -> None:
        self._at = cursor
        self._depth = 0
        self._calls = 0
        self._commas: list[Token] = []  # of the call that is being read, and of the lists in it

    def whole(self) -> ast.expr:
        """An expression, or a chain of comparisons such as 2 < 3 <= 3."""
        if self._at.at_end:
            raise unable(f"There is nothing to work out. {HOW_TO}")
        left = single(self._expression(0))
        operations: list[ast.cmpop] = []
        others: list[ast.expr] = []
        while self._at.token.text in _COMPARISONS:
            operations.append(_COMPARISONS[self._at.advance().text]())
            others.append(single(self._expression(0)))
        if not self._at.at_end:
            raise self._at.misplaced()
        return ast.Compare(left, operations, others) if operations else left

    def _expression(self, least: int) -> ast.expr:
        """The longest expression whose operators bind at least as tightly as ``least``."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise unable(f"That is nested too deeply: at most {DEEPEST} brackets, signs or functions in each other.")
        left = self._operand()
        while (binding := self._binding()) and binding >= least:
            left = self._extended(left, binding)
        self._depth -= 1
        return left

    # -- after an operand -----------------------------------------------------------------------------------------

    def _binding(self) -> int:
        """How tightly the next token holds on to what stands before it; 0 where the expression ends."""
        token = self._at.token
        if _is_suffix(token, self._at.following):
            return _SUFFIX
        return _BINDINGS.get(token.text, _PRODUCT if token.text in _INFIX or _starts_operand(token) else 0)

    def _extended(self, left: ast.expr, binding: int) -> ast.expr:
        if binding == _SUFFIX:
            return self._with_suffix(left, self._at.advance())
        if self._at.token.text not in _INFIX:
            self._at.refuse_neighbours()
            return binary(left, ast.Mult, self._expression(_PRODUCT + 1))
        operator = self._at.advance().text
        right = self._expression(binding if binding == _POWER else binding + 1)
        match operator:
            case "of":
                return part(left, right)
            case "off":
                return discounted(left, right)
            case _:
                return combined(left, _INFIX[operator], right)

    def _with_suffix(self, left: ast.expr, token: Token) -> ast.expr:
        match token.text:
            case "%" | "percent":
                return percent(left)
            case "!" | "factorial":
                if self._at.token.text == "!":
                    raise unable("‘!!’ can be read in two ways. For the factorial of a factorial write (x!)!.")
                return call("factorial", single(left))
            case "°" | "degrees" | "deg":
                return in_degrees(left)
            case "radians" | "rad":
                return single(left)
            case _:
                return binary(left, ast.Pow if token.kind == "power" else ast.Mult, Literal(token.value))

    # -- an operand -----------------------------------------------------------------------------------------------

    def _operand(self) -> ast.expr:
        token = self._at.token
        if token.kind == "number":
            return Literal(self._at.advance().value)
        if token.text in CONSTANTS:
            return constant(self._at.advance().text)
        if token.text in FUNCTIONS:
            return self._function(self._at.advance().text)
        if token.text in CLOSING:
            return self._group()
        if token.text in _DRAWN:
            return self._drawn()
        if self._at.take("+"):
            return single(self._expression(_SIGN))
        if self._at.take("-"):
            return negative(self._expression(_SIGN))
        if self._at.take("|"):
            inner = single(self._expression(0))
            self._at.expect("|")
            return call("abs", inner)
        raise self._at.misplaced()

    def _function(self, name: str) -> ast.expr:
        """max(1, 2), sqrt 25, square root of 25, log_2(8)."""
        base = [single(self._operand())] if name == "log" and self._at.take("_") else []
        if self._at.token.text == "(":
            return call(name, *self._arguments(name), *base)
        if self._at.token.kind == "power" or self._at.token.text in ("^", "**"):
            raise unable(f"Write the power behind the bracket: {name}(x)^2.")
        self._at.take("of")
        argument = single(self._expression(_SIGN))
        if _starts_operand(self._at.token):
            raise unable(f"It is not clear what {name} is taken of. Write {name}(…).")
        return call(name, argument, *base)

    def _arguments(self, name: str) -> list[ast.expr]:
        outer, self._commas = self._commas, []
        self._calls += 1
        arguments = self._items()
        self._calls -= 1
        _refuse_two_readings(name, self._commas)
        self._commas = outer
        return arguments

    def _drawn(self) -> ast.expr:
        r"""√25, \sqrt[3]{27}, \frac{1}{2}, \binom{5}{2}."""
        token = self._at.advance()
        if token.text in ("\\frac", "\\binom"):
            above, below = single(self._group()), single(self._group())
            return binary(above, ast.Div, below) if token.text == "\\frac" else call("comb", above, below)
        degree: ast.expr = Literal(Fraction(_ROOTS[token.text]))
        if token.text == "\\sqrt" and self._at.token.text == "[":
            degree = single(self._group())
        return call("root", single(self._expression(_ROOT)), degree)

    def _group(self) -> ast.expr:
        """What stands in brackets: an expression, or inside a function a list."""
        if self._at.token.text not in CLOSING:
            raise self._at.misplaced()
        items = self._items()
        if len(items) == 1:
            return items[0]
        if not self._calls:
            raise self._at.comma()
        return ast.List([single(item) for item in items], ast.Load())

    def _items(self) -> list[ast.expr]:
        closing = CLOSING[self._at.advance().text]
        if self._at.token.text == closing:
            raise unable("There is nothing between the brackets.")
        items = [self._expression(0)]
        while self._at.token.text == ",":
            self._commas.append(self._at.advance())
            if self._at.token.text == closing:
                break
            items.append(self._expression(0))
        self._at.expect(closing)
        return items


def _refuse_two_readings(name: str, commas: list[Token]) -> None:
    """sum(1,200, 3,400) and gcd(1,000, 250): the commas in 1,200 and 1,000 could separate or group."""
    groups = [comma.groups for comma in commas if comma.groups]
    function, separate = FUNCTIONS[name], len(commas) + 1
    zero = any(group.startswith("0") for number in groups for group in number.split(",")[1:])
    if function.may_take(separate) and groups and (zero or function.may_take(separate - len(groups))):
        raise unable(
            f"‘{groups[0]}’ could be one number or several here: inside a function a comma separates numbers. "
            f"Write {groups[0].replace(',', '')} for one, {groups[0].replace(',', ', ')} for several."
        )


def _starts_operand(token: Token) -> bool:
    if token.kind == "name":
        return token.text in FUNCTIONS or token.text in CONSTANTS
    return token.kind == "number" or token.text in CLOSING or token.text in _DRAWN


def _is_suffix(token: Token, following: Token) -> bool:
    if token.text == "%":  # modulo only where a number follows: 10 % 3, but 50% * 3 and 15% of 80
        return not _starts_operand(following)
    if token.text in ("factorial", "degrees", "radians"):
        return following.text != "("
    return token.kind in ("power", "scale") or token.text in ("!", "°", "percent", "deg", "rad")
