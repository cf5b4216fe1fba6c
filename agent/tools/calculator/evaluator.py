"""The tree into a number, through simpleeval with operators and functions of our own.

Three bounds hold whatever the tree: how deep it is, how long any number on the way is (``numbers``), and how much work
all of them together are. A product, quotient or common divisor of two numbers of b bits takes time in the order of b²,
so that is what every number produced is charged.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (simpleeval is not typed)

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Overflow, Underflow, localcontext
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
    negate,
    power,
    size,
    subtract,
    unable,
)
from agent.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agent.tools.calculator.tree import AddPercent, Literal, Percent, TakePercent

_DEEPEST = 100  # nodes within each other; each takes four frames of the interpreter's stack
_MOST_WORK = 10 * LARGEST_BITS**2


def _comparison(holds: Callable[[int, int], bool]) -> Callable[[Number, Number], bool]:
    return lambda left, right: holds(compare(left, right), 0)


def _add_percent(left: Number, share: Number) -> Number:
    return add(left, multiply(left, share))


def _take_percent(left: Number, share: Number) -> Number:
    return subtract(left, multiply(left, share))


_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
    ast.FloorDiv: floor_divide,
    ast.Mod: modulo,
    ast.Pow: power,
    Percent: divide,
    AddPercent: _add_percent,
    TakePercent: _take_percent,
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {ast.USub: negate}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Eq: _comparison(operator.eq),
    ast.NotEq: _comparison(operator.ne),
    ast.Lt: _comparison(operator.lt),
    ast.LtE: _comparison(operator.le),
    ast.Gt: _comparison(operator.gt),
    ast.GtE: _comparison(operator.ge),
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
