"""A question of a table without what is wrapped around it: wishes, asides, and what was done with every row anyway.

Words are read over only where a table cannot tell rows apart by them: they name none of its columns and values, or all
of its rows. What could pick some of them stays, and is then declined or read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from datetime import date
from functools import cache
from typing import Any

from agent.data.tables.questions.table_lexicon import MONTHS, tokens, words
from agent.data.tables.questions.table_schema import Asked, Column, Table
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.remarks import tells_rows, without_remarks
from agent.data.tables.worded.worded_columns import columns_at, content, fields_of, named, stem, stems_of
from agent.data.tables.worded.worded_rows import rows_of
from agent.text.regex import regex
from agent.text.word_tables import word_table

_ENDS = r"[\s?.!]*$"
_SPACES = regex(r"\s{2,}")
_PERFECT = regex(r"['’]ve\b|\b(?:have|had|did|was|were)\b|ed\b", re.I)
_PLACES_JA = regex(
    r"[。、.,?？\s]*(?:答えは)?(?:小数(?:点)?(?:以下)?(?:第?[\d一二三]位|[\d一二三]桁)|整数|四捨五入)"
    r"(?:まで|で|に|して|し|四捨五入|を|教えて|答えて|出して|丸めて|お願いします|ください|下さい|計算して|求めて|の概数)*[。.!?？\s]*$"
)


_OF_TIME = regex(
    r"\d|\b(?:when|since|before|after|until|till|today|yesterday|week|month|year|day|[a-z]+day|last|first|latest"
    r"|earliest"
    r"|longest|shortest|long|often|" + "|".join(MONTHS) + r")",
    re.I,
)
# "How many films has each of us picked": by whom they were picked.
_EACH = regex(
    r"^how many (?P<rows>.+?) (?:has|have|had|did|does|do) (?:each|every) "
    r"?(?P<one>(?:one )?of (?:us|them)|one|person|[a-z]+)"
    r"(?: (?P<verb>[a-z]+)(?: (?:out|up|in))?)?$",
    re.I,
)
# "The average weight over all the times he was weighed": what was not is in no mean.
_WHEN_MEASURED = regex(
    r"(?<=\w),? (?:over|across|of|from|for|in|on) (?:all )?(?:of )?the (?:times?|days|occasions|visits)(?: when|"
    r" that)?"
    r" (?:he|she|it|they|we|i)(?:['’]ve| was| were| has| have| had)*(?: been)? (?P<verb>[a-z]+)(?=$|[,?.])",
    re.I,
)
_MEAN = regex(r"\b(?:average|mean|avg|typical)\b", re.I)
_ANYONE = ("one", "person", "of us", "of them", "one of us", "one of them")
_HAD = (None, "had", "have", "has", "got")
_TURNED = regex(
    r"(?:\b(?:not|never|no|yet|only|hardly|rarely|should|shall|could|can|may|might|must|would|will)|n['’]t)$", re.I
)
_NOT = regex(r",|\b(?:not|never|only|per|each|every|average|mean|more|less|fewer|than|without|alone)\b|n['’]t\b", re.I)
_DOERS = ("er", "or")  # the endings of who does something
_WORD = regex(r"(?<![“\w])[a-z]+\b", re.I)
_DID = regex(
    r"\b(?:did|have|has|had) (?:we|i|you|they) (?P<verb>[a-z]+)"
    r"|\b(?:we|i|you|they)(?:['’]ve| have| had)? (?P<done>[a-z]+)"
    r"|\bwho (?:has |had |have )?(?P<who>bought|sold|borrowed|lent|hired|rented)\b",
    re.I,
)


@cache
def _words() -> Mapping[str, Any]:
    return word_table(__file__, "wrapping.toml")


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, _words()[name]))


@cache
def _wishes() -> tuple[re.Pattern[str], ...]:
    """What wishes look like at the end, at the beginning and between commas."""
    anywhere, apart = ("|".join(_words()[name]) for name in ("wishes", "wishes_apart"))
    wish = f"{anywhere}|{apart}"
    return (
        regex(rf"(?:,| -|;|[?.!])+ \(?(?P<said>{wish})\)?{_ENDS}", re.I),
        regex(rf"(?<!\d) \(?(?P<said>{anywhere})\)?{_ENDS}", re.I),
        regex(rf"^(?P<said>{wish})(?:[:,.!]| -| (?=what|how|which|who|when|where|total|average))\s*(?=\S)", re.I),
        regex(rf", (?P<said>{wish})(?=,)", re.I),
        *(regex(rf"(?P<said>{idle})", re.I) for idle in _words()["idle"]),
    )


@cache
def _deeds() -> tuple[re.Pattern[str], ...]:
    return tuple(regex(said, re.I) for said in _words()["deeds_said"])


@cache
def _scope() -> re.Pattern[str]:
    several = "|".join(_words()["scopes"])
    return regex(
        rf",? \b(?:{several}) (?:all (?:of )?)?(?:the|our|my|these|those) (?P<rows>[^,;?.]+?)(?=$|[,?.])", re.I
    )


def without_wrapping(text: str, table: Table, today: date | None, language: str) -> str:
    """``text`` in English or Japanese, without remarks and what else is wrapped around the question."""
    if language == "en":
        return unwrapped(without_remarks(text, table) or text, table, today)
    return _PLACES_JA.sub("", text) or text


def unwrapped(text: str, table: Table, today: date | None) -> str:
    """``text``, an English question, without what is wrapped around it; as it is, where nothing is."""
    before, bare = "", text.strip()
    while bare != before:
        before = bare
        for pattern in _wishes():
            bare = pattern.sub(lambda found: found[0] if _tells(found["said"], table) else " ", bare).strip()
    if bare != text.strip():
        bare = bare.rstrip(" ,")
    bare = _WORD.sub(lambda found: _as_rows(found[0], table), bare)
    for pattern in _deeds():
        bare = pattern.sub(lambda found: _without_deed(found, table, today), bare)
    bare = _by_name(bare, table)
    bare = _EACH.sub(
        lambda found: _by_each(found, table), _WHEN_MEASURED.sub(lambda found: _unless(found, table), bare)
    )
    bare = _scope().sub(lambda found: "" if _of_all_rows(found["rows"], table, today) else found[0], bare)
    return _SPACES.sub(" ", bare).strip()


def _as_rows(word: str, table: Table) -> str:
    """What the table calls its rows, for another word of the same sense: its "visits" for "trips"."""
    called, said = words(table.name)[-1:], words(word)
    alike = _words()["rows"]
    if not called or called[0] not in alike or not said or said[0] not in alike or said == called:
        return word
    known = any(said[0] in content(one) for one in table.columns) or _tells(word, table)
    return word if known else f"{called[0]}s"


def _by_name(text: str, table: Table) -> str:
    """ "How many kilos for Desmond" where "did Desmond pick" is said, beside a column "Picked by" that has him."""
    for column in table.of_kind("text"):
        people = "|".join(sorted(map(re.escape, column.known), key=len, reverse=True)) if _names_who(column) else ""
        said = people and re.search(rf"^how .+? (?:did|has|have|had|does|do) ({people}) ([a-z]+)\b", text, re.I)
        if said and not _NOT.search(text) and _is_done_by(column, stem(said[2]), table):
            head = re.sub(r" \S+$", "", text[: said.start(1)].rstrip())
            return f"{head}{text[said.end() :].rstrip(' ?.!')} for {said[1]}"
    return text


def _is_done_by(column: Column, verb: str, table: Table) -> bool:
    """Whether each row tells by its column that this person did it, and of one day at most."""
    own = [one for one in table.columns if verb in stems_of(one)]
    does = verb in {stem(name[-1][:-2]) for name in named(column) if name[-1][-2:] in _DOERS}
    days = [one for one in table.columns if one.kind == "date"]
    return (does or column in own) and len(days) < 2 and not any(one.nulls or one.kind == "boolean" for one in own)


def _by_each(found: re.Match[str], table: Table) -> str:
    verb = stem((found["verb"] or "").lower())
    people = [one for one in table.of_kind("text") if one in people_in(table)]
    own = [one for one in table.of_kind("text") if verb in stems_of(one)] if verb else []
    if found["one"].lower() in _ANYONE:
        own = own or (people if found["verb"] in _HAD else [])
    own = own or [one for one in people if stem(found["one"].lower()) in stems_of(one) and found["verb"] in _HAD]
    return f"how many {found['rows']} by each “{own[0].called}”" if len(own) == 1 else found[0]


def _unless(found: re.Match[str], table: Table) -> str:
    """Nothing for what says that a figure was taken, whose mean is asked for."""
    measured = [one.column for one in columns_at(0, tokens(found["verb"]), table)]
    asked = {stem(word) for word in words(found.string[: found.start()])}
    mean = len(measured) == 1 and measured[0].kind == "number" and asked & stems_of(measured[0])
    return "" if mean and _MEAN.search(found.string) else found[0]


def _tells(said: str, table: Table) -> bool:
    """Whether a word of it is of the table."""
    every = tokens(said)
    return any(tells_rows(place, every, table) for place in range(len(every)))


def _of_all_rows(said: str, table: Table, today: date | None) -> bool:
    """Whether the words name the rows, and pick none of them."""
    if [*map(stem, words(re.sub(r"^(?:all|the) ", "", said)))] == [stem(word) for word in words(table.name)[-1:]]:
        return True
    rows = rows_of(said, table, today)
    return rows is not None and rows.named and not (rows.filters or rows.asked or rows.noun)


def _without_deed(found: re.Match[str], table: Table, today: date | None) -> str:
    """Nothing for what was done with every row, as the table tells or as its name does; else what was said."""
    said, verb = found[0], found["verb"].lower()
    if _TURNED.search(found.string[: found.start()]):
        return said
    own = [one for one in table.columns if stem(verb) in stems_of(one)]
    own += [one.column for one in columns_at(0, tokens(verb), table) if one.verb]
    if not (_told_of_all(own, found) if own else _is_of_every_row(stem(verb), said, table, today)):
        return said
    asks = re.search(r"(?:^|\b(?:and|so|ok),? )what$", found.string[: found.start()].strip(), re.I)
    return " rows" if asks else ""


def _told_of_all(columns: Sequence[Column], said: re.Match[str]) -> bool:
    """Whether each row has who did it or when, and it is asked of all people and times."""
    timed, i_did = _OF_TIME.search(said.string), re.search(r"\bi\b", said[0], re.I)
    return all(
        not one.nulls and ((one.kind == "date" and not timed) or (_names_who(one) and not i_did)) for one in columns
    )


def _names_who(column: Column) -> bool:
    """Whether it is of who does something: "Picked by", "Ringer"."""
    does = any(one.get("who") for one in fields_of(column)) or any(name[-1][-2:] in _DOERS for name in named(column))
    return column.kind == "text" and does


def _is_of_every_row(verb: str, said: str, table: Table, today: date | None) -> bool:
    """Whether the deed was done with every row, so that it says nothing of which are meant."""
    if verb in _stems("choosing") or _tells_states(table, verb, today if _PERFECT.search(said) else None):
        return False
    return _is_deed_of(verb, table)


def _tells_states(table: Table, verb: str, today: date | None) -> bool:
    """Whether a column may say with which rows something was done: yes and no, a status, a day missing or to come."""
    alike = _alike(verb)
    values = {stem(word) for one in table.of_kind("text") for value in one.known for word in words(value)}
    return bool(alike & values) or any(_tells_state(one, alike, today) for one in table.columns)


def _tells_state(column: Column, alike: Set[str], today: date | None) -> bool:
    own = stems_of(column)
    if column.kind == "boolean":
        return own <= alike | _stems("states")
    if column.kind == "date":
        return bool(column.nulls) or (today is not None and column.most[:10] > f"{today}")
    return bool(own & _stems("states"))


def of_other_deed(text: str, asked: Asked) -> bool:
    """Whether ``asked`` leaves out that something was done, where not all rows tell that it was, or only of its like.

    What "we sold" are those with a day or a price of it; a table of what was lent and returned tells not what "we buy".
    """
    told = {asked.column, *asked.shown, *(one.column for one in (*asked.filters, *asked.groups))}
    return any(_loses_deed(found, asked.table, told) for found in _DID.finditer(text))


def _loses_deed(found: re.Match[str], table: Table, told: Set[Column | None]) -> bool:
    typed = (found["verb"] or found["done"] or found["who"]).lower()
    verb, known = stem(typed), {stem(word) for word in words(table.name)}
    if own := [one for one in table.columns if verb in stems_of(one)]:
        return any(one.nulls or one.kind == "boolean" for one in own if one.kind != "text") and not told & {*own}
    known |= {one for column in table.columns for one in stems_of(column)}
    several = ({*map(stem, side)} for side in _words()["sides"])
    if not columns_at(0, tokens(typed), table) and any(verb in alike and alike & known for alike in several):
        return True
    states = {one for one in table.columns if _tells_state(one, _alike(verb), None)}
    return bool(states) and not told & states and _is_deed_of(verb, table)


def _alike(verb: str) -> Set[str]:
    """The stems of what is said for the same deed."""
    return {stem(one) for deed in _words()["deeds"] for one in deed["verbs"] if verb in map(stem, deed["verbs"])}


def _is_deed_of(verb: str, table: Table) -> bool:
    """Whether it is what is done with the rows of such a table."""
    called = {stem(word) for word in words(table.name)}
    heads = called.union(*(stems_of(column) for column in table.columns[:3]))
    several = (one for one in _words()["deeds"] if verb in map(stem, one["verbs"]))
    return verb in called or any(heads & {*map(stem, one["of"])} for one in several)
