"""Questions that people wrote about tables of Wikipedia, asked of the demo model: how many are right, declined, wrong.

    python benchmarks/page_questions.py FOLDER [--half working|sealed] [--strictly] [--tables N] [-v KIND,KIND]

``FOLDER`` (or the environment variable PAGE_MATERIAL) holds ``fetaqa_dev.jsonl`` (FeTaQA). Each table is loaded in a
conversation of its own, from a CSV file such as a person would drop, called after the page and the section.

The gold answers are sentences. What must stand in an answer are the marked cells that the gold sentence has and the
question has not; questions without any are left out. Right: all of them stand there, and not many more rows than are
marked. A date may stand there as 2005-09-27, a fraction without its last zeros. Where a question asks for one thing
only and names its column ("what roles did she play in 2013?"), only the marked cells of that column must stand there,
though the gold sentence has the films, too. With ``--strictly``, as this was first judged, none of that holds. Any
other answer that has what was asked, where the gold sentence says more, is still wrong. Declined: the answer claims
nothing. The tables are halved by a hash of the page; questions of the sealed half are only counted, and never shown.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.sandbox.client import Sandbox
from benchmarks.table_of_years import Sheet, measured, verdicts_told
from tests.support.everyday import DECLINED

_LONGEST_NAME = 80
_BETWEEN = re.compile(r"[\W_]+")
_ROW = re.compile(r"^(?:- |\| (?!---))", re.M)
_DAYS = ("%B %d %Y", "%d %B %Y", "%b %d %Y", "%d %b %Y")
_FRACTION = re.compile(r"(?P<number>-?\d[\d,]*\.\d+?)0+%?")
_THING = re.compile(r"\b(?:what|which)((?: [\w'’-]+){1,3}?) (?:did|does|do|is|was|are|were|has|have|had)\b", re.I)
_ASKING = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)


@dataclass(frozen=True, slots=True)
class Page:
    """A table with one question; ``needed`` are the texts that must stand in the answer, ``marked`` counts its rows.

    ``asked_for``: those of them that are of the column that the question names; all, where it names none.
    """

    sheet: Sheet
    title: str
    question: str
    gold: str
    needed: frozenset[str]
    asked_for: frozenset[str]
    marked: int

    @property
    def sealed(self) -> bool:
        return bool(sha256(self.title.encode()).digest()[0] % 2)


def plain(text: str) -> str:
    """In small letters, its words and figures with one space around each."""
    return f" {_BETWEEN.sub(' ', text.lower()).strip()} "


def pages(folder: Path) -> Iterator[Page]:
    for line in (folder / "fetaqa_dev.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        name = re.sub(r"[^\w \-]", "", f"{one['table_page_title']} {one['table_section_title']}")[:_LONGEST_NAME]
        rows, places = one["table_array"], one["highlighted_cell_ids"]
        cells = {rows[row][column] for row, column in places}
        gold, question = plain(one["answer"]), plain(one["question"])
        needed = frozenset(
            cell for cell in cells if plain(cell).strip() and plain(cell) in gold and plain(cell) not in question
        )
        if needed:
            sheet = Sheet(name.strip() or "table", tuple(map(tuple, rows)), (), "en")
            marked = len({row for row, _ in places})
            heads = {column for column, head in enumerate(rows[0]) if _names(one["question"], head)}
            of_heads = needed & {rows[row][column] for row, column in places if column in heads}
            yield Page(
                sheet, one["table_page_title"], one["question"], one["answer"], needed, of_heads or needed, marked
            )


def _names(question: str, head: str) -> bool:
    """Whether ``head`` is called by what the question asks for, and it asks for nothing else."""
    thing, called = _THING.search(question), plain(head).split()
    if thing is None or not called or len(_ASKING.findall(question)) > 1 or " and " in thing[1]:
        return False
    return plain(thing[1]).split()[-1].removesuffix("s") == called[-1].removesuffix("s")


def _forms(cell: str) -> Iterator[str]:
    """What a cell may be in an answer."""
    yield plain(cell)
    for form in _DAYS:
        with suppress(ValueError):
            yield plain(f"{datetime.strptime(plain(cell).strip(), form):%Y-%m-%d}")
    if fraction := _FRACTION.fullmatch(cell.strip()):
        yield plain(fraction["number"].rstrip("."))


def verdict(page: Page, said: str, strictly: bool = False) -> str:
    if DECLINED.search(said):
        return "declined"
    told = plain(said)
    shown = len(_ROW.findall(said)) - 1
    if strictly:
        there = all(plain(cell) in told for cell in page.needed)
    else:
        there = all(any(form in told for form in _forms(cell)) for cell in page.asked_for)
    return "right" if there and shown <= 3 * page.marked + 2 else "wrong"


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", nargs="?", default=os.environ.get("PAGE_MATERIAL", ""))
    read.add_argument("--half", choices=("working", "sealed"), default="working")
    read.add_argument("--strictly", action="store_true", help="by the first judge")
    read.add_argument("--tables", type=int, default=0, help="at most so many")
    read.add_argument("-v", default="", help="verdicts to print, of the working half")
    given = read.parse_args()
    if not given.folder:
        read.error("name the folder of the material, or set PAGE_MATERIAL")
    kinds = [] if given.half == "sealed" else given.v.split(",")
    box = Sandbox()
    try:
        several = [page for page in pages(Path(given.folder)) if page.sealed == (given.half == "sealed")]
        judged = [
            (page.sheet, [(page.question, page.gold, partial(verdict, page, strictly=given.strictly))])
            for page in several[: given.tables or None]
        ]
        print(f"{given.half} half: {verdicts_told(measured(judged, kinds, box))}")
    finally:
        box.close()


if __name__ == "__main__":
    main()
