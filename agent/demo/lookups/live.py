"""What changes by the hour: the weather by its tool, temperatures and exchange rates through the search.

Each public function is one ability.
"""

from __future__ import annotations

import json
import re

from agent.demo.lookups.lookup import NOT_A_FACT, TIMES, tidy
from agent.demo.phrasebook import forms, phrase
from agent.demo.rules.plan import SEARCH, WEATHER, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import converting, further
from agent.text.findings import best, lines, quote, temperature
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Value, either, matches, measured, shown
from agent.toolkit.arguments.argument_dates import read_date

_TEMPERATURE = {"en": phrase("temperature_en"), "ja": phrase("temperature_ja")}
_WANTED = (("high", "high"), ("max", "high"), ("最高", "high"), ("low", "low"), ("min", "low"), ("最低", "low"))
_WHEN = {"en": ("yesterday", "tomorrow", "tonight", "last night"), "ja": ("昨日", "明日", "今夜")}


def weather(question: Question) -> Plan | None:
    """ "What was the high temperature in SF yesterday in Fahrenheit?": a search, and a conversion if one is needed."""
    text = tidy(question)
    match = _TEMPERATURE[question.language].fullmatch(text)
    if (
        match is None
        or not (match["what"] or text.lower().startswith("how "))
        or NOT_A_FACT.search(TIMES.sub("", match["place"]))
    ):
        return None
    unit = measure_of(match["unit"])[0].name if match["unit"] else ""
    what = match["what"] or "temperature "
    query = f"{match['place']}の{what}" if question.language == "ja" else f"{what}{match['place']}"
    wanted = next((kind for word, kind in _WANTED if word in what.lower()), "")

    def steps() -> Steps:
        found = lines((yield Call(SEARCH, query, question.tell("search_weather", query=query))))
        seen = temperature(found, wanted)
        if seen is None:
            line, _ = best(found, query)
            return Said(question.tell("no_temperature", told=quote(line, query)))
        figure, seen_unit, line = seen
        value = Value(figure, seen_unit)
        told = _seen(question, value, f"“{line.text}” {line.marks}".rstrip(), line.text)
        if unit and unit != seen_unit:
            converted = Value((yield converting(question, shown(value, "en"), unit)), unit)
            figure = measured(converted, question.language)
            told += " " + question.tell("result", called=shown(value, question.language), figure=figure)
            value = converted
        return Said(told, value, further(question, value))

    return Plan(steps, Value("20", unit or "°C"))


def _seen(question: Question, value: Value, quoted: str, line: str) -> str:
    told = question.tell("temperature", figure=shown(value, question.language), quoted=quoted)
    asked = [word for word in _WHEN[question.language] if word in question.text.lower()]
    if asked and asked[0] not in line.lower():
        told += " " + question.tell("temperature_of", day=asked[0])
    return told


_EXCHANGE = {"en": phrase("exchange_en"), "ja": phrase("exchange_ja")}


def exchange(question: Question) -> Plan | None:
    """ "100 USD in EUR": needs today's rate, so only an answer that the search gives as one will do."""
    match = _EXCHANGE[question.language].fullmatch(re.sub(r"[ ?。]+$", "", question.text))
    if match is None or not (match["a"] or match["n"][0] in "$€£¥"):
        return None
    query = re.sub(r"^(?:convert|what is|how much is|how much are) ", "", match[0], flags=re.I)

    def steps() -> Steps:
        found = lines((yield Call(SEARCH, query, question.tell("search_rate"))))
        if found[0].answer:
            return Said(question.tell("found", told=f"“{found[0].text}” {found[0].marks}".rstrip()))
        return Said(question.tell("no_rate"))

    return Plan(steps)


_FORECAST = {"en": forms("forecast_en"), "ja": forms("forecast_ja")}
_NOWHERE, _WEATHER = forms("forecast_nowhere"), regex("weather|rain|snow|天気|気温", re.I)
_NOW = {"now", "right now", ""}


def forecast(question: Question) -> Plan | Said | None:
    """ "What is the weather in Paris tomorrow?", 「東京の天気」; where it is of no place, one is asked for."""
    if WEATHER not in question.tools:
        return None
    text = tidy(question)
    if next(matches(_NOWHERE, text), None) is not None:
        named = any(_WEATHER.search(column.called) for table in question.tables for column in table.columns)
        return None if named else Said(question.tell("weather_where"), asks=True)
    match = next(matches(_FORECAST[question.language], text), None)
    if match is None or NOT_A_FACT.search(match["place"]):
        return None
    place = re.sub(r"^the ", "", match["place"].strip(" ,"), flags=re.I)
    when = next((found for name, found in match.items() if name != "place" and found), "")
    when = re.sub(r"^on ", "", when.lower())
    day = None if when in _NOW or question.today is None else read_date(when, question.today)
    if when not in _NOW and day is None:
        return None
    arguments = {"place": place, **({"date": day.isoformat()} if day else {})}

    def steps() -> Steps:
        why = question.tell("look_up_weather", place=place)
        seen = yield Call(WEATHER, json.dumps(arguments, ensure_ascii=False), why)
        head, *days = [line for line in seen.splitlines() if line.strip()]
        # Now and today, or the one day; what follows is of further days and other places.
        told = days[: 1 if day and not days[0].startswith(("Now", "現在")) else 2]
        stop = either(question.language, ". ", "。")
        return Said(f"{head.removesuffix(' [1]')}: {stop.join(told)}{stop.strip()} [1]")

    return Plan(steps)
