"""Sums as trees, and the words of sums as tokens for the grammar, English and Japanese.

A tree tells what the calculator is asked, how an answer names it, and which unit its value has. A new word is a new
line of ``sum_words.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.text.quantities.number_words import SMALL, number_at, tenths
from agent.text.quantities.units import CURRENCIES, Measure, measure_of, named
from agent.text.regex import regex
from agent.text.sums.phrases import Language, Value, shown
from agent.text.word_tables import word_table


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of term.

    ``expression`` is for the calculator; ``needs`` says how tightly each part must bind to stand there without
    brackets and ``binds`` how tightly the whole does (1 sum, 2 product, 3 sign, 4 power, 9 bracketed or a number).
    ``unit`` names the rule for units: ``same`` (all parts), ``first`` (the others are bare), ``product``,
    ``quotient``, ``bare``. ``english`` and ``japanese`` name the term in an answer, or "" for the expression itself.
    """

    expression: str
    needs: Sequence[int] = (0,)
    binds: int = 9
    unit: str = "bare"
    english: str = ""
    japanese: str = ""


# The forms of terms, and the words of sums.
TABLES: dict[str, Any] = word_table(__file__, "sum_words.toml")
FORMS = {name: Form(**form) for name, form in TABLES["forms"].items()}
LISTS = {"sum": " + ", "product": " * ", "mean": " + "} | dict.fromkeys(
    ("median", "deviation", "max", "min", "range", "gcd", "lcm"), ", "
)


@dataclass(frozen=True, slots=True)
class Term:
    """``form`` is a key of ``FORMS``, or ``number`` with its digits in ``text`` and perhaps a ``unit``.

    ``in``: its one part, a number, in another ``unit``; ``text`` is what the calculator makes of it.
    """

    form: str
    parts: tuple[Term, ...] = ()
    text: str = ""
    unit: str = ""


_POINTED = {"mean", "median", "max", "min"}  # of temperatures, too, these have a meaning


def number(text: str, unit: str = "") -> Term:
    return Term("number", (), text, unit)


def expression(term: Term) -> str:
    """The term in the calculator's language."""
    if term.form in {"number", "in"}:
        return term.text
    form = FORMS[term.form]
    if term.form in LISTS:
        if term.form == "deviation":
            squares = ", ".join(f"{_bracketed(part, 9)}^2" for part in term.parts)
            return form.expression.format(squares, ", ".join(map(expression, term.parts)))
        joined = LISTS[term.form].join(_bracketed(part, form.needs[0]) for part in term.parts)
        if term.form == "mean":
            return f"({joined}) / {len(term.parts)}"
        return form.expression.format(joined) if form.expression else joined
    return form.expression.format(*map(_bracketed, term.parts, form.needs))


def _bracketed(term: Term, needed: int) -> str:
    text = expression(term)
    return text if _binds(term) >= needed else f"({text})"


def _binds(term: Term) -> int:
    if term.form == "number":
        return 0 if term.text.startswith("-") else 9
    return FORMS[term.form].binds


def name(term: Term, language: Language) -> str:
    """The term as an answer calls it: "the square root of 25", "12 × 7"."""
    if term.form == "number":
        return shown(Value(term.text, term.unit), language)
    if term.form == "in":
        return name(term.parts[0], language)
    form = FORMS[term.form]
    template = form.japanese if language == "ja" else form.english
    if not template:
        return _symbols(term, language)
    parts = [_part_name(part, language) for part in term.parts]
    if term.form in LISTS:
        return template.format(_listed(parts, language))
    return template.format(*parts)


def _part_name(term: Term, language: Language) -> str:
    if term.form in {"number", "in"}:
        return name(term, language)
    text = _symbols(term, language)
    return text if _binds(term) == 9 else f"({text})"


def _listed(parts: list[str], language: Language) -> str:
    if language == "ja":
        return "と".join(parts)
    return ", ".join(parts[:-1]) + f" and {parts[-1]}"


def _symbols(term: Term, language: Language) -> str:
    """The expression in print: × for ``*``, ÷ for ``/``, and the units that were typed."""
    if term.form == "in":
        return name(term, language)
    signs = {"add": "+", "subtract": "-", "multiply": "×", "divide": "÷"}
    if sign := signs.get(term.form):
        needs = FORMS[term.form].needs
        sides = [_side(part, need, language) for part, need in zip(term.parts, needs, strict=True)]
        return f"{sides[0]} {sign} {sides[1]}"
    return expression(term).replace(" * ", " × ").replace(" / ", " ÷ ")


