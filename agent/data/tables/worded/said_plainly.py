"""The one sentence that asks, in the words that its reader knows: without greetings, remarks and what people add."""

from __future__ import annotations

import re
from datetime import date

from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import Table, measured
from agent.data.tables.worded.everyday_wordings import in_table_words
from agent.data.tables.worded.remarks import without_remarks
from agent.data.tables.worded.rows_said import items_in
from agent.data.tables.worded.worded_columns import WORDS, currency, is_rate, named, stem, stems_of
from agent.text.regex import regex

_NOT = regex(r"\b(is|are|was|were|have|has|had|do|does|did|could|would)n['’]?t\b", re.I)
_CONTRACTED = regex(
    r"\b(who|what|how|where|when|which|it|that|there)(?:['’]s|s(?= (?:the|our|my|her|his|their)\b))\b", re.I
)
_IS_BEEN = regex(r"\b(who|what|which|it|that|there) is(?= been\b)", re.I)
_HAVE = regex(r"\b(i|we|you|they)['’]ve\b", re.I)
_LEAD = regex(
    r"^(?:(?:and|so|ok(?:ay)?|well|hi|hiya|hello|hey|please|pls|oh|um|now|right"
    r"|(?:going by|according to) the (?:list|table|file|dates|figures|data)(?: (?:given|here))?)[, ]+)*"
    r"(?:(?:can|could|would) you (?:please )?|please |i(?:'d like| would like| want| need) to know |do you know "
    r"|[a-z' ]{1,20} wants? to know )?"
    r"(?:(?:tell|show|give)(?: me)? (?=how|what|which|who|when|where))?(?:(?:tell|give) me (?=the\b))?",
    re.I,
)
_TODAY = regex(r"(?:today is|today['’]s|it['’]?s|it is) (?P<day>[\w ]+?),? ?(?:-|,|;|and|so) ?(?P<asks>.+)", re.I)
_OTHERWISE = {
    way: tuple((regex(pattern, re.I), form) for pattern, form in several) for way, several in WORDS["otherwise"].items()
}
_ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4"}
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_NTH = regex(rf"\b(?P<nth>{'|'.join(_ORDINALS)}) (?P<noun>[a-z]+)\b", re.I)


def asking_sentence(text: str, table: Table, today: date | None = None) -> str:
    """The one sentence that asks, without what is idle around it; "" where more is told or asked."""
    bare = without_remarks(text, table)
    if (dated := _TODAY.fullmatch(bare)) and today and _is_day(dated["day"], today):
        bare = dated["asks"].strip()
    bare = _HAVE.sub(r"\1 have", _CONTRACTED.sub(r"\1 is", _NOT.sub(r"\1 not", bare)))
    bare = _IS_BEEN.sub(r"\1 has", bare)
    bare = in_table_words(_LEAD.sub("", bare, count=1), table)
    for pattern, form in _OTHERWISE["part"]:
        bare = pattern.sub(form, bare)
    bare = _around(_rated(_in_money(bare, table), table), table)
    bare = _NTH.sub(lambda found: _numbered(found, table), bare)
    for pattern, form in _OTHERWISE["whole"]:
        bare = pattern.sub(form, bare) if pattern.fullmatch(bare) else bare
    return bare


_PENCE = regex(r"(?P<number>\d[\d,.]*) ?(?:pounds|quid)\b", re.I)
_IN_MONEY = regex(r",? in (?:pounds(?: and pence)?|quid|euros?|dollars|yen|£|€|\$)$", re.I)


def _in_money(text: str, table: Table) -> str:
    """Of a table in pounds, "90 quid" are £90, and "in pounds" says nothing more."""
    codes = {code for column in table.columns if (code := currency(column))}
    if codes == {"gbp"} and not any("mass" in measured(column) for column in table.columns):
        text = _PENCE.sub(r"£\g<number>", text)
    said = _IN_MONEY.search(text)
    own = {"p": "gbp", "q": "gbp", "£": "gbp", "e": "eur", "€": "eur", "d": "usd", "$": "usd", "y": "jpy"}
    return text[: said.start()] if said and codes == {own[said[0].split()[-1][0].lower()]} else text


_PER_UNIT = regex(r"\b(?P<what>[a-z]+) (?:per|a|an|for each|for every) (?P<unit>[a-z]+)\b", re.I)


_RATE_BEFORE = regex(r"\b(?P<unit>hour|night|week|month|year)ly (?P<what>[a-z]+)\b", re.I)


def _rate_named(said: re.Match[str], table: Table) -> str:
    """ "Hourly pay" as the column of pay per hour, by its whole name."""
    own = [one for one in table.columns if is_rate(one, said["what"].lower(), said["unit"].lower())]
    return f"“{own[0].called}”" if len(own) == 1 else said[0]


def _rated(text: str, table: Table) -> str:
    """The "price per kilo" of a column of prices per kilo, by its whole name."""
    text = _RATE_BEFORE.sub(lambda said: _rate_named(said, table), text)
    found = _PER_UNIT.search(text)
    own = [one for one in table.columns if found and is_rate(one, found["what"].lower(), found["unit"].lower())]
    return f"{text[: found.start()]}“{own[0].called}”{text[found.end() :]}" if found and len(own) == 1 else text


_AROUND = regex(
    r"\b(?P<before>[a-z]+) (?P<way>(?:more|less|fewer) than|over|under|at least|at most|no more than|up to|exactly)"
    r" (?P<number>\d[\d,.]*|" + "|".join(_SMALL) + r") (?P<behind>[a-z]+)\b",
    re.I,
)


def _around(text: str, table: Table) -> str:
    """ "Missed more than 5 rehearsals" of a column "Rehearsals missed", by its whole name."""
    found = _AROUND.search(text)
    said = {stem(found["before"].lower()), stem(found["behind"].lower())} if found else set[str]()
    own = [one for one in table.of_kind("number") if {*stems_of(one)} == said]
    if found is None or len(said) != 2 or len(own) != 1:
        return text
    way = "" if found["way"].lower() == "exactly" else f"{found['way']} "
    return f"{text[: found.start()]}with “{own[0].called}” {way}{found['number']}{text[found.end() :]}"


def _numbered(found: re.Match[str], table: Table) -> str:
    """ "The second test" of a table that has a column "Test 2"."""
    name = (*words(found["noun"]), _ORDINALS[found["nth"].lower()])
    there = any(name == own[: len(name)] for column in table.columns for own in named(column))
    return " ".join(name) if there else found[0]


def _is_day(text: str, today: date) -> bool:
    said = tokens(text)
    days = [one.text for one in items_in(0, said, today) if one.role == "day" and one.length == len(said)]
    return f"{today}" in days or f"0-{today.month}-{today.day}" in days
