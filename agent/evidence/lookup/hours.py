"""Times of day that sources write otherwise: with a point, or a full hour without its minutes."""

from __future__ import annotations

from agent.evidence.sources import Finding, Sources
from agent.text.regex import regex

_HOUR, _FEWEST_HOURS, _MOST_OF_A_DAY = regex(r"[01]?[0-9]|2[0-3]"), 3, 12
_OF_HOURS = regex(r"\bh(?:ou)?rs?\b|timestamp|uhrzeit|stunde|heures?\b|horas?\b|\bore\b|時間?帯")
_AT_HOUR = regex(
    r"\b(?:by|before|until|till|after|at|from|around|um|vor|bis|nach|ab|gegen|avant|à|vers|après|antes de las|a las) "
    r"(1?[0-9]|2[0-4])(?![0-9.,:/%]|(?: [^\W\d_]{3,})? (?:people|days|weeks|months|years|minutes|hours)\b)"
)
_OF_TIMES = regex(
    r"\b(?:open\w*|clos\w*|hours|daily|start\w*|begin\w*|ends?|arriv\w*|depart\w*|leaves?|until|admission|entry|tours?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|uhr|beginn|ende|geöffnet|ouvert\w*|horaires?|horario)\b"
)
_HOUR_TOLD = regex(
    r"(?<![0-9.,:])([0-9]|1[0-9]|2[0-4])(?: ?(?:and|to|y|a|e|et|à|und|bis|–|-) ?(?:las |les )?([0-9]|1[0-9]|2[0-4]))? ?"
    r"(?:horas|heures|uhr|o'clock|時(?!間))"
)
_AROUND = 60  # characters around a time


def as_hour(minute: int, sources: Sources) -> Finding:
    """A time that is written with a point in prose of times, or a full hour that stands without its minutes: "19" in a
    table by hours, "before 11" in the question, "las 22 horas".
    """
    hour, rest = divmod(minute, 60)
    pointed = regex(rf"(?<![0-9.,:$€£])(?:0?{hour})\.{rest:02}(?![.,:]?[0-9]| ?(?:%|per|[$€£]|km|m\b|kg))")
    for number, source in enumerate(sources.texts):
        near = pointed.finditer(source.lower) if source.origin == "seen" and f".{rest:02}" in source.lower else ()
        for match in near:
            around = max(0, match.start() - _AROUND), match.end() + _AROUND
            if source.page.is_timetable or _OF_TIMES.search(source.lower, *around) is not None:
                return Finding("seen", ((number, *match.span()),))
        told = _HOUR_TOLD.finditer(source.lower) if source.origin == "seen" and not rest else ()
        for match in told:
            if str(hour) in (match[1], match[2]):
                return Finding("seen", ((number, *match.span()),))
    for number, source in enumerate(sources.texts if not rest else ()):
        for subjects in source.tables:
            rows = [row[0] for row in subjects.table.body if row[0].text]
            hours = [int(cell.text) for cell in rows if _HOUR.fullmatch(cell.text)]
            by_hour = len(hours) == len(rows) >= _FEWEST_HOURS and hours == sorted({*hours})
            told = len(hours) >= _MOST_OF_A_DAY or any(map(_OF_HOURS.search, (source.asked, source.lower)))
            if by_hour and hour in hours and told:
                return Finding("seen", ((number, rows[hours.index(hour)].start, rows[hours.index(hour)].end),))
        said = _AT_HOUR.finditer(source.lower) if source.origin == "given" else ()
        at = next((match for match in said if int(match[1]) % 12 == hour % 12), None)
        if at is not None:
            return Finding("given", ((number, *at.span(1)),))
    return Finding("not_found")
