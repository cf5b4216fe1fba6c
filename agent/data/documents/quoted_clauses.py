"""Which sentence of the passages that were found says what a question asks, if any does: it is quoted, never retold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from agent.data.documents.index import Wanted, covered, folded, stem, wanted
from agent.data.documents.month_spans import months_between
from agent.text.quantities.claim_words import SPELLED
from agent.text.regex import regex
from agent.text.word_tables import word_table

FITS = 0.5
_LONGEST = 700
_OPENED = regex(r"\[(?P<number>\d+)\] (?P<title>.+?)(?: — (?P<heading>.+))?")
_SENTENCE = regex(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!^\d[.)])(?<!^\d\d[.)])\s+(?=[\[A-Z\d“\"(])|(?<=。)"
)
_LEAD = regex(r"(?:\d+[.)] ?)?(?P<topic>[^\W\d_][^.:。：\n\d$€£]{1,30}?)[.:。：](?=\s)")
_HEADLINE = regex(r"(?:#+ )?(?:\d+[.)] ?)?(?P<topic>[^\W\d_][^.!?:。：\d]{1,40})")
# "the price of the machine" and "the landlord's lawyer" are a price and a lawyer
_HEAD = regex(r"\bthe (?!names? )(?P<of>[a-z]{3,}) of (?:the|an?|my|our|this|your) |\w['’]s (?P<whose>[a-z]{4,})", re.I)
_WAITED_FOR = regex(r"\bfor (?:my|our) (?P<of>[a-z]{4,})(?=[?.,]|$)", re.I)  # "how long must I wait for my deposit"
_MOST_TOPIC_WORDS = 4
_SUBJECT = regex(
    r"(?:\d+[.)] )?(?:The |An? )?(?P<topic>[A-Za-z]+(?: [a-z]+){0,2}?) (?:is|are|was|costs?|may|must|can|go)\b"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the tool ``documents`` shows it."""

    number: str
    title: str
    heading: str
    text: str

    @property
    def place(self) -> str:
        return " — ".join(filter(None, (self.title, self.heading)))


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of a passage below its ``topic``; ``further`` is the one after it in the same paragraph."""

    passage: Shown
    topic: str
    text: str
    further: str = ""

    @property
    def whole(self) -> str:
        return f"{self.passage.heading} {self.topic} {self.text} {months_between(self.text)}"

    @property
    def quoted(self) -> str:
        said = f"{self.text} {self.further}".strip()
        return f"“{said}”" if len(said) <= _LONGEST else f"“{said[:_LONGEST].rstrip()} …”"


def passages_shown(seen: str) -> list[Shown]:
    """Each passage under its numbered head, up to the next one."""
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in seen.splitlines():
        opened = _OPENED.fullmatch(line)
        if opened and opened["number"] == str(len(found) + 1):
            found.append((opened, []))
        elif found:
            found[-1][1].append(line)
    return [
        Shown(head["number"], head["title"], head["heading"] or "", "\n".join(lines).strip()) for head, lines in found
    ]


def clauses(passages: Sequence[Shown]) -> list[Clause]:
    return [clause for passage in passages for clause in _clauses(passage)]


def _clauses(passage: Shown) -> Iterator[Clause]:
    """Each sentence after the topic that its paragraph begins with, or that the line above it is: all of "Fee. It is 9
    euros. Students pay 5." is of the fee.
    """
    above = ""
    paragraphs = [one for one in map(str.strip, passage.text.split("\n")) if one]
    for number, paragraph in enumerate(paragraphs):
        line = _HEADLINE.fullmatch(paragraph)
        if line and len(line["topic"].split()) <= _MOST_TOPIC_WORDS and number + 1 < len(paragraphs):
            above = line["topic"]
            continue
        lead = _LEAD.match(paragraph)
        topic = lead["topic"] if lead and len(lead["topic"].split()) <= _MOST_TOPIC_WORDS else ""
        begun = lead.end() if lead and topic else 0
        sentences = [one.strip() for one in _SENTENCE.split(paragraph[begun:]) if one.strip()] or [""]
        sentences[0] = f"{paragraph[:begun]} {sentences[0]}".strip()
        for one, after in zip(sentences, [*sentences[1:], ""], strict=True):
            yield Clause(passage, topic or above, one, after)


@cache
def words_of(name: str) -> Any:
    read = word_table(__file__, "quoted_words.toml")[name]
    return frozenset(read.split()) if isinstance(read, str) else read


_DOUBLED = regex(r"([bdgmnprt])\1$")
_PLURALS = {"children": "child", "people": "person", "men": "man", "women": "woman"}
_ENDINGS = frozenset(("", "er", "or", "al", "ment", "ly", "abl", "ion", "anc", "enc"))


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    bare = word.removesuffix("'s").removesuffix("’s")
    bare = _PLURALS.get(bare, bare)
    for _ in range(2):  # "fridays", "friday"
        bare = bare if bare.endswith("ss") else stem(bare)
    return _DOUBLED.sub(r"\1", bare)


@lru_cache(maxsize=1024)  # the sentences of what was found are asked of again and again
def roots(text: str) -> frozenset[str]:
    words = _WORD.findall(folded(text))
    return frozenset(root(part) for word in words for part in (word, *word.split("-")))


_CODE = regex(r"[a-z]{1,4}\d+")  # "E2", which no other word stands for
_WORD = regex(r"[^\W\d_]{1,4}\d+\b|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")


@cache
def _also(word: str) -> frozenset[str]:
    table: dict[str, list[str]] = words_of("stands_for")
    return frozenset(root(other) for name, others in table.items() if root(name) == root(word) for other in others)


def holds(there: frozenset[str], word: str, itself: bool = False) -> bool:
    """Whether a form of ``word`` is there, or, unless ``itself``, what may stand for it."""
    own = root(word)
    if own in there or (not itself and there & _also(word)):
        return True
    return len(own) > 3 and any(one.startswith(own) and one[len(own) :] in _ENDINGS for one in there)


def said_plainly(question: str) -> str:
    text = folded(question).replace("’", "'")
    for pattern, form in words_of("said_otherwise").items():
        text = re.sub(pattern, form, text)
    return text


def _telling(question: str, title: str) -> tuple[str, ...]:
    """The words that say what is sought, without those of the document's name, unless there are no others."""
    sought = wanted(said_plainly(question)).words
    light = {root(one) for one in words_of("light")} | SPELLED.keys()
    words = tuple(one for one in sought if root(one) not in light and one not in light and not one[0].isdigit())
    name = roots(title.rpartition(",")[0])
    return tuple(one for one in words if root(one) not in name) or words or sought


