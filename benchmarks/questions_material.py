"""Questions that people wrote about databases, asked of the demo model: how many answers are right, declined or wrong.

    python benchmarks/questions_material.py FOLDER [--only NAME[,NAME]] [--show right,declined,wrong]

``FOLDER`` (or the environment variable SQL_MATERIAL) holds ``*.sqlite`` and ``statements.json``, as for
``sql_material.py``. Each question is asked in a chat of its own with its database loaded, as a person would ask it.

An answer is right where the statement that it ran gives the rows of the gold statement, in some of its columns: rows
that come twice, those without any of what is counted, and more rows that tie for the first place are no faults. It is
right, too, where its text has each of up to twelve gold values.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.application.setup import Choice, setup
from agent.data.documents.chat_documents import Documents
from agent.data.refusal import Refused
from agent.data.tables.asking.querying import query
from agent.data.tables.chat_tables import Tables
from agent.demo.model import Demo
from agent.events import ToolCalled
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question as Asking
from agent.runs.conversation import answer
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import fold
from benchmarks.sql_material import Row, cell, loaded, same, sqlite_rows
from tests.support.everyday import DECLINED, stands, still

_MOST_COLUMNS, _MOST_WAYS, _MOST_CELLS, _MOST_TIES = 14, 200, 12, 6


@dataclass(frozen=True, slots=True)
class Asked:
    database: str
    question: str
    gold: str
    verdict: str
    statement: str
    said: str


def rows_same(theirs: Sequence[Row], ours: Sequence[Row], gold: str) -> bool:
    """Whether some columns of ours have their rows."""
    counted = [row for row in ours if not any(value is None or value == 0 for value in row)]
    once = sorted(set(theirs), key=str)
    if any(_in_columns(theirs, rows) or _in_columns(once, sorted(set(rows), key=str)) for rows in (ours, counted)):
        return True
    first = gold.strip(" ;").upper().endswith("LIMIT 1") and 1 < len(ours) <= _MOST_TIES
    return first and any(_in_columns(theirs, [row]) for row in ours)


def _in_columns(theirs: Sequence[Row], ours: Sequence[Row]) -> bool:
    if not theirs or len(theirs) != len(ours) or not len(theirs[0]) <= len(ours[0]) <= _MOST_COLUMNS:
        return not theirs and not ours
    columns = [[(row[place],) for row in ours] for place in range(len(ours[0]))]
    fits = [
        [place for place, column in enumerate(columns) if same([(row[wanted],) for row in theirs], column, False)]
        for wanted in range(len(theirs[0]))
    ]
    ways = itertools.islice(itertools.product(*fits), _MOST_WAYS)
    return any(
        len(set(way)) == len(way) and same(theirs, [tuple(row[place] for place in way) for row in ours], False)
        for way in ways
    )


def said_all(theirs: Sequence[Row], said: str) -> bool:
    values = [value for row in theirs for value in row]
    return 0 < len(values) <= _MOST_CELLS and all(_stands(value, said) for value in values)


def _stands(value: Any, said: str) -> bool:
    known = cell(value)
    figure = str(known) if not isinstance(known, float) else f"{known:.2f}".rstrip("0").rstrip(".")
    return stands(said, figure) or str(value).lower() in said.lower()


@contextmanager
def room(database: Path, sandbox: Sandbox) -> Iterator[Agent]:
    """The app's own agent with the database loaded, and with the tools that need the web away."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        store = Store(f"sqlite:///{folder}/store.db")
        chat = store.add_conversation("v", database.stem)
        tables = Tables(store.database, folder / "tables", sandbox).open("v", chat)
        documents = Documents(store.database, folder / "documents", sandbox).open("v", chat)
        tables.load(database.name, io.BytesIO(database.read_bytes()))
        agent = setup(read_settings({}), Choice(), Capabilities(), SearchCache(), tables=tables, documents=documents)
        yield replace(agent, model=Demo(pace=0), tools=still(agent.tools), language="en")
        store.close()


def asked(database: Path, statement: dict[str, str], agent: Agent, files: dict[str, Path]) -> Asked:
    question, gold = statement["question"], statement["gold"]
    events = list(answer(Asking(question, Before({})), agent, Flag()))
    view = fold(events)
    said = view.answer or str(view.failure)
    ran = [event.input for event in events if isinstance(event, ToolCalled) and event.tool == "query"]
    theirs = sqlite_rows(database, gold)
    if DECLINED.search(said):
        verdict = "declined"
    else:
        right = said_all(theirs, said) or (bool(ran) and rows_same(theirs, _rows(files, ran[-1]), gold))
        verdict = "right" if right else "wrong"
    return Asked(database.stem, question, gold, verdict, ran[-1] if ran else "", said)


def _rows(files: dict[str, Path], statement: str) -> list[Row]:
    try:
        return list(query(files, statement).rows)
    except Refused:
        return []


def measured(folder: Path, names: Sequence[str]) -> Iterator[Asked]:
    statements = json.loads((folder / "statements.json").read_text(encoding="utf-8"))
    sandbox = Sandbox()
    for name in names or sorted({str(statement["db"]) for statement in statements}):
        database = folder / f"{name}.sqlite"
        with tempfile.TemporaryDirectory() as made, room(database, sandbox) as agent:
            files = loaded(database, Path(made), False)
            yield from (asked(database, each, agent, files) for each in statements if each["db"] == name)
    sandbox.close()


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", nargs="?", default=os.environ.get("SQL_MATERIAL", ""))
    read.add_argument("--only", default="")
    read.add_argument("--show", default="wrong")
    given = read.parse_args()
    if not given.folder:
        read.error("name the folder of the material, or set SQL_MATERIAL")
    total, by_database = Counter[str](), Counter[tuple[str, str]]()
    for one in measured(Path(given.folder), [name for name in given.only.split(",") if name]):
        total[one.verdict] += 1
        by_database[one.database, one.verdict] += 1
        if one.verdict in given.show.split(","):
            said = " ".join(one.said.split())[:200]
            print(
                f"{one.verdict:8} {one.database}: {one.question}\n         {one.gold}\n         {one.statement or said}"
            )
    for name in sorted({name for name, _ in by_database}):
        print(
            f"{name:28}", *(f"{verdict} {by_database[name, verdict]:3}" for verdict in ("right", "declined", "wrong"))
        )
    print(
        f"{sum(total.values())} questions",
        *(f"{verdict} {total[verdict]}" for verdict in ("right", "declined", "wrong")),
    )


if __name__ == "__main__":
    main()
