"""A report of an evaluation: one file of HTML that runs nothing, fetches nothing and holds no key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Template
from markupsafe import Markup

from agent.evals.formats.result_lines import Row, passes
from agent.evals.kept_test import MODE_NAMES, Mode
from agent.evals.report.quality_chart import QualityChart, chart_svg, dollars, quality_chart
from agent.evals.statistics.intervals import Share
from agent.evals.statistics.summary import Summary, summed
from agent.evals.statistics.turned_tests import Comparison, Turn
from agent.sharing.export.html_page import inert
from agent.sharing.export.titles import moment, template

_MOST_WHY = 3
_TURNS: Mapping[Turn, str] = {"broke": "broke", "worse": "got worse", "mended": "mended", "better": "got better"}


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of two versions, named in a sentence."""

    said: str
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation, ``made`` at a time of Unix; ``settings`` say with what each version was answered."""

    title: str
    mode: Mode
    made: float
    versions: Sequence[str]
    rows: Sequence[Row]
    settings: Mapping[str, str]
    compared: Sequence[Compared] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Cell:
    """The attempts of a test by a version; ``why`` is what the first one that failed did not do.

    ``missed`` counts the calls of all that were not recorded.
    """

    passed: int
    runs: int
    why: tuple[str, ...]
    missed: int = 0

    @property
    def good(self) -> bool:
        return self.passed == self.runs


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    cells: tuple[_Cell | None, ...]


def report_html(report: Report) -> str:
    """The file. What tests, models and tools wrote is escaped, and shown without characters that hide it."""
    by_version = {name: [row for row in report.rows if row.version == name] for name in report.versions}
    summaries = [summed(name, rows) for name, rows in by_version.items() if rows]
    chart = quality_chart(summaries)
    names = {row.test: row.name for row in report.rows}
    lines = [_Line(name, tuple(_cell(rows, test) for rows in by_version.values())) for test, name in names.items()]
    lines.sort(key=lambda line: all(cell is None or cell.good for cell in line.cells))
    return _page().render(
        title=report.title,
        pictures=False,
        report=report,
        mode=str(MODE_NAMES[report.mode]),
        made=moment(report.made),
        summaries=summaries,
        chart=chart,
        picture=_picture(chart),
        lines=lines,
        names=names,
        few=any(each.few for each in summaries),
        missed=sum(each.missed for each in summaries),
    )


def _cell(rows: Sequence[Row], test: str) -> _Cell | None:
    mine = [row for row in rows if row.test == test]
    if not mine:
        return None
    counted = passes(mine)[test]
    failed = next((row for row in mine if not row.passed), None)
    why = tuple(f"{each.said}: {each.why}" for each in failed.result.failed[:_MOST_WHY]) if failed else ()
    return _Cell(counted.passed, counted.runs, why, sum(row.result.missed for row in mine))


def _picture(chart: QualityChart) -> Markup:
    label = "Pass rate with its interval against the cost of a run; the table below has the same figures."
    return Markup(chart_svg(chart, label, str(chart.axis)))


def interval(share: Share) -> str:
    """A share with its interval."""
    return f"{share.share:.0%} ({share.low:.0%}–{share.high:.0%})"


def turn_name(turn: Turn) -> str:
    return _TURNS[turn]


def each_run(summary: Summary) -> str:
    """What a run of a version takes."""
    count = max(1, summary.attempts)
    money = "" if summary.money is None else f"{dollars(summary.money / count)}, "
    return f"{money}{summary.tokens / count:,.0f} tokens, {summary.seconds / count:.1f} s"


@cache
def _page() -> Template:
    return template("report.html", inert, interval, turn_name, each_run)
