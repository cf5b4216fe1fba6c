"""Statistics of passes: Wilson intervals, pass@1 and pass^k, exact comparisons. All of it also for few tests.

Wilson, E. B. (1927), JASA 22; McNemar, Q. (1947), Psychometrika 12, in its exact form; Fisher's exact test; pass^k as
in Yao et al. (2024), tau-bench: the chance that k runs of a test all pass, estimated without bias from n ≥ k runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt

_Z = 1.959963984540054  # of 95 %
FEW = 20  # with fewer tests, most differences are chance


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1 of ``of`` tests, and the interval that has the true one in 95 of 100 cases."""

    share: float
    low: float
    high: float
    of: int


@dataclass(frozen=True, slots=True)
class Passes:
    """Of the ``runs`` of one test, how many ``passed``."""

    passed: int
    runs: int

    @property
    def rate(self) -> float:
        return self.passed / self.runs if self.runs else 0.0

    def all_of(self, k: int) -> float:
        """The chance that ``k`` of its runs, picked at random, all passed."""
        return comb(self.passed, k) / comb(self.runs, k) if 0 < k <= self.runs else 0.0


@dataclass(frozen=True, slots=True)
class Paired:
    """Two versions over the same tests: in how many of them each passed more often, and how likely that is by chance.

    ``chance`` is the p-value of the exact McNemar test, two-sided; of its sign test where tests ran several times.
    """

    better: int
    worse: int
    same: int
    chance: float

    @property
    def significant(self) -> bool:
        return self.chance < 0.05

    @property
    def few(self) -> bool:
        """Whether there are so few tests that only a large difference could show."""
        return self.better + self.worse + self.same < FEW


def wilson(share: float, of: int) -> Share:
    """The interval of a share of ``of`` independent cases."""
    if of <= 0:
        return Share(0.0, 0.0, 1.0, 0)
    square = _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _Z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half), of)


def pass_at_1(tests: Sequence[Passes]) -> Share:
    """The mean share of runs that pass. Runs of one test are no independent cases, so the tests are counted."""
    return wilson(sum(each.rate for each in tests) / len(tests), len(tests)) if tests else wilson(0.0, 0)


def pass_power_k(tests: Sequence[Passes], k: int) -> Share:
    """The share of tests of which ``k`` runs all pass; of those only that ran so often."""
    known = [each for each in tests if each.runs >= k]
    return wilson(sum(each.all_of(k) for each in known) / len(known), len(known)) if known else wilson(0.0, 0)


def paired(before: Mapping[str, Passes], now: Mapping[str, Passes]) -> Paired:
    """The tests that ran in both versions, compared one by one."""
    both = [(before[test].rate, now[test].rate) for test in before if test in now]
    better = sum(new > old for old, new in both)
    worse = sum(new < old for old, new in both)
    return Paired(better, worse, len(both) - better - worse, by_sign(better, worse))


def by_sign(better: int, worse: int) -> float:
    """How likely so uneven a split is where either is as likely, in both directions."""
    n = better + worse
    tail = sum(comb(n, i) for i in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**n)


def by_fisher(before: Passes, now: Passes) -> float:
    """How likely two counts of passes are to differ so much, or more, where the test is as hard in both."""
    passed, runs = before.passed + now.passed, before.runs + now.runs
    whole = comb(runs, passed)

    def weight(of_before: int) -> int:
        return comb(before.runs, of_before) * comb(now.runs, passed - of_before)

    seen = weight(before.passed)
    lowest, highest = max(0, passed - now.runs), min(before.runs, passed)
    return min(1.0, sum(each for each in map(weight, range(lowest, highest + 1)) if each <= seen) / whole)
