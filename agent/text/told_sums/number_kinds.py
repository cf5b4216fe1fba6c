"""What a whole number is made of: whether it is prime, its prime factors, and its digits to another base."""

from __future__ import annotations

import re
from itertools import takewhile

from agent.text.problems.problem_reader import Problem
from agent.text.regex import regex
from agent.text.sums.phrases import Language, either

_LARGEST = 10_000  # the primes up to its root are told
_MOST_DIGITS = 12
_BASES = {"binary": 2, "2": 2, "octal": 8, "8": 8, "hex": 16, "hexadecimal": 16, "16": 16, "decimal": 10, "10": 10}
_NAMES = {2: ("binary", "2進数"), 8: ("octal", "8進数"), 16: ("hexadecimal", "16進数"), 10: ("decimal", "10進数")}
_BASE = r"(?:binary|hexadecimal|hex|octal|decimal)"
_PRIME = regex(
    r"(?:is )?(?P<n>\d{1,5})(?: is)?(?: an?)? prime(?: number)?(?: or not)?[ ?.!]*"
    r"|(?P<ja>\d{1,5})(?:は|って)素数(?:です)?か?[?。]*"
)
_FACTORS = regex(
    r"(?:(?:what|which) are |find |give me |list )?(?:the )?prime factor(?:s|i[sz]ation)(?: of)? (?P<n>\d{1,5})[ ?.!]*"
    r"|(?P<ja>\d{1,5})(?:を|の)素因数(?:分解)?(?:する|した|して|すると)?(?:と|は)?(?:何|いくつ)?(?:です)?か?[?。]*"
)
_TO = regex(
    rf"(?:convert |what(?:'s| is) )?(?P<n>\d{{1,9}})(?: (?:from )?decimal)? (?:in|to|into|as) (?P<to>{_BASE})[ ?.!]*"
    r"|(?P<ja>\d{1,9})を(?P<base>2|8|16)進数?(?:で|に)(?:表す|直す|する|変換する)?(?:と|は)?[?。]*"
)
_FROM = regex(
    r"(?:convert |what(?:'s| is) )?(?:the )?(?:(?P<base>binary|hexadecimal|hex|octal)(?: number)? )?"
    r"(?P<n>[\da-f]{1,12})(?: (?:from |in )?(?P<of>binary|hexadecimal|hex|octal))?"
    r"(?: (?:in|to|into|as) (?:a )?decimal(?: number)?)?[ ?.!]*"
    r"|(?P<based>2|8|16)進数?の?(?P<ja>[\da-f]{1,12})(?:を|は)10進数?(?:で|に)(?:直す|する|変換する)?(?:と|は)?[?。]*"
)


_NEXT = regex(
    r"(?:(?:what|which)(?: is|'s| prime(?: number)?)? )?(?:the )?"
    r"(?:(?P<way>next|first|smallest|previous|last|largest|biggest) )?(?:prime(?: number)? )?"
    r"(?:(?:is|comes) )?(?:just |right |immediately )?"
    r"(?P<side>after|above|over|greater than|larger than|bigger than|before|below|under|less than|smaller than) "
    r"(?P<n>\d{1,5})[ ?.!]*"
)
_DIVISORS = regex(
    r"(?:(?:what|which)(?: are|'re)? |find |list |give me )?(?:all )?(?:the |of the )?(?:whole[- ]number )?"
    r"(?:factors|divisors) of (?P<n>\d{1,5})[ ?.!]*"
)
_ROMAN = regex(
    r"(?:(?:what(?:'s| is)|write|convert) )?(?P<n>\d{1,4}) (?:in|to|into|as) (?:an? )?"
    r"roman(?: numerals?| numbers?)?[ ?.!]*"
    r"|(?:(?:what(?:'s| is) )?the )?roman numerals? (?:for|of) (?P<of>\d{1,4})[ ?.!]*"
)
_FROM_ROMAN = regex(
    r"(?:(?:what(?:'s| is)|convert) )?(?:the )?(?:roman numeral |roman )?(?P<roman>[mdclxvi]{2,15}) "
    r"(?:in|to|into|as) (?:a )?(?:numbers?|digits|arabic(?: numerals?)?|decimal|figures)[ ?.!]*"
    r"|(?:what|which) (?:number|year) (?:is|does) (?:the )?(?:roman numeral )?(?P<named>[mdclxvi]{2,15})"
    r"(?: (?:stand for|mean))?[ ?.!]*"
)
_NUMERALS = {
    "M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5,
    "IV": 4, "I": 1,
}  # fmt: skip
_ORDERS = regex(
    r"(?:in )?how many (?:different )?(?:ways|orders) (?:can|could|are there(?: for| to)?) (?:(?:you|i|we|one) )?"
    r"(?:(?:arrange|order|line up|put in order) )?(?P<n>\d{1,2}) (?:different )?(?P<thing>[a-z]+)"
    r"(?: (?:finish|be arranged|be ordered|line up|stand in a row|sit in a row))?"
    r"(?: (?:in a (?:row|line)|on a shelf|in order|in a race|next to each other))?[ ?.!]*"
)
_MOST_ORDERED = 15


