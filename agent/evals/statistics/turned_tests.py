"""What turned from one version to another: which tests, how often they passed, and how likely that is by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from agent.evals.formats.result_lines import Row, evened, passes
from agent.evals.statistics.intervals import Paired, Passes, by_fisher, paired
from agent.interface_text import Text, joined

Turn: TypeAlias = Literal["broke", "mended", "worse", "better"]


@dataclass(frozen=True, slots=True)
class Turned:
    """A test that did not pass as often as before. ``chance`` is how likely so much is where nothing has changed."""

    test: str
    before: Passes
    now: Passes
    chance: float

    @property
    def turn(self) -> Turn:
        """``broke``: it passed always, and now not. ``mended``: the other way round. Else it got worse or better."""
        if self.now.rate < self.before.rate:
            return "broke" if self.before.rate == 1.0 else "worse"
        return "mended" if self.now.rate == 1.0 else "better"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All tests that ran in both versions; those that broke are first.

    ``uneven`` says that tests ran more often in one of them, and ``whole`` compares as many runs of each.
    """

    turned: tuple[Turned, ...]
    whole: Paired
    uneven: bool = False

    @property
    def said(self) -> Text:
        """The whole of it in a sentence or two."""
        whole = self.whole
        count = whole.better + whole.worse + whole.same
        if not self.turned:
            return Text("None of {n} test turned.", "None of {n} tests turned.", n=count)
        said = [
            Text(
                "{worse} of {count} tests got worse, {better} better.",
                worse=whole.worse,
                count=count,
                better=whole.better,
            )
        ]
        chance = f"{whole.chance:.0%}" if whole.chance >= 0.01 else "< 1%"
        said.append(
            Text("So uneven a split comes by chance in {chance} of cases: that is hardly chance.", chance=chance)
            if whole.significant
            else Text("So uneven a split comes by chance in {chance} of cases: it may be chance.", chance=chance)
        )
        if self.uneven:
            said.append(Text("One of them ran more often: of each test, as many runs are compared as the other has."))
        if whole.few:
            said.append(Text("These are few tests: only a large difference could show."))
        return joined(" ", said)


_ORDER: dict[Turn, int] = {"broke": 0, "worse": 1, "mended": 2, "better": 3}


def compared_rows(before: Sequence[Row], now: Sequence[Row]) -> Comparison:
    """Two versions by their results, the whole of them by as many runs of each test."""
    counted, counts = passes(before), passes(now)
    uneven = any(test in counts and counts[test].runs != counted[test].runs for test in counted)
    found = compared(counted, counts)
    if not uneven:
        return found
    return replace(found, whole=paired(*map(passes, evened(before, now))), uneven=True)


def compared(before: Mapping[str, Passes], now: Mapping[str, Passes]) -> Comparison:
    """Two versions over the tests that ran in both."""
    turned = [
        Turned(test, before[test], now[test], by_fisher(before[test], now[test]))
        for test in before
        if test in now and before[test].rate != now[test].rate
    ]
    turned.sort(key=lambda each: (_ORDER[each.turn], each.chance))
    return Comparison(tuple(turned), paired(before, now))
