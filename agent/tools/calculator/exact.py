"""Numbers without binary dust: operators that look at sizes before they work, roots, logarithms and angles.

A number is a ``Fraction`` as long as it is exact, and a ``Decimal`` of 60 digits once it is not (roots, logarithms,
angles). A decimal that is a short number to 50 digits is that number: sqrt(2)² is 2 again, and log10(1000) is 3.
Everything here runs inside ``localcontext(PRECISION)``.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow, localcontext
from fractions import Fraction
from typing import TypeAlias

from agent.errors import ToolFailed

Number: TypeAlias = Fraction | Decimal

LARGEST_DIGITS = 10_000  # of any number on the way; a result is written out up to 4,000
LARGEST_BITS = math.ceil(LARGEST_DIGITS * math.log2(10))
PLAIN_DIGITS = 21  # rounded numbers from 10**21 on are kept, and shown, in scientific notation
PRECISION = Context(
    prec=60,
    Emax=LARGEST_DIGITS + 10,
    Emin=-LARGEST_DIGITS - 10,
    traps=[Overflow, Underflow, InvalidOperation, DivisionByZero],
)

_TRUSTED = 50  # digits of the 60 that are right after any sensible number of operations
_SHORT = 25  # a rounded number of at most so many digits is taken as exact


def unable(message: str) -> ToolFailed:
    """The one error of the calculator: a sentence for the model."""
    return ToolFailed(message, "input")


def too_large(digits: float) -> ToolFailed:
    count = f"about {math.ceil(digits):,}" if digits < 1e15 else "far more than a trillion"
    return unable(
        f"That is too large: a number here would have {count} digits, and the calculator stops at "
        f"{LARGEST_DIGITS:,}. Use a smaller power or factorial, or work with logarithms."
    )


def by_zero() -> ToolFailed:
    return unable("Division by zero has no result. Check what stands below the line.")


def settle(value: Decimal) -> Number:
    """``value`` as an exact fraction where its trusted digits are those of a short number, else as it is."""
    with localcontext() as context:
        context.prec = _TRUSTED
        rounded = value.normalize()
    _, digits, exponent = rounded.as_tuple()
    short = len(digits) <= _SHORT and int(exponent) >= -_SHORT and rounded.adjusted() < PLAIN_DIGITS
    return Fraction(rounded) if short else value


def decimal(value: Number) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(value.numerator) / Decimal(value.denominator)


def size(value: Number) -> int:
    """Bits of a fraction (numerator and denominator); a decimal counts as its 60 digits."""
    if isinstance(value, Decimal):
        return 200
    return value.numerator.bit_length() + value.denominator.bit_length()


def bounded(value: Fraction) -> Fraction:
    """``value``, refused where it outgrew the limit; its operands were within it, so it is at most twice as long."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits > LARGEST_BITS:
        raise too_large(bits * math.log10(2))
    return value


def add(left: Number, right: Number) -> Number:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return bounded(left + right)
    one, other = decimal(left), decimal(right)
    total = one + other
    if one and other and total.adjusted() < max(one.adjusted(), other.adjusted()) - _TRUSTED:
        return Fraction(0)  # what is left of a difference below the trusted digits is noise
    return settle(total)


def subtract(left: Number, right: Number) -> Number:
    return add(left, -right)


def multiply(left: Number, right: Number) -> Number:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        if left.denominator == right.denominator == 1:
            bits = left.numerator.bit_length() + right.numerator.bit_length()
            if bits > LARGEST_BITS + 1:
                raise too_large(bits * math.log10(2))
        return bounded(left * right)
    return settle(decimal(left) * decimal(right))


def divide(left: Number, right: Number) -> Number:
    if not right:
        raise by_zero()
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return bounded(left / right)
    return settle(decimal(left) / decimal(right))


def units_known(value: Number) -> bool:
    """Whether the digit before the point is among the trusted ones."""
    return isinstance(value, Fraction) or value.adjusted() < _TRUSTED - 5


def floor(value: Number) -> Number:
    """The whole number below; a rounded number too long to have a known last digit stays as it is."""
    return Fraction(math.floor(Fraction(value))) if units_known(value) else value


def floor_divide(left: Number, right: Number) -> Number:
    return floor(divide(left, right))


def modulo(left: Number, right: Number) -> Number:
    """What is left after ``floor_divide``; it has the sign of ``right``, as in Python."""
    quotient = floor_divide(left, right)
    if not units_known(quotient):
        raise unable("The remainder of so large a rounded number is not known. Write it exactly: 10**60 for 1e60.")
    return subtract(left, multiply(right, quotient))


def power(base: Number, exponent: Number) -> Number:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        return _whole_power(base, exponent.numerator)
    return _real_power(base, exponent)


def _whole_power(base: Fraction, exponent: int) -> Number:
    """Exact while it fits; beyond that a rounded decimal, unless the result is a whole number and so must be exact."""
    if not base and exponent < 0:
        raise by_zero()
    longest = max(abs(base.numerator), base.denominator)
    if longest == 1:  # 0, 1 and -1
        return base ** (0 if not exponent else 2 - exponent % 2)
    bits = math.inf if exponent.bit_length() > 64 else abs(exponent) * math.log2(longest)
    if bits <= LARGEST_BITS:
        return Fraction(base**exponent)
    if base.denominator == 1 and exponent > 0:
        raise too_large(bits * math.log10(2))
    return _real_power(base, Fraction(exponent))


def _real_power(base: Number, exponent: Number) -> Number:
    one, other = decimal(base), decimal(exponent)
    if not one:
        if other < 0:
            raise by_zero()
        return Fraction(0)
    if one < 0 and other != other.to_integral_value():
        raise unable(
            "A negative number has no real power with a fractional exponent. "
            "For an odd root write cbrt(x) or root(x, n)."
        )
    return settle(one**other)


def whole(value: Number, role: str) -> int:
    """``value`` as an ``int``; ``role`` names it in the sentence when it is not one."""
    if not units_known(value):
        raise unable(f"{role} needs a number that is known exactly. Write 10**60 for 1e60.")
    fraction = Fraction(value)
    if fraction.denominator != 1:
        raise unable(f"{role} needs a whole number.")
    return fraction.numerator


def compare(left: Number, right: Number) -> int:
    """-1, 0 or 1; numbers that agree in their trusted digits are equal."""
    difference = subtract(left, right)
    return (difference > 0) - (difference < 0)


# -- roots, logarithms and angles to 60 digits; all angles are radians --------------------------------------------

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
    if Fraction(degree).denominator != 1 or Fraction(degree) % 2 == 0:
        raise unable("An even or fractional root of a negative number is not a real number.")
    return -power(-value, divide(Fraction(1), degree))


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
