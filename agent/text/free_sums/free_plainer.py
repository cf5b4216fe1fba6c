"""A told sum in small letters with its figures in digits: parts of one, dozens, notes, lengths of time."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.text.free_sums.free_units import with_told_units
from agent.text.problems.clock_figures import told_in_figures
from agent.text.problems.listed_counts import without_listed_count
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_N = r"\d+(?:\.\d+)?"
_SIGNED = rf"[$€£]?{_N}(?: (?:euros?|pounds?|dollars?|quid))?"
_HOUR, _MINUTE = r"(?:hours?|hrs?|h)", r"(?:minutes?|mins?|min|m)"
_PARTS = {"half": ".5", "quarter": ".25", "three quarters": ".75", "three quarter": ".75", "3 quarters": ".75"}
_PART = r"(?P<part>half|quarter|three[ -]quarters?|3 quarters)"
_WORD = r"(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?)"
_AND_PART = r"and (?P<part>a half|a quarter|(?:a )?three[ -]quarters?|3 quarters)"
_UNIT = r"(?P<unit>hours?|minutes?|kg|kilos?|litres?|miles?|km|met(?:re|er)s?|pints?|pounds?|inches|feet|stone|yards?)"
_MIXED = regex(rf"\b{_WORD} {_AND_PART} (?=[a-z])(?!of )")
_MIXED_AFTER = regex(rf"\b{_WORD} {_UNIT} {_AND_PART}\b(?! of| an)")
_OF_HOUR = regex(rf"\b(?:a )?{_PART}(?: of)?(?: an?)? hours?\b")
_OF_UNIT = regex(rf"\b(?:a )?{_PART}(?: of)? an? (?=[a-z])(?!million|thousand|hundred|dozen|billion)")
_WRITTEN_PARTS = (
    (regex(r"\b(?:3/4|¾) (?=of an? [a-z]|of the hour|an? [a-z])"), "three quarters "),
    (regex(r"\b(?:1/2|½) (?=of an? [a-z]|an? [a-z])"), "half "),
    (regex(r"\b(?:1/4|¼) (?=of an? [a-z]|an? [a-z])"), "quarter "),
)
_HOUR_AND_PART = regex(rf"(?:\ban? )?\bhour {_AND_PART}\b")
_PERCENTS = {"half": 50, "quarter": 25, "fifth": 20, "tenth": 10}
_FORMS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (regex(r"[’`]"), "'"),
    (regex(r"\bonly (?=[$€£]?\d)"), ""),
    (
        regex(
            r"\b(?:year|class|grade|form|group|team) \d{1,2}(?= (?:took|ate|got|had|brought|made|sold|bought|gave)\b)"
        ),
        "they",
    ),
    (regex(r"\bturn(?:s|ed) up with\b"), "brought"),
    (regex(r"(?<=a day) (?:from )?mon(?:day)? (?:to|through|till|-) fri(?:day)?\b"), " for 5 days"),
    (regex(r"(?<=a day) (?:from )?mon(?:day)? (?:to|through|till|-) sat(?:urday)?\b"), " for 6 days"),
    (regex(r",? (?:before|gross,? before) (?:tax|deductions)\b"), ""),
    (regex(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (regex(r"(?<=\d)(?:-)(?=(?:hour|minute|min|metre|meter|kg|km|mile)\b)"), " "),
    (regex(r"\b(\d{1,2})\.([0-5]\d) ?(?=[ap]\.?m\b)"), r"\1:\2"),
    (regex(r"\b(?:an? |my |the |one )?(?:tenner|ten pound note)\b"), " 10 pound note "),
    (regex(r"\b(?:an? |my |the |one )?fiver\b"), " 5 pound note "),
    (regex(r"\b(?:two|2) (?:twenties|20s|£20s)\b"), " 40 note "),
    (regex(r"\b(?:two|2) (?:tens|tenners|10s|£10s)\b"), " 20 note "),
    (regex(r"(?<= )(\d+) (?:pound )?note +\([$€£]?\1\)"), r"\1 pound note"),
    (regex(r"\b(?:all )?(?:the )?(?:four|4) walls\b"), "the walls"),
    (regex(r"\b(\d+) pints of ([a-z]+)(?= (?:at|@) [$€£]?\d)"), r"\1 \2s"),
    (regex(r"\b(?:half a|1/2 a) dozen\b"), "6"),
    (regex(r"\b(?:two|2) dozen\b"), "24"),
    (regex(r"\b(?:three|3) dozen\b"), "36"),
    (regex(r"(?<!\d )(?<!\d)\b(?:an?|one|1) dozen\b"), "12"),
    (regex(rf"\b({_N})h ?(\d\d?)(?:m|min|mins)?\b"), r"\1 hours \2 minutes"),
    (regex(r"\bkilos?\b"), "kg"),
    (regex(r"(?:\brs\b\.?|₹) ?(?=\d)"), ""),
    (regex(r"\b(?:in|for) (?:one|1) (?=(?:hour|night|day|week|month|year)\b)"), "a "),
    (regex(r"(?<=hours) in (?:the|a) (?=(?:week|month|day)\b)"), " a "),
    (regex(rf"\b(hour|day|night|week|month)(?:ly)? rate(?: is|'s| of|:)? ({_SIGNED})(?! ?%)"), r"\2 a \1"),
    (regex(rf"\bdaily rate(?: is|'s| of|:)? ({_SIGNED})(?! ?%)"), r"\1 a day"),
    (regex(r"\b(\d+) of us\b(.*) \1 ways\b"), r"\1 of us\2"),
    (regex(r"\b(?:r|are) (?=left\b)"), "are "),
    (regex(r"\bone o'clock"), "1 o'clock"),
    (regex(r"\b(?:in|into) (\d+) (?:equal )?(?:parts|shares|piles)\b"), r"split \1 ways"),
    (regex(r"\b(\d+) 1/2(?= [a-z])"), r"\1.5"),
    (
        regex(r"\b(\d+) ?(?:feet|foot|ft) (?:and )?(\d\d?) ?(?:inches|inch|ins?)\b"),
        lambda said: f"{int(said[1]) * 12 + int(said[2])} inches",
    ),
    (regex(r"\b(\d+) (?:metres?|meters?|m) (\d\d)\b(?! ?(?:c?m\b|cent|by|x))"), r"\1.\2 metres"),
    (regex(r" in every (?=day|week|month|year)"), " every "),
    (
        regex(
            r"(hours)( last week| this week| today| yesterday)? at ([$€£]\d+(?:\.\d+)?|\d+\.\d\d)(?! an hour| ?[ap]m)"
        ),
        r"\1\2 at \3 an hour",
    ),
    (
        regex(
            rf"\beach (?:of (?:us|them) )?(pays?|gives?|puts in|brings?) ({_SIGNED})(?: an? (?:year|month|week|day))?\b"
        ),
        r"\1 \2 each",
    ),
    (regex(r"\b(\d+) (euros?|pounds?|quid|dollars?) (\d\d)(?=[,.;?!]| each| a\b|$)"), r"\1.\3 \2"),
    (regex(r"(a month\b.*) (?:for|after|in|over|is) (?:a|1|one|the|a whole) year\b"), r"\1 for 12 months"),
    (
        regex(r"\ba month,? (?:if|with|being|of|in) (?:it's |its |that's |there are |there's )?(\d+) weeks\b"),
        r"for \1 weeks",
    ),
    (regex(r"\ba (quarter|half|fifth|tenth) off\b"), lambda part: f"{_PERCENTS[part[1]]}% off"),
    (regex(r"(a week\b.*) (?:for|after|in|over|is) (?:a|1|one|the|a whole) year\b"), r"\1 for 52 weeks"),
    (regex(r"\b(km|cm|m|ft)\^?2\b"), r"\1²"),
    (regex(r"\b(cm|m|ft)\^?3\b"), r"\1³"),
    (
        regex(
            r"\b(?:\d+|two|three|four|five|six|seven)-(?:course|bed|bedroom|bedroomed|door|star|seater|storey|a-side"
            r"|year-old) "
        ),
        "",
    ),
    (regex(r"\b(?:a |one |the )?(?:piece|pop)\b(?=[ ,.?!]|$)(?<=a piece)"), "each"),
    (regex(r"\bapiece\b"), "each"),
)
_NO_MINUTES = (
    rf"(?![:.\d]| ?(?:{_HOUR}|{_MINUTE}|%|percent|[ap]\.?m|o'clock|pounds|euros|people|of us)\b| ?[€£$]|[a-z])"
)
_AFTER = (
    (regex(rf"\b(?:an|one|1) ?{_HOUR},? (?:and )?([0-5]?\d) ?{_MINUTE}\b"), r"1 hours \1 minutes"),
    (regex(rf"\b(?:an|one|1) {_HOUR}(?: and)? ([0-5]?\d){_NO_MINUTES}"), r"1 hours \1 minutes"),
    (regex(rf"\b({_N}) ?{_HOUR},? (?:and )?({_N}) ?{_MINUTE}\b"), r"\1 hours \2 minutes"),
    (regex(rf"\b({_N}) ?{_HOUR} ([0-5]?\d){_NO_MINUTES}"), r"\1 hours \2 minutes"),
    (regex(r"(?<![\d.:])(\d+) ?(?:minutes?|mins?)(?![a-z²³\d])"), r"\1 minutes"),
    (regex(r"\b(?:per|an?|each|every) hr\b"), "an hour"),
    (regex(rf"(?<![\d.:])({_N}) ?{_HOUR}\b"), r"\1 hours"),
)
_ASKS_WHEN, _HAS_CLOCK = regex(r"\b(?:when|what time)\b"), regex(r"\d:\d\d|\d ?[ap]\.?m\b|o'clock|noon|midnight")
_AT_HOUR = regex(r"\b(at|by) (1[0-2]|[1-9])(?=\s*[,.;?!]|$| (?:and|so|but|when|what|then)\b)")
_HOURS_TO = regex(r"(?<=\bwork )(?:from )?(\d{1,2})(?:am)? (?:to|till|until|-) (\d{1,2}:[0-5]\d)\b")
_IMPERIAL, _GALLONS = (
    regex(r"\b(?:uk|imperial|british) (?:gallons?|measures?)\b"),
    regex(r"(?<!uk )\bgallon\b|(?<!uk )\bgallon(?=s\b)"),
)
_DOTTED = regex(
    r"\b(at|by|for|from|till|until|to|after|before|around|about|and|leaves?|starts?|departs?) (\d{1,2})\.([0-5]\d)"
    r"(?![\d.]| ?(?:hours?|hrs?|h|km|m|kg|%)\b)"
)
_PAYS = regex(r"[$€£%]|\b(?:costs?|pay|pays|paid|price|pounds|euros|dollars)\b")
_LENGTH = regex(rf"(?<![\d.:])(?P<h>{_N}) hours (?P<m>{_N}) minutes\b")


def plainly_told(text: str) -> str:
    """``text`` in that form; a length of time is one figure of minutes, or of hours."""
    text = without_listed_count(told_in_figures(text).lower())
    if _IMPERIAL.search(text):
        text = _GALLONS.sub("uk gallon", text)
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    text = with_told_units(in_digits(with_parts_in_figures(text)))
    if _ASKS_WHEN.search(text) and not _PAYS.search(text):
        text = _DOTTED.sub(r"\1 \2:\3", text)
    if _ASKS_WHEN.search(text) and not _HAS_CLOCK.search(text):
        text = _AT_HOUR.sub(r"\1 \2:00", text)
    text = _PER_SUCH.sub(_per_thing, _HOURS_TO.sub(r"\1:00 to \2", text))
    for pattern, form in _AFTER:
        text = pattern.sub(form, text)
    return re.sub(r"\s+", " ", _LENGTH.sub(_minutes, text)).strip()


_PER_SUCH = regex(r"\b(?P<per>per|for (?:each|every)|each|every) (?P<such>[a-z]+) (?P<thing>[a-z]{3,})\b(?=[,.;?! ])")


def _per_thing(said: re.Match[str]) -> str:
    """ "Per broken string" as "per string", where so many strings are told."""
    several = re.search(rf"\b\d+ {said['thing']}s?\b", said.string)
    return f"{said['per']} {said['thing']}" if several else said[0]


def with_parts_in_figures(text: str) -> str:
    """ "Two and a half kilos" as 2.5 kilos, "three quarters of an hour" as 0.75 hours."""
    for pattern, form in _WRITTEN_PARTS:
        text = pattern.sub(form, text)
    text = _HOUR_AND_PART.sub(lambda said: f"1{_part(said)} hours", text)
    text = _MIXED.sub(lambda said: f"{_whole(said)}{_part(said)} ", text)
    text = _MIXED_AFTER.sub(lambda said: f"{_whole(said)}{_part(said)} {said['unit']}", text)
    text = _OF_HOUR.sub(lambda said: f"0{_part(said)} hours", text)
    return _OF_UNIT.sub(lambda said: f"0{_part(said)} ", text)


def _part(said: re.Match[str]) -> str:
    return _PARTS[said["part"].replace("-", " ").removeprefix("a ")]


def _whole(said: re.Match[str]) -> str:
    read = ("1", 0) if said["n"] in ("a", "an") else number_at(said["n"], 0, "en")
    return read[0] if read else said["n"]


def _minutes(said: re.Match[str]) -> str:
    return f"{float(said['h']) * 60 + float(said['m']):g} minutes"
