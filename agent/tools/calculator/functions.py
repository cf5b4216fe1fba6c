"""The functions and constants that can be named, each with the number of its arguments and a bound on its work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from agent.tools.calculator import analysis
from agent.tools.calculator.exact import (
    LARGEST_BITS,
    Number,
    add,
    divide,
    exact,
    floor,
    modulo,
    multiply,
    negate,
    power,
    too_large,
    unable,
    units_known,
    whole,
)

CONSTANTS: Mapping[str, Number] = {"pi": analysis.PI, "e": analysis.E, "tau": 2 * analysis.PI}

_ANY = 10_000  # more numbers than fit into an expression
_LARGEST_PLACES = 1_000  # decimal places that round() takes


@dataclass(frozen=True, slots=True)
class Function:
    """A function of ``least`` to ``most`` numbers; ``weight`` says how dear its work is beside a multiplication."""

    name: str
    run: Callable[..., Number]
    least: int = 1
    most: int = 1
    weight: int = 1

    def __call__(self, *arguments: Number | tuple[Number, ...]) -> Number:
        """Lists among the arguments count as the numbers in them."""
        numbers: list[Number] = []
        for argument in arguments:
            numbers.extend(argument if isinstance(argument, tuple) else (argument,))
        if not self.least <= len(numbers) <= self.most:
            raise unable(f"{self.name} takes {self._takes()}, not {len(numbers)}.{self._comma_hint(len(numbers))}")
        return self.run(*numbers)

    def may_take(self, count: int) -> bool:
        """Whether a call with so many numbers makes sense; the largest of one number does not."""
        return max(self.least, 2 if self.most == _ANY else 1) <= count <= self.most

    def _takes(self) -> str:
        if self.most > self.least:
            return f"{self.least} or {self.most} numbers"
        return f"{self.most} number" + "s" * (self.most > 1)

    def _comma_hint(self, given: int) -> str:
        if given <= self.most:
            return ""
        return " Inside a function a comma separates numbers: write 1234, not 1,234."


def factorial(value: Number) -> Number:
    number = _natural(value, "factorial")
    digits = math.lgamma(number + 1) / math.log(10) if number.bit_length() < 64 else math.inf
    if digits * math.log2(10) > LARGEST_BITS:
        raise too_large(digits)
    return Fraction(math.factorial(number))


def combinations(total: Number, chosen: Number) -> Number:
    """comb(n, k) < 2**n and ≤ n**k: the smaller bound is looked at first."""
    n, k = _natural(total, "comb"), _natural(chosen, "comb")
    k = min(k, n - k)
    if k < 0:
        return Fraction(0)
    _check_bits(min(n, k * n.bit_length()))
    return Fraction(math.comb(n, k))


def permutations(total: Number, chosen: Number | None = None) -> Number:
    if chosen is None:
        return factorial(total)
    n, k = _natural(total, "perm"), _natural(chosen, "perm")
    if k > n:
        return Fraction(0)
    _check_bits(k * n.bit_length())
    return Fraction(math.perm(n, k))


def _natural(value: Number, name: str) -> int:
    number = whole(value, name)
    if number < 0:
        raise unable(f"{name} needs numbers of 0 and above.")
    return number


def _check_bits(bits: int) -> None:
    if bits > LARGEST_BITS:
        raise too_large(bits * math.log10(2) if bits.bit_length() < 64 else math.inf)


def rounded(value: Number, places: Number = Fraction(0)) -> Number:
    """Half away from zero, as at school: 2.5 → 3, -2.5 → -3. Negative places round to tens, hundreds, …"""
    count = whole(places, "The second number of round")
    if abs(count) > _LARGEST_PLACES:
        raise unable(f"round takes at most {_LARGEST_PLACES:,} decimal places.")
    if not units_known(value):
        return value
    scale = Fraction(10) ** count
    steps = math.floor(abs(exact(value)) * scale + Fraction(1, 2))
    return Fraction(steps if value >= 0 else -steps) / scale


def ceiling(value: Number) -> Number:
    return negate(floor(negate(value)))


def truncated(value: Number) -> Number:
    return floor(value) if value > 0 else ceiling(value)


def absolute(value: Number) -> Number:
    return abs(value)


def greatest_divisor(*values: Number) -> Number:
    return Fraction(math.gcd(*(whole(value, "gcd") for value in values)))


def least_multiple(*values: Number) -> Number:
    def pair(left: Number, right: Number) -> Number:
        if not left or not right:
            return Fraction(0)
        return divide(absolute(multiply(left, right)), greatest_divisor(left, right))

    return reduce(pair, (Fraction(whole(value, "lcm")) for value in values), Fraction(1))


def total(*values: Number) -> Number:
    return reduce(add, values, Fraction(0))


def product(*values: Number) -> Number:
    return reduce(multiply, values, Fraction(1))


def count(*values: Number) -> Number:
    return Fraction(len(values))


def mean(*values: Number) -> Number:
    return divide(total(*values), Fraction(len(values)))


def median(*values: Number) -> Number:
    ordered = sorted(values, key=exact)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else mean(ordered[middle - 1], ordered[middle])


def smallest(*values: Number) -> Number:
    return min(values, key=exact)


def largest(*values: Number) -> Number:
    return max(values, key=exact)


def hypotenuse(*values: Number) -> Number:
    return analysis.square_root(total(*(multiply(value, value) for value in values)))


def _common_logarithm(value: Number) -> Number:
    return analysis.logarithm(value, Fraction(10))


def _binary_logarithm(value: Number) -> Number:
    return analysis.logarithm(value, Fraction(2))


_OF_ONE: Mapping[str, Callable[..., Number]] = {
    "sqrt": analysis.square_root,
    "cbrt": analysis.cube_root,
    "ln": analysis.natural_logarithm,
    "log10": _common_logarithm,
    "log2": _binary_logarithm,
    "exp": analysis.exponential,
    "sin": analysis.sine,
    "cos": analysis.cosine,
    "tan": analysis.tangent,
    "asin": analysis.arcsine,
    "arcsin": analysis.arcsine,
    "acos": analysis.arccosine,
    "arccos": analysis.arccosine,
    "atan": analysis.arctangent,
    "arctan": analysis.arctangent,
    "sinh": analysis.hyperbolic_sine,
    "cosh": analysis.hyperbolic_cosine,
    "tanh": analysis.hyperbolic_tangent,
    "degrees": analysis.degrees,
    "radians": analysis.radians,
    "factorial": factorial,
    "floor": floor,
    "ceil": ceiling,
    "ceiling": ceiling,
    "trunc": truncated,
    "int": truncated,
    "abs": absolute,
}
_OF_TWO: Mapping[str, Callable[..., Number]] = {
    "root": analysis.root,
    "pow": power,
    "mod": modulo,
    "atan2": analysis.arctangent_of_two,
}
_OF_ANY: Mapping[str, Callable[..., Number]] = {
    "min": smallest,
    "max": largest,
    "mean": mean,
    "average": mean,
    "avg": mean,
    "median": median,
    "sum": total,
    "prod": product,
    "product": product,
    "len": count,
    "count": count,
    "gcd": greatest_divisor,
    "lcm": least_multiple,
    "hypot": hypotenuse,
}
_REST = (
    Function("log", analysis.logarithm, 1, 2),
    Function("round", rounded, 1, 2),
    Function("comb", combinations, 2, 2, weight=12),
    Function("ncr", combinations, 2, 2, weight=12),
    Function("perm", permutations, 1, 2),
    Function("npr", permutations, 2, 2),
)
FUNCTIONS: Mapping[str, Function] = {
    **{name: Function(name, run) for name, run in _OF_ONE.items()},
    **{name: Function(name, run, 2, 2) for name, run in _OF_TWO.items()},
    **{name: Function(name, run, 1, _ANY) for name, run in _OF_ANY.items()},
    **{function.name: function for function in _REST},
}
