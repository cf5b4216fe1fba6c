"""Questions of fact, through the search: each function is one ability. The answer is a quotation, never a retelling."""

from __future__ import annotations

import re

from agent.demo.rules.observations import best, lines, quote
from agent.demo.rules.plan import SEARCH, Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import either

_FACT = (
    r"capital(?: city)?|population|currency|president|vice president|prime minister|king|queen|emperor|mayor|"
    r"chancellor|pope|"
    r"area|height|length|depth|elevation|size|author|director|founder|inventor|discoverer|ceo|owner|headquarters|"
    r"official languages?|languages?|flag|national anthem|national animal|atomic number|chemical symbol|symbol|"
    r"chemical formula|boiling point|melting point|gdp|meaning|definition|origin|history|etymology|weather|forecast|"
    r"highest mountain|longest river|largest city|tallest building|largest country|largest lake|time zone|birthplace"
)
_SUBJECT = r"(?P<subject>[^?!;]+)"
_ENGLISH = (
    rf"(?:what|who) (?:is|are|was|were) (?:the )?(?P<fact>{_FACT}) (?:of|in|for) {_SUBJECT}",
    rf"(?:the )?(?P<fact>{_FACT}) (?:of|in) {_SUBJECT}",
    rf"(?:what is|how is) the (?P<fact>weather)(?: like)? (?:in|at) {_SUBJECT}",
    rf"who (?:is|was|are|were) {_SUBJECT}",
    rf"who (?P<fact>invented|discovered|wrote|painted|founded|built|won|directed|composed|designed|created) {_SUBJECT}",
    rf"when (?:is|was|were) {_SUBJECT} (?P<fact>born|built|founded|invented|discovered|established|published|released)",
    rf"when did {_SUBJECT} (?P<fact>die|end|begin|start|happen|open|close|sink|fall)",
    rf"where (?:is|was|are|were) {_SUBJECT}(?: (?P<fact>born|located))?",
    rf"how (?P<fact>tall|high|long|deep|old|big|large|far away) (?:is|was) {_SUBJECT}",
    rf"(?:what|who) (?:is|are|was|were) (?:an? |the )?(?!(?:temperature|weather|the)\b){_SUBJECT}",
    rf"(?:tell me about|what do you know about|define) {_SUBJECT}",
)
_JAPANESE_FACT = "首都|人口|面積|大統領|首相|通貨|公用語|標高|高さ|長さ|天気|国旗|作者|著者|社長|創業者|意味|歴史"
_JAPANESE = (
    rf"(?P<subject>[^?。]+?)の(?P<fact>{_JAPANESE_FACT})(?:は|を|って)?",
    r"(?P<subject>[^?。]+?)(?:とは?|って)(?:何|なに|誰|だれ)?",
    r"(?P<subject>[^?。]+?)は(?:誰|だれ|どこ)(?:にある|にいる)?",
    r"(?P<subject>[^?。]+?)(?:が|は)(?:いつ|どこで)(?P<fact>生まれた|建てられた|発明された|亡くなった|生まれ)(?:の)?",
)
_EXPLICIT = {
    "en": re.compile(
        r"(?:search(?: (?:the web|the internet|online|wikipedia))?(?: for)?|look up|google) (?P<query>.+)", re.I
    ),
    "ja": re.compile(r"(?P<query>.+?)(?:を|について)(?:検索|調べ)(?:して|て)?(?:ください|下さい|ほしい)?"),
}
NOT_A_FACT = re.compile(
    r"\b(?:i|my|me|mine|myself|you|your|yours|yourself|we|our|us|it|its|that|this|these|those|they|them|their|he|him|his|she|her|"
    r"what|who|how|when|where|why|which|if|then|best|worst|favou?rite|better|should|opinion|think|prefer|nicest|"
    r"square|cube|root|factorial|percent|percentage|plus|minus|times|divided|multiplied|sum|average|mean|median|"
    r"binary|hexadecimal|hex|octal|sqrt|equation|derivative|integral|log|logarithm|sine|cosine|solution|"
    r"today's|time|date|day|tomorrow|difference|same|remainder|wrong|up|going on|new|joke|poem|story|code|"
    r"function|script|answer|number|digit|letter|half|third|quarter|twice|double|triple|product|ratio|someone|"
    r"somebody|"
    r"again|else|too|also|instead|now|yesterday|later|please|thanks|ok|really|sure|yes|no|maybe|and you)\b"
    r"|私|僕|俺|あなた|君の|これ|それ|あれ|その|この|最高の|一番|おすすめ|好き|平方|二乗|階乗|立方|何",
    re.I,
)
_SUM_LIKE = re.compile(r"[+*/^=√%<>]|\d\s*-\s*\d")
TIMES = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|now|right now|last night|this morning)\b|今日|昨日|明日", re.I
)
_LETTERS = re.compile(r"[^\W\d_]{2}|[一-龯]")
_MOST_WORDS = 9


