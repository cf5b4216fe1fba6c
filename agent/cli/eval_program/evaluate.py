"""``python -m agent eval``: runs tests of answers in a terminal or a build, and keeps answers as tests."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import time
from typing import TextIO

from agent.application.evaluation.tried_models import answered_with
from agent.cli.agent_options import add_options, choice_of, opened
from agent.cli.eval_program.card_program import main as measure
from agent.cli.eval_program.keep_answer import main as keep
from agent.cli.eval_program.terminal_attempts import Attempts, Version, amount, attempts, tell, whole_number
from agent.errors import BadRequest, GlassboxError
from agent.evals.attempt import check_recorded
from agent.evals.formats import read_set
from agent.evals.formats.junit_report import junit
from agent.evals.formats.result_lines import Row, read_rows, write_row
from agent.evals.kept_test import MODES, KeptSet
from agent.evals.report.html_report import Compared, Report, report_html
from agent.evals.statistics.summary import Summary, summed
from agent.evals.statistics.turned_tests import compared_rows
from agent.prompts import LANGUAGES
from agent.settings import Settings, read_settings

PASSED, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Run tests; the exit status is 0 where all is well, 1 where a test fails, 2 for wrong usage.

    With a baseline, tests fail that passed always there and do not here.
    """
    if arguments[:1] == ["keep"]:
        return keep(arguments[1:])
    if "--card" in arguments:
        return measure(arguments)
    parser = _parser()
    given = parser.parse_args(arguments)
    with ExitStack() as stack:
        try:
            kept = read_set(given.tests.name, given.tests.read_bytes())
            baseline = read_rows(given.baseline.read_bytes()) if given.baseline else None
            settings = read_settings(os.environ)
            versions = _versions(given, settings)
            there = opened(settings, versions[0].choice, given.file, stack)
            evaluation = attempts(given.mode, there, versions, given.max_money)
            count = len(kept.tests) * len(versions) * given.repeat
            for file in filter(None, (given.html, given.junit)):  # what cannot be written is no end of paid work
                file.open("ab").close()
            out = stack.enter_context(given.out.open("w", encoding="utf-8")) if given.out else None
            rows = list(_kept(_told(_rows(given, kept, versions, evaluation), count), out))
        except GlassboxError as error:
            parser.exit(USAGE, f"{parser.prog}: {error}\n")
        except OSError as error:
            parser.exit(USAGE, f"{parser.prog}: {error.filename}: {error.strerror}.\n")
    compared = _compared(baseline, versions, rows)
    _write(given, kept, versions, rows, compared)
    for version in dict.fromkeys(row.version for row in rows):
        _tell(summed(version, [row for row in rows if row.version == version]))
    if len(rows) < count:
        tell(f"There was no money left for {count - len(rows)} of {count} runs.")
        return FAILED
    if baseline is None:
        return PASSED if all(row.passed for row in rows) else FAILED
    for each in compared:
        _tell_turned(each, {row.test: row.name for row in rows})
    broke = any(turned.turn == "broke" for each in compared for turned in each.comparison.turned)
    return FAILED if broke else PASSED


def _kept(rows: Iterable[Row], out: TextIO | None) -> Iterator[Row]:
    """The results as they come, each written at once: who stops the tests has those that were paid for."""
    for row in rows:
        if out is not None:
            out.write(f"{write_row(row)}\n")
            out.flush()
        yield row


def _versions(given: argparse.Namespace, settings: Settings) -> list[Version]:
    """Every model on every wire. Raises ``BadRequest``."""
    models, wires = given.model or [None], given.wire or [None]
    prompts = tuple((settings.language, *_own_prompt(text)) for text in given.prompt)
    found: list[Version] = []
    for model, wire in product(models, wires):
        choice = replace(choice_of(given, settings, model, wire), prompts=prompts, limits=settings.limits)
        name = choice.model or choice.endpoint
        found.append(Version(f"{name} {wire}" if wire else name, choice))
    return found


def _own_prompt(text: str) -> tuple[str, str]:
    name, _, file = text.partition("=")
    if not file:
        raise BadRequest(f"--prompt takes NAME=FILE, not {text}.")
    return name, Path(file).read_text(encoding="utf-8")


def _rows(given: argparse.Namespace, kept: KeptSet, versions: Sequence[Version], evaluation: Attempts) -> Iterator[Row]:
    """The results as they come, in the order of tests; a test's repeats follow each other.

    Raises ``BadRequest`` before the first one where a test cannot be run so.
    """
    for test in kept.tests if given.mode != "live" else ():
        check_recorded(test)
    jobs = [*product(kept.tests, versions, range(1, given.repeat + 1))]
    with ThreadPoolExecutor(given.parallel) as pool:
        begun = [pool.submit(evaluation.row, *job) for job in jobs]
        yield from filter(None, (row.result() for row in begun))


