"""Everyday problems, stories and accounts of figures: read by ``agent.text``, worked out by calculator and clock."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import partial
from math import ceil
from typing import Literal

from agent.demo.lookups.clock_answers import times
from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation, further, sum_of
from agent.text.free_sums.free_mixes import several_sums
from agent.text.problems.companions import with_all
from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_percent import english_part_asked
from agent.text.problems.story_totals import StorySum
from agent.text.regex import regex
from agent.text.sums.hours_told import with_hours
from agent.text.sums.phrases import Language, Value, either, measured, stated
from agent.text.sums.precision import Precision, round_expression
from agent.text.told_sums.accounts import told_account, told_story
from agent.text.told_sums.asked_units import problem_asked
from agent.text.told_sums.begin_times import Begin, begin
from agent.text.told_sums.better_buys import better_buy
from agent.text.told_sums.errands import errand, is_turned_errand

_IN_BOTH = regex(r"何時間何分|how many hours and minutes", re.I)
_MONEY = frozenset("$€£¥円")
# A time of day where another one is asked for: nothing is at so much per hour.
_ASKS_CLOCK = phrase("asks_clock")
_TURNED_ABOUT = phrase("turned_about")
_NO_STORY = phrase("no_story")
_TOLD_OTHERWISE = phrase("told_otherwise")  # 「税込1980円」 has its tax already, 「1日5時間」 is no length of 29 hours


def problem(question: Question) -> Plan | None:
    """ "30% off 120", "150 km in 2 hours, average speed?", 「時速60キロで90キロ走ると何時間？」."""
    text = with_all(question.text, question.language)
    if found := errand(question.text, question.language) or (text and errand(text, question.language)):
        return _told_as_sum(question, found)
    if text is None or any(turn.search(text) for turn in (_TOLD_OTHERWISE, _ASKS_CLOCK, _TURNED_ABOUT)):
        return None
    found = problem_asked(text, question.language)
    if found and found.name == "cheaper_per" and question.language == "en":
        found = better_buy(text, "en") or found  # by the kilo or the litre, and not by the gram
    if found and found.name == "percent_of" and (part := _part_asked(text, question.language)) != "told":
        return _told_as_sum(question, StorySum(f"100 - {found.expression}", "%")) if part else None
    return _plan(question, found)


def _part_asked(text: str, language: Language) -> Literal["told", "rest", ""]:
    """Which part is asked for, as ``english_part_asked`` tells it."""
    if language == "en":
        return english_part_asked(text)
    from agent.text.in_japanese.japanese_percent import part_asked

    return part_asked(text)


_SIGNS = ((" * ", " × "), (" / ", " ÷ "))


def story(question: Question) -> Plan | None:
    """ "A bus holds 52 people. 310 are going, how many buses?", 「1個160円のパンを4個買うと？」, in any order."""
    asked = question.text
    if question.language == "ja":
        from agent.text.in_japanese.japanese_parts import prices_alone  # no English question waits for it

        asked = prices_alone(asked)
    text = with_all(asked, question.language)
    turned = any(turn.search(asked) for turn in (_NO_STORY, _TURNED_ABOUT)) or (
        question.language == "en" and is_turned_errand(asked)
    )
    found = told_story(text, question.language) if text and not turned else None
    return _told_as_sum(question, found) if found else None


def _told_as_sum(question: Question, found: StorySum) -> Plan:
    called, rounded = found.expression, ""
    if whole := re.fullmatch(r"(ceil|floor)\((.*)\)", called):
        called, rounded = whole[2], question.tell("rounded_up" if whole[1] == "ceil" else "rounded_down")
    for sign, form in _SIGNS:
        called = called.replace(sign, form)
    read = Problem("story", found.expression, called + rounded, found.unit, then=found.rest)
    read = replace(read, then_told=question.tell("left_over")) if found.rest else read
    return Plan(partial(worked_out, question, read), Value("1", found.unit), bool(found.rest))


_BEGUN = frozenset({"days", "weeks", "months"})
_HOW_MANY = regex(r"\bhow many (?:days|weeks|months)\b|何(?:日|週間|か月)", re.I)


def worked_out(question: Question, found: Problem) -> Steps:
    amount = yield calculation(question, found.called, found.expression)
    value = Value(amount, "" if found.unit == "%" else found.unit)
    below = bool(found.fell) and Decimal(amount) < 0
    figure = _figure(question, Value(amount.removeprefix("-"), value.unit) if below else value, found)
    sentence = found.fell if below else found.told
    told = sentence.format(figure=figure) if sentence else question.tell("result", called=found.called, figure=figure)
    if value.unit in _BEGUN and Decimal(amount) % 1 and _HOW_MANY.search(question.text):
        told = question.tell(
            "begun", told=told[:-1], whole=measured(Value(str(ceil(Decimal(amount))), value.unit), question.language)
        )
    if found.then:
        rest = yield calculation(question, question.tell("rest_alone"), found.then.replace("{it}", amount))
        told += " " + found.then_told.format(then=_figure(question, Value(rest, value.unit), found))
    keeps = (
        found.unit != "%" and not (found.per or found.name == "prime") and (not found.then or found.name == "with_tip")
    )
    return Said(told[:1].upper() + told[1:], value if keeps else None, further(question, value) if keeps else ())


_HOW_MUCH_LESS = regex(
    r"\bhow much (?:cheaper|less|more|dearer)\b|\bby how much\b|(?:いくら|何円|どれだけ)(?:安|お?得|違)", re.I
)


def _compared(question: Question, found: Problem) -> Steps:
    first = yield calculation(question, found.called, found.expression)
    other = yield calculation(question, found.other_called, found.other)
    if Decimal(first) == Decimal(other):
        return Said(question.tell("equal", first=found.called, second=found.other_called))

    def figure(amount: str) -> str:
        return measured(Value(f"{Decimal(amount):.2f}" if found.per else amount), question.language)

    low, high = sorted((first, other), key=Decimal)
    called = (found.called, found.other_called) if low == first else (found.other_called, found.called)
    more = f"{figure(high)} per {found.per}" if found.per else figure(high)
    told = question.tell("cheaper", first=called[0], second=called[1], less=figure(low), more=more)
    if _HOW_MUCH_LESS.search(question.text):
        wanted = f"{high} - {low}"
        wanted = round_expression(wanted, Precision(2)) if found.per else wanted
        told += question.tell(
            "less_by", figure=figure((yield calculation(question, question.tell("difference"), wanted)))
        )
    return Said(told)


def _figure(question: Question, value: Value, found: Problem) -> str:
    """Money in cents, other results to six digits; what may be money without its sign to two places at least."""
    if found.unit == "%":
        return f"{measured(value, question.language)}%"
    minutes = round(Decimal(value.amount) * 60, 3)
    if value.unit == "hours" and minutes % (60 if _IN_BOTH.search(question.text) else 15) and minutes == int(minutes):
        hours, rest = divmod(int(minutes), 60)
        return either(question.language, f"{hours} hour{'s' * (hours != 1)} {rest} minutes", f"{hours}時間{rest}分")
    cents = bool(found.then) and not value.unit and found.name != "story"
    if cents or value.unit in _MONEY:
        return stated(value, question.language, cents) + found.per
    asked = "" if found.told else question.text
    return with_hours(asked, value, question.language, measured(value, question.language)) + found.per


def told_sum(question: Question) -> Plan | None:
    """ "My splits were 5:12, 5:08 and 4:57, altogether?", "how many 250 ml glasses out of a 5 litre keg?"."""
    account = None if _TURNED_ABOUT.search(question.text) else told_account(question.text, question.language)
    return _plan(question, account)


def _plan(question: Question, found: Problem | None) -> Plan | None:
    if found is None:
        return None
    sample = None if found.name == "prime" or found.unit == "%" or found.per or found.other else Value("1", found.unit)
    both = bool(found.then or (found.other and _HOW_MUCH_LESS.search(question.text)))
    return Plan(partial(_compared if found.other else worked_out, question, found), sample, both)


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


def shares(question: Question) -> Plan | None:
    """Each share in a ratio, or each thing of a recipe for another number of people."""
    told = several_sums(question.text) if question.language == "en" else ()
    plans = {one.thing: sum_of(replace(question, text=f"what is {one.sum}", tables=())) for one in told}
    read = {thing: plan for thing, plan in plans.items() if isinstance(plan, Plan)}
    return Plan(partial(_in_turn, read), both=True) if len(read) == len(told) > 1 else None


def _in_turn(plans: dict[str, Plan]) -> Steps:
    told: list[str] = []
    for thing, plan in plans.items():
        said = yield from plan.steps()
        told.append(f"{thing.capitalize()}: {said.text}")
    return Said(" ".join(told))
