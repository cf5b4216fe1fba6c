"""How often the evidence check is right on answers over tables that nobody here wrote, counted by kind.

Reads ``fetaqa_dev.jsonl`` (sentences of people over tables of Wikipedia), ``tatqa_dev.json`` (financial tables with
text) and ``jfinqa_half.json`` (Japanese financial tables) from a folder; what is not there is left out. The check is
given what the app gives it: all that was observed, and the question as the person typed it. For a long answer, which
is put together of people's sentences, this is the message with all of their questions, a line each.

Right answers are those of the sets; wrong ones are made from them: a digit changed, the value of another row or column,
a turned direction, another base. A right figure counts as marked where it ``differs`` or is ``not_found``; a wrong one
as found there too, and as green where it is ``seen``, ``given`` or ``worked_out``.

Run it as ``python -m benchmarks.evidence_material FOLDER [--show KIND] [--part 0|1|2] [--insist]``: ``--show`` prints
the claims that went wrong in a kind, ``--part`` reads one half of the material only (0: all of it). What is tuned on
one half is measured on the other, of which only the totals are read. ``--insist`` counts instead how many of 100 right
and of 100 altered answers are sent back to the model where it must give evidence.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Claim, check
from agent.messages import Usage
from benchmarks.account_cases import cells, chance_steps, changes, directions, japanese, spans, worked_out
from benchmarks.wikipedia_cases import Case, Material, altered_answers, long_answers, other_cells, people

MARKED = ("differs", "not_found")
GREEN = ("seen", "given", "worked_out")


@dataclass
class Tally:
    total: int = 0
    hits: int = 0
    greens: int = 0
    shown: list[str] = field(default_factory=list[str])


def run_of(case: Case) -> list[Event]:
    events: list[Event] = [Asked(case.question, 1_795_219_200.0)]
    for number, text in enumerate(case.observed):
        call = f"c{number}"
        events += [
            Replied("text", "thought", Usage(), 1.0, 0.1),
            ToolCalled(call, "read_url", "x", {"url": "x"}),
            Observed(call, text),
        ]
    return [*events, Answered(case.answer)]


KINDS: tuple[Callable[[Material], Iterable[Case]], ...] = (
    people,
    long_answers,
    spans,
    worked_out,
    cells,
    japanese,
    altered_answers,
    other_cells,
    chance_steps,
    directions,
    changes,
)


def counted(case: Case, claim: Claim) -> bool:
    """Whether a claim of a right answer counts."""
    inside = any(start <= claim.start < end for start, end in case.only) or not case.only
    return inside and claim.kind in ("number", "date", "name")


def measure(material: Material, show: str) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for kind in KINDS:
        for case in kind(material):
            claims = check(run_of(case)).claims
            (_wrong if case.target else _right)(case, claims, tallies, show)
    return tallies


def _right(case: Case, claims: tuple[Claim, ...], tallies: dict[str, Tally], show: str) -> None:
    mine = [claim for claim in claims if counted(case, claim)]
    if case.kind == "4 KB answers":
        marked = [claim for claim in mine if claim.verdict in MARKED]
        tally = tallies[f"right: {case.kind} with a mark"]
        tally.total, tally.hits = tally.total + 1, tally.hits + bool(marked)
        for claim in marked if show and show in case.kind else ():
            _show(case, claim)
        return
    for claim in mine:
        by_kind = case.kind in ("people's sentences",)
        tally = tallies[f"right: {case.kind}{', ' + claim.kind if by_kind else ''}"]
        tally.total += 1
        tally.greens += claim.verdict in GREEN
        if claim.verdict in MARKED:
            tally.hits += 1
        if claim.verdict not in GREEN and show and show in case.kind:
            _show(case, claim)


def _wrong(case: Case, claims: tuple[Claim, ...], tallies: dict[str, Tally], show: str) -> None:
    assert case.target is not None
    start, end = case.target
    mine = [claim for claim in claims if claim.start < end and start < claim.end and claim.kind in ("number", "date")]
    tally = tallies[f"wrong: {case.kind}"]
    tally.total += 1
    found = any(claim.verdict in MARKED for claim in mine)
    green = bool(mine) and all(claim.verdict in GREEN for claim in mine)
    tally.hits += found
    tally.greens += green
    if (green or not mine) and show and show in case.kind:
        for claim in mine:
            _show(case, claim)
        if not mine:
            print(f"NO CLAIM {case.answer[max(0, start - 80) : end + 20]!r}")


def _show(case: Case, claim: Claim) -> None:
    around = (
        case.answer[max(0, claim.start - 150) : claim.start]
        + "⟦"
        + claim.text
        + "⟧"
        + case.answer[claim.end : claim.end + 60]
    )
    texts = dict(enumerate(case.observed))
    seen = [
        texts[int(place.call_id[1:])][max(0, place.start - 50) : place.end + 30].replace("\n", " ⏎ ")
        for place in claim.places[:1]
        if place.call_id.startswith("c")
    ]
    print(f"{case.kind} · {claim.verdict} · {claim.note} · {around!r} · Q {case.question[:100]!r} · {seen}")


_ASKED_AGAIN = 100  # answers of each sort, drawn by a seed
_SEED = 18


def sent_back(material: Material) -> tuple[int, int]:
    """How many of 100 right sentences of people, and of 100 altered answers, *Insist on evidence* sends back."""
    drawn = random.Random(_SEED)
    several = ([*people(material)], [*altered_answers(material)])
    right, altered = (drawn.sample(cases, min(_ASKED_AGAIN, len(cases))) for cases in several)
    return sum(map(_is_marked, right)), sum(map(_is_marked, altered))


def _is_marked(case: Case) -> bool:
    return any(claim.verdict in MARKED for claim in check(run_of(case)).claims)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", default="")
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--insist", action="store_true")
    given = parser.parse_args()
    if given.insist:
        right, altered = sent_back(Material(given.folder, given.part))
        print(f"sent back: {right} of {_ASKED_AGAIN} right answers, {altered} of {_ASKED_AGAIN} altered ones")
        return
    tallies = measure(Material(given.folder, given.part), given.show)
    print(f"{'':44} {'claims':>7} {'marked':>16} {'green':>16}")
    for name, tally in tallies.items():
        share = [f"{count:6} {count / tally.total:8.1%}" for count in (tally.hits, tally.greens)]
        print(f"{name:44} {tally.total:7} {share[0]:>16} {share[1]:>16}")


if __name__ == "__main__":
    main()
