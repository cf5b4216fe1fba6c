"""What the words and numbers of a text or a cell say, to compare the words of a sentence with those of a table."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from agent.evidence.tables.stems import plain_number, stems_of
from agent.text.quantities.claim_words import MONTHS, STARTERS, STOP, WEEKDAYS
from agent.text.quantities.day_mentions import Day
from agent.text.regex import regex

TOKEN = regex(r"[^\W\d_]+|[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T ][0-9:.]{5,15})?)?(?![0-9-])|[0-9]+(?:[.,:][0-9]+)*|%")
CODE = regex(r"(?<![\w.,])[0-9]{1,3}[A-Za-z](?!\w)")  # of a class or a flat: "7a"
_LONGEST_CODE = 4  # characters
_NUMBER = regex(r"[0-9]+(?:[.,:][0-9]+)*\Z")
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_MIXED = regex(rf"([^\W\d_{_CJK}]{{3,}})([{_CJK}].*)")  # "Oslo" of "Osloでは"
LONG_WORD = regex(r"[^\W\d_]{4,}|[\u30a0-\u30ff\u3400-\u9fff]{2,}")
_MOST_TOKENS = 60
_SHORT = 200  # characters of a text whose words are all read at once
_LETTERS = frozenset("bcefghjklnopqruvwxyz")  # "Store B"; others are words, or what is left of them ("it's")
_OF_ROWS = frozenset(("other", "low", "men", "gdp", "usa"))  # small words that rows are often called
_NULL = frozenset(("null", "empty", "空"))  # what a query writes for no value, and what people read for it
_SHORT_DAY = 5  # letters of "thurs"
_NO_MONTHS = ("may", "march")  # in small letters
_SMALL = (STOP | {word for word in STARTERS if len(word) <= 3}) - _OF_ROWS


def tokens(lower: str, most: int = _MOST_TOKENS) -> frozenset[str]:
    """What a text in lower case says: stems of its words, its numbers as figures, pairs of Han and kana."""
    if lower.isalpha():
        return _NULL if lower == "null" else stems_in(lower)
    if _NUMBER.match(lower) is not None:  # most cells of a table
        return frozenset((plain_number(lower),))
    if len(lower) <= _LONGEST_CODE and CODE.fullmatch(lower) is not None:
        return frozenset((lower,))
    found: set[str] = set()
    for word in TOKEN.findall(lower) if len(lower) < _SHORT else (match[0] for match in TOKEN.finditer(lower)):
        found.update(stems_in(word))
        if len(found) >= most:
            break
    return frozenset(found)


_IN_CAPITALS = regex(r"[A-Z]{1,4}\Z")
_ARTICLE = regex(r"[AI] [a-z]")


def in_capitals(text: str, start: int, end: int) -> frozenset[str]:
    """A word in capitals that is none in small letters, but a name: "IT", "OR", the "A" of "Dept A"."""
    named = _IN_CAPITALS.match(text, start, end) is not None and _ARTICLE.match(text, start) is None
    return frozenset((text[start:end].lower(),)) if named else frozenset()


def token_places(text: str) -> list[tuple[int, int, frozenset[str]]]:
    """Where each word or number of a text stands, with what it says."""
    found: list[tuple[int, int, frozenset[str]]] = []
    for match in TOKEN.finditer(text):
        of_month = text[match.end() : match.end() + 1] in ("月", "월") and match[0].isdigit()
        words = frozenset((f"month {int(match[0])}",)) if of_month else stems_in(match[0].lower())
        words = words or in_capitals(text, *match.span())
        if words and match[0] not in _NO_MONTHS:
            found.append((*match.span(), words))
    codes = {match.start(): match for match in CODE.finditer(text)}
    if codes:
        inside = {place for match in codes.values() for place in range(*match.span())}
        found = [one for one in found if one[0] not in inside]
        found += [(*match.span(), frozenset((match[0].lower(),))) for match in codes.values()]
    return found


def beginnings(word: str) -> list[str]:
    """A word; of one in Chinese characters what it begins with, too: 新潟 of 新潟コシヒカリ."""
    return [word, *(word[:size] for size in range(len(word) - 1, 1, -1))] if word[0] >= "\u3000" else [word]


def stems_in(word: str) -> frozenset[str]:
    """What a word or a number says; those of words are kept, numbers are many and different."""
    if word[0].isdigit() and word[4:5] != "-":
        return frozenset((plain_number(word),))
    return _stems_kept(word)


def words_of_day(day: Day) -> frozenset[str]:
    """What a cell says that is a day, however it is written: the day, its number, its weekday; in both readings."""
    if day.day is None:
        return frozenset()
    said = {f"weekday {day.weekday}"} if day.weekday is not None else set[str]()
    for month, number in ((day.month, day.day), *([day.other] if day.other else [])):
        said.add(f"day {number}")
        if month is not None:
            said |= {f"month {month}", f"{month:02}-{number:02}"}
        if month is not None and day.year is not None:
            whole = date(day.year, month, number)
            said |= {*stems_in(whole.isoformat()), f"weekday {whole.isoweekday()}"}
    return frozenset(said)


def words_of_said_day(day: Day, year: int | None) -> frozenset[str]:
    """What a sentence says of the day that it means: in its ``year``, where that is known."""
    if day.day is None or day.month is None:
        return frozenset((f"day {day.day}", f"weekday {day.weekday}")) if day.day is not None else frozenset()
    if year is not None:
        return stems_in(f"{year}-{day.month:02}-{day.day:02}")
    return frozenset((f"month {day.month}", f"{day.month:02}-{day.day:02}"))


@lru_cache(maxsize=4_096)
def _stems_kept(word: str) -> frozenset[str]:
    return frozenset(_stems(word))


def _stems(word: str) -> tuple[str, ...]:
    if word == "%":
        return ("percen",)
    if word in MONTHS:
        return (f"month {MONTHS[word]}",)
    if (day := WEEKDAYS.get(word)) is not None:
        return (f"weekday {day}",) if len(word) > _SHORT_DAY else (word, f"weekday {day}")
    if word in _LETTERS:
        return (word,)
    if word[4:5] == "-":  # a day or a month: the year, the month, the day
        month = f"month {int(word[5:7])}"
        return (word[:4], word[:7], month, word[:10]) if len(word) > 7 else (word[:4], word[:7], month)
    if not word.isascii() and (parts := _MIXED.fullmatch(word)) is not None:
        return (*_stems(parts[1]), *_stems(parts[2]))
    return stems_of(word, _SMALL)
