"""Whether a reading leaves out words of its question that turn it: an "or", a figure, "only", the pieces of a row."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    added_up,
    column_words,
    id_like,
    is_money,
    tells_apart,
)
from agent.data.tables.worded.figures_left import leaves_figures
from agent.data.tables.worded.other_columns import is_of_two, of_other_column
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rates_and_debts import tells_other_money
from agent.data.tables.worded.rows_said import Rows
from agent.data.tables.worded.spans_of_days import loses_span, of_other_days
from agent.data.tables.worded.worded_columns import by_field, content, has_pieces, in_unit, stem, stems_of, with_mark
from agent.data.tables.worded.worded_figures import is_price, of_one_row
from agent.data.tables.worded.wrapping import of_other_deed
from agent.data.tables.wordings.japanese_beyond import of_other_most
from agent.text.plain import japanese
from agent.text.regex import regex

_OF_TIME = regex(
    r"\b(?:last|latest|newest|most recent|first) (?:thing|purchase|item|payment|expense)\b|\b(?:most|least) often\b",
    re.I,
)
_OR = regex(
    r"\bor\b(?! (?:more|less|fewer|over|under|above|below|later|earlier|after|before|older|younger|higher|lower)\b)"
)
_ONLY = regex(r"\b(?:only|just|exclusively|solely)\b", re.I)
_ALL = regex(r"^(?:who|which|has|have|did|does|is|are|was|were)\b.*\b(?:everything|everyone|always|every time)\b", re.I)
_WHETHER = regex(r"^(?:has|have|did|does|is|are|was|were)\b(?! there\b)", re.I)
_WORD = regex(r"[a-z]+")
_NONE = regex(r"\b(?:no|none|nothing)\b", re.I)
_ASKS = regex(r"(?:who|whose|when|where|how|what)\b", re.I)
_MORE_THAN = regex(r"\b(?:more|fewer|less) than (?:an?|one|two|three|four|five|\d+)\b", re.I)
_NO = regex(r"\b(?:no|without)\b", re.I)
_WHO = regex(r"who\b", re.I)
_WHO_IS = regex(r"who(?:['’]s| is| was| are| were) (?:the|our) [a-z]+est [a-z]+", re.I)
_ANSWERED = regex(r"\ba no (?:under|for|in)\b", re.I)
_FIRST_OF = regex(r"\b(?:first|last) (?:two|three|four|five|six|\d+)\b", re.I)
_STAYED = regex(r"\b(?:been|worked|lived|served)\b.*\b(?:longest|shortest)\b", re.I)
_MOST_OF = regex(r"(?:do|does|did|is|are|was|were|has|have) (?:most|many|some|half|the majority)\b", re.I)
_SETTLED = frozenset(["paid", "returned", "done", "finished", "completed", "back", "collected"])
_HOW_MANY = regex(r"how many\b", re.I)
_STILL_TO = regex(r"\bstill (?:have|has|need|needs) to\b|\b(?:have|has) (?:i|we|they) still to\b", re.I)
_DAYS_COUNTED = regex(r"(?:on )?how many (?:[a-z]+ )?(?:days|dates)\b", re.I)
_HEAD = regex(r"how many (?:of the )?([a-z]+)\b(?! of)", re.I)
_PER = regex(r"\b(?:per|(?:for|in|at|of|from) (?:each|every)) ([a-z]+)", re.I)
_RATE = regex(r"\bper ([a-z]+)")
_BY = regex(r"\bby (?:the )?([a-z]+)", re.I)
_PERIODS = frozenset(map(stem, ("day", "week", "weekday", "month", "quarter", "year")))
_IS_PRICE = regex(r"how much (?:is|are|was|were)\b(?!.*\b(?:total|altogether|all|together|combined|sum)\b)", re.I)
_EACH = regex(r"\b(?:by|each|every|which|who|highest|lowest|top|bottom)\b", re.I)
_COUNTED = regex(r"\b(?:how (?:many|often)|number|count|total|and)\b|;", re.I)
_NOT_AND = regex(r"\b(?:not|n['’]t) (?:[a-z]+ )?(?P<one>[a-z]+) and (?!not\b|un)(?P<other>[a-z]+)[ ?.!]*$", re.I)
_BACK = frozenset(["he", "she", "it", "they", "him", "her", "them", "those", "these", "that", "this"])
_GOES_ON = regex(r"長く?(?:続け|通|勤め|住|飼|使|働)")  # since a day, not for so many minutes
_EDITED = regex(r"; (?:only|not) ", re.I)
_OF_ALL = regex(r"\b(?:did|total|altogether|in all|worth|value|spend|spent)\b", re.I)


def misread(text: str, asked: Asked) -> bool:
    """For the readings of both readers."""
    if japanese(text):
        settled = asked.measure == "rows" and all(one.operator == "=" for one in asked.filters)
        ordered = bool(asked.order) and asked.column is not None and asked.column.kind == "number"
        own = {one.column for one in asked.filters}
        lost = (ordered and bool(_GOES_ON.search(text))) or (settled and _only(asked.shown, own))
        return lost or of_other_most(text, asked) or any(is_of_two(one, text, asked) for one in asked.filters)
    ways = (
        _of_other_order, _of_other_rows, _of_other_figure, loses_group, of_other_days, _of_other_place,
        _sums_one_price, _of_every_row, _of_all_of_some, _turned_not, _past_but_settled, _loses_share,
        _loses_comparison, leaves_figures, _of_one_piece, _ranks_by_rows, _of_no_name, _of_nobody, loses_span,
        of_other_column, tells_other_money, of_other_deed,
    )  # fmt: skip
    back = any(one.sought and one.values[0].lower() in _BACK for one in asked.filters)  # "they" is nobody's name
    if back or (_EDITED.search(text) and not any(one.turn for one in asked.filters)):
        return True  # "just the singers" of all rows are no other ones
    return any(way(text, asked) for way in ways) or _compares_in_vain(asked)


def _only(shown: Sequence[Column], own: Set[Column | None]) -> bool:
    """Whether nothing is told but what was said."""
    return bool(shown) and own >= {*shown}


_OF_FIGURES = (
    r"\b(?:best|worst|spen[dt]|costs?|owes?|(?:got|gets|received) (?:the )?most(?! [a-z])"
    r"|(?:makes?|made|earn(?:s|ed)?|brings?|brought|pays?|paid)\b.*\bmost(?= from| out of|\W*$))\b(?!-)"
)
_MOST = r"\b(?:most|fewest|least|(?:greatest|highest|largest|smallest|lowest) numbers? of) "


def _ranks_by_rows(text: str, asked: Asked) -> bool:
    """Whether groups are ranked by their rows, though each is one row, or something else was to be the most of."""
    if asked.measure != "count" or asked.column or not (asked.groups and asked.order and asked.limit):
        return False
    names = "|".join(re.escape(one.column.called.replace("_", " ")) for one in asked.groups)
    names += r"|(?:units|pieces|items|copies)\b" if has_pieces(asked.table) else ""
    other = re.search(rf"{_OF_FIGURES}|{_MOST}(?:{names})", text, re.I)
    of_one_row = any(tells_apart(one.column, asked.table.rows) for one in asked.groups)
    return bool(other) or (of_one_row and re.match(r"(?:who|which|what)\b", text, re.I) is not None)


_NO_NAME = regex(r"column[_ ]\d+|[\W_]*")


def _of_nobody(text: str, asked: Asked) -> bool:
    """Whether "who pays the fee" would be answered by plots, where a column names people: not "the oldest dog"."""
    if _WHO_IS.match(text) and asked.shown[:1] == asked.table.columns[:1]:
        return False
    people = {*people_in(asked.table), *with_mark(asked.table, "who")}
    told = [*asked.shown, *(one.column for one in asked.groups)]
    return bool(_WHO.match(text) and people and told) and not any(one in people for one in told)


def _of_no_name(text: str, asked: Asked) -> bool:
    """Whether a column is told that has no name, and was not asked for: "what is her record with the Foxes?"."""
    said = text.lower().replace("_", " ")
    return any(_NO_NAME.fullmatch(one.called) and one.name.replace("_", " ") not in said for one in asked.shown)


_TWICE = regex(
    r"^(?!how (?:much|many)\b.* how (?:much|many)\b).*\S(?:,| and|[.!?:]|,? -) (?:and |so )?"
    r"(?:when|who|whose|where|what|which|how (?:much|many|long|old|far|big))\b(?!(?: are there)?[ ?.!]*$)"
    r"|(?:何|いくら|いつ|どこ|誰|どれ|いくつ)[^、。]{0,6}で、?[^、。]*(?:何|いくら|いつ|どこ|誰|どの|どれ|いくつ)",
    re.I,
)


def asks_twice(text: str) -> bool:
    """Whether more is asked or told than one sentence reads: for the reader that leaves out words."""
    return bool(_TWICE.search(text.strip()))


def _of_other_order(text: str, asked: Asked) -> bool:
    """Whether the rows are put in another order: "the latest purchase" is not the dearest."""
    column, often = asked.column, with_mark(asked.table, "often")
    if column is None or not asked.order:
        return False
    if (_FIRST_TO.search(text) and column.kind != "date") or (_NEAREST.search(text) and not _is_far(column)):
        return True
    of_time = column.kind == "number" and column not in often and _OF_TIME.search(text)
    return bool(of_time or (column.kind != "date" and (_FIRST_OF.search(text) or _STAYED.search(text))))


_FIRST_TO = regex(r"\b(?:first|last) (?:ones? |person |people )?to [a-z]", re.I)
_NEAREST = regex(r"\b(?:nearest|closest|furthest|farthest)\b", re.I)


def _is_far(column: Column) -> bool:
    """Whether its figures are distances."""
    return bool({"distance", "away", "far", "km", "mile"} & {*column_words(column)})


def _of_other_rows(text: str, asked: Asked) -> bool:
    """Whether some of the rows that were asked for are left out, or others are told with them."""
    several = any(len(one.values) > 1 or one.sought for one in asked.filters)
    if _OR.search(text) and len(asked.filters) > 1 and not several:
        return True
    only = bool(_ONLY.search(text) or _NONE.search(_ANSWERED.sub("", text)))
    return bool(_MOST_OF.match(text)) or _of_some_rows(asked, only, bool(_WHO.match(text)))


def _of_other_figure(text: str, asked: Asked) -> bool:
    """Whether a figure is told that was not asked for."""
    if _STILL_TO.search(text):
        return True  # what has not been done is not what has
    if (asked.measure == "distinct" and not _COUNTED.search(text)) or _of_another(text, asked):
        return True  # "what are the different countries" asks for no number
    of_day = asked.measure == "distinct" and asked.column is not None and asked.column.kind == "text"
    if of_day and _DAYS_COUNTED.match(text) and asked.table.columns[0].kind == "date":
        return True  # days of the week are no days
    filtered = any(one.column == asked.column for one in asked.filters)
    if asked.measure == "sum" and _HOW_MANY.match(text) and filtered:
        return True  # "how many dogs weigh between 10 and 20 kg" asks for no weight
    if asked.measure == "count" and (head := _HEAD.match(text)):  # "how many helpers were under 16" asks for no rows
        compared = [one.column for one in asked.filters if one.column and one.column.kind == "number"]
        if any(stem(head[1].lower()) in stems_of(one) for one in compared):
            return True
    own = {one.column for one in asked.filters if one.operator == "="}
    if _NO.search(text) and any(one.values == ("0",) and one.column and one.column.nulls for one in asked.filters):
        return True  # "no visits" may be a figure of 0, or none
    if asked.measure == "rows" and _only(asked.shown, own) and _ASKS.match(text):
        return True  # "who has Otto" is not answered by Otto
    whole = _ALL.search(text) and not asked.groups
    return bool(whole or (_WHETHER.search(text) and asked.measure in ("sum", "avg", "median")))


def _of_another(text: str, asked: Asked) -> bool:
    """Whether "the youngest" was read as of another column than the ages there are."""
    column = asked.column
    if column is None or column.kind != "number" or not (asked.order or asked.measure in ("min", "max")):
        return False
    if any(in_unit(column, word) for word in _WORD.findall(text.lower()) if len(word) > 1):
        return False  # "the longest walk in km"
    several = [by_field(asked.table, key, word) for word in _WORD.findall(text.lower()) for key in ("most", "least")]
    return any(found and column not in found for found in several)


def loses_group(text: str, asked: Asked) -> bool:
    """Whether "per department" or "by region" is nowhere in what is asked."""
    if len(asked.groups) > 1 and any(tells_apart(one.column, asked.table.rows) for one in asked.groups):
        return True  # groups of one row each
    if asked.measure in ("sum", "avg") and any(one.column == asked.column for one in asked.groups):
        return True  # a monthly cost "each month" is no group of itself
    if asked.groups or asked.measure not in ("sum", "avg", "median", "count", "distinct"):
        return False
    own = stems_of(asked.column) if asked.column else set[str]()
    texts = {stem(word) for one in asked.table.of_kind("text") for word in content(one)}
    single = [one for one in asked.table.columns if one is asked.table.columns[0] or tells_apart(one, asked.table.rows)]
    # What each row is: "per book" of a list of books is no group, "of each department" of three people is one.
    apart, first = ({stem(word) for one in several for word in content(one)} for several in (single, single[:1]))
    by = {stem(found[1].lower()) for found in _BY.finditer(text)}
    if asked.measure == "sum" and {stem(word) for word in _RATE.findall(text.lower())} - own:
        return True  # "km per trip" is no total
    return bool(by & (texts | _PERIODS)) or any(
        stem(found[1].lower()) in texts - own - (apart if found[0].lower().startswith("per") else first)
        for found in _PER.finditer(text)
    )


def _of_other_place(text: str, asked: Asked) -> bool:
    """Whether "from Rome" was taken for a value of the column "To", where another one is called "From"."""
    for one in asked.filters:
        for other in asked.table.columns:
            own = one.column is None or not one.values or other == one.column or other.kind != "text"
            if not own and re.search(rf"\b{re.escape(other.called)} (?:the )?{re.escape(one.values[0])}", text, re.I):
                return not re.search(rf"\b{re.escape(one.column.called)}\b", text, re.I) if one.column else False
    return False


def _sums_one_price(text: str, asked: Asked) -> bool:
    """Whether "how much is the fee of Gold" was taken for the sum of what all pay."""
    of_one = asked.measure == "sum" and asked.column is not None and is_price(asked.column) and not asked.groups
    return of_one and bool(_IS_PRICE.match(text)) and not of_one_row(Rows(asked.filters), asked.table)


def _of_every_row(text: str, asked: Asked) -> bool:
    """Whether the mean of some rows was taken for one of each row, without a word for that."""
    own = [one.column for one in asked.groups if not one.period and tells_apart(one.column, asked.table.rows)]
    return asked.measure in ("avg", "median") and bool(own) and not asked.order and not _EACH.search(text)


def _compares_in_vain(asked: Asked) -> bool:
    """Whether numbers of things are compared, or a figure is to be above and below what it cannot be."""
    ends: dict[str, float] = {}
    for one in asked.filters:
        compared = one.column if one.operator in (">", ">=", "<", "<=", "between") else None
        if compared is None or compared.kind != "number":
            continue
        years = all(len(end) == 4 and end.isdigit() for end in (compared.least, compared.most))
        if id_like(compared) and not years:
            return True
        if one.operator != "between":
            ends[compared.name + one.operator[0]] = float(one.values[0])
    return any(name.endswith(">") and end >= ends.get(name[:-1] + "<", end + 1) for name, end in ends.items())


def _of_some_rows(asked: Asked, only: bool, who: bool) -> bool:
    """Whether "who did not order a lamp", "customers only from Oslo" would be told of each row alone.

    Who has several rows may have done so in another one.
    """
    told = asked.shown if asked.measure == "rows" else (asked.column,) if asked.measure == "distinct" else ()
    only_told = [one for one in asked.filters if one.operator != "null"] if only else []
    others = only_told or [one for one in asked.filters if one.operator in ("<>", "not find")]
    several = [one for one in told if one and one.kind == "text"]
    several += with_mark(asked.table, "who") if who else []
    repeated = [one for one in several if (one.distinct or 0) < asked.table.rows - one.nulls]
    filtered = [one.column for one in asked.filters]
    return bool(others) and any(one not in filtered for one in repeated)


def _of_all_of_some(text: str, asked: Asked) -> bool:
    """Whether "which owners paid over 60 euros" may be of all of their rows, "more than one route" of several rows."""
    compared = [one.column for one in asked.filters if one.column and one.operator in (">", ">=", "<", "<=")]
    for column in compared:
        name = re.escape(column.label.lower())
        if column.kind == "number" and not name.endswith("s") and re.search(rf"\b(?:one {name}|{name}s)\b", text, re.I):
            return True
    summed = [one for one in compared if one.kind == "number" and (is_money(one) or added_up(one))]
    told = (*asked.shown, *(group.column for group in asked.groups))
    several = [one for one in told if one.kind == "text" and (one.distinct or asked.table.rows) < asked.table.rows]
    heads = re.match(r"(?:which|what) ([a-z]+)", text, re.I)
    first = {stem(heads[1].lower())} if heads else set[str]()
    return bool(summed) and any(first & stems_of(one) for one in several)


_PERCENT = regex(
    r"\b(?:what|which|how much)(?: is|['’]?s)?(?: the)? (?:%|(?:percent|percentage|share|proportion|fraction)\b)"
    r"|\bas a percent",
    re.I,
)


def _loses_share(text: str, asked: Asked) -> bool:
    """Whether a share was asked for, and a figure that is none would be told."""
    told = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    shares = {"percent", "percentage", "share", "proportion", "rate"}
    return bool(_PERCENT.search(text)) and not any(one.unit == "%" or content(one) & shares for one in told)


def _past_but_settled(text: str, asked: Asked) -> bool:
    """Whether rows past a day may be paid or back already."""
    past = [
        one.column for one in asked.filters if one.said.startswith("before ") and re.search(r"\bpast\b", text, re.I)
    ]
    settled = [one for one in asked.table.of_kind("boolean") if content(one) & _SETTLED]
    return bool(past and settled) and all(one.column not in settled for one in asked.filters)


def _loses_comparison(text: str, asked: Asked) -> bool:
    """Whether "more than one", "the first three" or "which are ready" is nowhere in what is asked."""
    compared = any(one.operator in (">", ">=", "<", "<=", "between") for one in asked.filters)
    several = any(len(one.values) > 1 for one in asked.filters)
    limited = asked.limit > 1 and (bool(asked.groups) or asked.measure == "rows")
    if (_MORE_THAN.search(text) and not compared) or (_FIRST_OF.search(text) and not (limited or several)):
        return True
    bound = [one.column for one in asked.filters]
    days = [one for one in asked.shown if one.kind == "date" and one not in bound and one is not asked.column]
    return any(re.search(rf"\b(?:is|are|was|were) {re.escape(one.called)} (?:and|but)\b", text, re.I) for one in days)


def _turned_not(text: str, asked: Asked) -> bool:
    """Whether "not paid and shipped" may be neither, or shipped but not paid."""
    return bool(_NOT_AND.search(text)) and sum(one.operator == "true" for one in asked.filters) > 1


def _of_one_piece(text: str, asked: Asked) -> bool:
    """Whether the price of one piece would be told for what was paid for several."""
    wanted = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    priced = bool(wanted) and is_price(wanted[0]) and has_pieces(asked.table)
    return (
        priced
        and not asked.table.joined
        and (asked.measure == "sum" or (asked.measure == "rows" and bool(_OF_ALL.search(text))))
    )
