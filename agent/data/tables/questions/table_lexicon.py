"""Words of questions and of headers in one form, and what they mean beside names of tables, columns and values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal
from unicodedata import normalize

from agent.text.quantities.dates import MONTH, month_number
from agent.text.quantities.number_words import SMALL

# Each line: a role and its text, then the phrases that have them, apart by |.
_ENGLISH = """
measure sum: total | sum | sum of | in total | total of | overall | combined | altogether | how much
measure avg: average | mean | avg | on average | typical | typically
measure median: median
measure count: how many | number of | count | count of | the number of | how often | how many times
measure distinct: different | distinct | unique | how many different | how many distinct | how many unique
extreme max: highest | largest | biggest | greatest | maximum | max | high of
extreme max: longest
extreme max: tallest | heaviest | strongest | fastest
extreme max time: latest | newest | most recent | last
extreme min time: earliest
extreme min: lowest | smallest | minimum | min | shortest | lightest | slowest | weakest
first: first
most max: most | best | most common | most frequent | most popular | most often
most min: fewest | least | worst | least common | rarest | least often
implied max price cost: most expensive | dearest | priciest
implied min price cost: cheapest | least expensive
implied max age: oldest
implied min age: youngest
implied max temperature temp: hottest | warmest
implied min temperature temp: coldest | coolest
implied max rain rainfall precipitation: wettest | rainiest
implied min rain rainfall precipitation: driest
top down: top
top up: bottom
group: by | by the | per | for each | for every | in each | of each | each | every | grouped by | group by
group: broken down by | across
group: split by | by each | within each
order down: sorted by | ordered by | ranked by | sort by | order by | rank by
period year: year
periodic year: yearly | annually | annual
period quarter: quarter
periodic quarter: quarterly
period month: month
periodic month: monthly
period week: week
periodic week: weekly
period day: day
periodic day: daily
time: over time | trend | trend of | development | evolution
where of: of
where: in | for | from | with | at | on | during | among | only | where | that have | having | within | when
where: just | which are | that are | who are | of those in | made in | sold in | living in | located in | in the year
where: in the table | from the table | of the table
not: not | without | except | excluding | not in | other than | but not | no | except for | not from | outside
not: isn't | aren't
null: missing | empty | blank | unknown | null | no value
is: is | are | was | were | equal | equals | = | : | equal to | called | named | being
operator >: over | above | more than | greater than | larger than | higher than | > | bigger than | exceeding
operator > age: older than
operator >=: at least | >= | or more | no less than | minimum of | not less than
operator <: under | below | less than | smaller than | lower than | < | fewer than
operator < price cost: cheaper than
operator < age: younger than
operator <=: at most | <= | or less | up to | no more than | not more than
operator <>: !=
operator after: after
operator since: since | from the start of | starting | starting in
operator before: before | until before
operator until: until | till | through | by the end of
between: between
and: and | , | or | & | plus
who: who
which: which | whose | what kind of | what kinds of
list: list | show | give | give me | display | show me | list all | what are | tell me | see | name all | print
rows: row | record | entry | line | item in | row of | record of | entry of | table | data | dataset | data set | file
chart any: plot | chart | graph | draw | visualize | visualise | chart of | graph of | plot of | as a chart
chart any: as a graph
chart any: as a plot | as plot | as chart | as graph | draw a chart | draw a chart of | make a chart
chart any: make a chart of | in a chart | chart it | plot it
chart any: draw it | show a chart | show a chart of | show as a chart | show it as a chart | plot that | chart that
chart any: draw that | a chart | a graph | a plot
chart bar: bar chart | bar graph | bars | bar plot | as bars | a bar chart | as a bar chart | as a bar graph
chart bar: bar chart of
chart line: line chart | line graph | line plot | as a line | as a line chart | as a line graph | line chart of
chart area: area chart | as an area chart | area chart of
chart pie: pie chart | pie | as a pie | as a pie chart | pie chart of
chart scatter: scatter plot | scatter chart | scatter | as a scatter plot | scatter plot of | scatter chart of
chart histogram: histogram | distribution | histogram of | distribution of | as a histogram | spread of
against: against | versus | vs | v | as a function of | depending on
also: also | also by | too | as well
stop: the | a | an | what | what's | is there | are there | do we have | do i have | did we have | there | me | please
stop: can you | could you | would you | i want | i want to know | i would like | i'd like | get | do | does | did
stop: have
stop: has | had | we | i | you | our | my | all | any | how about | what about | it | them | that | this | so | then
stop: now
stop: ok | okay | value | sold | made | recorded | found | placed | happened | registered | listed | exist | be
stop: been | got
stop: to | find | out | compute | calculate | work out | determine | thanks | thank you | know | exactly | instead
stop: same
stop: again | still | their | its | as | column | sell | earn | make | been | by the way | made up of | as well as
"""
NUMBERS: Mapping[str, int] = {**SMALL, "twenty": 20}
MONTHS: Mapping[str, int] = {name: month_number(name) for name in MONTH.replace("\\.?", "").split("|")}


def _read(text: str) -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """By the words of each phrase, all roles and texts that it can have."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for line in text.strip().splitlines():
        head, _, phrases = line.partition(": ")
        role, _, meaning = head.partition(" ")
        for phrase in re.split(r"\s\|\s", phrases.strip()):
            key = tuple(re.findall(r"[^\W\d_]+(?:'[a-z]+)?|[<>!=:&,]+", phrase))
            if (role, meaning) not in found.setdefault(key, []):
                found[key].append((role, meaning))
    return {key: tuple(meanings) for key, meanings in found.items()}


