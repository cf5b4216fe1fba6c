"""What times of day are elsewhere, between two and so much later: by the tool ``now``."""

from __future__ import annotations

from datetime import date
from functools import partial

from agent.demo.rules.plan import CALCULATOR, NOW, Call, Plan, Question, Said, Steps, asked_clock
from agent.text.problems.clock_figures import in_figures, told_in_figures
from agent.text.problems.clock_questions import Difference, Elsewhere, Later, Spans, read_clock_question
from agent.text.problems.clock_stories import asks_of_another, clock_story, of_this_year
from agent.text.quantities.dates import WEEKDAYS
from agent.text.regex import regex
from agent.text.sums.phrases import Value, measured

_SECONDS = regex(r"\((-?[\d,]+) seconds\)")
_THERE = regex(r"(?P<weekday>\w+day), \d+ \w+ \d{4}, (?P<clock>\d\d:\d\d)(?::\d\d)?(?: in (?P<zone>\S+)| UTC)")
_OFFSET = regex(r"T[\d:]+(?:\.\d+)?([+-])(\d\d):(\d\d)\)")
_IN = {"seconds": 1, "minutes": 60, "hours": 3600}
_DAY = 86400


def times(question: Question) -> Plan | None:
    """ "3pm New York in London", "9am to 5:30pm", 「午後3時の2時間後は何時？」."""
    if (question.tools and NOW not in question.tools) or question.today is None:
        return None
    text = of_this_year(told_in_figures(question.text), question.today)
    if asks_of_another(text):
        return None
    found = read_clock_question(text, question.language) or (clock_story(text) if question.language == "en" else None)
    match found:
        case Elsewhere():
            return Plan(partial(_elsewhere, question, found))
        case Spans():
            return Plan(partial(_spans, question, found), Value("1", found.unit or "hours"))
        case Later():
            return Plan(partial(_later, question, found))
        case Difference():
            return Plan(partial(_difference, question, found), Value("1", "hours"))
        case _:
            return None


_looked = partial(asked_clock, why="looking_at_clock")


def _on_the_day(question: Question, clock: str, day: date | None = None) -> str:
    return f"{day or question.today} {in_figures(clock)}"


def clock_called(question: Question, first: str, last: str) -> Call:
    """The call that tells how long it is from one time of day to another."""
    return _looked(question, date=_on_the_day(question, first), until=in_figures(last))


def _elsewhere(question: Question, found: Elsewhere) -> Steps:
    when = f"{_on_the_day(question, found.clock, found.day)} {found.there}"
    seen = yield _looked(question, zone=found.place, date=when)
    there = _THERE.search(seen)
    if there is None:
        return Said(question.tell("tool_failed", reason=seen.split("\n", 1)[0]), declined=True)
    day = _weekday(question, there["weekday"])
    given = {"clock": found.clock, "there": found.there, "place": found.place, "weekday": day}
    return Said(question.tell("elsewhere", **given, figure=there["clock"]))


def _weekday(question: Question, name: str) -> str:
    return WEEKDAYS[question.language][WEEKDAYS["en"].index(name)]


def _spans(question: Question, found: Spans) -> Steps:
    total, ends = 0, ""
    for first, last in found.ends:
        seen = yield clock_called(question, first, last)
        seconds = _SECONDS.search(seen)
        if seconds is None:
            return Said(question.tell("tool_failed", reason=seen.split("\n", 1)[0]), declined=True)
        total += int(seconds[1].replace(",", "")) % _DAY
        ends = question.tell("span_ends", first=first, last=last)
    ends = ends if len(found.ends) == 1 else question.tell("all_spans")
    unit = found.unit or ("hours" if total >= 3600 or question.language == "ja" else "minutes")
    value = Value(_divided(total, _IN[unit]), unit)
    figure = measured(value, question.language)
    if unit == "hours" and total % 3600:
        parts = {"hours": total // 3600, "minutes": total % 3600 // 60}
        told = {unit: measured(Value(str(count), unit), question.language) for unit, count in parts.items()}
        figure = question.tell("hours_minutes", **told, figure=figure)
    return Said(question.tell("span", ends=ends, figure=figure), value, (question.tell("ask_half"),))


def _divided(total: int, by: int) -> str:
    return f"{total / by:.6f}".rstrip("0").rstrip(".")


def _later(question: Question, found: Later) -> Steps:
    added = f"-{found.length}" if found.back else found.length
    seen = yield _looked(question, date=_on_the_day(question, found.clock) if found.clock else "", add=added)
    there = _THERE.search(seen.rpartition(" is ")[2])
    if there is None:
        return Said(question.tell("tool_failed", reason=seen.split("\n", 1)[0]), declined=True)
    told = {"length": found.length, "clock": found.clock or question.tell("now"), "figure": there["clock"]}
    weekday = _weekday(question, there["weekday"])
    text = question.tell("clock_before" if found.back else "clock_after", **told)
    same = question.today is None or there["weekday"] == f"{question.today:%A}"
    zone = "" if found.clock else " (UTC)"
    end = question.tell("full_stop")
    return Said(text + zone + ("" if same else question.tell("on_weekday", weekday=weekday)) + end)


def _difference(question: Question, found: Difference) -> Steps:
    shifts: list[int] = []
    for place in (found.first, found.second):
        seen = yield _looked(question, zone=place)
        offset = _OFFSET.search(seen)
        if offset is None:
            return Said(question.tell("tool_failed", reason=seen.split("\n", 1)[0]), declined=True)
        minutes = int(offset[2]) * 60 + int(offset[3])
        shifts.append(-minutes if offset[1] == "-" else minutes)
    apart = yield Call(CALCULATOR, f"({shifts[1]} - ({shifts[0]})) / 60", question.tell("counting_hours"))
    ahead = not apart.startswith("-")
    figure = measured(Value(apart.removeprefix("-"), "hours"), question.language)
    places = (found.second, found.first) if ahead else (found.first, found.second)
    return Said(question.tell("hours_ahead", first=places[0], second=places[1], figure=figure))
