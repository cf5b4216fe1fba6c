"""A question in other words where no rule fits it as typed: its numbers in plain notation, its slips put right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from agent.demo.phrasebook import words
from agent.demo.rules.plan import CALCULATOR, CONVERT, NOW, Call, Plan, Question, Said, Steps
from agent.text.problems.problem_words import known_words
from agent.text.problems.rewording import rewordings
from agent.text.quantities.units import unit_words
from agent.text.real_words import is_real
from agent.text.regex import regex
from agent.text.spelling import Spelling, spellings
from agent.text.sums.usual_notation import usual
from agent.text.told_sums.errands import is_turned_errand

Ability = Callable[[Question], Plan | Said | None]
_MOST_LETTERS, _SHORT = 200, 4
_FIGURES = regex(r"[^\s()]+")


def otherwise(question: Question, understood: Ability) -> Plan | Said | None:
    """What ``understood`` makes of the question in plain notation, or without slips of the keyboard.

    An answer to what was put right begins with how it was read.
    """
    if (plainer := usual(question.text)) != question.text and (found := understood(replace(question, text=plainer))):
        return found
    if len(question.text) > _MOST_LETTERS:
        return None
    if found := _in_plain_words(question, understood):
        return found
    if question.language == "en" and is_turned_errand(question.text):
        return None
    return spelled(question, understood)


def spelled(question: Question, understood: Ability, *, of_real: bool = True) -> Plan | None:
    """What ``understood`` makes of an English question without slips, where all the likeliest ways agree.

    Without ``of_real`` no real word is taken for a slip of another one.
    """
    if question.language != "en" or len(question.text) > _MOST_LETTERS:
        return None
    several = [
        one
        for one in _readings(question, understood)
        if of_real or not any(is_real(typed.lower()) or "'" in typed for typed, _ in one[0].words)
    ]
    readings = [one for one in several if question.tables and one[1].both] or several  # read whole, it fits
    readings = [one for one in readings if one[0].unlike == min(each.unlike for each, _, _ in readings)]
    if not readings or len({call for _, _, call in readings}) > 1:
        return None
    spelling, plan, _ = readings[0]
    return Plan(lambda: led(plan, question.tell("spelled", words=_slips_told(question, spelling))), plan.sample)


def mended(question: Question, understood: Ability) -> Plan | None:
    """As ``spelled``, where no short word but one of questions, or of the tables' heads, is put right."""
    from agent.data.tables.wordings.table_vocabulary import words_of_heads

    known = words("of_questions") | words_of_heads(question.tables)
    slips = (slip for one in _spelled(question) for slip in one.words)
    short = any(len(typed) <= _SHORT and meant not in known for typed, meant in slips)
    return None if short else spelled(question, understood)


def _in_plain_words(question: Question, understood: Ability) -> Plan | Said | None:
    for plainer in _reworded(question):
        found = understood(replace(question, text=usual(plainer)))
        if isinstance(found, Plan) or (found and not found.declined):
            return found
    return None


def _reworded(question: Question) -> Iterable[str]:
    if question.language == "en":
        return rewordings(usual(question.text), question.today)
    from agent.text.in_japanese.japanese_wordings import japanese_wordings  # no English question waits for it

    return japanese_wordings(usual(question.text), question.today)


def _readings(question: Question, understood: Ability) -> Iterator[tuple[Spelling, Plan, tuple[str, str] | None]]:
    for spelling in _spelled(question):
        if words("turning").intersection(meant for _, meant in spelling.words):
            continue
        if isinstance(found := _put_right(question, spelling, understood), Plan):
            yield spelling, found, first_call(found)


def doubted(question: Question, plan: Plan, understood: Ability) -> Said | None:
    """Asks back where a word may be a slip of one that makes another sum: "tip 15% on 48.60, ttoal?"."""
    call = first_call(plan)
    if question.language != "en" or call is None or call[0] not in (CALCULATOR, CONVERT, NOW) or '"zone"' in call[1]:
        return None  # what is no word may be a place
    for spelling in _spelled(question):
        found = _put_right(question, spelling, understood)
        other = first_call(found) if isinstance(found, Plan) else None
        turned = any(len(meant) > _SHORT and meant in words("turning") for _, meant in spelling.words)
        if turned or (other and _sorted(other) != _sorted(call)):
            text = question.tell("doubted", words=_slips_told(question, spelling))
            return Said(text, None, (spelling.text,), declined=True, final=True)
    return None


def _put_right(question: Question, spelling: Spelling, understood: Ability) -> Plan | Said | None:
    right = replace(question, text=spelling.text)
    plainer = replace(question, text=usual(spelling.text))
    return understood(right) or understood(plainer) or _in_plain_words(plainer, understood)


def _slips_told(question: Question, spelling: Spelling) -> str:
    return ", ".join(question.tell("slip", typed=typed, meant=meant) for typed, meant in spelling.words)


def _sorted(call: tuple[str, str]) -> list[str]:
    """Figures and signs in one order: 20 / 100 * 85 is 85 * 20 / 100."""
    return sorted(re.sub(r"(\.\d*?)0+$", r"\1", one).rstrip(".") for one in _FIGURES.findall(" ".join(call)))


def _spelled(question: Question) -> Iterator[Spelling]:
    if not question.tables:
        return spellings(question.text, _known(), words("of_things").__contains__)
    from agent.data.tables.wordings.table_vocabulary import spellings_of_tables

    return spellings_of_tables(question.text, question.tables, _known())


@cache
def _known() -> frozenset[str]:
    return words("of_questions") | known_words() | unit_words()


def first_call(plan: Plan) -> tuple[str, str] | None:
    """Tool and input of the first call that a plan makes, if it makes one."""
    steps = plan.steps()
    try:
        call: Call = next(steps)
    except StopIteration:
        return None
    finally:
        steps.close()
    return call.tool, call.input


def led(plan: Plan, how: str) -> Steps:
    """The plan, its answer behind the words ``how``."""
    said = yield from plan.steps()
    return replace(said, text=f"{how} {said.text}")