def tidy(question: Question) -> str:
    if question.language == "ja":
        return re.sub(
            r"(?:ですか|でしょうか|か|を?教えて(?:ください)?|は何ですか|は何|は|何|って何)?[?。]*$", "", question.text
        )
    text = re.sub(r"^(?:please |can you |could you |do you know |tell me (?!about))+", "", question.text, flags=re.I)
    text = re.sub(r"^(what|who|where|how|when)(?:'s|s) ", r"\1 is ", text, flags=re.I)
    return re.sub(r"(?: please)?[ ?.!]*$", "", text)


def lookup(question: Question) -> Plan | None:
    """ "What is the capital of France?", "who is Ada Lovelace", "search for …", 「日本の人口は？」."""
    text = tidy(question)
    if match := _EXPLICIT[question.language].fullmatch(re.sub(r"[?。.!]+$", "", question.text)):
        return _quoted(question, match["query"])
    for pattern in _ENGLISH if question.language == "en" else _JAPANESE:
        match = re.fullmatch(pattern, text, re.I)
        if match and _is_subject(match["subject"], bool(match.groupdict().get("fact"))):
            fact = match.groupdict().get("fact") or ""
            return _quoted(question, _query(match["subject"], fact, question))
    return None


def is_fact(text: str) -> bool:
    """Whether ``text`` is the name of something that is looked up about a subject: "population", 「人口」."""
    return re.fullmatch(rf"(?:the )?(?:{_FACT}|{_JAPANESE_FACT})", text, re.I) is not None


def _query(subject: str, fact: str, question: Question) -> str:
    """A few words rather than the question: encyclopedias find nothing for whole sentences."""
    subject = re.sub(r"^(?:the|an?) ", "", subject, flags=re.I)
    if not fact or question.language == "ja":
        return f"{subject} {fact}".strip()
    noun = re.fullmatch(_FACT, fact, re.I)
    place = "in" if fact.lower() in {"weather", "forecast"} else "of"
    return f"{fact} {place} {subject}" if noun else f"{subject} {_ASKED.get(fact.lower(), fact)}"


_ASKED = {
    "tall": "height",
    "high": "height",
    "long": "length",
    "deep": "depth",
    "old": "age",
    "big": "size",
    "large": "size",
    "far away": "distance",
}


def _is_subject(subject: str, fact: bool) -> bool:
    subject = TIMES.sub("", subject) if fact else subject
    if NOT_A_FACT.search(subject) or _SUM_LIKE.search(subject) or not _LETTERS.search(subject):
        return False
    return len(subject.split()) <= _MOST_WORDS and (fact or not re.search(r"\d", subject))


def _quoted(question: Question, query: str) -> Plan:
    language = question.language
    thought = either(
        language,
        f"I do not know this by myself. I look up “{query}”.",
        f"自分では分からないので、「{query}」を検索します。",
    )

    def steps() -> Steps:
        found = lines((yield Call(SEARCH, query, thought)))
        line, fits = best(found, query)
        told = quote(line, query)
        if fits:
            return Said(either(language, f"The search says: {told}", f"検索結果: {told}"))
        return Said(
            either(
                language,
                f"The search found nothing that clearly answers this. Its first result is: {told}",
                f"はっきりした答えは見つかりませんでした。最初の結果: {told}",
            )
        )

    return Plan(steps)


_WHO = re.compile(r"who (?:is|was) (?P<name>(?!the )[^?]+?)[ ?.]*", re.I)
_OF_A_PERSON = re.compile(
    r"(?:and )?(?:(?P<ask>when|where) (?P<was>was|is) (?:he|she) (?P<born>born)|(?:and )?(?P<did>when did) (?:he|"
    r"she) (?P<die>die))[ ?.]*",
    re.I,
)


def about_person(question: Question, previous: Question) -> str | None:
    """ "When was she born?" after "Who is Ada Lovelace?"."""
    who, asked = _WHO.fullmatch(previous.text), _OF_A_PERSON.fullmatch(question.text)
    if who is None or asked is None:
        return None
    if asked["die"]:
        return f"When did {who['name']} die?"
    return f"{asked['ask'].capitalize()} was {who['name']} born?"