def number_kind(text: str, language: Language) -> Problem | None:
    """ "Is 91 prime?", "prime factors of 84", "255 to hex", "101101 binary to decimal", 「97は素数ですか」."""
    text = " ".join(text.lower().split())
    if len(text) > 80:  # characters
        return None
    if found := _PRIME.fullmatch(text):
        return _prime(int(found["n"] or found["ja"]), language)
    if found := _FACTORS.fullmatch(text):
        return _factored(int(found["n"] or found["ja"]), language)
    if found := _NEXT.fullmatch(text):
        return _near_prime(int(found["n"]), found["way"] or "", found["side"]) if "prime" in text else None
    if found := _DIVISORS.fullmatch(text):
        return _divided(int(found["n"]))
    if found := _ROMAN.fullmatch(text):
        return _in_roman(int(found["n"] or found["of"]))
    if found := _FROM_ROMAN.fullmatch(text):
        return _from_roman((found["roman"] or found["named"]).upper())
    if found := _ORDERS.fullmatch(text):
        return _ordered(int(found["n"]), found["thing"]) if re.search(_ORDERING, text) else None
    if found := _TO.fullmatch(text):
        return _to_base(found["n"] or found["ja"], _BASES[found["to"] or found["base"]], language)
    found = _FROM.fullmatch(text)
    said = {found[name] for name in ("base", "of", "based") if found[name]} if found else set[str]()
    return _from_base(found["n"] or found["ja"], _BASES[said.pop()], language) if found and len(said) == 1 else None


def _factors(number: int) -> list[int]:
    """The prime factors, the smallest first."""
    found, divisor = list[int](), 2
    while number > 1:
        divisor = next((one for one in range(divisor, int(number**0.5) + 1) if number % one == 0), number)
        found.append(divisor)
        number //= divisor
    return found


def _prime(number: int, language: Language) -> Problem | None:
    factors = _factors(number) if 1 < number <= _LARGEST else []
    if len(factors) > 1:
        product = " × ".join(map(str, factors))
        english = f"No, {number} is not a prime number: it is {product}."
        told = either(language, english, f"いいえ、{number}は{product}なので素数ではありません。")
        return Problem("prime", " * ".join(map(str, factors)), product, told=told)
    if not factors:
        return None
    primes = [one for one in takewhile(lambda one: one * one <= number, range(2, number)) if len(_factors(one)) == 1]
    english = f"Yes, {number} is a prime number: none of the primes up to its root divides it."
    told = either(language, english, f"はい、{number}は素数です。平方根までのどの素数でも割り切れません。")
    wanted = f"gcd({number}, {' * '.join(map(str, primes)) or 1})"
    return Problem("prime", wanted, wanted, told=told)


