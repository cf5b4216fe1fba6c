"""Percentages in the words of shops, tips and banks: each function is one ability."""

from __future__ import annotations

from agent.demo.phrasebook import forms, phrase
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculated, calculation, further, is_, term_plan, two_ways
from agent.text.quantities.number_words import tenths
from agent.text.sums.phrases import Value, core, matches, measured, shown
from agent.text.sums.sum_grammar import AMBIGUOUS, single, term
from agent.text.sums.terms import Term, expression, name, number, unit

_CHANGED = {"en": forms("changed_en"), "ja": forms("changed_ja")}
_CALLED = {"percent": "tip", "decrease": "less_percent", "increase": "plus_percent"}


def changed(question: Question) -> Plan | Said | None:
    """Tips, discounts, taxes, rises: "20% off $50", 「1000円の2割引は？」."""
    text = core(question.text, question.language)
    for groups in matches(_CHANGED[question.language], text):
        form = next(form for form in _CALLED if form in groups)
        of = single(groups[form], question.language)
        if of is AMBIGUOUS:
            return two_ways(question)
        if of is None:
            continue
        digits = groups["p"]
        percent = number(tenths(digits) if groups.get("sign") == "割" else digits)
        parts = (percent, of) if form == "percent" else (of, percent)
        called = question.tell(_CALLED[form], p=percent.text, of=name(of, question.language))
        return term_plan(question, Term(form, parts), called)
    return None


_SHARES = {"en": forms("share_en"), "ja": forms("share_ja")}


def share(question: Question) -> Plan | None:
    """ "What percent of 80 is 12?", 「12は80の何%？」."""
    language = question.language
    for groups in matches(_SHARES[language], core(question.text, language)):
        if two := _two(groups["part"], groups["whole"] or "1", question):
            part, whole = two
            break
    else:
        return None
    both = {"part": name(part, language), "whole": name(whole, language)}

    def told(value: Value) -> str:
        return question.tell("is_share", **both, figure=measured(value, language))

    wanted = f"{expression(Term('divide', (part, whole)))} * 100"
    return calculated(question, question.tell("share", **both), wanted, told=told, keeps=False)


_CHANGES = (r"(?:percent(?:age)?|%) (?:change|increase|decrease) (?:from|between) (?P<a>.+?) (?:to|and) (?P<b>.+)",)


def change(question: Question) -> Plan | None:
    """ "Percentage change from 50 to 60"."""
    groups = next(matches(_CHANGES, core(question.text, question.language)), None)
    both = _two(groups["a"], groups["b"], question) if groups else None
    if both is None:
        return None
    before, after = both
    difference = Term("subtract", (after, before))
    wanted = f"{expression(Term('divide', (difference, before)))} * 100"
    names = name(before, "en"), name(after, "en")

    def told(value: Value) -> str:
        return f"From {names[0]} to {names[1]} is a change of {measured(value, 'en')}%."

    return calculated(question, f"the change from {names[0]} to {names[1]} in percent", wanted, told=told, keeps=False)


def _two(first: str, second: str, question: Question) -> tuple[Term, Term] | None:
    """Both as single figures of the same unit."""
    one, other = term(first, question.language), term(second, question.language)
    if one is None or other is None or one.form != "number" or other.form != "number" or unit(one) != unit(other):
        return None
    return one, other


_INTEREST = phrase("interest")
_TIMES = {
    "annually": (1, "once a year"),
    "yearly": (1, "once a year"),
    "quarterly": (4, "four times a year"),
    "monthly": (12, "twelve times a year"),
    "daily": (365, "365 times a year"),
}
_YEARS = {"a": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}


def interest(question: Question) -> Plan | None:
    """ "Compound interest on $1000 at 5% for 10 years"; compounded once a year unless it says otherwise."""
    match = _INTEREST.fullmatch(core(question.text, question.language))
    of = term(match["of"], "en") if match else None
    if match is None or of is None or of.form != "number":
        return None
    percent, years = match["p"], _YEARS.get(match["years"].lower(), match["years"])
    capital, span = name(of, "en"), f"{years} year{'' if years == '1' else 's'}"
    if match["kind"].lower() == "simple":
        called = f"the simple interest on {capital} at {percent}% a year for {span}"
        wanted = f"{of.text} * {percent} / 100 * {years}"
        return calculated(question, called, wanted, unit_name=of.unit, told=lambda value: is_(question, called, value))
    times, often = _TIMES[(match["often"] or "yearly").lower()]

    def steps() -> Steps:
        rate = f"{percent} / 100" if times == 1 else f"{percent} / 100 / {times}"
        grown = f"what {capital} grows to at {percent}% a year in {span}"
        wanted = f"{of.text} * (1 + {rate})^{int(years) * times}"
        if of.unit in {"$", "€", "£"}:  # rounded to hundredths, half up
            wanted = f"floor({wanted} * 100 + 0.5) / 100"
        total = yield calculation(question, grown, wanted)
        earned = yield calculation(question, "the interest alone", f"{total} - {of.text}")
        value = Value(earned, of.unit)
        grows = shown(Value(total, of.unit), "en")
        told = f"At {percent}% a year, compounded {often}, {capital} grows to {grows} in {span}."
        return Said(f"{told} The interest is {shown(value, 'en')}.", value, further(question, value))

    return Plan(steps, Value("1", of.unit))
