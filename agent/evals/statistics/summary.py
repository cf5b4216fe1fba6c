"""All results of a version in a few figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evals.formats.result_lines import Row, passes
from agent.evals.statistics.flaky_step import Parting, parting
from agent.evals.statistics.intervals import FEW, Share, pass_at_1, pass_power_k
from agent.interface_text import Text, joined


@dataclass(frozen=True, slots=True)
class Flaky:
    """A test whose runs were not all as good, and where they part (``None`` where only the words of answers differ)."""

    test: str
    name: str
    passed: int
    runs: int
    parting: Parting | None

    @property
    def said(self) -> Text:
        """Where its runs part, for people."""
        if self.parting is None:
            return Text("Its runs take the same steps; their answers differ.")
        most, *others = self.parting.branches
        rare, place = sum(len(branch.runs) for branch in others), self.parting.step
        step = Text("From step {step} on its runs differ ({rare} of {runs}).", step=place, rare=rare, runs=self.runs)
        if self.parting.same_calls:
            return joined(" ", [step, Text("They make the same call, which gave another result.")])
        did = Text("Most: {most}. Others: {others}.", most=_did(most.told), others=_did(others[0].told))
        return joined(" ", [step, did])


@dataclass(frozen=True, slots=True)
class Summary:
    """``first`` is pass@1; ``every`` is pass^k with ``repeats`` for k, where tests ran several times.

    ``money`` is in US dollars, ``None`` where no run's is known. ``missed`` counts calls that no recording has.
    """

    version: str
    tests: int
    attempts: int
    passed: int
    repeats: int
    first: Share
    every: Share
    money: float | None
    tokens: int
    seconds: float
    missed: int
    flaky: tuple[Flaky, ...]

    @property
    def few(self) -> bool:
        return self.tests < FEW


def summed(version: str, rows: Sequence[Row]) -> Summary:
    """The figures of a version's rows."""
    counted = passes(rows)
    repeats = min((each.runs for each in counted.values()), default=0)
    prices = [row.result.money for row in rows if row.result.money is not None]
    return Summary(
        version,
        tests=len(counted),
        attempts=len(rows),
        passed=sum(row.passed for row in rows),
        repeats=repeats,
        first=pass_at_1([*counted.values()]),
        every=pass_power_k([*counted.values()], repeats),
        money=sum(prices) if prices else None,
        tokens=sum(row.result.tokens for row in rows),
        seconds=sum(row.result.seconds for row in rows),
        missed=sum(row.result.missed for row in rows),
        flaky=tuple(_flaky(rows)),
    )


def _flaky(rows: Sequence[Row]) -> list[Flaky]:
    """The tests of which some runs passed and some did not, those that fail most first."""
    found: list[Flaky] = []
    for test, counted in passes(rows).items():
        if 0 < counted.passed < counted.runs:
            mine = [row for row in rows if row.test == test]
            parts = parting([row.result.steps for row in mine])
            found.append(Flaky(test, mine[0].name, counted.passed, counted.runs, parts))
    return sorted(found, key=lambda flaky: flaky.passed / flaky.runs)


def _did(told: str) -> str:
    return told or Text("an answer")
