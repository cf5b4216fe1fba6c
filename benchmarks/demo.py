"""How many everyday questions the demo model answers right, declines, or answers wrong.

    python -m benchmarks.demo [--half working unseen later] [--kind times dates] [--told] [--near]
        [--first-sight | --plain | --fresh]

The questions of ``tests/support/everyday_questions.toml``, or with ``--first-sight`` those of
``first_sight_questions.toml`` beside it,
with ``--plain`` those of ``plain_questions.toml``, with ``--fresh`` those of ``fresh_questions.toml``,
 are asked through the real demo model, loop, tools and
sandbox, on a day that stands still and without the web. Printed are the counts of each kind and half. Right is an
answer with all figures, or none where it cannot be known; declined claims nothing; anything else is wrong.
``--told`` prints the answers outside of the unseen half that are not right. ``--near`` asks what is suggested after
each declined question of a table, and prints for how many one of up to three suggestions is answered with its figures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import get_args

from agent.sandbox.client import Sandbox
from tests.support.everyday import (
    FIRST_SIGHT,
    FRESH,
    PLAIN,
    QUESTIONS,
    Answered,
    Half,
    Room,
    everyday_questions,
    everyday_room,
)


def told(found: Sequence[Answered]) -> None:
    for each in found:
        if each.verdict != "right" and each.question.half != "unseen":
            understood = f" [{each.understood}]" if each.understood else ""
            print(f"{each.verdict:9}{' / '.join(each.question.asked)}{understood}  {'; '.join(each.calls)}")
            print(f"         → {' '.join(each.answer.split())[:200]}   ({', '.join(each.question.figures)})")


def printed(half: str, found: Sequence[Answered]) -> None:
    print(f"\n{half:24}{'right':>8}{'declined':>10}{'wrong':>8}")
    for kind in dict.fromkeys(each.question.kind for each in found):
        row([each for each in found if each.question.kind == kind], kind)
    row(found, "all")


def near(found: Sequence[Answered], room: Room) -> None:
    declined = [each for each in found if each.verdict == "declined" and each.question.table]
    right = 0
    for each in declined:
        suggested = (replace(each.question, asked=(text,)) for text in each.next_questions[:3])
        right += any(room.ask(question).verdict == "right" for question in suggested)
    print(f"\nof {len(declined)} declined questions of tables {right} have a suggestion that is answered right")


def row(found: Sequence[Answered], label: str) -> None:
    counts = Counter(each.verdict for each in found)
    print(f"  {label:22}{counts['right']:8}{counts['declined']:10}{counts['wrong']:8}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", nargs="+", choices=get_args(Half), default=get_args(Half))
    parser.add_argument("--kind", nargs="+")
    parser.add_argument("--told", action="store_true")
    parser.add_argument("--first-sight", action="store_const", dest="file", const=FIRST_SIGHT, default=QUESTIONS)
    parser.add_argument("--plain", action="store_const", dest="file", const=PLAIN)
    parser.add_argument("--fresh", action="store_const", dest="file", const=FRESH)
    parser.add_argument("--near", action="store_true")
    chosen = parser.parse_args()
    file = chosen.file
    asked = [each for each in everyday_questions(file) if each.half in chosen.half]
    asked = [each for each in asked if not chosen.kind or each.kind in chosen.kind]
    with closing(Sandbox()) as sandbox, everyday_room(sandbox, file) as room:
        found = [room.ask(each) for each in asked]
        if chosen.near:
            near(found, room)
    if chosen.told:
        told(found)
    for half in chosen.half:
        printed(half, [each for each in found if each.question.half == half])


if __name__ == "__main__":
    main()