def _weights(words: Sequence[str], there: Sequence[frozenset[str]]) -> dict[str, float]:
    """A word that stands in many sentences tells little of the one that is sought."""
    weights: dict[str, float] = {}
    for word in words:
        times = sum(holds(one, word, itself=True) for one in there)
        common = times > 2 and times > len(there) * 0.15
        weights[word] = 2.0 if _CODE.fullmatch(word) else 0.35 if common or word in words_of("units") else 1.0
    return weights


MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_KINDS = (
    (regex(r"\b(?:how (?:much|many)|costs?|price)\b", re.I), "figure"),
    (regex(r"\b(?:how long|how far)\b", re.I), "length"),
    (regex(r"^\W*(?:and |so )?(?:by |until |till |from |since )?(?:when|what (?:time|date|day))\b", re.I), "time"),
    (regex(r"\bwhat time\b", re.I), "clock"),
    (regex(r"\b(?:what|which) (?:day|date)\b", re.I), "day"),
)
_OF_KIND = {
    "figure": regex(rf"\d|\b(?:{'|'.join(SPELLED)}|a|an|free|included|no|none|half|both|all)\b", re.I),
    "length": regex(
        rf"(?:\d|\b(?:{'|'.join(SPELLED)}|half|(?:takes?|lasts?|for|within|about) an?))[ -]?(?:(?!an?\b|per\b)[a-z]+ )?"
        r"(?:minute|hour|day|night|week|month|year|second|min\b|h\b|cm\b|mm\b|m\b|km\b|mile|met(?:er|re)|feet|foot|inch)",
        re.I,
    ),
    "time": regex(
        rf"\d ?(?:am|pm)\b|\d[:.]\d\d|\b{MONTH}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:1[89]|20)\d\d\b"
        r"|(?<!\ba )(?<!\ban )(?<!\bper )\b(?:day|week|month|year|hour|minute|night|morning|evening|noon|midnight"
        r"|weekend|daily|weekly|monthly|early|late|always|never|once|twice)s?\b|\b(?:before|after)\b",
        re.I,
    ),
    "clock": regex(
        r"\d ?(?:am|pm)\b|\d[:.]\d\d|o['’]clock\b|\b(?:noon|midnight|morning|evening|dusk|dawn|sun(?:set|rise))\b",
        re.I,
    ),
    "day": regex(
        rf"\b{MONTH}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d(?:st|nd|rd|th)\b|\d[./]\d"
        r"|\b(?:daily|today|tomorrow|weekdays?|weekends?|(?:each|every|any) day)\b",
        re.I,
    ),
}
_KIND_OF = regex(r"\b(?:which|what) (?P<first>[a-z'-]+)(?: (?P<second>[a-z'-]+))?", re.I)
_NO_THING = regex(
    r"is|are|was|were|do|does|did|will|would|can|could|should|shall|must|may|if|about|has|have|had|happens?|it|the|i|we|"
    r"you|kind|sort|type",
    re.I,
)