def _side(term: Term, needed: int, language: Language) -> str:
    text = name(term, language) if term.form == "number" else _symbols(term, language)
    return text if term.form == "in" or _binds(term) >= needed else f"({text})"


def unit(term: Term) -> str | None:
    """The unit of the term's value, "" for none; ``None`` where the units do not go together.

    Temperatures are measured from a freezing point, so doubling or adding them has no clear meaning: ``None``.
    """
    if term.form in {"number", "in"}:
        return term.unit
    parts = [unit(part) for part in term.parts]
    if any(part is None or (part and _is_temperature(part)) for part in parts) and not (
        term.form in _POINTED and all(part.form == "number" for part in term.parts)
    ):
        return None
    units = [part or "" for part in parts]
    return _combined(FORMS[term.form].unit, units)


def measures(term: Term) -> list[Measure | None]:
    """What each figure with a unit measures, in order; ``None`` for money."""
    if term.form == "number":
        return [named(term.unit)] if term.unit else []
    return [measure for part in term.parts for measure in measures(part)]


def _is_temperature(name: str) -> bool:
    measure = named(name)
    return measure is not None and measure.kind == "temperature"


def _combined(rule: str, units: list[str]) -> str | None:
    used = [unit for unit in units if unit]
    alike = len(set(units)) == 1
    match rule:
        case "same" if alike:
            return units[0]
        case "product" if len(used) <= 1:
            return "".join(used)
        case "quotient" if not units[1]:
            return units[0]
        case "quotient" if alike:
            return ""
        case "first" | "second" | "last" if len(used) <= 1:
            base = units[{"first": 0, "second": 1, "last": -1}[rule]]
            return base if bool(base) == bool(used) else None
        case "bare" if not used:
            return ""
        case _:
            return None


