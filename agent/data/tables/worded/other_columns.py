"""Whether a reading tells of other columns than an English question means: a name in another role, numbers of things
added up, the last in place of the best.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.data.tables.questions.table_lexicon import MONTHS, words
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, is_money, tells_apart
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.worded_columns import content, currency, in_unit, month, names_of_rows, stem, stems_of
from agent.text.quantities.units import CURRENCIES
from agent.text.regex import regex

_WORD = regex(r"[a-z]+", re.I)
_TYPED = regex(r"[a-z]+|\d+", re.I)
_HOW_MANY = regex(r"how many (?:of the |different )?(?P<what>[a-z]+)\b", re.I)
_CALLED = regex(r"\b(?:called|named|rows?|entries|records?)\b", re.I)
_TIMES = frozenset(
    map(stem, ["day", "night", "week", "weekend", "month", "year", "hour", "minute", "time", "occasion"])
)
_DAYS = frozenset(map(stem, ["day", "date", "time"]))
_NUMBERS = frozenset(["id", "nr", "code", "number", "phone", "telephone", "mobile", "fax", "postcode", "zip"])
_YEARS = frozenset(["year", "born", "built", "founded"])
_RANKS = frozenset(["rank", "ranking", "place", "position", "pos", "standing"])
_BEST = regex(r"\b(?:best|highest|top|first|winner|winning|won|leading)\b", re.I)
_WORST = regex(r"\b(?:worst|lowest|last|bottom|loser)\b", re.I)
_NEEDS = regex(r"\b(?:needs?|needed|wants?|to be) (?:[a-z]+ing|to be [a-z]+|[a-z]+ed)\b", re.I)
_WHAT_DID = regex(r"what (?:was|were|did|has|have|had|do|does)\b", re.I)
_WHO = regex(r"who\b", re.I)
_RANKED = regex(r"\b(?:most|least|fewest|often|how many|number|count|times|each|every|per)\b", re.I)
_WEIGHS = regex(r"\b(?:weighs?|weighed|weight|heav[a-z]+)\b", re.I)
_STATE = regex(r"\b(?:is|are) (?:still |now |currently )?(?:out|away|off|gone)\b", re.I)
_LITTLE = frozenset(["in", "on", "for", "by", "at", "off"])
_WHERE = regex(r" (?:the|an?|our|my|all|total|[12]\d{3}|[A-Z]\w+)\b")
_FIRST = regex(r"(?:the |who |which |what )*(?:first|earliest)\b", re.I)
_LAST = regex(r"(?:the |who |which |what )*(?:last|latest)\b", re.I)
_LATEST = regex(r"\b(?:latest|newest|most recent|current)\b", re.I)
_IN_TIME = regex(r"\b(?:last|latest|first|earliest|most recent)\b", re.I)
_DID = regex(r"(?:who|which)\b|.* of who\W*$", re.I)
_WITH = regex(r"who\b.*\b(?:with|besides|apart from|like|except|than|before|after|next to)\b", re.I)
_GIVES = frozenset(map(stem, ["sell", "sold", "give", "gave", "lend", "lent", "send", "sent"]))
_GETS = frozenset(map(stem, ["buy", "bought", "get", "got", "receive", "borrow"]))
_PREPOSITIONS = frozenset(["from", "to", "by"])
_GIVER = frozenset(["from", "seller", "sender", "lender", "giver", "donor"])
_GETTER = frozenset(["to", "buyer", "recipient", "receiver", "borrower"])


def of_other_column(text: str, asked: Asked) -> bool:
    """Whether the question asks for other figures, rows or names than the reading tells."""
    ways = (
        _of_either_role, _counts_one_row, _adds_up_numbers, _turns_ranks, _counts_other_things, _of_shorter_head,
        _done_for_needed, _of_whom, _weighs_money, _of_one_of_a_series, _of_little_word, _of_latest, _lists_undone,
        _of_unnamed_days, _of_one_with_others, _of_other_use, _of_no_length, _counts_ends,
    )  # fmt: skip
    return any(way(text, asked) for way in ways)


_USED = regex(r"\b(?:is|are|was|were|be|been) (?:the |our |this |that |my )?(?P<what>[a-z]+) (?P<done>[a-z]+)\b", re.I)


def _of_other_use(text: str, asked: Asked) -> bool:
    """Whether "was the hall used" would be told by whether the kitchen was: by a column "Kitchen used"."""
    for one in asked.filters:
        own = content(one.column) if one.column and one.column.kind == "boolean" else frozenset[str]()
        typed = {*_WORD.findall(text.lower())}
        for said in _USED.finditer(text) if len(own) > 1 else ():
            if said["done"].lower() in own and not (own - {said["done"].lower()}) & typed:
                return True
    return False


_FROM_END = regex(r"\b(?:from|between) the first\b.*\b(?:to|and) the last\b", re.I)


def _counts_ends(text: str, asked: Asked) -> bool:
    """Whether rows would be counted, or ordered, for how long it is from the first of them to the last."""
    return bool(_FROM_END.search(text)) and (asked.measure in ("count", "distinct") or bool(asked.order))


_BIGGEST = regex(r"\b(?:biggest|largest|smallest)\b", re.I)
_LONGEST = regex(r"\b(?:long|short|far)(?:est|thest)\b|\bfurthest\b", re.I)


def _of_no_length(text: str, asked: Asked) -> bool:
    """Whether the longest would be what costs the most per day, the biggest flat the one on the highest floor."""
    column = asked.column
    if not asked.order or column is None:
        return False
    sizes = [one for one in asked.table.of_kind("number") if content(one) & {"size", "area"}]
    other = (
        bool(sizes)
        and column not in sizes
        and not {stem(word) for word in _WORD.findall(text.lower())} & {*stems_of(column)}
    )
    return bool((currency(column) and _LONGEST.search(text)) or (other and _BIGGEST.search(text)))


def _of_either_role(text: str, asked: Asked) -> bool:
    """Whether a name stands in another column, too, and no word says which: "Ada" is a buyer and a seller."""
    for one in asked.filters:
        if one.column is None or one.column.kind != "text" or one.operator not in ("=", "<>"):
            continue
        others = [other for other in _sharing(one.column, asked.table) if _has(other, one.values)]
        alone = bool(others) and not any(other.column in others for other in asked.filters)
        if alone and not all(_says_role(text, value, one, others) for value in one.values):
            return True
    return False


def _has(column: Column, values: tuple[str, ...]) -> bool:
    known = {text.casefold() for text in column.known}
    return any(value.casefold() in known for value in values)


def _sharing(column: Column, table: Table) -> Iterator[Column]:
    """The other columns of texts in which values of that one stand, too."""
    yield from (other for other in table.of_kind("text") if other != column and _has(other, column.known))


def _says_role(text: str, value: str, one: Filter, others: list[Column]) -> bool:
    """Whether the heading, a verb or a word before the value says which of the columns is meant."""
    said = {stem(word) for word in _WORD.findall(text.lower())}
    column = one.column or others[0]
    called = words(column.called)
    before = "|".join(map(re.escape, ("the", "is", "and", "or", *(other for other in one.values if other != value))))
    behind = rf":?[”\"]? (?:[“\"]?(?:{before})[”\"]?,? )*[“\"]?{re.escape(value)}\b"
    if re.search(rf"\b{re.escape(column.called)}{behind}", text, re.I):
        return True
    preposition = re.search(rf"\b(from|to|by){behind}", text, re.I)
    last = "".join(called[-1:])
    if preposition and last in _PREPOSITIONS and all(words(other.called)[-1:] != called[-1:] for other in others):
        return last == preposition[1].lower()
    if called and ((_GIVER.issuperset(called) and said & _GIVES) or (_GETTER.issuperset(called) and said & _GETS)):
        return True
    own = stems_of(column).difference(*map(stems_of, others)) or stems_of(column)
    return bool(own & said) and not _PREPOSITIONS.issuperset(called)


def _counts_one_row(text: str, asked: Asked) -> bool:
    """Whether the one row of a name is counted: "how many voted for the logo" asks for a figure of it."""
    labels = {label.casefold() for label, _ in asked.table.labels}
    named = any(
        tells_apart(one.column, asked.table.rows) if one.column else one.sought and one.values[0].casefold() in labels
        for one in asked.filters
        if one.operator in ("=", "find") and len(one.values) == 1
    )
    alone = asked.measure == "count" and asked.column is None and not asked.groups
    noun = re.match(r"how many ([a-z]+) (?:are )?(?:from|in)\b", text, re.I)  # "authors from Korea" of a table of them
    if noun and stem(noun[1].lower()) in map(stem, words(asked.table.name)):
        named = named and any(one.column in names_of_rows(asked.table) for one in asked.filters)
    return alone and named and bool(_HOW_MANY.match(text)) and not _CALLED.search(text)


def _adds_up_numbers(text: str, asked: Asked) -> bool:
    """Whether numbers of things are added up, or years, or places in a race."""
    column = asked.column
    if column is None or asked.measure not in ("sum", "avg", "median"):
        return False
    said = words(column.called)
    if column.numbered or {*said[-1:]} & {"id", "code", "nr"} or (len(said) > 1 and said[-1] in _NUMBERS):
        return True
    return asked.measure == "sum" and ((bool(_YEARS & {*said}) and _is_year(column)) or _is_rank(column))


def _is_year(column: Column) -> bool:
    return all(re.fullmatch(r"[12]\d{3}", end) for end in (column.least, column.most))


def _is_rank(column: Column) -> bool:
    """Whether its 1 is the best."""
    return column.kind == "number" and column.least == "1" and bool(_RANKS & {*words(column.called)})


def _turns_ranks(text: str, asked: Asked) -> bool:
    """Whether the last place would be told for the best: the highest rank is 1."""
    if asked.column is None or not _is_rank(asked.column):
        return False
    most = asked.measure == "max" or asked.order == "down"
    least = asked.measure == "min" or asked.order == "up"
    return bool((most and _BEST.search(text)) or (least and _WORST.search(text)))


def _counts_other_things(text: str, asked: Asked) -> bool:
    """Whether "how many days did it rain" was taken for the rain, "how many runners have a club" for the clubs."""
    found, column = _HOW_MANY.match(text), asked.column
    if found is None:
        return False
    what = stem(found["what"].lower())
    if column is None:
        several = [one for one in asked.table.of_kind("text") if (one.distinct or 0) < asked.table.rows - one.nulls]
        alone = asked.measure == "count" and not (asked.groups or asked.filters)
        return alone and any(what in stems_of(one) for one in several)
    if what in stems_of(column):
        return False
    if asked.measure == "sum" and is_money(column) and not _says_money(text):
        return True  # "how many have paid"
    if asked.measure == "count" and column.kind == "date":
        return _STATE.search(text) is not None
    if asked.measure == "sum":
        return what in _TIMES and not in_unit(column, found["what"].lower().removesuffix("s"))
    if asked.measure != "distinct":
        return False
    if column.kind == "other":
        return True  # times of day
    if column.kind == "date":
        return what not in _DAYS
    return any(what in stems_of(one) for one in asked.table.columns)


def _of_shorter_head(text: str, asked: Asked) -> bool:
    """Whether the "Price" is told where words of the "Sale price" were said."""
    said = {stem(word) for word in _WORD.findall(text.lower())}
    told = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    used = [*told, *(one.column for one in asked.groups), *(one.column for one in asked.filters if one.column)]
    if {*map(stem, words(asked.table.name))} <= said:
        return False
    longer = [one for one in asked.table.of_kind("number") if one not in used]
    return any(
        stems_of(one) < stems_of(other) and stems_of(other) - stems_of(one) <= said for one in told for other in longer
    )


def _says_money(text: str) -> bool:
    """Whether it names money to be counted: "how many euros"."""
    return any(word in CURRENCIES or word.removesuffix("s") in CURRENCIES for word in _WORD.findall(text.lower()))


def _of_little_word(text: str, asked: Asked) -> bool:
    """Whether the column "In" is told where "in" only says where or when: "how much is in the kitty"."""
    name = asked.column.called.lower() if asked.column else ""
    if name not in _LITTLE or asked.column is None:
        return False
    places = [found.end() for found in re.finditer(rf"\b{name}\b", text, re.I)]
    return bool(places) and all(_WHERE.match(text, place) for place in places)


def _of_latest(text: str, asked: Asked) -> bool:
    """Whether the highest balance would be told for the latest, the first group by default for the "first one back"."""
    column, dates = asked.column, asked.table.of_kind("date")
    dates += filter(_is_year, asked.table.of_kind("number"))
    if column is None or column.kind != "number" or not dates:
        return False
    if _is_year(column):
        made = asked.order and asked.table.of_kind("date") and _IN_TIME.search(text)  # of no oldest bus
        other = (asked.order == "down" and _FIRST.match(text)) or (asked.order == "up" and _LAST.match(text))
        return bool(made or other)
    if asked.order and any(one.column.kind == "date" and not one.period for one in asked.groups):
        return bool(_FIRST.match(text) or _LAST.match(text))
    most = asked.measure in ("max", "min") or (asked.order and asked.limit == 1)
    return bool(most) and not column.numbered and _LATEST.search(text) is not None


def _lists_undone(text: str, asked: Asked) -> bool:
    """Whether "who left?" would tell those who did not, too, or only how many did on each day."""
    counted = asked.measure == "count" and not _RANKED.search(text)
    if counted and asked.groups and all(one.column.kind == "date" and not one.period for one in asked.groups):
        return _DID.match(text) is not None
    days = [one for one in asked.shown if one.kind == "date" and one.nulls]
    whole = asked.measure == "rows" and not (asked.filters or asked.order or asked.limit == 1)
    return whole and bool(days) and _DID.match(text) is not None


def _of_unnamed_days(text: str, asked: Asked) -> bool:
    """Whether "use by 2026" would be told of when the food was frozen."""
    said = {stem(word) for word in _WORD.findall(text.lower())}
    named = [one for one in asked.shown if one.kind == "date" and stems_of(one) <= said]
    picked = [one.column for one in asked.filters if one.column and one.column.kind == "date"]
    return bool(named) and any(one not in named and not stems_of(one) & said for one in picked)


def _of_one_with_others(text: str, asked: Asked) -> bool:
    """Whether "who joined with Anna?" would be answered by Anna."""
    own = {one.column for one in asked.filters if one.operator == "=" and len(one.values) == 1}
    return asked.measure == "rows" and bool(own & {*asked.shown[:1]}) and _WITH.match(text) is not None


def _of_one_of_a_series(text: str, asked: Asked) -> bool:
    """Whether one of many months or rounds across the top is told, and no word says which: "the highest bill"."""
    told = [asked.column, *(one.column for one in asked.filters)]
    said = {month(word.lower()) for word in _TYPED.findall(text)}
    names = {one: words(one.called) for one in asked.table.of_kind("number") if words(one.called)}
    months = [one for one, name in names.items() if {*name} <= {*MONTHS}]
    for column in (one for one in told if one in names):
        begins, last = names[column][:-1], names[column][-1]
        numbered = [one for one, name in names.items() if begins and last.isdigit() and name[:-1] == begins]
        alike = months if column in months else numbered
        if len(alike) > 2 and month(last) not in said:
            return True
    return False


def _done_for_needed(text: str, asked: Asked) -> bool:
    """Whether "which beds need watering" was taken for those that are watered."""
    holds = [one.column for one in asked.filters if one.operator == "true" and one.values == ("true",)]
    return bool(_NEEDS.search(text)) and any(one and not content(one) & {"need", "want"} for one in holds)


def _of_whom(text: str, asked: Asked) -> bool:
    """Whether "what did Raj second" would be answered by people, "who paid most" by things, "who is against" by all."""
    said = f" {' '.join(_WORD.findall(text.lower()))} "
    told = [one for one in asked.shown if one != asked.column]
    by = [one for one in asked.table.of_kind("text") if words(one.called)[-1:] == ("by",)]
    people = {*people_in(asked.table), *by}
    if _WHAT_DID.match(text) and asked.measure == "rows" and told and people.issuperset(told):
        return not any(f" {one.called.lower()} " in said for one in told)
    if not _WHO.match(text):
        return False
    if asked.measure == "rows" and told and all(one.kind == "number" for one in told):
        return True
    if re.match(r"who (?:was|were|got|gets) paid\b", text, re.I) and told and "to" not in words(told[0].called):
        return True
    if asked.measure == "count" and asked.groups and not _RANKED.search(text):
        return any(f" {one.called.lower()} " in said for one in asked.table.of_kind("number"))
    roles = [one for one in asked.table.of_kind("text") if next(_sharing(one, asked.table), None)]
    told += [one.column for one in asked.groups]
    return len(roles) > 1 and bool(told) and not {*people, *roles} & {*told}


def _weighs_money(text: str, asked: Asked) -> bool:
    told = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    return bool(_WEIGHS.search(text)) and bool(told) and all(map(is_money, told))


def is_of_two(one: Filter, text: str, asked: Asked) -> bool:
    """Whether a value that two columns have is taken for that of one, and nothing says of which."""
    if one.operator != "=" or one.column is None or one.column.called in text:
        return False
    others = [other for other in asked.table.of_kind("text") if other != one.column]
    several = [value for value in one.values if any(value in other.known for other in others)]
    return any(not re.search(rf"{re.escape(value)}(?:から|発|まで|行|着|へ|に)", text) for value in several)
