"""Times of day in figures, the half of the day that is said beside one, and which of two is the earlier one."""

from __future__ import annotations

import re

from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_ON_FACE = regex(r"(?P<hour>[1-9]|1[0-2])(?::(?P<minute>[0-5]\d))?(?: o'clock| ?(?P<half>[ap])\.?m\.?)?", re.I)
_HOURS = "(?P<h>\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_FEW = "five|ten|twenty|twenty-five|5|10|20|25"
_PAST = regex(
    rf"(?<![:.\d])\b(?:(?P<part>half|quarter)|(?P<m>{_FEW})(?: minutes)?(?= past)|(?<=\bat )(?P<to>{_FEW})(?= to))"
    rf" (?P<way>past|to) {_HOURS}\b(?![:.]\d)",
    re.I,
)
_HALF_OF = regex(
    rf"\b(?P<at>at|by|to|till|until|from|before|after) half {_HOURS}(?=[ ,.;?!]|$)(?! (?:hours?|minutes?))", re.I
)
_AT = r"at|by|to|till|until|from|before|after|around|about|it's|it is"
_CLOCK = (
    rf"(?P<at>\b(?:{_AT}) )?(?<![\d.:$£€])\b{_HOURS}(?P<m>[:.][0-5]\d)?(?![:.]?\d)\b"
    r"(?P<o> ?o'clock)?(?P<half> ?(?:am|pm|a\.m\.?|p\.m\.?)(?![a-z]))?"
)
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = (
    r"(?:(?:in the|this) (?:early |late )?(?P<part>morning|afternoon|evening)|at (?P<night>night)|(?P<tonight>tonight)"
    rf"|(?P<day>tomorrow|(?:on )?{_WEEKDAY}) (?P<of>morning|afternoon|evening|night))\b"
)
_WHOSE = r"(?P<whose> (?:[a-z]+ )?[a-z]+ time| (?-i:in [A-Z][a-z]+(?: [A-Z][a-z]+)?))?"
_BESIDE = (
    regex(rf"{_CLOCK}{_WHOSE},? {_PART}", re.I),
    regex(rf"\b{_PART}(?P<whose>),? (?=(?:{_AT}) ){_CLOCK}", re.I),
)
_SMALL_HOURS = (1, 2, 3, 4, 12)


def told_in_figures(text: str) -> str:
    """Times of day in words as figures, each with the half of the day that is said beside it: "nine tonight" as 9pm."""
    text = _HALF_OF.sub(lambda said: f"{said['at']} half past {said['h']}", text)
    text = _PAST.sub(_in_figures, text)
    for pattern in _BESIDE:
        text = pattern.sub(_with_half, text)
    return text


def _in_figures(said: re.Match[str]) -> str:
    """ "Half past 11" as 11:30, "quarter to nine" as 8:45."""
    hour = int(one_number(said["h"]))
    minutes = {"half": 30, "quarter": 15}.get((said["part"] or "").lower())
    minutes = minutes or int(one_number(said["m"] or said["to"]))
    if said["way"].lower() == "to":
        hour, minutes = (hour - 2) % 12 + 1, 60 - minutes
    return f"{hour}:{minutes:02}"


def one_number(said: str) -> str:
    """The number that a word says, in figures; "0" for none."""
    read = number_at(said.lower(), 0, "en")
    return read[0] if read else "0"


def _with_half(said: re.Match[str]) -> str:
    """ "8:30 this evening" as 8:30pm; unchanged where the hour may count things, or be one of either half."""
    hour, part = int(one_number(said["h"])), (said["part"] or said["night"] or said["tonight"] or said["of"]).lower()
    small = hour in _SMALL_HOURS
    if not (said["m"] or said["o"] or said["at"] or said["half"]) or not hour or (small and part == "tonight"):
        return said[0]
    half = "am" if part == "morning" or (part == "night" and small) else "pm"
    half = "" if hour > 12 or said["h"].startswith("0") else said["half"] or half
    minute = (said["m"] or "").replace(".", ":")
    day = f" {said['day']}" if said["day"] else ""
    return f"{said['at'] or ''}{hour if half else said['h']}{minute}{half}{said['whose'] or ''}{day}"


def is_earlier(first: str, last: str) -> bool:
    """Whether ``last`` is the earlier time of day, where neither says of which half it is."""
    clocks = [re.fullmatch(r"(\d{1,2}):(\d\d)", clock) for clock in (first, last)]
    minutes = [int(clock[1]) * 60 + int(clock[2]) for clock in clocks if clock]
    return len(minutes) == len(clocks) and minutes[1] < minutes[0]


def after_noon(first: str, last: str) -> str:
    """``last`` in the other half of the day where it is earlier than ``first`` on the face of a clock: 9:30 to 2:15.

    That is so where ``last`` does not say of which half it is, and neither is of the 24 hours.
    """
    begin, end = _ON_FACE.fullmatch(first.strip()), _ON_FACE.fullmatch(last.strip())
    if begin is None or end is None or end["half"]:
        return last
    minutes = [int(each["hour"]) % 12 * 60 + int(each["minute"] or 0) for each in (begin, end)]
    typed = [int(each["hour"]) * 60 + int(each["minute"] or 0) for each in (begin, end)]
    if begin["half"]:
        late = (begin["half"].lower() == "p") == (minutes[1] > minutes[0])
        return last if minutes[0] == minutes[1] else f"{end['hour']}:{end['minute'] or '00'}{'pm' if late else 'am'}"
    if typed[1] >= typed[0] or minutes[0] == minutes[1]:
        return last
    return f"{int(end['hour']) % 12 + 12}:{end['minute'] or '00'}"


def clock_in_figures(text: str) -> str:
    """午後3時半 as 15:30."""
    found = re.search(r"(?P<hour>\d{1,2})(?:時|:)(?:(?P<minute>\d{1,2})|(?P<half>半))?", text)
    if found is None:
        return "12:00"  # 正午
    hour, minute = int(found["hour"]), 30 if found["half"] else int(found["minute"] or 0)
    late = text.lstrip("翌日の").startswith(("午後", "夜", "夕方", "晩")) and hour < 12
    return f"{(hour + 12 * late) % 24}:{minute:02}"


def in_figures(clock: str) -> str:
    """ "noon" as 12:00, "3 o'clock" as 3:00; others as they are."""
    if clock.lower() in ("noon", "midnight"):
        return "12:00" if clock.lower() == "noon" else "0:00"
    return re.sub(r" o'clock", ":00", clock)
