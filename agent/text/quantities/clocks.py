"""Times of day as people write them.

15:30, 3 pm, half past nine; 15.30 Uhr, halb acht; 14h45; 午後3時半, 下午3点, 오후 2시 30분.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.text.quantities.claim_words import several
from agent.text.quantities.compounds import Token
from agent.text.quantities.scanning import Scan
from agent.text.regex import regex

_CLOCK = regex(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?(?![0-9:]|\.[0-9])")
_HALF = regex(r"[ \u00a0]?([ap])(?:\.[ \u00a0]?m\.|m\b)|[ \u00a0]?o'clock", re.I)
_HALF_LETTERS = frozenset("aApPoO")
_HOUR = regex(r"[ \u00a0]?h[ \u00a0]?(?:([0-5][0-9])(?![0-9.,:]?[0-9]|[ ]?(?:min|km|m\b)))?(?!\w)", re.I)
_AT = regex(r"(?:\b(?:à|às|as|vers|dès|ab|gegen|at|avant|après|até|das)|\ba las)[ \u00a0]$", re.I)
_UHR = regex(r"(?:\.([0-5][0-9]))?[ \u00a0]?Uhr(?:[ \u00a0]([0-5][0-9])\b)?|\.([0-5][0-9])[ ]?h\b")
_AFTER_ALLE = regex(r"\b(?:alle(?: ore)?|ore|um|kl\.|klo|dalle|às|las)[ ]$", re.I)
_POINTED = regex(r"([0-9]{1,2})\.([0-5][0-9])(?![0-9.,])")
_EAST_CLOCK = regex(r"([0-9]{1,2})(?:[時時시](?!間)|[点點](?![0-9]))[ ]?(?:([0-9]{1,2})[分분]|(半|반))?")
_MORNING = regex(r"(?:(午前|오전|上午|早上|凌晨)|(午後|오후|下午|晚上|傍晚))[ ]?$")
_NOON, _HOURS_OF_DAY = 12, 24
_EAST = frozenset("時时시点點")
_PAST = regex(
    r"(half|quarter|(halb)|viertel) ?(?:(past|nach)|(to|vor))? ?"
    r"([0-9]{1,2}|[a-zäöüß]+)(?![^\W0-9_]|[.,]?[0-9]|[ ]?%)"
)
# A quarter of a year, of which a value is told: "over the quarter to 1,325".
_OF_A_YEAR = regex(r"\b(?:the|this|that|last|next|each|per|whole|previous|prior|fiscal|first|second|third|fourth) $")
_HOURS = {
    word: hour
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    )
    for hour, word in enumerate(several(words), 1)
}


class Time(NamedTuple):
    """A time of day in minutes. ``half``: morning or afternoon is clear. ``length``: as a span, in its smaller unit."""

    start: int
    end: int
    minute: int
    half: bool
    length: int | None = None


def times_in(text: str, lower: str, scanned: Scan) -> Iterator[Time]:
    """The times of a text that went through ``plain``."""
    for start, end in scanned.joined:
        for clock in _CLOCK.finditer(text, start, min(end, start + 40)):
            yield from _clock(text, clock)
        if end - start <= 10 and text[end : end + 1] == "T" and (clock := _CLOCK.match(text, end + 1)) is not None:
            yield from _clock(text, clock)
    for token in scanned.numbers:
        if token.end - token.start <= 5 and token.value < 25:
            yield from _at_number(text, token)
    for word in ("half past", "quarter", "halb ", "viertel"):
        position = lower.find(word)
        while position >= 0:
            yield from _past(lower, position)
            position = lower.find(word, position + 4)


def _clock(text: str, match: re.Match[str]) -> Iterator[Time]:
    hour, minute = int(match[1]), int(match[2])
    if hour > 24 or minute > 59:
        return
    half = _HALF.match(text, match.end())
    start, end = match.start(), half.end() if half is not None else match.end()
    if half is not None and half[1] is not None and hour <= 12:
        yield Time(start, end, _minutes(hour, minute, half[1].lower() == "p"), True)
    elif (before := _MORNING.search(text, max(0, start - 3), start)) is not None:
        yield Time(before.start(), end, _minutes(hour, minute, before[2] is not None), True)
    else:
        length = hour * 60 + minute
        seconds = length * 60 + int(match[3]) if match[3] else length
        yield Time(start, end, length, hour > 12 or match[1][0] == "0", seconds)


def _minutes(hour: int, minute: int, afternoon: bool) -> int:
    return (hour % 12 + (12 if afternoon else 0)) * 60 + minute


def _at_number(text: str, token: Token) -> Iterator[Time]:
    """The time that begins with a number, by what follows it."""
    _, start, end = token
    after = text[end : end + 1]
    if after in _EAST:
        if (match := _EAST_CLOCK.match(text, start)) is not None:
            yield _eastern(text, match)
    elif end - start > 2:
        yield from _pointed(text, start, end)
    elif after and after in " \u00a0apAPhHU.":
        yield from _of_hour(text, start, end, int(token.value))


def _of_hour(text: str, start: int, end: int, hour: int) -> Iterator[Time]:
    """3 pm, 3 o'clock, 14h45, 15 Uhr 30."""
    if text[start - 1 : start] in (":", "."):
        return
    gap = text[end] in " \u00a0"
    letter = text[end + gap : end + gap + 1]
    if letter in _HALF_LETTERS and hour <= 12 and (half := _HALF.match(text, end)) is not None:
        yield Time(start, half.end(), _minutes(hour, 0, (half[1] or "a").lower() == "p"), half[1] is not None)
    elif letter in ("h", "H") and (match := _HOUR.match(text, end)) is not None:
        if match[1] is not None and hour < _HOURS_OF_DAY:
            yield Time(start, match.end(), hour * 60 + int(match[1]), hour > 12, hour * 60 + int(match[1]))
        elif match[1] is None and _AT.search(text, max(0, start - 8), start):
            yield Time(start, match.end(), hour * 60, hour > 12)
    elif letter in ("U", ".") and (match := _UHR.match(text, end)) is not None:
        yield Time(start, match.end(), hour * 60 + int(match[1] or match[2] or match[3] or 0), hour > 12)


