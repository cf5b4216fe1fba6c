"""A new figure, name or date in the place of the old one: "and for 36?", "what about Germany?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.demo.lookups.lookup import is_fact
from agent.demo.phrasebook import listed, phrase
from agent.demo.rules.plan import Question
from agent.text.plainly.swapped_days import day_moved, in_same_year
from agent.text.plainly.swapped_figures import figure_swapped
from agent.text.problems.clock_questions import Elsewhere, read_clock_question
from agent.text.problems.clock_stories import of_this_year
from agent.text.quantities.dates import MONTH, day
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

LEAD = phrase("leading_words")
_NOT_A_NAME = regex(r"\b(?:in|of|for|today|tomorrow|yesterday)\b|\d ?[a-z]", re.I)
_WHO = phrase("who")
_SWAPS = phrase("swaps")
_WHEN = r"(?: (?:today|yesterday|tomorrow|now|right now))?"


_EXTREME = regex(
    r"(?:(?:and|or|but|what about|how about) )*the (?P<nth>(?:second|third|fourth) )?(?P<word>[a-z ]+)", re.I
)


def opposite(bare: str, before: str) -> str | None:
    """ "And the youngest?" or "and the second oldest?" of a question for the oldest, in its own words."""
    found = _EXTREME.fullmatch(bare)
    word, nth = (found["word"].lower(), found["nth"] or "") if found else ("", "")
    said = [one for one in listed("opposites") if word == one or word in listed("opposites")[one]]
    said = [one for one in said if len(re.findall(rf"\bthe {one}\b", before, re.I)) == 1 and bool(nth) == (one == word)]
    return re.sub(rf"\bthe {said[0]}\b", f"the {nth}{word}", before, flags=re.I) if len(said) == 1 else None


def swapped(question: Question, before: str) -> Iterator[str]:
    """ "And for 36?", 「ドイツは？」: ``before`` with the one part of it that is of the same kind replaced."""
    return _english(question, before) if question.language == "en" else _japanese(question, before)


def _english(question: Question, before: str) -> Iterator[str]:
    text = LEAD.sub("", re.sub(r"[ ?.]+$", "", question.text), count=1)
    lead = _SWAPS.match(text)
    new = text[lead.end() :] if lead else text
    led = bool(lead and lead[0]) or text != re.sub(r"[ ?.]+$", "", question.text)
    yield from _at_once(question.text, new, before)
    if not led or not new:
        return
    if re.search(r"\d", new) or number_at(new.lower(), 0, "en"):
        word = lead[0].strip().rpartition(" ")[2] if lead else ""
        yield from figure_swapped(new, before, day(new, question.today) is None, word)
    if nth := re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)", new, re.I):
        yield from _replaced_once(
            rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?= (?:of )?(?:{MONTH})\b)"
            rf"|(?<=[a-z] )\d{{1,2}}(?:st|nd|rd|th)?(?=,? \d{{4}}\b)",
            nth[1],
            before,
        )
    yield from day_moved(new, before, question.today)
    if day(new, question.today):
        until = re.fullmatch(r"(.*?\b(?:until|till|to|since|was|is) )(.+?)\W*", before)
        if until and day(until[2], question.today):
            yield f"{until[1]}{in_same_year(new, until[2], question.today)}?"
    elif re.fullmatch(r"[A-Za-z][\w' .-]*", new) and not _NOT_A_NAME.search(new):
        yield from _name_swapped(new, of_this_year(before, question.today) if question.today else before)


_YEAR = regex(r"\b(?:19|20)\d\d\b")
_ANOTHER_SHARE, _SOME_MORE, _REDUCED = phrase("another_share"), phrase("some_more"), phrase("reduced")


def another_share(text: str, before: str) -> str | None:
    """ "And with 40% off?" of what was 30% off; not of a tip, and not 40% off what came of it."""
    said = _ANOTHER_SHARE.fullmatch(text)
    if (
        said is None
        or (said["off"] and not _REDUCED.search(before))
        or (said["on"] or "").lower() not in before.lower()
    ):
        return None
    return next(_replaced_once(r"\d[\d.]*(?= ?%| ?percent)", said["p"], before), None)


def _at_once(text: str, new: str, before: str) -> Iterator[str]:
    """What is sure by the whole of the follow-up: one more of a thing, another year, another share."""
    yield from _some_more(re.sub(r"[ ?.]+$", "", text), before)
    if year := _YEAR.fullmatch(new):
        yield from _replaced_once(_YEAR.pattern, year[0], before)
    if share := another_share(text, before):
        yield share


def _some_more(text: str, before: str) -> Iterator[str]:
    """ "What if one more adult comes along?": the one count of them is raised."""
    said = _SOME_MORE.fullmatch(text)
    number = number_at("one" if said["n"].lower() in ("a", "an") else said["n"].lower(), 0, "en") if said else None
    if said is None or number is None:
        return
    thing = said["thing"].lower().removesuffix("s")
    names = [thing, f"{thing}s", *(many for many, one in listed("one_of").items() if thing in one or thing == many)]
    counted = list(re.finditer(rf"(?<![\d.,$€£¥])(\d+)(?= (?:{'|'.join(names)})\b)", before, re.I))
    if len(counted) != 1:
        return
    more = -int(number[0]) if said["more"].lower() in ("fewer", "less") else int(number[0])
    yield f"{before[: counted[0].start()]}{int(counted[0][0]) + more}{before[counted[0].end() :]}"


_OF_A_LIST = regex(
    r"(?:the )?\b(?:average|mean|median|sum|total|range|product|standard deviation|largest|smallest|maximum|minimum"
    r"|highest|lowest|difference|others?|rest)\b",
    re.I,
)


def _name_swapped(new: str, before: str) -> Iterator[str]:
    clock = read_clock_question(before, "en")
    if isinstance(clock, Elsewhere):  # what is asked for is the time there
        yield f"{clock.clock} {clock.there} time{f' on {clock.day}' if clock.day else ''} in {new}?"
        return
    if is_fact(new):
        fact = re.fullmatch(r"(?:what|who) is the ([\w ]+) (?:of|in|for) (.+?)\W*", before, re.I)
        if fact and is_fact(fact[1]):
            yield f"What is the {new.removeprefix('the ')} of {fact[2]}?"
        return
    if _OF_A_LIST.fullmatch(new):  # which is no name
        yield from [_OF_A_LIST.sub(new.removeprefix("the "), before)] if len(_OF_A_LIST.findall(before)) == 1 else []
        return
    tail = re.fullmatch(
        rf"(.*\b(?:of|in|for) )(?!the same)([A-Za-z][\w' .-]*?)({_WHEN})( in (?:fahrenheit|celsius))?\W*", before, re.I
    )
    if tail:
        yield f"{tail[1]}{new}{tail[3] or ''}{tail[4] or ''}?"
    if born := re.fullmatch(
        r"((?:when|where) (?:was|is|did) )(.+?)( (?:born|built|founded|invented|discovered|die))\W*", before, re.I
    ):
        yield f"{born[1]}{new}{born[3]}?"
    if who := _WHO.fullmatch(before):
        yield f"{who[1]}{new}?"


_WORKED_ON = regex(r"\d[^、。]{0,8}(?:引[いくか]|足[しす]|加え|掛け|割[るっ])")  # with what was told, and no name


def _japanese(question: Question, before: str) -> Iterator[str]:
    new = re.sub(
        r"^(?:(?:では|じゃあ|それでは|そして|また)、?)?(?:[^\d、。はがをも]{1,6}[がはをも](?=\d))?", "", question.text
    )
    new = re.sub(
        r"(?:の場合)?(?:では|は|だと|なら|だったら|でしたら|だとしたら|にすると|にしたら)?、?(?:どう(?:なりますか|なる|ですか)?)?[?。]*$",
        "",
        new,
    )
    if tenths := re.fullmatch(r"(\d+)割(?:\d分)?(?:引き?|増し?|オフ)?", new):
        yield from _replaced_once(r"\d+割(?:\d分)?", re.sub(r"[引増オ].*", "", tenths[0]), before)
        return
    if share := re.fullmatch(r"([\d,.]+ ?%)(?P<off>引き?|オフ|割引)?", new):
        yield from _replaced_once(r"[\d,.]+ ?%(?=引|オフ|割)" if share["off"] else r"[\d,.]+ ?%", share[1], before)
    elif era := re.fullmatch(r"(?:明治|大正|昭和|平成|令和)(?:元|\d{1,2})年", new):
        yield from _replaced_once(r"(?:明治|大正|昭和|平成|令和)(?:元|\d{1,2})年", era[0], before)
    elif counted := re.fullmatch(r"([\d,.]+)([^\d\s、。?]{1,4})", new):
        of = re.escape(counted[2])
        # Not what is told of one: 「7人で割ると1人いくら」, 「1個150円で3個」.
        per_one = rf"(?!1(?:人(?:いくら|何|あたり)|{of}\d))"
        yield from _replaced_once(rf"(?<![\d,.]){per_one}\d[\d,.]*(?={of})", counted[1], before)
    if bare := re.match(r"(\d[\d,.]*)(?![\d,.]|\s?[%割])(?P<unit>[^\d、。?は]{0,4})", new):
        unit = re.escape(bare["unit"].strip())  # 「10km」 is not put in the place of 5 miles
        yield from _replaced_once(rf"\d[\d,.]*(?!\d*\s?[%割])(?=\s?{unit})", bare[1], before)
    if is_fact(new):
        yield from (
            f"{name[1]}の{new}は？" for name in [re.fullmatch(r"(.+?)の(.+?)は.*", before)] if name and is_fact(name[2])
        )
    elif new and not _WORKED_ON.search(new) and (name := re.fullmatch(r"(.+?)(の.+|は(?:誰|どこ).*|とは.*)", before)):
        yield f"{new}{name[2]}"


def _replaced_once(pattern: str, new: str, before: str) -> Iterator[str]:
    if len(re.findall(pattern, before, re.I)) == 1:
        yield re.sub(pattern, new, before, flags=re.I)
