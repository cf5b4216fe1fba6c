"""Many small cases in one test.

A test of its own costs pytest four milliseconds, and a third of one in every process that collects it. Where a case
takes less than that and needs no fixture of its own, ``each`` tries all of a table in one test. It goes on behind a
case that fails, and names every one that did. With ``CASES=apart`` in the environment each case is a test again, so
that one can be run by its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any

import pytest

SHOWN = 5  # failures with their tracebacks; of the others the names are told
Case = tuple[str, dict[str, Any]]
Test = Callable[..., None]
Ids = Iterable[Any] | Callable[[Any], object] | None


def each(names: str | Sequence[str], values: Iterable[Any], ids: Ids = None) -> Callable[[Test], Test]:
    """Tries a test on each of ``values``; takes what ``pytest.mark.parametrize`` takes, and is stacked as that is.

    The cases share the fixtures of their one test, so it may take none that a case changes.
    """
    values = list(values)
    if os.environ.get("CASES") == "apart":
        return pytest.mark.parametrize(names, values, ids=ids)  # type: ignore[arg-type]
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_row(value, len(fields)) for value in values]
    told = (
        [name or _name(row, ids) for row, name in rows] if ids is None or callable(ids) else [str(name) for name in ids]
    )
    cases = [(name, dict(zip(fields, row, strict=True))) for name, (row, _) in zip(told, rows, strict=True)]
    assert cases, "a test without a case tests nothing"

    def decorate(test: Test) -> Test:
        inner: list[Case] = getattr(test, "cases", [("", {})])
        crossed = [(f"{name}-{other}".strip("-"), {**given, **more}) for other, more in cases for name, given in inner]
        return _over(getattr(test, "tried", test), crossed)

    return decorate


def _row(value: Any, width: int) -> tuple[Sequence[Any], str]:
    """The arguments of a case, and the name that it was given."""
    if isinstance(value, type(pytest.param())):
        return value.values, str(value.id or "")
    return value if width > 1 else (value,), ""


def _name(row: Sequence[Any], ids: Ids) -> str:
    return "-".join(str(ids(part)) if callable(ids) else ascii(part)[:100] for part in row)


def _over(test: Test, cases: list[Case]) -> Test:
    @wraps(test)
    def over_all(**fixtures: Any) -> None:
        failed: list[tuple[str, BaseException]] = []
        for name, given in cases:
            try:
                test(**fixtures, **given)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the edge at which a case fails
                error.add_note(f"The case: {name}")
                failed.append((name, error))
        if failed:
            told = f"{len(failed)} of {len(cases)} cases failed: {' · '.join(name for name, _ in failed)}"
            raise BaseExceptionGroup(told, [error for _, error in failed[:SHOWN]])

    taken = signature(test)
    kept = [parameter for name, parameter in taken.parameters.items() if name not in cases[0][1]]
    over_all.__dict__.update(__signature__=taken.replace(parameters=kept), tried=test, cases=cases)
    return over_all
