"""The tokens of a story: quantities with what they are of, and the words between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from agent.text.quantities.number_words import number_at
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS: dict[str, Any] = word_table(__file__, "story_words.toml")
MONEY, PERCENT = frozenset({"@money"}), frozenset({"@percent"})
# Items of all kinds, and "how many" of what is not said.
ANY, COUNTED = frozenset({"@any"}), frozenset({"@counted"})
STOP = frozenset(WORDS["stop"])
_KINDS = ("length", "time", "month", "mass", "volume", "area", "data")
_MOST_NOUN_WORDS = 3
_TOKEN = regex(r"[a-z]+(?:['-][a-z]+)*|[,.;:?!()/@]|\S")
_CURRENCY = regex(r"([$€£¥]) ?(?=\d)")
_MONEY_AFTER = regex(r" ?(€|£|\$|(?:euros?|eur|dollars?|usd|bucks|quid|gbp)\b)")
_CENTS_AFTER = regex(r" ?(?:cents?|ct|pence)\b")
_PERCENT_AFTER = regex(r" ?(?:%|percent\b|per cent\b|pct\b)")
_UNIT = regex(
    r"[ -]?((?:square |cubic )?[a-z]+(?:\^[23]|²|³)?)"
    r"(?:(?:/| an? | per )(h|hour|km|day|minute|min|second|s|week|month|year)\b)?"
)
_NOUN_WORD = regex(r"[ -]([a-z]+(?:-[a-z]+)*)(?![\w'])")
# "Two thirds of the", "1 in 5 of the", "3/4 of": a share, as a percentage is.
_SHARE = regex(
    r"(?:(?P<half>half)"
    r"|(?P<n>an?|one|two|three|four|five|seven|\d{1,3}) (?P<part>third|quarter|fifth|sixth|eighth|tenth)s?"
    r"|(?P<some>\d{1,3})(?: ?/ ?| in every | in )(?P<all>\d{1,3})) "
    r"(?=of (?:the |my |our |his |her |their |them\b|these\b|those\b|all |\d))"
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_HALF = regex(r"half an? (?=[a-z])")
_NO_UNIT = frozenset(["in", "a", "at", "is", "to", "as", "an", "of", "so", "or", "c", "f", "g's", "d", "b"])
_SIGNS = {"euro": "€", "eur": "€", "dollar": "$", "usd": "$", "buck": "$", "quid": "£", "gbp": "£"}
_PLURALS = (
    ("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("uses", "us"), ("sses", "ss"), ("ss", "ss"),
    ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
_IRREGULAR = {
    "people": "person", "children": "child", "kids": "child", "men": "man", "women": "woman", "loaves": "loaf",
    "shelves": "shelf", "knives": "knife", "persons": "person", "mice": "mouse", "feet": "foot",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """So much of ``names`` (stems of a thing, "@money", "@percent", "@" and the kind of a measure; none: any), in
    ``unit``; ``by`` so much of something else. ``role`` is what is done with it, "" for what there is.
    """

    amount: Fraction
    names: frozenset[str]
    unit: str = ""
    measure: Measure | None = None
    by: Part | None = None
    role: str = ""
    sentence: int = 0


Token = Part | str


def stem(word: str) -> str:
    """The singular of a noun, so that both forms are the same thing."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for end, form in _PLURALS:
        if word.endswith(end) and len(word) > len(end):
            return word[: -len(end)] + form
    return word


def one_of(word: str) -> Part | None:
    """One of the unit or the thing that ``word`` names."""
    if measure := unit_named(word):
        return Part(Fraction(1), frozenset({f"@{measure.kind}"}), measure.name, measure)
    return Part(Fraction(1), frozenset({stem(word)})) if word.isalpha() and word not in STOP else None


def unit_named(word: str) -> Measure | None:
    meanings = () if word in _NO_UNIT else measure_of(word)
    return meanings[0] if len(meanings) == 1 and meanings[0].kind in _KINDS else None


