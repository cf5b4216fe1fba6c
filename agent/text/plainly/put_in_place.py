"""A follow-up that names one value, put in the place of the like one of the question before: "220?", "and Denver?".

The value is an amount with or without its unit, a percentage, a count of people, a day, a time of day or a place. The
other words of the follow-up may only be little ones, and the question before must have one value of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from agent.text.free_days.going_on import gone_on_days
from agent.text.plainly.swapped_figures import LITTLE, amount_put
from agent.text.problems.clock_questions import with_parts
from agent.text.problems.said_days import days_named
from agent.text.quantities.dates import day_of
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex
from agent.text.sums.phrases import Value, shown
from agent.text.told_sums.telling import in_digits

_MOST_WORDS = 12
_PEOPLE = (
    r"(?:people|persons?|of us|of them|friends|guests|kids|children|adults|players|pupils"
    r"|students|colleagues|mates|flatmates|housemates|roommates"
    r"|members|families|couples|ways|heads|men|women|boys|girls|teams?|passengers|visitors"
    r"|workers|lads|cousins|siblings)"
)
_SHARES = regex(r"\b(?:split|shared?|divided?|each|per (?:person|head)|apiece)\b", re.I)
_COUNT = regex(
    r"(?<![\w.,$€£])(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|eleven"
    rf"|twelve)(?: (?P<who>{_PEOPLE}))?(?![\w.,%]*\d| ?%)",
    re.I,
)
_BY_PEOPLE = regex(
    rf"(?<![\w.,$€£])(?P<n>\d+)(?= (?:[a-z]+ )?{_PEOPLE}\b)|(?<=\bbetween )(?P<m>\d+)\b"
    r"|(?<=\bwe're )\d+(?=,| and\b)|(?<=\bwe are )\d+(?=,| and\b)"
    r"|(?<=\bamong )(?P<k>\d+)\b|(?<=\bby )(?P<l>\d+)\b(?! ?[%.,:]?\d)",
    re.I,
)
_CLOCK = regex(with_parts("{CLOCK}"), re.I)
_ANOTHER = regex(
    r"\b(?:more|less|another|extra|off(?! [$€£]?\d[\d.,]*(?! ?%))|plus|minus|times|add|subtract|fewer|not|no|also|too"
    r"|both|than|tip|tax|vat|discount|after|before|ago|later|earlier)\b|n['’]t\b",
    re.I,
)
_OVER = regex(r"\bover\b", re.I)
_ALL, _BY_SPAN = regex(r"\btotal\b", re.I), regex(r"\b(?:month|week|year|dai)ly\b", re.I)
_WHERE = regex(
    r"(?:(?:and|or|ok|okay|so|then|what about|how about|what time is it|what time|in|for|over"
    r"|here|now)[ ,]+)*(?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*"
    r"|[a-z]{3,}(?: [a-z]{3,})?)[ ?.!]*"
)
_IN_PLACE = regex(
    r"\b(?:in|to|for|at) (?P<place>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*|[a-z]{3,})"
    r"(?P<end>(?: (?:then|now|time|right now|just now|at the moment|currently))?[ ?.!]*)$"
)
_ASKS_CLOCK = regex(r"\b(?:time|clock|when)\b", re.I)
_NO_PLACE = regex(
    r"(?:and|then|now|please|thanks|today|tomorrow|minutes|hours|fahrenheit|celsius|total"
    r"|percent|why|how|what|more|less|again|together|that|this|it|the|weather|there|here|date"
    r"|day|temperature|year|week|month)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Before:
    """The question before, and the value that its answer ended in, if in one."""

    text: str
    value: Value | None


_MEANT = regex(r",? i (?:mean|meant)[ .!]*$", re.I)
_CORRECTED = regex(
    r"^(?:(?:oh|oops|hang on|hold on|sorry|wait|scratch that|my mistake|correction|i mean"
    r"|no(?=,| wait| sorry| hang| hold| there| it| i | we |[ ,]+make))\b[ ,.!-]*)+(?=\w)",
    re.I,
)


def put_in_place(asked: str, before: Before, today: date | None) -> Iterator[str]:
    """``before`` with what ``asked`` names in the place of the like, the surest first."""
    text = _MEANT.sub("", _CORRECTED.sub("", " ".join(asked.split())))
    if before.text:
        yield from filter(None, gone_on_days(text, before.text, today) if today else ())
        yield from _people_now(text, before.text)
        yield from _share_first(text, before.text)
    text = _busy_clause(text)
    if len(text.split()) > _MOST_WORDS or not before.text:
        return
    yield from _place(text, before.text)
    yield from _year(text, before.text)
    yield from _with_share(text, before)
    yield from _unit_asked(text, before.text)
    yield from _more_people(text, before.text)
    if _ANOTHER.search(text) or (_ALL.search(text) and _BY_SPAN.search(before.text)):
        return
    if _OVER.search(text) and not _OVER.search(before.text):
        return
    yield from day_or_clock(text, before.text, today)
    yield from _people(text, before)
    yield from amount_put(text, before.text)


def _busy_clause(text: str) -> str:
    """ "Ok and 37.2, that's from this morning" without the clause that tells nothing of it."""
    clauses = [clause.strip() for clause in _CLAUSES.split(text) if clause.strip(" .?!")]
    busy = [clause for clause in clauses if _TELLS.search(clause)]
    return busy[0] if len(busy) == 1 < len(clauses) and not _TURNED_BY.search(text) else text


_CLAUSES = regex(r"[,.;!?]+(?= )")
_TELLS = regex(r"\d|\b(?:what|how|which|when)\b", re.I)
_TURNED_BY = regex(r"\b(?:but|except|without|only|plus|minus|each|both|also|too|more|less|if|not|no)\b|n['’]t\b", re.I)


def day_or_clock(text: str, before: str, today: date | None) -> Iterator[str]:
    """``before`` with the day or the time of day that is all that ``text`` says beside little words."""
    if _ANOTHER.search(text):
        return
    if today:
        yield from _day(text, before, today)
    yield from _clock(text, before)


_NEAR = regex(r"\b(?P<which>this|next|last) (?P<unit>year|month|week)\b", re.I)
_SHARE = regex(
    r"(?:(?:and|ok|so|then|but|or|how much|what|what's|what is|what about|how about|is it"
    r"|is that|would it be|it|if|we|i get|we get|there's|there is|they give (?:me|us))[ ,]+)*"
    r"(?:with|after|at|less|minus|plus|including|incl|and|adding|add|taking|take"
    r"|get)? ?(?:an? )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent) "
    r"(?:(?P<off>discount|off|reduction|rebate)|(?P<on>tip|tax|vat|gst|sales tax|service"
    r"|service charge|booking fee|surcharge|pay rise|raise|rise|increase))(?: on top| added| off| included)?[ ?.!]*",
    re.I,
)


def _year(text: str, before: str) -> Iterator[str]:
    """ "And next year?" after "what weekday is Christmas this year"."""
    new, old = list(_NEAR.finditer(text)), list(_NEAR.finditer(before))
    if (
        len(new) == len(old) == 1
        and new[0]["unit"].lower() == old[0]["unit"].lower()
        and LITTLE.fullmatch(_NEAR.sub(" ", text))
    ):
        yield f"{before[: old[0].start()]}{new[0][0]}{before[old[0].end() :]}"


def _with_share(text: str, before: Before) -> Iterator[str]:
    """ "How much with a 10% discount?" of what came to so much."""
    said, value = _SHARE.fullmatch(text), before.value
    if said and value and value.unit in ("", "$", "€", "£") and not re.search(r"%|\bpercent", before.text):
        yield f"What is {shown(value, 'en', grouped=False)} {'minus' if said['off'] else 'plus'} {said['p']}%?"


def _place(text: str, before: str) -> Iterator[str]:
    said, there = _WHERE.fullmatch(text), _IN_PLACE.search(before)
    if said and there and _ASKS_CLOCK.search(before) and not _NO_PLACE.search(said["place"]):
        yield f"{before[: there.start('place')]}{said['place']}{there['end']}"


_UNTIL = regex(r"\b(?:until|till)\b", re.I)


def _day(text: str, before: str, today: date) -> Iterator[str]:
    bare, days = days_named(text, today)
    old, ends = days_named(before, today)
    if len(days) != 1 or not ends or not LITTLE.fullmatch(bare.replace("§", " ").replace("valentine's", "")):
        return
    places = [found.start() for found in re.finditer("§", old)]
    if len(places) != len(ends) or len(places) > 2:
        return
    new = days[0]
    if re.search(r"\d{4}", before) and not re.search(r"\d{4}", text):
        said = day_of(ends[-1].year, new.month, new.day) if re.search(r"\d", text) else None
        if said is None and not _UNTIL.search(before):
            return  # Christmas is not said to be of that year
        new = said or new
    parts = old.split("§")
    made = parts[0]
    for place, (end, part) in enumerate(zip(ends, parts[1:], strict=True)):
        made += str(new if place == len(ends) - 1 else end) + part
    yield made


def _clock(text: str, before: str) -> Iterator[str]:
    new, old = list(_CLOCK.finditer(text)), list(_CLOCK.finditer(before))
    if len(new) != 1 or not LITTLE.fullmatch(_CLOCK.sub(" ", text)):
        return
    if len(old) == 2:
        ends = [
            _END_BEFORE.search(one[: found.start()])
            for one, found in ((text, new[0]), (before, old[0]), (before, old[1]))
        ]
        names = ["from" if end and end[1].lower() in ("from", "between") else "to" if end else "" for end in ends]
        said = _BEGINS.search(text)
        names = ["from" if said["begins"] else "to", "from", "to"] if said and "" in names else names
        old = [found for found, name in zip(old, names[1:], strict=True) if name and name == names[0]]
    if len(old) == 1:
        yield f"{before[: old[0].start()]}{new[0][0]}{before[old[0].end() :]}"


_BEGINS = regex(r"\b(?:(?P<begins>starts?|began|begins?)|finish(?:es)?|ends?|leaves?|stops?) (?:at|by) (?=\d)", re.I)
_END_BEFORE = regex(r"\b(from|between|to|till|until|and) $", re.I)


_SO_MANY_MORE = regex(
    r"(?:(?:and|but|so|ok|then|what|if|when)[ ,]+)*(?P<n>\d+|one|two|three|four) (?P<way>more"
    rf"|extra|fewer|less)(?: {_PEOPLE}| person| of us)?"
    r"(?: (?:joins?|comes?|came|joined|turns? up|drops? out|leaves?|cancels?|is coming"
    r"|are coming))(?: (?:in|along|us|too|out))*[ ?.!]*",
    re.I,
)
_UNIT_ASKED = regex(
    r"(?:(?:and|or|what about|how about|so|in)[ ,]+)*(?:how many )?(?P<u>days|weeks|months"
    r"|years|hours|minutes|seconds)[ ?.!]*",
    re.I,
)
_MANY = regex(r"\bhow many (?:(?:full|whole) )?(?P<u>days|weeks|months|years|hours|minutes|seconds)\b", re.I)


def _unit_asked(text: str, before: str) -> Iterator[str]:
    """ "And days?" after "how many weeks until 1 July"."""
    said, asked = _UNIT_ASKED.fullmatch(text), list(_MANY.finditer(before))
    if said and len(asked) == 1 and asked[0]["u"].lower() != said["u"].lower():
        yield f"{before[: asked[0].start('u')]}{said['u']}{before[asked[0].end('u') :]}"


def _more_people(text: str, before: str) -> Iterator[str]:
    """ "And if one more joins?": the one count of people is raised."""
    said, told = _SO_MANY_MORE.fullmatch(text), list(_BY_PEOPLE.finditer(before))
    number = number_at(said["n"].lower(), 0, "en") if said else None
    if said is None or number is None or len(told) != 1:
        return
    leaves = said["way"].lower() in ("fewer", "less") or re.search(r"\b(?:drops? out|leaves?|cancels?)\b", text, re.I)
    if leaves and said["way"].lower() in ("more", "extra"):
        return
    count = int(told[0][0]) + (-1 if leaves else 1) * int(number[0])
    if count > 0:
        yield f"{before[: told[0].start()]}{count}{before[told[0].end() :]}"


_GOES = (
    r"(?:moves? (?:out|in)|drops? out|leaves?|cancels?|joins?(?: us)?|pulls? out|comes? too"
    r"|is (?:away|out|ill|sick|coming)|(?:doesn't|doesnt|does not|isn't|isnt|can't|cant|won't|wont) "
    r"(?:pay|paying|come|coming|join|make it|chip in))"
)
_THERE_ARE = r"(?:the|it's|its|there's|theres|there (?:is|are)|we're|we are|that's)"
_PEOPLE_NOW = regex(
    rf"(?=.*\b(?:{_PEOPLE}|{_GOES}|there|theres|we're|we are|split|shares?|pays?|chip in)\b)"
    r"(?:(?:and|but|now|ok|so|then|actually|what)[ ,]+)*(?:(?:if|when|since|because) )?"
    rf"(?:(?:the |my |our )?[a-z' ]{{2,24}}? {_GOES}[ ,]+(?:(?:and|so|then|leaving|which leaves) )*)?"
    rf"(?:if )?(?:{_THERE_ARE} )?(?:(?:only|just|other|now) )*(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten)"
    rf"(?: {_PEOPLE})?(?: (?:now|left|of us|people))*(?: (?:split|share|pays?|chip in)(?: (?:it|the bill|for it))*)?"
    r"(?P<kept>,? (?:tip|tax|vat|service|delivery)? ?(?:still )?included)?"
    r"(?:,? how much (?:is it |is that )?each)?[ ?.!]*",
    re.I,
)
_SHARE_FIRST = regex(
    r"(?:(?:and|but|actually|ok|so|now|what|if|we|i|they|you)[ ,]+)*"
    r"(?:(?:want|need|have|forgot|'d like|would like)(?: to)? )?"
    r"(?:add|put|include|leave|adding|with|plus|there's|there is)(?: on| in)? (?:an? )?(?P<p>\d+(?:\.\d+)?) ?%"
    r" (?P<what>tip|service(?: charge)?|tax|vat)(?: (?:on top|(?:to|on) (?:the bill|it|that)|first|as well|too))*"
    r"[ ?.!]*",
    re.I,
)
_OF_EACH = regex(
    r"\d(?: (?:pounds?|euros?|dollars?|quid))? (?:each|apiece|per|an?)\b|\beach (?:meal|ticket|costs?)\b", re.I
)
_BILL = regex(r"[$€£]?(?P<n>\d[\d,]*(?:\.\d+)?)(?! ?%)")


def _people_now(text: str, before: str) -> Iterator[str]:
    """ "If Sam moves out so there's only 3 of us": the one count of people is another one."""
    said = _PEOPLE_NOW.fullmatch(text.replace("’", "'"))
    in_figures = in_digits(before[:1].lower() + before[1:])
    told = list(_BY_PEOPLE.finditer(in_figures))
    number = number_at(said["n"].lower(), 0, "en") if said else None
    if said and number and len(told) == 1 and (not said["kept"] or "%" in before):
        yield f"{in_figures[: told[0].start()]}{number[0]}{in_figures[told[0].end() :]}"


def _share_first(text: str, before: str) -> Iterator[str]:
    """ "Add a 15% tip first" to a bill that is split: the bill with it, split among as many."""
    said = _SHARE_FIRST.fullmatch(text)
    in_figures = in_digits(before[:1].lower() + before[1:])
    people = list(_BY_PEOPLE.finditer(in_figures))
    split = _SHARES.search(before) and not _OF_EACH.search(before)
    if said is None or len(people) != 1 or "%" in before or not split:
        return
    rest = in_figures[: people[0].start()] + "#" * len(people[0][0]) + in_figures[people[0].end() :]
    bills = list(_BILL.finditer(rest))
    if len(bills) == 1:
        yield f"Split {bills[0][0]} plus {said['p']}% {said['what']} between {people[0][0]} people."


def _people(text: str, before: Before) -> Iterator[str]:
    """So many people in the place of so many; where none are told, what was told is shared among them."""
    counts = list(_COUNT.finditer(text))
    if len(counts) != 1 or not LITTLE.fullmatch(_COUNT.sub(" ", text)):
        return
    number = number_at(counts[0]["n"].lower(), 0, "en")
    told = list(_BY_PEOPLE.finditer(before.text))
    shares = counts[0]["who"] or _SHARES.search(text) or re.search(r"\b(?:we|they|there)\b", text, re.I)
    if number is None or not shares:
        return
    if len(told) == 1:
        yield f"{before.text[: told[0].start()]}{number[0]}{before.text[told[0].end() :]}"
    value = before.value
    if not told and value and _SHARES.search(text) and value.unit in ("", "$", "€", "£") and int(Decimal(number[0])):
        yield f"What is {shown(value, 'en', grouped=False)} / {number[0]}?"
