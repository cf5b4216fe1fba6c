"""Questions that people wrote about financial tables, asked of the demo model: how many are right, declined, wrong.

    python benchmarks/table_of_years.py FOLDER [--set tatqa|jfinqa] [--half working|sealed] [--tables N] [-v KIND,KIND]

``FOLDER`` (or the environment variable FINANCIAL_MATERIAL) holds ``tatqa_dev.json`` (TAT-QA: English) and
``jfinqa_half.json`` (jfinqa: Japanese). Each table is loaded in a conversation of its own, from a CSV file such as a
person would drop: its rows as they are, with their heads. The file is called "table", or after the company and the
year where the set names them. Of TAT-QA, the questions are those that its makers answered from the table.

Right: the answer has the gold value, to its places, and no more than a few figures beside it; a percentage may lack its
sign, a difference its sign where a word says whether it rose or fell. Declined: the answer claims nothing. The tables
are halved by a hash of what they hold. Questions of the sealed half are only counted, and never shown.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event as Flag
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.application.setup import Choice, setup
from agent.data.documents.chat_documents import Documents
from agent.data.tables.chat_tables import Tables
from agent.events import ToolCalled
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import fold
from tests.support.everyday import DECLINED, _ThatDay, stands, still

# A question, its gold answer, and the verdict on what was said.
Judged: TypeAlias = tuple[str, object, Callable[[str], str]]

_FIGURE = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_BESIDE = 6  # figures that may stand beside the one that is wanted
_READ_AS = re.compile(r"^(?:I read this as|Read as|読み方).*$", re.M)
_FROM = re.compile(r"^(?:From: |もとの値：).*$", re.M)  # what a figure was worked out of
_FALLS = re.compile(r"\b(?:fell|less|lower|decreas\w+|down)\b|減|下", re.I)


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    gold: tuple[str, ...]
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table as the file ``name``, and what is asked of it."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    asked: tuple[Asked, ...]
    language: str

    @property
    def sealed(self) -> bool:
        return bool(sha256(json.dumps(self.rows, ensure_ascii=False).encode()).digest()[0] % 2)

    def text(self) -> bytes:
        file = io.StringIO(newline="")
        csv.writer(file).writerows(self.rows)
        return file.getvalue().encode()


def tatqa(folder: Path) -> Iterator[Sheet]:
    for each in json.loads((folder / "tatqa_dev.json").read_text(encoding="utf-8")):
        asked = [_english(one) for one in each["questions"] if one["answer_from"] != "text"]
        yield Sheet("table", tuple(map(tuple, each["table"]["table"])), tuple(asked), "en")


def _english(one: dict[str, Any]) -> Asked:
    given = one["answer"] if isinstance(one["answer"], list) else [str(one["answer"])]
    return Asked(str(one["question"]), tuple(map(str, given)), one["scale"] == "percent")


def jfinqa(folder: Path) -> Iterator[Sheet]:
    sheets: dict[tuple[str, tuple[tuple[str, ...], ...]], list[Asked]] = {}
    for each in json.loads((folder / "jfinqa_half.json").read_text(encoding="utf-8")):
        rows = (tuple(each["table"]["headers"]), *map(tuple, each["table"]["rows"]))
        gold = str(each["qa"]["answer"])
        name = f"{each['company_name']}_{each['filing_year']}年3月期"
        asked = sheets.setdefault((name, rows), [])
        asked.append(Asked(each["qa"]["question"], (gold,), gold.endswith("%")))
    for (name, rows), asked in sheets.items():
        yield Sheet(name, rows, tuple(asked), "ja")


def figure(text: str) -> str:
    """The number that a gold answer is, as plain digits; "" where it is words."""
    bare = re.sub(r"[\s,$€£¥%％]|百万円|千円|円|ポイント|million|billion|thousand|US", "", text)
    bare = re.sub(r"^\((.+)\)$", r"-\1", bare).replace("△", "-").replace("−", "-")
    return bare if re.fullmatch(r"-?\d+(?:\.\d+)?", bare) else ""


def verdict(asked: Asked, said: str) -> str:
    if DECLINED.search(said):
        return "declined"
    told = _FROM.sub("", _READ_AS.sub("", said))
    others = [one for one in _FIGURE.findall(told) if not _YEAR.fullmatch(one)]
    if len(others) > _BESIDE + 2 * len(asked.gold):
        return "wrong"
    return "right" if all(_stands(told, gold, asked) for gold in asked.gold) else "wrong"


def _stands(told: str, gold: str, asked: Asked) -> bool:
    wanted = figure(gold)
    if not wanted:
        bare = gold.strip().lower()
        return bare in told.lower() or all(word in told.lower() for word in re.findall(r"\w+", bare))
    told = re.sub(r"\(([\d,]+(?:\.\d+)?)\)", r"-\1", told)
    if stands(told, wanted) or ((asked.percent or "%" in gold) and _rounded(told, wanted)):
        return True
    if wanted.startswith("-") and _FALLS.search(told):
        return stands(told, wanted[1:])
    return not asked.percent and float(wanted) != 0 and stands(told, wanted.lstrip("-")) and gold.startswith("(")


def _rounded(told: str, wanted: str) -> bool:
    """Whether a figure of the answer is the one that is wanted once it is rounded to as many places."""
    places = len(wanted.partition(".")[2])
    figures = (float(one.replace(",", "").replace("−", "-")) for one in _FIGURE.findall(told))
    return any(abs(one - float(wanted)) <= 0.5000001 * 10**-places for one in figures)


def agent_of(sheet: Sheet, folder: Path, store: Store, box: Sandbox, number: int) -> Agent:
    tables = Tables(store.database, folder / "tables", box)
    documents = Documents(store.database, folder / "documents", box)
    chat = store.add_conversation("v", str(number))
    opened = tables.open("v", chat)
    opened.load(f"{sheet.name}.csv", io.BytesIO(sheet.text()))
    made = setup(
        read_settings({}),
        Choice(),
        Capabilities(),
        SearchCache(),
        tables=opened,
        documents=documents.open("v", chat),
    )
    return replace(made, model=_ThatDay(pace=0), tools=still(made.tools), language=sheet.language)


def measured(sheets: Sequence[tuple[Sheet, Sequence[Judged]]], kinds: Sequence[str], box: Sandbox) -> Counter[str]:
    """How many answers of each verdict; those of ``kinds`` are printed with what was asked."""
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(f"sqlite:///{folder}/store.db")
        for number, (sheet, several) in enumerate(sheets):
            agent = agent_of(sheet, folder, store, box, number)
            for question, gold, judge in several:
                events = list(answer(Question(question, Before({})), agent, Flag()))
                view = fold(events)
                said = view.answer or str(view.failure)
                judged = judge(said)
                total[judged] += 1
                if judged in kinds:
                    calls = [event.input for event in events if isinstance(event, ToolCalled)]
                    print(f"{judged.upper()} {number}: {question}\n    gold {gold}\n    {said!r}\n    {calls}")
        store.close()
    return total


def verdicts_told(total: Counter[str]) -> str:
    """How many questions there were, and how many of them got each verdict."""
    asked = max(1, total.total())
    shares = (f"{kind} {total[kind]} ({total[kind] / asked:.1%})" for kind in ("right", "declined", "wrong"))
    return f"{total.total()} questions: {', '.join(shares)}"


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", nargs="?", default=os.environ.get("FINANCIAL_MATERIAL", ""))
    read.add_argument("--set", choices=("tatqa", "jfinqa"))
    read.add_argument("--half", choices=("working", "sealed"), default="working")
    read.add_argument("--tables", type=int, default=0, help="at most so many of each set")
    read.add_argument("-v", default="", help="verdicts to print, of the working half")
    given = read.parse_args()
    if not given.folder:
        read.error("name the folder of the material, or set FINANCIAL_MATERIAL")
    kinds = [] if given.half == "sealed" else given.v.split(",")
    box = Sandbox()
    try:
        for name, source in (("tatqa", tatqa), ("jfinqa", jfinqa)):
            if given.set not in (None, name):
                continue
            sheets = [each for each in source(Path(given.folder)) if each.sealed == (given.half == "sealed")]
            judged = [
                (sheet, [(one.question, one.gold, partial(verdict, one)) for one in sheet.asked])
                for sheet in sheets[: given.tables or None]
            ]
            print(f"{name}, {given.half} half: {verdicts_told(measured(judged, kinds, box))}")
    finally:
        box.close()


if __name__ == "__main__":
    main()
