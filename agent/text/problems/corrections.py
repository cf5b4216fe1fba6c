"""A correction ("no, I meant 15%", "sorry, 16 not 15"): the question before with that one part put right."""

from __future__ import annotations

import re
from math import log

from agent.text.regex import regex

_CUES = regex(
    r"^(?:(?:no+|oh|ah|oops|sorry|wait|hang on|hold on|my (?:mistake|bad)|correction|actually|scratch that"
    r"|i (?:meant?|mean)(?: to (?:say|type))?|make (?:it|that)|(?:that|it) should (?:be|have been)|should be|rather"
    r"|it's|it is|its|that's|there are|we are|we're)\b[ ,.:;!-]*)+",
    re.I,
)
# Without one of these what begins so may go on from the answer.
_SURE = regex(r"\b(?:no+|oops|sorry|mistake|bad|correction|scratch|meant?|make|should)\b", re.I)
_SO_MANY = regex(r"(?:it's |it was |there are |i have )?\d[\d.,]* (?!more\b|less\b|extra\b)[a-z]{3,}", re.I)
_BESIDE = r"(?:(?:of|by|for|in|at|with|to|between|on|from) )?"
_NUMBER = r"[$€£]?\d[\d.,]*\d|[$€£]?\d"
_SAID = rf"(?:{_NUMBER})(?: ?%| percent\b)?(?: ?[a-z]+(?:/[a-z]+)?)?"
_NOT_FIRST = regex(rf"not {_BESIDE}(?P<old>{_SAID}),? (?:but )?{_BESIDE}(?P<new>{_SAID})", re.I)
_NOT_LAST = regex(rf"{_BESIDE}(?P<new>{_SAID}),? (?:not|instead of|rather than) {_BESIDE}(?P<old>{_SAID})", re.I)
_NEW = regex(rf"(?P<beside>{_BESIDE})(?P<new>{_SAID})(?: (?:off|instead|please))*", re.I)
_AT_CLOCK = regex(r"(?:[a-z']+ ){0,5}(?P<new>\d{1,2}:\d\d(?: ?[ap]m)?)", re.I)
_CLOCK = regex(r"\b\d{1,2}:\d\d(?: ?[ap]m)?\b", re.I)
_PARTS = regex(
    r"(?<![\w.,])(?P<sign>[$€£]?)(?P<n>\d[\d.,]*\d|\d)(?![\w.,]*\d)"
    r"(?P<percent> ?(?:%|percent\b))?(?P<unit>[ /]?[a-z/]+)?",
    re.I,
)


def corrected(text: str, before: str) -> str | None:
    """``before`` as it was meant, "" where it is not sure which part is wrong; ``None`` where nothing is corrected."""
    cues = _CUES.match(text)
    said = re.sub(r"[ ?.!]+$", "", text[cues.end() :] if cues else text)
    sure = cues and (_SURE.search(cues[0]) or ("actually" in cues[0].lower() and _SO_MANY.fullmatch(said)))
    if not sure and not _NOT_LAST.fullmatch(said):
        return None
    if both := _NOT_FIRST.fullmatch(said) or _NOT_LAST.fullmatch(said):
        return _exchanged(both["old"], both["new"], before)
    if at := _AT_CLOCK.fullmatch(said):
        told = _CLOCK.findall(before)
        return before.replace(told[0], at["new"]) if len(told) == 1 else ""
    if (whole := _alike(said, before)) is not None:
        return whole
    if alone := _NEW.fullmatch(said):
        return _fitted(alone["new"], alone["beside"], before)
    return ""


def _exchanged(old: str, new: str, before: str) -> str:
    places = list(re.finditer(rf"(?<![\w.,]){re.escape(old)}(?![\w%]|[.,]\d)", before, re.I))
    return f"{before[: places[0].start()]}{new}{before[places[0].end() :]}" if len(places) == 1 else ""


def _alike(said: str, before: str) -> str | None:
    """A part of the question said again with one other figure: "15% of 90" for "15% of 80"."""
    if len(_PARTS.findall(said)) < 2:
        return None
    fields = [re.escape(piece) for piece in re.split(r"\d[\d.,]*\d|\d", said)]
    places = list(re.finditer(r"(?<![\w.,])" + r"\d[\d.,]*?".join(fields) + r"(?![\w.,]*\d)", before, re.I))
    return f"{before[: places[0].start()]}{said}{before[places[0].end() :]}" if len(places) == 1 else ""


_MUCH_NEARER = 5  # times as near, by their ratio


def _near(several: list[re.Match[str]], new: str) -> list[re.Match[str]]:
    """The one of two figures that the new one is much nearer to: 14 is meant for 13 and not for 25."""
    apart = [abs(log(_number(one["n"]) / _number(new))) if _number(one["n"]) * _number(new) else 0 for one in several]
    first, second = sorted(range(2), key=lambda place: apart[place])
    other = several[second]["n"]
    if new.startswith(other) or other.startswith(new):
        return []  # a digit was left out, or typed twice
    return [several[first]] if 0 < apart[first] * _MUCH_NEARER < apart[second] else []


def _number(figure: str) -> float:
    return float(figure.replace(",", "").rstrip("."))


def _fitted(new: str, beside: str, before: str) -> str:
    """The new part in the place of the only one of its kind: a share, an amount of money, so many of a thing."""
    part = _PARTS.fullmatch(new)
    if part is None:
        return ""
    unit = (part["unit"] or "").strip().lower()
    several = list(_PARTS.finditer(before))
    if len(several) > 2 and not part["percent"]:
        return ""  # "12 eggs cost 3.60, what do 30 cost?": 40 eggs may be meant for either
    if part["percent"]:
        several = [one for one in several if one["percent"]]
    elif part["sign"]:
        several = [one for one in several if one["sign"]]
    elif unit:
        names = {unit, unit.removesuffix("s"), f"{unit}s"}
        several = [one for one in several if (one["unit"] or "").strip().lower() in names]
    elif beside:
        several = [one for one in several if before[: one.start()].lower().endswith(beside.lower())]
    elif len(several) == 2:
        several = _near(several, part["n"])
    if len(several) != 1:
        return ""
    end = (
        several[0].end("n")
        if not (part["percent"] or unit)
        else several[0].end("percent" if part["percent"] else "unit")
    )
    return f"{before[: several[0].start()]}{part['sign'] or several[0]['sign']}{new.lstrip('$€£')}{before[end:]}"
