"""A follow-up and what went before → a question that stands alone, or ``None`` where that would be guessing.

Every candidate is tried on the abilities themselves, so nothing is written that the demo cannot answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.demo.phrasebook import phrase
from agent.demo.rules.abilities import surely, understand
from agent.demo.rules.plan import Plan, Question
from agent.demo.rules.swapping import LEAD, another_share, swapped
from agent.text.free_days.going_on import later_than
from agent.text.plainly.figure_put import figure_put
from agent.text.problems.corrections import corrected
from agent.text.problems.other_ends import as_question
from agent.text.problems.problem_reader import read_problem
from agent.text.quantities.dates import day
from agent.text.quantities.units import named
from agent.text.regex import regex
from agent.text.sums.phrases import Value, core, plain, shown
from agent.text.sums.question_forms import read_conversion
from agent.text.sums.sum_grammar import AMBIGUOUS, read_sum
from agent.text.sums.terms import expression, name, unit

_PRONOUN = phrase("pointing")
_NAMED = r"square root|cube root|square|cube|factorial|reciprocal|absolute value"


def continues(question: Question) -> bool:
    """ "Minus 1/3" after a sum takes it away, though it could stand alone."""
    return re.match(r"(?:minus|マイナス)", LEAD.sub("", question.text, count=1), re.I) is not None


def standalone(question: Question, before: str, value: Value | None) -> str | None:
    """``question`` with what it leaves out put in: the ``value`` that the answer ended in, or a part of ``before``."""
    for several in _candidates(question, before, value):
        for candidate in several:
            if isinstance(understand(Question(plain(candidate), question.language, question.today)), Plan):
                return candidate.replace("?", "？") if question.language == "ja" else candidate
    return None


def _candidates(question: Question, before: str, value: Value | None) -> list[Iterator[str]]:
    if (meant := corrected(question.text, before)) is not None:
        return [iter([meant]), swapped(question, before)]
    candidates: list[Iterator[str]] = []
    if _OTHER_FIGURE.search(question.text) or another_share(question.text, before):
        candidates.append(swapped(question, before))  # 「じゃあ8個なら？」 is of what the first was of
    if value and question.language == "ja":
        candidates.append(_last_day(question, value))
    start = read_conversion(before, question.language) if value else None
    if start and start.given:
        candidates.append(_other_unit(question, start.typed))
    if _IF_SHARE.search(question.text) and _IF_SHARE_OF.search(before):
        value = None  # 「20%引きだったら？」, "with 15%?" are instead of the share before, and not of what came of it
    for figure in _figures(question, before, value) if value else ():
        kind = value.unit if value else ""
        english = question.language == "en"
        candidates.append(_english(question, figure, kind) if english else figure_put(question.text, figure))
        candidates.append(_with_more(question, before, figure))
    candidates.append(swapped(question, before))
    if question.language == "en":
        candidates.append(_together(question, before))
    return candidates


_IF_SHARE = regex(
    r"^\D{0,6}\d[\d.]* ?[%割][^、。]{0,6}(?:なら|だったら|だと|の場合)[?？。]*$|^(?:and )?with \d[\d.]* ?%\??$", re.I
)
_IF_SHARE_OF = regex(r"\d ?[%割]")
_OTHER_FIGURE = regex(r"\d[^\d\s、。？?]{1,8}?(?:なら|だと|だったら|の場合)")
_BEGUN = phrase("begun_on")


def _last_day(question: Question, value: Value) -> Iterator[str]:
    """「今日読み始めたら、読み終わるのは何月何日？」 after a number of days: the first of them counts."""
    begun = _BEGUN.fullmatch(question.text)
    if begun and value.unit == "days" and value.amount.isdigit() and int(value.amount) > 1 and not value.close:
        yield f"{begun['first']}から{int(value.amount) - 1}日後は何月何日?"


def _other_unit(question: Question, start: str) -> Iterator[str]:
    """A conversion after a conversion begins where the first one did: nothing is lost to rounding twice."""
    text = re.sub(r"[ ?。.]+$", "", question.text)
    if question.language == "ja":
        into = re.fullmatch(
            r"(?:それ|その値|同じ値)?を?(?:、)?([^\d]+?)(?:で|に|では|に換算すると|だと|なら|で言うと|でいうと)(?:は)?",
            text,
        )
        yield f"{start}を{into[1]}で？" if into else ""
        return
    many = re.fullmatch(rf"(?:and )?how many ([a-z ]+?) (?:is|are) {_PRONOUN.pattern}", text, re.I)
    into = re.fullmatch(
        rf"(?:.*?{_PRONOUN.pattern} |(?:and |then |what about |how about )*)(?:(?:in|to|into|as) )?([a-z° ]+)",
        text,
        re.I,
    )
    if found := many or into:
        yield f"What is {start} in {found[1]}?"


def _english(question: Question, figure: str, unit: str) -> Iterator[str]:
    text = LEAD.sub("", re.sub(r"[ ?.]+$", "", question.text), count=1)
    text = re.sub(r"^(?:what|how) about ", "", text, flags=re.I)
    noun = re.sub(r"^(?:what's|what is|what are) ", "", text, flags=re.I)
    if re.fullmatch(rf"(?:the |a )?(?:{_NAMED})", noun, re.I):
        yield f"What is the {noun.removeprefix('the ').removeprefix('a ')} of {figure}?"
    if its := re.fullmatch(r"its (.+)", noun, re.I):
        yield f"What is the {its[1]} of {figure}?"
    if re.fullmatch(r"(?:half|double|triple|twice|squared|cubed)", noun, re.I):
        yield f"What is {figure} {noun}?" if noun.lower().endswith("ed") else f"What is {noun.lower()} {figure}?"
    if len(_PRONOUN.findall(text)) == 1:
        put = _PRONOUN.sub(figure, noun, count=1) if _PRONOUN.search(noun) else noun
        yield as_question(text, put)
    yield from _operated(noun, figure, unit)


_BOUGHT, _FIGURE_MORE, _LEFT = phrase("one_more_bought"), phrase("one_more_figure"), phrase("money_left")


def _with_more(question: Question, before: str, figure: str) -> Iterator[str]:
    """ "And if I also buy a coffee for 3.20?" of what is left, or of what was spent."""
    if bought := _BOUGHT.fullmatch(question.text):
        sign = figure[0] if figure[0] in "$€£¥" and bought["money"][0].isdigit() else ""
        yield f"What is {figure} {'minus' if _LEFT.search(before) else 'plus'} {sign}{bought['money']}?"
    if (many := _FOR_SO_MANY.fullmatch(question.text)) and _NEEDS_PER_HEAD.search(before):
        yield f"What is {figure} times {many['n']}?"
    if more := _FIGURE_MORE.fullmatch(question.text):
        yield f"What is {figure} {'plus' if more['how'].lower() == 'add' else 'minus'} {more['figure']}?"


_FOR_SO_MANY, _NEEDS_PER_HEAD = phrase("for_so_many"), phrase("needs_per_head")
_TIME_MORE, _ASKS_END = phrase("time_more"), phrase("asks_the_end")
_ENDS_IN_CLOCK = regex(r"\b(?:is|was) (?P<clock>\d?\d:\d\d)(?: on the (?:next|following) day)?\.$")


def at_that_time(question: Question, before: str, answer: str) -> str | None:
    """ "And with 20 minutes of ads before it?" where the ``answer`` ends in a time of day."""
    told, more = _ENDS_IN_CLOCK.search(answer), _TIME_MORE.fullmatch(question.text)
    if told is None or more is None or not _ASKS_END.search(before):
        return None
    return f"What time is {more['length']} {'before' if more['early'] else 'after'} {told['clock']}?"


_MOST_WORDS = 5


def _together(question: Question, before: str) -> Iterator[str]:
    """ "And the total?" after a problem, "and for 20?" after "200 g of flour for 8 muffins": both are read together."""
    text, bare = LEAD.sub("", re.sub(r"[ ?.]+$", "", question.text), count=1), re.sub(r"[ ?.!]+$", "", before)
    if first := read_problem(before, "en"):
        both = None if re.search(r"\d", text) else read_problem(f"{bare}, {text}", "en")
        if both and len(text.split()) <= _MOST_WORDS and first.expression != both.expression:
            yield f"{bare}, {text}?"
    elif len(text.split()) <= _MOST_WORDS and not (
        re.search(r"\?|\b(?:how|what|which|when)\b", before, re.I) or understand(replace(question, text=before))
    ):
        yield f"{bare}. {'How much ' if re.match('for ', text, re.I) else ''}{text}?"


def by_itself(question: Question) -> str | None:
    """ "And 8 choose 3?" says all that it needs."""
    text = LEAD.sub("", question.text, count=1)
    whole = (
        text != question.text
        and len(re.findall(r"\d+", text)) > 1
        and isinstance(surely(Question(text, question.language, question.today)), Plan)
    )
    return text[:1].upper() + text[1:] if whole else None


def on_that_day(question: Question, answer: str) -> str | None:
    """ "30 days before that", 「その日は何曜日？」 where the ``answer`` ends in a date."""
    pattern = _ENDS_IN_DAY_JA if question.language == "ja" else _ENDS_IN_DAY
    told = pattern.search(answer)
    text = LEAD.sub("", question.text, count=1)
    pointing = _THAT_DAY.search(text)
    if told and not pointing and question.language == "en" and question.today:
        asks_weekday = answer.endswith("day.") and not answer.endswith("today.")
        return later_than(text, day(told["day"], question.today), question.today, asks_weekday=asks_weekday)
    if told is None or (pointing is None and not text.startswith("何曜日")):
        return None
    candidate = (
        text[: pointing.start()] + told["day"] + text[pointing.end() :] if pointing else f"{told['day']}は{text}"
    )
    found = understand(Question(plain(candidate), question.language, question.today))
    return candidate[:1].upper() + candidate[1:] if isinstance(found, Plan) else None


_ENDS_IN_DAY = regex(
    r"(?:\b(?:is|was) (?:[A-Z][a-z]+day, )?|^)(?P<day>\d{1,2} [A-Z][a-z]+ \d{4})(?: (?:is|was) an? [A-Z][a-z]+day)?\.$"
)
_ENDS_IN_DAY_JA = regex(r"は(?P<day>\d{4}年\d{1,2}月\d{1,2}日)(?:\(.曜日\))?(?:です|でした)。$")
_THAT_DAY = regex(r"\b(?:that day|this day|that date|that|then|it|this)\b|その日|それ", re.I)
_ROUNDED_DIGITS = 11


def _figures(question: Question, before: str, value: Value) -> Iterator[str]:
    """The value in the ways to write it. A rounded one is first the sum it came from: a third times 3 is 1."""
    rounded = value.close or len(value.amount.lstrip("-0.").replace(".", "")) >= _ROUNDED_DIGITS
    found = read_sum(before, question.language) if rounded and re.search(r"[.e]", value.amount) else None
    if found and found is not AMBIGUOUS:
        yield f"({expression(found)})" if unit(found) == "" else f"({name(found, question.language)})"
        yield f"({core(before, question.language)})"
        if value.close and not named(value.unit):
            return  # cents that were cut off would come back threefold
    figure = shown(value, question.language, grouped=False)
    yield f"({figure})" if value.amount.startswith("-") and not value.unit else figure  # "-8 squared" could be -64


_SIGN = r"(?:plus|minus|times|multiplied by|divided by|over|to the|squared|cubed|[-+*/×÷^])"
_ANOTHER_PERCENT = phrase("another_percent")


def _operated(noun: str, figure: str, unit: str) -> Iterator[str]:
    """ "plus 10", "in Kelvin", "multiply by 3", "10% of", "rounded to 2 decimals", without the word "it"."""
    if re.match(rf"{_SIGN}", noun, re.I):
        yield f"What is {figure} {noun}?"
        yield f"What is {figure} {noun} {unit}?" if unit else f"What is {figure} {noun}?"
        if named_after := re.fullmatch(r"(.*\d ?[a-z°]+)(?: (?:for|of|as))?(?: [a-z]+){1,2}", noun, re.I):
            yield f"What is {figure} {named_after[1]}?"  # "minus 45 minutes lunch"
    if into := re.fullmatch(r"(?:(?:in|to|into|as) )?((?!(?:what|which|how|when|who)\b)[a-z° ]+)", noun, re.I):
        yield f"What is {figure} in {into[1]}?"
    if command := re.fullmatch(r"(add|subtract|multiply|divide) (by )?((?!.* (?:for|at) ).+)", noun, re.I):
        verb, by, rest = command[1].lower(), command[2], command[3]
        ways = {"add": f"Add {rest} to {figure}.", "subtract": f"Subtract {rest} from {figure}."}
        yield f"{verb.capitalize()} {figure} by {rest}." if by else ways.get(verb, "")
    if more := _ANOTHER_PERCENT.fullmatch(noun):
        percent = more["p"] or more["q"]
        yield (
            f"What is {percent}% off {figure}?" if more["off"] or more["less"] else f"What is {figure} plus {percent}%?"
        )
    if rounded := re.fullmatch(r"(?:rounded|round)( .+)?", noun, re.I):
        yield f"Round {figure}{rounded[1] or ''}."
