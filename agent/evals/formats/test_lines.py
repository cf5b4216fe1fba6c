"""A set of tests as JSON lines, UTF-8: what Glassbox writes, and what a person may write by hand.

{"format":"glassbox-tests","version":1,"name":"…"}                       may be left out
{"test":"…","name":"…","question":"…","expectations":[{"type":…}],       a test a line;
 "answer":"…","history":[[…],…],"recorded":[…]}                          all but ``question`` may be left out

``answer`` is what the answer must say, where no expectations are given. ``history`` and ``recorded`` are runs, lists of
events as ``agent.events.dump`` writes them. The file may be a stranger's: it is checked as an import is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent.errors import BadRequest
from agent.evals.expectations import Expectation, adapter, read_expectations
from agent.evals.formats.written_answer import expected_of
from agent.evals.kept_test import MOST_TESTS, KeptSet, KeptTest, name_of
from agent.events import Event, dump, load
from agent.interface_text import Text
from agent.runs.conversation import check_length
from agent.sharing.import_file import MOST_EVENTS, absurdity, lines_of, parsed, refuse
from agent.sharing.import_order import disorder
from agent.upcasters import NotAnEvent

FORMAT, VERSION = "glassbox-tests", 1
_MOST_TURNS = 50


def write_lines(kept: KeptSet) -> str:
    """The set as a file; ``read_lines`` reads it back to an equal value."""
    header = {"format": FORMAT, "version": VERSION, "name": kept.name}
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (header, *map(as_line, kept.tests)))


def as_line(test: KeptTest) -> dict[str, Any]:
    """The test as the object of its line."""
    return {
        "test": test.id,
        "name": test.name,
        "question": test.question,
        "expectations": adapter().dump_python(test.expectations, mode="json"),
        **({"history": [_run_line(events) for events in test.history]} if test.history else {}),
        **({"recorded": _run_line(test.recorded)} if test.recorded else {}),
    }


def _run_line(events: Sequence[Event]) -> list[Any]:
    return [json.loads(dump(event)) for event in events]


def read_lines(data: bytes, name: str = "") -> KeptSet:
    """The set in a file; ``name`` is what it is called where it does not say so. Raises ``BadRequest``."""
    tests: dict[str, KeptTest] = {}
    for number, line in enumerate(lines_of(data), 1):
        if not line.strip():
            continue
        value = parsed(number, line)
        if number == 1 and "format" in value:
            name = _header(value) or name
            continue
        test = of_line(number, value)
        if test.id in tests:
            refuse(Text("The test of line {number:,} has the id of an earlier one.", number=number))
        tests[test.id] = test
        if len(tests) > MOST_TESTS:
            refuse(Text("It has more than {most:,} tests.", most=MOST_TESTS))
    if not tests:
        refuse(Text("There is no test in it."))
    return KeptSet(name_of(name), tuple(tests.values()))


def _header(value: Mapping[str, Any]) -> str:
    if value["format"] != FORMAT or value.get("version") != VERSION:
        refuse(Text("It is not a file of tests that can be read here."))
    name = value.get("name", "")
    return name if isinstance(name, str) else ""


def of_line(number: int, value: Mapping[str, Any]) -> KeptTest:
    """The test in the object of a line. Raises ``BadRequest``."""
    question = value.get("question")
    if not isinstance(question, str) or not question.strip():
        refuse(Text("Line {number:,} has no question.", number=number))
    known = {"test", "name", "question", "expectations", "answer", "history", "recorded"}
    if unknown := sorted(value.keys() - known):
        refuse(Text("Line {number:,} has a field that no test has: {field}.", number=number, field=unknown[0][:40]))
    check_length(question)
    history = _listed(number, value.get("history", []))
    if len(history) > _MOST_TURNS:
        refuse(Text("Line {number:,} has more than {most} turns.", number=number, most=_MOST_TURNS))
    recorded: object = value.get("recorded")
    title = value.get("name")
    return KeptTest(
        id=str(value.get("test") or number)[:64],
        name=name_of(title if isinstance(title, str) and title else question),
        question=question,
        expectations=_expectations(number, value),
        history=tuple(_run(number, run) for run in history),
        recorded=_run(number, recorded) if recorded else (),
    )


def _expectations(number: int, value: Mapping[str, Any]) -> tuple[Expectation, ...]:
    if "expectations" in value:
        try:
            return read_expectations(value["expectations"])
        except BadRequest as error:
            refuse(Text("Line {number:,}: {why}", number=number, why=error.text))
    answer = value.get("answer", "")
    return expected_of(answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False))


def _listed(number: int, value: object) -> list[Any]:
    if not isinstance(value, list):
        refuse(Text("Line {number:,} has a list of events that is none.", number=number))
    return cast("list[Any]", value)


def _run(number: int, value: object) -> tuple[Event, ...]:
    events: list[Event] = []
    for each in _listed(number, value):
        try:
            events.append(load(json.dumps(each)))
        except NotAnEvent as error:
            refuse(Text("Line {number:,} {fault}.", number=number, fault=error.fault))
        if fault := absurdity(events[-1]):
            refuse(Text("Line {number:,} {fault}.", number=number, fault=fault))
    if len(events) > MOST_EVENTS:
        refuse(Text("The run of line {number:,} has more than {most:,} events.", number=number, most=MOST_EVENTS))
    if found := disorder(events):
        refuse(Text("Line {number:,} {fault}.", number=number, fault=found[1]))
    return tuple(events)
