"""A set of tests as the YAML of a dataset of pydantic-evals (https://ai.pydantic.dev/evals/).

The question is the input of a case. What its built-in evaluators can judge stands there, too; all expectations are in
the case's metadata, under ``glassbox``, from where they are read back. Recorded runs are no part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import yaml

from agent.errors import BadRequest
from agent.evals.expectations import AtMost, Contains, Expectation, Mentions, NoError, adapter, read_expectations
from agent.evals.formats.written_answer import expected_of
from agent.evals.kept_test import MOST_TESTS, KeptSet, KeptTest, name_of
from agent.interface_text import Text
from agent.runs.conversation import check_length
from agent.sharing.import_file import NO_CHARACTER, inside, refuse
from agent.text.regex import regex

_MOST_BYTES = 2_000_000
_MOST_DEPTH, _MOST_EVENTS = 50, 200_000
_MANY_DIGITS = regex(r"[-+]?[0-9][-+.:_xXa-fA-F0-9]{300}")
_KEY = "glassbox"
# Plain values alone; libyaml's reader is ten times as fast, where it is there.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def write_yaml(kept: KeptSet) -> str:
    """The set as a file that ``pydantic_evals.Dataset.from_file`` opens."""
    cases = [_case(test) for test in kept.tests]
    return yaml.safe_dump({"name": kept.name, "cases": cases}, allow_unicode=True, sort_keys=False)


def _case(test: KeptTest) -> dict[str, Any]:
    evaluators = [made for each in test.judged if (made := _evaluator(each))]
    kept = {"test": test.id, "expectations": adapter().dump_python(test.expectations, mode="json")}
    return {
        "name": test.name,
        "inputs": test.question,
        "metadata": {_KEY: kept},
        **({"expected_output": test.answer} if test.answer else {}),
        **({"evaluators": evaluators} if evaluators else {}),
    }


def _evaluator(expectation: Expectation) -> dict[str, Any] | None:
    match expectation:
        case Contains(text=text) | Mentions(text=text):
            return {"Contains": {"value": text, "case_sensitive": False}}
        case AtMost(what="seconds", most=most):
            return {"MaxDuration": most}
        case _:
            return None


def read_yaml(data: bytes, name: str = "") -> KeptSet:
    """The set in a dataset of pydantic-evals. Raises ``BadRequest``."""
    if len(data) > _MOST_BYTES:
        refuse(Text("It has more than {most} MB.", most=_MOST_BYTES // 1_000_000))
    try:
        _check(data)
        whole = yaml.load(data, _LOADER)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        refuse(Text("It is not YAML that can be read here."))
    told = _mapping(whole)
    if any(isinstance(inner, str) and NO_CHARACTER.search(inner) for inner, _ in inside(dict(told))):
        refuse(Text("It has a text with a character that no text may have."))
    cases = told.get("cases")
    if not isinstance(cases, list) or not cases:
        refuse(Text("There is no test in it."))
    listed = cast("list[Any]", cases)
    if len(listed) > MOST_TESTS:
        refuse(Text("It has more than {most:,} tests.", most=MOST_TESTS))
    tests = tuple(_test(number, case) for number, case in enumerate(listed, 1))
    return KeptSet(name_of(str(told.get("name") or name)), tests)


def _check(data: bytes) -> None:
    """Raises ``YAMLError`` for what could grow without bound.

    That is what refers to another place of the file, is nested deeply, or is a number of many digits: those with
    colons between them are multiplied one by one.
    """
    depth = 0
    for number, event in enumerate(cast("Any", yaml).parse(data, _LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        digits = isinstance(event, yaml.ScalarEvent) and _MANY_DIGITS.match(event.value)
        if isinstance(event, yaml.AliasEvent) or digits or depth > _MOST_DEPTH or number > _MOST_EVENTS:
            raise yaml.YAMLError


def _test(number: int, case: object) -> KeptTest:
    told = _mapping(case)
    inputs: object = told.get("inputs")
    question = _inner(inputs, "question")
    if not isinstance(question, str) or not question.strip():
        refuse(Text("Test {number:,} has no question.", number=number))
    check_length(question)
    title = told.get("name")
    name = name_of(title if isinstance(title, str) and title else question)
    return KeptTest(str(number), name, question, _expectations(number, told))


def _expectations(number: int, told: Mapping[str, Any]) -> tuple[Expectation, ...]:
    if ours := _mapping(_mapping(told.get("metadata")).get(_KEY)):
        try:
            return read_expectations(ours.get("expectations", []))
        except BadRequest as error:
            refuse(Text("Test {number:,}: {why}", number=number, why=error.text))
    evaluators = told.get("evaluators")
    listed = cast("list[object]", evaluators) if isinstance(evaluators, list) else []
    found = [made for each in listed if (made := _expectation(each))]
    output = told.get("expected_output")
    if output is not None and not found:
        return expected_of(str(output))
    return (NoError(), *found)


def _expectation(evaluator: object) -> Expectation | None:
    """What one of pydantic-evals' own evaluators asks for, where we judge that, too."""
    name, given = next(iter(_mapping(evaluator).items()), ("", None))
    value: object = _inner(given, "value")
    if name == "Contains" and isinstance(value, str | int | float) and str(value).strip():
        return Contains(str(value))
    seconds: object = _inner(given, "seconds")
    if name == "MaxDuration" and isinstance(seconds, int | float) and seconds > 0:
        return AtMost("seconds", float(seconds))
    return None


def _mapping(value: object) -> Mapping[str, Any]:
    """The value, nothing where it is no mapping."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _inner(value: object, name: str) -> object:
    """What a mapping has under a name; another value as it is."""
    inner = _mapping(value)
    return inner.get(name) if inner else value
