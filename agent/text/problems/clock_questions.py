"""Questions of times of day: what a time is elsewhere, how long it is between two, and which is so much later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

from agent.text.problems.clock_figures import after_noon, clock_in_figures, is_earlier
from agent.text.quantities.claim_words import ORDINALS
from agent.text.quantities.day_mentions import dates_in
from agent.text.quantities.number_words import number_at
from agent.text.quantities.scanning import plain, scan
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language
from agent.text.word_tables import word_table

_FORMS: dict[str, dict[str, Any]] = word_table(__file__, "clock_forms.toml")
_TAIL = regex(r"[ ?.!。]+$")
_MOST_WORDS = 4  # in the name of a place


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A time of day at ``there``, which is asked for in ``place``; ``day`` is ``None`` where none is said with it."""

    clock: str
    there: str
    place: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Spans:
    """From one time of day to another, several of them added up; ``unit`` is the one that is asked for, or ""."""

    ends: tuple[tuple[str, str], ...]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Later:
    """``length`` after ``clock``, which is "" for now; earlier where ``back``."""

    clock: str
    length: str
    back: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """How far the clocks of two places are apart."""

    first: str
    second: str


ClockQuestion = Elsewhere | Spans | Later | Difference


def read_clock_question(text: str, language: Language) -> ClockQuestion | None:
    """What ``text``, the whole of it, asks of times of day; ``None`` where it asks for something else."""
    text, day = _without_day(_TAIL.sub("", text))
    if language == "ja":
        found = _japanese(text)
    else:
        for pattern, form in _HALVES:
            text = pattern.sub(form, text)
        found = _difference(text) or _spans(text) or _later(text) or _nth(text) or _elsewhere(text) or _by_cues(text)
    if day is None:
        return found
    return replace(found, day=day) if isinstance(found, Elsewhere) else None


_HAS_YEAR = regex(r"\d{4}|\d[./-]\d|[年년]")  # few questions have one, and all are looked through
_OF_DAY = regex(r"(?:,? ?\b(?:on|at|for|in)\b)? ?§(?P<comma>[,、]?)(?:の|に)?、?")


def _without_day(text: str) -> tuple[str, date | None]:
    """``text`` without the one day that it names with its year, and that day: a clock elsewhere may depend on it."""
    bare = plain(text)
    found = [one for one in dates_in(bare, bare.lower(), scan(bare)) if one.whole] if _HAS_YEAR.search(bare) else []
    if len(found) != 1:
        return text, None
    marked = f"{text[: found[0].start]}§{text[found[0].end :]}"
    return _OF_DAY.sub(lambda said: said["comma"], marked, count=1).strip(" ,、"), found[0].whole


_HALVES = (
    (regex(r"\b(?:in|to|as) (?:12|24)[- ]?h(?:ou)?r?(?: (?:format|time|clock))*[ ?.!]*$", re.I), "as it is"),
    (regex(r"\b(\d{1,2}(?::[0-5]\d)?)(?: o'clock)? in the morning\b", re.I), r"\1am"),
    (regex(r"\b(\d{1,2}(?::[0-5]\d)?)(?: o'clock)? (?:in the (?:afternoon|evening)|at night)\b", re.I), r"\1pm"),
    (regex(r"\bhere (?=in [A-Z])"), ""),
    (regex(r"(?<=\d)-(?=(?:hour|minute)\b)", re.I), " "),
)


