"""The words of sums, English and Japanese, as tokens for the grammar. A new word is a new line here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.text.quantities.measures import CURRENCIES, measure_of
from agent.text.quantities.number_words import SMALL, number_at, tenths
from agent.text.sums.terms import Term, number
from agent.text.sums.value_words import Language

Kind = Literal[
    "number",
    "constant",
    "percent",
    "of",
    "infix",
    "prefix",
    "postfix",
    "list",
    "function",
    "open",
    "close",
    "and",
    "skip",
]


@dataclass(frozen=True, slots=True)
class Token:
    """``spoken``: written in words, so that how far it reaches may be unclear. ``parts`` are further parts."""

    kind: Kind
    form: str = ""
    parts: tuple[Term, ...] = ()
    spoken: bool = True


_SYMBOLS: tuple[tuple[str, Kind, str], ...] = (
    (r"\+", "infix", "add"),
    (r"-", "infix", "subtract"),
    (r"\*\*|\^", "infix", "power"),
    (r"[*×]", "infix", "multiply"),
    (r"[/÷]", "infix", "divide"),
    (r"√", "prefix", "square_root"),
    (r"!", "postfix", "factorial"),
    (r"\(", "open", ""),
    (r"\)", "close", ""),
    (r"sqrt(?= ?\()", "function", "square_root"),
    (r"cbrt(?= ?\()", "function", "cube_root"),
    (r"factorial(?= ?\()", "function", "factorial"),
    (r"(?:abs|floor|ceil|ln|log10|log2|exp|sin|cos|tan|max|min|gcd|mean)(?= ?\()", "function", ""),
    (r"pi\b|π|円周率", "constant", "pi"),
    (r"e(?= ?[-+*/^)]|$)", "constant", "e"),
    (r"°|degrees?\b", "postfix", "degrees"),
)
_NAMES = {"abs": "absolute"}

_GREATEST = r"(?:greatest|highest) common (?:divisor|factor) of|gcd of|hcf of"
_ENGLISH: tuple[tuple[str, Kind, str], ...] = (
    (r"plus\b", "infix", "add"),
    (r"(?:minus|negative)\b", "infix", "subtract"),
    (r"(?:times|multiplied by)\b|(?<!\b0)x(?= ?[\d(])", "infix", "multiply"),
    (r"(?:divided by|over)\b", "infix", "divide"),
    (r"(?:raised )?to the power(?: of)?\b|raised to(?! the)\b", "infix", "power"),
    (r"square root of\b|sqrt(?: of)?\b", "prefix", "square_root"),
    (r"(?:cube|cubic|third) root of\b", "prefix", "cube_root"),
    (r"fourth root of\b", "prefix", "fourth_root"),
    (r"square of\b", "prefix", "square"),
    (r"cube of\b", "prefix", "cube"),
    (r"factorial of\b", "prefix", "factorial"),
    (r"absolute value of\b", "prefix", "absolute"),
    (r"reciprocal of\b", "prefix", "reciprocal"),
    (r"sine?(?: of)?\b", "prefix", "sin"),
    (r"cos(?:ine)?(?: of)?\b", "prefix", "cos"),
    (r"tan(?:gent)?(?: of)?\b", "prefix", "tan"),
    (r"natural log(?:arithm)? of\b", "prefix", "ln"),
    (r"half(?: of)?\b", "prefix", "half"),
    (r"(?:double|twice)(?: of)?\b", "prefix", "double"),
    (r"triple(?: of)?\b|thrice\b", "prefix", "triple"),
    (r"squared\b", "postfix", "square"),
    (r"cubed\b", "postfix", "cube"),
    (r"doubled\b", "postfix", "double"),
    (r"tripled\b", "postfix", "triple"),
    (r"halved\b", "postfix", "half"),
    (r"factorial\b", "postfix", "factorial"),
    (r"difference (?:between|of)\b", "list", "difference"),
    (r"product of\b", "list", "product"),
    (r"(?:sum|total) of\b", "list", "sum"),
    (r"(?:average|mean|arithmetic mean)(?: value)?(?: of)?\b", "list", "mean"),
    (r"(?:largest|biggest|greatest|highest|maximum|max)(?: number| value)? of\b", "list", "max"),
    (r"(?:smallest|lowest|least|minimum|min)(?: number| value)? of\b", "list", "min"),
    (rf"(?:{_GREATEST})\b", "list", "gcd"),
    (r"(?:least|lowest) common multiple of\b|lcm of\b", "list", "lcm"),
    (r"of\b", "of", ""),
    (r", and\b|,|and\b", "and", ""),
    (r"the number(?=s? )s?\b|the\b|numbers\b", "skip", ""),
)
_JAPANESE: tuple[tuple[str, Kind, str], ...] = (
    (r"足す|たす|プラス", "infix", "add"),
    (r"引く|ひく|マイナス", "infix", "subtract"),
    (r"掛ける|かける|(?<!\b0)x(?= ?[\d(])", "infix", "multiply"),
    (r"割る|わる", "infix", "divide"),
    (r"ルート", "prefix", "square_root"),
    (r"の?(?:平方根|二乗根|2乗根|ルート)", "postfix", "square_root"),
    (r"の?(?:立方根|三乗根|3乗根)", "postfix", "cube_root"),
    (r"の?(?:二乗|2乗|自乗|平方)", "postfix", "square"),
    (r"の?(?:三乗|3乗|立方)", "postfix", "cube"),
    (r"の?階乗", "postfix", "factorial"),
    (r"の?絶対値", "postfix", "absolute"),
    (r"の?逆数", "postfix", "reciprocal"),
    (r"の?半分", "postfix", "half"),
    (r"の(?:2倍|二倍)", "postfix", "double"),
    (r"の(?:3倍|三倍)", "postfix", "triple"),
    (r"と|、|,", "and", ""),
)
_WORDS: dict[str, list[tuple[re.Pattern[str], Kind, str]]] = {
    "en": [(re.compile(pattern), kind, form) for pattern, kind, form in (*_SYMBOLS, *_ENGLISH)],
    "ja": [(re.compile(pattern), kind, form) for pattern, kind, form in (*_SYMBOLS, *_JAPANESE)],
}
LIST_ENDINGS = {
    "合計": "sum", "和": "sum", "平均": "mean", "平均値": "mean", "積": "product", "差": "difference",
    "最大値": "max", "最小値": "min", "最大公約数": "gcd", "最小公倍数": "lcm",
}  # fmt: skip

_PERCENT = re.compile(r" ?(?:%|percent\b|per cent\b|パーセント)")
_ORDINAL = re.compile(r"to the (\w+?)(?:st|nd|rd|th)?(?: power)?(?= |$)")
_ORDINALS = {
    "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8",
    "ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12",
}  # fmt: skip
_FRACTION = re.compile(r"(\w+) (thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?) of\b")
_FIGURES_OF = re.compile(r"(?<![/*^\d.] )(?<![/*^\d.])([1-9]\d*) ?/ ?([1-9]\d*) of\b")
_PARTS = {**_ORDINALS, "quarter": "4"}
_JAPANESE_FRACTION = re.compile(r"の([\d〇一二三四五六七八九十百]+)分の([\d〇一二三四五六七八九十百]+)")
_JAPANESE_PARAMETER = re.compile(r"の(.+?)(乗|倍|%|パーセント|割)(?!\w*[引オ])")
_SYMBOL_CURRENCY = re.compile(r"[$€£¥] ?(?=\d|\.\d)")
_UNIT_AFTER = re.compile(
    r" ?((?:square|cubic|nautical|metric|US(?: fluid)?) \w+|[^\W\d_]+(?:\^[23]|/[a-z]+)?|°[CFcf]|[$€£¥](?! ?\d))"
)
_DATE_LIKE = re.compile(r"\d{4}-\d{1,2}-\d|\d{1,2}/\d{1,2}/\d|\d{3}-\d{4}$|\d-\d+-\d")
_AND_IN_NUMBER = re.compile(r"\b(?:hundred|thousand|million|billion|trillion) and\b|and a half\b")
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
        if token[0].kind != "skip":
            found.append(token[0])
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
            word = match[0]
            if kind == "constant":
                return Token("number", parts=(Term(form),)), match.end()
            spoken = word[-1].isalnum() and kind != "function" and form != "degrees"
            return Token(kind, form or _NAMES.get(word, word), spoken=spoken), match.end()
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
