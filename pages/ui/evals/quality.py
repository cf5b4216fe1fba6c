"""A chart of quality against cost of the versions that a set was tried with, and the same figures as a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.evals.report.quality_chart import QualityChart, chart_spec, dollars, quality_chart
from agent.evals.statistics.summary import Summary
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets.figures import interval


def draw(summaries: Sequence[Summary]) -> None:
    """The chart, where there are two versions to compare."""
    chart = quality_chart(summaries)
    if len(chart.dots) < 2:
        return
    st.subheader(say("Quality and cost"), anchor=False)
    said = say("Pass rate with its interval against the cost of a run; the table below has the same figures.")
    with st.container(key="quality-chart"):
        spec = chart_spec(chart, say("Passed"), told(chart.axis))
        st.vega_lite_chart(spec=spec, width="stretch", key="quality", alt=said)
    st.markdown(_table(chart))
    st.caption(say("Each version as it did the last time in this mode. Few tests have wide intervals."))


def _table(chart: QualityChart) -> str:
    names = ["", say("Version"), say("Passed"), say("A run took"), say("Tests")]
    lines = [_line(names), "|---:|---|---|---|---:|"]
    for number, dot in enumerate(chart.dots, 1):
        money = f"{dollars(dot.money)}, ".replace("$", "\\$") if dot.money is not None else ""
        taken = f"{money}{say('{count} tokens', count=f'{dot.tokens:,.0f}')}, {dot.seconds:.1f} s"
        passed = f"{dot.share:.0%} {interval(dot.low, dot.high)}"
        lines.append(_line([str(number), label(dot.name, 60), passed, taken, str(dot.tests)]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
