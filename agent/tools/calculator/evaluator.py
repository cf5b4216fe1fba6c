"""The tree of an expression, and its number, through simpleeval with operators and functions of our own.

Three bounds hold whatever the tree: how deep it is, how long any number on the way is (``numbers``), and how much work
all of them together are. A product, quotient or common divisor of two numbers of b bits takes time in the order of b²,
so that is what every number produced is charged.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (simpleeval is not typed)

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from decimal import Overflow, Underflow, localcontext
from fractions import Fraction
from typing import Any

from simpleeval import SimpleEval  # pyright: ignore[reportMissingTypeStubs]

from agent.tools.calculator.exact import (
    LARGEST_BITS,
    PRECISION,
    Number,
    add,
    compare,
    divide,
    floor_divide,
    modulo,
    multiply,
    power,
    size,
    subtract,
    unable,
)
from agent.tools.calculator.functions import CONSTANTS, FUNCTIONS

_DEEPEST = 100  # nodes within each other; each takes four frames of the interpreter's stack
_MOST_WORK = 10 * LARGEST_BITS**2


# -- nodes of an expression beside those of ``ast`` that simpleeval knows -------------------------------------------


class Literal(ast.expr):
    """A number as it was written."""

    value: Number

    def __init__(self, value: Number) -> None:
        super().__init__()
        self.value = value


class Percent(ast.operator):
    """Left divided by 100."""


class AddPercent(ast.operator):
    """Left and that share of it: 80 + 15% is 92."""


class TakePercent(ast.operator):
    """Left without that share of it: 80 - 15% is 68."""


def single(node: ast.expr) -> ast.expr:
    """``node``, refused where it is a list."""
    if isinstance(node, ast.List):
        raise unable("A list of numbers belongs inside a function: mean(1, 2, 3) or max(4, 7).")
    return node


def binary(left: ast.expr, operation: type[ast.operator], right: ast.expr) -> ast.BinOp:
    return ast.BinOp(single(left), operation(), single(right))


def call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(constant(name), list(arguments), [])


def constant(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def percent(node: ast.expr) -> ast.BinOp:
    return binary(node, Percent, Literal(Fraction(100)))


def percentage(node: ast.expr) -> ast.expr | None:
    """What stands before the % sign, or None if ``node`` is no percentage."""
    return node.left if isinstance(node, ast.BinOp) and isinstance(node.op, Percent) else None


def in_degrees(node: ast.expr) -> ast.BinOp:
    return binary(binary(node, ast.Mult, constant("pi")), ast.Div, Literal(Fraction(180)))


def negative(node: ast.expr) -> ast.expr:
    """The sign goes inside a percentage, so that 80 + -15% takes 15 % away."""
    share = percentage(single(node))
    return percent(ast.UnaryOp(ast.USub(), share)) if share else ast.UnaryOp(ast.USub(), node)


def is_whole(node: ast.expr) -> bool:
    return isinstance(node, Literal) and Fraction(node.value).denominator == 1


def combined(left: ast.expr, operation: type[ast.operator], right: ast.expr) -> ast.BinOp:
    """``left operation right``, where a percentage that is added or taken away is one of what stands before it."""
    if operation not in (ast.Add, ast.Sub):
        return binary(left, operation, right)
    share, base = percentage(right), percentage(left)
    if share and base:
        return percent(binary(base, operation, share))
    if share:
        return binary(left, AddPercent if operation is ast.Add else TakePercent, right)
    if base and operation is ast.Sub and is_whole(right):
        raise unable("‘10% - 3’ can be read in two ways. Write 0.1 - 3 for the share, mod(10, -3) for the remainder.")
    return binary(left, operation, right)


def part(share: ast.expr, total: ast.expr) -> ast.BinOp:
    """15% of 80, 3/4 of 80."""
    if is_whole(share):
        raise unable("‘of’ needs a share before it: 15% of 80, 3/4 of 80 or half of 80.")
    return binary(share, ast.Mult, total)


def discounted(share: ast.expr, total: ast.expr) -> ast.BinOp:
    """20% off 50."""
    if percentage(share) is None:
        raise unable("‘off’ needs a percentage before it: 20% off 50.")
    return binary(total, TakePercent, share)


# -- their values ----------------------------------------------------------------------------------------------------


_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
    ast.FloorDiv: floor_divide,
    ast.Mod: modulo,
    ast.Pow: power,
    Percent: divide,
    AddPercent: lambda left, share: add(left, multiply(left, share)),
    TakePercent: lambda left, share: subtract(left, multiply(left, share)),
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {ast.USub: lambda value: -value}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Eq: lambda left, right: compare(left, right) == 0,
    ast.NotEq: lambda left, right: compare(left, right) != 0,
    ast.Lt: lambda left, right: compare(left, right) < 0,
    ast.LtE: lambda left, right: compare(left, right) <= 0,
    ast.Gt: lambda left, right: compare(left, right) > 0,
    ast.GtE: lambda left, right: compare(left, right) >= 0,
}


def evaluate(tree: ast.expr) -> Number | bool:
    """The number, or the truth of a comparison; raises ``ToolFailed`` with a sentence for the model."""
    try:
        with localcontext(PRECISION):
            return _Arithmetic().evaluate(tree)
    except Overflow:
        raise unable("That is too large: the calculator stops at 10,000 digits. Work with logarithms.") from None
    except Underflow:
        raise unable(
            "That is too close to zero: the calculator stops at 10,000 places. Work with logarithms."
        ) from None


class _Arithmetic(SimpleEval):
    """simpleeval for numbers only: no text, attributes, subscripts, comprehensions, assignments or conditions."""

    def __init__(self) -> None:
        # Not simpleeval's own: it changes the process's warning filters for a moment, which other threads would feel.
        self.operators = {**_OPERATORS, **_SIGNS, **_COMPARISONS}
        self.functions = FUNCTIONS
        self.names = CONSTANTS
        self.nodes = {
            Literal: self._eval_literal,
            ast.Name: self._eval_name,
            ast.UnaryOp: self._eval_unaryop,
            ast.BinOp: self._eval_binop,
            ast.Compare: self._eval_compare,
            ast.Call: self._eval_call,
            ast.List: self._eval_list,
        }
        self._depth = 0
        self._work = 0

    def evaluate(self, tree: ast.expr) -> Number | bool:
        return self._eval(tree)

    def _eval(self, node: ast.AST) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise unable("That is nested too deeply. Work it out in parts.")
        value = super()._eval(node)
        self._depth -= 1
        return value

    def _eval_literal(self, node: Literal) -> Number:
        return self._charged(node.value)

    def _eval_binop(self, node: ast.BinOp) -> Number:
        """A chain such as 1 + 2 + 3 + … leans to the left and may be long: walked, not recursed into."""
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        value: Number = self._eval(chain[-1].left)
        for link in reversed(chain):
            value = self._charged(_OPERATORS[type(link.op)](value, self._eval(link.right)))
        return value

    def _eval_call(self, node: ast.Call) -> Number:
        assert isinstance(node.func, ast.Name)
        return self._charged(super()._eval_call(node), FUNCTIONS[node.func.id].weight)

    def _eval_list(self, node: ast.List) -> tuple[Number, ...]:
        return tuple(self._eval(item) for item in node.elts)

    def _charged(self, value: Number, weight: int = 1) -> Number:
        self._work += weight * size(value) ** 2
        if self._work > _MOST_WORK:
            raise unable("That is too much work for one call: there are many very long numbers in it. Do it in parts.")
        return value
