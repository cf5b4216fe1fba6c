"""What share of one figure another one is; percentages in other words are read by ``agent.text.problems``."""

from __future__ import annotations

from agent.demo.phrasebook import forms
from agent.demo.rules.plan import Plan, Question
from agent.demo.sums.arithmetic import calculated
from agent.text.sums.phrases import Value, core, matches, measured
from agent.text.sums.sum_grammar import term
from agent.text.sums.terms import Term, expression, name, unit

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


def _two(first: str, second: str, question: Question) -> tuple[Term, Term] | None:
    """Both as single figures of the same unit."""
    one, other = term(first, question.language), term(second, question.language)
    if one is None or other is None or one.form != "number" or other.form != "number" or unit(one) != unit(other):
        return None
    return one, other
