"""A run's pace, as minutes and seconds for each kilometre or mile: 5 km in 27:30, a marathon in four hours."""

from __future__ import annotations

import re
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language, either

_LONGEST = 160  # characters
_WAY = regex(
    r"(?<![\d.:])(?P<n>\d+(?:\.\d+)?)[ -]?(?P<unit>km|kilomet(?:er|re)s?|miles?|mi|k"
    r"|キロ(?:メートル)?(?!グラム))(?![a-z/])(?: (?:run|race))?"
)
_LENGTH = regex(
    r"(?<![\d.:])(?:(?P<a>\d{1,3}):(?P<b>[0-5]\d)(?::(?P<c>[0-5]\d))?"
    r"|(?:(?P<h>\d+(?:\.\d+)?) ?(?:hours?|hrs?|h|時間)(?P<half>半)?)?[ ,]?(?:and )?(?:(?P<m>\d+) ?(?:minutes?|mins?"
    r"|min|分))?[ ,]?(?:and )?"
    r"(?:(?P<s>\d+) ?(?:seconds?|secs?|sec|s|秒|(?<=(?:minutes|.minute) \d\d)))?)(?![a-z\d:])"
)
_ASKED = regex(
    r"\b(?:whats?|which|how)\b[^.?!\d]*\bpace\b[^.?!\d]*|\bpace(?: per [a-z]+)?\W*$|\b(?:how (?:long|many minutes)"
    r"|what)\b[^.?!\d]*\b(?:per|for each|for every|each|a|every) (?:km|kilomet(?:er|re)|mile|k)\b[^.?!\d]*"
    r"|(?<![\d.])1(?:キロ|km)(?:あたり|当たり|につき|を)?(?:の?ペースは?)?何分(?:何秒)?[^。]*"
)
_TURNS = regex(
    r"\b(?:not|no|but|except|without|break|stop\w*|rest\w*|each way|back|twice|times|first|last|second half|then"
    r"|walk(?:ed)?|half|faster|slower|than|average of|splits?|"
    r"laps?|more|less|left|per|every|if i (?:want|add)|on monday)\b|n['’]t\b"
    r"|休憩|往復|半分|休ん|周|残り|だけ|より|速く|遅く|ずつ|毎日"
)
_HALF_MARATHON = regex(r"\b(?:an? )?half[- ]marathon\b|ハーフマラソン")
_QUICKEST, _SLOWEST = 120, 1800  # seconds of a kilometre or mile


def pace(text: str, language: Language) -> Problem | None:
    """ "I ran 5 km in 27:30, what pace?", 「10キロを50分で走った。1キロ何分何秒？」."""
    text = " ".join(text.lower().split())
    asked = _ASKED.search(text) if len(text) <= _LONGEST else None
    if asked is None:
        return None
    told = _HALF_MARATHON.sub(" ", f"{text[: asked.start()]} § {text[asked.end() :]}")
    ways, rest = list(_WAY.finditer(told)), _WAY.sub(" ", told)
    lengths = [found for found in _LENGTH.finditer(rest) if found[0].strip()]
    rest = _LENGTH.sub(" ", rest)
    if len(ways) != 1 or len(lengths) != 1 or re.search(r"\d", rest) or _TURNS.search(rest):
        return None
    way, mile = Fraction(ways[0]["n"]), ways[0]["unit"].startswith("mi")
    if not way or re.search(r"\bmile\b" if not mile else r"\b(?:km|kilomet)", asked[0]):
        return None
    seconds = [one for one in _seconds(lengths[0]) if _QUICKEST <= one / way <= _SLOWEST]
    if len(seconds) != 1:
        return None
    whole = round(seconds[0] / way)
    minutes, rest_of_it = divmod(whole, 60)
    near = seconds[0] / way != whole
    told_in = either(
        language,
        f"That is {'about ' if near else ''}{minutes}:{rest_of_it:02} ({minutes} minutes {rest_of_it} seconds,"
        f" {{figure}} minutes) per {'mile' if mile else 'km'}.",
        f"{'1マイル' if mile else '1キロ'}あたり{'約' if near else ''}{minutes}分{rest_of_it}秒（{{figure}}分）です。",
    )
    sum_ = f"{figure_of(seconds[0] / 60)} / {figure_of(way)}"
    return Problem("pace", sum_, either(language, "the minutes of each", "1つあたりの分"), told=told_in)


def _seconds(said: re.Match[str]) -> list[Fraction]:
    """A length in seconds; 3:30 may be of minutes or hours."""
    if said["a"]:
        first, second, third = int(said["a"]), int(said["b"]), said["c"]
        if third:
            return [Fraction(first * 3600 + second * 60 + int(third))]
        return [Fraction(first * 60 + second), Fraction(first * 3600 + second * 60)]
    hours = Fraction(said["h"] or 0) + (Fraction(1, 2) if said["half"] else 0)
    return [hours * 3600 + int(said["m"] or 0) * 60 + int(said["s"] or 0)]