PHRASES: Mapping[tuple[str, ...], tuple[tuple[str, str], ...]] = _read(_ENGLISH)
LONGEST_PHRASE = max(map(len, PHRASES))


_TOKEN = re.compile(
    r"“(?P<curly>[^“”]+)”|\"(?P<straight>[^\"]+)\"|(?<!\w)'(?P<single>[^']+)'(?!\w)"
    r"|(?P<day>\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2})(?!\d)|(?P<month>\d{4}-\d{2})(?![\d-])"
    r"|(?P<number>(?<![\w.])[$€£¥]?-?\d+(?:,\d{3})*(?:\.\d+)?(?: ?%|[kKmM]\b)?)"
    r"|(?P<word>[^\W\d_]+(?:'[a-z]+)?|\d+)"
    r"|(?P<mark>[<>!]=|[<>=;,:])"
)
_LEAST_NEAR = 5  # letters: shorter words are too easily another one
_NEAR = 0.82


@dataclass(frozen=True, slots=True)
class Token:
    """``word``: its form to compare, "" for a quoted text; ``text`` as written, without quotation marks."""

    kind: Literal["quoted", "day", "month", "number", "word", "mark"]
    text: str
    word: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        inner = match[kind]
        if kind in ("curly", "straight", "single"):
            found.append(Token("quoted", inner, "", match.start(), match.end()))
        elif kind in ("day", "month", "number", "word"):
            found.append(Token(kind, inner, form(inner), match.start(), match.end()))
        else:
            found.append(Token("mark", inner, inner, match.start(), match.end()))
    return found


@lru_cache(maxsize=4096)
def form(word: str) -> str:
    """``Cities`` gives ``city``; words that only look plural, as "status", become no plural either."""
    word = re.sub(r"'s$|'$", "", normalize("NFKC", word).casefold())
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a header: ``OrderDate``, ``order_dates`` and "Order date" have the same."""
    spaced = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", normalize("NFKC", name))
    return tuple(form(word) for word in re.findall(r"[^\W\d_]+|\d+", spaced))


def near(one: str, other: str) -> bool:
    """Whether one word is the other, misspelt."""
    if min(len(one), len(other)) < _LEAST_NEAR or abs(len(one) - len(other)) > 2 or one[0] != other[0]:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _NEAR


def same(given: Sequence[str], wanted: Sequence[str]) -> int | None:
    """0 where the words are equal, else how many of them are misspelt; ``None`` where they are others."""
    if len(given) != len(wanted):
        return None
    wrong = 0
    for one, other in zip(given, wanted, strict=True):
        if one != other:
            if not near(one, other):
                return None
            wrong += 1
    return wrong
