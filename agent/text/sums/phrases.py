"""A question in one form, without the words around what it asks, and figures as an answer shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Literal

from agent.text.plain import japanese
from agent.text.quantities.units import named
from agent.text.regex import regex

Language = Literal["en", "ja"]

_SIGNS = frozenset("$€£¥")
_CENTS = frozenset("$€£")
_GROUPED_FROM = 5  # digits before the point
_DIGITS = 6
_SMALLEST_PLAIN = -6
_LARGEST_ROUNDED = Decimal(10) ** 20


@dataclass(frozen=True, slots=True)
class Value:
    """A figure, as the calculator or a source wrote it, and the name of its unit ("" for a bare number).

    ``close``: the figure was told as "about" so much.
    """

    amount: str
    unit: str = ""
    close: bool = False


def either(language: Language, english: str, japanese: str) -> str:
    return japanese if language == "ja" else english


def sentence(text: str) -> str:
    """With a capital letter, unless it begins with a formula such as ``gcd(12, 18)`` or ``e^2``."""
    return text if re.match(r"[a-z0-9]+\(|e\b", text) else text[:1].upper() + text[1:]


def shown(value: Value, language: Language, grouped: bool = True) -> str:
    """A value in an answer, in a form that ``quantity`` and the grammar read again.

    ``grouped``: with commas between thousands, from five digits on, and from four where it has a unit: a bare figure of
    four may be a year.
    """
    amount, unit = value.amount, value.unit
    measure = named(unit)
    if unit in _CENTS and re.fullmatch(r"-?\d+\.\d", amount):
        amount += "0"
    is_amount = unit in _SIGNS or unit == "円" or measure is not None
    figure = _with_commas(amount, _GROUPED_FROM - is_amount) if grouped else amount
    if unit in _SIGNS:
        return f"-{unit}{figure[1:]}" if amount.startswith("-") else f"{unit}{figure}"
    if measure is None:
        return f"{figure}{unit}"
    if language == "ja":
        return f"{figure} {measure.ja}" if measure.ja.isascii() or measure.ja[0] == "°" else f"{figure}{measure.ja}"
    return f"{figure} {measure.one if amount == '1' else unit}"


def _with_commas(amount: str, least: int) -> str:
    whole, point, rest = amount.partition(".")
    if len(whole.lstrip("-")) < least or not whole.lstrip("-").isdigit():
        return amount
    return f"{Decimal(whole):,}{point}{rest}"


def measured(value: Value, language: Language) -> str:
    """A converted value to six digits or to the unit, "about" before it where some were cut off."""
    amount = Decimal(value.amount)
    places = max(_DIGITS - 1 - amount.adjusted(), 0)
    return _about(value, amount, places, language)


def stated(value: Value, language: Language, cents: bool = False) -> str:
    """As ``shown``, with money in cents and "about" before it where some of a cent was cut off.

    ``cents``: it is money without a sign.
    """
    money = cents or value.unit in _CENTS
    return _about(value, Decimal(value.amount), 2, language) if money else shown(value, language)


def _about(value: Value, amount: Decimal, places: int, language: Language) -> str:
    if abs(amount) >= _LARGEST_ROUNDED:
        return shown(value, language)
    rounded = amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP).normalize()
    if rounded == amount:
        return shown(value, language)
    if value.unit in _CENTS:
        rounded = rounded.quantize(Decimal("0.01"))
    text = f"{rounded:f}" if rounded.adjusted() >= _SMALLEST_PLAIN else f"{rounded:e}"
    about = "約" if language == "ja" else "about "
    return about + shown(Value(text, value.unit), language)


_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME = str.maketrans(
    {
        "\u3000": " ", "\u00a0": " ", "’": "'", "‘": "'", "−": "-", "–": "-", "·": "*", "²": "^2", "³": "^3", "℃": "°C",
        "℉": "°F", "º": "°",
    }
)  # fmt: skip
_APOSTROPHE = regex(r"\b(do|does|did|is|are|was|were|have|has|had|would|should|could)nt\b", re.I)
_HIRAGANA = regex(r"[ぁ-ん]")
_ENGLISH = regex(r"\b(?:the|what|which|how|is|are|of|in|by|for|and|show|list|plot|total|average|top)\b", re.I)
_CHINESE = regex(r"[的是吗么呢嗎麼]|多少|什")


def plain(text: str) -> str:
    """``text`` with one form for each wide letter, dash, apostrophe and blank; raised 2 and 3 become ``^2``, ``^3``.

    A sum in backticks or in LaTeX becomes a plain one.

    Deliberately not Unicode's NFKC, which turns "5²" into "52" and "1½" into "11⁄2".
    """
    text = re.sub(r"\s+", " ", text.translate(_WIDE).translate(_SAME)).strip()
    text = _APOSTROPHE.sub(r"\1n't", text)
    for pattern, form in _KANA:
        text = pattern.sub(form, text)
    text = _HALF_MORE.sub(lambda said: f"{_DIGITS_JA.get(said[1], said[1])}.5{said[2]}", text)
    if "\\" in text:
        for pattern, form in _LATEX:
            text = pattern.sub(form, text)
    return _QUOTED_SUM.sub(lambda match: match[1] or match[2], text)


# 「15%びき」「3わりまし」, but not 「3びき」, which counts animals.
_KANA = (
    (regex(r"(?<=\d)わり(?=[びひ]き|引|まし|増)"), "割"),
    (regex(r"(?<=[%割])[びひ]き"), "引き"),
    (regex(r"(?<=[%割])まし"), "増し"),
)
_DIGITS_JA = dict(zip("一二三四五六七八九", "123456789", strict=True))
# 「3合半」 and 「2杯半」 are 3.5 and 2.5 of them; hours and years with a half are read where lengths of time are.
_COUNTERS = (
    "人前|合|升|斤|杯|本|枚|玉|束|袋|缶|箱|皿|切れ|丁|畳|坪|周|倍|個|つ|カップ|パック|ダース|ページ|キロ(?:グラム|メートル)?"
    "|グラム|リットル|センチ(?:メートル)?|メートル|トン|マイル|kg|km|cm|m[Ll]|[gmlL]"
)
_HALF_MORE = regex(
    rf"(?<![\d.一二三四五六七八九十百])(\d+|[一二三四五六七八九]) ?({_COUNTERS})と?半"
    r"(?![額値年月日期数端径島袖焼熟])(?!分[にず])"
)
_LATEX = tuple(
    (regex(pattern), form)
    for pattern, form in (
        (r"\\(?:times|cdot)\b ?", "*"),
        (r"\\div\b ?", "/"),
        (r"\\pi\b", "pi"),
        (r"\\[dt]?frac ?\{([^{}]+)\} ?\{([^{}]+)\}", r"((\1)/(\2))"),
        (r"\\sqrt ?\{([^{}]+)\}", r"sqrt(\1)"),
        (r"\\([%$])", r"\1"),
    )
)
_SUM_INSIDE = r"(?=[^`$]*[+*/^!()-])([\d\s.,a-z()+*/^!=-]*)"
_QUOTED_SUM = regex(rf"`{_SUM_INSIDE}`|(?<![\d$])(?<!\d )\${_SUM_INSIDE}\$(?! ?[\d.$])")


def language_of(text: str) -> Language:
    if len(_ENGLISH.findall(text)) > 1 and not _HIRAGANA.search(text):
        # A name from a table in an English question.
        return "en"
    return "ja" if japanese(text) and not (_CHINESE.search(text) and not _HIRAGANA.search(text)) else "en"


_LEAD = regex(
    r"(?:(?:hey|hi|hello|ok|okay|so|please|now|well)\b[,!]? )*"
    r"(?:(?:can|could|would|will) (?:you|i) (?:please )?)?(?:please )?"
    r"(?:(?:do you know|i (?:want|need|would like)(?: to know)?|i'd like to know|help me|tell me|give me|show me|"
    r"let me know)"
    r"(?: please)? )?"
    r"(?:(?:calculate|compute|evaluate|work out|find out|find|solve|get) )?"
    r"(?:what(?:'s|s| is| are| was| were| would be| will be)?(?: (?:the result of|the value of|do you get (?:if|"
    r"when) you))? "
    r"|how much (?:is|are|was|would be) )?"
    r"(?:the (?:result|value) of )?",
    re.I,
)
_DOES = regex(r"(?:what|how much) (?:do|does) (.+?) (?:equal|make|come to|give)", re.I)
_END = regex(
    r"(?:[ ,]*(?:\?|\.(?!\d)|=|please|pls|plz|thanks|thank you|thx|for me|right now|is equal to"
    r"|equals?(?: to)?)){1,5}$",
    re.I,
)
_BARE_IS = regex(r" (?:is|are)$", re.I)
_JAPANESE_END = regex(
    r"(?:、?(?:\?|。|=|は|を|の値|の答え|いくつ|いくら|何|なに|ですか|でしょうか|になりますか|になる|なりますか|"
    r"です|だ|か"
    r"|(?:計算|変換|換算)?して(?:ください|くれますか|ほしい|下さい)?|計算すると|求めて(?:ください|下さい)?|"
    r"教えて(?:ください|下さい)?|知りたい)){1,6}$"
)


def core(text: str, language: Language) -> str:
    """The question without what makes it polite or a question; ``text`` is ``plain``."""
    if language == "ja":
        return _JAPANESE_END.sub("", text.strip()).strip()
    if does := _DOES.fullmatch(re.sub(r"[ ?.]+$", "", text)):
        return does[1]
    text = _END.sub("", text).strip()
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return _BARE_IS.sub("", rest) if lead and lead[0].lower().endswith("what ") else rest


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


def matches(patterns: Iterable[str], text: str) -> Iterator[dict[str, str]]:
    """The named groups of each pattern that fits the whole of ``text``, in any case; "" for a group left out."""
    for pattern in patterns:
        if match := _compiled(pattern).fullmatch(text):
            yield match.groupdict("")