def tokens(text: str) -> list[Token]:
    """Those of ``text``, which is in small letters; none where a sign in it is no word."""
    found: list[Token] = []
    position, sentence = 0, 0
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif read := _quantity(text, position, sentence):
            part, position = read
            if text[position : position + 1].isalpha():
                return []  # 3.2k
            found.append(part)
        else:
            word = _TOKEN.match(text, position)
            if word is None:
                return []
            sentence += word[0] in ".?!;"
            found.append(word[0])
            position = word.end()
    return _joined(found)


def _quantity(text: str, start: int, sentence: int) -> tuple[Part, int] | None:
    if start and (text[start - 1].isalnum() or text[start - 1] in ".,-"):
        return None
    if share := _share(text, start, sentence):
        return share
    sign, half = _CURRENCY.match(text, start), _HALF.match(text, start)
    read = ("0.5", half.end()) if half else number_at(text, sign.end() if sign else start, "en")
    if read is None or re.match(r"one\b", text[start:]):
        return None
    amount, end = Fraction(read[0]), read[1]
    if text[end : end + 6] == " dozen":
        amount, end = amount * 12, end + 6
    if sign:
        return Part(amount, MONEY, sign[1], sentence=sentence), end
    return _of_what(Part(amount, frozenset(), sentence=sentence), text, end)


def _share(text: str, start: int, sentence: int) -> tuple[Part, int] | None:
    found = _SHARE.match(text, start)
    if found is None:
        return None
    some = found["some"] or found["n"] or "1"
    number = ("1", 0) if some in ("a", "an") else number_at(some, 0, "en")
    below = int(found["all"]) if found["all"] else _PARTS.get(found["part"] or "", 2)
    if number is None or Fraction(number[0]) >= below:
        return None
    return Part(Fraction(number[0]) / below * 100, PERCENT, sentence=sentence), found.end() - 1


def _of_what(bare: Part, text: str, end: int) -> tuple[Part, int]:
    if percent := _PERCENT_AFTER.match(text, end):
        return replace(bare, names=PERCENT, unit="%"), percent.end()
    if money := _MONEY_AFTER.match(text, end):
        return replace(bare, names=MONEY, unit=_SIGNS.get(money[1].rstrip("s"), money[1])), money.end()
    if cents := _CENTS_AFTER.match(text, end):
        return replace(bare, names=MONEY, amount=bare.amount / 100), cents.end()
    unit = _UNIT.match(text, end)
    measure = unit_named(unit[1]) if unit else None
    if unit and measure:
        part = replace(bare, names=frozenset({f"@{measure.kind}"}), unit=measure.name, measure=measure)
        by = one_of(unit[2]) if unit[2] else None
        return (replace(part, by=by), unit.end()) if by else (part, unit.end(1))
    names, end = noun(text, end)
    return replace(bare, names=names), end


def noun(text: str, start: int) -> tuple[frozenset[str], int]:
    """The stems of the words behind a number, up to one that names no thing: "3 exercise books", not "3 fly away"."""
    names: list[str] = []
    end = start
    while len(names) < _MOST_NOUN_WORDS and (word := _NOUN_WORD.match(text, end)):
        plural = not names and word[1].endswith("s") and word[1] not in WORDS["never_nouns"]
        if (word[1] in STOP or number_at(word[1], 0, "en")) and not plural:
            break
        names.append(stem(word[1]))
        end = word.end()
    return frozenset(names), end


def _joined(found: list[Token]) -> list[Token]:
    """ "4 hours and 30 minutes" is one length."""
    joined: list[Token] = []
    for token in found:
        last = joined[-2] if len(joined) > 1 and joined[-1] == "and" else joined[-1] if joined else None
        if isinstance(token, Part) and isinstance(last, Part) and (whole := _with_smaller(last, token)):
            while joined[-1] is not last:
                joined.pop()
            joined[-1] = whole
        else:
            joined.append(token)
    return joined


def _with_smaller(large: Part, small: Part) -> Part | None:
    if not (large.measure and small.measure) or large.names != small.names or large.by or small.by:
        return None
    ratio = small.measure.size / large.measure.size
    return replace(large, amount=large.amount + small.amount * ratio) if ratio < 1 else None
