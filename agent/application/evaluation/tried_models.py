"""The versions that a set was tried with, each as it did the last time; and an evaluation as a report."""

from __future__ import annotations

from collections.abc import Sequence

from agent.application.evaluation.evaluation_plan import Plan, read_plan, rows_of
from agent.application.evaluation.matrix import Matrix
from agent.application.preferences import chosen, read_back
from agent.application.setup import DEMO, Choice, default_choice
from agent.evals.report.html_report import Compared, Report
from agent.evals.statistics.summary import Summary, summed
from agent.settings import Settings
from agent.store.evaluations import EvaluationRow, Evaluations, TestRow

_MOST = 12


def tried(
    evaluations: Evaluations, found: Matrix, tests: Sequence[TestRow], before: Sequence[EvaluationRow]
) -> tuple[Summary, ...]:
    """The versions of an evaluation, then those that only ones ``before`` it had, in the same mode; twelve at most."""
    summaries = {each.version: each for each in found.summaries}
    names = {test.id: test.name for test in tests}
    for row in before:
        plan = read_plan(row)
        fresh = [version.name for version in plan.versions if version.name not in summaries]
        if plan.mode != found.plan.mode or not fresh or len(summaries) >= _MOST:
            continue
        results = [
            each for each in rows_of(plan, names, [*evaluations.attempts(row.id).values()]) if each.test in names
        ]
        for name in fresh:
            if mine := [each for each in results if each.version == name]:
                summaries[name] = summed(name, mine)
    return tuple(summaries.values())[:_MOST]


def report_of(title: str, found: Matrix, settings: Settings) -> Report:
    """An evaluation as a report: with what each version was answered, and never with a key or an address."""
    plan = found.plan
    return Report(
        title,
        plan.mode,
        found.row.created,
        [version.name for version in plan.versions],
        found.results,
        {
            version.name: answered_with(chosen(read_back(version.written), default_choice(settings)))
            for version in plan.versions
        }
        | {"Runs": _runs(plan)},
        [Compared(str(each.said), each.comparison) for each in found.turned],
        ()
        if found.done == found.of
        else (f"{found.done} of {found.of} runs have a result: it was not run to its end.",),
    )


def answered_with(choice: Choice) -> str:
    """What a version answers with, for a report."""
    named = [name for name in choice.tools or () if not name.startswith("-")]
    tools = "the usual tools" if choice.tools is None else f"tools {', '.join(named) or 'none'}"
    parts = [
        "the demo model" if choice.endpoint == DEMO else f"model {choice.model}",
        f"tools called: {choice.wire}",
        "the model's own temperature" if choice.temperature is None else f"temperature {choice.temperature:g}",
        f"prompts in {choice.language}{', own ones' if choice.prompts else ''}",
        tools,
        f"thinking: {choice.thinking}",
        "tools in own words" if choice.words else "",
    ]
    return "; ".join(filter(None, parts))


def _runs(plan: Plan) -> str:
    most = f", at most {plan.most:g} US dollars" if plan.most else ""
    return f"{len(plan.tests)} tests, {plan.repeats} time{'' if plan.repeats == 1 else 's'} each{most}"
