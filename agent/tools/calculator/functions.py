"""The functions and constants that can be named, each with the number of its arguments and a bound on its work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from agent.tools.calculator import exact
from agent.tools.calculator.exact import (
    LARGEST_BITS,
    Number,
    add,
    decimal,
    divide,
    floor,
    modulo,
    multiply,
    power,
    settle,
    too_large,
    unable,
    units_known,
    whole,
)

CONSTANTS: Mapping[str, Number] = {"pi": exact.PI, "e": exact.E, "tau": 2 * exact.PI}

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
        if self.most == _ANY:
            return f"at least {self.least} number" + "s" * (self.least > 1)
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
    steps = math.floor(abs(Fraction(value)) * scale + Fraction(1, 2))
    return Fraction(steps if value >= 0 else -steps) / scale


def ceiling(value: Number) -> Number:
    return -floor(-value)


def _truncated(value: Number) -> Number:
    return floor(value) if value > 0 else ceiling(value)


def greatest_divisor(*values: Number) -> Number:
    return Fraction(math.gcd(*(whole(value, "gcd") for value in values)))


def least_multiple(*values: Number) -> Number:
    def pair(left: Number, right: Number) -> Number:
        if not left or not right:
            return Fraction(0)
        return divide(abs(multiply(left, right)), greatest_divisor(left, right))

    return reduce(pair, (Fraction(whole(value, "lcm")) for value in values), Fraction(1))


def total(*values: Number) -> Number:
    return reduce(add, values, Fraction(0))


def absolute(value: Number) -> Number:
    return abs(value)


def _fraction(value: Number) -> Fraction:
    return Fraction(value)


def mean(*values: Number) -> Number:
    return divide(total(*values), Fraction(len(values)))


def median(*values: Number) -> Number:
    ordered = sorted(values, key=_fraction)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else mean(ordered[middle - 1], ordered[middle])


def variance(*values: Number) -> Number:
    """Of a sample: by one number less than there are."""
    return divide(_squared_distances(values), Fraction(len(values) - 1))


def population_variance(*values: Number) -> Number:
    return divide(_squared_distances(values), Fraction(len(values)))


def _squared_distances(values: Sequence[Number]) -> Number:
    middle = mean(*values)
    distances = [add(value, -middle) for value in values]
    return total(*(multiply(distance, distance) for distance in distances))


_OF_ONE: Mapping[str, Callable[[Number], Number]] = {
    "sqrt": exact.square_root,
    "cbrt": lambda value: exact.root(value, Fraction(3)),
    "square": lambda value: multiply(value, value),
    "cube": lambda value: multiply(value, multiply(value, value)),
    "ln": exact.natural_logarithm,
    "log10": lambda value: exact.logarithm(value, Fraction(10)),
    "log2": lambda value: exact.logarithm(value, Fraction(2)),
    "exp": lambda value: settle(decimal(value).exp()),
    "sin": exact.sine,
    "cos": exact.cosine,
    "tan": exact.tangent,
    "asin": exact.arcsine,
    "arcsin": exact.arcsine,
    "acos": exact.arccosine,
    "arccos": exact.arccosine,
    "atan": exact.arctangent,
    "arctan": exact.arctangent,
    "sinh": exact.hyperbolic_sine,
    "cosh": exact.hyperbolic_cosine,
    "tanh": exact.hyperbolic_tangent,
    "degrees": lambda value: divide(multiply(value, Fraction(180)), exact.PI),
    "radians": lambda value: divide(multiply(value, exact.PI), Fraction(180)),
    "factorial": factorial,
    "floor": floor,
    "ceil": ceiling,
    "ceiling": ceiling,
    "trunc": _truncated,
    "int": _truncated,
    "abs": absolute,
}
_OF_TWO: Mapping[str, Callable[[Number, Number], Number]] = {
    "root": exact.root,
    "pow": power,
    "mod": modulo,
    "atan2": exact.arctangent_of_two,
}
_OF_ANY: Mapping[str, Callable[[*tuple[Number, ...]], Number]] = {
    "min": lambda *values: min(values, key=_fraction),
    "max": lambda *values: max(values, key=_fraction),
    "mean": mean,
    "average": mean,
    "avg": mean,
    "median": median,
    "sum": total,
    "prod": lambda *values: reduce(multiply, values),
    "product": lambda *values: reduce(multiply, values),
    "len": lambda *values: Fraction(len(values)),
    "count": lambda *values: Fraction(len(values)),
    "gcd": greatest_divisor,
    "lcm": least_multiple,
    "hypot": lambda *values: exact.square_root(total(*(multiply(value, value) for value in values))),
}
_REST = (
    Function("variance", variance, 2, _ANY),
    Function("stdev", lambda *values: exact.square_root(variance(*values)), 2, _ANY),
    Function("pvariance", population_variance, 1, _ANY),
    Function("pstdev", lambda *values: exact.square_root(population_variance(*values)), 1, _ANY),
    Function("log", exact.logarithm, 1, 2),
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
