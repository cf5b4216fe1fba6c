"""Notation into tokens: words, LaTeX, superscripts, full-width forms and currency signs into one small alphabet.

What is not understood becomes a token of kind ``unknown``, so that the grammar can name the first one. Every pass is
linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from agent.text.regex import regex
from agent.text.word_tables import word_table
from agent.tools.calculator.exact import LARGEST_DIGITS, PLAIN_DIGITS, Number, too_large
from agent.tools.calculator.functions import FUNCTIONS


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` is canonical (``*`` for ×, ``pi`` for π); ``value`` is set for numbers, superscripts and scale words.

    ``groups`` marks a comma in a function that stands as one between thousands does: 1,234 but not 1, 234. It is the
    number around it.
    """

    kind: Literal["number", "name", "symbol", "power", "scale", "filler", "unknown", "end"]
    text: str
    value: Number = Fraction(0)
    groups: str = ""


_NOTATION: dict[str, dict[str, str]] = word_table(__file__, "notation.toml")
_CHARACTERS = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    | {sign: to for to, signs in _NOTATION["characters"].items() for sign in signs}
)
# Separators of thousands that can be nothing else: thin and no-break spaces, \, and {,} of LaTeX, ' and _ .
_GROUPS = regex(r"(?<=[0-9])(?:\\,|\{,\}|\\_|['_\u00a0\u2009\u202f])(?=[0-9]{3}(?![0-9]))")
_SPACED = regex(r"\\[,;: ]")  # LaTeX's own spaces; also what is left of an escaped currency sign
_ESCAPED = regex(r"\\([*_%$(){}\[\]+\-.=!^#/|<>])")
_COMMANDS = {name: to for to, names in _NOTATION["commands"].items() for name in names.split()}
_WORDS = {word: to for to, words in _NOTATION["words"].items() for word in words.split("|")}
_SCALES = {word: 10 ** int(power) for power, words in _NOTATION["scales"].items() for word in words.split()}
_PARTS = _NOTATION["parts"]
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SYMBOLS = frozenset({*"+-*/^!°|=<>", "**", "<=", ">=", "!=", "\\frac", "\\sqrt", "\\binom"})  # of _COMMANDS, _WORDS

_PHRASES = "|".join(re.escape(word).replace("\\ ", r"\s+") for word in sorted(_WORDS, key=len, reverse=True))
_LETTER = r"[^\W\d_⁰¹²³⁴-⁹½⅓⅔¼¾⅕-⅞]"
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
_PLAIN = r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def _pattern(number: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?P<space>\s+|(?:math|np|numpy)\.(?=[a-z])|(?:euros?|dollars?|rupees?|yen)(?!{_LETTER}))
        |(?P<unknown>0[xXbBoO][0-9a-fA-F]+)
        |(?P<mixed>[0-9]*[½⅓⅔¼¾⅕-⅞])
        |(?P<number>{number})
        |(?P<power>[⁺⁻]?[⁰¹²³⁴-⁹]+)
        |(?P<degree>\^\s*(?:°|\\circ\b|\{{\s*\\circ\s*\}}))
        |\\{{1,2}}(?P<command>[A-Za-z]+)
        |(?P<phrase>(?:{_PHRASES})(?!{_LETTER}))
        |(?P<name>log(?:10|2)(?![0-9])|atan2|{_LETTER}+)
        |(?P<symbol>\*\*|//|<=|>=|==|!=|[-+*/^%!°()\[\]{{}},|<>=_√∛∜])
        |(?P<other>.)""",
        re.VERBOSE | re.IGNORECASE | re.DOTALL,
    )


_THOUSANDS = regex(rf"(?<![0-9.]){_GROUPED}")
_OUTSIDE = _pattern(f"{_GROUPED}|{_PLAIN}")
_INSIDE_A_CALL = _pattern(_PLAIN)


def tokens(text: str) -> list[Token]:
    """The tokens of ``text``, the last of kind ``end``; a closing ``= ?`` and a leading "what is" are left out."""
    text = _SPACED.sub(" ", _GROUPS.sub("", text.translate(_CHARACTERS)))
    text = _ESCAPED.sub(r"\1", text)
    text = text.strip("= \t\r\n").rstrip("=? \t\r\n.:")
    grouped = {
        match.start() + place: match[0]
        for match in _THOUSANDS.finditer(text)
        for place, character in enumerate(match[0])
        if character == ","
    }
    found: list[Token] = []
    calls = depth = position = 0  # ``calls``: the bracket depth at which the outermost call began, 0 outside
    while position < len(text):
        match = (_INSIDE_A_CALL if calls else _OUTSIDE).match(text, position)
        assert match is not None  # the last alternative takes any character
        position = match.end()
        token = _token(match)
        if calls and match.start() in grouped:
            token = Token("symbol", ",", groups=grouped[match.start()])
        if token is None or (token.kind == "filler" and not found):
            continue
        if token.text in ("(", "[", "{"):
            depth += 1
            if not calls and token.text == "(" and found and found[-1].text in FUNCTIONS:
                calls = depth
        elif token.text in (")", "]", "}"):
            calls = 0 if depth == calls else calls
            depth -= 1
        found.append(token)
    return [*found, Token("end", "")]


def _token(match: re.Match[str]) -> Token | None:
    """The token of one match; None where there is nothing to say (a space, ``\\left``)."""
    text = match.group(match.lastgroup or 0)
    match match.lastgroup:
        case "number":
            return Token("number", text, _number(text.replace(",", "").replace("_", "")))
        case "mixed":
            return Token("number", text, Fraction(Decimal(text[:-1] or "0")) + Fraction(_PARTS[text[-1]]))
        case "power":
            return Token("power", text, _number(text.translate(_SUPERSCRIPTS)))
        case "command":
            return _command(text)
        case "phrase":
            return _word(" ".join(text.lower().split()))
        case "name":
            return _name(text)
        case "degree":
            return Token("symbol", "°")
        case "symbol":
            return Token("symbol", text)
        case "space":
            return None
        case _:
            return Token("unknown", text)


def _command(text: str) -> Token | None:
    if text in _COMMANDS:
        return _canonical(_COMMANDS[text]) if _COMMANDS[text] else None
    return Token("name", text) if text in FUNCTIONS else Token("unknown", text)


def _word(text: str) -> Token:
    canonical = _WORDS[text]
    return _canonical(canonical) if canonical else Token("filler", text)


def _canonical(text: str) -> Token:
    if text in _SYMBOLS:
        return Token("symbol", text)
    if text in ("²", "³"):
        return Token("power", text, Fraction(2 if text == "²" else 3))
    return Token("name", text)


def _name(text: str) -> Token:
    name = text.lower()
    if name in _SCALES:
        return Token("scale", name, Fraction(_SCALES[name]))
    if name == "half":
        return Token("number", name, Fraction(1, 2))
    return Token("name", name)


def _number(text: str) -> Number:
    """Exact, but for scientific notation from 10**21 on: those are measurements, and stay in that notation."""
    exponent = text.lower().partition("e")[2]
    if len(exponent) > 6 or abs(int(exponent or "0")) > LARGEST_DIGITS - 1_000:
        raise too_large(float("inf"))
    value = Decimal(text)
    if exponent and value and value.adjusted() >= PLAIN_DIGITS:
        return value
    return Fraction(value)
