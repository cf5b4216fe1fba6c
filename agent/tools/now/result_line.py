"""The first line of a result of ``now`` as a text that a page can say in another language.

The patterns are of the lines that ``now_tool`` writes. A line that none of them fits is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.interface_text import Text
from agent.text.regex import regex

_DATE = r"[A-Z][a-z]+, \d{1,2} [A-Z][a-z]+ \d{1,4}(?:, [\d:]+ (?:in \S+|UTC\S*))?"
_NAMED = regex(
    r"(?P<weekday>[A-Z][a-z]+), (?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+) (?P<year>\d{1,4})"
    r"(?:, (?P<clock>[\d:]+) (?P<place>in \S+|UTC\S*))?"
)
_BETWEEN = regex(r"From (?P<first>\d\S+) to (?P<last>\d\S+): (?P<length>[^(]+)")
_SHIFTED = regex(rf"(?P<start>{_DATE})(?: \([^()]+\))? (?P<way>plus|minus) (?P<length>.+) is (?P<end>{_DATE})")
_PART = regex(r"(-?\d[\d,]*) ([a-z]+?)s?")
_IN_BRACKETS = regex(r" \([^()]*\)")
_WEEKDAYS = (Text("Monday"), Text("Tuesday"), Text("Wednesday"), Text("Thursday"), Text("Friday"), Text("Saturday"),
             Text("Sunday"))  # fmt: skip
_MONTHS = (Text("January"), Text("February"), Text("March"), Text("April"), Text("May"), Text("June"), Text("July"),
           Text("August"), Text("September"), Text("October"), Text("November"), Text("December"))  # fmt: skip
_LENGTHS: dict[str, Callable[[int], Text]] = {
    "year": lambda n: Text("{n:,} year", "{n:,} years", n=n),
    "month": lambda n: Text("{n:,} month", "{n:,} months", n=n),
    "week": lambda n: Text("{n:,} week", "{n:,} weeks", n=n),
    "day": lambda n: Text("{n:,} day", "{n:,} days", n=n),
    "hour": lambda n: Text("{n:,} hour", "{n:,} hours", n=n),
    "minute": lambda n: Text("{n:,} minute", "{n:,} minutes", n=n),
    "second": lambda n: Text("{n:,} second", "{n:,} seconds", n=n),
}


def result_line(text: str) -> str:
    """The first line of ``text`` without what is in brackets, a ``Text`` where it is one of the tool's own."""
    line = _IN_BRACKETS.sub("", text.partition("\n")[0])
    line = line.partition(". ISO week ")[0].removesuffix(".")
    if named := _named(line):
        return named
    if between := _BETWEEN.fullmatch(line):
        first, last = between["first"], between["last"]
        return Text("From {first} to {last}: {length}", first=first, last=last, length=_length(between["length"]))
    shifted = _SHIFTED.fullmatch(line)
    start, end = (_named(shifted["start"]), _named(shifted["end"])) if shifted else (None, None)
    if not shifted or start is None or end is None:
        return line
    length = _length(shifted["length"])
    if shifted["way"] == "plus":
        return Text("{start} plus {length} is {end}", start=start, length=length, end=end)
    return Text("{start} minus {length} is {end}", start=start, length=length, end=end)


def _named(line: str) -> Text | None:
    found = _NAMED.fullmatch(line)
    weekday = next((each for each in _WEEKDAYS if found and each == found["weekday"]), None)
    month = next((each for each in _MONTHS if found and each == found["month"]), None)
    if not found or weekday is None or month is None:
        return None
    day = Text("{weekday}, {day} {month} {year}", weekday=weekday, day=found["day"], month=month, year=found["year"])
    if not found["clock"]:
        return day
    if found["place"].startswith("in "):
        return Text("{day}, {clock} in {place}", day=day, clock=found["clock"], place=found["place"][3:])
    return Text("{day}, {clock} {zone}", day=day, clock=found["clock"], zone=found["place"])


def _length(said: str) -> str:
    """A length of time as a ``Text``: "1 hour, 5 minutes and 2 seconds"; other words as they are."""
    if said.startswith("minus "):
        return Text("minus {length}", length=_length(said.removeprefix("minus ")))
    longer, both, last = said.rpartition(" and ")
    parts = [*(longer.split(", ") if both else []), last]
    found = [_PART.fullmatch(part) for part in parts]
    made = [_LENGTHS[each[2]](int(each[1].replace(",", ""))) for each in found if each and each[2] in _LENGTHS]
    if len(made) < len(parts):
        return said
    *first, end = made
    if not first:
        return end
    all_but_last = first[0]
    for part in first[1:]:
        all_but_last = Text("{longer}, {shorter}", longer=all_but_last, shorter=part)
    return Text("{longer} and {shorter}", longer=all_but_last, shorter=end)
