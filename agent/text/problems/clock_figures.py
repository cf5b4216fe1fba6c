"""Times of day in figures, and which of two is the earlier one."""

from __future__ import annotations

import re

from agent.text.regex import regex

_ON_FACE = regex(r"(?P<hour>[1-9]|1[0-2])(?::(?P<minute>[0-5]\d))?(?: o'clock)?", re.I)


def is_earlier(first: str, last: str) -> bool:
    """Whether ``last`` is the earlier time of day, where neither says of which half it is."""
    clocks = [re.fullmatch(r"(\d{1,2}):(\d\d)", clock) for clock in (first, last)]
    minutes = [int(clock[1]) * 60 + int(clock[2]) for clock in clocks if clock]
    return len(minutes) == len(clocks) and minutes[1] < minutes[0]


def after_noon(first: str, last: str) -> str:
    """``last`` in the other half of the day where it is earlier than ``first`` on the face of a clock: 9:30 to 2:15.

    That is so where neither says of which half it is, and neither is of the 24 hours.
    """
    begin, end = _ON_FACE.fullmatch(first.strip()), _ON_FACE.fullmatch(last.strip())
    if begin is None or end is None:
        return last
    minutes = [int(each["hour"]) % 12 * 60 + int(each["minute"] or 0) for each in (begin, end)]
    typed = [int(each["hour"]) * 60 + int(each["minute"] or 0) for each in (begin, end)]
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
