"""Reading what the search tool found: statements ("Answer (weather): … [1]") and a list ("[2] Title — site: …")."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LISTED = re.compile(r"(\[\d+\]|-) (?=\S)")
_STATEMENT = re.compile(
    r"(?P<kind>Answer|Sports|Knowledge graph|AI overview)(?P<of> \([^)]*\))?: (?P<text>.+?) ?(?P<marks>(?:\[\d+\])*)$"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d“\"(])|(?<=。)")
_LONGEST = 320
_STOP = {
    "the", "of", "in", "is", "was", "are", "were", "what", "who", "when", "where", "how", "did", "does", "a", "an", "for",
    "and", "to", "on", "at", "by", "it", "be",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One finding. ``answer``: the source gives it as the answer to the question; ``marks`` as in ``[1]``."""

    text: str
    marks: str = ""
    answer: bool = False


def lines(observation: str) -> tuple[Line, ...]:
    """The findings in order; empty where the observation holds none, as that of a failed search."""
    found: list[Line] = []
    for line in observation.splitlines():
        if listed := _LISTED.match(line):
            marks = listed[1] if listed[1] != "-" else ""
            found.append(Line(line[listed.end() :], marks))
        elif statement := _STATEMENT.match(line):
            answer = statement["kind"] in {"Answer", "Sports"}
            found.append(Line(statement["text"], statement["marks"], answer))
    return tuple(found)


def best(found: tuple[Line, ...], query: str) -> tuple[Line, bool]:
    """The line to quote, and whether it holds at least half of the query's words."""
    first = found[0]
    if first.answer:
        return first, True
    words = _words(query)
    scored = [(sum(word in line.text.lower() for word in words), -place) for place, line in enumerate(found)]
    score, place = max(scored)
    return found[-place], bool(words) and score * 2 >= len(words)


def quote(line: Line, query: str) -> str:
    """The sentence of the line that has most of the query's words, with the source's title, and its marks."""
    title, dash, rest = line.text.partition(" — ")
    sentences = _SENTENCE.split(rest if dash else line.text)
    words = _words(query)
    chosen = max(sentences, key=lambda sentence: sum(word in sentence.lower() for word in words))
    site, colon, _ = rest.partition(": ")
    if dash and chosen is not sentences[0]:
        chosen = f"{title} — {site if colon else ''}: … {chosen}".replace(" — :", ":")
    elif dash:
        chosen = f"{title} — {chosen}"
    text = chosen if len(chosen) <= _LONGEST else chosen[:_LONGEST].rstrip() + " …"
    return f"“{text}” {line.marks}".rstrip()


def _words(query: str) -> set[str]:
    if query.isascii():
        return set(re.findall(r"[a-z0-9']+", query.lower())) - _STOP
    return set(re.findall(r"[ァ-ヶー]+|[一-龯]+|[A-Za-z0-9]+", query.lower()))


_DEGREES = re.compile(r"(?<![\d.])([-−]?\d{1,3}(?:\.\d+)?) ?(?:° ?|degrees )(F|C|fahrenheit|celsius)\b", re.I)


def temperature(found: tuple[Line, ...], wanted: str) -> tuple[str, str, Line] | None:
    """Figure, unit and line of the one temperature that an answer gives.

    ``wanted`` is ``high``, ``low`` or "": with several temperatures only one that is called so is taken, else none.
    """
    for line in found:
        if not line.answer:
            continue
        every = _DEGREES.findall(line.text)
        named = re.findall(rf"\b{wanted}[a-z]*:? (?:of )?{_DEGREES.pattern}", line.text, re.I) if wanted else []
        chosen = every if len(set(every)) == 1 else named
        if len(set(chosen)) == 1:
            figure, letter = chosen[0]
            return figure.replace("−", "-"), f"°{letter[0].upper()}", line
    return None
