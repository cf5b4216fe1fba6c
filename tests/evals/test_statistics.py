"""Intervals that hold what they promise, comparisons that chance does not fool, and the step at which runs part."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import comb

import pytest

from agent.evals.attempt import Result
from agent.evals.formats.result_lines import Row
from agent.evals.statistics.flaky_step import parting, signs
from agent.evals.statistics.intervals import (
    Passes,
    by_fisher,
    by_sign,
    paired,
    pass_at_1,
    pass_power_k,
    wilson,
)
from agent.evals.statistics.turned_tests import compared, compared_rows
from tests.support.minding_model import Minding, saw
from tests.support.stories import events_of, final, react


def version(chances: Mapping[str, float], repeats: int, drawn: random.Random) -> dict[str, Passes]:
    return {
        test: Passes(sum(drawn.random() < chance for _ in range(repeats)), repeats) for test, chance in chances.items()
    }


@pytest.mark.parametrize("repeats", [1, 5])
@pytest.mark.parametrize("tests", [10, 40, 200])
def test_two_identical_versions_seldom_differ_significantly(tests: int, repeats: int, seed: int) -> None:
    drawn = random.Random(seed)
    chances = {str(number): drawn.choice((0.05, 0.5, 0.7, 0.95)) for number in range(tests)}
    rounds = 200
    significant = sum(
        paired(version(chances, repeats, drawn), version(chances, repeats, drawn)).significant for _ in range(rounds)
    )
    # At most 5 % by the test's construction; that 200 rounds have more than 9 % of them comes once in 500 seeds.
    assert significant / rounds <= 0.09


def rows_of(chances: Mapping[str, float], repeats: int, drawn: random.Random) -> list[Row]:
    return [
        Row(test, test, "m", "live", repeat, Result(drawn.random() < chance, ()))
        for test, chance in chances.items()
        for repeat in range(1, repeats + 1)
    ]


def test_a_version_that_ran_less_often_is_no_better_for_it(seed: int) -> None:
    drawn = random.Random(seed)
    chances = dict.fromkeys(map(str, range(60)), 0.8)
    found = [compared_rows(rows_of(chances, 5, drawn), rows_of(chances, 1, drawn)) for _ in range(100)]
    # By their shares of passes nearly all would: most tests failed once in five, and pass the single time.
    assert sum(each.whole.significant for each in found) <= 14
    assert all(each.uneven and "as many runs" in each.said for each in found)
    assert not compared_rows(rows_of(chances, 2, drawn), rows_of(chances, 2, drawn)).uneven


def test_a_real_difference_is_significant(seed: int) -> None:
    drawn = random.Random(seed)
    before = dict.fromkeys(map(str, range(60)), 0.95)
    now = dict.fromkeys(map(str, range(60)), 0.45)
    whole = compared(version(before, 3, drawn), version(now, 3, drawn))
    assert whole.whole.significant
    assert "hardly chance" in whole.said
    assert not whole.whole.few


def test_the_chance_is_exact() -> None:
    # McNemar's exact p-value for 1 and 9 discordant pairs: 2 · (C(10,0) + C(10,1)) / 2^10.
    assert by_sign(1, 9) == pytest.approx(2 * 11 / 1024)
    assert by_sign(0, 0) == 1.0
    assert by_sign(5, 0) == pytest.approx(0.0625), "five tests cannot be significant"
    # Fisher's: all of 5 against none of 5.
    assert by_fisher(Passes(5, 5), Passes(0, 5)) == pytest.approx(2 / comb(10, 5))
    assert by_fisher(Passes(3, 3), Passes(3, 3)) == 1.0


@pytest.mark.parametrize(
    ("share", "of", "low", "high"),
    [(0.5, 10, 0.2366, 0.7634), (1.0, 10, 0.7225, 1.0), (0.0, 5, 0.0, 0.4345), (0.9, 100, 0.8256, 0.9448)],
)
def test_wilson_is_as_in_the_tables(share: float, of: int, low: float, high: float) -> None:
    found = wilson(share, of)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_the_interval_has_the_true_share(seed: int) -> None:
    drawn = random.Random(seed)
    held = 0
    for _ in range(400):
        passed = sum(drawn.random() < 0.8 for _ in range(30))
        found = wilson(passed / 30, 30)
        held += found.low <= 0.8 <= found.high
    assert held / 400 > 0.9


def test_pass_power_k_is_the_share_of_picks_that_all_pass() -> None:
    tests = [Passes(5, 5), Passes(4, 5), Passes(0, 5)]
    assert pass_at_1(tests).share == pytest.approx((1 + 0.8 + 0) / 3)
    # Of C(5,3) = 10 picks of three runs, C(4,3) = 4 have no failed one.
    assert pass_power_k(tests, 3).share == pytest.approx((1 + 0.4 + 0) / 3)
    assert pass_power_k(tests, 5).share == pytest.approx(1 / 3)
    assert pass_power_k(tests, 6).of == 0, "no test ran so often"


def test_what_broke_stands_first_and_few_tests_say_so() -> None:
    before = {"a": Passes(5, 5), "b": Passes(3, 5), "c": Passes(0, 5), "d": Passes(5, 5), "e": Passes(1, 1)}
    now = {"a": Passes(5, 5), "b": Passes(2, 5), "c": Passes(5, 5), "d": Passes(0, 5), "f": Passes(1, 1)}
    found = compared(before, now)
    assert [(each.test, each.turn) for each in found.turned] == [("d", "broke"), ("b", "worse"), ("c", "mended")]
    assert "2 of 4 tests got worse, 1 better" in found.said
    assert "may be chance" in found.said and "few tests" in found.said
    assert compared(before, before).said == "None of 5 tests turned."


def differing_at(step: int, other: bool, last: int = 4) -> list[object]:
    """The events of a run of four calls, whose call at ``step`` is another one where ``other``."""

    def reply(request: object) -> str:
        done = len(saw(request))  # type: ignore[arg-type]
        if done == last:
            return final("Done.")
        number = done + 1 + (100 if other and done + 1 == step else 0)
        return react(f"Thought {random.random()}", "double", f'{{"number": {number}}}')

    return list(events_of(Minding(reply)))


@pytest.mark.parametrize("step", [1, 3, 4])
def test_the_step_at_which_runs_part_is_named(step: int) -> None:
    runs = [signs(differing_at(step, other=number in (2, 5, 8))) for number in range(10)]  # type: ignore[arg-type]
    found = parting(runs)
    assert found is not None
    assert found.step == step
    assert [branch.runs for branch in found.branches] == [(0, 1, 3, 4, 6, 7, 9), (2, 5, 8)]
    assert found.branches[1].told == f"double({100 + step})"
    assert not found.same_calls


def test_runs_that_do_the_same_do_not_part() -> None:
    runs = [signs(differing_at(3, other=False)) for _ in range(3)]  # type: ignore[arg-type]
    assert parting(runs) is None
    assert parting([]) is None
    shorter = signs(differing_at(3, other=False, last=2))  # type: ignore[arg-type]
    found = parting([*runs, shorter])
    assert found is not None and found.step == 3
