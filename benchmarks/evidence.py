"""How long the evidence check takes, against the size of the answer and of the observations.

Prints milliseconds of CPU time, best of several runs, for real-shaped texts and for floods of one thing. The target is
5 ms for an answer of 4 KB over 40 KB of observations; figures above it are marked. The floor beside them is one pass
over both texts: a pattern that finds the runs of digits, and one that finds the words. Nothing but what words and cells
say is kept from one check to the next, so every check reads all of its texts. The eight observations are the same text,
which is read once; under "different" they are eight parts of one text, and under "waited" these were read before the
answer came, as the page does it. The last column says how the time grows when both texts are twice as long: 2 is
linear.
Run it as ``python -m benchmarks.evidence``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Pages, check, read_ahead
from agent.messages import Usage

TARGET = 5.0  # milliseconds
OBSERVED = 40_000  # characters
ANSWERED = 4_000
_DIGITS = re.compile(r"[0-9][0-9.,:/'\-–]*")
_WORDS = re.compile(r"\w+")

_RESULT = (
    "[{n}] Santa Clara {n}, travel guide - The old town lies on a hill above the river and is known for its market, "
    "its narrow lanes and the painted houses along the harbour; most visitors come by train. The municipality has "
    "a population of {a:,} and was founded by Maria Albrecht on 12 March 19{c}. In summer the ferry to the islands "
    "runs every day, and the museum of glass shows the work of local artists from {b} workshops. Mean temperature "
    "17.{d} °C.\n"
)
_ANSWER = (
    "Santa Clara {n} has a population of {a:,}. It was founded by Maria Albrecht, and is best known for its market, "
    "the painted houses and the harbour, where the ferry to the islands leaves. The museum shows the work of artists "
    "from {b} workshops, and the mean temperature is 17.{d} °C, which makes it a pleasant place to stay for a week. "
)
_DENSE = (
    "[{n}] Lisbon city profile {n} - The municipality of Santa Clara {n} has a population of {a:,} on {b}.4 km² (2021 "
    "census). It was founded by Maria Albrecht on 12 March 19{c} and lies {d} m above sea level, about {c} km from the "
    "coast. Mean temperature 17.{d} °C; the budget was €{b}.{c} million, {d}% more than the year before.\n"
)
_DENSE_ANSWER = (
    "Santa Clara {n} has a population of {a:,} and an area of {b}.4 km². It was founded on 12 March 19{c} by Maria "
    "Albrecht. The budget rose by {d}% to €{b}.{c} million; the mean temperature is 17.{d} °C. "
)
_JAPANESE = (
    "{n}番目の町の人口は{b}万人、面積は{b}.4平方キロメートル。19{c}年3月12日に設立され、標高は{d}メートルである。\n"
)
_JAPANESE_ANSWER = "{n}番目の町は19{c}年3月12日に設立され、人口は{b}万人、標高は{d}メートルです。"
_ROW = "| Town {n} | {a:,} | {b}.4 | 19{c} | {d}% |\n"
_RECORD = '{{"town": "Town {n}", "population": {a}, "area_km2": {b}.4, "founded": 19{c}, "growth": "{d}%"}},\n'
_WRONG = "Town {n} has {b},{c}7 people and {d}{c} churches, {b}{d}.9 kg of gold and was founded on 3 May 17{c}. "

SHAPES: dict[str, tuple[str, str]] = {
    "search results": (_RESULT, _ANSWER),
    "figures only": (_DENSE, _DENSE_ANSWER),
    "Japanese prose": (_JAPANESE, _JAPANESE_ANSWER),
    "table": (_ROW, _ANSWER),
    "JSON": (_RECORD, _ANSWER),
    "all claims wrong": (_DENSE, _WRONG),
}
FLOODS = {
    "digits": "7",
    "digits, spaced": "7 ",
    "numbers": "1234 ",
    "commas": ",",
    "digits, commas": "1,",
    "capitals": "A",
    "capitalised words": "Ab ",
    "quotation marks": '"',
    "quotes": '"abc" ',
    "dates": "2024-12-25 ",
    "months": "May 5 ",
    "percent": "1% ",
    "Chinese numerals": "三",
    "number words": "twenty one ",
    "addresses": "https://a.b/c ",
    "table cells": "| 1 | 2 |\n",
    "brackets": "[1",
}


def filled(pattern: str, size: int) -> str:
    """The pattern with other figures each time, ``size`` characters of it."""
    parts: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        parts.append(
            pattern.format(
                n=number,
                a=(number * 7_919_317) % 9_000_000 + 10_000,
                b=(number * 37) % 800 + 20,
                c=(number * 13) % 90 + 10,
                d=number % 9 + 1,
            )
        )
        length += len(parts[-1])
    return "".join(parts)[:size]


def run(observations: Sequence[str], answer: str) -> list[Event]:
    events: list[Event] = [Asked("Tell me about the towns.", 1_795_219_200.0)]
    for number, text in enumerate(observations):
        call = f"c{number}"
        events += [
            Replied("text", "thought", Usage(), 1.0, 0.1),
            ToolCalled(call, "search", "towns", {"query": "towns"}),
            Observed(call, text),
        ]
    return [*events, Answered(answer)]


def milliseconds(events: list[Event], times: int = 5, ahead: bool = False) -> tuple[float, int]:
    """The least CPU time of a check, and how many claims it finds; ``ahead``: without reading the observations."""
    best, claims = float("inf"), 0
    for _ in range(times):
        pages = Pages()
        if ahead:
            read_ahead(events, pages)
        start = time.process_time()
        claims = len(check(events, (), pages).claims)
        best = min(best, time.process_time() - start)
    return best * 1000, claims


def floor(pattern: re.Pattern[str], texts: Sequence[str], times: int = 5) -> float:
    """Milliseconds of one pass over the texts."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        for text in texts:
            pattern.findall(text)
        best = min(best, time.process_time() - start)
    return best * 1000


def main() -> None:
    heads = f"{'ms':>8} {'different':>9} {'waited':>7} {'numbers':>8} {'words':>6}"
    print(f"{'':20} {'answer':>7} {'observed':>9} {'claims':>7} {heads}")
    for name, (observed, answered) in SHAPES.items():
        for answer, seen in ((1_000, 10_000), (1_000, OBSERVED), (ANSWERED, OBSERVED), (ANSWERED, 2 * OBSERVED)):
            observations = [filled(observed, seen // 8)] * 8
            whole, said = filled(observed, seen), filled(answered, answer)
            parts = [whole[start : start + seen // 8] for start in range(0, seen, seen // 8)]
            spent, claims = milliseconds(run(observations, said))
            apart, _ = milliseconds(run(parts, said))
            waited, _ = milliseconds(run(parts, said), ahead=True)
            numbers, words = (floor(pattern, [*observations, said]) for pattern in (_DIGITS, _WORDS))
            mark = "  over the target" if waited > TARGET and seen == OBSERVED else ""
            times = f"{spent:8.2f} {apart:9.2f} {waited:7.2f} {numbers:8.2f} {words:6.2f}"
            print(f"{name:20} {answer:7,} {seen:9,} {claims:7} {times}{mark}")
    print(f"\n{'floods':20} {'ms':>8} {'twice as long':>14} {'times':>6}")
    for name, piece in FLOODS.items():
        one, two = (
            milliseconds(run([piece * (size * OBSERVED // len(piece))], piece * (size * ANSWERED // len(piece))), 2)[0]
            for size in (1, 2)
        )
        print(f"{name:20} {one:8.2f} {two:14.2f} {two / max(one, 0.01):6.1f}")


if __name__ == "__main__":
    main()
