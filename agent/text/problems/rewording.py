"""A question in any order of words as the plain one that it comes to: its quantities, and what says what is asked.

Nothing is guessed: in the clause that asks, every word must be one that such questions have. What else is said may
be of anything, but must hold no other figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent.text.problems.day_stories import day_stories, past_weekdays
from agent.text.problems.plain_forms import plain_forms
from agent.text.problems.problem_words import WORDS
from agent.text.problems.said_days import LENGTH, WORD, days_told, ends_of, in_full, length_named, nearest, of_year
from agent.text.problems.span_ways import WEEKDAY_OF, way_of
from agent.text.quantities.dates import AFTER_THAT, Yearly
from agent.text.quantities.spelled_words import spelled_numbers
from agent.text.quantities.units import measure_of, quantity
from agent.text.regex import regex

_MOST_LOOKED_AT, _MOST_LETTERS, _MOST_UNKNOWN = 1_000, 200, 4
_CLAUSES = regex(r"[.;!?,]+(?=\s|$)|\band (?=what|when|how|which)|\b(?:so|then)\b(?= )", re.I)
_ASKS = regex(r"\b(?:what|when|which|how|whats|what's)\b|\b(?:due|end|return|expiry) date(?=\W*$)", re.I)
_CALENDAR_WORDS_LISTED = (
    "what what's whats which when how many much long far old is are was were will would be it it's its that "
    "this the a an of on in at from to until till before after left remaining between and days weeks months "
    "years day date weekday week month year fall falls fell number count age ago since passed pass past gone "
    "have has had been i we you me my do does did tell please away now go still more exactly full whole "
    "someone somebody person born he she they there land lands get turn being if today's come comes away's "
    "later earlier prior back plus minus add calendar time then we're our right here run runs out expire expires valid "
    "am if kid child baby latest last can could must should tell them deadline renew return complain cancel "
    "travel give notice with due over finish finishes ends end end's end, by including inclusive counting i'm mate got "
    "ready bring starts begins begin began start started borrow check out fly home come arrive arrives delivered"
)
_CALENDAR_WORDS = frozenset(_CALENDAR_WORDS_LISTED.split())
_MOVED = regex(
    r"\b(?:extend\w*|extension|postponed?|delayed|grace|brought forward)\b|\bworking days['’]? notice\b"
    r"|\b(?:gave|given|giving|handed in) (?:[a-z\d'’]+ ){0,3}notice\b"
    r"|\bnotice (?:on|today|now)\b",
    re.I,
)  # another day than told
_ENDS_COUNTED = regex(r"\b(?:counting|including) (?:today|both)\b|\bboth (?:ends|days|dates)\b|\binclusive\b", re.I)
_GONE = regex(
    r"\b(?:dated|issued|sent|ordered|bought|began|started|signed|borrowed|lent|planted"
    r"|received|posted|shipped|opened)\b",
    re.I,
)
_POLITE = regex(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks|thank you|sorry|i hope)\b[^\d?]*[.!]", re.I
)
_SENTENCES = regex(r"(?<=[a-z)][.!]) (?=[A-Z])|(?<=[!?]) ", re.I)
# "Neptune gravity", and no order
_NAME_AND_COLUMN = regex(
    r"(?!(?:drop|delete|insert|update|create|alter|tell|write)\b)([a-z]+(?: \d+)?) ([a-z]+)[ ?.!]*", re.I
)
# "Sort the planets by distance".
_ORDERED = regex(r"^(?:please )?(sort|order|arrange|rank) (the |all |my )*([a-z]+) by (?:the )?", re.I)
_CHAT = regex(
    r"^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon))\b[^.!?,]{0,40}[.!?,]+ ?"
    r"|(?:so|ok|okay|well|basically|right|um|just|quick(?: one| question)?)\b[,:]? ?)+"
    r"|[,.!]? *(?:thanks|thank you|cheers|thx|ta|pls|please|plz|mate|buddy|pal|dude|lol|haha|btw)"
    r"(?: (?:so|very) much| in advance| a lot)?[ .!]*$",
    re.I,
)
_INTO = regex(
    r"(?:(?<=[.;!] )(?:and|so|or) )?\b(?:in|to|into|as|=)(?: an?)? (?P<to>[a-z°²]+(?: and [a-z]+| [a-z]+)?)\W*$"
    r"|\bhow many (?=(?P<many>[a-z]+(?: and [a-z]+| [a-z]+)?))(?P<one>[a-z]+)",
    re.I,
)
_GIVEN = regex(
    r"(?<![\w.,])-?\d[\d,]*(?:\.\d+)?[ -]?(?:(?:uk|us|imperial|square|cubic|fluid|degrees?) )?"
    r"(?:[a-z°]+\b(?:/h|\^[23])?)(?: \d+ ?[a-z]+\b)?|\b(?:half an?|an?|one) (?:(?:uk|us|imperial|square) )?[a-z]+\b",
    re.I,
)
_UNITS_ASKED = regex(
    r"how many [a-z]+(?: [a-z]+)? (?:is|are|are there in|are in|make) (?:half an?|\d[\d./]*|an?) [a-z]+(?: [a-z]+)?\W*",
    re.I,
)
_OF_RATES = (
    "double per each every cost costs price speed at over by people for and from plus minus percent off with "
    "than between average total"
)
# What ties a sentence to the one before it, or narrows what that one asks.
_TURNING_WORDS = "if in of to as then them each ones mean meant total sum also too all any"
_TURNS = frozenset(_TURNING_WORDS.split())
_OPERATIVE = frozenset(WORDS["operative"]) | frozenset(_OF_RATES.split())


def rewordings(text: str, today: date | None) -> Iterator[str]:
    """The plain questions that an English one may come to, the likeliest first."""
    if len(text) > _MOST_LOOKED_AT:
        return
    typed = text
    text = in_full(text)
    said = [part for part in _SENTENCES.split(text) if not _POLITE.fullmatch(part)]
    bare = _CHAT.sub("", _ORDERED.sub(r"list \3 sorted by ", " ".join(said) or text))
    yield from plain_forms(bare, today)
    if today:
        yield from day_stories(bare, today)
    if bare != typed:
        yield bare
    if len(said) > 1 and len(busy := [part for part in said if not is_idle(part)]) == 1:
        yield busy[0]
    text = bare
    if len(text) > _MOST_LETTERS:
        return
    if today and (found := _of_days(past_weekdays(text, today), today)):
        yield found
    if found := _of_units(said[-1] if len(said) > 1 and _UNITS_ASKED.fullmatch(said[-1]) else text):
        yield found
    if two := _NAME_AND_COLUMN.fullmatch(text):
        yield f"what is the {two[2]} of {two[1]}"


def is_idle(sentence: str) -> bool:
    """Whether a sentence beside a question asks, counts and changes nothing: "I have a bad feeling about that one."."""
    text = re.sub(r"\b(?:this|that|the) one\b", "", sentence.lower())
    words = set(WORD.findall(text))
    counts = any(spelled_numbers(text)) or re.search(r"\d", text)
    return not (counts or "?" in text or words & _OPERATIVE or words & _TURNS or re.search(r"\w [A-Z]\w", sentence))


def only_calendar_words(text: str) -> bool:
    """Whether every word is one that questions of dates have, beside the signs of dates."""
    return not re.search(r"\d", text) and all(
        word in _CALENDAR_WORDS for word in WORD.findall(text.lower()) if word != "§"
    )


def _of_days(text: str, today: date) -> str | None:
    """ "Christmas day this year, which weekday is that?" as "what day of the week is 2026-12-25"."""
    if _MOVED.search(text) or _ENDS_COUNTED.search(text):
        return None
    text, days = of_year(*days_told(_NAMED_OLD.sub(r"\1 they", text), today))
    if not days and AFTER_THAT.search(text):
        return None  # of a day that was named before
    days = days[:1] if len({nearest(one, today, True) for one in days}) == 1 else days  # "Easter 2027 is on 28 March"
    lengths = [found for found in map(length_named, LENGTH.finditer(text)) if found]
    bare = LENGTH.sub(lambda found: " @ " if length_named(found) else found[0], text).lower()
    clauses = [clause for clause in _CLAUSES.split(bare) if clause and clause.strip()]
    asked = [clause for clause in clauses if _ASKS.search(clause)]
    if len(asked) > 1:
        return None
    asking = next(iter(asked or clauses), "")
    asks = _ASKS.search(asking)
    asking = asking[asks.start() :] if asks and re.search(r"[§@]", asking[: asks.start()]) else asking
    if asking.count("@") == 1 and len(lengths) == 2 and lengths[0] == lengths[1]:
        lengths = lengths[:1]  # "It lasts three weeks. What's the date three weeks after it starts?"
    if len(days) == 1 and not lengths and WEEKDAY_OF.fullmatch(bare.strip()):
        return _asked(bare, "which weekday was", days, lengths, today)
    said = [word for word in WORD.findall(asking) if word not in ("§", "@")]
    if re.search(r"\d", bare) or any(word not in _CALENDAR_WORDS for word in said):
        return None
    if not days + lengths and not re.search(r"\bcalendar week\b|\bweek number\b", asking):
        return None
    return _asked(bare, asking, days, lengths, today)


_NAMED_OLD = regex(r"\b((?i:how old (?:is|was|will|would))) [A-Z][a-z]+\b")
_COUNTS_TO = regex(
    r"\b(?:until|till|to|before|left|remaining|away|since|ago|passed|still|more|born|old|by now|is that"
    r"|from (?:now|today)|have i got|do i have)\b"
)
_FROM_NOW = regex(r"\bfrom (?:now|today)\b")
_GOT = regex(r"(?<!have )\b(?:i|we|he|she|they) got\b(?![^.?!]{0,80} (?:for|by|until) )")
_OVER = regex(r"\b(?:was|were|ended|expired|began|started)\b")


_OF_ANOTHER_DAY = regex(
    r"@ +(?:before|after) (?!today\b|now\b|tomorrow\b)|\b(?:back|off|forward|late|early) by +@"
)  # "6 months before it runs out"
_LAST_DAY = regex(r"\bfor +@.*\b(?:last|final) day\b")  # "take them for 7 days": the first one counts, too


def _asked(bare: str, asking: str, days: list[date | Yearly], lengths: list[str], today: date) -> str | None:
    unit = re.search(r"\b(days|weeks|months|years)\b", asking)
    if re.search(r"\bcalendar week\b|\bweek number\b|\bwhich week\b", asking) and not days and not lengths:
        return "what week number is it"
    weekday = re.search(r"\bweekday\b|\bday of the week\b|\b(?:what|which) day\b", asking)
    past = re.search(r"\b(?:since|ago|passed|past|gone|was|did|fell)\b", asking) is not None
    past = past or (bool(lengths) and _GONE.search(bare) is not None) or _GOT.search(bare) is not None
    ends = [one for one in (nearest(each, today, not past) for each in days) if one]
    if (
        re.search(r"\bborn\b|\bbirth", bare)
        and re.search(r"\bhow old\b|\bage\b", bare)
        and not unit
        and 0 < len(ends) <= 2
    ):
        born = min(ends)
        at = f" on {max(ends)}" if len(ends) > 1 else ""
        return f"how old is someone born on {born}{at}" if born <= today else None
    if len(lengths) == 1 and len(days) <= 1 and re.search(r"\b(?:date|day|when)\b", asking):
        unsure = _LAST_DAY.search(bare) or (not ends and _OF_ANOTHER_DAY.search(bare))
        way = "" if unsure else way_of(bare, asking)
        asked = "what day of the week" if weekday else "what date"
        return f"{asked} is {lengths[0]} {way} {ends[0] if ends else today}" if way else None
    if weekday and len(ends) == 1 and not lengths and not unit:
        return f"what day of the week is {ends[0]}"
    if len(ends) > 1 and re.search(r"\bborn\b|\bbirth", bare):
        return None  # so many weeks old on that day
    if lengths or not (unit or re.search(r"\bhow (?:long|far)\b", asking)):
        return None
    if len(days) == 2 and (both := ends_of(days, today)):
        return f"how many {unit[1] if unit else 'days'} between {both[0]} and {both[1]}"
    if len(ends) == 1 and _COUNTS_TO.search(asking) and not (_FROM_NOW.search(asking) and _OVER.search(bare)):
        open_ended = re.search(r"\bis that\b|\bby now\b|\bfrom (?:now|today)\b", asking)
        back = re.search(r"\b(?:since|ago|passed|born|old)\b", asking) or (open_ended and ends[0] < today)
        if (ends[0] > today and back) or (ends[0] < today and not back):
            return None
        return f"how many {unit[1] if unit else 'days'} {'since' if back else 'until'} {ends[0]}"
    return None


_OF_ALL_THAT = regex(r"\ball (?:that|this|of (?:it|that|them))\b", re.I)


# Other quantities than the one that is told: "three quarters of a cup", UK pints.
_OF_ANOTHER_QUANTITY = frozenset({"half", "couple", "dozen", "uk", "imperial"}) | frozenset(
    f"{part}{end}" for part in ("third", "quarter", "fifth", "sixth", "eighth", "tenth") for end in ("", "s")
)


def _of_units(text: str) -> str | None:
    """ "Oven 350F in C?", "my suitcase weighs 23 kg, how many pounds?": one quantity, and a unit to tell it in."""
    several = [found for found in _GIVEN.finditer(text) if quantity(found[0], "en")]
    units = (
        (found, name)
        for found in _INTO.finditer(text)
        for name in found.groups()
        if name and all(map(measure_of, name.split(" and ")))
    )
    into, unit = next(units, (None, ""))
    if len(several) != 1 or into is None:
        return None
    given = several[0]
    if _OF_ALL_THAT.search(text):
        return None  # what was told before
    rest = f"{text[: given.start()]} {text[given.end() :]}".replace(into[0], " ").replace(unit, " ").lower()
    words = set(WORD.findall(rest))
    unknown = words - _CALENDAR_WORDS - set(WORDS["en"]["filler"])
    if re.search(r"\d", rest) or words & _OPERATIVE or len(unknown) > _MOST_UNKNOWN:
        return None
    if given[0].lower().endswith(unit.lower()) or words & _OF_ANOTHER_QUANTITY:
        return None  # what is asked for is no such unit: "how mnay weeks are in a year"
    return f"{given[0]} in {unit}"
