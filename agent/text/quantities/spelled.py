"""Numbers in words: English ones, and Chinese characters before a counter."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.text.quantities.claim_words import KANJI_DIGITS, KANJI_SCALES, ORDINALS, SCALES, SPELLED, TENS
from agent.text.quantities.numerals import LONGEST, kanji_number

_WORDS = "|".join(sorted((word for word in SPELLED if word not in TENS), key=len, reverse=True))
_TENS = "|".join(TENS)
_BIG = "hundred|thousand|million|billion|trillion"
_SPELLED = re.compile(rf"(?<![\w-])(?:(?:{_TENS})(?:[- ](?:{_WORDS}))?|{_WORDS}|{_TENS})(?![\w'])")
_TAIL = re.compile(rf"[- ](?:and[ ])?({_BIG}|(?:{_TENS})(?:-(?:{_WORDS}))?|{_WORDS}|{_TENS})(?![\w'])")
_SUPERLATIVE = (
    "largest|biggest|highest|tallest|longest|most|place|oldest|smallest|century|president|time|busiest|fastest"
)
_SPELLED_ORDINAL = re.compile(rf"(?<![\w-])({'|'.join(ORDINALS)})(?=[- ](?:{_SUPERLATIVE}))")
_KANJI = re.compile("[" + "".join(KANJI_DIGITS) + "".join(KANJI_SCALES) + "]+")
_COUNTERS = frozenset("人つ個回年件社本台円度時秒歳才倍割位名枚冊階店校種話巻週県市区町村か頭匹羽杯点番%カヶ")
_NO_NUMBER = ("六本木", "十分", "二度と", "千人力")
# The words that others start with ("six" for "sixteen", "four" for "forty" not) are enough to find them all.
_STARTS = tuple(word for word in SPELLED if not any(word != other and word.startswith(other) for other in SPELLED))


def spelled_numbers(lower: str) -> Iterable[tuple[int, int, int, bool]]:
    """Numbers in English words: value, start, end, and whether it is an ordinal."""
    position = 0
    for start in _starts(lower, _STARTS):
        match = _SPELLED.match(lower, start) if start >= position else None
        if match is None:
            continue
        value, position = _spelled_value(lower, match)
        if position - match.start() > LONGEST:
            continue
        yield value, match.start(), position, False
    for start in _starts(lower, tuple(ORDINALS)):
        if (match := _SPELLED_ORDINAL.match(lower, start)) is not None:
            yield ORDINALS[match[1]], match.start(), match.end(), True


def _starts(lower: str, words: tuple[str, ...]) -> list[int]:
    """Where one of the words starts. Plain searches: an alternation tried at every letter takes ten times as long."""
    found: list[int] = []
    for word in words:
        position = lower.find(word)
        while position >= 0:
            if not lower[position - 1 : position].isalnum():
                found.append(position)
            position = lower.find(word, position + len(word))
    return sorted(found)


def _small(words: str) -> int:
    return sum(SPELLED[word] for word in re.split(r"[- ]", words))


def _spelled_value(lower: str, match: re.Match[str]) -> tuple[int, int]:
    total, part, end = 0, _small(match[0]), match.end()
    for _ in range(12):  # no number has more parts
        tail = _TAIL.match(lower, end)
        if tail is None or (tail[1] not in _BIG and part % 100 and not (part >= 100 and total >= 0)):
            break
        if tail[1] == "hundred":
            part *= 100
        elif tail[1] in _BIG:
            total, part = total + part * SCALES[tail[1]], 0
        elif part % 100 == 0 or part == 0:
            part += _small(tail[1])
        else:
            break
        end = tail.end()
    return total + part, end


def kanji_numbers(text: str) -> Iterable[tuple[int, int, int, bool]]:
    """Numbers in Chinese characters before a counter (三つ, 二十一人) or after 第."""
    if text.isascii():
        return
    for match in _KANJI.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        if end - start > 12 or before.isdigit() or text.startswith(_NO_NUMBER, start):
            continue
        if before == "第" or after in _COUNTERS:
            yield kanji_number(match[0]), start, end, before == "第"
