"""Questions of fact, through the search: each function is one ability. The answer is a quotation, never a retelling."""

from __future__ import annotations

import re

from agent.demo.phrasebook import forms, listed, phrase
from agent.demo.rules.plan import SEARCH, Call, Plan, Question, Said, Steps
from agent.text.findings import best, lines, quote
from agent.text.regex import regex

_FACT = phrase("fact")
_FACT_NAME = phrase("fact_name")
_ENGLISH = forms("fact_en")
_JAPANESE = forms("fact_ja")
_EXPLICIT = {"en": phrase("search_en"), "ja": phrase("search_ja")}
NOT_A_FACT = phrase("not_a_fact")
_SUM_LIKE = regex(r"[+*/^=√%<>]|\d\s*-\s*\d")
TIMES = phrase("times")
_LETTERS = regex(r"[^\W\d_]{2}|[一-龯]")
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
    return _FACT_NAME.fullmatch(text) is not None


def _query(subject: str, fact: str, question: Question) -> str:
    """A few words rather than the question: encyclopedias find nothing for whole sentences."""
    subject = re.sub(r"^(?:the|an?) ", "", subject, flags=re.I)
    if not fact or question.language == "ja":
        return f"{subject} {fact}".strip()
    noun = _FACT.fullmatch(fact)
    place = "in" if fact.lower() in {"weather", "forecast"} else "of"
    return f"{fact} {place} {subject}" if noun else f"{subject} {listed('asked_how').get(fact.lower(), [fact])[0]}"


def _is_subject(subject: str, fact: bool) -> bool:
    subject = TIMES.sub("", subject) if fact else subject
    if NOT_A_FACT.search(subject) or _SUM_LIKE.search(subject) or not _LETTERS.search(subject):
        return False
    return len(subject.split()) <= _MOST_WORDS and (fact or not re.search(r"\d", subject))


def _quoted(question: Question, query: str) -> Plan:
    def steps() -> Steps:
        found = lines((yield Call(SEARCH, query, question.tell("search", query=query))))
        line, fits = best(found, query)
        return Said(question.tell("found" if fits else "found_unclear", told=quote(line, query)))

    return Plan(steps)


_WHO = regex(r"who (?:is|was) (?P<name>(?!the )[^?]+?)[ ?.]*", re.I)
_OF_A_PERSON = phrase("of_a_person")


def about_person(question: Question, previous: Question) -> str | None:
    """ "When was she born?" after "Who is Ada Lovelace?"."""
    who, asked = _WHO.fullmatch(previous.text), _OF_A_PERSON.fullmatch(question.text)
    if who is None or asked is None:
        return None
    if asked["die"]:
        return f"When did {who['name']} die?"
    return f"{asked['ask'].capitalize()} was {who['name']} born?"