def _has_its_kind(question: str, clause: Clause) -> bool:
    text = _NUMBERED_LINE.sub("", clause.text)
    return all(_OF_KIND[kind].search(text) for asked, kind in _KINDS if asked.search(question))


def _has_its_head(question: str, clause: Clause) -> bool:
    """ "Which parking space": of a space; "the landlord's lawyer": of a lawyer."""
    there = roots(clause.whole)
    head = _HEAD.search(question)
    if head and not holds(there, head["of"] or head["whose"]):
        return False
    waited = _WAITED_FOR.search(question)
    if waited and not holds(there, waited["of"]):
        return False
    for asked in _KIND_OF.finditer(said_plainly(question)):
        names = [one for one in asked.groups() if one and not _NO_THING.fullmatch(one)]
        if _NO_THING.fullmatch(asked["first"]) or asked["first"] in words_of("light") | words_of("units"):
            continue
        if not any(holds(there, one) for one in names):
            return False
    return all(_counts(clause.text, said["noun"]) for said in _HOW_MANY.finditer(said_plainly(question)))


_HOW_MANY = regex(r"\bhow many (?:of (?:the|your|our|my) )?(?P<noun>[a-z'-]+)")
_NUMBERED = regex(r"^\d+[.)] ")


def _counts(text: str, noun: str) -> bool:
    """ "How many members": so many of them, and not some figure beside a word of members."""
    number = rf"(?<![$€£\d.,])(?:\d[\d,.]*|\b(?:{'|'.join(SPELLED)}|no|both|unlimited))"
    text = folded(_NUMBERED.sub("", text))
    said = re.findall(rf"{number} ((?:(?!an?\b|per\b|each\b)[\w'-]+ ){{0,3}}(?!an?\b|per\b|each\b)[\w'-]+)", text)
    return any(holds(roots(words), noun) for words in said) or (noun in words_of("light") and bool(said))


def _weighed(question: str, found: Sequence[Clause]) -> Iterator[tuple[Clause, dict[str, float], float]]:
    """Each sentence, the weights of the words that tell in its document, and how much of them it holds."""
    there = [roots(one.whole) for one in found]
    of_titles = {title: _weights(_telling(question, title), there) for title in {one.passage.title for one in found}}
    for clause, its in zip(found, there, strict=True):
        weights = of_titles[clause.passage.title]
        yield clause, weights, sum(weight for word, weight in weights.items() if holds(its, word))


def best_clause(question: str, found: Sequence[Clause]) -> Clause | None:
    """The sentence that holds what tells of the question, of the kind that is asked for; ``None`` where none does."""
    if wanted(question).pairs:
        return _best_in_japanese(question, found)
    line, untold = _numbered_line(question, found)
    if line or untold:
        return line
    best, most = None, (0.0, 0.0)
    for clause, weights, held in _weighed(question, found):
        if _is_of_other(question, clause):
            continue
        itself = sum(weight for word, weight in weights.items() if holds(roots(clause.text), word, itself=True))
        score = (held / (sum(weights.values()) or 1), itself)
        if score[0] > FITS and score > most and _has_its_kind(question, clause) and _has_its_head(question, clause):
            best, most = clause, score
    return best