Kind = Literal[
    "number", "constant", "percent", "of", "infix", "prefix", "postfix", "list", "function", "open", "close", "and",
    "skip",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """``spoken``: written in words, so that how far it reaches may be unclear. ``parts`` are further parts."""

    kind: Kind
    form: str = ""
    parts: tuple[Term, ...] = ()
    spoken: bool = True


LIST_ENDINGS: dict[str, str] = TABLES["list_endings"]
_WORDS: dict[str, list[tuple[re.Pattern[str], Kind, str]]] = {
    language: [(regex(pattern), kind, form) for pattern, kind, form in (*TABLES["symbols"], *TABLES[words])]
    for language, words in (("en", "english"), ("ja", "japanese"))
}

_PERCENT = regex(r" ?(?:%|percent\b|per cent\b|パーセント)")
_ORDINAL = regex(r"to the (\w+?)(?:st|nd|rd|th)?(?: power)?(?= |$)")
_ORDINALS = {
    "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8",
    "ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12",
}  # fmt: skip
_ROOT = regex(r"(?:([4-9]|1\d|20)th|(fifth|sixth|seventh|eighth|ninth|tenth)) root of\b")
_FRACTION = regex(r"(\w+) (thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?) of\b")
_FIGURES_OF = regex(r"(?<![/*^\d.] )(?<![/*^\d.])([1-9]\d*) ?/ ?([1-9]\d*) of\b")
_PARTS = {**_ORDINALS, "quarter": "4"}
_JAPANESE_FRACTION = regex(r"の([\d〇一二三四五六七八九十百]+)分の([\d〇一二三四五六七八九十百]+)")
_JAPANESE_PARAMETER = regex(r"の(.+?)(乗|倍|%|パーセント|割)(?!\w*[引オ])")
_SYMBOL_CURRENCY = regex(r"[$€£¥] ?(?=\d|\.\d)")
_UNIT_AFTER = regex(
    r" ?((?:square|cubic|nautical|metric|US(?: fluid)?) \w+|[^\W\d_]+(?:\^[23]|/[a-z]+)?|°[CFcf]|[$€£¥](?! ?\d))"
)
_DATE_LIKE = regex(r"\d{4}-\d{1,2}-\d|\d{1,2}/\d{1,2}/\d|\d{3}-\d{4}$|\d-\d+-\d")
_AND_IN_NUMBER = regex(r"\b(?:hundred|thousand|million|billion|trillion) and\b|and a half\b")
_LONGEST = 400


def tokens(text: str, language: Language) -> list[Token] | None:
    """The tokens of ``text``, all of it; ``None`` where a piece of it is not known."""
    if len(text) > _LONGEST or _DATE_LIKE.search(text):
        return None
    typed, text = text, text if language == "ja" else text.lower()
    if len(typed) != len(text):
        return None
    found: list[Token] = []
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        token = _first(text, typed, position, language)
        if token is None:
            return None
        found += [token[0]] * (token[0].kind != "skip")
        position = token[1]
    listed = any(token.kind == "list" for token in found)
    return None if listed and _AND_IN_NUMBER.search(text) else found


def _first(text: str, typed: str, position: int, language: Language) -> tuple[Token, int] | None:
    if language == "ja":
        return (
            _number(text, typed, position, language)
            or _word(text, position, language)
            or _japanese_parameter(text, position)
        )
    return _parameter(text, position) or _number(text, typed, position, language) or _word(text, position, language)


def _word(text: str, position: int, language: Language) -> tuple[Token, int] | None:
    for pattern, kind, form in _WORDS[language]:
        if match := pattern.match(text, position):
            if kind == "constant":
                return Token("number", parts=(Term(form),)), match.end()
            word = match[0]
            spoken = word[-1].isalnum() and kind != "function" and form != "degrees"
            return Token(kind, form or word, spoken=spoken), match.end()
    return None


def _number(text: str, typed: str, position: int, language: Language) -> tuple[Token, int] | None:
    sign = _SYMBOL_CURRENCY.match(text, position)
    found = number_at(text, sign.end() if sign else position, language)
    if found is None:
        return None
    digits, end = found
    if not sign and (percent := _PERCENT.match(text, end)):
        return Token("percent", parts=(number(digits),)), percent.end()
    if sign:
        return Token("number", parts=(number(digits, sign[0].strip()),)), end
    unit, end = _unit(typed, end)
    return Token("number", parts=(number(digits, unit),)), end


def _unit(text: str, end: int) -> tuple[str, int]:
    """The unit that follows a figure: a currency's word or a measure of one meaning."""
    after = _UNIT_AFTER.match(text, end)
    word = after[1] if after else ""
    shortest = len(word) if word.isascii() else 1
    for length in range(len(word), shortest - 1, -1) if after else ():
        meanings = measure_of(word[:length])
        name = CURRENCIES.get(word[:length]) or (meanings[0].name if len(meanings) == 1 else "")
        if after and name:
            return name, after.start(1) + length
    return "", end


def _parameter(text: str, position: int) -> tuple[Token, int] | None:
    """A phrase with a figure inside: "to the 10th power", "two thirds of"."""
    if match := _ORDINAL.match(text, position):
        power = _ORDINALS.get(match[1]) or (match[1] if match[1].isdigit() else "")
        return (Token("postfix", "power", (number(power),)), match.end()) if power else None
    if match := _ROOT.match(text, position):
        return Token("prefix", "root", (number(match[1] or _ORDINALS[match[2]]),)), match.end()
    if match := _FIGURES_OF.match(text, position):
        return Token("prefix", "fraction", (number(match[1]), number(match[2]))), match.end()
    if match := _FRACTION.match(text, position):
        count = {"a": 1, "one": 1, **SMALL}.get(match[1])
        below = _PARTS[match[2].removesuffix("s")]
        return (Token("prefix", "fraction", (number(str(count)), number(below))), match.end()) if count else None
    return None


def _japanese_parameter(text: str, position: int) -> tuple[Token, int] | None:
    """A figure inside: の10乗, の8%, の3割, の三分の一."""
    if fraction := _JAPANESE_FRACTION.match(text, position):
        below, above = (number_at(part, 0, "ja") for part in fraction.groups())
        parts = (number(above[0]), number(below[0])) if above and below else ()
        return (Token("postfix", "fraction", parts), fraction.end()) if parts else None
    match = _JAPANESE_PARAMETER.match(text, position)
    found = number_at(match[1], 0, "ja") if match else None
    if match is None or found is None or found[1] != len(match[1]):
        return None
    digits, sign = found[0], match[2]
    if sign == "乗":
        return Token("postfix", "power", (number(digits),)), match.end()
    if sign == "倍":
        return Token("postfix", "multiply", (number(digits),)), match.end()
    return Token("postfix", "percent", (number(tenths(digits) if sign == "割" else digits),)), match.end()