def _factored(number: int, language: Language) -> Problem | None:
    factors = [str(one) for one in _factors(number)] if 1 < number <= _LARGEST**2 else []
    product = " × ".join(factors)
    told = either(language, f"{number} is {product}.", f"{number}は{product}です。")
    return Problem("factors", " * ".join(factors), product, told=told) if factors else None


_ABOVE = ("after", "above", "over", "greater than", "larger than", "bigger than")


def _near_prime(number: int, way: str, side: str) -> Problem | None:
    """The prime next to a number; the last one before it has no other name than the largest."""
    above = side in _ABOVE
    if way in (("previous", "last", "largest", "biggest") if above else ("next", "first", "smallest")):
        return None
    steps = range(number + 1, number * 2 + 3) if above else range(number - 1, 1, -1)
    found = next((one for one in steps if one <= _LARGEST and len(_factors(one)) == 1), 0)
    sum_ = _prime(found, "en")
    told = f"The {'first prime number after' if above else 'last prime number before'} {number} is {found}."
    return Problem("prime", sum_.expression, sum_.called, told=told) if sum_ else None


def _divided(number: int) -> Problem | None:
    """All whole numbers that divide it: it is their least common multiple."""
    found = [str(one) for one in range(1, number + 1) if number % one == 0] if 1 < number <= _LARGEST else []
    told = f"The divisors of {number} are {', '.join(found[:-1])} and {found[-1]}." if found else ""
    wanted = f"lcm({', '.join(found)})"
    return Problem("divisors", wanted, wanted, told=told) if found else None


def _in_roman(number: int) -> Problem | None:
    signs, rest = list[str](), number
    for sign, size in _NUMERALS.items():
        signs += [sign] * (rest // size)
        rest %= size
    if not 0 < number < 4000:
        return None
    wanted = " + ".join(str(_NUMERALS[sign]) for sign in signs)
    return Problem("roman", wanted, wanted, told=f"{number} is {''.join(signs)} in Roman numerals.")


def _from_roman(letters: str) -> Problem | None:
    """The number of well-formed numerals alone."""
    sizes = [_NUMERALS[letter] for letter in letters]
    number = sum(-one if one < behind else one for one, behind in zip(sizes, [*sizes[1:], 0], strict=True))
    roman = _in_roman(number)
    if roman is None or not roman.told.startswith(f"{number} is {letters} "):
        return None
    return Problem("roman", roman.expression, roman.called, told=f"{letters} is {number}.")


_ORDERING = r"arrang|order|line up|in a row|finish"


def _ordered(several: int, things: str) -> Problem | None:
    if not 1 < several <= _MOST_ORDERED:
        return None
    told = f"{several} {things} can be put in order in {{figure}} ways."
    return Problem("orders", f"factorial({several})", f"{several}!", told=told)


def _to_base(digits: str, base: int, language: Language) -> Problem | None:
    number, found = int(digits), ""
    if base == _BASES["decimal"]:
        return None
    while number:
        number, digit = divmod(number, base)
        found = "0123456789ABCDEF"[digit] + found
    return _spelled(found or "0", base, digits, found or "0", language)


def _from_base(digits: str, base: int, language: Language) -> Problem | None:
    if len(digits) > _MOST_DIGITS or any(int(digit, 16) >= base for digit in digits):
        return None
    return _spelled(digits.upper(), base, digits.upper(), str(int(digits, base)), language)


def _spelled(digits: str, base: int, given: str, told: str, language: Language) -> Problem:
    """The digits to ``base`` each times its power, which is the number in decimal."""
    power = len(digits) - 1
    wanted = " + ".join(f"{int(one, 16)} * {base}^{power - place}" for place, one in enumerate(digits) if one != "0")
    names, ends = _NAMES[base], given == digits
    english = f"{given} in {names[0]} is {told} in decimal." if ends else f"{given} is {told} in {names[0]}."
    japanese = f"{names[1]}の{given}は10進数で{told}です。" if ends else f"{given}は{names[1]}で{told}です。"
    return Problem("base", wanted or "0", wanted or "0", told=either(language, english, japanese))
