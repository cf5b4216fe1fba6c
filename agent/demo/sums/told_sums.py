"""Accounts of figures with a question about them: read by ``agent.text.told_sums``, by the calculator and the clock."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent.demo.lookups.clock_answers import times
from agent.demo.rules.plan import Plan, Question, Steps
from agent.demo.sums.arithmetic import calculation
from agent.demo.sums.everyday_sums import worked_out
from agent.text.problems.problem_reader import Problem
from agent.text.sums.phrases import Value
from agent.text.told_sums.begin_times import Begin, begin
from agent.text.told_sums.bills import bill
from agent.text.told_sums.listed_figures import listed
from agent.text.told_sums.rest_shares import left_of_rest
from agent.text.told_sums.simple_interest import simple_interest
from agent.text.told_sums.unit_fits import fits

_READERS = (listed, left_of_rest, bill, fits)


def told_sum(question: Question) -> Plan | None:
    """ "My splits were 5:12, 5:08 and 4:57, altogether?", "how many 250 ml glasses out of a 5 litre keg?"."""
    if question.language != "en":
        return None
    found = next((problem for read in _READERS if (problem := read(question.text))), None)
    return _plan(question, found)


def loan(question: Question) -> Plan | None:
    """ "I've borrowed 6000 at 4.5% simple interest over 3 years. How much do I pay back in total?"."""
    return _plan(question, simple_interest(question.text)) if question.language == "en" else None


def _plan(question: Question, found: Problem | None) -> Plan | None:
    return Plan(partial(worked_out, question, found), Value("1", found.unit)) if found else None


def told_begin(question: Question) -> Plan | None:
    """ "It takes 40 minutes per kilo, weighs 4.5 kg and we eat at 2 pm. When does it go in?"."""
    found = begin(question.text) if question.language == "en" else None
    asked = replace(question, text=f"what time is {found.value} minutes before {found.clock}") if found else question
    clock = times(asked) if found else None
    return Plan(partial(_begun, question, found, clock)) if found and clock else None


def _begun(question: Question, found: Begin, clock: Plan) -> Steps:
    if not found.minutes.replace(".", "").isdigit():
        yield calculation(question, question.tell("minutes_before"), found.minutes)
    return (yield from clock.steps())
