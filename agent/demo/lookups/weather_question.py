"""The weather of a place on a day, by the tool ``weather`` where there is one; the search is asked else."""

from __future__ import annotations

import json
import re

from agent.demo.lookups.lookup import NOT_A_FACT, tidy
from agent.demo.rules.plan import WEATHER, Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import either
from agent.toolkit.arguments.argument_dates import read_date

_WHEN = (
    r"today|now|right now|tomorrow|tonight|yesterday|the day after tomorrow|the day before yesterday|in \d+ days|"
    r"(?:on |next |this |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|on [\w .,-]*\d[\w .,-]*"
)
_ASKED = {
    "en": (
        re.compile(
            rf"(?:(?:(?:what|how) (?:is|was|will)|show(?: me)?|give me) )?(?:the )?"
            rf"(?:be )?(?:(?P<before>today|tomorrow|yesterday)'s )?(?:weather(?: forecast)?|forecast)(?: be)?(?: like)?"
            rf"(?: (?P<middle>{_WHEN}))? (?:in|at|for) (?P<place>[^?\d]+?)(?: (?P<after>{_WHEN}))?",
            re.I,
        ),
    ),
    "ja": (
        re.compile(r"(?P<before>今日|本日|明日|明後日|昨日)の(?P<place>[^?。のは]+)の(?:天気|天気予報)"),
        re.compile(r"(?P<place>[^?。のは]+)の(?:(?P<middle>今日|本日|明日|明後日|昨日)の)?(?:天気|天気予報)"),
    ),
}
_NOW = {"now", "right now", ""}


def forecast(question: Question) -> Plan | None:
    """ "What is the weather in Paris tomorrow?", 「東京の天気」."""
    if WEATHER not in question.tools:
        return None
    text = tidy(question)
    match = next((found for one in _ASKED[question.language] if (found := one.fullmatch(text))), None)
    if match is None or NOT_A_FACT.search(match["place"]):
        return None
    place = re.sub(r"^the ", "", match["place"].strip(" ,"), flags=re.I)
    when = next((found for name, found in match.groupdict().items() if name != "place" and found), "")
    when = re.sub(r"^on ", "", when.lower())
    day = None if when in _NOW or question.today is None else read_date(when, question.today)
    if when not in _NOW and day is None:
        return None
    arguments = {"place": place, **({"date": day.isoformat()} if day else {})}

    def steps() -> Steps:
        seen = yield Call(WEATHER, json.dumps(arguments, ensure_ascii=False), _why(question, place))
        head, *days = [line for line in seen.splitlines() if line.strip()]
        # Now and today, or the one day; what follows is of further days and other places.
        told = days[: 1 if day and not days[0].startswith(("Now", "現在")) else 2]
        stop = either(question.language, ". ", "。")
        return Said(f"{head.removesuffix(' [1]')}: {stop.join(told)}{stop.strip()} [1]")

    return Plan(steps)


def _why(question: Question, place: str) -> str:
    return either(
        question.language,
        f"The weather is nothing I can know by myself. I look it up for {place}.",
        f"天気は自分では分からないので、{place}の天気を調べます。",
    )
