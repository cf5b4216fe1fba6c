"""What came of a set: progress, what turned since the last time, figures, and the matrix of tests by versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any, TypeAlias

import streamlit as st

from agent.application.evaluation.evaluation_run import resume, stop
from agent.application.evaluation.matrix import Matrix, MatrixCell, MatrixRow
from agent.application.evaluation.tried_models import report_of
from agent.evals.formats.junit_report import junit
from agent.evals.formats.result_lines import write_row
from agent.evals.kept_test import MODE_NAMES
from agent.evals.report.html_report import report_html
from agent.evals.statistics.intervals import Share
from agent.evals.statistics.summary import Summary
from agent.evals.statistics.turned_tests import Turn
from agent.interface_text import Text
from pages.ui.evals import quality
from pages.ui.session import asking, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button, show_more
from pages.ui.widgets.figures import interval, seconds_taken

Announce: TypeAlias = Callable[[str], object]
_ROWS = 40
_LOOK_SECONDS, _REDRAW_SECONDS = 0.25, 2.0
_TURNS: dict[Turn, tuple[str, str]] = {
    "broke": ("trending_down", Text("broke")),
    "worse": ("trending_down", Text("got worse")),
    "mended": ("trending_up", Text("mended")),
    "better": ("trending_up", Text("got better")),
}


def draw(found: Matrix, name: str, versions: Sequence[Summary]) -> Callable[[Announce], None] | None:
    """The results of the set of that ``name``; what follows an evaluation that is at work, to be called last.

    ``versions`` are all that the set was tried with.
    """
    with st.container():  # what stands below it has the same place, however much there is to tell
        st.subheader(say("Results"), anchor=False)
        st.caption(told(MODE_NAMES[found.plan.mode]))
        follow = _progress(found)
        if found.unanswered:
            said = say("No run has an answer, all for one reason: {why}", why=told(found.unanswered))
            st.error(label(said, 500), icon=":material/error:")
        _turned(found)
        if found.summaries:
            _summaries(found.summaries)
        quality.draw(versions)
        _rows(found)
        _flaky(found.summaries)
    if found.results and not follow:
        _files(found, name)
    else:
        st.empty()  # else the files of the results before would stay
    return follow


def _progress(found: Matrix) -> Callable[[Announce], None] | None:
    """How far it is, and the way to stop or resume it."""
    if found.row.state == "done":
        return None
    with st.container(horizontal=True, vertical_alignment="center", key="tests-progress"):
        bar = st.empty()
        bar.progress(*_done(found, found.done))
        if found.row.working:
            button(Text("Stop"), "stop-tests", "stop_circle", stop, asking.runs(), found.row.id)
        else:
            st.button(say("Resume"), key="resume-tests", icon=":material/play_arrow:", on_click=_resume, args=(found,))
    if not found.row.working:
        spent = found.row.state == "spent"
        st.caption(
            say("It was stopped as there was no money left for it. What has a result is not run again.")
            if spent
            else say("It was stopped before it was done. What has a result is not run again.")
        )
        return None
    return lambda announce: _follow(found, bar, announce)


def _done(found: Matrix, done: int) -> tuple[float, str]:
    return done / found.of if found.of else 1.0, say("{done:,} of {of:,} runs", done=done, of=found.of)


def _follow(found: Matrix, bar: Any, announce: Announce) -> None:
    """Show the progress, and the results every other second. Does not come back."""
    evaluations, drawn, done = state.services().evaluations, monotonic(), found.done
    while True:
        part, said = _done(found, done)
        bar.progress(part, said)
        announce(said)  # what is left of the results before goes from sight once something is announced
        sleep(_LOOK_SECONDS)
        done = evaluations.done(found.row.id)
        seconds = monotonic() - drawn
        late = seconds > (_REDRAW_SECONDS if done > found.done else 4 * _REDRAW_SECONDS)
        if late or not evaluations.at_work(found.row.id):
            st.rerun()


def _resume(found: Matrix) -> None:
    with problems.telling():
        resume(asking.runs(), found.row)


def _turned(found: Matrix) -> None:
    """What turned since the last time stands on top."""
    boxes: dict[str, list[str]] = {}
    for each in found.turned:
        worse = any(turned.turn in ("broke", "worse") for turned in each.turned)
        better = "trending_up" if each.turned else "check"
        boxes.setdefault("trending_down" if worse else better, []).append(label(told(each.said), 500))
    for icon in ("trending_down", "trending_up", "check"):
        if said := boxes.get(icon):
            (st.warning if icon == "trending_down" else st.success)("\n\n".join(said), icon=f":material/{icon}:")


def _summaries(summaries: Sequence[Summary]) -> None:
    """The figures of each version, a line each."""
    for each in summaries:
        figures = [f"pass@1 {_share(each.first)}"]
        if each.repeats > 1:
            figures.append(f"pass^{each.repeats} {_share(each.every)}")
        if each.money is not None:
            figures.append(f"\\${each.money:.4f}")
        figures += [seconds_taken(each.seconds), say("{count} tokens", count=f"{each.tokens:,}")]
        st.markdown(f"**{label(each.version, 60)}** · {' · '.join(figures)}")
    if any(each.few for each in summaries):
        st.caption(say("These are few tests: only a large difference could show. In brackets is the 95 % interval."))
    else:
        st.caption(say("In brackets is the 95 % interval."))
    missed = sum(each.missed for each in summaries)
    if missed:
        st.caption(f":material/report: {_missed(missed)}")


def _missed(count: int) -> str:
    return say(
        "{n} call was not recorded, and got no result.", "{n} calls were not recorded, and got no result.", n=count
    )


def _share(share: Share) -> str:
    return f"{share.share:.0%} {interval(share.low, share.high)}"


def _rows(found: Matrix) -> None:
    most = int(state.widget("results-shown") or _ROWS)
    versions = [version.name for version in found.plan.versions]
    with st.container(gap="xsmall", key="matrix"):
        for row in found.rows[:most]:
            _row(row, versions)
    if len(found.rows) > most:
        show_more("more-results", "results-shown", most + _ROWS)


def _row(row: MatrixRow, versions: Sequence[str]) -> None:
    """A test: its name, and what each version did of it."""
    beside = len(versions) < 3
    with st.container(key=f"result-{row.test}", gap=None):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(label(row.name, 80), width="stretch")
            if beside:
                _cells(row, versions)
        if not beside:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _cells(row, versions)
        for said, names in _reasons(row, versions).items():
            named = len(names) < len(versions)  # what is true of all needs no names
            st.caption(f"{', '.join(label(name, 40) for name in names)}: {said}" if named else said)


def _cells(row: MatrixRow, versions: Sequence[str]) -> None:
    for version, cell in zip(versions, row.cells, strict=True):
        _cell(row, cell, version if len(versions) > 1 else "")


def _reasons(row: MatrixRow, versions: Sequence[str]) -> dict[str, list[str]]:
    """What versions did not do, each once, with the versions that it is true of."""
    found: dict[str, list[str]] = {}
    for version, cell in zip(versions, row.cells, strict=True):
        for why in cell.why[:2]:
            found.setdefault(label(told(why), 300), []).append(version)
        if cell.missed:
            found.setdefault(_missed(cell.missed), []).append(version)
    return found


def _cell(row: MatrixRow, cell: MatrixCell, version: str) -> None:
    if not cell.runs:
        st.caption(
            f":material/hourglass_empty: {label(version, 30)}" if version else ":material/hourglass_empty: –",
            width="content",
        )
        return
    said = say("passed") if cell.good else say("failed")
    count = f"{cell.passed}/{cell.runs}" if cell.of > 1 else said
    turn = f" · {told(_TURNS[cell.turn][1])}" if cell.turn else ""
    name = f"{label(version, 30)} {count}{turn}".strip()
    icon = ":material/check_circle:" if cell.good else ":material/cancel:"
    color = "green" if cell.good else "red"
    there = {"a": row.recorded, "b": cell.run} if row.recorded else {"r": cell.run}
    page = "pages/compare.py" if row.recorded else "pages/run.py"
    st.page_link(page, label=f":{color}[{icon}] {name}", query_params=there, width="content")


def _flaky(summaries: Sequence[Summary]) -> None:
    """The tests that pass now and then, and where their runs part."""
    lines: list[str] = []
    for summary in summaries:
        by = f" · {label(summary.version, 40)}" if len(summaries) > 1 else ""
        for flaky in summary.flaky[:10]:
            counts = say("{passed} of {runs} passed.", passed=flaky.passed, runs=flaky.runs)
            lines.append(f"**{label(flaky.name, 60)}**{by} · {counts} {label(told(flaky.said), 400)}")
    if not lines:
        return
    title = say("{n} test passes now and then", "{n} tests pass now and then", n=len(lines))
    with st.expander(title, icon=":material/alt_route:", expanded=len(lines) < 4, key="flaky-tests"):
        for line in lines:
            st.caption(line)


def _files(found: Matrix, name: str) -> None:
    settings = state.services().settings  # the report is written outside this script
    with st.popover(say("Take the results along"), icon=":material/download:"):
        lines = "".join(f"{write_row(row)}\n" for row in found.results)
        st.download_button(
            say("As a report (HTML)"),
            lambda: report_html(report_of(name, found, settings)),
            "report.html",
            "text/html",
            help=say("One file to share: it opens anywhere, runs nothing and holds no key."),
        )
        st.download_button(say("As JSON lines"), lines, "results.jsonl", "application/jsonl")
        st.download_button(
            say("As JUnit XML"), lambda: junit("Glassbox", found.results), "junit.xml", "application/xml"
        )
