"""``each``, by which one test tries many cases."""

from __future__ import annotations

from inspect import signature

import pytest

from tests.support.cases import each

TRIED: list[object] = []


def failure(test: object) -> BaseExceptionGroup[BaseException]:
    with pytest.raises(BaseExceptionGroup) as raised:
        test()  # type: ignore[operator]
    return raised.value


@each(("number", "square"), [(2, 4), pytest.param(3, 9, id="three"), (4, 16)])
def test_every_case_is_tried(number: int, square: int) -> None:
    TRIED.append(number)
    assert number * number == square


def test_all_cases_were_tried_in_their_order() -> None:
    TRIED.clear()
    test_every_case_is_tried()  # type: ignore[call-arg]
    assert TRIED == [2, 3, 4]


def test_each_case_that_fails_is_named_and_the_others_are_tried() -> None:
    @each("number", [2, pytest.param(3, id="three"), 4, 5], ids=lambda number: f"n{number}")
    def test(number: int) -> None:
        TRIED.append(number)
        if number == 5:
            pytest.fail("as pytest.raises does")
        assert number % 2 == 0

    TRIED.clear()
    failed = failure(test)
    assert TRIED == [2, 3, 4, 5]
    assert failed.message == "2 of 4 cases failed: three · n5"
    assert [error.__notes__ for error in failed.exceptions] == [["The case: three"], ["The case: n5"]]


def test_stacked_tables_are_crossed_as_those_of_parametrize_are() -> None:
    @each("x", [1, 2])
    @each("y", "ab")
    def test(x: int, y: str, tmp_path: str = "") -> None:
        raise ValueError((x, y))

    failed = failure(test)
    assert failed.message == "4 of 4 cases failed: 'a'-1 · 'b'-1 · 'a'-2 · 'b'-2"
    assert list(signature(test).parameters) == ["tmp_path"]


def test_of_many_failures_the_first_are_shown_and_all_are_named() -> None:
    @each("x", range(20))
    def test(x: int) -> None:
        raise ValueError(x)

    failed = failure(test)
    assert len(failed.exceptions) == 5
    assert failed.message.endswith(" · 19")


def test_a_table_without_a_case_is_refused() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        each("x", [])


def test_cases_are_tests_of_their_own_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASES", "apart")

    @each("x", range(20), ids=str)
    def test(x: int) -> None: ...

    assert test.pytestmark[0].name == "parametrize"  # type: ignore[attr-defined]
    assert len(test.pytestmark[0].args[1]) == 20  # type: ignore[attr-defined]
