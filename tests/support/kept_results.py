"""An evaluation that was run to its end, written into a store without running anything."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from uuid import uuid4

from agent.application.evaluation.evaluation_plan import RESULT, Plan, version_of, write_plan
from agent.application.setup import Choice
from agent.evals.attempt import Result
from agent.evals.grades import Grade
from agent.interface_text import Text
from agent.store.evaluations import Evaluations, Kind, TestRow
from agent.store.runs import Store

WRONG = (Grade(False, "figure", Text("The figure {figure}", figure="4"), Text("The answer does not say so.")),)


def keep_results(
    store: Store,
    visitor: str,
    name: str,
    tests: Sequence[str],
    versions: Mapping[str, tuple[Choice, Sequence[bool], float]],
    kind: Kind = "",
) -> str:
    """The id of a new set; each version says with what it answered, which tests passed, and the dollars of a run."""
    kept = Evaluations(store)
    test_set = kept.add_set(visitor, name, kind)
    rows: list[TestRow] = []
    for test in tests:
        body = json.dumps({"question": test, "expectations": []})
        row = TestRow(uuid4().hex, test_set, store.add_conversation(visitor, test), "", "", "", test, body)
        kept.add_test(visitor, row)
        rows.append(row)
    named = tuple(version_of(version, choice, "") for version, (choice, *_) in versions.items())
    plan = Plan("live", named, tuple(row.id for row in rows), card=kind == "card")
    evaluation = kept.begin(visitor, test_set, write_plan(plan))
    names = {row.id: place for place, row in enumerate(rows)}
    for cell in plan.cells:
        _, passed, money = [*versions.values()][cell.version]
        good = passed[names[cell.test]]
        kept.claim(evaluation, cell)
        result = Result(good, () if good else WRONG, 2, 900, money, 1.5)
        kept.keep(evaluation, cell, good, RESULT.dump_json(result).decode())
    kept.end(visitor, evaluation, "done")
    return test_set
