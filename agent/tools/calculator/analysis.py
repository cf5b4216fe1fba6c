"""Roots, logarithms and angles to 60 digits. All angles are radians; ``logarithm`` of one number is the natural one."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from agent.tools.calculator.exact import (
    Number,
    add,
    compare,
    decimal,
    divide,
    exact,
    multiply,
    negate,
    power,
    settle,
    subtract,
    unable,
)

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
E = Decimal("2.71828182845904523536028747135266249775724709369995957496696763")

_NOISE = 52  # an angle of one digit before the point is right to so many places
_TINY = -65  # below ten to this, sin x = x and atan x = x in all 60 digits


def square_root(value: Number) -> Number:
    if value < 0:
        raise unable("The square root of a negative number is not a real number.")
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return settle(decimal(value).sqrt())


def root(value: Number, degree: Number) -> Number:
    """The real ``degree``-th root; an odd root of a negative number is negative."""
    if not degree:
        raise unable("There is no 0th root. Use root(x, n) with n of 1 or more.")
    if compare(degree, Fraction(2)) == 0:
        return square_root(value)
    if value >= 0:
        return power(value, divide(Fraction(1), degree))
    if exact(degree).denominator != 1 or exact(degree) % 2 == 0:
        raise unable("An even or fractional root of a negative number is not a real number.")
    return negate(power(negate(value), divide(Fraction(1), degree)))


def cube_root(value: Number) -> Number:
    return root(value, Fraction(3))


def natural_logarithm(value: Number) -> Number:
    if value <= 0:
        raise unable("A logarithm needs a number above 0.")
    return settle(decimal(value).ln())


def logarithm(value: Number, base: Number | None = None) -> Number:
    over = natural_logarithm(value)
    if base is None:
        return over
    under = natural_logarithm(base)
    if not under:
        raise unable("A logarithm to the base 1 does not exist.")
    return divide(over, under)


def exponential(value: Number) -> Number:
    return settle(decimal(value).exp())


def _series(value: Decimal, sign: int) -> Decimal:
    """x ± x³/3! + x⁵/5! ± …: the sine with ``sign`` -1, the hyperbolic sine with +1; for |x| up to about 4."""
    if value.adjusted() < _TINY:
        return value  # and so that the square does not fall out of range
    total, term, square, step = Decimal(0), value, sign * value * value, 1
    while term and term.adjusted() > value.adjusted() - 65:
        total += term
        term = term * square / ((step + 1) * (step + 2))
        step += 2
    return total


def sine(value: Number) -> Number:
    angle = decimal(value)
    if abs(angle) < 1:
        return settle(_series(angle, -1))
    if angle.adjusted() > 20:
        raise unable("That angle is too large for its sine, cosine or tangent to mean anything.")
    turns = (angle / (2 * PI)).to_integral_value()
    result = _series(angle - turns * 2 * PI, -1)
    return settle(result.quantize(Decimal(1).scaleb(angle.adjusted() - _NOISE)))


def cosine(value: Number) -> Number:
    return sine(add(value, PI / 2)) if value else Fraction(1)


def tangent(value: Number) -> Number:
    below = cosine(value)
    if not below:
        raise unable("The tangent of 90° (pi/2), 270° and so on does not exist.")
    return divide(sine(value), below)


def arctangent(value: Number) -> Number:
    """Halves the angle five times (atan x = 2 atan(x / (1 + √(1 + x²)))), then x - x³/3 + x⁵/5 - …"""
    ratio = decimal(value)
    if ratio.adjusted() > -_TINY:
        return (PI / 2).copy_sign(ratio)
    if ratio.adjusted() < _TINY:
        return settle(ratio)
    halvings = 5 if abs(ratio) > Decimal("0.01") else 0
    for _ in range(halvings):
        ratio = ratio / (1 + (1 + ratio * ratio).sqrt())
    total, term, step = Decimal(0), ratio, 1
    while term and term.adjusted() > ratio.adjusted() - 65:
        total += term / step
        term = -term * ratio * ratio
        step += 2
    return settle(total * 2**halvings)


def arcsine(value: Number) -> Number:
    if abs(value) > 1:
        raise unable("asin and acos need a number between -1 and 1.")
    ratio = decimal(value)
    if abs(ratio) == 1:
        return (PI / 2).copy_sign(ratio)
    return arctangent(ratio / ((1 - ratio) * (1 + ratio)).sqrt())


def arccosine(value: Number) -> Number:
    return subtract(PI / 2, arcsine(value))


def arctangent_of_two(y: Number, x: Number) -> Number:
    """The angle of the point (x, y), between -pi and pi."""
    if not x and not y:
        raise unable("atan2(0, 0) has no angle.")
    if not x:
        return settle((PI / 2).copy_sign(decimal(y)))
    angle = arctangent(divide(y, x))
    if x > 0:
        return angle
    return subtract(angle, PI) if y < 0 else add(angle, PI)


def hyperbolic_sine(value: Number) -> Number:
    number = decimal(value)
    if abs(number) < 1:
        return settle(_series(number, 1))
    return settle((number.exp() - (-number).exp()) / 2)


def hyperbolic_cosine(value: Number) -> Number:
    number = abs(decimal(value))
    return settle((number.exp() + (-number).exp()) / 2)


def hyperbolic_tangent(value: Number) -> Number:
    number = decimal(value)
    if abs(number) > 100:
        return Fraction(1 if number > 0 else -1)
    return divide(hyperbolic_sine(number), hyperbolic_cosine(number))


def degrees(value: Number) -> Number:
    return divide(multiply(value, Fraction(180)), PI)


def radians(value: Number) -> Number:
    return divide(multiply(value, PI), Fraction(180))