@cache
def _patterns(group: str, name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(regex(with_parts(pattern), re.I) for pattern in _FORMS[group][name])


def with_parts(text: str) -> str:
    return re.sub(r"\{([A-Z_]+)\}", lambda found: with_parts(_FORMS["parts"][found[1]]), text)


@cache
def _around(name: str) -> re.Pattern[str]:
    return regex(rf"(?:(?:{'|'.join(_FORMS['around'][name])})\b|[ ,?.:;'=])*", re.I)


def _whole(name: str, text: str) -> Iterator[dict[str, str]]:
    found = (pattern.fullmatch(text) for pattern in _patterns("whole", name))
    yield from (match.groupdict("") for match in found if match)


def _difference(text: str) -> Difference | None:
    return next((Difference(said["a"], said["b"]) for said in _whole("difference", text)), None)


def _spans(text: str) -> Spans | None:
    (pattern,) = _patterns("part", "span")
    typed = [(found["a"], found["b"]) for found in pattern.finditer(text)]
    rest = pattern.sub(" ", text)
    if any(is_earlier(*each) for each in typed) and re.search(r"\d ?[-–] ?\d", text):
        return None  # 5:45 - 2:30 takes a length from another
    ends = tuple((first, after_noon(first, last)) for first, last in typed)
    if not ends or not _around("span").fullmatch(rest):
        return None
    unit = re.search(r"\b(minutes|seconds|hours)\b", rest, re.I)
    return Spans(ends, unit[1].lower() if unit else "")


_BACK = ("before", "minus", "-", "earlier than", "prior to", "ago", "earlier")
# "A film of 2 hours ends at 22:15": what is asked is when it began.
_BEGINNING = regex(r"\b(?:start|beg[aiu]n|leav|left|depart)", re.I)
_END = regex(r"\b(?:end|finish|arriv)", re.I)


def _later(text: str) -> Later | None:
    for pattern in _patterns("part", "later"):
        found = pattern.search(text)
        if found is None:
            continue
        rest = f"{text[: found.start()]} {text[found.end() :]}"
        clock = found.groupdict("").get("clock", "")
        if not _around("later").fullmatch(rest) or not (clock or re.search(r"\b(?:time|when)\b", rest, re.I)):
            continue
        way = found["way"].lower()
        if any(end.match(way) and end.search(rest) for end in (_BEGINNING, _END)):
            continue  # it starts at 9:15, "when does it start?"
        told = _BEGINNING.search(text, 0, found.start())  # it began so long before, and when is asked
        if _BEGINNING.search(text, found.end()) and not told and not _END.match(way):
            continue
        if length := length_in_figures(found["length"]):
            return Later("" if clock.lower() == "now" else clock, length, way in _BACK or bool(_END.match(way)))
    return None


_ASKED_NTH = regex(
    r"(?:at )?(?:what time|when)(?: is|'s| does| do| will| should| must)?(?: (?:i|we|he|she|they|it))?"
    r"(?: be| take| have)? (?:the|my|our|his|her) (?P<which>[a-z]+|\d+(?:st|nd|rd|th))(?: (?P<thing>[a-z]+))?"
    r"(?: be| due| leave| run| come| go)*",
    re.I,
)
_EACH_TIME = regex(r"\bevery (?P<n>\d+) ?(?P<unit>hours?|hrs?|h|minutes?|mins?)\b", re.I)
_TURNED = regex(r"\d|\b(?:not|but|except|only|late|skip\w*|cancel\w*)\b", re.I)
_BEGUN = regex(r"\b(?:first|start(?:s|ing|ed)?|begin(?:s|ning)?|began|from)\b[^\d]{0,20}$", re.I)


def _nth(text: str) -> Later | None:
    """ "A pill every 8 hours, the first at 6:30, when is the third one?"."""
    said, _, asked = text.rpartition(". ") if ". " in text else text.rpartition(", ")
    asks, each = _ASKED_NTH.fullmatch(asked), _EACH_TIME.search(said)
    (clocks, _) = (list(pattern.finditer(said)) for pattern in _patterns("part", "quantities"))
    if asks is None or each is None or len(clocks) != 1 or not _BEGUN.search(said[: clocks[0].start()]):
        return None
    rest = said.replace(clocks[0][0], "").replace(each[0], "")
    thing = (asks["thing"] or "one").lower()
    if _TURNED.search(rest) or (thing not in ("one", "time", "dose") and thing[:3] not in rest.lower()):
        return None
    named = asks["which"].lower()
    which = ORDINALS.get(named) or int(re.sub(r"\D", "", named) or 0)
    unit = "hours" if each["unit"].lower().startswith("h") else "minutes"
    return Later(clocks[0][0], f"{int(each['n']) * (which - 1)} {unit}", back=False) if which > 1 else None


_SETS_OUT = regex(_BEGINNING.pattern + r"|\b(?:go(?:es)? in|set off|set out|get up|wake|go\b|put\b)", re.I)
_OVER = regex(_END.pattern + r"|\b(?:over|done|ready|land)", re.I)
_LASTS = regex(r"\bhow (?:long|many hours|many minutes|much time)\b|\bhours\b", re.I)
_ENDED = regex(r"\b(?:end|finish|over\b)", re.I)
_AHEAD = regex(r",\s+before(?: that| it| then)?\s*(?:[.,;!?]|and\b|so\b|$)", re.I)
_ON_THE_WAY = regex(r"\b(?:takes?|drive|walk|ride|journey|trip)\b", re.I)
_THERE = regex(r"\b(?:arrive|be (?:there|here|at|home|back)|get (?:there|here))\b", re.I)
_MUST = regex(r"\b(?:should|must|need|needs|have to|has to|latest|want)\b", re.I)
_GOES_ON = regex(
    r"\bthen (?:an?|the) (?:bus|train|taxi|tram|walk|drive|ride|flight)\b", re.I
)  # and so long is not told
_WHEN = regex(r"\b(?:when|what time|at what time|which time)\b(?P<rest>.*)$", re.I)


def _by_cues(text: str) -> ClockQuestion | None:
    """In any order of words: two times and "how long", or a time, a length and "when".

    What is asked for lies before the time where it begins something, as "when should I leave", else after it.
    """
    clocks, lengths = (list(pattern.finditer(text)) for pattern in _patterns("part", "quantities"))
    rest = text
    for found in (*clocks, *lengths):
        rest = rest.replace(found[0], " , ", 1)
    when = _WHEN.search(rest)
    if re.search(r"\d", rest) or _GOES_ON.search(rest) or not _around("cues").fullmatch(rest):
        return None
    over_night = re.search(r"\b(?:next|following) (?:day|morning)\b", rest, re.I)
    in_order = len(clocks) == 2 and bool(over_night) == is_earlier(clocks[0][0], after_noon(clocks[0][0], clocks[1][0]))
    if in_order and not lengths and _LASTS.search(rest):
        return Spans(((clocks[0][0], after_noon(clocks[0][0], clocks[1][0])),))
    if len(clocks) != 1 or not 0 < len(lengths) <= _MOST_LENGTHS or when is None:
        return None
    length = _together([length_in_figures(found[0]) for found in lengths])
    said, asked = rest[: when.start()], when["rest"]
    back = _SETS_OUT.search(asked) is not None
    if back and _ENDED.search(said) and _ON_THE_WAY.search(said):
        return None  # "I finish at 17:30 and the bus takes 40 minutes, when do I leave?"
    with_way = back and len(lengths) > 1 and _ON_THE_WAY.search(said)
    if _AHEAD.search(said) and not with_way:  # "I want to be there 25 minutes before": the way there takes longer still
        there = len(lengths) == 1 and length and _THERE.search(asked)
        return Later(clocks[0][0], length, back=True) if there else None
    # "I start at 9 and work 8 hours, when can I go?" asks for the end.
    unsure = not (_MUST.search(rest) or _ENDED.search(said)) if back else _OVER.search(said) and _OVER.search(asked)
    return None if unsure or not length else Later(clocks[0][0], length, back)


_MOST_LENGTHS, _IN_MINUTES = 3, {"h": 60, "m": 1}


def _together(lengths: list[str]) -> str:
    """Several lengths as one; "" where one is none, or has seconds or parts of a minute."""
    if len(lengths) == 1 or not all(lengths):
        return lengths[0] if len(lengths) == 1 else ""
    told = re.findall(r"([\d.]+) ([a-z]+)", " ".join(lengths))
    total = sum((Fraction(amount) * _IN_MINUTES.get(unit[0], Fraction(1, 60)) for amount, unit in told), Fraction(0))
    return f"{total // 60} hours {total % 60} minutes" if total.denominator == 1 else ""


def length_in_figures(text: str) -> str:
    """In figures: "2 hours 45 minutes", "1.5 hours"; "" where a word in it is no number."""
    text = re.sub(r"(\d+)h\b", r"\1 hours", re.sub(r"(\d+)h ?(\d+)m(?:in)?", r"\1 hours \2 minutes", text.lower()))
    text = text.replace("half an hour", "30 minutes")
    if half := re.fullmatch(r"(.+?) hours? and a half", text):
        text = f"{half[1]} hours 30 minutes"
    parts: list[str] = []
    for number, unit in re.findall(with_parts(r"(an?|\d+(?:\.\d+)?|[a-z]+) ({UNIT})\b"), text):
        found = ("1", len(number)) if number in ("a", "an") else number_at(number, 0, "en")
        if found is None or found[1] != len(number):
            return ""
        parts.append(f"{found[0]} {unit}")
    return " ".join(parts)


_NO_NAME = regex(
    r"^(?:(?:time|in|at|on)\b ?)+|(?:[ ,.]*\b(?:what'?s?|how late|when|will|is|be|th(?:at"
    r"|en?|ey)|time|local|it|[dt]o|have))+$",
    re.I,
)


def _elsewhere(text: str) -> Elsewhere | None:
    for first in _whole("elsewhere_first", text):
        return Elsewhere(first["c"], first["a"], first["b"])
    said = next(_whole("elsewhere", text), None)
    if (
        said is None
        or not _around("elsewhere").fullmatch(said["before"])
        or next(_whole("elsewhere", said["after"]), None)
    ):
        return None
    to = _patterns("part", "to_place")[0].fullmatch(said["after"])
    if to is None:
        return None
    there = _NO_NAME.sub("", to["there"].strip(" ,.")).strip(" ,.")
    names = (there, to["place"].strip())
    if any(not name or len(name.split()) > _MOST_WORDS or measure_of(name) for name in names):
        return None
    return Elsewhere(said["clock"], *names)


def _japanese(text: str) -> ClockQuestion | None:
    for said in _whole("elsewhere_ja", text):
        if re.search(r"[とや、。()（）]|こっち|こちら", said["a"] + said["b"]):
            return None  # several places, or more is told
        return Elsewhere(clock_in_figures(said["c"]), said["a"].removesuffix("時間"), said["b"])
    for said in _whole("span_ja", text):
        ends = (clock_in_figures(said["a"]), clock_in_figures(said["b"]))
        return Spans((ends,), "minutes" if said["u"] == "分" else "")
    for said in _whole("later_ja", text):
        clock = clock_in_figures(said["c"]) if said["c"] else ""
        return Later(clock, said["l"].replace("時間半", "時間30分"), said["w"] == "前")
    for said in _whole("nth_ja", text):
        return Later(clock_in_figures(said["c"]), f"{int(said['n']) * (int(said['k']) - 1)}{said['unit']}", back=False)
    return next((Difference(said["a"], said["b"]) for said in _whole("difference_ja", text)), None)