_NUMBERED_LINE = regex(r"(?:\d+[.)] )?(?P<label>[A-Z][a-z]{2,}) (?P<n>\d{1,3})(?::| [-–—]) (?=\S)")
_NUMBER_OF = regex(r"\b(?P<label>[a-z]{3,}) (?P<n>\d{1,3})\b(?![.,:]\d)", re.I)
_ASKS_WHAT = regex(r"\b(?:what['’]?s?|which)\b", re.I)
_ASKS_FIGURE = regex(r"\b(?:how|cost|price|when|who|whose|where|what (?:time|date|day))\b", re.I)


def _numbers_of(question: str) -> dict[str, set[str]]:
    """ "Week 7" by its word."""
    numbers: dict[str, set[str]] = {}
    for one in _NUMBER_OF.finditer(question):
        numbers.setdefault(root(one["label"].lower()), set()).add(one["n"])
    return numbers


def _numbered_line(question: str, found: Sequence[Clause]) -> tuple[Clause | None, bool]:
    """ "Week 7: plates" for "what do we make in week 7?"; and whether there are such lines, and none of that number."""
    numbers = _numbers_of(question)
    lines = [(clause, line) for clause in found if (line := _NUMBERED_LINE.match(clause.text))]
    lines = [(clause, line) for clause, line in lines if root(line["label"].lower()) in numbers]
    own = {clause: line for clause, line in lines if numbers[root(line["label"].lower())] == {line["n"]}}
    if len(own) != 1 or not _ASKS_WHAT.search(question) or _ASKS_FIGURE.search(question):
        return None, bool(lines) and not own
    ((clause, line),) = own.items()
    idle = words_of("done_in") | {line["label"].lower()}
    there = roots(clause.whole)
    told = all(word in idle or holds(there, word) for word in _telling(question, ""))
    return (clause, False) if told else (None, False)


def _is_of_other(question: str, clause: Clause) -> bool:
    """Whether its line begins with another number of what the question names by one."""
    line, numbers = _NUMBERED_LINE.match(clause.text), _numbers_of(question)
    return line is not None and {line["n"]} != numbers.get(root(line["label"].lower()), {line["n"]})


def nearest_clause(question: str, found: Sequence[Clause]) -> Clause | None:
    """The sentence that holds most of what tells of the question, where none holds enough of it to be its answer.

    One word at least that not many sentences have; ``None`` where there is none, or the question is Japanese.
    """
    if wanted(question).pairs:
        return None
    best, most = None, (0.0, False)
    for clause, _, held in _weighed(question, found):
        score = (held, _has_its_kind(question, clause) and _has_its_head(question, clause))
        if held >= 1 and score > most:
            best, most = clause, score
    return best


def _without_name(sought: Wanted, title: str) -> Wanted:
    name = {stem(word) for word in re.findall(r"[a-z]+", title.lower().rpartition(",")[0])}
    rest = tuple(word for word in sought.words if stem(word) not in name)
    return replace(sought, words=rest) if rest or sought.pairs else sought


def _best_in_japanese(question: str, found: Sequence[Clause]) -> Clause | None:
    """By pairs of letters: a passage that holds half of them, and of it the sentence that holds most."""
    for passage in dict.fromkeys(one.passage for one in found):
        sought = _without_name(wanted(question), passage.title)
        if covered(sought, f"{passage.heading} {passage.text}") >= FITS:
            return max((one for one in found if one.passage == passage), key=lambda one: covered(sought, one.whole))
    return None


def topics_of(clause: Clause) -> Iterator[str]:
    """What a sentence is about: its heading, what its paragraph begins with, what it is said of."""
    subject = _SUBJECT.match(clause.text)
    for topic in (clause.passage.heading.rpartition("›")[2].strip(), clause.topic, subject["topic"] if subject else ""):
        if topic and len(topic.split()) <= _MOST_TOPIC_WORDS:
            yield topic