def _told(rows: Iterator[Row], count: int) -> Iterator[Row]:
    """The rows, each told on the standard error as it comes."""
    for number, row in enumerate(rows, 1):
        repeat = f" [{row.repeat}]" if row.repeat > 1 else ""
        mark = "passed" if row.passed else "FAILED"
        missed = f", {row.result.missed} not recorded" if row.result.missed else ""
        tell(f"{number}/{count} {mark}  {row.version}  {row.name}{repeat}  ({row.result.seconds:.1f} s{missed})")
        for grade in row.result.failed:
            tell(f"    {grade.said}: {grade.why}")
        yield row


def _write(
    given: argparse.Namespace,
    kept: KeptSet,
    versions: Sequence[Version],
    rows: Sequence[Row],
    compared: Sequence[Compared],
) -> None:
    """Write the files that were asked for. Raises ``OSError``."""
    name = kept.name or given.tests.stem
    if given.html:
        names = [version.name for version in versions]
        settings = {version.name: answered_with(version.choice) for version in versions}
        settings["Runs"] = f"{len(kept.tests)} tests, {given.repeat} times each"
        report = Report(name, given.mode, time(), names, rows, settings, compared)
        given.html.write_text(report_html(report), encoding="utf-8")
    if given.junit:
        given.junit.write_bytes(junit(name, rows))
    if given.json:
        for row in rows:
            print(write_row(row))


def _tell(summary: Summary) -> None:
    first, every = summary.first, summary.every
    money = "" if summary.money is None else f", {summary.money:.4f} US dollars"
    tell(f"{summary.version}: {summary.passed} of {summary.attempts} runs of {summary.tests} tests passed{money}.")
    tell(f"    pass@1 {first.share:.0%} (95 % interval {first.low:.0%} to {first.high:.0%})")
    if summary.repeats > 1:
        tell(f"    pass^{summary.repeats} {every.share:.0%} (95 % interval {every.low:.0%} to {every.high:.0%})")
    if summary.few:
        tell("    These are few tests: only a large difference could show.")
    if summary.missed:
        calls = "1 call was" if summary.missed == 1 else f"{summary.missed} calls were"
        tell(f"    {calls} not recorded, and got no result.")
    for flaky in summary.flaky:
        tell(f"    {flaky.name}: {flaky.passed} of {flaky.runs} passed. {flaky.said}")


def _compared(baseline: Sequence[Row] | None, versions: Sequence[Version], rows: Sequence[Row]) -> list[Compared]:
    """Each version beside itself in the baseline, or beside all of it; without one, the others beside the first."""
    first, *others = [version.name for version in versions]
    by_version = {name: [row for row in rows if row.version == name] for name in (first, *others)}
    found: list[Compared] = []
    if baseline is None:
        for name in others:
            comparison = compared_rows(by_version[first], by_version[name])
            found.append(Compared(f"{name}, compared with {first}: {comparison.said}", comparison))
        return found
    known = {row.version for row in baseline}
    for name, now in by_version.items():
        before = [row for row in baseline if row.version == name] if name in known else list(baseline)
        comparison = compared_rows(before, now)
        found.append(Compared(f"{name}, compared with the baseline: {comparison.said}", comparison))
    return found


def _tell_turned(compared: Compared, titles: Mapping[str, str]) -> None:
    tell(compared.said)
    for turned in compared.comparison.turned:
        counts = f"{turned.before.passed} of {turned.before.runs}, now {turned.now.passed} of {turned.now.runs}"
        tell(f"    {turned.turn}: {titles[turned.test]} ({counts}; by chance in {turned.chance:.0%} of cases)")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agent eval",
        description="Run tests of answers. `python -m agent eval keep` makes one of a run, `python -m agent eval "
        "--card` measures what a model can do here.",
        epilog="Exit status: 0 where every run passed (with --baseline: where no test broke), 1 otherwise, 2 for wrong "
        "usage. Progress and figures go to the standard error.",
    )
    parser.add_argument("tests", type=Path, help="JSON lines, YAML of pydantic-evals, or CSV of questions and answers")
    add_options(parser)
    parser.add_argument("--model", action="append", help="name of a model; several are compared")
    parser.add_argument("--wire", action="append", choices=("auto", "react", "native"), help="how tools are called")
    shown = f"a prompt of your own in place of ours, in the language of GLASSBOX_LANGUAGE ({', '.join(LANGUAGES)})"
    parser.add_argument("--prompt", action="append", default=[], metavar="NAME=FILE", help=shown)
    modes = "replay asks no model, frozen asks it with recorded observations, live does all anew"
    parser.add_argument("--mode", choices=MODES, default="live", help=modes)
    parser.add_argument("--repeat", type=whole_number, default=1, metavar="N", help="runs of each test")
    parser.add_argument("--parallel", type=whole_number, default=1, metavar="N", help="runs at once")
    parser.add_argument("--max-money", type=amount, metavar="USD", help="the most that all runs may cost together")
    parser.add_argument(
        "--baseline", type=Path, metavar="FILE", help="results of an earlier evaluation, to compare with"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where results are written, a JSON line a run")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="where a report is written as JUnit's XML")
    parser.add_argument("--html", type=Path, metavar="FILE", help="where a report is written, one page to share")
    parser.add_argument("--json", action="store_true", help="print a JSON line a run")
    return parser