def _pointed(text: str, start: int, end: int) -> Iterator[Time]:
    """15.30 Uhr, alle 15.30, 5.52 a.m."""
    match = _POINTED.match(text, start, end)
    if match is None or match.end() != end:
        return
    half = _HALF.match(text, end)
    if half is not None and half[1] is not None and int(match[1]) <= _NOON:
        yield Time(start, half.end(), _minutes(int(match[1]), int(match[2]), half[1].lower() == "p"), True)
        return
    uhr = _UHR.match(text, end)
    if uhr is not None or _AFTER_ALLE.search(text, max(0, start - 12), start):
        hour = int(match[1])
        yield Time(start, uhr.end() if uhr else end, hour * 60 + int(match[2]), hour > 12 or match[1][0] == "0")


def _eastern(text: str, match: re.Match[str]) -> Time:
    hour, minute = int(match[1]), 30 if match[3] else int(match[2] or 0)
    if (before := _MORNING.search(text, max(0, match.start() - 3), match.start())) is not None:
        return Time(before.start(), match.end(), _minutes(hour, minute, before[2] is not None), True)
    return Time(*match.span(), hour * 60 + minute, hour > 12)


def _past(lower: str, position: int) -> Iterator[Time]:
    """Half past nine, quarter to ten, halb acht, Viertel nach acht."""
    match = _PAST.match(lower, position)
    if match is None or not (match[2] or match[3] or match[4]):
        return
    if match[4] and _OF_A_YEAR.search(lower, max(0, position - 12), position):
        return
    hour = int(match[5]) if match[5].isdecimal() else _HOURS.get(match[5], 0)
    before = match[2] is not None or match[4] is not None
    minutes = 15 if match[1] in ("quarter", "viertel") else 30
    if 0 < hour <= 24:
        yield Time(match.start(), match.end(), hour * 60 + (-minutes if before else minutes), hour > 12)
