"""The nodes of an expression: those of ``ast`` that simpleeval knows, and a few of our own."""

from __future__ import annotations

import ast
from fractions import Fraction

from agent.tools.calculator.exact import Number, unable


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
