"""What changes by the hour, through the search: temperatures and exchange rates. Each function is one ability."""

from __future__ import annotations

import re

from agent.demo.lookups.lookup import NOT_A_FACT, TIMES, tidy
from agent.demo.rules.observations import best, lines, quote, temperature
from agent.demo.rules.plan import SEARCH, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import further
from agent.demo.sums.conversion import converting
from agent.text.quantities.units import measure_of
from agent.text.sums.phrases import Value, either, measured, shown

_TEMPERATURE = {
    "en": re.compile(
        r"(?:what (?:is|was|will be)|what's|how (?:hot|cold|warm) (?:is|was|will it be)|(?:tell me|search for)) ?"
        r"(?:it |the )?"
        r"(?P<what>(?:(?:current|average|highest|lowest|high|low|maximum|minimum) )?(?:temperature|temp|high|low)s? )?"
        r"(?P<place>(?:in|at|for) [^?\d]+?)(?: in (?:degrees )?(?P<unit>fahrenheit|celsius|kelvin|f|c))?",
        re.I,
    ),
    "ja": re.compile(
        r"(?P<place>.+?)の(?P<what>最高気温|最低気温|気温)(?:は|を|って)?(?:、?(?P<unit>摂氏|華氏|"
        r"ケルビン)で?)?(?:は?何度)?"
    ),
}
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
        found = lines((yield Call(SEARCH, query, _why(question, query))))
        seen = temperature(found, wanted)
        if seen is None:
            line, _ = best(found, query)
            return Said(_no_temperature(question, quote(line, query)))
        figure, seen_unit, line = seen
        value = Value(figure, seen_unit)
        told = _seen(question, value, f"“{line.text}” {line.marks}".rstrip(), line.text)
        if unit and unit != seen_unit:
            converted = Value((yield converting(question, shown(value, "en"), unit)), unit)
            told += " " + either(
                question.language,
                f"{shown(value, 'en')} is {measured(converted, 'en')}.",
                f"{shown(value, 'ja')}は{measured(converted, 'ja')}です。",
            )
            value = converted
        return Said(told, value, further(question, value))

    return Plan(steps, Value("20", unit or "°C"))


def _why(question: Question, query: str) -> str:
    return either(
        question.language,
        f"The weather is nothing I can know by myself. I search for “{query}”.",
        f"天気は自分では分からないので、「{query}」を検索します。",
    )


def _no_temperature(question: Question, told: str) -> str:
    return either(
        question.language,
        f"The search gave no single temperature that I can rely on. Its best result: {told}",
        f"信頼できる気温は見つかりませんでした。最もよい結果: {told}",
    )


def _seen(question: Question, value: Value, quoted: str, line: str) -> str:
    language = question.language
    told = either(
        language,
        f"The search gives {shown(value, 'en')}: {quoted}.",
        f"検索結果では{shown(value, 'ja')}です: {quoted}。",
    )
    asked = [word for word in _WHEN[language] if word in question.text.lower()]
    if asked and asked[0] not in line.lower():
        told += " " + either(
            language, f"(It does not say that this is for {asked[0]}.)", f"（{asked[0]}の値とは書かれていません。）"
        )
    return told


_CODES = (
    r"usd|eur|gbp|jpy|chf|cad|aud|inr|cny|krw|us dollars?|dollars?|euros?|british pounds?|pounds sterling|"
    r"yen|yuan|francs?|rupees?|won"
)
_EXCHANGE = {
    "en": re.compile(
        rf"(?:convert |what is |how much is |how much are )?(?P<n>[$€£¥]?[\d,.]+) ?(?P<a>{_CODES})? (?:in|to|into) "
        rf"(?P<b>{_CODES})",
        re.I,
    ),
    "ja": re.compile(
        r"(?P<n>[$€£¥]?[\d,.]+) ?(?P<a>円|ドル|ユーロ|ポンド|元|ウォン)は何?(?P<b>円|ドル|ユーロ|元|ウォン)(?:ですか)?"
    ),
}


def exchange(question: Question) -> Plan | None:
    """ "100 USD in EUR": needs today's rate, so only an answer that the search gives as one will do."""
    match = _EXCHANGE[question.language].fullmatch(re.sub(r"[ ?。]+$", "", question.text))
    if match is None or not (match["a"] or match["n"][0] in "$€£¥"):
        return None
    language = question.language
    thought = either(
        language, "That needs today's exchange rate, so I search for it.", "今日の為替レートが要るので検索します。"
    )
    query = re.sub(r"^(?:convert|what is|how much is|how much are) ", "", match[0], flags=re.I)

    def steps() -> Steps:
        found = lines((yield Call(SEARCH, query, thought)))
        if found[0].answer:
            told = f"“{found[0].text}” {found[0].marks}".rstrip()
            return Said(either(language, f"The search says: {told}", f"検索結果: {told}"))
        return Said(
            either(
                language,
                "The search gave no exchange rate, and rates change by the minute, so I will not guess one.",
                "為替レートは見つかりませんでした。レートは刻々と変わるので、推測はしません。",
            )
        )

    return Plan(steps)
