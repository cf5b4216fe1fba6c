"""Findings as the search tool tells them: statements ("Answer (weather): … [1]") and a list ("[2] Title — site: …")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.text.regex import regex

_LISTED = regex(r"(\[\d+\]|-) (?=\S)")
_STATEMENT = regex(
    r"(?P<kind>Answer|Sports|Knowledge graph|AI overview)(?P<of> \([^)]*\))?: (?P<text>.+?) ?(?P<marks>(?:\[\d+\])*)$"
)
_SENTENCE = regex(r"(?<=[.!?])\s+(?=[A-Z\d“\"(])|(?<=。)")
_HEADING = regex(r"(?:.{1,150}? — )?[^:.。]{1,80}: ")
_LONGEST = 320
# Of a query, these say nothing of what is sought.
_IDLE = "the of in is was are were what who when where how did does a an for and to on at by it be"
_IDLE_WORDS = frozenset(_IDLE.split())


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
    """The sentence of the line that says most about the query, after the source's title and site, and its marks.

    Words of the title do not count: every sentence of an article on Japan may hold "Japan".
    """
    heading = _HEADING.match(line.text) if not line.answer else None
    begin = heading.end() if heading else 0
    words = {word for word in _words(query) if word not in line.text[:begin].lower()}
    sentences = [line.text] if line.answer else _SENTENCE.split(line.text[begin:])
    chosen = max(sentences, key=lambda sentence: sum(word in sentence.lower() for word in words))
    gap = "… " if chosen is not sentences[0] else ""
    text = f"{line.text[:begin]}{gap}{chosen}"
    text = text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + " …"
    return f"“{text}” {line.marks}".rstrip()


def _words(query: str) -> set[str]:
    if query.isascii():
        return set(re.findall(r"[a-z0-9']+", query.lower())) - _IDLE_WORDS
    return set(re.findall(r"[ァ-ヶー]+|[一-龯]+|[A-Za-z0-9]+", query.lower()))


_DEGREES = regex(r"(?<![\d.])([-−]?\d{1,3}(?:\.\d+)?) ?(?:° ?|degrees )(F|C|fahrenheit|celsius)\b", re.I)


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
