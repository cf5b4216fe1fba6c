"""What a word says: its stem without accents, a number as its digits, Han and kana by two, Hangul by its first two."""

from __future__ import annotations

from collections.abc import Container

from agent.text.characters import folded
from agent.text.regex import regex

STEM = 6
HAN = regex(r"[\u3040-\u30ff\u3400-\u9fff々]")
_HANGUL = regex(r"[\uac00-\ud7af]")
_ALIKE = {
    "men": "male",
    "man": "male",
    "women": "female",  # "25 women" of a column "Female"
    "woman": "female",
    "won": "win",  # "won 25 times" of a column "Wins"
}
_ROWS_COUNTED = regex("行[でのがをは]?$")  # behind a figure: "の9行で"
# What Japanese says of columns that a query of ours has named in English: "rows_used", "total_price"; and of weekdays.
_SAID_BY = {
    "行数": "row", "件数": "row", "合計": "total", "平均": "averag",
    **{f"{sign}曜": f"weekday {number}" for number, sign in enumerate("月火水木金土日", 1)},
}  # fmt: skip


def plain_number(word: str) -> str:
    """A number in digits, as one writes it: "1,020.50" as "1020.5"."""
    number = word.replace(",", "").rstrip(".")
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number


def stems_of(word: str, small: Container[str]) -> tuple[str, ...]:
    """The stems of a word in lower case; none of one that is ``small`` or of a single letter."""
    if word[0].isdigit():
        return (plain_number(word),)
    if HAN.match(word):
        word = f"行数{word[1:]}" if _ROWS_COUNTED.match(word) else word
        pairs = [word[index : index + 2] for index in range(len(word) - 1)] or [word]
        return (*pairs, *(_SAID_BY[pair] for pair in pairs if pair in _SAID_BY))
    if _HANGUL.match(word):
        return (word[:2],)
    word = _ALIKE.get(word, word)
    return (folded(word).removesuffix("s")[:STEM],) if word not in small and len(word) > 1 else ()
